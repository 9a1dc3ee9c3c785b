"""A book spoken by a paid server: kept when killed, within a budget, never bought twice."""

import json

import pytest
from e2e.many_books import (
    LATENCY_S,
    N_SLOTS,
    assert_each_segment_is_bought_once,
    assert_faults_were_met,
    assert_the_server_is_kept_busy_and_not_pestered,
    billed_in,
    in_one_process,
    in_twenty_processes,
    own_books,
)

from support.book_data import write_book
from support.case_files import each_row_apart
from support.documents import documented
from support.speech_server import KEY, speech_server

PRICE = 15.0  # of a million characters, of tts-1


@pytest.fixture
def paid(home):
    """A home whose engine is the stand-in that the test begins, at four times the speed."""

    def home_of(server, **settings):
        table = {"url": server.url, "model": "tts-1"} | settings
        asking = home.with_engine("openai", **table)
        return asking.with_variables(OPENAI_API_KEY=KEY, AUDIOMILL_SPEED=4)

    return home_of


def test_a_book_is_told_its_price_and_paid_for_once(paid, tmp_path):
    book = write_book(tmp_path / "Book.md", 2, 4)
    with speech_server("openai") as server:
        home = paid(server)
        found = home.json("inspect", book)
        assert server.requests == []
        run = home.run("render", book, "--format", "mp3", "--json")
        report = json.loads(run.stdout)
        assert billed_in(report) == server.billed_characters == found["text_length"] > 200
        assert found["expected_cost"] == round(PRICE * found["text_length"] / 1_000_000, 2)
        assert f"{found['text_length']:,} characters, {found['expected_cost']:.2f} if" in run.stderr
        assert report["rendered"] == len(server.spoken) == len({*server.spoken})
        again = home.render(book, "--format", "flac")
        assert (again["rendered"], billed_in(again)) == (0, 0)
        assert len(server.spoken) == report["rendered"]


def test_a_budget_ends_the_run_and_a_larger_one_goes_on(paid, tmp_path):
    book = write_book(tmp_path / "Book.md", 2, 8)
    with speech_server("openai") as server:
        home = paid(server, price_per_million=1000)
        words = documented("audiomill render book.epub --engine openai --budget 5")[3:-1]
        assert "budget of 0.40 is used up" in home.refused(4, "render", book, *words, "0.40")
        assert 200 < server.billed_characters <= 400
        report = home.render(book, "--format", "flac", "--budget", "9")
        assert len(server.spoken) == len({*server.spoken})
        assert report["cached"] > 0


@each_row_apart
def test_a_wrong_budget_is_wrong_usage(paid, tmp_path, arguments, words):
    book = write_book(tmp_path / "Book.md", 1, 3)
    with speech_server("openai") as server:
        assert words in paid(server).refused(2, "render", book, *arguments)


def test_a_budget_needs_a_price(paid, tmp_path):
    book = write_book(tmp_path / "Book.md", 1, 3)
    with speech_server("openai") as server:
        home = paid(server, model="gpt-4o-mini-tts")
        words = home.refused(2, "render", book, "--budget", "1")
        assert "Set price_per_million under [openai]" in words


MOST_IN_FLIGHT = 12  # threads of each book, most of which wait
FAULTS = {"429": 0.01, "500": 0.03, "stall": 0.02, "hang": 0.01, "cut": 0.02}


@pytest.mark.parametrize(
    ("render_all", "most_refusals"),
    # One process finds out what the server takes. Twenty have one request each, and wait.
    [
        pytest.param(in_one_process, 0.1, marks=pytest.mark.prove),
        pytest.param(in_twenty_processes, 2, marks=pytest.mark.prove_long),
    ],
)
def test_twenty_books_share_a_server_that_takes_five_requests(
    paid, tmp_path, render_all, most_refusals
):
    """With 429, 500, stalls, cut connections, and answers that never come, in the way."""
    books = own_books(tmp_path, 16)
    with speech_server("openai", n_slots=N_SLOTS, latency_s=LATENCY_S, faults=FAULTS) as server:
        found = render_all(paid(server, most_in_flight=MOST_IN_FLIGHT), books)
        assert_faults_were_met(server)
        assert_each_segment_is_bought_once(server, found)
        assert_the_server_is_kept_busy_and_not_pestered(server, most_refusals)
