"""Reads many shards in order, ahead of their use where a store answers late."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from audiomill.renderers.host.threads import map_in_order

Item = TypeVar("Item")
T = TypeVar("T")

# A store on the network is read by this many threads, this many shards ahead. A disk is read
# without: the threads would cost more time than the disk does.
READ_AHEAD = 8
N_READERS = 2


def read_ahead(
    read: Callable[[Item], T], items: Iterable[Item], *, is_remote: bool
) -> Generator[T]:
    """The results of `read(item)`, in order. Raises what `read` raises."""
    if not is_remote:
        yield from map(read, items)
        return
    with ThreadPoolExecutor(N_READERS) as readers:
        yield from map_in_order(lambda item: readers.submit(read, item), items, READ_AHEAD)
