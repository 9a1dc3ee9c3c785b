"""The search for what is fastest: candidates take turns until the time is up. Pure, but for time.

    turn 1   default  a  b  c        c is slower by far, and is not tried again
    turn 2   b  a  default           the other way round, so that nobody is always first
    turn 3   default  a  b           …
    the end  a, if it is faster than the default by more than the spread, else the default

The clock is given, so that a test can hold one of its own.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import ceil
from statistics import median
from typing import Protocol

from audiomill.flows.bench.corpus import CORPUS
from audiomill.flows.bench.measure import Tell
from audiomill.flows.bench.statistics import Verdict, spread, verdict
from audiomill.flows.bench.texts import phonemiser
from audiomill.flows.bench.variants import Variant
from audiomill.renderers.host.remote_object import RemoteError
from audiomill.renderers.options import KokoroOptions

LEAST_PASSES = 3  # of fewer, the spread is too wide to choose by
FAR = 1.25  # times as slow as the slowest pass of the default: no noise will make that good


class Bench(Protocol):
    """What measures. All raise RemoteError."""

    def load(self, variant: Variant) -> None:
        """Have it loaded."""
        ...

    def warm_up(self, variant: Variant) -> None:
        """Speak a little."""
        ...

    def run(self, variant: Variant) -> float:
        """One pass over the text, in seconds."""
        ...


@dataclass(slots=True)
class Tried:
    """A candidate, and what came of it."""

    variant: Variant
    walls: list[float] = field(default_factory=list[float])  # of each pass, in seconds
    dropped: str = ""  # why it was not tried to the end
    first_s: float = 0.0  # that its first turn took, with warming up

    @property
    def median_s(self) -> float:
        """Of a pass; without end where there is none."""
        return median(self.walls) if self.walls else float("inf")

    @property
    def spread(self) -> float | None:
        """See `spread`."""
        return spread(self.walls)


class Search:
    """Turns that end by the clock. The first candidate that loads is the default, and stays in."""

    def __init__(
        self, variants: Sequence[Variant], bench: Bench, clock: Callable[[], float], until: float
    ) -> None:
        """`until` is what the clock must not be past; no turn begins that may not end by then."""
        self.tried = [Tried(variant) for variant in variants]
        self._bench, self._clock, self._until = bench, clock, until

    def run(self, n_turns: int) -> None:
        """At most so many passes of each. Raises RemoteError if the default cannot speak."""
        self._load()
        for turn in range(n_turns):
            left = [one for one in self.tried if not one.dropped]
            if turn and len(left) == 1:
                return  # nothing is left to choose from
            if turn and not self._has_time(left):
                return  # rather than with passes of some and not of others
            for one in left if turn % 2 == 0 else reversed(left):
                is_first = one is default_of(self.tried) and not one.walls
                if not is_first and not self._has_time([one]):
                    return
                self._turn(one)
            self._drop_the_slow()

    def _load(self) -> None:
        """Load all first: how long that takes tells nothing of a turn. Raises RemoteError."""
        failures: list[RemoteError] = []
        for one in self.tried:
            try:
                self._bench.load(one.variant)
            except RemoteError as error:
                one.dropped = str(error)
                failures.append(error)
        if len(failures) == len(self.tried):
            raise failures[0]

    def _has_time(self, those: Sequence[Tried]) -> bool:
        """Whether a turn of each will end in time, if none takes longer than one has."""
        longest_s = max(one.first_s for one in self.tried)
        needed_s = sum(max(one.walls, default=longest_s) for one in those)
        return self._clock() + needed_s <= self._until

    def _turn(self, one: Tried) -> None:
        began = self._clock()
        try:
            if not one.walls:
                self._bench.warm_up(one.variant)
            one.walls.append(self._bench.run(one.variant))
        except RemoteError as error:
            if one is default_of(self.tried):
                raise
            one.dropped = str(error)
        one.first_s = one.first_s or self._clock() - began

    def _drop_the_slow(self) -> None:
        default = default_of(self.tried)
        for one in self.tried:
            if not one.dropped and one.walls and min(one.walls) > FAR * max(default.walls):
                one.dropped = "slower by far"


def default_of(tried: Sequence[Tried]) -> Tried:
    """What holds unless something is better: the first, or the first that could be loaded."""
    return next((one for one in tried if one.walls or not one.dropped), tried[0])


def best(tried: Sequence[Tried]) -> Tried:
    """The fastest of those that beat the default by more than the spread."""
    default = default_of(tried)
    better = [one for one in tried if is_better(one, default)]
    return min(better, key=lambda one: one.median_s, default=default)


def is_better(one: Tried, default: Tried) -> bool:
    """Whether so much is sure, after enough passes of both."""
    if min(len(one.walls), len(default.walls)) < LEAST_PASSES:
        return False
    ratio = default.median_s / one.median_s
    return verdict(ratio, (one.spread, default.spread)) is Verdict.FASTER


# How fast one process turns text into phonemes, and how many keep ahead of a model.

READ_S = 4.0
AHEAD = 1.5  # times as fast as the model: texts differ, and a model that waits is the dearer one


class TextReading:
    """Reads the corpus."""

    def __init__(self, options: KokoroOptions, voice: str, tell: Tell) -> None:  # noqa: ARG002
        """Loads what reads the language. Raises EngineMissing, WeightsUnfit, ImportError."""
        from audiomill.flows.bench.texts import read, sentences_of

        self._say = phonemiser(voice, options)
        self._sentences = [
            said for block in sentences_of(read(CORPUS)).values() for said in dict.fromkeys(block)
        ]

    def characters_per_s(self) -> float:
        """Of spoken text, by the time that this process computes: others may be at work."""
        began = time.process_time()
        n_chars = 0
        for sentence in dict.fromkeys(self._sentences):
            self._say(sentence)
            n_chars += len(sentence)
            if time.process_time() - began > READ_S:
                break
        return n_chars / max(time.process_time() - began, 1e-9)


def workers_wanted(spoken_per_s: float, read_per_s: float, default: int, cores: int) -> int:
    """Processes that keep ahead of a model; both rates are characters a second.

    -1, the default, where `default` processes do: more would only take memory.
    """
    wanted = min(ceil(AHEAD * spoken_per_s / read_per_s), cores)
    return wanted if wanted > default else -1
