"""Several processes speak as one does, to the last bit. Whatever befalls them, no row is lost."""

import logging
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import torch

from audiomill.renderers.base import EngineFailed, WeightsUnfit
from audiomill.renderers.kokoro.config import read_config
from audiomill.renderers.kokoro.inference import gpu_queue as card_shares
from audiomill.renderers.kokoro.inference.gpu_worker import GpuFailed, GpuProcess
from audiomill.renderers.kokoro.inference.multi_gpu import GpuPool
from audiomill.renderers.kokoro.inference.runner import Row, Runner
from audiomill.renderers.options import KokoroOptions
from support.card_data import (
    CROWDED,
    DEADLY,
    N_DEATHS,
    POISON,
    UNFIT,
    Card,
    Eager,
    broken_card,
    narrow_on_card,
    row_of,
    said,
)
from support.home import ROOT
from support.kokoro_reference import folder, random_lines, tuned, utterance
from support.process_data import PATIENCE_S, children, wait_until

SHARED = Path("/dev/shm")
# What Python and PyTorch call shared memory. Other programs have files there too.
SHARED_NAMES = ("psm_", "sem.mp-", "torch_")


@pytest.fixture(autouse=True)
def small_shares(monkeypatch):
    """So that few rows are enough for several cards."""
    monkeypatch.setattr(card_shares, "LEAST_TOKENS", 20)


def pool_of(*makes):
    return GpuPool([(f"cuda:{number}", make) for number, make in enumerate(makes)])


def same(found, expected):
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one.samples, other.samples)
        assert (one.durations, one.frame_s) == (other.durations, other.frame_s)
    return True


def test_two_processes_say_what_one_speaker_says_to_the_last_bit():
    """And one that is killed in the middle is replaced, and nothing is lost."""
    model = tuned("narrow", torch.float32)
    lines = random_lines(np.random.default_rng(0), 24, 30)
    rows = [Row(utterance(line, model), line.seed) for line in lines]
    expected = Runner(model).run(rows)
    config = read_config(folder("narrow") / "config.json")
    weights = folder("narrow") / "kokoro-v1_0.pth"
    make = partial(narrow_on_card, weights, config, KokoroOptions(device="cpu"))
    with pool_of(make, make) as pool:
        assert same(pool.run(rows), expected)
        first, second = multiprocessing.active_children()
        killer = threading.Timer(0.05, os.kill, (first.pid, signal.SIGKILL))
        killer.start()
        assert same(pool.run(rows), expected)
        killer.join()
        assert same(pool.run(rows), expected)
        assert second in multiprocessing.active_children()
    assert children() == []


def test_calls_from_several_threads_get_each_their_own():
    calls = [[row_of(100 * call + n, 5 + n) for n in range(12)] for call in range(6)]
    found = {}
    with pool_of(Card(), Card()) as pool:
        threads = [
            threading.Thread(target=lambda n=n, rows=rows: found.update({n: pool.run(rows)}))
            for n, rows in enumerate(calls)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE_S)
        assert pool.run([]) == []
    for n, rows in enumerate(calls):
        assert same(found[n], map(said, rows))


@pytest.mark.parametrize("n_deaths", [1, 2])
def test_rows_that_a_card_has_died_of_are_spoken_by_another(tmp_path, caplog, n_deaths):
    (tmp_path / N_DEATHS).write_bytes(b"x" * n_deaths)
    rows = [row_of(1, 9, DEADLY), *(row_of(n, 9) for n in range(2, 9))]
    with caplog.at_level(logging.WARNING), pool_of(*[Card(folder=tmp_path)] * 2) as pool:
        assert same(pool.run(rows), map(said, rows))
    assert [one.getMessage() for one in caplog.records if "signal 9 (Killed)" in one.getMessage()]
    assert len(caplog.records) == n_deaths


def test_a_card_that_is_gone_is_given_up_and_the_others_go_on(caplog):
    rows = [row_of(n) for n in range(20)]
    with pool_of(broken_card, Card()) as pool:
        for _ in range(3):
            assert same(pool.run(rows), map(said, rows))
    assert {one.getMessage().partition(":")[2] for one in caplog.records} <= {
        "0: CUDA error: no CUDA-capable device is detected."
    }


@pytest.mark.parametrize(
    ("token", "told"),
    [
        (POISON, "illegal memory access was encountered. What is finished is kept"),
        (CROWDED, r"no memory left for a single segment. Give it less\. What is finished"),
    ],
)
def test_what_no_card_can_say_is_told_in_words_and_the_rest_is_said(token, told):
    rows = [row_of(n) for n in range(20)]
    with pool_of(Card(), Card()) as pool:
        with pytest.raises(EngineFailed, match=told):
            pool.run([row_of(1, 9, token)])
        assert same(pool.run(rows), map(said, rows))


