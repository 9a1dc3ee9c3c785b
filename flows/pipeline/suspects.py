"""Finds segments whose audio is probably faulty, beside the others of their voice in the book.

    traits of all shards ─▶ what is usual for each voice ─┬──────────────────▶ suspects, with
                                                          └─▶ samples of a few ─▶  their times

Sound that ends before the last word begins, or goes on after it, contradicts the engine's times.
Other speech that comes again, and a hole where no pause is, can be seen from the samples and all
words' times only. So those shards are read once more that last unusually long or short for their
text, or have a long silence.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import TypeAlias

from audiomill.flows.pipeline.planning.plan import ChapterPlan
from audiomill.flows.pipeline.planning.recordings import ChapterPlace, heard_at
from audiomill.flows.pipeline.usual_sound import (
    PlacedSegment,
    UsualSound,
    usual_by_voice,
)
from audiomill.outputs.audio.trimming import TIMING_TOLERANCE_S
from audiomill.outputs.text import counted
from audiomill.outputs.types import MeasuredChapter
from audiomill.renderers.engine.faults import Fault, Finding
from audiomill.renderers.engine.protocol import EngineLimits, Request, ShardInfo
from audiomill.renderers.store.shard_reader import read_ahead
from audiomill.renderers.store.store import Miss, StoredShard
from audiomill.renderers.takes.checks import repeated_speech
from audiomill.renderers.takes.pace import SWALLOWED_LETTERS, longest_pauses_s, timed_letters
from audiomill.renderers.takes.spectrum import spectrum_of
from audiomill.renderers.takes.traits import SMALLEST_OFFSET, ShardTraits, own_faults

# Levels. Clean segments of one voice differ by 4 dB, or by 4.7 standard deviations in 40 letters
# and by 12 in fewer: Hebrew has sentences of three voiceless syllables.
LEVEL_DB = 8.0
MANY_LETTERS = 40.0
LEVEL_SIGMAS_LONG, LEVEL_SIGMAS_SHORT = 6.0, 14.0

# A long silence is a pause only at these marks.
PAUSING = re.compile("[.,!?…:;—–]")

# DC. A voice may have some in all its segments, which joining removes; espeak-ng has none.
OFFSET_SIGMAS = 8.0

# Reads the shard of a request once more.
ReadShard: TypeAlias = Callable[[Request], StoredShard | Miss]


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


def find_suspects(
    plans: Sequence[ChapterPlan],
    chapters: Sequence[MeasuredChapter],
    limits: EngineLimits,
    taken_findings: Mapping[str, Sequence[Finding]],
    places: Sequence[ChapterPlace],
    stored: ReadShard,
    *,
    is_remote: bool = False,
) -> tuple[Suspect, ...]:
    """The suspicious segments in book order, each once for each of its faults.

    `taken_findings` has, by the key of a request, what was found when its takes were checked; that
    is not listed twice. A repeated segment is listed where it is heard first. `places` are those of
    the chapters, and `stored` reads a shard once more, from a store that answers late if it
    `is_remote`. Raises StoreError.
    """
    in_book_order = [
        (plan, place, placed)
        for plan, chapter, place in zip(plans, chapters, places, strict=True)
        for placed in _audible_segments(plan, chapter)
    ]
    first = {placed.segment.request.key: placed for _, _, placed in reversed(in_book_order)}
    usual = usual_by_voice(first.values(), limits)

    def findings(placed: PlacedSegment) -> tuple[Finding, ...]:
        return tuple(_findings(placed, usual[placed.segment.request.voice], stored))

    found = dict(zip(first, read_ahead(findings, first.values(), is_remote=is_remote), strict=True))
    return tuple(
        _suspect(plan, place, placed, finding)
        for plan, place, placed in in_book_order
        if first[placed.segment.request.key] is placed
        for finding in _all_findings(
            taken_findings.get(placed.segment.request.key, ()), found[placed.segment.request.key]
        )
    )


def describe_suspects(suspects: Sequence[Suspect]) -> str:
    """One sentence with their number, and where the first one is heard."""
    counts = Counter(suspect.fault for suspect in suspects)
    kinds = ", ".join(f"{count} {fault}" for fault, count in counts.most_common())
    n = len({(one.chapter_number, one.text) for one in suspects})
    one = suspects[0]
    return (
        f"{counted(n, 'segment')} may sound wrong ({kinds}): see “suspects” in the"
        f" report. The first is at {format_time(one.at_s)}, in “{one.chapter}”."
    )


def format_time(seconds: float) -> str:
    """A time in a file as players show it, with tenths: 1:02:03.4."""
    tenths = round(seconds * 10)
    minutes, left = divmod(tenths, 600)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{left // 10:02d}.{left % 10}"


def _audible_segments(plan: ChapterPlan, chapter: MeasuredChapter) -> Iterator[PlacedSegment]:
    """The segments of a chapter that are not silent."""
    by_segment = groupby(chapter.cues, key=lambda cue: cue.segment_id)
    for segment, (_, cues), traits, last_word_s in zip(
        plan.segments, by_segment, chapter.traits, chapter.last_words_s, strict=True
    ):
        if traits is not None:
            letters, rate = timed_letters(segment.request.spoken), chapter.sample_rate
            yield PlacedSegment(segment, tuple(cues), traits, letters, rate, last_word_s)


def _suspect(
    plan: ChapterPlan, place: ChapterPlace, placed: PlacedSegment, finding: Finding
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


def _all_findings(taken_findings: Sequence[Finding], found: Iterable[Finding]) -> Iterator[Finding]:
    """Those of the takes, and those of other faults."""
    yield from taken_findings
    faults = {one.fault for one in taken_findings}
    yield from (one for one in found if one.fault not in faults)


def _findings(placed: PlacedSegment, usual: UsualSound, stored: ReadShard) -> Iterator[Finding]:
    """All faults of a segment."""
    own = [*own_faults(placed.traits, placed.sample_rate, placed.segment.request.speed)]
    lengths = [*_length_faults(placed, usual)]
    yield from (*own, *lengths)
    if not own and not lengths:
        yield from _faults_in_shard(placed, usual, stored)
    yield from _level_faults(placed, usual)
    over = placed.traits.offset - usual.offset
    if abs(over) > max(SMALLEST_OFFSET, OFFSET_SIGMAS * usual.offset_sigma):
        yield Finding(Fault.OFFSET, placed.traits.start, f"by {over:+.3f} of full scale")
    yield from _edge_faults(placed.traits, usual)


def _faults_in_shard(
    placed: PlacedSegment, usual: UsualSound, stored: ReadShard
) -> Iterator[Finding]:
    """Faults that lengths do not tell. The shard is read if there is a reason to do so."""
    request, traits = placed.segment.request, placed.traits
    beside_words = [*_faults_beside_words(placed, usual)]
    has_hole = usual.has_hole(placed)
    is_odd = not beside_words and usual.is_odd(placed.voiced_s, placed.n_letters)
    shard = stored(request) if has_hole or is_odd else None
    is_there = isinstance(shard, StoredShard)
    if is_there and has_hole and not _is_pause(placed, shard.info):
        yield Finding(Fault.HOLE, traits.hole_start, f"{placed.hole_s:.1f} s")
    elif beside_words:
        yield from beside_words
    elif is_there and placed.voiced_s > usual.expected_s(placed.n_letters):
        spectrum = spectrum_of(shard.samples, placed.sample_rate)
        yield from repeated_speech(spectrum, request, usual.letter_s)


def _faults_beside_words(placed: PlacedSegment, usual: UsualSound) -> Iterator[Finding]:
    """Whether the sound ends before the last word begins, or goes on after it, by their times."""
    after_s = placed.after_last_word_s
    if placed.last_word_s is None or after_s is None:
        return
    start_s, end_s = placed.last_word_s
    early_s = start_s - placed.traits.end / placed.sample_rate
    if early_s > 0:
        words = f"it ends {early_s:.1f} s before its last word"
        yield Finding(Fault.TOO_SHORT, placed.traits.start, words)
    elif after_s > usual.longest_after_last_word_s(placed.segment.request.spoken):
        words = f"it goes on for {after_s:.1f} s after its last word"
        yield Finding(Fault.TOO_LONG, round(end_s * placed.sample_rate), words)


def _is_pause(placed: PlacedSegment, info: ShardInfo) -> bool:
    """Whether the longest silence is at a mark of the text. Without words' times it may be."""
    start_s, end_s = (
        at / placed.sample_rate for at in (placed.traits.hole_start, placed.traits.hole_end)
    )
    spoken = placed.segment.request.spoken
    near = (
        spoken[word.start : following.start]
        for word, following in pairwise(info.timings)
        if (word.start_s + word.end_s) / 2 < end_s
        and start_s < following.start_s + TIMING_TOLERANCE_S
    )
    return not info.timings or any(PAUSING.search(between) for between in near)


