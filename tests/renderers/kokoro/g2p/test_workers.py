"""Phonemes are made ahead in child processes, and no death of a child loses a text."""

import os
import signal
import subprocess
import threading

import psutil
import pytest

from audiomill.renderers.engine.errors import EngineMissing
from audiomill.renderers.kokoro.g2p.cache import PhonemeCache
from audiomill.renderers.kokoro.g2p.languages import LANGUAGES
from audiomill.renderers.kokoro.g2p.workers import TEXTS_AT_ONCE, G2PPool, G2PQueue, G2PRequest
from support.kokoro_text_data import V1_0, cached_g2p
from support.process_data import (
    TIMEOUT_S,
    children,
    printed_by,
    start_python,
    wait_for_end,
    wait_until,
)

SPANISH = LANGUAGES["e"]  # loads in half a second; English takes five
TEXTS = [f"Compró {number} panes." for number in range(100)]
JAPANESE = LANGUAGES["j"]

# A run that a test kills in the middle of its work. It prints its children's process ids first.
PARENT = """
import signal, sys, time
from support.process_data import children
from audiomill.renderers.kokoro.g2p.workers import G2PPool
from audiomill.renderers.kokoro.g2p.requirements import Alphabet
from audiomill.renderers.kokoro.g2p.languages import LANGUAGES

if __name__ == "__main__":
    # The shell that runs the tests may ignore SIGINT, and children inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with G2PPool(2, Alphabet(frozenset("abcdefghijklmnopqrstuvwxyz "))) as pool:
        language = LANGUAGES["e"]
        pool.prefetch(language, [f"pan {number}" for number in range(100_000)])
        if "loaded" in sys.argv:
            pool.phonemes(language, "pan 0")
        if "reads" in sys.argv:  # imports misaki here: an interrupt of that has two tracebacks
            pool.phonemes(language, "agua")
        while len(children()) < 2:
            time.sleep(0.01)
        print(*(child.pid for child in children()), flush=True)
        while True:
            if "waits" in sys.argv:
                pool.phonemes(language, f"pan {time.monotonic_ns()}")
            else:
                time.sleep(1)
"""


def expected(texts):
    return [cached_g2p("e").phonemes(text) for text in texts]


@pytest.mark.parametrize("n_workers", [0, 2])
def test_phonemes_are_the_same_with_and_without_workers(n_workers):
    with G2PPool(n_workers, V1_0) as pool:
        pool.prefetch(SPANISH, TEXTS)
        assert [pool.phonemes(SPANISH, text) for text in TEXTS] == expected(TEXTS)
        assert pool.phonemes(SPANISH, "Nunca esperado.") == cached_g2p("e").phonemes(
            "Nunca esperado."
        )


@pytest.mark.prove
def test_a_child_killed_while_it_loads_loses_no_text():
    with G2PPool(1, V1_0) as pool:
        pool.prefetch(SPANISH, TEXTS)
        running = wait_until(children)
        os.kill(running[0].pid, signal.SIGKILL)
        assert [pool.phonemes(SPANISH, text) for text in TEXTS] == expected(TEXTS)


@pytest.mark.prove
def test_closing_ends_children_that_work():
    pool = G2PPool(2, V1_0)
    pool.prefetch(SPANISH, TEXTS)
    wait_until(lambda: len(children()) == 2)
    pool.close()
    assert children() == []
    assert pool.phonemes(SPANISH, TEXTS[0]) == cached_g2p("e").phonemes(TEXTS[0])
    pool.close()


def test_a_pool_loads_nothing_here_and_at_the_end_prints_nothing_and_leaves_no_file(tmp_path):
    """misaki takes seconds to load, in the child."""
    code = (
        "import sys\n"
        "from audiomill.renderers.kokoro.g2p.workers import G2PPool\n"
        "from audiomill.renderers.kokoro.g2p.requirements import Alphabet\n"
        "from audiomill.renderers.kokoro.g2p.languages import LANGUAGES\n"
        "pool = G2PPool(1, Alphabet(frozenset('abcdefghijklmnopqrstuvwxyz ')))\n"
        "pool.prefetch(LANGUAGES['e'], ['pan', 'agua'])\n"
        "assert pool.phonemes(LANGUAGES['e'], 'agua').text\n"
        "assert not {'misaki', 'spacy', 'torch', 'phonemizer'} & set(sys.modules)"
    )
    assert printed_by(code, PYTHONWARNINGS="default", TMPDIR=str(tmp_path)) == ""
    assert list(tmp_path.iterdir()) == []


def test_cached_texts_start_no_child(tmp_path):
    with PhonemeCache(tmp_path / "phonemes") as cache, G2PPool(0, V1_0, cache) as pool:
        phonemes = [pool.phonemes(SPANISH, text) for text in TEXTS]
    with PhonemeCache(tmp_path / "phonemes") as cache, G2PPool(1, V1_0, cache) as pool:
        pool.prefetch(SPANISH, TEXTS)
        assert [pool.phonemes(SPANISH, text) for text in TEXTS] == phonemes
        assert children() == []


