"""A book spoken by ElevenLabs' stand-in: to M4B, within a budget, kept when killed, bought once."""

import pytest
from e2e.many_books import billed_in

from support.book_data import write_book
from support.case_files import each_row_apart
from support.documents import documented
from support.elevenlabs_replies import GEORGE
from support.elevenlabs_server import KEY, elevenlabs_server

PRICE = 50.0  # of a million characters, of eleven_flash_v2_5


@pytest.fixture
def paid(home):
    """A home whose engine is the stand-in that the test begins."""

    def home_of(server, **settings):
        own = home.with_engine("elevenlabs", url=server.url, **settings)
        return own.with_variables(ELEVENLABS_API_KEY=KEY)

    return home_of


def test_a_book_is_told_its_price_spoken_to_m4b_and_paid_for_once(paid, tmp_path):
    book = write_book(tmp_path / "Book.md", 2, 4)
    with elevenlabs_server(n_slots=5) as server:
        home = paid(server)
        found = home.json("inspect", book)
        assert server.requests == []
        words = documented(
            "audiomill render book.epub --engine elevenlabs --voice George --budget 5"
        )[3:]
        report = home.render(book, *words, "--transcript", "vtt")
        assert [one["format"] for one in report["files"]] == ["m4b", "vtt"]
        assert billed_in(report) == server.billed_characters == found["text_length"] > 200
        assert found["expected_cost"] == round(PRICE * found["text_length"] / 1_000_000, 2)
        assert report["rendered"] == len(server.spoken) == len({*server.spoken})
        assert {one.path.split("/")[3] for one in server.requests} == {GEORGE}
        again = home.render(book, *words, "--format", "flac")
        assert (again["rendered"], billed_in(again)) == (0, 0)
        assert len(server.spoken) == report["rendered"]


def test_text_around_each_segment_is_told_and_paid_for_once(paid, tmp_path):
    book = write_book(tmp_path / "Book.md", 1, 8)
    with elevenlabs_server() as server:
        home = paid(server, context_chars=100)
        report = home.render(book, "--format", "flac")
        bodies = {one.body["text"]: one.body for one in server.requests}
        texts = [*bodies]
        after = [bodies[text].get("next_text", "") for text in texts]
        # Each text but the last one of the chapter begins as another one says that it goes on.
        assert sum(any(text.startswith(one) for one in after if one) for text in texts) > 1
        assert report["rendered"] == len(server.requests)
        assert home.render(book, "--format", "mp3")["rendered"] == 0


def test_doctor_and_voices_ask_the_account(paid):
    with elevenlabs_server() as server:
        home = paid(server)
        listed = home.json("voices")
        assert GEORGE in [voice["name"] for voice in listed["voices"]]
        found = home.json("doctor")["findings"]
        (one,) = [one for one in found if one["name"] == "elevenlabs"]
        assert one["words"] == "eleven_flash_v2_5: 6 voices"
        assert server.requests == []


@each_row_apart
def test_each_failure_is_one_clear_line(paid, tmp_path, options, arguments, code, words):
    book = write_book(tmp_path / "Book.md", 1, 8)
    with elevenlabs_server(**options) as server:
        run = paid(server).run("render", book, *arguments)
        assert run.returncode == code, run.stderr
        (line,) = (line for line in run.stderr.splitlines() if words in line)
        assert line.startswith("audiomill: ")
        assert "Traceback" not in run.stderr
