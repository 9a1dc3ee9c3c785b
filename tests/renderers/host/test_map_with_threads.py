"""A function of many items, by threads that each take the next."""

from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from threading import Barrier, Event, Lock

import pytest

from audiomill.renderers.host.threads import map_with_threads


def test_results_are_in_order_and_each_item_is_taken_once():
    seen, lock, both_run = [], Lock(), Barrier(2, timeout=30)

    def double(item):
        with lock:
            seen.append(item)
        if item < 2:
            both_run.wait()  # one thread would wait here for itself
        return 2 * item

    with ThreadPoolExecutor(2) as threads:
        assert map_with_threads(double, range(50), threads, 2) == [2 * item for item in range(50)]
        assert map_with_threads(double, [], threads, 2) == []
    assert sorted(seen) == [*range(50)]


def test_what_the_function_raises_is_raised():
    def fail_at_three(item):
        if item == 3:
            raise ValueError("three")
        return item

    with ThreadPoolExecutor(2) as threads, pytest.raises(ValueError, match="three"):
        map_with_threads(fail_at_three, range(5), threads, 2)


def test_after_an_error_no_other_item_is_begun():
    begun, all_taken = [], Event()

    class Items(list):
        def __iter__(self):
            return chain(super().__iter__(), self.end())

        def end(self):
            all_taken.set()
            yield from ()

    def fail_at_one(item):
        begun.append(item)
        if item == 1:
            raise ValueError("one")
        if item == 0:
            all_taken.wait(30)

    with ThreadPoolExecutor(2) as threads, pytest.raises(ValueError, match="one"):
        map_with_threads(fail_at_one, Items(range(50)), threads, 2)
    assert begun == [0, 1]
