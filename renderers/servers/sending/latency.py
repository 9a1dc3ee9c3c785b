"""Whether a server queues, told by how long its replies take.

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
