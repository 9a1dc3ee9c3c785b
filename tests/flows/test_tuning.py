"""Tuned settings replace defaults, and nothing else, as long as they apply."""

import json
from dataclasses import asdict, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.flows.make_job import make_job
from audiomill.flows.settings import load_settings
from audiomill.renderers.engine.benchmarking import Choice
from audiomill.renderers.host.hardware import changed, this_fingerprint
from audiomill.renderers.kokoro import tuning
from audiomill.renderers.kokoro.tuning import (
    Tuned,
    TunedDamaged,
    read_tuned,
    tuned_to_json,
    tuning_status,
)
from support.home import Home
from support.paths import ROOT

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
    """The file's path, on a made-up machine. No setting of the test's environment is visible."""
    monkeypatch.chdir(tmp_path)
    for name in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    path = tmp_path / "audiomill" / "tuned.json"
    path.parent.mkdir()
    monkeypatch.setattr(tuning, "this_fingerprint", lambda: MACHINE)
    monkeypatch.setattr(tuning, "has_gpu", lambda _setting: False)
    return path


def kokoro_with_file(path, **changes):
    """Kokoro's settings with a file of `TUNED` and these changes."""
    path.write_bytes(tuned_to_json(replace(TUNED, **changes)))
    return load_settings().kokoro


def test_tuned_settings_replace_defaults(path):
    assert load_settings().kokoro.batch_frames == 0
    kokoro = kokoro_with_file(path)
    assert (kokoro.auto_precision, kokoro.batch_frames, kokoro.workers) == ("tf32", 4096, 3)
    assert kokoro.phonemes == path.with_name("phonemes.sqlite")
    assert tuning_status(path, asdict(kokoro)).ignored == ""
    words = tuning_status(path, asdict(kokoro)).words(asdict(kokoro))
    assert words == "auto_precision tf32, batch_frames 4096, workers 3; on 2026-11-21, on cpu (X)"


def test_a_setting_wins_even_if_it_equals_the_default(path, tmp_path, monkeypatch):
    monkeypatch.setenv("AUDIOMILL_KOKORO__BATCH_FRAMES", "0")
    (tmp_path / "audiomill.toml").write_text("[kokoro]\nworkers = -1\n")
    kokoro = kokoro_with_file(path)
    assert (kokoro.batch_frames, kokoro.workers) == (0, -1)
    assert "batch_frames 4096 (set to 0)" in tuning_status(path, asdict(kokoro)).words(
        asdict(kokoro)
    )
    monkeypatch.delenv("AUDIOMILL_KOKORO__BATCH_FRAMES")
    assert load_settings().kokoro.batch_frames == 4096
    monkeypatch.setenv("AUDIOMILL_KOKORO", '{"batch_frames": 7}')
    assert load_settings().kokoro.batch_frames == 7


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"machine": MACHINE | {"torch": "2.5.0"}}, "torch was 2.5.0 and is 2.6.0"),
        ({"machine": MACHINE | {"driver": "550"}}, "driver was 550 and is unknown"),
        ({"machine": {}}, "CPU was unknown and is X"),
        ({"device": "cuda"}, "made for the device cuda, and this is cpu"),
        ({"release": "v1.1-zh"}, "made for the release v1.1-zh, and this is v1.0"),
    ],
)
def test_where_it_does_not_apply_it_is_ignored_with_a_reason(path, changes, reason):
    kokoro = kokoro_with_file(path, **changes)
    assert (kokoro.batch_frames, kokoro.workers) == (0, -1)
    status = tuning_status(path, asdict(kokoro))
    assert reason in status.ignored
    assert "bench --tune again" in status.words(asdict(kokoro))
    assert make_job(load_settings(), "b.md", engine="kokoro").warnings == (status.ignored,)
    assert make_job(load_settings(), "b.md", engine="tone").warnings == ()


@pytest.mark.parametrize(
    ("name", "value"), [("DEVICE", "cuda"), ("RELEASE", "v1.1-zh"), ("PRECISION", "bf16")]
)
def test_it_is_ignored_for_settings_that_it_was_not_made_for(path, monkeypatch, name, value):
    monkeypatch.setenv(f"AUDIOMILL_KOKORO__{name}", value)
    kokoro = kokoro_with_file(path)
    assert (kokoro.batch_frames, kokoro.workers) == (0, -1)
    assert getattr(kokoro, name.lower()) == value
    assert value in tuning_status(path, asdict(kokoro)).ignored


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"null", b"\xff", b'{"schema": 2}'])
def test_a_damaged_file_is_ignored_and_reported(path, content):
    path.write_bytes(content)
    kokoro = load_settings().kokoro
    assert kokoro.batch_frames == 0
    assert "damaged" in tuning_status(path, asdict(kokoro)).ignored


@given(
    st.sampled_from(sorted(asdict(TUNED))), st.none() | st.integers(-9, -2) | st.text(max_size=3)
)
def test_a_file_with_invalid_values_is_refused(tmp_path_factory, name, value):
    path = tmp_path_factory.mktemp("tuned") / "tuned.json"
    content = json.loads(tuned_to_json(TUNED))
    for mapping, key in ((content, name), (content["choice"], "workers")):
        mapping[key] = value
    path.write_text(json.dumps(content))
    with pytest.raises(TunedDamaged):
        read_tuned(path)


def test_a_written_file_is_read_back(path):
    path.write_bytes(tuned_to_json(TUNED))
    assert read_tuned(path) == TUNED


def test_a_folder_in_place_of_the_file_is_reported(path):
    path.mkdir()
    with pytest.raises(TunedDamaged, match="cannot be read"):
        read_tuned(path)


def test_a_fingerprint_covers_all_that_matters():
    found = this_fingerprint()
    assert set(found) == {
        *("CPU", "usable cores", "memory", "GPU", "driver", "torch", "CUDA", "audiomill")
    }
    assert changed(found, found) == ""
    assert "torch was" in changed(found | {"torch": "0"}, found)


def test_doctor_reports_what_is_tuned(tmp_path):
    home = Home(tmp_path, {})
    assert "nothing; audiomill bench --tune" in tuned_line(home)
    cache = tmp_path / "cache" / "audiomill"
    cache.mkdir(parents=True)
    here = replace(TUNED, machine=this_fingerprint())
    (cache / "tuned.json").write_bytes(tuned_to_json(here))
    assert "batch_frames 4096, workers 3; on 2026-11-21, on cpu (" in tuned_line(home)
    (cache / "tuned.json").write_bytes(tuned_to_json(TUNED))
    assert "ignored: CPU was X and is" in tuned_line(home)
    (cache / "tuned.json").write_text("{")
    assert "damaged" in tuned_line(home)


def tuned_line(home):
    """The line of `audiomill doctor` on tuned settings, for a machine without a GPU."""
    run = home.with_variables(AUDIOMILL_KOKORO__DEVICE="cpu").run("doctor", cwd=ROOT)
    assert run.returncode == 0, run.stdout
    (line,) = (one for one in run.stdout.splitlines() if one.split()[1] == "tuned")
    return line
