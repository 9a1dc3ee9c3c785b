"""A book is heard from a server that knows its beginning, before the book is read here."""

import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from audiomill.flows.cluster.choice import ServerChoice
from audiomill.flows.listen import beginning_cache
from audiomill.flows.listen.beginning_cache import (
    MAX_KEPT,
    BeginningRequest,
    CachedBeginning,
    request_sound,
)
from audiomill.flows.listen.beginning_player import playing_beginning, unheard
from audiomill.flows.listen.beginning_writer import BeginningWriter
from audiomill.flows.listen.playback import play_book
from audiomill.flows.make_job import make_job
from audiomill.renderers.store.store import open_store
from support import patient_http
from support.held_speech import waiting_rows
from support.process_data import TIMEOUT_S, wait_until

TEXT = """# A Book

It begins. Then it goes on. One ends here.

## Two

A second one begins. A word, *a word*, and the end of it.
"""
HEARD = '#!/bin/sh\nexec /bin/cat > "$HOME/heard.wav"\n'


@pytest.fixture
def listening(tmp_path, monkeypatch, settings, served):
    """Hears a book by a player and a server, as a command does; what that took is in `began`."""
    for name, folder in (("HOME", "home"), ("XDG_CACHE_HOME", "cache"), ("PATH", "programs")):
        (tmp_path / folder).mkdir()
        monkeypatch.setenv(name, str(tmp_path / folder))
    player = tmp_path / "programs" / "aplay"
    player.write_text(HEARD)
    player.chmod(0o755)
    # The book is written just now.
    monkeypatch.setattr(beginning_cache, "CLOCK_TOLERANCE_NS", -(10**15))
    source = tmp_path / "books" / "book.md"
    source.parent.mkdir()
    source.write_text(TEXT)

    def kept(speed=None, **options):
        return CachedBeginning({"source": str(source), **options}, speed)

    def hear(speed=None, before=lambda _begun: None, key_file=None, **options):
        job = make_job(settings, source, speed=speed, credits=False)
        place = ServerChoice(url, key_file.read_text() if key_file else "")
        mine = kept(speed, **options)
        with playing_beginning(mine.found(), is_played=True) as begun:
            before(begun)
            play_book(job, place, BeginningWriter(mine, job, place, key_file), begun)
        return (tmp_path / "home" / "heard.wav").read_bytes()[44:]

    url = served()
    return SimpleNamespace(hear=hear, kept=kept, source=source, url=url, path=tmp_path)


@pytest.mark.parametrize("speed", [None, 1.25])
def test_a_book_sounds_before_it_is_read_and_as_any_other_time(listening, renderer, speed):
    first = listening.hear()
    renderer.batches.clear()

    heard = Path.home() / "heard.wav"
    heard.unlink()

    def sounds(begun):
        assert begun
        wait_until(lambda: heard.exists() and heard.stat().st_size > 1000)

    again = listening.hear(speed, before=sounds)
    at_once = not renderer.rendered
    assert at_once == (speed is None)
    (listening.path / "cache" / "audiomill" / "beginnings").rename(listening.path / "gone")
    assert again == listening.hear(speed, before=lambda begun: pytest.fail() if begun else None)
    assert (again == first) == (speed is None)


CHANGES = {
    "the book": lambda one: one.source.write_text(TEXT.replace("begins", "begans")),
    "a casting file": lambda one: one.source.with_name("book.voices.toml").write_text(""),
    "metadata": lambda one: one.source.with_name("book.audiomill.toml").write_text(""),
    "a file beside it": lambda one: one.source.with_name("another.md").write_text(""),
    "settings": lambda one: _written(one.path / "home" / ".config" / "audiomill" / "config.toml"),
    "a lexicon": lambda one: _written(one.path / "home" / ".config" / "audiomill" / "lexicon.toml"),
}


def _written(path):
    path.parent.mkdir(parents=True)
    path.write_text("")


@pytest.mark.parametrize("change", CHANGES)
def test_a_file_that_is_another_one_makes_it_unknown(listening, change, monkeypatch):
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    listening.hear()
    assert listening.kept().found()
    CHANGES[change](listening)
    assert listening.kept().found() is None


