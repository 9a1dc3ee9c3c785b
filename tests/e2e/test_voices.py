"""Voices are listed by language, and one can be heard: the sound itself is read back."""

import json
import sys
import wave
from pathlib import Path

import numpy as np
import pytest
import soundfile

from audiomill.flows.cli.say import demo_language, demo_sentence
from audiomill.outputs.ffmpeg.decoding import decode
from audiomill.renderers.engine.registry import open_renderer
from support.case_files import each_row_apart
from support.documents import documented

ESPEAK = ("voices", "--engine", "espeak")


def loudest(path: Path) -> float:
    samples = np.concatenate(list(decode(path)))
    assert samples.size > 10_000
    return float(np.abs(samples).max())


def test_the_list_has_a_header_and_says_how_to_hear_a_voice(home):
    run = home.run(*ESPEAK, "--language", "de")
    header, *voices = run.stdout.splitlines()
    assert header.split() == ["NAME", "LANGUAGE", "GENDER", "DESCRIPTION"]
    assert [line.split()[:2] for line in voices] == [["de", "de"]]
    assert "--play de" in run.stderr


@each_row_apart
def test_a_language_may_be_written_in_any_common_way(home, language, name):
    run = home.run(*ESPEAK, "--language", language, "--json")
    assert [voice["name"] for voice in json.loads(run.stdout)["voices"]] == [name]


@pytest.mark.parametrize("language", ["xx", "ger man"])
def test_an_unknown_language_is_refused_with_the_known_ones(home, language):
    run = home.run(*ESPEAK, "--language", language)
    assert (run.returncode, run.stdout) == (4, "")
    first, second = run.stderr.splitlines()
    assert f"no voice for “{language}”" in first
    assert {"de", "fr-FR", "yue"} <= set(second.split(": ")[1].split(", "))


def test_a_mistyped_language_is_refused_with_what_was_meant(home):
    assert "Did you mean yue?" in home.refused(4, *ESPEAK, "--language", "yux")


@pytest.mark.parametrize("name", ["sample.wav", "new/sample.mp3", "sample.M4B"])
def test_a_sample_is_written_in_the_format_of_its_ending(home, name):
    run = home.run(*ESPEAK, "--play", "fr-fr", "--out", name)
    assert (run.returncode, run.stdout) == (0, f"{name}\n"), run.stderr
    assert loudest(home.path / name) > 0.1
    assert not home.library.exists()


def test_a_text_of_ones_own_is_spoken_whatever_is_in_it(home):
    for name, text in (("short", "One."), ("long", "1 < 2 & <b>three</b>. " * 20)):
        run = home.run(*ESPEAK, "--play", "en-gb", "--text", text, "--out", f"{name}.wav", "--json")
        sample = json.loads(run.stdout)
        with wave.open(str(home.path / f"{name}.wav")) as file:
            assert (file.getnchannels(), file.getsampwidth()) == (1, 2)
            duration_s = file.getnframes() / file.getframerate()
        assert sample["text"] == text
        assert sample["path"] == f"{name}.wav"
        assert sample["duration_s"] == pytest.approx(duration_s, abs=0.01)
        assert (duration_s > 20) == (name == "long")


PLAYER = f"#!{sys.executable}\nimport sys, shutil\n"


def test_a_player_gets_the_sound(home):
    heard = home.path / "heard.wav"
    words = documented("audiomill voices --play de")[1:]
    copying = f"{PLAYER}shutil.copy(sys.argv[-1], {str(heard)!r})\n"
    run = home.with_player(copying).run(*words, "--engine", "espeak")
    assert (run.returncode, run.stdout) == (0, ""), run.stderr
    assert "Guten Abend" in run.stderr
    samples, _ = soundfile.read(heard)
    assert samples.size > 30_000
    assert np.abs(samples).max() > 0.1


def test_a_player_that_fails_or_is_missing_is_one_line_that_names_a_file(home):
    failing = home.with_player(f"{PLAYER}sys.exit('no sound card')\n")
    assert (
        "no sound card"
        in failing.refused(5, *ESPEAK, "--play", "de", "--text", "Eins.").splitlines()[-1]
    )
    (home.path / "programs" / "aplay").unlink()
    words = failing.refused(5, *ESPEAK, "--play", "de", "--text", "Eins.")
    assert "no player here" in words.splitlines()[-1]
    assert "--out" in words.splitlines()[-1]


@each_row_apart
def test_what_cannot_be_heard_is_one_line(home, words, told, code):
    assert told in home.refused_in_a_line(code, *ESPEAK, *words)


@each_row_apart
def test_the_language_of_a_variant_is_known(voice, language):
    assert demo_language(open_renderer("espeak"), voice) == language


def test_every_voice_has_something_to_say():
    assert demo_sentence("de") != demo_sentence("en-GB") == demo_sentence("en")
    assert "1" in demo_sentence("nci")
    assert demo_sentence("zh") == demo_sentence("cmn")
