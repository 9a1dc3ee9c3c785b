"""Finds segments whose audio is probably faulty, beside the others of their voice in the book.

    traits of all shards ─▶ what is usual for each voice ─▶ suspects, with their times

Every limit follows the spread that the voice has in this book: durations in a text with many
signs and numbers vary more than in a novel, and the limits are wider there. Medians and quantiles
are used, so that faults do not hide themselves. LOG.md, "Quality of segments", has the figures.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import exp, inf

import numpy as np
from numpy.typing import NDArray

from audiomill.flows.pipeline.planning.plan import ChapterPlan, PlannedSegment
from audiomill.flows.pipeline.rendering.chapter_places import ChapterPlace, heard_at
from audiomill.outputs.types import Cue, MeasuredChapter
from audiomill.renderers.base import EngineLimits
from audiomill.renderers.planning import estimate_s
from audiomill.renderers.takes.faults import Fault, Finding
from audiomill.renderers.takes.pace import (
    FEWER_LETTERS,
    LONGEST,
    MORE_LETTERS,
    SHORTEST,
    timed_letters,
)
from audiomill.renderers.takes.traits import SMALLEST_OFFSET, ShardTraits, own_faults

# A voice that has fewer segments in the book is not known well enough to compare them.
MIN_SEGMENTS = 10
SIGMA = 1.4826  # a median absolute deviation times this is the standard deviation of normal values

# Standard deviations beyond which a duration is suspicious, in books that vary more.
DURATION_SIGMAS = 4.0
# Of the time that planning expects, where the voice is not known: languages differ that much.
SHORTEST_UNKNOWN, LONGEST_UNKNOWN = 0.3, 6.0

# Levels. Clean segments of one voice differ by 4 dB, or by 4.7 standard deviations in 40 letters
# and by 12 in fewer: Hebrew has sentences of three voiceless syllables.
LEVEL_DB = 8.0
MANY_LETTERS = 40.0
LEVEL_SIGMAS_LONG, LEVEL_SIGMAS_SHORT = 6.0, 14.0

# DC. A voice may have some in all its segments, which joining removes; espeak-ng has none.
OFFSET_SIGMAS = 8.0

# Ends of a shard. A voice that begins and ends nine in ten segments in what joining takes for
# silence, 45 dB below the loudest frame, is suspicious wherever it does not. Other voices begin
# with a burst at times: with up to -11.7 dB, and with a first sample of 0.05 of the highest.
USUAL_EDGES = 0.9
EDGE_OVER_USUAL_DB = 12.0
QUIET_EDGE_DB, LOUD_EDGE_DB = -45.0, -10.0
STEP, STEP_OVER_USUAL = 0.06, 3.0


@dataclass(frozen=True, slots=True)
class Suspect:
    """A segment whose audio may be faulty, and where it is heard."""

    fault: Fault
    words: str  # how large the fault is: "1.2 s, expected 2.5 s"
    chapter_number: int
    chapter: str
    recording: str  # the name of the finished file, without suffix
    at_s: float  # in the finished file
    text: str


@dataclass(frozen=True, slots=True)
class _PlacedSegment:
    """A segment in its place: its samples in the chapter, its sound and its text."""

    segment: PlannedSegment
    cues: tuple[Cue, ...]  # of its pieces
    traits: ShardTraits
    n_letters: float
    sample_rate: int

    @property
    def voiced_s(self) -> float:
        return (self.traits.end - self.traits.start) / self.sample_rate


@dataclass(frozen=True, slots=True)
class _Usual:
    """What is usual for a voice in this book, and how much may be different."""

    letter_s: float
    duration_range: tuple[float, float]  # of the usual time
    level_dbfs: float
    level_sigma_db: float  # infinite where the voice is not known
    offset: float
    offset_sigma: float
    # The highest that are not suspicious.
    onset_db: float
    first_step: float
    ending_db: float


def find_suspects(
    plans: Sequence[ChapterPlan],
    chapters: Sequence[MeasuredChapter],
    limits: EngineLimits,
    told: Mapping[str, Sequence[Finding]],
    places: Sequence[ChapterPlace],
) -> tuple[Suspect, ...]:
    """The suspicious segments in book order, each once for each of its faults.

    `told` has, by the key of a request, what was found when its takes were checked; that is not
    told twice. A repeated segment is listed where it is heard first. `places` are those of the
    chapters.
    """
    in_book_order = [
        (plan, place, placed)
        for plan, chapter, place in zip(plans, chapters, places, strict=True)
        for placed in _audible_segments(plan, chapter)
    ]
    first = {placed.segment.request.key: placed for _, _, placed in reversed(in_book_order)}
    usual = _usual_by_voice(first.values(), limits)
    return tuple(
        _suspect(plan, place, placed, finding)
        for plan, place, placed in in_book_order
        if first[placed.segment.request.key] is placed
        for finding in _all_findings(
            told.get(placed.segment.request.key, ()),
            _findings(placed, usual[placed.segment.request.voice]),
        )
    )


def describe_suspects(suspects: Sequence[Suspect]) -> str:
    """One sentence with their number, and where the first one is heard."""
    counts = Counter(suspect.fault for suspect in suspects)
    kinds = ", ".join(f"{count} {fault}" for fault, count in counts.most_common())
    n = len({(one.chapter_number, one.text) for one in suspects})
    one = suspects[0]
    return (
        f"{n} segment{'' if n == 1 else 's'} may sound wrong ({kinds}): see “suspects” in the"
        f" report. The first is at {format_time(one.at_s)}, in “{one.chapter}”."
    )


def format_time(seconds: float) -> str:
    """A time in a file as players show it, with tenths: 1:02:03.4."""
    tenths = round(seconds * 10)
    minutes, left = divmod(tenths, 600)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{left // 10:02d}.{left % 10}"


def _audible_segments(plan: ChapterPlan, chapter: MeasuredChapter) -> Iterator[_PlacedSegment]:
    """The segments of a chapter that are not silent."""
    by_segment = groupby(chapter.cues, key=lambda cue: cue.segment_id)
    for segment, (_, cues), traits in zip(plan.segments, by_segment, chapter.traits, strict=True):
        if traits is not None:
            letters = timed_letters(segment.request.spoken)
            yield _PlacedSegment(segment, tuple(cues), traits, letters, chapter.sample_rate)


def _suspect(
    plan: ChapterPlan, place: ChapterPlace, placed: _PlacedSegment, finding: Finding
) -> Suspect:
    at = heard_at(placed.cues, finding.at)
    return Suspect(
        finding.fault,
        finding.words,
        plan.number,
        plan.title,
        place.recording,
        at_s=round((place.start + at) / placed.sample_rate, 3),
        text=placed.segment.request.spoken,
    )


def _usual_by_voice(segments: Iterable[_PlacedSegment], limits: EngineLimits) -> dict[str, _Usual]:
    by_voice: dict[str, list[_PlacedSegment]] = defaultdict(list)
    for placed in segments:
        by_voice[placed.segment.request.voice].append(placed)
    return {
        voice: _usual(group) if len(group) >= MIN_SEGMENTS else _expected(group, limits)
        for voice, group in by_voice.items()
    }


def _usual(group: Sequence[_PlacedSegment]) -> _Usual:
    """What is usual in the group."""
    letter_s, sigma = _median_and_sigma([placed.voiced_s / placed.n_letters for placed in group])
    wide = DURATION_SIGMAS * sigma / letter_s
    level_dbfs, level_sigma_db = _median_and_sigma([placed.traits.level_dbfs for placed in group])
    return _Usual(
        letter_s,
        (min(SHORTEST, exp(-wide)), max(LONGEST, exp(wide))),
        level_dbfs,
        level_sigma_db,
        *_median_and_sigma([placed.traits.offset for placed in group]),
        _highest_edge([placed.traits.onset_db for placed in group]),
        _highest_step([placed.traits.first_step for placed in group]),
        _highest_edge([placed.traits.ending_db for placed in group]),
    )


def _expected(group: Sequence[_PlacedSegment], limits: EngineLimits) -> _Usual:
    """What planning expects of a voice that has too few segments in the book."""
    expected_s = sum(estimate_s(placed.segment.request, limits) for placed in group)
    letter_s = expected_s / sum(placed.n_letters for placed in group)
    return _Usual(letter_s, (SHORTEST_UNKNOWN, LONGEST_UNKNOWN), 0.0, inf, 0.0, inf, inf, inf, inf)


def _all_findings(told: Sequence[Finding], found: Iterable[Finding]) -> Iterator[Finding]:
    """Those that are told, and those of other faults."""
    yield from told
    faults = {one.fault for one in told}
    yield from (one for one in found if one.fault not in faults)


def _findings(placed: _PlacedSegment, usual: _Usual) -> Iterator[Finding]:
    """All faults of a segment."""
    yield from own_faults(placed.traits, placed.sample_rate, placed.segment.request.speed)
    yield from _length_faults(placed, usual)
    yield from _level_faults(placed, usual)
    over = placed.traits.offset - usual.offset
    if abs(over) > max(SMALLEST_OFFSET, OFFSET_SIGMAS * usual.offset_sigma):
        yield Finding(Fault.OFFSET, placed.traits.start, f"by {over:+.3f} of full scale")
    yield from _edge_faults(placed.traits, usual)


def _length_faults(placed: _PlacedSegment, usual: _Usual) -> Iterator[Finding]:
    shortest, longest = usual.duration_range
    n_said = placed.voiced_s / usual.letter_s
    words = f"{placed.voiced_s:.1f} s, expected {placed.n_letters * usual.letter_s:.1f} s"
    if n_said < shortest * placed.n_letters - FEWER_LETTERS:
        yield Finding(Fault.TOO_SHORT, placed.traits.start, words)
    if n_said > longest * placed.n_letters + MORE_LETTERS:
        yield Finding(Fault.TOO_LONG, placed.traits.start, words)


def _level_faults(placed: _PlacedSegment, usual: _Usual) -> Iterator[Finding]:
    is_long = placed.n_letters >= MANY_LETTERS
    sigmas = LEVEL_SIGMAS_LONG if is_long else LEVEL_SIGMAS_SHORT
    over_db = placed.traits.level_dbfs - usual.level_dbfs
    if abs(over_db) > max(LEVEL_DB, sigmas * usual.level_sigma_db):
        fault = Fault.TOO_LOUD if over_db > 0 else Fault.TOO_QUIET
        yield Finding(fault, placed.traits.start, f"by {abs(over_db):.0f} dB")


def _edge_faults(traits: ShardTraits, usual: _Usual) -> Iterator[Finding]:
    if traits.onset_db > usual.onset_db or traits.first_step > usual.first_step:
        yield Finding(Fault.CUT_ONSET, 0, f"{-traits.onset_db:.0f} dB below its loudest")
    if traits.ending_db > usual.ending_db:
        words = f"{-traits.ending_db:.0f} dB below its loudest"
        yield Finding(Fault.END_NOISE, traits.ending, words)


def _median_and_sigma(values: Sequence[float]) -> tuple[float, float]:
    """The median, and a standard deviation that a few outliers do not change."""
    array: NDArray[np.float64] = np.asarray(values)
    median = float(np.median(array))
    return median, SIGMA * float(np.median(np.abs(array - median)))


def _highest_edge(levels_db: Sequence[float]) -> float:
    """The highest level of a shard's first or last sound that is not suspicious."""
    highest_db = float(np.quantile(levels_db, USUAL_EDGES)) + EDGE_OVER_USUAL_DB
    return QUIET_EDGE_DB if highest_db <= QUIET_EDGE_DB else max(LOUD_EDGE_DB, highest_db)


def _highest_step(steps: Sequence[float]) -> float:
    """The highest first sample that is not suspicious."""
    return max(STEP, STEP_OVER_USUAL * float(np.quantile(steps, USUAL_EDGES)))
