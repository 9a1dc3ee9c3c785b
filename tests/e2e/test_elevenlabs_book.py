"""A book spoken by ElevenLabs' stand-in: to M4B, within a budget, kept when killed, bought once."""

import pytest
from e2e.many_books import (
    LATENCY_S,
    N_SLOTS,
    assert_each_segment_is_bought_once,
    assert_faults_were_met,
    assert_the_server_is_kept_busy_and_not_pestered,
    billed_in,
    in_one_process,
    own_books,
)

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


FAULTS = {"429": 0.01, "busy": 0.02, "500": 0.02, "stall": 0.02, "hang": 0.01, "cut": 0.02}


@pytest.mark.prove_long
def test_twenty_books_share_an_account_that_may_have_five_requests(paid, tmp_path):
    """With 429, a busy service, 500, stalls, cut connections and answers that never come.

    Books of twenty processes are in `test_paid_server.py`: the client is the same.
    """
    books = own_books(tmp_path, 48)
    with elevenlabs_server(n_slots=N_SLOTS, latency_s=LATENCY_S, faults=FAULTS) as server:
        found = in_one_process(paid(server), books)
        assert_faults_were_met(server)
        assert_each_segment_is_bought_once(server, found, "text")
        assert_the_server_is_kept_busy_and_not_pestered(server, 0.1)
