"""Rows are shared out evenly, and by a clock of our own several cards wait for hardly anything."""

import heapq
from collections import deque
from dataclasses import replace
from functools import partial
from itertools import count

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.flows.pipeline.pipeline import WINDOWS_IN_FLIGHT
from audiomill.renderers.base import Request
from audiomill.renderers.kokoro.inference.batching import OVERHEAD_FRAMES, OVERHEAD_TOKENS, batches
from audiomill.renderers.kokoro.inference.gpu_queue import (
    LEAST_TOKENS,
    GpuQueue,
    WorkItem,
    split_by_phonemes,
)
from audiomill.renderers.kokoro.renderer import limits_for
from audiomill.renderers.options import KokoroOptions
from audiomill.renderers.planning import plan_windows

LENGTHS = st.lists(st.integers(3, 512), min_size=1, max_size=256)
CARDS = st.integers(1, 9)


@given(LENGTHS, CARDS)
def test_every_row_is_in_one_share_the_longest_first(lengths, n_cards):
    cut = [index for share in split_by_phonemes(lengths, n_cards) for index in share]
    assert sorted(cut) == list(range(len(lengths)))
    assert [lengths[index] for index in cut] == sorted(lengths, reverse=True)


@given(LENGTHS, CARDS)
def test_shares_are_as_long_as_each_other_to_a_row(lengths, n_cards):
    cut = [sum(lengths[index] for index in share) for share in split_by_phonemes(lengths, n_cards)]
    assert len(cut) <= n_cards
    assert max(cut) <= sum(lengths) / max(1, min(n_cards, sum(lengths) // LEAST_TOKENS)) + 512


def test_few_rows_are_not_cut_to_crumbs():
    assert len(split_by_phonemes([100] * 9, 8)) == 1
    assert len(split_by_phonemes([100] * 30, 8)) == 3
    assert len(split_by_phonemes([100] * 300, 8)) == 8


def test_no_rows_are_no_shares():
    assert split_by_phonemes([], 8) == []


# A card's speed, in frames and tokens a second, at 500 times real time.
FRAMES_PER_S, TOKENS_PER_S = 20_000, 200_000
BUDGET = 23_000  # frames that a card of 24 GiB has room for


class Rows:
    """A book's rows as a render is given them: how many tokens and frames each has."""

    def __init__(self, n_hours, n_cards):
        dice = np.random.default_rng(1)
        n_rows = round(n_hours * 3600 / 8)
        n_chars = dice.integers(20, 200, n_rows)
        requests = [Request(str(n), "x" * int(size), "", 1.0) for n, size in enumerate(n_chars)]
        device = ",".join(f"cuda:{number}" for number in range(n_cards))
        self.limits = limits_for(KokoroOptions(device=device))
        self.tokens = np.ceil(n_chars * 1.09).astype(int)
        self.frames = np.ceil(self.tokens * 3 * np.exp(dice.normal(0, 0.2, n_rows))).astype(int)
        windows = plan_windows(requests, self._traits_of_sizes())
        self.windows = [
            [[int(request.key) for request in batch.requests] for batch in window.batches]
            for window in windows
        ]

    def _traits_of_sizes(self):
        return replace(self.limits, length=lambda spoken, _: len(spoken))

    def taken_s(self, rows):
        """What a card takes for them: places computed, padding included, and batches begun."""
        return (
            self._step(self.tokens[rows], BUDGET // 2, OVERHEAD_TOKENS) / TOKENS_PER_S
            + self._step(self.frames[rows], BUDGET, OVERHEAD_FRAMES) / FRAMES_PER_S
        )

    def _step(self, lengths, budget, overhead):
        cut = list(batches(lengths.tolist(), budget, overhead))
        return sum(len(batch) * max(lengths[list(batch)]) + overhead for batch in cut)


class InOrder:
    """Like `threads.in_order`: the next begins when the first that is under way is done."""

    def __init__(self, items, n_in_flight, begin, end):
        self.left, self.begin, self.end = deque(items), begin, end
        self.under_way = deque()  # whether each is done
        for _ in range(n_in_flight):
            self._next()

    def _next(self):
        if self.left:
            is_done = [False]
            self.under_way.append(is_done)
            self.begin(self.left.popleft(), partial(self._done, is_done))
        elif not self.under_way:
            self.end()

    def _done(self, is_done):
        is_done[0] = True
        while self.under_way and self.under_way[0][0]:
            self.under_way.popleft()
            self._next()


class Clock:
    """Windows and cards by a clock of their own, that take their shares from the real queue."""

    def __init__(self, rows, n_cards, host_s):
        """`host_s`: that a call takes beside its speaking."""
        self.rows, self.n_cards, self.host_s = rows, n_cards, host_s
        self.queue = GpuQueue(f"cuda:{number}" for number in range(n_cards))
        self.events = []  # (when, a number to tell them apart, what)
        self.under_way = [deque() for _ in range(n_cards)]
        self.now = 0.0
        self.numbers = count()
        self.n_waiting = self.n_spoken = 0

    def run(self):
        """When the last share was spoken."""
        InOrder(self.rows.windows, WINDOWS_IN_FLIGHT, self._window, lambda: None)
        while self.events:
            self.now, _, happens = heapq.heappop(self.events)
            happens()
            self._hand_out()
        return self.now

    def _after(self, seconds, happens):
        heapq.heappush(self.events, (self.now + seconds, next(self.numbers), happens))

    def _window(self, batches, done):
        def begin(batch, spoken):
            self._after(self.host_s, partial(self._call, batch, spoken))

        InOrder(batches, self.rows.limits.n_at_once, begin, done)

    def _call(self, batch, spoken):
        cut = split_by_phonemes(self.rows.tokens[batch].tolist(), self.n_cards)
        works = [WorkItem([batch[index] for index in one]) for one in cut]

        def settle(_):
            if all(work.done.done() for work in works):
                spoken()

        for work in works:
            work.done.add_done_callback(settle)
        self.queue.put(works)
        self.n_waiting += len(works)

    def _hand_out(self):
        for card, under_way in enumerate(self.under_way):  # who is idle comes first
            if self.n_waiting and not under_way:
                self._take(card, self.queue.take)
        for card in range(self.n_cards):
            if len(self.under_way[card]) == 1:
                self._take(card, self.queue.take_ahead)

    def _take(self, card, take):
        if share := take(card):
            self.n_waiting -= 1
            self.under_way[card].append(share)
            if len(self.under_way[card]) == 1:
                self._begin(card)

    def _begin(self, card):
        taken_s = self.rows.taken_s(self.under_way[card][0].order)
        self._after(taken_s, partial(self._finish, card))

    def _finish(self, card):
        share = self.under_way[card].popleft()
        self.n_spoken += len(share.order)
        if self.under_way[card]:
            self._begin(card)
        share.done.set_result(None)


@pytest.mark.parametrize(("hours", "n_cards"), [(2.2, 2), (2.2, 4), (10, 2), (10, 4), (10, 8)])
def test_cards_share_a_book_and_the_time_it_takes(hours, n_cards):
    """Within a tenth, smaller batches and the end of the book included."""
    alone, rows = Rows(hours, 1), Rows(hours, n_cards)
    alone_s = sum(alone.taken_s(batch) for window in alone.windows for batch in window)
    clock = Clock(rows, n_cards, host_s=0.1)
    together_s = clock.run()
    assert clock.n_spoken == len(rows.tokens)
    assert together_s * n_cards == pytest.approx(alone_s, rel=0.1)
