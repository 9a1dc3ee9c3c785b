"""`audiomill say`: a text is said, or its words are printed as the engine gets them."""

import io
import json
import re
import shlex
import sys

import pytest

from audiomill.flows.cli.say import TextToSay, write_speech
from audiomill.flows.settings import Settings
from audiomill.inputs.model.book import SourceEmpty
from audiomill.outputs.ffmpeg.decoding import decode
from support.case_files import each_row_apart
from support.documents import documented

ESPEAK = ("say", "--engine", "espeak")


def test_it_prints_the_words_that_the_engine_is_given(home):
    words = documented('audiomill say --print "In 1897 he had £2.5m."')
    run = home.run(*words[1:])
    assert (run.returncode, run.stderr) == (0, "") or "Kokoro" in run.stderr
    assert run.stdout == "In eighteen ninety-seven he had two point five million pounds.\n"


def test_each_segment_has_a_line(home):
    run = home.run(*ESPEAK, "--print", "--json", "He left in 1914.", "She came on the 21st.")
    assert json.loads(run.stdout) == {
        "text": "He left in 1914. She came on the 21st.",
        "language": "en",
        "spoken": ["He left in nineteen fourteen.", "She came on the twenty-first."],
        "given": ["He left in nineteen fourteen.", "She came on the twenty-first."],
    }


def test_the_region_decides(home):
    for language, spoken in (("en-US", "105"), ("en-GB", "105")):
        run = home.run(*ESPEAK, "--language", language, "--print", f"{spoken} mills")
        assert ("hundred and five" in run.stdout) == (language == "en-GB")


@pytest.mark.parametrize("text", ["\u200b", "***", "<b></b>"])
def test_a_text_without_words_is_told_as_the_text(text, tmp_path):
    settings = Settings(store=str(tmp_path / "store"))
    speech = TextToSay(text, "en", "tone", None, None)
    with pytest.raises(SourceEmpty, match="The text has no words that can be said"):
        write_speech(settings, speech, tmp_path / "a.wav")
    assert not (tmp_path / "a.wav").exists()


def test_the_sound_is_written(home):
    short, long = (
        home.run(*ESPEAK, "Good evening.", *options, "--out", name, "--json")
        for options, name in (((), "a.wav"), (("--speed", "0.5"), "b.mp3"))
    )
    assert short.returncode == long.returncode == 0, long.stderr
    n_samples = sum(block.size for block in decode(home.path / "a.wav"))
    assert n_samples > 5_000
    assert json.loads(long.stdout)["duration_s"] > 1.5 * json.loads(short.stdout)["duration_s"]


def test_a_region_s_voice_is_written_to_a_file(home):
    words = documented(
        'audiomill say --language en-GB --out sample.mp3 "The 4th of May, 1914, at 105 Baker St."'
    )
    run = home.run(*words[1:])
    assert run.returncode == 0, run.stderr
    assert sum(block.size for block in decode(home.path / "sample.mp3")) > 20_000


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_shows_how_far_it_is(tmp_path, monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    settings = Settings(store=str(tmp_path / "store"))
    write_speech(settings, TextToSay("Good evening.", "en", "tone"), tmp_path / "a.wav")
    assert re.search(r"render.*100%", terminal.getvalue())


@each_row_apart
def test_what_cannot_be_said_is_told_in_a_line(home, words, code, told):
    run = home.run(*shlex.split(words))
    assert run.returncode == code, run.stderr
    assert told in run.stderr
    assert "Traceback" not in run.stderr
