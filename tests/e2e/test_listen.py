"""`audiomill listen`: a book is heard while it is rendered, in a browser or by a program."""

import io
import re
import signal
from contextlib import contextmanager
from dataclasses import replace
from itertools import groupby

import httpx
import numpy as np
import pytest
import soundfile

from support import patient_http
from support.browsers import BROWSERS
from support.chromium import BROWSER, LEAST_CONTRAST, browsing
from support.documents import documented
from support.home import HEARING
from support.prefect_api import free_port
from support.process_data import TIMEOUT_S, outlived, wait_until
from support.stopped_runs import leftovers

BOOK = """# A Book

## One

The mill stood by the water. Nobody heard it go.

## Two

Owls cried. A light was seen. It was morning.
"""
HERE = documented("audiomill listen book.epub")[1:2]
FOR_A_PHONE = documented("audiomill listen book.epub --listen 0.0.0.0:8882")[1:]
PLAYED = documented("audiomill listen book.epub --play")[1:]


@pytest.fixture
def book(home):
    home.variables["AUDIOMILL_ENGINE"] = "tone"
    (home.path / "book.md").write_text(BOOK)
    return "book.md"


@contextmanager
def listening(home, *words):
    """The address that a command prints, until Ctrl-C."""
    log = home.path / "listen.log"
    with log.open("w") as errors, home.start(*words, stderr=errors) as process:
        wait_until(lambda: "Ctrl-C ends it" in log.read_text(), process)
        try:
            yield re.search(r"Listen at (\S+)", log.read_text())[1]
        finally:
            process.send_signal(signal.SIGINT)
        assert process.wait(TIMEOUT_S) == 0, log.read_text()


@pytest.mark.prove
def test_render_goes_on_from_what_was_heard(home, book):
    port = free_port()
    with (
        listening(home, *HERE, book, "--listen", f"127.0.0.1:{port}") as url,
        httpx.Client(base_url=url, timeout=TIMEOUT_S) as client,
    ):
        sound, rate = soundfile.read(io.BytesIO(client.get("/chapters/0/sound").content))
        assert sound.size > 2 * rate
        wait_until(
            lambda: all(
                one["stored"] == one["segments"]
                for one in client.get("/book.json").json()["chapters"]
            )
        )
    run = home.run("render", book, "--no-credits", "--format", "flac")
    assert " 0 segments rendered" in run.stdout + run.stderr
    elsewhere = ("--store", "other", "--out", "there")
    home.run("render", book, "--no-credits", "--format", "flac", *elsewhere)
    (heard,), (other,) = (one.rglob("*.flac") for one in (home.library, home.path / "there"))
    assert heard.read_bytes() == other.read_bytes()


@pytest.mark.prove
def test_a_phone_needs_the_key_that_is_printed(home, book):
    words = [one.replace("8882", str(free_port())) for one in FOR_A_PHONE if one != "book.epub"]
    with listening(home, words[0], book, *words[1:]) as url:
        address, key = url.split("?key=")
        port = address.rstrip("/").rpartition(":")[2]
        here = f"http://127.0.0.1:{port}/"
        assert patient_http.get(here).status_code == 401
        with httpx.Client(follow_redirects=True, timeout=TIMEOUT_S) as client:
            assert client.get(f"{here}?key={key}").status_code == 200
            assert client.get(f"{here}book.json").status_code == 200


@pytest.mark.prove
def test_a_player_of_this_machine_gets_the_whole_book(home, book):
    words = [book if one == "book.epub" else one for one in PLAYED]
    assert home.with_player(HEARING).run(*words).returncode == 0
    raw = (home.path / "heard.wav").read_bytes()[44:]
    heard = np.frombuffer(raw, "<i2") / 32768
    home.run("render", book, "--format", "wav", "--no-credits")
    (path,) = home.library.rglob("*.wav")
    finished, rate = soundfile.read(path)
    # The files have the silence before each chapter, too.
    assert 0 < finished.size - heard.size < 4 * rate
    assert np.abs(heard).max() > 0.01


@pytest.mark.parametrize("errors", ["", "no card"])
def test_a_player_that_ends_at_once_is_told(home, book, errors):
    player = f"#!/bin/sh\necho '{errors}' >&2\nexit 0\n" if errors else "#!/bin/sh\n"
    run = home.with_player(player).run("listen", book, "--play")
    assert run.returncode == 5
    assert f"aplay has ended without playing{' (no card)' if errors else ''}. Has" in run.stderr
    assert "Leave --play out" in run.stderr


# An engine whose weights are read for ever. A page would wait for it as long.
ENDLESS_LOADING = """
import pathlib, sys, threading
from audiomill.flows.cli.main import main
from audiomill.flows.listen import playback
from audiomill.renderers.tone.renderer import ToneRenderer

def render(*_):
    pathlib.Path("loading").touch()
    threading.Event().wait()

ToneRenderer.render = render
playback.GRACE_S = threading.TIMEOUT_MAX
sys.exit(main())
"""


@pytest.mark.prove
def test_ctrl_c_while_the_engine_loads_ends_a_player_too(home, book):
    home = replace(home.with_player(HEARING), program=("-c", ENDLESS_LOADING))
    process = home.start("listen", book, "--play")
    wait_until(lambda: (home.path / "loading").exists(), process)
    process.send_signal(signal.SIGINT)
    _, words = process.communicate(timeout=TIMEOUT_S)
    assert process.returncode == 130
    assert words.splitlines()[-1] == "audiomill: interrupted"
    assert "Traceback" not in words
    assert outlived(home.path) == []
    assert leftovers(home) == []


