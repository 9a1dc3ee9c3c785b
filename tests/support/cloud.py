"""A service with buckets, as a file system of fsspec, that fails as a test wants it to."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count

import fsspec
from fsspec.spec import AbstractFileSystem

from support.hasty_waiter import VirtualWaiter

_NUMBERS = count()


class Cloud:
    """The service. `fault` is asked about each call ("get" or "put") and may raise, or `hang`."""

    def __init__(self) -> None:
        self.protocol = f"cloud{next(_NUMBERS)}"
        self.buckets = {"books"}
        self.objects: dict[str, bytes] = {}
        self.calls: list[tuple[str, str]] = []
        self.fault: Callable[[str, str], None] = lambda _call, _path: None
        self.n_hanging = 0
        self.ends = threading.Event()  # of all hanging
        self.lock = threading.Lock()

    @property
    def waiter(self) -> VirtualWaiter:
        """A new waiter of a client, for which hanging takes no time."""
        return VirtualWaiter(lambda: self.n_hanging)

    @property
    def url(self) -> str:
        return f"{self.protocol}://books/shards"

    def hang(self) -> None:
        """Do not answer until `ends` is set."""
        with self.lock:
            self.n_hanging += 1
        self.ends.wait()
        with self.lock:
            self.n_hanging -= 1

    def called(self, call: str, path: str) -> None:
        with self.lock:
            self.calls.append((call, path))
        self.fault(call, path)


@contextmanager
def serving_cloud() -> Iterator[Cloud]:
    """A cloud under a protocol of its own."""
    cloud = Cloud()

    class CloudFiles(AbstractFileSystem):
        protocol = cloud.protocol
        cachable = False

        def cat_file(self, path, start=None, end=None, **_):
            cloud.called("get", path)
            if path not in cloud.objects:
                raise FileNotFoundError(path)
            return cloud.objects[path][start:end]

        def pipe_file(self, path, value, **_):
            cloud.called("put", path)
            if path.partition("/")[0] not in cloud.buckets:
                raise FileNotFoundError("The specified bucket does not exist")
            cloud.objects[path] = bytes(value)

        def exists(self, path, **_):
            return path in cloud.objects or path in cloud.buckets

        def makedirs(self, path, **_):
            cloud.buckets.add(path.partition("/")[0])  # as clients of S3 do

    fsspec.register_implementation(cloud.protocol, CloudFiles)
    try:
        yield cloud
    finally:
        cloud.ends.set()
