"""What follows from when the parts of texts came: first audio, standstills, throughput. Pure.

    parts came   .2      1.1            4.0
    played          [0.9 s ][1.5 s ]....[       ]      it stood still for 1.4 s

A player at normal speed begins with the first part, and stands still where it has played all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from audiomill.flows.bench.statistics import quantile

SAMPLE_RATE = 24_000  # of raw samples in OpenAI's protocol: 16 bits, mono
_BYTES_PER_S = 2 * SAMPLE_RATE


@dataclass(frozen=True, slots=True)
class Arrival:
    """A part of the audio: seconds after the request, and bytes."""

    at_s: float
    n_bytes: int


@dataclass(frozen=True, slots=True)
class TimedSpeech:
    """The audio of a text as it came. `error` says what went wrong; "" if nothing did."""

    arrivals: tuple[Arrival, ...]
    error: str = ""
    given_up_s: float | None = None  # its time was over so long after the request

    @property
    def is_timed(self) -> bool:
        """Whether its times count: of all but those that failed, or were not asked for."""
        return not self.error or self.given_up_s is not None

    @property
    def first_s(self) -> float | None:
        """The time to first audio; until it was given up if there was none. None of errors."""
        if not self.is_timed:
            return None
        return self.arrivals[0].at_s if self.arrivals else self.given_up_s

    @property
    def audio_s(self) -> float:
        """The seconds of audio that came."""
        return sum(one.n_bytes for one in self.arrivals) / _BYTES_PER_S

    @property
    def still_s(self) -> float:
        """The longest time for which a player at normal speed stood still."""
        longest_s, played_until_s = 0.0, self.arrivals[0].at_s if self.arrivals else 0.0
        for one in self.arrivals:
            longest_s = max(longest_s, one.at_s - played_until_s)
            played_until_s = max(played_until_s, one.at_s) + one.n_bytes / _BYTES_PER_S
        if self.arrivals and self.given_up_s is not None:
            longest_s = max(longest_s, self.given_up_s - played_until_s)
        return longest_s


@dataclass(frozen=True, slots=True)
class StoreHits:
    """Sentences that a server was asked for, and those of them that its store had."""

    n_stored: int
    n_sentences: int

    def since(self, before: StoreHits) -> StoreHits:
        """Those that came after an earlier count."""
        return StoreHits(self.n_stored - before.n_stored, self.n_sentences - before.n_sentences)


@dataclass(frozen=True, slots=True)
class LevelFigures:
    """The figures of one number of requests in flight. Seconds; None: no text was said."""

    in_flight: int
    n_texts: int
    first_p50_s: float | None
    first_p95_s: float | None
    first_p99_s: float | None
    still_s: float  # the longest of all players
    n_stood_still: int  # players that did
    speed: float  # seconds of audio per second, of all together
    errors: Mapping[str, int]  # by what went wrong
    hits: StoreHits | None = None  # of all clients of the server; None if it does not tell

    @property
    def n_errors(self) -> int:
        """The texts that were not said."""
        return sum(self.errors.values())


def level_figures(in_flight: int, spoken: Sequence[TimedSpeech], wall_s: float) -> LevelFigures:
    """The figures of texts that were said in `wall_s` seconds."""
    firsts_s = [one.first_s for one in spoken if one.first_s is not None]
    p50_s, p95_s, p99_s = (
        quantile(firsts_s, share) if firsts_s else None for share in (0.5, 0.95, 0.99)
    )
    stills_s = [one.still_s for one in spoken if one.is_timed]
    return LevelFigures(
        in_flight=in_flight,
        n_texts=len(spoken),
        first_p50_s=p50_s,
        first_p95_s=p95_s,
        first_p99_s=p99_s,
        still_s=max(stills_s, default=0.0),
        n_stood_still=sum(one > 0 for one in stills_s),
        speed=sum(one.audio_s for one in spoken if one.is_timed) / wall_s,
        errors=dict(Counter(one.error for one in spoken if one.error)),
    )
