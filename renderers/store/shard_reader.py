"""Reads shards in this process, which can replace damaged ones, or in a child, which cannot.

Many are read in order, ahead of their use where a store answers late.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from audiomill.renderers.engine.protocol import Request
from audiomill.renderers.host.child_process import RunLocally
from audiomill.renderers.host.threads import map_in_order
from audiomill.renderers.store.store import Miss, ShardStore, StoredShard, open_store

Item = TypeVar("Item")
T = TypeVar("T")

# Of a store on the network. A disk is read in order: threads would cost more time than it does.
READ_AHEAD = 8  # shards
N_READERS = 2  # threads

# Renders a missing or damaged shard again, stores it and returns it.
RenderAgain = Callable[[Request, Miss], StoredShard]


def read_ahead(
    read: Callable[[Item], T], items: Iterable[Item], *, is_remote: bool
) -> Generator[T]:
    """The results of `read(item)`, in order. Raises what `read` raises."""
    if not is_remote:
        yield from map(read, items)
        return
    with ThreadPoolExecutor(N_READERS) as readers:
        yield from map_in_order(lambda item: readers.submit(read, item), items, READ_AHEAD)


class ShardReader:
    """Reads the audio of segments from a store.

    `render_again` replaces missing and damaged shards. It needs the engine, which cannot leave this
    process. So pickling keeps the store's URL only, and a reader in a child process raises
    RunLocally instead. It does so, too, if the store does not answer, for which this process waits.
    """

    def __init__(self, store: ShardStore, render_again: RenderAgain | None = None) -> None:
        self._store = store
        self._render_again = render_again

    def __reduce__(self) -> tuple[Callable[[str], ShardReader], tuple[str]]:
        return (_open_reader, (self._store.absolute_location,))

    @property
    def is_remote(self) -> bool:
        """True if reads have a high latency, so that reading ahead pays."""
        return self._store.is_remote

    def shard(self, request: Request) -> StoredShard:
        """The shard of `request`. Raises RenderError, StoreError; RunLocally in a child process."""
        found = self._store.get(request.key)
        if not isinstance(found, Miss):
            return found
        if self._render_again is None:
            raise RunLocally(f"{found.key[:12]} is {found.reason}")
        return self._render_again(request, found)


def _open_reader(store_url: str) -> ShardReader:
    return ShardReader(open_store(store_url))
