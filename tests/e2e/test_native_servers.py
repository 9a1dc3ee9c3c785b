"""Books by Fish Audio, fish-speech, CosyVoice's server and Piper's: whole, killed, and at fault."""

import json
from contextlib import contextmanager
from pathlib import Path

import pytest

from support.book_data import write_book
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
        own = {"profile": profile} if profile else {}
        if engine == "cosyvoice-server":
            own = {"version": "1"}
        # Some of what the stand-ins say is no speech, in any take.
        user = home.with_variables(FISH_API_KEY=KEY, AUDIOMILL_RETAKES=0)
        return user.with_engine(engine, **{"url": url} | own | settings)

    return make


def report_of(summary):
    return json.loads(Path(summary["report"]).read_text())


def said(server):
    """The texts that the server spoke, but for the one that lets voices be heard."""
    return [text for text in server.spoken if not text.startswith("The quick brown fox")]


def test_a_book_in_bytes(home_of, tmp_path):
    """What it costs is told first, in what the service counts, and is what it then bills."""
    book = tmp_path / "Buch.md"
    book.write_text("---\ntitle: Buch\nlanguage: de\n---\n\nGrüße über Größe. Süße Öfen, früh.\n")
    with fish_server("cloud") as server:
        home = home_of("fish cloud", server.url)
        found = home.json("inspect", book)
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


def test_one_text_that_is_always_cut_off_is_one_line_and_the_others_are_kept(home_of, tmp_path):
    book, text = write_book(tmp_path / "Book.md", 1, 8), "The miller was cut off."
    book.write_text(f"{book.read_text()}\n\n{text}\n")
    with cosyvoice_server(cut_off=text) as server:
        home = home_of("cosyvoice-server", server.url, most_in_flight=1)
        words = home.refused(4, "render", book, "--no-prefect").splitlines()[-1]
        assert "answers one text 3 times with audio that was cut off" in words
        assert [one["tts_text"] for one in server.forms].count(text) == 3
        n_kept = len(said(server))
        server.cut_off = ""
        assert home.render(book, "--no-prefect")["cached"] == n_kept > 0
        assert len(said(server)) == len({*said(server)})


def test_a_setting_out_of_bounds_is_wrong_usage(home_of, tmp_path):
    book = write_book(tmp_path / "Book.md", 1, 3)
    home = home_of("cosyvoice-server", "http://127.0.0.1:9", version=4)
    assert "cosyvoice_server: version is 4; choose 1 to 3" in home.refused(2, "render", book)


@pytest.mark.prove
@pytest.mark.parametrize("kind", [*SERVERS, "piper-server"])
def test_a_server_that_is_not_there_is_one_line(kind, home_of, tmp_path):
    book = write_book(tmp_path / "Book.md", 1, 3)
    home = home_of(kind, "http://127.0.0.1:9")
    line = home.refused_in_a_line(4, "render", book, "--no-prefect")
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