def test_options_and_variables_make_it_another_one(listening, monkeypatch):
    listening.hear(1.25)
    assert listening.kept(1.25).found().wanted["speed"] == 1.25
    assert listening.kept(1.5).found().wanted["speed"] == 1.5
    assert listening.kept().found() is None  # how fast the settings say is not known
    assert listening.kept(1.25, voice="square").found() is None
    monkeypatch.setenv("AUDIOMILL_LEXICONS", '["more.toml"]')
    assert listening.kept(1.25).found() is None


def test_a_book_that_changes_after_the_command_began_is_not_kept(listening, monkeypatch):
    monkeypatch.setattr(beginning_cache, "CLOCK_TOLERANCE_NS", 0)
    listening.hear(before=lambda _: listening.source.write_text(TEXT.replace("goes", "went")))
    assert listening.kept().found() is None


@pytest.mark.parametrize("change", ["other weights", "no server"])
def test_a_server_that_would_sound_otherwise_makes_no_sound(listening, change):
    heard = listening.hear()
    found = listening.kept().found()
    wanted = json.loads(json.dumps(found.wanted))
    wanted["chapters"][0][0]["row"]["key"] = "0" * 64
    other = replace(found, wanted=wanted)
    if change == "no server":
        other = replace(found, sound_url="http://127.0.0.1:9/sound")
    listening.kept().keep(other, [])
    assert listening.hear() == heard


def test_where_the_book_begins_otherwise_it_is_heard_from_its_beginning(capsys):
    pcm = [b"abcd", b"efgh", b"ij"]
    assert b"".join(unheard(b"abcdef", pcm)) == b"ghij"
    assert b"".join(unheard(b"", pcm)) == b"abcdefghij"
    assert b"".join(unheard(b"abcdefghij", pcm)) == b""
    assert not capsys.readouterr().err
    assert b"".join(unheard(b"abcdeX", pcm)) == b"abcdefghij"
    assert "does not begin as it did before" in capsys.readouterr().err


def test_a_server_that_wants_a_key_gets_it(served, renderer, settings, tmp_path):
    key_file = tmp_path / "key"
    key_file.write_text("a-key-that-nobody-guesses\n")
    url = served("a-key-that-nobody-guesses")
    with open_store(settings.store).session() as store:
        wanted = {"engine": "held", "store": store.give_identity(), "chapters": []}
    for file, status in ((str(key_file), 200), (None, 401)):
        connection = request_sound(BeginningRequest(f"{url}/sound", file, 24_000, wanted))
        assert connection.getresponse().status == status
        connection.close()


def test_a_listener_who_leaves_has_the_rest_of_its_rows_dropped(listening, renderer):
    listening.source.write_text(TEXT.replace("A Book", "A held book"))
    renderer.go.set()
    listening.hear()
    for one in (renderer.go, renderer.begun, renderer.batches):
        one.clear()
    wanted = listening.kept(1.25).found()  # at another speed, so nothing of it is stored

    with closing(request_sound(wanted)):
        assert renderer.begun.wait(TIMEOUT_S)
        assert waiting_rows(listening.url) == sum(map(len, wanted.wanted["chapters"])) - 1 > 1
    wait_until(lambda: waiting_rows(listening.url) == 0)
    renderer.go.set()
    spoken = {"input": "The next one.", "response_format": "pcm"}
    assert patient_http.post(f"{listening.url}/v1/audio/speech", json=spoken).status_code == 200
    assert renderer.rendered == ["A held book", "The next one."]


def test_sentences_that_the_text_cannot_have_are_refused(listening):
    listening.hear()
    found = listening.kept().found()
    for name, value in (("sentences", [[0, 10**6]]), ("pause_after_s", 1e9), ("gain_db", 1e9)):
        wanted = json.loads(json.dumps(found.wanted))
        wanted["chapters"][0][0][name] = value
        assert patient_http.post(f"{listening.url}/sound", json=wanted).status_code == 400


def test_what_is_damaged_is_not_known(listening):
    listening.hear()
    (file,) = (listening.path / "cache").rglob("beginnings/*")
    assert listening.kept().found()
    for content in (b"", b"[]", b"{}", b'{"files": {}, "speed": 1}', b"\xff"):
        file.write_bytes(content)
        assert listening.kept().found() is None


def test_the_last_ones_stay(listening):
    listening.hear()
    found = listening.kept().found()
    for number in range(MAX_KEPT + 2):
        listening.kept(chapters=number).keep(found, [])
    folder = listening.path / "cache" / "audiomill" / "beginnings"
    assert len([*folder.iterdir()]) == MAX_KEPT
    assert folder.stat().st_mode & 0o077 == 0
