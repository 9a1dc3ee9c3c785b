"""A book that nobody has heard begins by a process that is ready to read it, or as ever."""

import json
import os
import socket
import stat
import threading
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from audiomill.flows.cli import listen
from audiomill.flows.cli.parser import parse_command
from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.listen import beginning_cache, reader_client, reader_server
from audiomill.flows.listen.beginning_cache import CachedBeginning, options_of_sound
from audiomill.flows.listen.reader_client import beginning_by_reader, socket_path, wanted_book
from audiomill.flows.listen.reader_server import ReaderServer, ReadingTasks
from audiomill.flows.listen.reader_tasks import first_segments, reading_tasks
from audiomill.flows.listen.user_socket import connected_to, listening_at, peer_uid
from audiomill.flows.settings import Settings
from audiomill.flows.speech.server import speech_app
from audiomill.flows.speech.speaking import TextSpeaker
from audiomill.flows.web_server.connections import ConnectionLimits
from audiomill.flows.web_server.listening import serving
from support import patient_http
from support.epub_data import three_chapters
from support.pool_tasks import die_in_child, hang, nothing
from support.process_data import TIMEOUT_S, children, wait_until

pytestmark = pytest.mark.prove
TASKS = reading_tasks(parse_command)


@pytest.fixture
def home(tmp_path, short_folder, monkeypatch):
    """A user with a book, a player and a server of speech, who has heard a book before."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(short_folder))
    for name, folder in (("HOME", "home"), ("PATH", "programs")):
        (tmp_path / folder).mkdir()
        monkeypatch.setenv(name, str(tmp_path / folder))
    player = tmp_path / "programs" / "aplay"
    player.write_text('#!/bin/sh\nexec /bin/cat > "$HOME/heard.wav"\n')
    player.chmod(0o755)
    (short_folder / "audiomill" / "beginnings").mkdir(parents=True, mode=0o700)
    for module in (reader_client, reader_server):
        monkeypatch.setattr(module, "ANSWER_TIMEOUT_S", TIMEOUT_S)
    # The book is written just now.
    monkeypatch.setattr(beginning_cache, "CLOCK_TOLERANCE_NS", -(10**15))
    monkeypatch.setenv("AUDIOMILL_STORE", str(tmp_path / "store"))
    monkeypatch.setenv("AUDIOMILL_ENGINE", "tone")
    settings = Settings(engine="tone", store=str(tmp_path / "store"))
    with TextSpeaker(settings, RunContext(), 4) as speaker:
        app = speech_app(speaker)
        with serving(app, "127.0.0.1", 0, ConnectionLimits()) as port:
            url = f"http://127.0.0.1:{port}"
            monkeypatch.setenv("AUDIOMILL_SPEECH_SERVER", url)
            yield SimpleNamespace(path=tmp_path, url=url)


@pytest.fixture
def book(home):
    return new_book(home, "first")


def new_book(home, folder):
    (home.path / folder).mkdir()
    return three_chapters().write(home.path / folder)


def wait_until_ready():
    wait_until(lambda: socket_path().exists() or not has_thread())
    assert socket_path().exists()


def has_thread():
    return any(one.name == "readers" for one in threading.enumerate())


@contextmanager
def reader(tasks=TASKS, **choices):
    """A reader that is ready in the block."""
    server = ReaderServer(tasks, pause_s=0.0, **choices)
    with server.running():
        wait_until_ready()
        yield
    assert not socket_path().exists()
    assert children() == []


def arguments_for(path, *words):
    return ["listen", str(path), "--play", "--executor", "server", *words]


def parsed(path, *words):
    return parse_command(arguments_for(path, *words))


def wanted(path, *words):
    options = options_of_sound(parsed(path, *words))
    return wanted_book(arguments_for(path, *words), options, path)


def hear(home, path, monkeypatch):
    """The samples that a player gets of a book."""
    monkeypatch.setattr("sys.argv", ["audiomill", *arguments_for(path)])
    assert listen.run(parsed(path)) == 0
    return (home.path / "home" / "heard.wav").read_bytes()[44:]


def n_begun(home):
    """The beginnings that the server was asked for."""
    (line, *_) = [
        one
        for one in patient_http.get(f"{home.url}/metrics").text.splitlines()
        if one.startswith("audiomill_speech_requests_total") and 'path="/sound"' in one
    ] or ["0"]
    return float(line.split()[-1])


def test_a_new_book_begins_by_the_reader_and_sounds_the_same(home, book, monkeypatch):
    with reader():
        heard = hear(home, book, monkeypatch)
        assert n_begun(home) == 1
        kept = CachedBeginning(options_of_sound(parsed(book)), None).found()
        wait_until_ready()  # the next one
        assert beginning_by_reader(wanted(book), socket_path()) == kept
    assert heard == hear(home, new_book(home, "second"), monkeypatch)
    assert n_begun(home) == 1
    assert len(heard) > 100_000


@pytest.mark.parametrize("task", [die_in_child, hang])
def test_a_reader_that_dies_or_hangs_leaves_the_book_to_its_listener(home, book, monkeypatch, task):
    monkeypatch.setattr(reader_server, "ANSWER_TIMEOUT_S", 0.5)
    with reader(ReadingTasks(nothing, task)):
        assert hear(home, book, monkeypatch)
        assert n_begun(home) == 0
        wait_until_ready()  # the next one


FINDS_NOTHING = ReadingTasks(nothing, nothing)
NO_QUESTIONS = (
    b"{}",
    b"[1]",
    b"no json",
    b"",
    b"\xff",
    b"[" * 100_000,
    b'{"folder":' + b"[" * (1 << 19),
)


def answer(question, uid_of=peer_uid):
    """What is answered to a line of raw bytes; nothing where it is refused."""
    with suppress(ConnectionError), connected_to(socket_path(), TIMEOUT_S, uid_of) as connection:
        connection.sendall(question + b"\n")
        return connection.recv(100)
    return b""


def test_what_is_no_question_uses_no_reader_up(home, book):
    with reader(FINDS_NOTHING):
        assert [answer(one) for one in NO_QUESTIONS] == [b""] * len(NO_QUESTIONS)
        assert answer(json.dumps(asdict(wanted(book))).encode()) == b"null\n"


def test_other_users_are_not_answered_nor_asked(home, book):
    own, question = os.geteuid(), json.dumps(asdict(wanted(book))).encode()
    with reader(FINDS_NOTHING, uid_of=lambda _: own + 1):
        assert answer(question) == b""
    with reader(FINDS_NOTHING):
        with pytest.raises(PermissionError, match="another user"):
            answer(question, lambda _: own + 1)
        socket_path().parent.chmod(0o755)  # another user may have put the socket there
        with pytest.raises(PermissionError, match="alone"):
            answer(question)
        socket_path().parent.chmod(0o700)
        assert stat.S_IMODE(socket_path().stat().st_mode) == 0o600
        assert answer(question) == b"null\n"


def test_a_server_that_was_killed_leaves_its_place_to_the_next_one_only(home):
    path = socket_path()
    path.parent.mkdir(mode=0o700)
    with socket.socket(socket.AF_UNIX) as killed:
        killed.bind(str(path))
    with listening_at(path), pytest.raises(OSError, match="in use"), listening_at(path):
        pytest.fail("two have it")
    with pytest.raises(OSError), connected_to(path, TIMEOUT_S):
        pytest.fail("nobody listens")


@pytest.mark.parametrize("change", [{"state": [["", 1, 2, 3]]}, {"options": "{}"}, {"folder": "/"}])
def test_what_is_another_book_there_is_not_read(home, book, monkeypatch, change):
    monkeypatch.chdir(book.parent)
    here = Path(book.name)
    assert first_segments(parse_command, wanted(here), iter)
    assert first_segments(parse_command, replace(wanted(here), **change), iter) is None


@pytest.mark.parametrize("words", [("--chapters", "2"), ("--executor", "threads")])
def test_what_no_server_renders_first_is_left_to_the_listener(home, book, monkeypatch, words):
    monkeypatch.chdir(book.parent)
    assert first_segments(parse_command, wanted(book, *words), iter) is None
