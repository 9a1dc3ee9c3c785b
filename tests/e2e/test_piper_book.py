"""Books spoken by Piper voices: the command line, from the source to finished files."""

import json
import sys

import pytest
import soundfile

from support.book_data import write_book
from support.piper_voices import add_voice

pytestmark = pytest.mark.prove

VOICE = "en_US-random-medium"


@pytest.fixture
def speaking(home):
    voices = home.path / "voices"
    add_voice(voices, VOICE, licence="CC BY-NC 4.0")
    add_voice(voices, "de_DE-random-low", sample_rate=16_000)
    return home.with_variables(AUDIOMILL_PIPER__VOICES=voices)


def render(home, *arguments):
    return home.run("render", *arguments, "--engine", "piper", "--no-prefect", "--json")


def test_the_books_language_chooses_the_voice_and_16_khz_becomes_22_05(speaking):
    book = speaking.path / "buch.md"
    book.write_text("---\ntitle: Buch\nlanguage: de\n---\n\nZwölf Boxkämpfer jagen Viktor.\n")
    report = json.loads(render(speaking, book, "--format", "flac").stdout)
    assert soundfile.info(report["files"][0]["path"]).samplerate == 22_050
    named = render(speaking, book, "--format", "flac", "--voice", "de_DE-random-low")
    assert json.loads(named.stdout)["rendered"] == 0


def test_voices_and_doctor_tell_of_them(speaking):
    listed = speaking.run("voices", "--engine", "piper", "--json")
    names = [one["name"] for one in json.loads(listed.stdout)["voices"]]
    assert names == ["de_DE-random-low", VOICE]
    assert "licence: CC BY-NC 4.0" in listed.stdout
    told = speaking.run("doctor").stdout
    assert "ok       piper       2 voices at 22050 Hz" in told


def test_without_voices_one_line_says_what_to_do_and_only_piper_fails(home):
    book = write_book(home.path / "book.md", 1, 2)
    run = render(home, book)
    assert run.returncode == 4
    error = json.loads(run.stdout)["error"]
    assert error["exit_code"] == 4
    assert f"{sys.executable} -m piper.download_voices" in error["message"]
    assert "optional piper" in home.run("doctor").stdout
    required = home.with_variables(AUDIOMILL_ENGINE="piper").run("doctor")
    assert "MISSING  piper" in required.stdout
    assert required.returncode == 4
