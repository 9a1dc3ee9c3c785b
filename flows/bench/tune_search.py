"""The search for the fastest candidate: candidates alternate until the time is up. Pure.

    round 1   default  a  b  c        c is much slower, and is not tried again
    round 2   b  a  default           in reverse order, so that no candidate is always first
    round 3   default  a  b           …
    the end   a if it is faster than the default by more than the spread, else the default

The clock is a parameter, so that a test can use its own.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import ceil
from statistics import median
from typing import Protocol

from audiomill.flows.bench.corpus import CORPUS, BenchText
from audiomill.flows.bench.measure import ReportProgress
from audiomill.flows.bench.passes import BenchOutput
from audiomill.flows.bench.statistics import Verdict, spread, verdict
from audiomill.flows.bench.texts import read, sentences_of
from audiomill.flows.bench.variants import Variant
from audiomill.renderers.engine.benchmarking import BenchModel, Tuning
from audiomill.renderers.host.child_object import ChildObject, ChildObjectError

MIN_PASSES = 3  # with fewer, the spread is too wide for a choice
# A candidate is dropped if its fastest pass is slower than the slowest pass of the default by this
# factor: no noise makes up for that.
MUCH_SLOWER = 1.25
G2P_MEASURE_S = 4.0
G2P_RESERVE_S = 20.0  # of the time limit, for measuring text to phonemes
# G2P processes together are this many times as fast as the model: texts differ, and a model that
# waits costs more than a process that waits.
G2P_HEADROOM = 1.5


class VariantRunner(Protocol):
    """Runs variants and measures them. All methods raise ChildObjectError."""

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
        """Run at most `n_rounds` passes of each. Raises ChildObjectError if the default fails."""
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

        Raises ChildObjectError if none can be loaded.
        """
        failures: list[ChildObjectError] = []
        for one in self.candidates:
            try:
                self._runner.load(one.variant)
            except ChildObjectError as error:
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
        except ChildObjectError as error:
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


class G2pSpeed:
    """Measures text to phonemes on the corpus. Needs the full installation."""

    def __init__(self, model: BenchModel, voice: str, report: ReportProgress) -> None:  # noqa: ARG002
        """Loads the G2P. Raises EngineMissing, WeightsUnfit, ImportError."""
        blocks = sentences_of(read(CORPUS)).values()
        # Without duplicates: the phonemizer remembers what it has seen.
        self._sentences = list(dict.fromkeys(sentence for block in blocks for sentence in block))
        self._to_rows = model.to_rows(voice)

    def characters_per_s(self) -> float:
        """Characters of spoken text per second of processor time: others may use the cores too."""
        start_s = time.process_time()
        n_chars = 0
        for sentence in self._sentences:
            self._to_rows(sentence)
            n_chars += len(sentence)
            if time.process_time() - start_s > G2P_MEASURE_S:
                break
        return n_chars / max(time.process_time() - start_s, 1e-9)


@dataclass(frozen=True, slots=True)
class G2pRate:
    """The rates of text to phonemes and of synthesis, in characters per second."""

    g2p_per_s: float | str  # of one process, or why it was not measured
    synthesis_per_s: float
    default_workers: int

    @property
    def sentence(self) -> str:
        """Both rates as a sentence."""
        if isinstance(self.g2p_per_s, str):
            return f"Text to phonemes was not measured: {self.g2p_per_s}."
        return (
            f"One process turns {self.g2p_per_s:,.0f} characters a second into phonemes,"
            f" {self.synthesis_per_s:,.0f} are spoken; by the cores there are"
            f" {self.default_workers}."
        )


def workers_needed(synthesis_per_s: float, g2p_per_s: float, default: int, cores: int) -> int:
    """The number of G2P processes that keep ahead of a model, by rates in characters per second.

    -1, the default, if `default` processes do: more would only take memory.
    """
    needed = min(ceil(G2P_HEADROOM * synthesis_per_s / g2p_per_s), cores)
    return needed if needed > default else -1


def measure_g2p(
    model: BenchModel,
    tuning: Tuning,
    text: BenchText,
    chosen: Candidate,
    left_s: float,
    output: BenchOutput,
) -> G2pRate:
    """The rates with the best candidate. G2P is measured if `left_s` is enough."""
    n_chars = sum(line.n_chars for line in text.lines(chosen.variant.chunking))
    g2p_per_s = _g2p_per_s(model, text, left_s, output)
    return G2pRate(g2p_per_s, n_chars / chosen.median_s, tuning.default_workers())


def _g2p_per_s(
    model: BenchModel, text: BenchText, left_s: float, output: BenchOutput
) -> float | str:
    """The characters per second of one G2P process, or why they were not measured."""
    if left_s < G2P_RESERVE_S / 2:
        return "there was no time left"
    output.say("turning text into phonemes")
    try:
        with ChildObject(G2pSpeed, model, text.voice) as remote:
            return float(remote.call("characters_per_s"))
    except ChildObjectError as error:
        return str(error)
