"""The search for the fastest candidate: candidates alternate until the time is up. Pure.

    round 1   default  a  b  c        c is much slower, and is not tried again
    round 2   b  a  default           in reverse order, so that no candidate is always first
    round 3   default  a  b           …
    the end   a if it is faster than the default by more than the spread, else the default

The clock is a parameter, so that a test can use its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Protocol

from audiomill.flows.bench.statistics import Verdict, spread, verdict
from audiomill.flows.bench.variants import Variant
from audiomill.renderers.host.remote_object import RemoteError

MIN_PASSES = 3  # with fewer, the spread is too wide for a choice
# A candidate is dropped if its fastest pass is slower than the slowest pass of the default by this
# factor: no noise makes up for that.
MUCH_SLOWER = 1.25


class VariantRunner(Protocol):
    """Runs variants and measures them. All methods raise RemoteError."""

    def load(self, variant: Variant) -> None:
        """Load the engine."""
        ...

    def warm_up(self, variant: Variant) -> None:
        """Synthesize a little."""
        ...

    def run(self, variant: Variant) -> float:
        """The seconds of one pass over the text."""
        ...


@dataclass(slots=True)
class Candidate:
    """A variant with its passes so far."""

    variant: Variant
    walls: list[float] = field(default_factory=list[float])  # seconds of each pass
    dropped: str = ""  # why it was given up, or ""
    first_s: float = 0.0  # seconds of its first pass and the warm-up before it

    @property
    def median_s(self) -> float:
        """The median time of a pass in seconds; infinite without passes."""
        return median(self.walls) if self.walls else float("inf")

    @property
    def spread(self) -> float | None:
        """See `spread`."""
        return spread(self.walls)


class Search:
    """Rounds of passes within a time limit.

    The first candidate that loads is the default, which is never dropped.
    """

    def __init__(
        self,
        variants: Sequence[Variant],
        runner: VariantRunner,
        clock: Callable[[], float],
        until: float,
    ) -> None:
        """No pass begins that may end when the clock is past `until`."""
        self.candidates = [Candidate(variant) for variant in variants]
        self._runner, self._clock, self._until = runner, clock, until

    def run(self, n_rounds: int) -> None:
        """Run at most `n_rounds` passes of each. Raises RemoteError if the default fails."""
        self._load()
        for number in range(n_rounds):
            remaining = [one for one in self.candidates if not one.dropped]
            if number and len(remaining) == 1:
                return  # there is no choice left
            if number and not self._has_time(remaining):
                return  # a round is complete or not begun
            for one in remaining if number % 2 == 0 else reversed(remaining):
                is_first = one is default_of(self.candidates) and not one.walls
                if not is_first and not self._has_time([one]):
                    return
                self._pass(one)
            self._drop_slow()

    def _load(self) -> None:
        """Load all engines first: the time for loading says nothing about the time of a pass.

        Raises RemoteError if none can be loaded.
        """
        failures: list[RemoteError] = []
        for one in self.candidates:
            try:
                self._runner.load(one.variant)
            except RemoteError as error:
                one.dropped = str(error)
                failures.append(error)
        if len(failures) == len(self.candidates):
            raise failures[0]

    def _has_time(self, candidates: Sequence[Candidate]) -> bool:
        """True if a pass of each ends in time, provided that none takes longer than any so far."""
        longest_s = max(one.first_s for one in self.candidates)
        needed_s = sum(max(one.walls, default=longest_s) for one in candidates)
        return self._clock() + needed_s <= self._until

    def _pass(self, one: Candidate) -> None:
        start_s = self._clock()
        try:
            if not one.walls:
                self._runner.warm_up(one.variant)
            one.walls.append(self._runner.run(one.variant))
        except RemoteError as error:
            if one is default_of(self.candidates):
                raise
            one.dropped = str(error)
        one.first_s = one.first_s or self._clock() - start_s

    def _drop_slow(self) -> None:
        default = default_of(self.candidates)
        for one in self.candidates:
            if not one.dropped and one.walls and min(one.walls) > MUCH_SLOWER * max(default.walls):
                one.dropped = "slower by far"


def default_of(candidates: Sequence[Candidate]) -> Candidate:
    """The candidate that is chosen unless another is better: the first that could be loaded."""
    usable = (one for one in candidates if one.walls or not one.dropped)
    return next(usable, candidates[0])


def best(candidates: Sequence[Candidate]) -> Candidate:
    """The fastest candidate that beats the default by more than the spread, else the default."""
    default = default_of(candidates)
    better = [one for one in candidates if is_better(one, default)]
    return min(better, key=lambda one: one.median_s, default=default)


def is_better(one: Candidate, default: Candidate) -> bool:
    """True if `one` is faster by more than the spread, after enough passes of both."""
    if min(len(one.walls), len(default.walls)) < MIN_PASSES:
        return False
    ratio = default.median_s / one.median_s
    return verdict(ratio, (one.spread, default.spread)) is Verdict.FASTER