def test_a_language_that_cannot_be_read_is_an_error_at_once(monkeypatch):
    def fail(name):
        raise ModuleNotFoundError(name)

    monkeypatch.setattr("audiomill.renderers.kokoro.g2p.requirements.version", fail)
    monkeypatch.setattr(
        "audiomill.renderers.kokoro.g2p.requirements.PackageNotFoundError", ModuleNotFoundError
    )
    with G2PPool(1, V1_0) as pool:
        with pytest.raises(EngineMissing):
            pool.prefetch(JAPANESE, ["はい"])
        with pytest.raises(EngineMissing):
            pool.phonemes(JAPANESE, "はい")


@pytest.mark.prove
@pytest.mark.parametrize("state", ["loading", "loaded", "loaded waits"])
def test_no_child_outlives_its_parent(state, tmp_path):
    with parent(state, TMPDIR=str(tmp_path)) as process:
        started = children_of(process)
        process.kill()
        process.wait()
        wait_for_end(started)
        assert list(tmp_path.iterdir()) == []


@pytest.mark.prove
@pytest.mark.parametrize("state", ["loading", "loaded", "loaded reads waits"])
def test_only_the_parent_reports_an_interrupt(state):
    """Ctrl-C on a terminal goes to a whole process group."""
    with parent(state) as process:
        started = children_of(process)
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=TIMEOUT_S)
        wait_for_end(started)
    assert err.count("Traceback") == 1
    assert err.strip().endswith("KeyboardInterrupt")
    assert "G2PProcess" not in err


@pytest.mark.prove
def test_a_terminals_interrupt_reaches_no_child_from_its_start_on():
    """Before a child could ignore one: its interpreter would print a traceback."""
    with G2PPool(2, V1_0) as pool:
        pool.prefetch(SPANISH, TEXTS)
        wait_until(lambda: len(children()) == 2)
        # A child that is just being forked has not got its own group yet.
        wait_until(lambda: all(os.getpgid(child.pid) == child.pid for child in children()))


def parent(state, **variables):
    options = {"stderr": subprocess.PIPE, "start_new_session": True}
    return start_python(PARENT, *state.split(), variables=variables, **options)


def children_of(process):
    return [psutil.Process(int(pid)) for pid in process.stdout.readline().split()]


def queue_of(*texts, n_workers=1):
    queue = G2PQueue()
    for _ in range(n_workers):
        queue.add_worker()
    queue.prefetch(G2PRequest("e", text) for text in texts)
    return queue


class TestQueue:
    """The queue alone, without processes."""

    def test_requests_are_taken_in_order_and_few_at_a_time(self):
        queue = queue_of(*(str(number) for number in range(TEXTS_AT_ONCE + 2)))
        assert [one.text for one in queue.take()] == [
            str(number) for number in range(TEXTS_AT_ONCE)
        ]
        assert len(queue.take()) == 2

    def test_one_language_at_a_time(self):
        queue = queue_of("a")
        queue.prefetch([G2PRequest("f", "b"), G2PRequest("e", "c")])
        assert [one.text for one in queue.take()] == ["a", "c"]
        assert [one.text for one in queue.take()] == ["b"]

    def test_a_text_that_a_worker_reads_is_not_added_twice(self):
        queue = queue_of("a", "a")
        assert len(queue.take()) == 1
        queue.prefetch([G2PRequest("e", "a"), G2PRequest("e", "b")])
        assert [one.text for one in queue.take()] == ["b"]

    def test_a_text_that_was_not_prefetched_is_not_waited_for(self):
        queue_of("a").wait(G2PRequest("e", "b"))

    def test_with_no_workers_nothing_is_waited_for(self):
        queue = queue_of("a", n_workers=0)
        queue.wait(G2PRequest("e", "a"))

    @pytest.mark.parametrize("end", ["settle", "remove_worker", "close"])
    def test_a_wait_ends_when_the_text_is_read_or_given_up(self, end):
        queue = queue_of("a", "b")
        taken = queue.take() if end == "settle" else []
        waiter = threading.Thread(target=queue.wait, args=[G2PRequest("e", "a")])
        waiter.start()
        getattr(queue, end)(*([taken] if taken else []))
        waiter.join(TIMEOUT_S)
        assert not waiter.is_alive()

    def test_a_text_that_is_waited_for_comes_first(self):
        queue = queue_of(*(str(number) for number in range(100)))
        waiter = threading.Thread(target=queue.wait, args=[G2PRequest("e", "99")])
        waiter.start()
        seen = []
        while "99" not in seen:
            taken = queue.take()
            seen += [one.text for one in taken]
            queue.settle(taken)
        waiter.join(TIMEOUT_S)
        assert not waiter.is_alive()

    def test_a_closed_queue_gives_nothing(self):
        queue = queue_of("a")
        queue.close()
        queue.prefetch([G2PRequest("e", "b")])
        assert queue.take() == []
