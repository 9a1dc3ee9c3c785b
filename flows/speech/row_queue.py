"""The rows that wait to be rendered, in the order in which somebody will want to hear them.

    text A, come at 0 s     a1 at once   a2 when a1 has been played   a3 when a2 has
    text B, come at 1 s     b1 at once   b2 when b1 has been played
    order                   a1 b1 a2 b2 a3

1. First sentences of texts that nothing is heard of, by when the texts came; and the next one of
   each listener who has stood still for PATIENCE_S. Not those of a client that was given AHEAD_S
   more than another one who waits.
2. All others that are due: a listener has heard all there is, and who has for longest goes first.
3. Rows that are not due yet, by when their listener will have heard all there is.
4. Rows that nobody hears, in their order.

In 1 and 2 the client that was given least goes first. So it makes no difference to a listener
whether others come from the same address (a proxy's, with many users) or from their own; and
whoever sends hundreds of texts shares with all other clients.

Pure: the caller tells the time, in seconds of any clock, and guards it against other threads.
"""

from __future__ import annotations

import heapq
import math
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from enum import IntEnum
from functools import partial
from typing import TypeAlias

from audiomill.renderers.engine.protocol import Request

PATIENCE_S = 10.0  # of a listener who stands still, before new texts
AHEAD_S = 30.0  # of sound


class Priority(IntEnum):
    """Which rows go before which others."""

    AT_ONCE = 1
    DUE = 2
    LATER = 3


Key: TypeAlias = tuple[Priority, float, float, int]


@dataclass(frozen=True, slots=True)
class WantedSegment:
    """A segment of a text that the store lacks, and the future that waits for it."""

    request: Request
    future: Future[None]
    plays_s: float  # the sound of it, and of what is stored between it and the next one


@dataclass(eq=False, slots=True)
class WaitingRow:
    """A segment that somebody waits for, and the futures of those who do."""

    request: Request
    waiting: list[Future[None]] = field(default_factory=list[Future[None]])
    has_begun: bool = False
    finished_s: float | None = None

    @property
    def is_wanted(self) -> bool:
        """Whether somebody still waits for it."""
        return any(not one.cancelled() for one in self.waiting)


@dataclass(frozen=True, slots=True)
class _Segment:
    row: WaitingRow
    future: Future[None]
    plays_s: float


@dataclass(eq=False, slots=True)
class _Text:
    """What is left of a text, and how long its listener has something to hear."""

    client: str
    number: int  # of texts, in the order in which they came
    heard_until_s: float  # while nothing is heard of it: when it came
    has_sound: bool
    left: deque[_Segment]  # that have not begun
    begun: deque[_Segment] = field(default_factory=deque[_Segment])  # and are not heard yet

    @property
    def is_heard(self) -> bool:
        """Whether somebody hears it, now or later."""
        return self.heard_until_s < math.inf

    def begin_next(self) -> None:
        """The next segment is being rendered."""
        self.begun.append(self.left.popleft())

    def hear(self) -> None:
        """Take what is finished as heard, in its order."""
        while self.begun and (finished_s := self.begun[0].row.finished_s) is not None:
            since_s = max(self.heard_until_s, finished_s)
            self.heard_until_s = since_s + self.begun.popleft().plays_s
            self.has_sound = True

    def due_s(self, now_s: float) -> float:
        """When the next segment is wanted."""
        if not self.begun:
            return self.heard_until_s
        return max(self.heard_until_s, now_s) + sum(one.plays_s for one in self.begun)

    def is_first(self) -> bool:
        """Whether the next segment is the first that is heard of it."""
        return not (self.has_sound or self.begun)

    def is_due(self, now_s: float) -> bool:
        """Whether somebody waits for the next segment."""
        return self.is_first() or self.due_s(now_s) <= now_s

    def key(self, now_s: float, given_s: float, least_given_s: float) -> Key:
        """Its place in the order of the module.

        `given_s` is what its client was given, and `least_given_s` what one of all who wait was.
        """
        due_s = self.due_s(now_s)
        if not self.is_due(now_s):
            return Priority.LATER, due_s, 0.0, self.number
        wanted_s = due_s if self.is_first() else due_s + PATIENCE_S
        is_urgent = wanted_s <= now_s and given_s - least_given_s < AHEAD_S
        return Priority.AT_ONCE if is_urgent else Priority.DUE, given_s, wanted_s, self.number


