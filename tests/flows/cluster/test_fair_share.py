"""Places in flight are shared equally among books, and never more than there are."""

import asyncio
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from audiomill.flows.cluster.dispatch import FairShare

BOOKS = st.lists(st.integers(1, 12), min_size=1, max_size=6)


class Simulation:
    """Windows that take one round each, of books that have so many of them."""

    def __init__(self, books, capacity, priorities=None):
        self.capacity = capacity
        self.is_open = False  # no place is given away before all windows wait for one
        self.share = FairShare(lambda: self.capacity if self.is_open else 0)
        self.books = dict(enumerate(books))
        self.priorities = priorities or {}
        self.running = []  # (book, event that ends the window)
        self.ended = []  # by round: the books whose windows ended

    async def window(self, book):
        async with self.share.turn(book, self.priorities.get(book, 0)):
            ends = asyncio.Event()
            self.running.append((book, ends))
            await ends.wait()

    async def open(self):
        await settle()
        self.is_open = True
        self.share.give()
        await settle()

    async def run(self):
        tasks = [
            asyncio.create_task(self.window(book))
            for book, n in self.books.items()
            for _ in range(n)
        ]
        await self.open()
        while not all(task.done() for task in tasks):
            await settle()
            assert len(self.running) <= self.capacity
            running, self.running = self.running, []
            self.ended.append([book for book, _ in running])
            for _, ends in running:
                ends.set()
            await settle()
        return self.ended


async def settle():
    """Let all tasks run as far as they can."""
    for _ in range(20):
        await asyncio.sleep(0)


@given(BOOKS, st.integers(1, 5))
def test_all_are_rendered_and_no_place_is_left_empty(books, capacity):
    rounds = asyncio.run(Simulation(books, capacity).run())
    assert Counter(book for one in rounds for book in one) == Counter(dict(enumerate(books)))
    left = sum(books)
    for one in rounds:
        assert len(one) == min(capacity, left)
        left -= len(one)


@given(BOOKS, st.integers(1, 5))
def test_no_book_has_two_more_places_than_one_that_waits(books, capacity):
    simulation = Simulation(books, capacity)
    left = Counter(dict(enumerate(books)))
    for one in asyncio.run(simulation.run()):
        now = Counter(one)
        waiting = [book for book in left if left[book] > now[book]]
        assert all(max(now.values()) - now[book] <= 1 for book in waiting)
        left -= now


def test_a_short_book_is_done_soon_beside_a_long_one():
    rounds = asyncio.run(Simulation([40, 2], 4).run())
    assert 1 in rounds[0]
    assert all(1 not in one for one in rounds[1:])


def test_a_higher_priority_goes_first():
    rounds = asyncio.run(Simulation([6, 6], 3, {1: 5}).run())
    assert rounds == [[1, 1, 1], [1, 1, 1], [0, 0, 0], [0, 0, 0]]


def test_new_places_are_given_away():
    async def run():
        simulation = Simulation([5], 1)
        tasks = [asyncio.create_task(simulation.window(0)) for _ in range(5)]
        await simulation.open()
        before = len(simulation.running)
        simulation.capacity = 4
        simulation.share.give()
        await settle()
        after = len(simulation.running)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return before, after

    assert asyncio.run(run()) == (1, 4)


def test_what_is_cancelled_gives_its_place_back():
    async def run():
        simulation = Simulation([3], 1)
        tasks = [asyncio.create_task(simulation.window(0)) for _ in range(3)]
        await simulation.open()
        tasks[0].cancel()  # has the place
        tasks[1].cancel()  # waits
        await settle()
        n_running = len(simulation.running)
        tasks[2].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return n_running

    assert asyncio.run(run()) == 2  # the first, and then the third
