"""A queue of work for several GPUs, with retries. Knows no processes and no audio.

    put ─▶ pending ─▶ taken by the GPU that is free first ─▶ the item's future
              └── given back: the GPU has failed ──┘

An item that one GPU has failed at goes to another, while there is one. An item that has failed too
often fails for good, and so does everything once no GPU is left.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from itertools import groupby
from threading import Condition
from typing import Generic, TypeVar

import numpy as np

from audiomill.renderers.engine.errors import EngineFailed, RenderError

RequestT = TypeVar("RequestT")
ResultT = TypeVar("ResultT")
MAX_TRIES = 3  # of one item, on any GPUs
# Pending items for each GPU before one of them may take two. With 1, the end of a book took a fifth
# longer on four GPUs.
MIN_PENDING_PER_GPU = 2
MIN_PHONEMES = 1_000  # of an item: fewer take less time than the start of their batches


@dataclass(slots=True, eq=False)
class WorkItem(Generic[RequestT, ResultT]):
    """Some rows for one GPU, and the future of their results."""

    request: RequestT
    future: Future[ResultT] = field(default_factory=Future[ResultT])
    failed_on: list[int] = field(default_factory=list[int])  # one GPU for each failed try


class GpuQueue(Generic[RequestT, ResultT]):
    """Items for GPUs, which are known by their index. Any thread may use it."""

    def __init__(self, devices: Iterable[str]) -> None:
        """`devices`: the name of each GPU, for messages."""
        self._devices = tuple(devices)
        self._gpus = set(range(len(self._devices)))  # those not given up
        self._pending: deque[WorkItem[RequestT, ResultT]] = deque()
        self._reason = "Kokoro was closed"
        self._is_closed = False
        self._changed = Condition()

    @property
    def is_closed(self) -> bool:
        """True once the queue gives out no more items."""
        return self._is_closed

    @property
    def has_one_gpu(self) -> bool:
        """True if no other GPU could take an item."""
        return len(self._gpus) == 1

    def put(self, items: Iterable[WorkItem[RequestT, ResultT]]) -> None:
        """Add `items`; they are taken in about their order."""
        with self._changed:
            self._pending.extend(items)
            self._settle()

    def take(self, gpu: int) -> WorkItem[RequestT, ResultT] | None:
        """Wait for an item for an idle GPU; None once closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_closed or self._next(gpu) is not None)
            return self._take_next(gpu)

    def take_ahead(self, gpu: int) -> WorkItem[RequestT, ResultT] | None:
        """An item for a GPU that is still busy; None unless enough are pending for all others.

        An item that waits at a busy GPU could otherwise have gone to one that is free sooner.
        """
        with self._changed:
            n_wanted = 1 if self.has_one_gpu else MIN_PENDING_PER_GPU * len(self._gpus)
            return self._take_next(gpu) if len(self._pending) >= n_wanted else None

    def give_back(self, item: WorkItem[RequestT, ResultT]) -> None:
        """Return an item that was taken but not tried."""
        with self._changed:
            self._pending.appendleft(item)
            self._settle()

    def fail(self, gpu: int, item: WorkItem[RequestT, ResultT], reason: str) -> None:
        """Return an item that a GPU has failed at. The `reason` may lie in the GPU itself."""
        with self._changed:
            item.failed_on.append(gpu)
            self._reason = f"Kokoro has failed on {self._devices[gpu]}: {reason}"
            if len(item.failed_on) < MAX_TRIES:
                self._pending.appendleft(item)
            else:
                item.future.set_exception(self._error())
            self._settle()

    def refuse(self, error: RenderError) -> None:
        """Fail all pending items with `error`, which every GPU would meet."""
        with self._changed:
            while self._pending:
                self._pending.popleft().future.set_exception(error)

    def give_up(self, gpu: int) -> None:
        """Count a GPU out: it takes no more items."""
        with self._changed:
            self._gpus.discard(gpu)
            self._settle()

    def close(self) -> None:
        """Fail all pending items, and give out no more."""
        with self._changed:
            self._is_closed = True
            self._settle()

    def _settle(self) -> None:
        """Fail what no GPU will take, and wake all that wait."""
        while self._pending and (self._is_closed or not self._gpus):
            self._pending.popleft().future.set_exception(self._error())
        self._changed.notify_all()

    def _next(self, gpu: int) -> WorkItem[RequestT, ResultT] | None:
        """The first item that this GPU has not failed at, or that all others have failed at too."""
        others = self._gpus - {gpu}
        return next(
            (
                item
                for item in self._pending
                if gpu not in item.failed_on or others <= set(item.failed_on)
            ),
            None,
        )

    def _take_next(self, gpu: int) -> WorkItem[RequestT, ResultT] | None:
        item = self._next(gpu)
        if item is not None:
            self._pending.remove(item)
        return item

    def _error(self) -> EngineFailed:
        return EngineFailed(
            f"{self._reason}. What is finished is kept: run the same command again. If that ends"
            " the same way, set kokoro.device to a device that works, or to cpu."
        )


def split_by_phonemes(lengths: Sequence[int], n_gpus: int) -> list[tuple[int, ...]]:
    """Split the rows of one call into at most `n_gpus` parts of about as many phonemes.

    Returns indices of `lengths`, the longest rows first; together they are all indices. A part is
    longer than the mean by one row at most.
    """
    longest_first = np.argsort(-np.asarray(lengths, np.int64), kind="stable")
    sorted_lengths = np.asarray(lengths, np.int64)[longest_first]
    total = int(sorted_lengths.sum())
    n_parts = max(1, min(n_gpus, total // MIN_PHONEMES))
    middles = np.cumsum(sorted_lengths) - sorted_lengths / 2
    numbers = (middles * n_parts // max(1, total)).tolist()
    pairs = zip(numbers, longest_first.tolist(), strict=True)
    return [tuple(index for _, index in run) for _, run in groupby(pairs, key=lambda pair: pair[0])]
