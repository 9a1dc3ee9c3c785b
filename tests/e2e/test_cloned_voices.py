"""Cloned voices as a user has them: added, checked, listed, and a book that is read by one."""

import json
import shutil
import subprocess
from dataclasses import replace

import numpy as np
import pytest
import soundfile

from audiomill.outputs.ffmpeg.find_ffmpeg import find_ffmpeg
from support.book_data import write_book
from support.documents import documented
from support.isolated_data import PROGRAM, calls
from support.voice_data import CONSENT, WORDS, voice_sound, write_sound, write_voice


@pytest.fixture
def tones_home(home):
    """A user who has the engine "tones", which sounds as the recording does that it has heard."""
    source = PROGRAM.replace("sys.argv.pop(1)", repr(str(home.path / "tones")))
    return replace(home, program=("-c", source), imports=()).with_variables(
        XDG_DATA_HOME=home.path / "data", AUDIOMILL_CLONED_VOICES=home.path / "voices"
    )


@pytest.fixture
def plain_home(home):
    return home.with_variables(AUDIOMILL_CLONED_VOICES=home.path / "voices")


def add(home, name, path, *more):
    told = ("--add", name, "--audio", path, "--consent", CONSENT)
    return home.run("voices", *told, *more)


def spoken(report) -> np.ndarray:
    return soundfile.read(report["files"][0]["path"])[0]


@pytest.mark.prove
def test_a_book_is_read_by_a_cloned_voice_and_a_changed_recording_renders_it_anew(tones_home):
    home, log = tones_home, tones_home.path / "tones" / "log"
    home = replace(home, program=("-c", home.program[1].replace('["tones"]', '["chatterbox"]')))
    told = write_sound(home.path / "told.wav", voice_sound(7.0, 48_000, before_s=0.5), 48_000)
    command = [find_ffmpeg(), "-loglevel", "error", "-i", told, home.path / "grandmother.m4a"]
    subprocess.run(command, check=True)
    (home.path / "grandmother.txt").write_text(WORDS)
    added = documented(
        "audiomill voices --add grandmother --audio grandmother.m4a --text-file grandmother.txt"
        ' --consent "Jane Doe, 2 May 2026"'
    )
    run = home.run(*added[1:])
    assert run.returncode == 0, run.stderr
    assert "can be cloned by chatterbox" in run.stdout
    listed = home.run("voices", "--engine", "chatterbox")
    names = [line.split()[0] for line in listed.stdout.splitlines()]
    assert names == ["NAME", "grandmother", "low", "sine"]
    write_book(home.path / "book.md", 2, 4)
    words = documented("audiomill render book.md --engine chatterbox --voice grandmother")
    arguments = (*words[2:], "--format", "flac", "--no-prefect")
    first = home.render(*arguments)
    heard = spoken(first)
    n_calls = len(calls(log))
    assert first["rendered"] == n_calls == first["segments"] > 0

    voices = home.path / "voices"
    (voices / "grandmother").rename(voices / "another folder")
    toml = voices / "another folder" / "voice.toml"
    toml.write_text(toml.read_text().replace("2 May", "3 June"))
    same = home.render(*arguments)
    assert (same["rendered"], same["cached"]) == (0, first["segments"])
    assert len(calls(log)) == n_calls

    shutil.rmtree(voices)
    write_voice(voices, "grandmother", voice_sound(7.0, seed=5))
    again = home.render(*arguments)
    assert again["rendered"] == first["segments"]
    assert len(spoken(again)) == len(heard)
    assert np.abs(spoken(again) - heard).max() > 0.05


def test_each_wrong_use_is_one_clear_line(plain_home):
    home = plain_home
    told = write_sound(home.path / "told.wav", voice_sound())
    (home.path / "empty.txt").write_text(" ")
    for arguments, words in (
        (("--add", "anna", "--audio", told), "needs a recording and its speaker's consent"),
        (("--add", "anna", "--consent", "yes"), "needs a recording and its speaker's consent"),
        (("--audio", told), "Name the voice to be added"),
        (("--replace",), "Name the voice to be added"),
        (("--add", "a@b", "--audio", told, "--consent", "yes"), "“a@b” is no name"),
        (("--add", "a", "--audio", told, "--consent", "yes", "--language", "q"), "--language q"),
        (("--add", "a", "--audio", told, "--consent", " "), "it is empty"),
        (("--add", "a", "--check"), "not allowed with"),
        (("--check", "--play", "sine"), "are two commands"),
        (("--check", "--engine", "kokoro"), "kokoro does not clone voices"),
    ):
        run = home.run("voices", *arguments)
        assert run.returncode == 2, (arguments, run.stderr)
        assert words in run.stderr
        assert "Traceback" not in run.stderr
    both = add(home, "a", told, "--text", WORDS, "--text-file", home.path / "empty.txt")
    assert both.returncode == 2 and "leave one out" in both.stderr
    empty = add(home, "a", told, "--text-file", home.path / "empty.txt")
    assert empty.returncode == 2 and "is empty: write what is said" in empty.stderr
    assert not (home.path / "voices" / "a").exists()
    lacking = home.run("voices", "--check", "anna")
    assert (lacking.returncode, "There is no cloned voice 'anna'" in lacking.stderr) == (4, True)


def test_check_says_what_is_wrong_and_who_can_clone(plain_home):
    home = plain_home
    none = home.run("voices", "--check")
    assert none.returncode == 0
    assert none.stdout.startswith("There are no cloned voices in")
    voices = home.path / "voices"
    write_voice(voices, "good")
    fine = home.run("voices", "--check")
    assert fine.returncode == 0, fine.stdout
    write_voice(voices, "long", voice_sound(20.0), words="")
    write_voice(voices, "loud", np.clip(voice_sound(level=3.0), -0.9, 0.9))
    write_voice(voices, "no consent", consent="")
    run = home.run("voices", "--check", "--json")
    assert run.returncode == 4
    found = {one["name"]: one for one in json.loads(run.stdout)["voices"]}
    assert [name for name in found if not found[name]["is_good"]] == ["loud", "no consent"]
    assert "has no consent" in found["no consent"]["flaws"][0]
    assert "clipped in" in found["loud"]["flaws"][0]
    assert "f5-tts" in found["good"]["engines"]
    unfit = dict(found["long"]["unfit_engines"])
    assert unfit["f5-tts"] == "20.0 s are too long: 12 s at most"
    assert unfit["csm"] == "it needs reference.txt"
    assert "chatterbox" in found["long"]["engines"]
    assert home.run("voices", "--check", "good").returncode == 0
    for_one = home.run("voices", "--check", "long", "--engine", "f5-tts")
    assert for_one.returncode == 4
    assert "not by f5-tts: 20.0 s are too long" in for_one.stdout


def test_a_voice_that_cannot_be_used_ends_the_run_before_anything_is_rendered(tones_home):
    home = tones_home
    book = write_book(home.path / "book.md", 1, 2)
    write_voice(home.path / "voices", "short", voice_sound(2.0))
    write_voice(home.path / "voices", "fine")

    def rendered(engine, voice):
        return home.run("render", book, "--engine", engine, "--voice", voice, "--no-prefect")

    short = rendered("tones", "short")
    assert short.returncode == 4
    assert "The voice short" in short.stderr and "record more" in short.stderr
    unknown = rendered("tones", "fin")
    assert unknown.returncode == 4 and "Did you mean fine" in unknown.stderr
    other = rendered("espeak", "fine")
    assert other.returncode == 4
    assert "espeak does not clone voices" in other.stderr and "chatterbox" in other.stderr
    assert not (home.path / "tones" / "log").exists()
