"""A cloned voice is added whole or not at all, from any file that ffmpeg reads."""

import os
import shutil
import subprocess
import tomllib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.flows import cloned_voices
from audiomill.flows.cloned_voices import NewVoice, add_voice
from audiomill.flows.errors import UsageError
from audiomill.outputs.ffmpeg.find_ffmpeg import find_ffmpeg
from audiomill.outputs.types import OutputUnwritable
from audiomill.renderers.reference_voices.recording import read_recording
from audiomill.renderers.reference_voices.voice import VoiceUnfit
from support.case_files import each_row_apart
from support.examples import many_examples
from support.killed_forks import killed_forks
from support.paths import TESTS_PATH
from support.voice_data import CONSENT, WORDS, voice_sound, write_sound


def new(path, name="grandmother", **values) -> NewVoice:
    return NewVoice(name, path, **({"consent": CONSENT, "language": "en", "text": WORDS} | values))


@pytest.fixture
def wav(tmp_path):
    return write_sound(tmp_path / "told.wav", voice_sound(7.0, 44_100), 44_100)


def test_a_voice_is_there_with_all_that_was_told(tmp_path, wav):
    voice, flaws = add_voice(tmp_path / "voices", new(wav, speaker="Jane Doe"), replace=False)
    assert flaws == ()
    assert (voice.name, voice.language, voice.speaker) == ("grandmother", "en", "Jane Doe")
    assert (voice.consent, voice.text) == (CONSENT, WORDS)
    assert read_recording(voice.audio).digest() == read_recording(wav).digest()
    assert sorted(path.name for path in (tmp_path / "voices").iterdir()) == [".lock", "grandmother"]


def test_channels_are_kept_so_that_they_can_be_judged(tmp_path):
    sound = voice_sound(5.0)
    stereo = write_sound(tmp_path / "told.flac", np.stack((sound, 0.5 * sound), 1))
    voice, _ = add_voice(tmp_path / "voices", new(stereo), replace=False)
    assert read_recording(voice.audio).digest() == read_recording(stereo).digest()


@pytest.mark.parametrize("ending", ["m4a", "ogg", "mp3", "webm"])
def test_files_of_other_kinds_become_wav(tmp_path, wav, ending):
    told = tmp_path / f"told.{ending}"
    command = [find_ffmpeg(), "-loglevel", "error", "-i", wav, told]
    subprocess.run(command, check=True, capture_output=True)
    voice, _ = add_voice(tmp_path / "voices", new(told), replace=False)
    found = read_recording(voice.audio)
    assert found.sample_rate == (48_000 if ending == "webm" else 44_100)  # Opus has no other
    assert found.duration_s == pytest.approx(7.0, abs=0.15)
    loud = float(np.sqrt(np.mean(found.mono**2)))
    assert loud == pytest.approx(float(np.sqrt(np.mean(read_recording(wav).mono ** 2))), rel=0.1)


@each_row_apart
def test_what_is_refused_leaves_nothing(tmp_path, wav, change, kind, words):
    (tmp_path / "words.wav").write_text(WORDS)
    (tmp_path / "words.m4a").write_text(WORDS)
    write_sound(tmp_path / "silent.wav", np.zeros(240_000))
    write_sound(tmp_path / "short.wav", voice_sound(1.0))
    audio = tmp_path / change.pop("audio") if "audio" in change else wav
    with pytest.raises((UsageError, VoiceUnfit), match=words) as raised:
        add_voice(tmp_path / "voices", new(audio, **change), replace=False)
    assert type(raised.value).__name__ == kind
    assert not (tmp_path / "voices").exists()


def test_a_name_is_taken_until_it_is_replaced(tmp_path, wav):
    voices = tmp_path / "voices"
    before, _ = add_voice(voices, new(wav), replace=False)
    other = write_sound(tmp_path / "other.wav", voice_sound(6.0, seed=2))
    with pytest.raises(UsageError, match=r"There is a voice grandmother.*Add --replace"):
        add_voice(voices, new(other), replace=False)
    assert read_recording(before.audio).digest() == read_recording(wav).digest()
    after, _ = add_voice(voices, new(other, text=""), replace=True)
    assert read_recording(after.audio).digest() == read_recording(other).digest()
    assert after.text == ""
    assert sorted(path.name for path in voices.iterdir()) == [".lock", "grandmother"]


@pytest.mark.parametrize("replace", [False, True])
def test_a_disk_that_is_full_changes_nothing(tmp_path, wav, monkeypatch, replace):
    voices = tmp_path / "voices"
    if replace:
        add_voice(voices, new(wav), replace=False)
    monkeypatch.setattr(cloned_voices, "_swap", disk_is_full)
    with pytest.raises(OutputUnwritable, match="No space left"):
        add_voice(voices, new(wav, text=""), replace=replace)
    assert (voices / "grandmother" / "reference.txt").exists() == replace
    assert not list(voices.glob(".grandmother*"))


def disk_is_full(*_):
    raise OSError(28, "No space left on device")


ADDING = """
from pathlib import Path
from audiomill.flows.cloned_voices import NewVoice, add_voice
from support.killed_forks import changes_in

is_operation = changes_in({folder!r})

def work():
    voice = NewVoice("anna", Path({wav!r}), "yes", "en", {words!r})
    add_voice(Path({folder!r}), voice, replace=True)
"""


@pytest.mark.prove
@pytest.mark.parametrize("is_replaced", [False, True])
def test_killed_anywhere_it_is_whole_or_not_there_and_the_next_one_succeeds(
    tmp_path, wav, is_replaced
):
    """Between two renames the old voice is aside for a moment; the next run brings it back."""
    place, n_kills, told = tmp_path / "voices", -1, "killed"
    source = ADDING.format(folder=str(place), wav=str(wav), words=WORDS)
    with killed_forks(source, os.environ | {"PYTHONPATH": TESTS_PATH}) as run_until:
        while told == "killed":
            n_kills += 1
            shutil.rmtree(place, ignore_errors=True)
            if is_replaced:
                add_voice(place, new(wav, "anna", text=""), replace=False)
            told = run_until(n_kills + 1)
            kept = {path.name for path in place.glob("[!.]*/*")}
            assert kept in ({"reference.wav", "voice.toml"} if is_replaced else set(), WHOLE, set())
            add_voice(place, new(wav, "bob"), replace=True)
            names = sorted(path.name for path in place.iterdir())
            assert names in ([".lock", "anna", "bob"], [".lock", "bob"])
            assert "anna" in names or not is_replaced
    assert (told, kept) == (str(n_kills), WHOLE)
    assert n_kills >= 5


WHOLE = {"reference.wav", "voice.toml", "reference.txt"}
WORDS_OF_ANYBODY = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40)


@many_examples(60)
@given(WORDS_OF_ANYBODY, WORDS_OF_ANYBODY)
def test_whatever_is_told_is_valid_toml_and_read_back(consent, speaker):
    told = NewVoice("anna", cloned_voices.Path("x.wav"), consent, "en", "", speaker)
    found = tomllib.loads(cloned_voices._toml(told))
    assert found["consent"] == cloned_voices.one_line(consent)
    assert found["speaker"] == cloned_voices.one_line(speaker)
