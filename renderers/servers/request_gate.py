"""Where requests wait for a server: as many go in as its limit allows, in the order of a line.

    requests ─▶ line ─▶ its first one ─▶ in flight, up to `AdaptiveLimit`; none while the server
                                         takes none

Another take of a segment goes before all segments that have not begun, as do questions without a
text, such as whether the server still has a voice. Otherwise a run that ends by an error would have
finished none of the many segments that it has paid for. Of each kind those that came first go
first, also after a refusal.

A batch that is larger than the limit goes in when nothing else is in flight.
"""

from __future__ import annotations

import threading
from bisect import insort
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import inf

from audiomill.renderers.host.waiting import Waiter
from audiomill.renderers.servers.flow_control import AdaptiveLimit

POLL_S = 0.05  # between two looks of the first in the line: time may have opened the gate
TURN_S = 1.0  # between two looks of another one: is the run stopped?


@dataclass(frozen=True, slots=True, order=True)
class PlaceInLine:
    """A place in the line. The smallest one is the first."""

    may_wait: bool  # no segment that has begun hangs on it
    number: int
    n_items: int = 1
    turn: threading.Event = field(default_factory=threading.Event, compare=False)


@dataclass(frozen=True, slots=True)
class GateEntry:
    """A request that is in flight."""

    number: int
    began_s: float
    n_items: int = 1


@dataclass(slots=True)
class RequestGate:
    """Lets requests in up to an adaptive limit. Thread-safe.

    Of those who wait, only the first in the line looks often whether it may go in: a book has 64
    threads here, and several books hundreds, which would keep a core busy. One whose run is stopped
    leaves the line, by which the next one looks, too, and so all of its run.
    """

    limit: AdaptiveLimit
    _n_in_flight: int = 0  # items
    _n_passed: int = 0
    _decreased_at: int = 0  # the number of the first request since the limit was lowered
    _closed_until_s: float = -inf
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _line: list[PlaceInLine] = field(default_factory=list[PlaceInLine])
    _n_places: int = 0

    def place(self, n_items: int = 1, *, is_first: bool = False) -> PlaceInLine:
        """A request's place for all of its attempts: behind those that have one by now.

        With `is_first` it is before all without.
        """
        with self._lock:
            self._n_places += 1
            return PlaceInLine(not is_first, self._n_places, n_items)

    @contextmanager
    def passed(self, place: PlaceInLine, waiter: Waiter) -> Generator[GateEntry]:
        """Wait until a request may be sent, and count it. Raises what stops the run."""
        entry = self._entered(place, waiter)
        try:
            yield entry
        finally:
            with self._lock:
                self._n_in_flight -= place.n_items
                self._call_first()

    def _entered(self, place: PlaceInLine, waiter: Waiter) -> GateEntry:
        with self._in_line(place):
            while True:
                place.turn.clear()  # before the look: what happens after it ends the wait
                waiter.check()
                if self._line[0] is not place:
                    place.turn.wait(TURN_S)
                elif entry := self._try(waiter.now_s(), place.n_items):
                    return entry
                else:
                    waiter.wait(place.turn, POLL_S)

    @contextmanager
    def _in_line(self, place: PlaceInLine) -> Generator[None]:
        with self._lock:
            insort(self._line, place)
        try:
            yield
        finally:
            with self._lock:
                self._line.remove(place)
                self._call_first()

    def _call_first(self) -> None:
        """Have the first in the line look whether it may go in. Our caller holds the lock."""
        if self._line:
            self._line[0].turn.set()

    def _try(self, now_s: float, n_items: int) -> GateEntry | None:
        with self._lock:
            is_full = self._n_in_flight > 0 and self._n_in_flight + n_items > int(self.limit.now)
            if now_s < self._closed_until_s or is_full:
                return None
            self._n_in_flight += n_items
            self._n_passed += 1
            return GateEntry(self._n_passed, now_s, n_items)

    def succeeded(self, entry: GateEntry, n_chars: int, now_s: float) -> None:
        """The request of `entry` had its reply; `n_chars` is of its longest item."""
        duration_s = now_s - entry.began_s
        with self._lock:
            self.limit.succeeded(self._n_in_flight, n_chars, duration_s, entry.n_items)

    def counted(self, entry: GateEntry, n_counted: int, n_allowed: int) -> None:
        """The server counts so many requests of our account, and allows so many.

        If it has more than it allows, they wait there: that is as good as a refusal, and cheaper.
        """
        with self._lock:
            n_others = max(0, n_counted - self._n_in_flight)
            self.limit.counted(n_allowed - n_others, n_allowed)
            if n_counted > n_allowed and self._is_new(entry):
                self.limit.refused(self._n_in_flight)

    def refused(self, entry: GateEntry, until_s: float) -> None:
        """The server refused the request for now: it has too many.

        If it refuses even one at a time, nothing goes in until then.
        """
        with self._lock:
            if self._is_new(entry):
                self.limit.refused(self._n_in_flight)
            if self.limit.now < 2 * entry.n_items:
                self._closed_until_s = max(self._closed_until_s, until_s)

    def failed(self, entry: GateEntry, until_s: float) -> None:
        """The server failed. Nothing goes in until then."""
        with self._lock:
            self._closed_until_s = max(self._closed_until_s, until_s)
            if self._is_new(entry):
                self.limit.failed()

    def _is_new(self, entry: GateEntry) -> bool:
        """False for a request of before the limit was lowered: it tells nothing new."""
        if entry.number < self._decreased_at:
            return False
        self._decreased_at = self._n_passed + 1
        return True