PATIENT = """
import sys, threading
from audiomill.flows.cli.main import main
from audiomill.flows.execution import signals
signals.GRACE_S = threading.TIMEOUT_MAX
sys.exit(main())
"""


@pytest.mark.prove
def test_ctrl_c_while_a_server_renders_ends_a_player_in_order(home, book):
    port, log = free_port(), home.path / "serve.log"
    held = replace(home, program=("-c", ENDLESS_LOADING))
    home.variables["AUDIOMILL_SPEECH_SERVER"] = f"http://127.0.0.1:{port}"
    client = replace(home.with_player(HEARING), program=("-c", PATIENT))
    words = ("serve", "--speech", "--listen", f"127.0.0.1:{port}")
    with log.open("w") as errors, held.start(*words, stderr=errors) as server:
        wait_until(lambda: "Serving speech" in log.read_text(), server)
        process = client.start("listen", book, "--play", "--executor", "server")
        wait_until(lambda: (home.path / "loading").exists(), process)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=TIMEOUT_S)
        server.kill()
    assert process.returncode == 130
    assert "Traceback" not in said


@pytest.mark.prove
def test_a_server_begins_a_new_book_for_who_has_listened_by_it(home, book, short_folder):
    for name in ("old", "new"):  # a file that is written beside it makes a book another one
        (home.path / name).mkdir()
        (home.path / name / book).write_text(BOOK)
    port, log = free_port(), home.path / "serve.log"
    url = f"http://127.0.0.1:{port}"
    home.variables["AUDIOMILL_SPEECH_SERVER"] = url
    home.variables["XDG_CACHE_HOME"] = str(short_folder)
    listener = home.with_player(HEARING)
    hear = ("listen", "--play", "--executor", "server")
    words = ("serve", "--speech", "--listen", f"127.0.0.1:{port}")
    with log.open("w") as errors, home.start(*words, stderr=errors) as server:
        wait_until(lambda: "Serving speech" in log.read_text(), server)
        assert listener.run_program(*hear, f"old/{book}").returncode == 0
        heard = (home.path / "heard.wav").read_bytes()
        wait_until(lambda: [*short_folder.glob("audiomill/readers/*")], server)
        assert listener.run_program(*hear, f"new/{book}").returncode == 0
        assert 'path="/sound",status="200"} 1.0' in patient_http.get(f"{url}/metrics").text
        server.send_signal(signal.SIGINT)
        assert server.wait(TIMEOUT_S) == 0
    assert (home.path / "heard.wav").read_bytes() == heard
    assert not [*short_folder.glob("audiomill/readers/*")]
    assert outlived(home.path) == []


def test_what_cannot_be_heard_is_told_at_once(home, book):
    home.variables["PATH"] = str(home.path)
    run = home.run("listen", book, "--play")
    assert run.returncode == 5
    assert "There is no player here" in run.stderr
    assert home.run("listen", "gone.md").returncode == 3
    cluster = home.run("listen", book, "--executor", "dask")
    assert cluster.returncode == 2
    assert "choose --executor server or threads" in cluster.stderr


@pytest.mark.prove
@pytest.mark.skipif(BROWSER is None, reason="no Chromium")
def test_the_page_plays_from_the_sentence_that_is_clicked(home, book):
    port = free_port()
    with (
        listening(home, *HERE, book, "--listen", f"127.0.0.1:{port}") as url,
        browsing(home.path / "profile") as tab,
    ):
        tab.set_screen(800, 600)
        tab.open(url)
        hear_from_a_click(tab)
        assert tab.value(LEAST_CONTRAST) >= 4.5
        assert tab.complaints == []
        assert {one.split("/")[2] for one in tab.requested if one.startswith("http")} == {
            f"127.0.0.1:{port}"
        }


@pytest.mark.prove
@pytest.mark.parametrize("browser", [name for name in BROWSERS if name != "chromium"])
def test_the_page_plays_in_other_browsers(home, book, browser):
    with (
        listening(home, *HERE, book, "--listen", f"127.0.0.1:{free_port()}") as url,
        BROWSERS[browser](home.path) as tab,
    ):
        tab.open(url)
        # Firefox plays nothing on a machine without a sound card; but into a stream it does.
        tab.value("Boolean(voice.mozCaptureStream?.())")
        hear_from_a_click(tab)


# Each sentence that is lit from now on: a busy machine asks too seldom to see all.
KEEPS_LIT = (
    "(lits = [], new MutationObserver(() => lits.push(document.querySelector('.lit')?.textContent))"
    ".observe(document.body, {subtree: true, childList: true, attributeFilter: ['class']}), 1)"
)


def hear_from_a_click(tab):
    until(tab, "chapter === 0 && document.querySelector('.lit') && book.chapters.length > 1")
    tab.value("(document.querySelectorAll('#chapters button')[1].click(), 1)")
    until(tab, "chapter === 1 && voice.currentTime > 0.2")
    tab.value(KEEPS_LIT)
    tab.value("(document.querySelectorAll('.segment')[2].click(), 1)")
    until(tab, "first === 2 && voice.currentTime > 0.2 && !isWanted")  # the end of the book
    lit = [name for name, _ in groupby(tab.value("lits"))]
    assert lit[lit.index("A light was seen.") :] == ["A light was seen.", "It was morning."]
    assert tab.value("byId('problem').textContent") == ""


def until(tab, expression):
    wait_until(lambda: tab.value(f"Boolean({expression})"))
