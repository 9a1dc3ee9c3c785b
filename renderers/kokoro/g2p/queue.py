"""The texts that wait to be converted to phonemes. Knows no processes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice
from threading import Condition

# Texts that a worker gets at once: enough that it seldom waits, few enough that the first phonemes
# come soon.
TEXTS_AT_ONCE = 16


@dataclass(frozen=True, slots=True)
class G2PRequest:
    """A text to be read, and the code of its language."""

    code: str
    text: str


@dataclass(slots=True)
class G2PQueue:
    """The texts that wait for a worker, and those that a worker reads. Any thread may use it."""

    _pending: OrderedDict[G2PRequest, None] = field(default_factory=OrderedDict[G2PRequest, None])
    _in_progress: set[G2PRequest] = field(default_factory=set[G2PRequest])
    _n_workers: int = 0
    _is_closed: bool = False
    _changed: Condition = field(default_factory=Condition)

    @property
    def is_closed(self) -> bool:
        """True once the queue takes no more requests."""
        return self._is_closed

    def prefetch(self, requests: Iterable[G2PRequest]) -> None:
        """Add the requests that the queue lacks, in their order."""
        with self._changed:
            for request in () if self._is_closed else requests:
                if request not in self._in_progress:
                    self._pending.setdefault(request)
            self._changed.notify_all()

    def add_worker(self) -> None:
        """Count one more worker that takes requests."""
        with self._changed:
            self._n_workers += 1

    def remove_worker(self) -> None:
        """Count one worker less."""
        with self._changed:
            self._n_workers -= 1
            self._changed.notify_all()

    def take(self) -> list[G2PRequest]:
        """Wait for requests and return the next few of one language; none once closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._pending or self._is_closed)
            if self._is_closed:
                return []
            code = next(iter(self._pending)).code
            same_language = (request for request in self._pending if request.code == code)
            requests = list(islice(same_language, TEXTS_AT_ONCE))
            for request in requests:
                del self._pending[request]
            self._in_progress.update(requests)
            return requests

    def settle(self, requests: Iterable[G2PRequest]) -> None:
        """Mark `requests` as no longer in progress: they are read, or given up."""
        with self._changed:
            self._in_progress.difference_update(requests)
            self._changed.notify_all()

    def wait(self, request: G2PRequest) -> None:
        """Wait until no worker reads `request` or will read it. Moves it to the front."""
        with self._changed:
            if request in self._pending:
                self._pending.move_to_end(request, last=False)
            self._changed.wait_for(lambda: not self._is_expected(request))
            self._pending.pop(request, None)

    def close(self) -> None:
        """Drop pending requests, and take no more."""
        with self._changed:
            self._is_closed = True
            self._pending.clear()
            self._changed.notify_all()

    def _is_expected(self, request: G2PRequest) -> bool:
        return request in self._in_progress or (request in self._pending and self._n_workers > 0)
