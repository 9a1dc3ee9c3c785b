"""File systems that fail on purpose, and shards to store, for tests of the store."""

import hashlib
import json
import os
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from audiomill.renderers.engine.protocol import Rendered, WordTiming
from audiomill.renderers.store.local import LocalBackend, OsFileSystem
from audiomill.renderers.store.shard_layout import MAGIC, PREFIX
from audiomill.renderers.store.store import ShardStore

SAMPLE_RATE = 24_000


def key_of(number):
    return hashlib.sha256(b"shard %d" % number).hexdigest()


def rendered(number, n_samples=None):
    """Audio that differs for each number, exact in 16 bits."""
    random = np.random.default_rng(number)
    levels = random.integers(-(1 << 15), 1 << 15, n_samples or 400 + number % 97)
    timings = (WordTiming(0, 3, 0.0, 0.1), WordTiming(4, 9, 1 / 3, 2 / 3))
    return Rendered((levels / (1 << 15)).astype(np.float32), timings)


def put(store, number):
    return store.put(key_of(number), rendered(number), sample_rate=SAMPLE_RATE, bits=16)


def holds(store, number):
    """Whether the store has that shard. Fails if its content is wrong."""
    stored = store.get(key_of(number))
    if not hasattr(stored, "samples"):
        return False
    expected = rendered(number)
    assert np.array_equal(stored.samples, expected.samples), "wrong audio was accepted"
    assert stored.info.timings == expected.timings
    assert stored.info.key == key_of(number)
    return True


def with_header(data, changes):
    """The shard's bytes with a changed header and a matching hash; `...` removes a field."""
    size = PREFIX.unpack_from(data)[1]
    header = json.loads(data[PREFIX.size : PREFIX.size + size]) | changes
    kept = {name: value for name, value in header.items() if value is not ...}
    return shard_of(json.dumps(kept).encode(), data[PREFIX.size + size :])


def shard_of(header, payload=b""):
    """A shard with this header, whatever it is, and a matching hash."""
    return PREFIX.pack(MAGIC, len(header), hashlib.sha256(header).digest()) + header + payload


def temporaries(root):
    return sorted(path for path in root.rglob("*.tmp"))


@dataclass
class FaultyFiles(OsFileSystem):
    """Records its calls. Call number `at` fails, and with `permanent` all later ones too."""

    at: int = -1
    error: int = 0
    permanent: bool = False
    calls: list[str] = field(default_factory=list)
    descriptors: set[int] = field(default_factory=set)

    def _call(self, name):
        self.calls.append(name)
        number = len(self.calls) - 1
        if number == self.at or (self.permanent and 0 <= self.at < number):
            raise OSError(self.error, os.strerror(self.error))

    def open(self, path, flags):
        self._call("open")
        descriptor = super().open(path, flags)
        self.descriptors.add(descriptor)
        return descriptor

    def read(self, descriptor, n_bytes):
        self._call("read")
        return super().read(descriptor, min(n_bytes, 700))  # a shard takes several reads

    def write(self, descriptor, data):
        """Write only a part, as the system may; an error follows a partial write."""
        try:
            self._call("write")
        except OSError:
            super().write(descriptor, data[: len(data) // 2])
            raise
        return super().write(descriptor, data[: len(data) // 2 + 1])

    def close(self, descriptor):
        """Close even if the call fails, as the system does."""
        self.descriptors.discard(descriptor)
        super().close(descriptor)
        self._call("close")


def _recorded(name):
    def call(self, *arguments):
        self._call(name)
        return getattr(OsFileSystem, name)(self, *arguments)

    return call


for _name in (
    *("size", "fsync", "rename", "unlink", "remove_folder", "make_folders"),
    *("require_writable", "names", "flock"),
):
    setattr(FaultyFiles, _name, _recorded(_name))


class SlowFiles(FaultyFiles):
    """Waits before each call, so that a kill is likely to happen between two calls.

    Each is an operation that `killed_forks` sees: writing is none of its own.
    """

    def _call(self, name):
        super()._call(name)
        sys.audit("os.store", name)
        time.sleep(0.0005)


def put_all(root, numbers, told=sys.stdout):
    """Put the shards slowly, and tell each number. Processes that are killed import little."""
    store = ShardStore(LocalBackend(Path(root), SlowFiles()))
    with store.session():
        for number in numbers:
            put(store, number)
            told.write(f"{number}\n")
            told.flush()
