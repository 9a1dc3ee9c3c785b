"""How many texts a server gets at a time: as many as it likes, found by trying.

    replies ─▶ AdaptiveLimit ─▶ the limit: doubled until the server has had enough, then a little
                                more each time (additive increase), less when it refuses
                                (multiplicative decrease) or queues

The rule is that of TCP (RFC 5681) with texts in place of segments: doubled after each window of
replies until the server has had enough, then one more after four rounds. After a failure, the next
replies bring it back to half of what it was. A server that queues instead of refusing shows it by
its latency (`LatencyWatch`): the limit stays where replies begin to take twice as long. If they go
on to, half as many requests show whether it is the queue, or the server is slower than before.

A request has one text, or is a batch of several, its items. The limit counts items.

Whether a server queues is told by how long its replies take:

    replies ─▶ a window of them ─▶ its median ─▶ against the best window's: is it stretched?

One reply tells nothing: on a busy machine a reply takes several times as long as another one now
and then, and the shortest of many is several times shorter than usual. So medians are compared,
each of a window of replies, as Envoy's adaptive concurrency does with percentiles; the smallest
time of a single reply is the measure of TCP Vegas, whose network has less noise.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from statistics import median

# Time for a character, against the best window's, from which the server is taken to queue.
QUEUEING = 2.0
# Characters that take as long as what every request takes, however short it is.
OVERHEAD_CHARS = 50
MIN_ITEMS, ROUNDS = 10, 2  # of a window, which has so many for each item in flight
# Stretched windows in a row, after which half as many requests show what is usual by now.
MAX_STRETCHED = 8

FIRST_LIMIT = 2.0
DECREASE = 0.85  # of the requests in flight, once the server refuses one
ROUNDS_PER_INCREASE = 4  # in which all requests in flight succeed, after the first refusal


@dataclass(slots=True)
class LatencyWatch:
    """The windows of a server's replies. Not thread-safe."""

    n_stretched: int = 0  # windows, in a row
    _n_items: int = 0  # in the replies of this window
    _chars_s: list[float] = field(default_factory=list[float])  # of this window, for a character
    _best_s: float = inf  # median of a window

    def note(self, n_chars: int, duration_s: float, limit: float, n_items: int) -> int:
        """Note a reply. Returns the items of its window if it was the last one of it, else 0.

        `n_chars` is of the longest of its items, `limit` that of items in flight.
        """
        self._n_items += n_items
        self._chars_s.append(duration_s / (n_chars + OVERHEAD_CHARS))
        if self._n_items < max(MIN_ITEMS, ROUNDS * int(limit)):
            return 0
        n_noted = self._n_items
        usual_s = median(self._chars_s)
        self._best_s = min(self._best_s, usual_s)
        is_stretched = usual_s > QUEUEING * self._best_s
        self.n_stretched = self.n_stretched + 1 if is_stretched else 0
        self.begin_window()
        return n_noted

    def begin_window(self) -> None:
        """Forget the replies of this window: the limit has changed."""
        self._chars_s.clear()
        self._n_items = 0

    def measure_anew(self) -> None:
        """Forget what was best: the next window tells."""
        self._best_s = inf
        self.n_stretched = 0
        self.begin_window()


@dataclass(slots=True)
class AdaptiveLimit:
    """The number of items that a server may have in flight. Not thread-safe."""

    highest: int
    now: float = FIRST_LIMIT
    _server_limit: float = inf  # as the server tells, if it does
    _enough: float = inf  # from where the limit is no longer doubled
    _before: float = field(init=False)  # it was doubled last
    _regain: float = 0.0  # to where it grows with each reply, after a failure
    _latency: LatencyWatch = field(default_factory=LatencyWatch)

    def __post_init__(self) -> None:
        self.now = self._before = max(1.0, min(self.now, self.highest))

    def succeeded(
        self, n_in_flight: int, n_chars: int, duration_s: float, n_items: int = 1
    ) -> None:
        """A reply came, with so many items in flight, its own included.

        `n_chars` is of the longest of its items, which a server speaks side by side.
        """
        if n_in_flight + n_items <= int(self.now):
            return  # fewer than there might be tell nothing of more
        if self.now < self._regain:
            self.now = min(self.now + n_items, self._regain, self.highest, self._server_limit)
            return
        n_noted = self._latency.note(n_chars, duration_s, self.now, n_items)
        if not n_noted:
            return
        n_stretched = self._latency.n_stretched
        if not n_stretched:
            self._raise(n_noted, n_items)
        elif n_stretched >= MAX_STRETCHED:
            self._lower(self.now / 2)
            self._latency.measure_anew()
        elif self._enough == inf:
            self._lower(min(self._before, self.now))

    def _raise(self, n_noted: int, n_items: int) -> None:
        """After a window of `n_noted` items in time, of which the last reply had `n_items`."""
        more = min(1.0, n_noted / (ROUNDS_PER_INCREASE * self.now))
        if self.now < self._enough:
            self._before, more = self.now, max(self.now, n_items)
        self.now = min(self.now + more, self.highest, self._server_limit)

    def counted(self, n_free: int, n_allowed: int) -> None:
        """The server tells how many requests it takes, and how many of them are ours to use."""
        self._server_limit = max(1, n_allowed)
        most = min(self.highest, self._server_limit)
        begun = self.now if self._enough < inf else max(self.now, n_free)
        self.now = min(begun, most)
        self._before = max(self._before, self.now)

    def refused(self, n_in_flight: int) -> None:
        """The server has too many items with so many in flight, the refused ones included."""
        self._lower(DECREASE * min(self.now, n_in_flight))

    def failed(self) -> None:
        """The server fails: one item at a time shows when it works again."""
        if self.now > 1:
            self._regain = max(FIRST_LIMIT, self.now / 2)
        self.now = 1.0
        self._latency.begin_window()

    def _lower(self, limit: float) -> None:
        self.now = self._enough = max(1.0, limit)
        self._regain = min(self._regain, self.now)
        self._latency.begin_window()
