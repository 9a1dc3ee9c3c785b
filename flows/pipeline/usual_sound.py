"""How a voice usually sounds in a book: its pace, level, pauses and ends, and how much they vary.

Every limit follows the spread that the voice has in this book: durations in a text with many
signs and numbers vary more than in a novel, and the limits are wider there. Medians and quantiles
are used, so that faults do not hide themselves. docs/design/quality.md has the figures.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from audiomill.flows.pipeline.planning.plan import PlannedSegment
from audiomill.outputs.types import Cue
from audiomill.renderers.engine.planning import estimate_s
from audiomill.renderers.engine.protocol import EngineLimits
from audiomill.renderers.takes.pace import duration_range, duration_spread, median_and_sigma
from audiomill.renderers.takes.traits import ShardTraits

# A voice that has fewer segments in the book is not known well enough to compare them.
MIN_SEGMENTS = 10

ODD_SIGMAS = 1.5  # standard deviations from which on a duration is looked into
# Of the time that planning expects, where the voice is not known: languages differ that much.
SHORTEST_UNKNOWN, LONGEST_UNKNOWN = 0.3, 6.0

# A silence is looked into from this length on, at speed 1: clean voices of Kokoro pause for 0.25 s
# at no mark of the text. One that whispers is often silent for longer, so it is compared with that.
LONG_HOLE_S = 0.62
USUAL_HOLES, HOLE_OVER_USUAL = 0.9, 1.15

# Sound may go on after the last word, as the engine times it, a little longer than is usual for the
# voice: Kokoro's voices do so for -0.5 to 0.1 s in the median, and for 0.25 s at most.
AFTER_OVER_USUAL_S, LONGEST_UNKNOWN_AFTER_S = 0.3, 0.35
# A word or two alone are timed less well: up to 0.45 s later than is usual; texts of 40 letters and
# more differ by 0.1 s (888 segments of six voices).
SHORT_TEXT_CHARS, MORE_AFTER_SHORT_TEXT_S = 40, 0.25

# Ends of a shard. A voice that ends nine in ten segments in what joining takes for silence, 45 dB
# below the loudest frame, is suspicious wherever it does not. One that begins so in silence has an
# S at -24 dB in its first millisecond. Other voices begin with a burst at times: with up to
# -11.7 dB, and with a first sample of 0.05 of the highest.
USUAL_EDGES = 0.9
EDGE_OVER_USUAL_DB = 12.0
SILENT_EDGE_DB, LOUD_EDGE_DB = -45.0, -10.0
QUIET_ONSET_DB, QUIET_ENDING_DB = -20.0, -45.0  # of voices that usually begin or end in silence
STEP, STEP_OVER_USUAL = 0.06, 3.0


@dataclass(frozen=True, slots=True)
class PlacedSegment:
    """A segment in its place: its samples in the chapter, its sound and its text."""

    segment: PlannedSegment
    cues: tuple[Cue, ...]  # of its pieces
    traits: ShardTraits
    n_letters: float
    sample_rate: int
    last_word_s: tuple[float, float] | None  # in its shard; None where it is not known

    @property
    def voiced_s(self) -> float:
        """From its first sound to its last."""
        return (self.traits.end - self.traits.start) / self.sample_rate

    @property
    def hole_s(self) -> float:
        """Its longest silence."""
        return (self.traits.hole_end - self.traits.hole_start) / self.sample_rate

    @property
    def after_last_word_s(self) -> float | None:
        """How long it speaks after the end of its last word; None where that is not known.

        Some voices end a word of its own with a click, a quarter of a second later.
        """
        if self.last_word_s is None:
            return None
        return self.traits.speech_end / self.sample_rate - self.last_word_s[1]


@dataclass(frozen=True, slots=True)
class UsualSound:
    """The usual sound of a voice in this book, and how far a segment may be from it."""

    letter_s: float
    # How much its durations vary, relative to `spread_of`; None where the voice is not known.
    duration_spread: float | None
    level_dbfs: float
    level_sigma_db: float  # infinite where the voice is not known
    offset: float
    offset_sigma: float
    hole_s: float  # the longest silence that is usual
    after_last_word_s: float  # the longest sound that is not suspicious
    # The highest that are not suspicious.
    onset_db: float
    first_step: float
    ending_db: float

    def expected_s(self, n_letters: float) -> float:
        """How long so many letters usually sound."""
        return n_letters * self.letter_s

    def duration_range(self, n_letters: float) -> tuple[float, float]:
        """The shortest and the longest that is not suspicious, of the usual duration."""
        if self.duration_spread is None:
            return SHORTEST_UNKNOWN, LONGEST_UNKNOWN
        return duration_range(n_letters, self.duration_spread)

    def is_odd(self, voiced_s: float, n_letters: float) -> bool:
        """Whether a duration that is not suspicious is so unusual that there may be a reason.

        Where the voice is not known, any may be: there are few.
        """
        if self.duration_spread is None:
            return True
        shortest, longest = duration_range(n_letters, self.duration_spread, ODD_SIGMAS)
        return not shortest < voiced_s / self.expected_s(n_letters) < longest

    def longest_after_last_word_s(self, spoken: str) -> float:
        """The longest sound after the last word of a text that is not suspicious."""
        more_s = MORE_AFTER_SHORT_TEXT_S if len(spoken) < SHORT_TEXT_CHARS else 0.0
        return self.after_last_word_s + more_s

    def has_hole(self, placed: PlacedSegment) -> bool:
        """Whether a segment has a longer silence than is usual."""
        longest_s = LONG_HOLE_S / min(1.0, placed.segment.request.speed)
        return placed.hole_s > max(longest_s, self.hole_s)


def usual_by_voice(
    segments: Iterable[PlacedSegment], limits: EngineLimits
) -> dict[str, UsualSound]:
    """The usual sound of each voice of the segments."""
    by_voice: dict[str, list[PlacedSegment]] = defaultdict(list)
    for placed in segments:
        by_voice[placed.segment.request.voice].append(placed)
    return {
        voice: _usual(group) if len(group) >= MIN_SEGMENTS else _planned_sound(group, limits)
        for voice, group in by_voice.items()
    }


def _usual(group: Sequence[PlacedSegment]) -> UsualSound:
    """The usual sound of the group."""
    letter_s, _ = median_and_sigma([placed.voiced_s / placed.n_letters for placed in group])
    return UsualSound(
        letter_s,
        duration_spread([(one.voiced_s, one.n_letters) for one in group], letter_s),
        *median_and_sigma([placed.traits.level_dbfs for placed in group]),
        *median_and_sigma([placed.traits.offset for placed in group]),
        HOLE_OVER_USUAL * float(np.quantile([placed.hole_s for placed in group], USUAL_HOLES)),
        AFTER_OVER_USUAL_S + _usual_after_last_word_s(group),
        _highest_edge([placed.traits.onset_db for placed in group], QUIET_ONSET_DB),
        _highest_step([placed.traits.first_step for placed in group]),
        _highest_edge([placed.traits.ending_db for placed in group], QUIET_ENDING_DB),
    )


def _usual_after_last_word_s(group: Sequence[PlacedSegment]) -> float:
    """The value that nine in ten of the segments stay below; 0 if no time of a word is known."""
    after_s = [one.after_last_word_s for one in group if one.after_last_word_s is not None]
    return float(np.quantile(after_s, USUAL_EDGES)) if after_s else 0.0


def _planned_sound(group: Sequence[PlacedSegment], limits: EngineLimits) -> UsualSound:
    """The sound that planning expects of a voice that has too few segments in the book."""
    expected_s = sum(estimate_s(placed.segment.request, limits) for placed in group)
    letter_s = expected_s / sum(placed.n_letters for placed in group)
    after_s = LONGEST_UNKNOWN_AFTER_S
    return UsualSound(letter_s, None, 0.0, inf, 0.0, inf, 0.0, after_s, inf, inf, inf)


def _highest_edge(levels_db: Sequence[float], quiet_db: float) -> float:
    """The highest level of a shard's first or last sound that is not suspicious.

    `quiet_db` is that of a voice that usually begins or ends in silence.
    """
    highest_db = float(np.quantile(levels_db, USUAL_EDGES)) + EDGE_OVER_USUAL_DB
    return quiet_db if highest_db <= SILENT_EDGE_DB else max(LOUD_EDGE_DB, highest_db)


def _highest_step(steps: Sequence[float]) -> float:
    """The highest first sample that is not suspicious."""
    return max(STEP, STEP_OVER_USUAL * float(np.quantile(steps, USUAL_EDGES)))
