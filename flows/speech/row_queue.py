"""The rows that wait to be rendered, in the order in which somebody will want to hear them.

    text A, come at 0 s     a1 due 0.0   a2 due 2.5   a3 due 6.0      as the audio before them lasts
    text B, come at 1 s     b1 due 1.0   b2 due 4.0
    order                   a1 b1 a2 b2 a3

A first sentence is due at once, and so goes before all that is not to be heard yet. Of a client
with many texts each is due after the first sentences of those before, so that nobody who sends
hundreds keeps others waiting. No row waits for ever: what comes later is due later.

Pure: the caller tells the time, in seconds of any clock, and guards it against other threads.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TypeAlias

from audiomill.renderers.engine.protocol import Request

_LEAST_S = 1e-6  # less is what is left of nothing by rounding
DurationOf = Callable[[Request], float]  # the estimated seconds of its audio
WantedSegment: TypeAlias = tuple[Request, Future[None]]  # and the future that waits for it


@dataclass(eq=False, slots=True)
class WaitingRow:
    """A segment that somebody waits for, and the futures of those who do."""

    request: Request
    waiting: list[Future[None]] = field(default_factory=list[Future[None]])
    has_begun: bool = False

    @property
    def is_wanted(self) -> bool:
        """Whether somebody still waits for it."""
        return any(not one.cancelled() for one in self.waiting)


@dataclass(order=True, frozen=True, slots=True)
class _RowPlace:
    """A row's place in the order. A row has several if more than one text wants it."""

    due_s: float
    number: int  # of rows due at the same moment, the first to come is first
    row: WaitingRow = field(compare=False)
    client: str = field(compare=False)
    backlog_s: float = field(compare=False)  # that it adds for the client's next text


class RowQueue:
    """Rows by key, and the order in which they are to be rendered."""

    def __init__(self, duration_of: DurationOf) -> None:
        self._duration_of = duration_of
        self._rows: dict[str, WaitingRow] = {}  # begun or not
        self._order: list[_RowPlace] = []  # a heap
        # The first sentences of each client that have not begun.
        self._backlogs_s = defaultdict[str, float](float)
        self._n_added = 0
        self.n_dropped = 0  # rows that nobody wanted any more when their turn came

    @property
    def n_waiting(self) -> int:
        """The rows that are waited for and have not begun."""
        return sum(row.is_wanted and not row.has_begun for row in self._rows.values())

    def add(self, wanted: Sequence[WantedSegment], client: str, now_s: float) -> None:
        """Add the segments of a text, in order, and the futures that wait for them."""
        due_s = now_s + self._backlogs_s.get(client, 0.0)
        for number, one in enumerate(wanted):
            duration_s = self._duration_of(one[0])
            self._add(one, client, due_s, 0.0 if number else duration_s)
            due_s += duration_s

    def add_following(self, wanted: Sequence[WantedSegment], client: str, due_s: float) -> None:
        """Add segments that are heard one after the other from `due_s` on.

        Those that nobody hears yet are due at `math.inf`: they are rendered in this order when
        nothing else is to be.
        """
        for one in wanted:
            self._add(one, client, due_s, 0.0)
            due_s += self._duration_of(one[0])

    def _add(self, wanted: WantedSegment, client: str, due_s: float, backlog_s: float) -> None:
        request, future = wanted
        row = self._rows.setdefault(request.key, WaitingRow(request))
        row.waiting.append(future)
        if not row.has_begun:
            self._push(row, client, due_s, backlog_s)

    def _push(self, row: WaitingRow, client: str, due_s: float, backlog_s: float) -> None:
        self._n_added += 1
        self._backlogs_s[client] += backlog_s
        heapq.heappush(self._order, _RowPlace(due_s, self._n_added, row, client, backlog_s))

    def take(self, n: int, now_s: float) -> list[WaitingRow]:
        """Up to `n` rows that are to be rendered now, in one batch; none if there are none.

        A row that is due already is rendered with others that are, or alone: more would make it
        wait.
        """
        rows, is_due = list[WaitingRow](), False
        for place in self._places(n):
            if is_due and place.due_s > now_s:
                heapq.heappush(self._order, place)
                break
            is_due = place.due_s <= now_s
            self._forget(place)
            place.row.has_begun = True
            rows.append(place.row)
        return rows

    def _places(self, n: int) -> Iterator[_RowPlace]:
        """The first places of rows that are wanted and have not begun, taken out of the order."""
        n_found = 0
        while self._order and n_found < n:
            place = heapq.heappop(self._order)
            if place.row.has_begun or self._rows.get(place.row.request.key) is not place.row:
                self._forget(place)
            elif not place.row.is_wanted:
                self._forget(place)
                del self._rows[place.row.request.key]
                self.n_dropped += 1
            else:
                n_found += 1
                yield place

    def _forget(self, place: _RowPlace) -> None:
        self._backlogs_s[place.client] -= place.backlog_s
        if self._backlogs_s[place.client] < _LEAST_S:
            del self._backlogs_s[place.client]

    def finish(self, row: WaitingRow) -> tuple[Future[None], ...]:
        """Take out a row that has been rendered, or cannot be; the futures that wait for it."""
        del self._rows[row.request.key]
        return tuple(row.waiting)

    def drop_all(self) -> None:
        """Cancel all that has not begun."""
        for row in [one for one in self._rows.values() if not one.has_begun]:
            for future in self.finish(row):
                future.cancel()
