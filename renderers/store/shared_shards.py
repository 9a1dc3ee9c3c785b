"""Shards whose audio lies in shared memory, written to a local store by a child process.

    PackedShard ─▶ SharedShard: header, and where its audio lies ─▶ child: file, fsync, rename

To create a file, write it and have the disk keep it is more than half of what a segment of a fast
GPU costs this process, which serves all GPUs.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from audiomill.renderers.host.child_process import CancellableIter, RunLocally
from audiomill.renderers.host.shared_memory import opened_piece
from audiomill.renderers.store.local import LocalBackend

N_THREADS = 8  # of a child: a shard mostly waits for the disk


@dataclass(frozen=True)  # without slots, which Python 3.11 would pickle in Python
class SharedShard:
    """A shard: its first part, and the path and the bytes of the memory with its audio."""

    key: str
    head: bytes
    path: str
    first: int
    n_bytes: int


@dataclass(frozen=True, slots=True)
class SharedShards:
    """Shards for the store in the folder `root`."""

    root: Path
    shards: Sequence[SharedShard]


def write_shared(work: SharedShards, through: CancellableIter) -> list[OSError | None]:
    """Write shards as `LocalBackend.write` does; each one's error. Raises RunLocally."""
    write = partial(_write, LocalBackend(work.root))
    with ThreadPoolExecutor(N_THREADS) as threads:
        return list(threads.map(write, through(work.shards)))


def _write(backend: LocalBackend, shard: SharedShard) -> OSError | None:
    with ExitStack() as stack:
        try:
            piece = opened_piece(shard.path, shard.first, shard.n_bytes)
            payload = stack.enter_context(piece)
        except OSError as error:  # of our memory, not of the store
            raise RunLocally(f"its memory cannot be opened: {error}") from error
        try:
            backend.write(shard.key, shard.head, payload)
        except OSError as error:
            return error
    return None
