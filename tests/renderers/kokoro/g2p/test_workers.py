"""Phonemes are made ahead in other processes, and nothing that becomes of them loses any."""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

from audiomill.renderers.base import EngineMissing
from audiomill.renderers.kokoro.g2p.cache import PhonemeCache
from audiomill.renderers.kokoro.g2p.workers import CHUNK, G2PPool, G2PQueue, G2PRequest
from audiomill.renderers.kokoro.languages import LANGUAGES
from support.kokoro_text_data import V1_0, reader
from support.process_data import PATIENCE_S

pytestmark = pytest.mark.xdist_group("misaki")

SPANISH = LANGUAGES["e"]  # loads in half a second; English takes five
TEXTS = [f"Compró {number} panes." for number in range(100)]
JAPANESE = LANGUAGES["j"]

# What a run does that is killed in the middle of its work. It tells its workers' numbers first.
OWNER = """
import multiprocessing, signal, sys, time
from audiomill.renderers.kokoro.g2p.workers import G2PPool
from audiomill.renderers.kokoro.g2p.requirements import Alphabet
from audiomill.renderers.kokoro.languages import LANGUAGES

if __name__ == "__main__":
    # Whoever runs these tests may ignore it, and children inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with G2PPool(2, Alphabet(frozenset("abcdefghijklmnopqrstuvwxyz "))) as pool:
        language = LANGUAGES["e"]
        pool.prefetch(language, [f"pan {number}" for number in range(100_000)])
        if sys.argv[1] == "loaded":
            pool.phonemes(language, "pan 0")
        while len(multiprocessing.active_children()) < 2:
            time.sleep(0.01)
        print(*(child.pid for child in multiprocessing.active_children()), flush=True)
        while True:
            if "asks" in sys.argv:
                pool.phonemes(language, f"pan {time.monotonic_ns()}")
            else:
                time.sleep(1)
"""


def expected(texts):
    return [reader("e").phonemes(text) for text in texts]


@pytest.mark.parametrize("n_workers", [0, 2])
def test_phonemes_are_those_of_the_reader(n_workers):
    with G2PPool(n_workers, V1_0) as pool:
        pool.prefetch(SPANISH, TEXTS)
        assert [pool.phonemes(SPANISH, text) for text in TEXTS] == expected(TEXTS)
        assert pool.phonemes(SPANISH, "Nunca esperado.") == reader("e").phonemes("Nunca esperado.")


def test_expecting_loads_nothing_here_and_returns_at_once():
    """misaki takes seconds to load, in the worker."""
    code = (
        "import sys, threading\n"
        "from audiomill.renderers.kokoro.g2p.workers import G2PPool\n"
        "from audiomill.renderers.kokoro.g2p.requirements import Alphabet\n"
        "from audiomill.renderers.kokoro.languages import LANGUAGES\n"
        "pool = G2PPool(1, Alphabet(frozenset('abcdefghijklmnopqrstuvwxyz ')))\n"
        "pool.prefetch(LANGUAGES['e'], ['pan', 'agua'])\n"
        "assert pool.phonemes(LANGUAGES['e'], 'agua').text\n"
        "assert not {'misaki', 'spacy', 'torch', 'phonemizer'} & set(sys.modules)\n"
        "print('done')"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (run.stdout, run.stderr, run.returncode) == ("done\n", "", 0)


def test_a_killed_worker_loses_nothing():
    with G2PPool(1, V1_0) as pool:
        pool.prefetch(SPANISH, TEXTS)
        first = pool.phonemes(SPANISH, TEXTS[0])
        (worker,) = multiprocessing.active_children()
        os.kill(worker.pid, signal.SIGKILL)
        assert [first, *(pool.phonemes(SPANISH, text) for text in TEXTS[1:])] == expected(TEXTS)
        pool.prefetch(SPANISH, ["Otra vez."])
        assert pool.phonemes(SPANISH, "Otra vez.") == reader("e").phonemes("Otra vez.")


def test_a_worker_killed_while_it_loads_loses_nothing():
    with G2PPool(1, V1_0) as pool:
        pool.prefetch(SPANISH, TEXTS)
        while not (workers := multiprocessing.active_children()):
            time.sleep(0.01)
        os.kill(workers[0].pid, signal.SIGKILL)
        assert [pool.phonemes(SPANISH, text) for text in TEXTS] == expected(TEXTS)


def test_closing_ends_the_workers_whatever_they_do():
    pool = G2PPool(2, V1_0)
    pool.prefetch(SPANISH, TEXTS)
    while len(multiprocessing.active_children()) < 2:
        time.sleep(0.01)
    pool.close()
    assert multiprocessing.active_children() == []
    assert pool.phonemes(SPANISH, TEXTS[0]) == reader("e").phonemes(TEXTS[0])
    pool.close()


def test_an_interpreter_that_ends_says_nothing_and_leaves_nothing(tmp_path):
    code = (
        "from audiomill.renderers.kokoro.g2p.workers import G2PPool\n"
        "from audiomill.renderers.kokoro.g2p.requirements import Alphabet\n"
        "from audiomill.renderers.kokoro.languages import LANGUAGES\n"
        "pool = G2PPool(1, Alphabet(frozenset('abcdefghijklmnopqrstuvwxyz ')))\n"
        "pool.prefetch(LANGUAGES['e'], ['pan', 'agua'])\n"
        "pool.phonemes(LANGUAGES['e'], 'agua')"
    )
    run = subprocess.run(
        [sys.executable, "-W", "default", "-c", code],
        capture_output=True,
        text=True,
        env=os.environ | {"TMPDIR": str(tmp_path)},
    )
    assert (run.stdout, run.stderr, run.returncode) == ("", "", 0)
    assert list(tmp_path.iterdir()) == []


def test_what_is_in_the_cache_starts_no_worker(tmp_path):
    with PhonemeCache(tmp_path / "phonemes") as cache, G2PPool(0, V1_0, cache) as pool:
        made = [pool.phonemes(SPANISH, text) for text in TEXTS]
    with PhonemeCache(tmp_path / "phonemes") as cache, G2PPool(1, V1_0, cache) as pool:
        pool.prefetch(SPANISH, TEXTS)
        assert [pool.phonemes(SPANISH, text) for text in TEXTS] == made
        assert multiprocessing.active_children() == []


def test_a_language_that_cannot_be_read_is_told_at_once(monkeypatch):
    def none(name):
        raise ModuleNotFoundError(name)

    monkeypatch.setattr("audiomill.renderers.kokoro.g2p.requirements.version", none)
    monkeypatch.setattr(
        "audiomill.renderers.kokoro.g2p.requirements.PackageNotFoundError", ModuleNotFoundError
    )
    with G2PPool(1, V1_0) as pool:
        with pytest.raises(EngineMissing):
            pool.prefetch(JAPANESE, ["はい"])
        with pytest.raises(EngineMissing):
            pool.phonemes(JAPANESE, "はい")


@pytest.mark.parametrize("state", ["loading", "loaded", "loaded asks"])
def test_no_worker_outlives_its_owner(state, tmp_path):
    with owner(state, env=os.environ | {"TMPDIR": str(tmp_path)}) as process:
        workers = started_workers(process)
        process.kill()
        process.wait()
        wait_for_end(workers)
        assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("state", ["loading", "loaded", "loaded asks"])
def test_an_interrupt_is_the_owners_matter(state):
    """Ctrl-C reaches the whole group; only the owner may say so."""
    with owner(state, start_new_session=True) as process:
        workers = started_workers(process)
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE_S)
        wait_for_end(workers)
    assert err.count("Traceback") == 1
    assert err.strip().endswith("KeyboardInterrupt")
    assert "g2p_worker" not in err


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux tells")
def test_workers_are_born_deaf_to_interrupts():
    """Before they can say what to do about one: their interpreter would tell of it."""
    with G2PPool(2, V1_0) as pool:
        pool.prefetch(SPANISH, TEXTS)
        while len(workers := multiprocessing.active_children()) < 2:
            time.sleep(0.01)
        for worker in workers:
            status = Path(f"/proc/{worker.pid}/status").read_text()
            blocked = int(status.partition("SigBlk:")[2].split()[0], 16)
            assert blocked & 1 << signal.SIGINT - 1


