"""How long a text should sound: from the voice's own takes, once there are some.

A duration is measured in letters of its text (`n_letters`), which languages and scripts share. The
pace of a voice in a language is learned: engines differ by a factor of 2, and languages by 3.
"""

from __future__ import annotations

import re
import threading
from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, hypot, log, sqrt
from statistics import median

from audiomill.inputs.segmentation.lengths import n_letters
from audiomill.renderers.engine.protocol import EngineLimits, Request

# Durations, in letters of the text (`n_letters`). Clean segments of 40 letters and more take 0.67
# to 1.8 times the usual time; half of one takes 0.4 to 0.6 times. Shorter ones vary more, by some
# letters: a word said alone is stretched, or swallowed.
EXTRA_LETTERS = 3.0  # the sound before and after the words, which every segment has
SHORTEST, LONGEST = 0.65, 2.0  # of the usual time
FEWER_LETTERS, MORE_LETTERS = 4.0, 20.0
# Of the time that planning expects, where a voice is not known yet. espeak-ng takes 0.42 (Chinese)
# to 1.24 times (Arabic) its 14 letters per second; readers are up to 1.5 times slower.
SHORTEST_NEW, LONGEST_NEW = 0.3, 2.2

# How much clean durations of one voice vary around the usual ones, as standard deviations of their
# logarithms: of a long text, and of a single letter. Of Kokoro's voices 0.06 at 100 letters, 0.08
# at 60 and 0.13 at 30.
SPREAD, SPREAD_OF_LETTER = 0.045, 0.55
DURATION_SIGMAS = 4.0  # of them, beyond which a duration is suspicious
SIGMA = 1.4826  # a median absolute deviation times this is the standard deviation of normal values
# A word said alone is swallowed at times: “Who are you?” takes half of the usual time.
SWALLOWED_LETTERS = 3.0

# What a clean voice pauses at most inside a text at speed 1. Rows of a table, which are little
# else than marks, take up to twice the usual time of their letters.
_COMMA_PAUSE_S, _MARK_PAUSE_S = 0.15, 0.4
_COMMA, _MARK = re.compile(r",(?=\s)"), re.compile(r"[.!?…:;—–](?=\W*\w)")

MIN_TAKES = 5  # of a voice, to know its pace; fewer than half of them may be unusual
WELL_KNOWN_TAKES = 20  # to know how much it varies, too
MAX_TAKES = 100  # the latest, which are remembered
LEARNED_LETTERS = 20.0  # shorter texts tell little


@dataclass(frozen=True, slots=True)
class Pace:
    """What is expected of a voice at one speed: its usual time, and how much may be different."""

    letter_s: float
    shortest: float = SHORTEST  # of the usual time
    longest: float = LONGEST
    spread: float | None = None  # how much it varies, relative to `spread_of`; None: not known
    speed: float = 1.0

    def expected_s(self, spoken: str) -> float:
        """How long `spoken` usually sounds."""
        return timed_letters(spoken) * self.letter_s

    def is_too_short(self, voiced_s: float, spoken: str) -> bool:
        """Whether words are missing."""
        letters = timed_letters(spoken)
        least = self.shortest * letters - FEWER_LETTERS
        if self.spread is not None:
            shortest, _ = duration_range(letters, self.spread)
            least = max(least, shortest * letters - SWALLOWED_LETTERS)
        return voiced_s < least * self.letter_s

    def is_too_long(self, voiced_s: float, spoken: str) -> bool:
        """Whether there is more than the words."""
        letters = timed_letters(spoken)
        most_s = (self.longest * letters + MORE_LETTERS) * self.letter_s
        if self.spread is not None:
            _, longest = duration_range(letters, self.spread)
            pauses_s = longest_pauses_s(spoken) / min(1.0, self.speed)
            most_s = min(most_s, longest * letters * self.letter_s + pauses_s)
        return voiced_s > most_s


class Paces:
    """The paces of an engine's voices, as learned from takes without a fault. Thread-safe."""

    def __init__(self, limits: EngineLimits) -> None:
        self._letter_s = 1 / limits.chars_per_s
        # Of each: for how long it sounded, and its letters.
        self._takes: dict[tuple[str, float], deque[tuple[float, float]]] = defaultdict(
            lambda: deque(maxlen=MAX_TAKES)
        )
        self._lock = threading.Lock()

    def of(self, request: Request) -> Pace:
        """The pace that is expected of the request's voice at its speed."""
        with self._lock:
            takes = tuple(self._takes.get((request.voice, request.speed), ()))
        if len(takes) < MIN_TAKES:
            return Pace(self._letter_s / request.speed, SHORTEST_NEW, LONGEST_NEW)
        letter_s = median(voiced_s / letters for voiced_s, letters in takes)
        spread = duration_spread(takes, letter_s) if len(takes) >= WELL_KNOWN_TAKES else None
        return Pace(letter_s, spread=spread, speed=request.speed)

    def learn(self, request: Request, voiced_s: float) -> None:
        """Note how long a take sounded that has no fault."""
        letters = timed_letters(request.spoken)
        if letters >= LEARNED_LETTERS:
            with self._lock:
                self._takes[request.voice, request.speed].append((voiced_s, letters))


def spread_of(n_letters: float) -> float:
    """The standard deviation of the logarithm of a clean duration: short texts vary more."""
    return hypot(SPREAD, SPREAD_OF_LETTER / sqrt(n_letters))


def duration_spread(takes: Sequence[tuple[float, float]], letter_s: float) -> float:
    """How much durations vary, relative to `spread_of`: 1 at least.

    Of each take: for how long it sounded, in seconds, and its letters. Few outliers change little.
    """
    off = [log(voiced_s / (letters * letter_s)) / spread_of(letters) for voiced_s, letters in takes]
    _, sigma = median_and_sigma(off)
    return max(1.0, sigma)


def median_and_sigma(values: Sequence[float]) -> tuple[float, float]:
    """The median, and a standard deviation that a few outliers do not change."""
    middle = median(values)
    return middle, SIGMA * median(abs(one - middle) for one in values)


def duration_range(
    n_letters: float, spread: float, n_sigmas: float = DURATION_SIGMAS
) -> tuple[float, float]:
    """The shortest and the longest within so many standard deviations, of the usual duration."""
    wide = n_sigmas * spread * spread_of(n_letters)
    return exp(-wide), exp(wide)


def longest_pauses_s(spoken: str) -> float:
    """How long a voice may pause inside `spoken` at speed 1, in all."""
    n_commas, n_marks = len(_COMMA.findall(spoken)), len(_MARK.findall(spoken))
    return _COMMA_PAUSE_S * n_commas + _MARK_PAUSE_S * n_marks


def timed_letters(spoken: str) -> float:
    """The letters whose time `spoken` takes, with the sound around its words."""
    return n_letters(spoken) + EXTRA_LETTERS