class RowQueue:
    """Rows by key, and the texts that they belong to."""

    def __init__(self) -> None:
        self._rows: dict[str, WaitingRow] = {}  # begun or not
        self._texts: list[_Text] = []  # with segments that have not begun
        self._given_s: dict[str, float] = {}  # to each client, beside the others: seconds of sound
        self._n_added = 0
        self.n_dropped = 0  # rows that nobody wanted any more when their turn came

    @property
    def n_waiting(self) -> int:
        """The rows that are waited for and have not begun."""
        return sum(row.is_wanted and not row.has_begun for row in self._rows.values())

    def add(
        self, wanted: Sequence[WantedSegment], client: str, now_s: float, stored_s: float = 0.0
    ) -> None:
        """Add the segments of a text, in order. `stored_s`: of sound that is there before them."""
        self._add(wanted, client, now_s + stored_s, has_sound=stored_s > 0)

    def add_following(self, wanted: Sequence[WantedSegment], client: str, due_s: float) -> None:
        """Add segments that are heard one after the other from `due_s` on.

        Those that nobody hears yet are due at `math.inf`: they are rendered in this order when
        nothing else is to be.
        """
        self._add(wanted, client, due_s, has_sound=True)

    def _add(
        self, wanted: Sequence[WantedSegment], client: str, due_s: float, *, has_sound: bool
    ) -> None:
        if not wanted:
            return
        self._n_added += 1
        left = deque(self._segment(one) for one in wanted)
        self._count_from_least(client)
        self._texts.append(_Text(client, self._n_added, due_s, has_sound, left))

    def _segment(self, wanted: WantedSegment) -> _Segment:
        row = self._rows.setdefault(wanted.request.key, WaitingRow(wanted.request))
        row.waiting.append(wanted.future)
        return _Segment(row, wanted.future, wanted.plays_s)

    def _count_from_least(self, client: str) -> None:
        """Count a client as given no less than the one who was given least of those who wait."""
        waiting = {one.client for one in self._texts}
        hearing = {one.client for one in self._texts if one.is_heard}
        least_s = min((self._given_s[one] for one in hearing), default=0.0)
        # Who has gone and was given no more than that would begin with as much.
        self._given_s = {
            name: given_s
            for name, given_s in self._given_s.items()
            if name in waiting or (hearing and given_s > least_s)
        }
        self._given_s[client] = max(least_s, self._given_s.get(client, 0.0))

    def take(self, n: int, now_s: float) -> list[WaitingRow]:
        """Up to `n` rows that are to be rendered now, in one batch; none if there are none.

        A row that is due already is rendered with others that are, or alone: more would make it
        wait.
        """
        self._texts = [text for text in self._texts if self._advance(text)]
        given_s = (self._given_s[one.client] for one in self._texts if one.is_due(now_s))
        key_of = partial(self._key, now_s=now_s, least_given_s=min(given_s, default=0.0))
        order = [(key_of(text), text) for text in self._texts]
        heapq.heapify(order)
        rows, has_due = list[WaitingRow](), False
        while order and len(rows) < n:
            key, text = heapq.heappop(order)
            if not self._advance(text):  # the rest of it has begun for another text
                continue
            if key != (current := key_of(text)):  # its client was given more meanwhile
                heapq.heappush(order, (current, text))
                continue
            if has_due and key[0] is Priority.LATER:
                break
            has_due = key[0] is not Priority.LATER
            rows.append(self._begin(text))
            if self._advance(text):
                heapq.heappush(order, (key_of(text), text))
        return rows

    def _key(self, text: _Text, now_s: float, least_given_s: float) -> Key:
        return text.key(now_s, self._given_s[text.client], least_given_s)

    def _begin(self, text: _Text) -> WaitingRow:
        segment = text.left[0]
        segment.row.has_begun = True
        text.begin_next()
        if text.is_heard:
            self._given_s[text.client] += segment.plays_s
        return segment.row

    def _advance(self, text: _Text) -> bool:
        """Bring a text to its next segment that is wanted and has not begun; whether it has one."""
        while text.left:
            segment = text.left[0]
            if segment.row.has_begun:  # for another text
                text.begin_next()
            elif segment.future.cancelled():
                text.left.popleft()
                self._drop(segment.row)
            else:
                break
        text.hear()
        return bool(text.left)

    def _drop(self, row: WaitingRow) -> None:
        """Forget a row, unless somebody else wants it."""
        if self._rows.get(row.request.key) is row and not row.is_wanted:
            del self._rows[row.request.key]
            self.n_dropped += 1

    def finish(self, row: WaitingRow, now_s: float) -> tuple[Future[None], ...]:
        """Take out a row that has been rendered, or cannot be; the futures that wait for it."""
        row.finished_s = now_s
        del self._rows[row.request.key]
        return tuple(row.waiting)

    def drop_all(self) -> None:
        """Cancel all that has not begun."""
        for row in [one for one in self._rows.values() if not one.has_begun]:
            del self._rows[row.request.key]
            for future in row.waiting:
                future.cancel()
