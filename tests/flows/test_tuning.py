"""What was tuned takes the place of defaults, and of nothing else, as long as it holds."""

import json
from dataclasses import asdict, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.flows import make_job as choices
from audiomill.flows import settings
from audiomill.flows import tuning as standing
from audiomill.flows.make_job import make_job
from audiomill.flows.settings import load_settings
from audiomill.flows.tuning import Choice, Tuned, TunedDamaged, read_tuned, tuning, written
from audiomill.renderers.host.hardware import changed, this_fingerprint
from support.home import ROOT, Home

MACHINE = {"CPU": "X", "GPU": "none", "torch": "2.6.0"}
TUNED = Tuned(
    choice=Choice("tf32", 4096, 3),
    device="cpu",
    release="v1.0",
    machine=MACHINE,
    date="2026-11-21T12:00:00+00:00",
    speed=5.0,
    default_speed=4.0,
    weights="random",
)


@pytest.fixture
def path(tmp_path, monkeypatch):
    """Where it lies, on a machine of our making with no settings from outside."""
    path = tmp_path / "tuned.json"
    monkeypatch.setattr(settings, "TUNED", path)
    monkeypatch.setattr(choices, "TUNED", path)
    monkeypatch.setattr(settings, "CONFIG_FILES", (tmp_path / "audiomill.toml",))
    monkeypatch.setattr(standing, "this_fingerprint", lambda: MACHINE)
    monkeypatch.setattr("audiomill.flows.tuning.has_gpu", lambda _setting: False)
    return path


def kept(path, **changes):
    path.write_bytes(written(replace(TUNED, **changes)))
    return load_settings().kokoro


def test_it_takes_the_place_of_defaults(path):
    assert load_settings().kokoro.batch_frames == 0
    found = kept(path)
    assert (found.auto_precision, found.batch_frames, found.workers) == ("tf32", 4096, 3)
    assert found.phonemes == settings.PHONEMES
    assert tuning(path, found).ignored == ""
    words = tuning(path, found).words(found)
    assert words == "auto_precision tf32, batch_frames 4096, workers 3; on 2026-11-21, on cpu (X)"


def test_a_setting_wins_even_if_it_says_what_is_the_default(path, tmp_path, monkeypatch):
    monkeypatch.setenv("AUDIOMILL_KOKORO__BATCH_FRAMES", "0")
    (tmp_path / "audiomill.toml").write_text("[kokoro]\nworkers = -1\n")
    found = kept(path)
    assert (found.batch_frames, found.workers) == (0, -1)
    assert "batch_frames 4096 (set to 0)" in tuning(path, found).words(found)
    monkeypatch.delenv("AUDIOMILL_KOKORO__BATCH_FRAMES")
    assert load_settings().kokoro.batch_frames == 4096
    monkeypatch.setenv("AUDIOMILL_KOKORO", '{"batch_frames": 7}')
    assert load_settings().kokoro.batch_frames == 7


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"machine": MACHINE | {"torch": "2.5.0"}}, "torch was 2.5.0 and is 2.6.0"),
        ({"machine": MACHINE | {"driver": "550"}}, "driver was 550 and is unknown"),
        ({"machine": {}}, "CPU was unknown and is X"),
        ({"device": "cuda"}, "made for the device cuda, and this is cpu"),
        ({"release": "v1.1-zh"}, "made for the release v1.1-zh, and this is v1.0"),
    ],
)
def test_on_what_it_was_not_made_for_it_is_ignored_and_that_is_said(path, changes, told):
    found = kept(path, **changes)
    assert (found.batch_frames, found.workers) == (0, -1)
    standing_now = tuning(path, found)
    assert told in standing_now.ignored
    assert "bench --tune again" in standing_now.words(found)
    assert make_job(load_settings(), "b.md", engine="kokoro").warnings == (standing_now.ignored,)
    assert make_job(load_settings(), "b.md", engine="tone").warnings == ()


@pytest.mark.parametrize(
    ("name", "value"), [("DEVICE", "cuda"), ("RELEASE", "v1.1-zh"), ("PRECISION", "bf16")]
)
def test_settings_that_it_was_not_made_for_turn_it_off(path, monkeypatch, name, value):
    monkeypatch.setenv(f"AUDIOMILL_KOKORO__{name}", value)
    found = kept(path)
    assert (found.batch_frames, found.workers) == (0, -1)
    assert getattr(found, name.lower()) == value
    assert value in tuning(path, found).ignored


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"null", b"\xff", b'{"schema": 2}'])
def test_a_damaged_file_is_ignored_and_that_is_said(path, content):
    path.write_bytes(content)
    found = load_settings().kokoro
    assert found.batch_frames == 0
    assert "damaged" in tuning(path, found).ignored


@given(
    st.sampled_from(sorted(asdict(TUNED))), st.none() | st.integers(-9, -2) | st.text(max_size=3)
)
def test_a_file_with_a_wrong_value_is_read_or_refused_but_breaks_nothing(
    tmp_path_factory, name, to
):
    path = tmp_path_factory.mktemp("tuned") / "tuned.json"
    content = json.loads(written(TUNED))
    for place, key in ((content, name), (content["choice"], "workers")):
        place[key] = to
    path.write_text(json.dumps(content))
    with pytest.raises(TunedDamaged):
        read_tuned(path)


def test_what_is_written_is_read_back(path):
    path.write_bytes(written(TUNED))
    assert read_tuned(path) == TUNED


def test_a_folder_in_its_place_is_said_so(path):
    path.mkdir()
    with pytest.raises(TunedDamaged, match="cannot be read"):
        read_tuned(path)


def test_a_fingerprint_names_all_that_matters():
    found = this_fingerprint()
    assert set(found) == {
        *("CPU", "usable cores", "memory", "GPU", "driver", "torch", "CUDA", "audiomill")
    }
    assert changed(found, found) == ""
    assert "torch was" in changed(found | {"torch": "0"}, found)


def test_doctor_says_what_is_tuned_and_what_is_not(tmp_path):
    home = Home(tmp_path, {})
    assert "nothing; audiomill bench --tune" in tuned_line(home)
    cache = tmp_path / "cache" / "audiomill"
    cache.mkdir(parents=True)
    here = replace(TUNED, machine=this_fingerprint())
    (cache / "tuned.json").write_bytes(written(here))
    assert "batch_frames 4096, workers 3; on 2026-11-21, on cpu (" in tuned_line(home)
    (cache / "tuned.json").write_bytes(written(TUNED))
    assert "ignored: CPU was X and is" in tuned_line(home)
    (cache / "tuned.json").write_text("{")
    assert "damaged" in tuned_line(home)


def tuned_line(home):
    """What `audiomill doctor` says of it; a machine without a GPU is asked for."""
    run = home.with_variables(AUDIOMILL_KOKORO__DEVICE="cpu").run("doctor", cwd=ROOT)
    assert run.returncode == 0, run.stdout
    (line,) = (one for one in run.stdout.splitlines() if one.split()[1] == "tuned")
    return line
