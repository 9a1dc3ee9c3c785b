"""Books by Fish Audio, fish-speech, CosyVoice's server and Piper's: whole, killed, and at fault."""

import json
from contextlib import contextmanager
from pathlib import Path

import pytest

from support.book_data import write_book
from support.case_files import each_row_apart
from support.cosyvoice_server import cosyvoice_server
from support.documents import documented
from support.fish_server import KEY, fish_server

PRICE = 15.0  # of a million bytes
SERVERS = ("fish cloud", "fish local", "cosyvoice-server")


@contextmanager
def serving(kind, **behaviour):
    """The stand-in of this kind."""
    if kind == "cosyvoice-server":
        with cosyvoice_server(**behaviour) as server:
            yield server
    else:
        with fish_server(kind.split()[1], **behaviour) as server:
            yield server


@pytest.fixture
def home_of(home):
    """Homes whose engine is a server of this kind at this url."""

    def make(kind, url, **settings):
        engine, _, profile = kind.partition(" ")
        table = {"url": url} | ({"profile": profile} if profile else {}) | settings
        if engine == "cosyvoice-server":
            table = {"version": "1"} | table
        prefix = f"AUDIOMILL_{engine.replace('-', '_').upper()}__"
        named = {f"{prefix}{name.upper()}": value for name, value in table.items()}
        # Some of what the stand-ins say is no speech, in any take.
        return home.with_variables(
            FISH_API_KEY=KEY, AUDIOMILL_ENGINE=engine, AUDIOMILL_RETAKES=0, **named
        )

    return make


def report_of(summary):
    return json.loads(Path(summary["report"]).read_text())


def said(server):
    """The texts that the server spoke, but for the one that lets voices be heard."""
    return [text for text in server.spoken if not text.startswith("The quick brown fox")]


@pytest.mark.parametrize("kind", SERVERS)
def test_a_book_is_spoken_once(kind, home_of, tmp_path):
    book = write_book(tmp_path / "Book.md", 1, 4)
    with serving(kind) as server:
        home = home_of(kind, server.url)
        report = home.render(book, "--format", "flac")
        assert [Path(one["path"]).suffix for one in report["files"]] == [".flac"]
        assert report["rendered"] == len(said(server)) == len({*said(server)})
        again = home.render(book, "--format", "mp3")
        assert (again["rendered"], len(said(server))) == (0, report["rendered"])


def test_a_book_in_bytes(home_of, tmp_path):
    """What it costs is told first, in what the service counts, and is what it then bills."""
    book = tmp_path / "Buch.md"
    book.write_text("---\ntitle: Buch\nlanguage: de\n---\n\nGrüße über Größe. Süße Öfen, früh.\n")
    with fish_server("cloud") as server:
        home = home_of("fish cloud", server.url)
        found = json.loads(home.run("inspect", book, "--json").stdout)
        assert server.requests == []
        words = documented("audiomill render book.epub --engine fish --budget 5")[3:]
        summary, stderr = rendered(home, book, *words)
        n_bytes = server.billed_bytes
        assert report_of(summary)["bytes_billed"] == n_bytes > found["text_length"]
        assert report_of(summary)["characters_billed"] == 0
        assert f"Buch: {n_bytes:,} bytes of UTF-8, {PRICE * n_bytes / 1e6:.2f} if" in stderr


def rendered(home, book, *arguments):
    run = home.run("render", book, *arguments, "--json")
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout), run.stderr


@each_row_apart
def test_a_fault_is_one_line(home_of, tmp_path, kind, behaviour, arguments, code, words):
    book = write_book(tmp_path / "Book.md", 1, 3)
    with serving(kind, **behaviour) as server:
        run = home_of(kind, server.url).run("render", book, *arguments, "--no-prefect")
        assert run.returncode == code, run.stderr
        assert words in run.stderr.splitlines()[-1]
        assert "Traceback" not in run.stderr
        assert said(server) == [] or "lie" in behaviour


def test_one_text_that_is_always_cut_off_is_one_line_and_the_others_are_kept(home_of, tmp_path):
    book, text = write_book(tmp_path / "Book.md", 1, 8), "The miller was cut off."
    book.write_text(f"{book.read_text()}\n\n{text}\n")
    with cosyvoice_server(cut_off=text) as server:
        home = home_of("cosyvoice-server", server.url, most_in_flight=1)
        run = home.run("render", book, "--no-prefect")
        assert run.returncode == 4, run.stderr
        words = "answers one text 3 times with audio that was cut off"
        assert words in run.stderr.splitlines()[-1]
        assert [one["tts_text"] for one in server.forms].count(text) == 3
        n_kept = len(said(server))
        server.cut_off = ""
        assert home.render(book, "--no-prefect")["cached"] == n_kept > 0
        assert len(said(server)) == len({*said(server)})


def test_a_setting_out_of_bounds_is_wrong_usage(home_of, tmp_path):
    book = write_book(tmp_path / "Book.md", 1, 3)
    run = home_of("cosyvoice-server", "http://127.0.0.1:9", version=4).run("render", book)
    assert run.returncode == 2
    assert "cosyvoice_server: version is 4; choose 1 to 3" in run.stderr


def test_a_missing_key_is_one_line(home_of, tmp_path):
    book = write_book(tmp_path / "Book.md", 1, 3)
    with fish_server("cloud") as server:
        home = home_of("fish cloud", server.url).with_variables(FISH_API_KEY="")
        run = home.run("render", book)
        assert (run.returncode, "into FISH_API_KEY" in run.stderr) == (4, True)
        assert server.requests == []


@pytest.mark.prove
@pytest.mark.parametrize("kind", [*SERVERS, "piper-server"])
def test_a_server_that_is_not_there_is_one_line(kind, home_of, tmp_path):
    book = write_book(tmp_path / "Book.md", 1, 3)
    run = home_of(kind, "http://127.0.0.1:9").run("render", book, "--no-prefect")
    assert run.returncode == 4
    (line,) = run.stderr.splitlines()
    assert line.startswith("audiomill: ")
    assert "at http://127.0.0.1:9 has not answered for " in line


def test_doctor_engines_and_voices_tell_of_the_server(home_of):
    with fish_server("local") as server:
        home = home_of("fish local", server.url)
        assert "ok       fish        local: 2 voices" in home.run("doctor").stdout
        listed = home.run("engines").stdout
        (line,) = (one for one in listed.splitlines() if one.startswith("fish "))
        assert "NOT for commercial use" in line
        assert "anna" in home.run("voices").stdout
    with fish_server("cloud", n_own=0) as server:
        run = home_of("fish cloud", server.url).run("voices")
        assert (run.returncode, "To hear one" in run.stderr) == (0, False)