def owner(state, **options):
    return subprocess.Popen(
        [sys.executable, "-c", OWNER, *state.split()],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


def started_workers(process):
    return [psutil.Process(int(pid)) for pid in process.stdout.readline().split()]


def wait_for_end(workers):
    """Until all are dead; orphans may stay in the table until somebody asks how they ended."""
    while any(has_not_ended(worker) for worker in workers):
        time.sleep(0.01)


def has_not_ended(worker):
    try:
        return worker.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


class TestOrders:
    """The bookkeeping alone, without processes."""

    def orders(self, *texts, n_hands=1):
        orders = G2PQueue()
        for _ in range(n_hands):
            orders.hire()
        orders.prefetch(G2PRequest("e", text) for text in texts)
        return orders

    def test_orders_are_taken_in_order_and_few_at_a_time(self):
        orders = self.orders(*(str(number) for number in range(CHUNK + 2)))
        assert [one.text for one in orders.take()] == [str(number) for number in range(CHUNK)]
        assert len(orders.take()) == 2

    def test_one_language_at_a_time(self):
        orders = self.orders("a")
        orders.prefetch([G2PRequest("f", "b"), G2PRequest("e", "c")])
        assert [one.text for one in orders.take()] == ["a", "c"]
        assert [one.text for one in orders.take()] == ["b"]

    def test_what_is_being_read_is_not_ordered_twice(self):
        orders = self.orders("a", "a")
        assert len(orders.take()) == 1
        orders.prefetch([G2PRequest("e", "a"), G2PRequest("e", "b")])
        assert [one.text for one in orders.take()] == ["b"]

    def test_what_nobody_expects_is_not_waited_for(self):
        self.orders("a").wait(G2PRequest("e", "b"))

    def test_with_no_hands_nothing_is_waited_for(self):
        orders = self.orders("a", n_hands=0)
        orders.wait(G2PRequest("e", "a"))

    @pytest.mark.parametrize("end", ["settle", "dismiss", "close"])
    def test_a_wait_ends_when_the_order_is_done_or_lost(self, end):
        orders = self.orders("a", "b")
        taken = orders.take() if end == "settle" else []
        waiter = threading.Thread(target=orders.wait, args=[G2PRequest("e", "a")])
        waiter.start()
        getattr(orders, end)(*([taken] if taken else []))
        waiter.join(PATIENCE_S)
        assert not waiter.is_alive()

    def test_what_is_asked_for_comes_first(self):
        orders = self.orders(*(str(number) for number in range(100)))
        waiter = threading.Thread(target=orders.wait, args=[G2PRequest("e", "99")])
        waiter.start()
        seen = []
        while "99" not in seen:
            taken = orders.take()
            seen += [one.text for one in taken]
            orders.settle(taken)
        waiter.join(PATIENCE_S)
        assert not waiter.is_alive()

    def test_closed_orders_give_nothing(self):
        orders = self.orders("a")
        orders.close()
        orders.prefetch([G2PRequest("e", "b")])
        assert orders.take() == []
