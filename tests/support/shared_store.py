"""Processes that write and read one store at the same time, as the machines of a cluster do.

Each opens the store as a worker of a cluster does: by its URL, with a waiter that really waits.
What clients of S3 need to know is in the environment that the first process begins with. All are
forks of one that has imported the client, which takes a second.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from audiomill.renderers.host.waiting import RunWaiter
from audiomill.renderers.store.store import ShardStore, open_store
from support.store_faults import holds, put

FORKS = get_context("forkserver")
FORKS.set_forkserver_preload(["audiomill.renderers.store.store", "numpy", "s3fs"])
T = TypeVar("T")


@contextmanager
def clients(n_clients: int) -> Iterator[list[ProcessPoolExecutor]]:
    """So many clients, each of them one process, which begins with its first job."""
    with ExitStack() as stack:
        yield [stack.enter_context(ProcessPoolExecutor(1, FORKS)) for _ in range(n_clients)]


def opened(url: str) -> ShardStore:
    return open_store(url, RunWaiter(lambda: None, lambda _line: None))


def give_identity(url: str) -> str:
    return opened(url).give_identity()


@dataclass(frozen=True)
class SharedStore:
    """A store as one client uses it, with so many threads."""

    url: str
    identity: str
    n_threads: int

    def write(self, numbers: Sequence[int]) -> None:
        """Put the shards of these numbers."""
        self._each(put, numbers, self._opened())

    def read_on(self, numbers: Sequence[int], end: Path) -> int:
        """Get the shards again and again until there is the file `end`, all of them at least once.

        Of each, the audio is right, or it is missing. Returns how many were asked for.
        """
        store, n_read = self._opened(), 0
        while not (n_read and end.exists()):
            n_read += len(self._each(holds, numbers, store))
        return n_read

    def _opened(self) -> ShardStore:
        store = opened(self.url)
        assert store.identity() == self.identity, "this is another store"
        return store

    def _each(
        self, operation: Callable[[ShardStore, int], T], numbers: Sequence[int], store: ShardStore
    ) -> list[T]:
        with ThreadPoolExecutor(self.n_threads) as threads:
            return [*threads.map(partial(operation, store), numbers)]


def all_at_once(
    store: SharedStore,
    writers: Sequence[ProcessPoolExecutor],
    readers: Sequence[ProcessPoolExecutor],
    n_keys: int,
) -> list[int]:
    """Write the keys while others read them: how many each reader has asked for."""
    with TemporaryDirectory() as folder:
        end = Path(folder) / "end"
        read = [one.submit(store.read_on, range(n_keys), end) for one in readers]
        try:
            owned = zip(writers, shared_out(n_keys, len(writers)), strict=True)
            _results([writer.submit(store.write, numbers) for writer, numbers in owned])
        finally:
            end.touch()
        return _results(read)


def _results(futures: Sequence[Future[T]]) -> list[T]:
    return [one.result() for one in futures]


def shared_out(n_keys: int, n_writers: int) -> list[list[int]]:
    """The keys of each writer: each key has one writer, each second key two."""
    owned: list[list[int]] = [[] for _ in range(n_writers)]
    for number in range(n_keys):
        for n_more in range(2 - number % 2):
            owned[(number + n_more) % n_writers].append(number)
    return owned
