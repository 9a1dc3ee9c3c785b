"""Rows are split evenly between GPUs, and in a simulation several GPUs are hardly ever idle."""

import heapq
from collections import deque
from dataclasses import replace
from functools import partial
from itertools import count

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.flows.execution.executor import Executor
from audiomill.renderers.engine.planning import plan_windows
from audiomill.renderers.engine.protocol import Request
from audiomill.renderers.kokoro.inference.batching import OVERHEAD_FRAMES, batches
from audiomill.renderers.kokoro.inference.gpu_queue import (
    MIN_PHONEMES,
    GpuQueue,
    WorkItem,
    split_by_phonemes,
)
from audiomill.renderers.kokoro.options import KokoroOptions
from audiomill.renderers.kokoro.renderer import limits_for

LENGTHS = st.lists(st.integers(3, 512), min_size=1, max_size=256)
N_GPUS = st.integers(1, 9)


@given(LENGTHS, N_GPUS)
def test_every_row_is_in_one_part_the_longest_first(lengths, n_gpus):
    indices = [index for part in split_by_phonemes(lengths, n_gpus) for index in part]
    assert sorted(indices) == list(range(len(lengths)))
    assert [lengths[index] for index in indices] == sorted(lengths, reverse=True)


@given(LENGTHS, N_GPUS)
def test_parts_differ_by_a_row_at_most(lengths, n_gpus):
    parts = split_by_phonemes(lengths, n_gpus)
    totals = [sum(lengths[index] for index in part) for part in parts]
    assert len(parts) <= n_gpus
    assert max(totals) <= sum(lengths) / max(1, min(n_gpus, sum(lengths) // MIN_PHONEMES)) + 512


def test_few_rows_make_few_parts():
    assert len(split_by_phonemes([100] * 9, 8)) == 1
    assert len(split_by_phonemes([100] * 30, 8)) == 3
    assert len(split_by_phonemes([100] * 300, 8)) == 8


def test_no_rows_make_no_parts():
    assert split_by_phonemes([], 8) == []


# A GPU's speed, in frames and tokens a second, at 500 times real time.
FRAMES_PER_S, TOKENS_PER_S = 20_000, 200_000
OVERHEAD_TOKENS = 5_000  # 25 ms: the steps of the LSTMs of one batch
BUDGET = 23_000  # frames that a GPU of 24 GiB has room for


class BookRows:
    """The rows of a book as a render gets them: the tokens and frames of each."""

    def __init__(self, n_hours, n_gpus):
        rng = np.random.default_rng(1)
        n_rows = round(n_hours * 3600 / 8)
        n_chars = rng.integers(20, 200, n_rows)
        requests = [Request(str(n), "x" * int(size), "", 1.0) for n, size in enumerate(n_chars)]
        device = ",".join(f"cuda:{number}" for number in range(n_gpus))
        self.limits = limits_for(KokoroOptions(device=device))
        self.tokens = np.ceil(n_chars * 1.09).astype(int)
        self.frames = np.ceil(self.tokens * 3 * np.exp(rng.normal(0, 0.2, n_rows))).astype(int)
        windows = plan_windows(requests, replace(self.limits, length=lambda spoken, _: len(spoken)))
        self.windows = [
            [[int(request.key) for request in batch.requests] for batch in window.batches]
            for window in windows
        ]

    def duration_s(self, rows):
        """The time that a GPU needs for `rows`: places computed, padding included, and starts."""
        return (
            self._stage(self.tokens[rows], 2 * BUDGET, OVERHEAD_TOKENS) / TOKENS_PER_S
            + self._stage(self.frames[rows], BUDGET, OVERHEAD_FRAMES) / FRAMES_PER_S
        )

    def _stage(self, lengths, budget, overhead):
        planned = list(batches(lengths.tolist(), budget, overhead))
        return sum(len(batch) * max(lengths[list(batch)]) + overhead for batch in planned)


class InOrder:
    """Like `threads.map_in_order`: the next starts when the first in flight is done."""

    def __init__(self, items, n_in_flight, start, end):
        self.left, self.start, self.end = deque(items), start, end
        self.in_flight = deque()  # whether each is done
        for _ in range(n_in_flight):
            self._next()

    def _next(self):
        if self.left:
            is_done = [False]
            self.in_flight.append(is_done)
            self.start(self.left.popleft(), partial(self._done, is_done))
        elif not self.in_flight:
            self.end()

    def _done(self, is_done):
        is_done[0] = True
        while self.in_flight and self.in_flight[0][0]:
            self.in_flight.popleft()
            self._next()


class Simulation:
    """Simulated windows and GPUs, with a clock of their own, that share the real queue."""

    def __init__(self, rows, n_gpus, host_s):
        """`host_s`: the time of a call beside the GPU's."""
        self.rows, self.n_gpus, self.host_s = rows, n_gpus, host_s
        self.queue = GpuQueue(f"cuda:{number}" for number in range(n_gpus))
        self.events = []  # (time, a number to tell events apart, function)
        self.in_flight = [deque() for _ in range(n_gpus)]
        self.now_s = 0.0
        self.numbers = count()
        self.n_pending = self.n_done = 0

    def run(self):
        """The time at which the last item is done."""
        InOrder(self.rows.windows, Executor.windows_in_flight, self._window, lambda: None)
        while self.events:
            self.now_s, _, event = heapq.heappop(self.events)
            event()
            self._hand_out()
        return self.now_s

    def _after(self, seconds, event):
        heapq.heappush(self.events, (self.now_s + seconds, next(self.numbers), event))

    def _window(self, window, done):
        def start(batch, batch_done):
            self._after(self.host_s, partial(self._call, batch, batch_done))

        InOrder(window, self.rows.limits.n_at_once, start, done)

    def _call(self, batch, done):
        parts = split_by_phonemes(self.rows.tokens[batch].tolist(), self.n_gpus)
        items = [WorkItem([batch[index] for index in part]) for part in parts]

        def settle(_):
            if all(item.future.done() for item in items):
                done()

        for item in items:
            item.future.add_done_callback(settle)
        self.queue.put(items)
        self.n_pending += len(items)

    def _hand_out(self):
        for gpu, in_flight in enumerate(self.in_flight):  # the idle GPUs come first
            if self.n_pending and not in_flight:
                self._take(gpu, self.queue.take)
        for gpu in range(self.n_gpus):
            if len(self.in_flight[gpu]) == 1:
                self._take(gpu, self.queue.take_ahead)

    def _take(self, gpu, take):
        if item := take(gpu):
            self.n_pending -= 1
            self.in_flight[gpu].append(item)
            if len(self.in_flight[gpu]) == 1:
                self._start(gpu)

    def _start(self, gpu):
        duration_s = self.rows.duration_s(self.in_flight[gpu][0].request)
        self._after(duration_s, partial(self._finish, gpu))

    def _finish(self, gpu):
        item = self.in_flight[gpu].popleft()
        self.n_done += len(item.request)
        if self.in_flight[gpu]:
            self._start(gpu)
        item.future.set_result(None)


@pytest.mark.parametrize(("hours", "n_gpus"), [(2.2, 2), (2.2, 4), (10, 2), (10, 4), (10, 8)])
def test_several_gpus_divide_the_time_of_a_book_by_their_number(hours, n_gpus):
    """Within a tenth, smaller batches and the end of the book included."""
    rows_for_one, rows = BookRows(hours, 1), BookRows(hours, n_gpus)
    one_gpu_s = sum(
        rows_for_one.duration_s(batch) for window in rows_for_one.windows for batch in window
    )
    simulation = Simulation(rows, n_gpus, host_s=0.1)
    several_gpus_s = simulation.run()
    assert simulation.n_done == len(rows.tokens)
    assert several_gpus_s * n_gpus == pytest.approx(one_gpu_s, rel=0.1)
