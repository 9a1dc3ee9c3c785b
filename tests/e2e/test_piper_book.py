"""Books spoken by Piper voices: the command line, from the source to finished files."""

import json
import signal
import sys
from pathlib import Path

import pytest
import soundfile

from support.book_data import write_book
from support.piper_voices import add_voice
from support.stopped_runs import StoppedRuns, assert_whole, shards

VOICE = "en_US-random-medium"


@pytest.fixture
def speaking(home):
    voices = home.path / "voices"
    add_voice(voices, VOICE, licence="CC BY-NC 4.0")
    add_voice(voices, "de_DE-random-low", sample_rate=16_000)
    return home.with_variables(AUDIOMILL_PIPER__VOICES=voices)


def render(home, *arguments):
    return home.run("render", *arguments, "--engine", "piper", "--no-prefect", "--json")


@pytest.mark.prove
def test_a_book_becomes_flac_and_the_second_run_takes_all_from_the_store(speaking):
    book = write_book(speaking.path / "book.md", 2, 6)
    first = render(speaking, book, "--format", "flac")
    assert first.returncode == 0, first.stderr
    report = json.loads(first.stdout)
    (path,) = (Path(one["path"]) for one in report["files"])
    audio, sample_rate = soundfile.read(path)
    assert sample_rate == 22_050
    assert audio.size > 10 * sample_rate
    assert report["warnings"][0].startswith(f"{VOICE} may not be used commercially: CC BY-NC")
    stored = shards(speaking)
    path.unlink()
    again = json.loads(render(speaking, book, "--format", "flac").stdout)
    assert again["rendered"] == 0
    assert shards(speaking) == stored
    assert (soundfile.read(path)[0] == audio).all()


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


@pytest.mark.prove
def test_ten_kills_change_nothing(speaking):
    book = write_book(speaking.path / "book.md", 2, 12)
    runs = StoppedRuns(speaking, "piper", book, signal.SIGKILL, 11, "m4b")
    runs.stop_until(10)
    assert_whole(runs.report)
    assert -signal.SIGKILL in runs.codes <= {0, -signal.SIGKILL}
