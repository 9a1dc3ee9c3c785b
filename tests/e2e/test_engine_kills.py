"""A book to M4B by each engine, killed again and again: what is stored is not asked for again."""

import signal
import time
from contextlib import contextmanager

import pytest
from e2e.engine_stands import STANDS, serve

from audiomill.renderers.orpheus.renderer import OrpheusRenderer
from support.book_data import write_book
from support.examples import first_often
from support.process_data import outlived
from support.stopped_runs import (
    StoppedRuns,
    assert_whole,
    decoded,
    heard_undisturbed,
    leftovers,
    shards,
    texts_by_key,
)

# What an engine has of its own is the request; the rest is common, and proved by each.
N_KILLS = 3
OFTEN = ("openai", "isolated")  # a server, and a program of ours
FILES = ("piper", "kokoro-onnx")  # nobody is asked
N_AT_ONCE = 5
# What a kill may lose of what was said: in each of two windows, what is in flight, and two batches
# on their way to the disk.
MOST_LOST = 2 * (N_AT_ONCE + 2)
# Tokens that a server has said wait to be decoded here, in as many threads as the engine has.
MOST_LOST_BY = {"orpheus": 2 * OrpheusRenderer.limits.n_at_once}


@pytest.mark.parametrize(
    "engine",
    [
        pytest.param(one, marks=pytest.mark.prove if one in OFTEN else pytest.mark.prove_long)
        for one in STANDS
        if one not in FILES
    ],
)
def test_kills_have_nothing_said_again_that_was_stored(engine, home):
    # ElevenLabs' segments have several sentences.
    book = write_book(home.path / "Book.md", 4, 100 if engine == "elevenlabs" else 40)
    most_lost = MOST_LOST_BY.get(engine, MOST_LOST)
    with serve(engine, home, n_at_once=N_AT_ONCE, latency_s=0.05) as stand:
        user = stand.home
        if engine in OFTEN:  # half is heard of as many segments
            user = user.with_variables(AUDIOMILL_SPEED=2)
        expected = heard_undisturbed(user, book, "--no-prefect")
        texts = texts_by_key(user, book)
        n_stored = len(texts) // 25  # by each run: some more are stored before it is killed

        def stored():
            return {stand.asked_as(one.stem, texts[one.stem]) for one in shards(home)}

        for _ in range(N_KILLS):
            with nothing_asked_for_again(stand, stored, most_lost):
                kill_after(user, n_stored, book)
            assert outlived(home.path) == []
        kept = shards(home)
        assert N_KILLS * n_stored <= len(kept) < len(texts)
        with nothing_asked_for_again(stand, stored, most_lost):
            report = user.render(book, "--no-prefect")
        assert (report["cached"], report["rendered"]) == (len(kept), len(texts) - len(kept))
        assert kept.items() <= shards(home).items()
        assert_whole(report)
        assert decoded(report) == expected
        assert leftovers(home) == []
        n_asked = len(stand.asked())
        again = user.render(book, "--no-prefect", "--format", "flac")
        assert (again["rendered"], len(stand.asked())) == (0, n_asked)


@pytest.mark.parametrize(
    ("engine", "n_kills"), first_often([("piper", 4), *((one, 10) for one in FILES)], 1)
)
def test_kills_of_an_engine_in_our_process_change_nothing(engine, n_kills, home):
    book = write_book(home.path / "Book.md", 2, 12)
    with serve(engine, home) as stand:
        runs = StoppedRuns(stand.home, engine, book, signal.SIGKILL, 11, "m4b")
        runs.stop_until(n_kills)
    assert_whole(runs.report)
    assert -signal.SIGKILL in runs.codes <= {0, -signal.SIGKILL}


def kill_after(user, n_stored, book):
    """Kill a render that has stored so many segments more. It had not ended by then."""
    n_wanted = len(shards(user)) + n_stored
    process = user.start_forked("render", book, "--no-prefect")
    while len(shards(user)) < n_wanted and process.poll() is None:
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL


@contextmanager
def nothing_asked_for_again(stand, stored, most_lost):
    """What is in the store when this begins stays as it is, and is not asked for meanwhile.

    What is asked for is stored then, but for `most_lost` texts.
    """
    kept, known, n_asked = shards(stand.home), stored(), len(stand.asked())
    yield
    asked = {*stand.asked()[n_asked:]}
    assert asked.isdisjoint(known)
    assert kept.items() <= shards(stand.home).items()
    assert len(asked - stored()) <= most_lost