def test_a_machine_on_which_no_card_works_is_told_in_words():
    with pool_of(broken_card, broken_card) as pool:
        for _ in range(2):
            with pytest.raises(EngineFailed, match="no CUDA-capable device"):
                pool.run([row_of(n) for n in range(20)])


def test_what_any_card_would_meet_is_told_at_once(caplog):
    with pool_of(Card(), Card()) as pool, pytest.raises(WeightsUnfit, match="another model"):
        pool.run([row_of(n, 9, UNFIT) for n in range(9)])
    assert caplog.records == []


def test_the_next_rows_are_begun_while_the_last_are_spoken(tmp_path):
    """Each time: when they are asked for is not before the ones before the last are told."""
    process = GpuProcess(Eager(tmp_path / "begun", n_that_wait=3))
    try:
        process.send([asked(0)])
        process.send([asked(1)])
        for n in range(4):
            spoken = process.hear(PATIENCE_S)
            assert spoken, "it waited for the rows that it was speaking"
            assert spoken[0][0][0] == np.float32(n / 1000)
            if n < 2:
                process.send([asked(n + 2)])
    finally:
        process.kill()


def test_what_follows_rows_that_failed_is_not_taken_for_them(tmp_path):
    process = GpuProcess(Eager(tmp_path / "begun", n_that_wait=1))
    try:
        process.send([asked(0, CROWDED)])
        process.send([asked(1)])
        with pytest.raises(GpuFailed, match="no memory left"):
            process.hear(PATIENCE_S)
    finally:
        process.kill()


def asked(seed, token=1):
    return (token,) * 9, None, 1.0, seed


def test_no_process_starts_before_there_is_something_to_say():
    with pool_of(Card(), Card()) as pool:
        assert children() == []
        pool.run([row_of(1, 9)])
        assert len(children()) == 1


def test_closing_ends_them_whatever_they_do():
    pool = pool_of(*[Card(pace=0.01)] * 2)

    def speak():
        with pytest.raises(EngineFailed, match="was closed"):
            pool.run([row_of(n) for n in range(9)])

    speaking = threading.Thread(target=speak)
    speaking.start()
    while len(multiprocessing.active_children()) < 2:
        time.sleep(0.01)
    pool.close()
    speaking.join(PATIENCE_S)
    assert not speaking.is_alive()
    assert children() == []


# What a run does that is stopped in the middle of its work. It tells its workers' numbers first.
OWNER = """
import multiprocessing, signal, sys, threading, time
sys.path.insert(0, {tests!r})
from contextlib import suppress
from support.card_data import Card, row_of
from audiomill.renderers.options import KokoroOptions
from audiomill.renderers.base import EngineFailed
from audiomill.renderers.kokoro import card_shares
from audiomill.renderers.kokoro.inference.multi_gpu import GpuPool

if __name__ == "__main__":
    # Whoever runs these tests may ignore it, and children inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    card_shares.LEAST_TOKENS = 20
    pool = GpuPool([("cpu", Card(float(sys.argv[1]))) for _ in range(2)])
    rows = [row_of(n) for n in range(40)]

    def speak():
        with suppress(EngineFailed):  # once it is closed
            while True:
                pool.speak(rows)

    if "loaded" in sys.argv:
        pool.speak(rows)
    threading.Thread(target=speak, daemon=True).start()
    while len(multiprocessing.active_children()) < 2:
        time.sleep(0.01)
    print(*(child.pid for child in multiprocessing.active_children()), flush=True)
    time.sleep(600)
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
@pytest.mark.parametrize("state", ["0", "0 loaded", "0.01"])
def test_nothing_outlives_an_owner_that_is_stopped(state, number):
    """While they load, while samples go to and fro, in the midst of a batch of 600 seconds."""
    before = shared_memory()
    with subprocess.Popen(
        [sys.executable, "-c", OWNER.format(tests=str(ROOT / "tests")), *state.split()],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        workers = [int(number) for number in process.stdout.readline().split()]
        assert len(workers) == 2
        time.sleep(0.2)
        if number == signal.SIGINT:
            os.killpg(process.pid, number)  # as on a terminal
        else:
            process.kill()
        _, words = process.communicate(timeout=PATIENCE_S)
    for worker in workers:
        while is_running(worker):
            time.sleep(0.01)
    # Other tests, too, have some for a moment.
    wait_until(lambda: shared_memory() <= before)
    assert words.count("Traceback") == (number == signal.SIGINT)
    assert "card_worker" not in words


def shared_memory():
    return {path for path in SHARED.iterdir() if path.name.startswith(SHARED_NAMES)}


def is_running(pid):
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