def _length_faults(placed: PlacedSegment, usual: UsualSound) -> Iterator[Finding]:
    shortest, longest = usual.duration_range(placed.n_letters)
    expected_s = usual.expected_s(placed.n_letters)
    words = f"{placed.voiced_s:.1f} s, expected {expected_s:.1f} s"
    if placed.voiced_s < shortest * expected_s - SWALLOWED_LETTERS * usual.letter_s:
        yield Finding(Fault.TOO_SHORT, placed.traits.start, words)
    request = placed.segment.request
    pauses_s = longest_pauses_s(request.spoken) / min(1.0, request.speed)
    if placed.voiced_s > longest * expected_s + pauses_s:
        yield Finding(Fault.TOO_LONG, placed.traits.start, words)


def _level_faults(placed: PlacedSegment, usual: UsualSound) -> Iterator[Finding]:
    is_long = placed.n_letters >= MANY_LETTERS
    sigmas = LEVEL_SIGMAS_LONG if is_long else LEVEL_SIGMAS_SHORT
    over_db = placed.traits.level_dbfs - usual.level_dbfs
    if abs(over_db) > max(LEVEL_DB, sigmas * usual.level_sigma_db):
        fault = Fault.TOO_LOUD if over_db > 0 else Fault.TOO_QUIET
        yield Finding(fault, placed.traits.start, f"by {abs(over_db):.0f} dB")


def _edge_faults(traits: ShardTraits, usual: UsualSound) -> Iterator[Finding]:
    if traits.onset_db > usual.onset_db or traits.first_step > usual.first_step:
        yield Finding(Fault.CUT_ONSET, 0, f"{-traits.onset_db:.0f} dB below its loudest")
    if traits.ending_db > usual.ending_db:
        words = f"{-traits.ending_db:.0f} dB below its loudest"
        yield Finding(Fault.END_NOISE, traits.ending, words)
