"""Settings: where they come from, which source wins, and how an invalid one is reported."""

from contextlib import nullcontext
from pathlib import Path

import pytest

from audiomill.flows.cli.parser import build_parser
from audiomill.flows.errors import UsageError
from audiomill.flows.job import Job
from audiomill.flows.make_job import make_job
from audiomill.flows.prefect_server.settings import prefect_api_url
from audiomill.flows.settings import Settings, load_settings
from support.case_files import each_row_apart, written_out


@pytest.fixture
def configured(tmp_path, monkeypatch):
    """The paths of the two configuration files. No setting of the test's environment is visible."""
    for name in ("AUDIOMILL_LIBRARY", "AUDIOMILL_STORE", "AUDIOMILL_ENGINE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    for name in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    (tmp_path / "audiomill").mkdir()
    return tmp_path / "audiomill" / "config.toml", tmp_path / "audiomill.toml"


def test_without_settings_there_are_defaults(configured):
    loaded = load_settings()
    assert loaded.engine == "auto"
    assert str(loaded.library) == "library"
    assert loaded.store.endswith("shards")


def test_environment_wins_over_folder_and_folder_over_user(configured, monkeypatch):
    user, folder = configured
    user.write_text('engine = "espeak"\nspeed = 1.5\nvoice = "de"\n')
    folder.write_text('engine = "tone"\nspeed = 2.0\n')
    monkeypatch.setenv("AUDIOMILL_ENGINE", "kokoro")
    loaded = load_settings()
    assert (loaded.engine, loaded.speed, loaded.voice) == ("kokoro", 2.0, "de")


def test_the_window_is_the_engines_default_unless_set(configured, monkeypatch):
    assert load_settings().window_s is None
    monkeypatch.setenv("AUDIOMILL_WINDOW_S", "300")
    assert load_settings().window_s == 300


def test_kokoros_precision_is_a_setting(configured, monkeypatch):
    assert load_settings().kokoro.precision == "auto"
    monkeypatch.setenv("AUDIOMILL_KOKORO__PRECISION", "tf32")
    monkeypatch.setenv("AUDIOMILL_PIPER__SAMPLE_RATE", "24000")
    monkeypatch.setenv("AUDIOMILL_KOKORO__PHONEMES", "~/phonemes.sqlite")
    assert load_settings().kokoro.precision == "tf32"
    assert load_settings().piper.sample_rate == 24_000
    assert load_settings().kokoro.phonemes == Path.home() / "phonemes.sqlite"


@pytest.mark.parametrize(
    ("visible", "setting", "device"),
    [(None, None, "auto"), ("1,2", None, "auto"), ("", None, "cpu"), ("-1", "cuda:1", "cuda:1")],
)
def test_kokoro_uses_the_cpu_if_all_gpus_are_hidden(
    configured, monkeypatch, visible, setting, device
):
    for name, value in (("CUDA_VISIBLE_DEVICES", visible), ("AUDIOMILL_KOKORO__DEVICE", setting)):
        if value is None:
            monkeypatch.delenv(name, raising=False)
        else:
            monkeypatch.setenv(name, value)
    assert load_settings().kokoro.device == device


def test_limits_and_pauses_are_settings(configured, monkeypatch):
    configured[0].write_text("[pauses]\nparagraph_s = 1.25\n[mastering]\ntarget_lufs = -16\n")
    monkeypatch.setenv("AUDIOMILL_LIMITS__MAX_TEXT_CHARS", "5")
    loaded = load_settings()
    assert loaded.limits.max_text_chars == 5
    assert loaded.pauses.paragraph_s == 1.25
    assert loaded.mastering.target_lufs == -16


@each_row_apart
def test_an_invalid_setting_is_named(configured, toml, message):
    configured[0].write_text(toml)
    with pytest.raises(UsageError, match=message):
        load_settings()


@each_row_apart
def test_what_cannot_be_used_is_one_line_that_names_it(
    configured, monkeypatch, variables, file, named
):
    if file is None:
        configured[1].mkdir()
    elif file:
        configured[1].write_text(written_out(file))
    for name, value in variables.items():
        monkeypatch.setenv(name, written_out(value))
    with pytest.raises(UsageError) as refusal:
        load_settings(), prefect_api_url()
    assert named in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_the_prefect_api_comes_from_the_environment_or_the_active_profile(tmp_path, monkeypatch):
    for name in ("PREFECT_API_URL", "PREFECT_PROFILE", "PREFECT_PROFILES_PATH"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PREFECT_HOME", str(tmp_path))
    assert prefect_api_url() is None
    (tmp_path / "profiles.toml").write_text(
        'active = "office"\n[profiles.office]\nPREFECT_API_URL = "http://127.0.0.1:1/api"\n'
        "[profiles.plain]\n"
    )
    assert prefect_api_url() == "http://127.0.0.1:1/api"
    monkeypatch.setenv("PREFECT_PROFILE", "plain")
    assert prefect_api_url() is None
    monkeypatch.setenv("PREFECT_API_URL", "http://127.0.0.1:2/api")
    assert prefect_api_url() == "http://127.0.0.1:2/api"


@pytest.mark.parametrize(
    ("names", "formats"),
    [("mp3 , flac", ("mp3", "flac")), ("mp3 flac", None), ("mp3,", None), ("", None)],
)
def test_formats_are_separated_by_commas_only(configured, monkeypatch, names, formats):
    def told_by_an_option() -> Job:
        words = ["render", "b.md", "--format", names]
        return make_job(Settings(), "b.md", formats=build_parser().parse_command(words).formats)

    def told_by_a_variable() -> Job:
        monkeypatch.setenv("AUDIOMILL_FORMATS", names)
        return make_job(load_settings(), "b.md")

    for job in (told_by_an_option, told_by_a_variable):
        with nullcontext() if formats else pytest.raises((UsageError, SystemExit)):
            assert job().formats == formats


@pytest.mark.parametrize("table", ["openai", "cosyvoice_server", "orpheus"])
def test_voices_in_the_environment_are_separated_by_commas(configured, monkeypatch, table):
    monkeypatch.setenv(f"AUDIOMILL_{table.upper()}__VOICES", "anna, ben")
    assert getattr(load_settings(), table).voices == ("anna", "ben")


@pytest.mark.parametrize(
    ("name", "value"), [("AUDIOMILL_LIMITS", "many"), ("AUDIOMILL_PAUSES__LINE_S", "long")]
)
def test_an_invalid_variable_is_reported(configured, monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    with pytest.raises(UsageError, match="Wrong setting"):
        load_settings()


def test_an_unknown_setting_is_reported_with_its_file(configured):
    configured[0].write_text("egnine = 'tone'\n[pauses]\nparagraf_s = 1\n")
    with pytest.raises(UsageError, match="there is no egnine") as refusal:
        load_settings()
    assert "there is no pauses.paragraf_s" in str(refusal.value)
    assert str(configured[0]) in str(refusal.value)


@pytest.mark.parametrize("content", [b'engine = "\xff"', b"engine ="])
def test_a_file_that_is_not_toml_is_reported(configured, content):
    configured[0].write_bytes(content)
    with pytest.raises(UsageError, match=r"not (valid TOML|UTF-8)") as refusal:
        load_settings()
    assert str(configured[0]) in str(refusal.value)


def test_the_library_may_be_in_the_home_folder(configured, monkeypatch):
    monkeypatch.setenv("AUDIOMILL_LIBRARY", "~/audio")
    monkeypatch.setenv("HOME", "/home/reader")
    assert str(load_settings().library) == "/home/reader/audio"


@pytest.mark.parametrize("profiles", ["profiles = 4", "[profiles]\nx = 1", 'active = ["x"]', "\0"])
def test_invalid_prefect_profiles_name_no_api(tmp_path, monkeypatch, profiles):
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    monkeypatch.setenv("PREFECT_HOME", str(tmp_path))
    (tmp_path / "profiles.toml").write_text(profiles)
    monkeypatch.setenv("PREFECT_PROFILE", "x")
    assert prefect_api_url() is None


@pytest.mark.parametrize("device", ["gpu", "cuda:x", "cpu,", "cuda:0,,cuda:1", "auto", "mps"])
def test_a_device_is_refused_by_its_name_before_anything_is_loaded(configured, monkeypatch, device):
    monkeypatch.setenv("AUDIOMILL_KOKORO__DEVICE", device)
    if device in ("gpu", "cuda:x"):
        with pytest.raises(UsageError, match=f"{device} is no device; choose auto, cpu, cuda"):
            load_settings()
    else:
        assert load_settings().kokoro.device
