"""The audio of chapters: joined from stored shards, measured, and cut into regions for the encoder.

This runs in this process, in a child process, or in one of a cluster's worker. A child has the
store but no engine: where it meets a damaged shard it raises RunLocally, and the task is run again
in this process, which renders the shard again. The module imports little, so that children start
fast.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from audiomill.flows.pipeline.clips import clip_of
from audiomill.flows.pipeline.planning.plan import ChapterPlan, PlannedSegment
from audiomill.inputs.segmentation.pauses import CHAPTER_LEAD_S
from audiomill.outputs.audio.joining import Clip, join, measure_joined
from audiomill.outputs.audio.music_pieces import PlacedMusic, mix, pieces_between
from audiomill.outputs.formats.region_ends import is_region_end
from audiomill.outputs.types import MeasuredChapter
from audiomill.renderers.engine.protocol import Samples
from audiomill.renderers.host.child_process import CancellableIter
from audiomill.renderers.store.shard_reader import ShardReader, read_ahead

if TYPE_CHECKING:
    from audiomill.inputs.model.book import Cover
    from audiomill.outputs.audio.music_places import RecordingMusic
    from audiomill.outputs.checking.profiles import Delivery
    from audiomill.outputs.metadata.chapters import Mark
    from audiomill.outputs.metadata.tags import Tags


@dataclass(frozen=True, slots=True)
class ChapterTask:
    """A chapter to join and measure, as it is sent to a child process."""

    title: str
    level: int
    segments: tuple[PlannedSegment, ...]
    lead_s: float
    reader: ShardReader
    sample_rate: int


@dataclass(frozen=True, slots=True)
class SegmentRange:
    """Consecutive segments of one chapter, after `lead_s` of silence.

    `n_after` samples of silence follow, for music or as the tail of a file.
    """

    segments: tuple[PlannedSegment, ...]
    lead_s: float
    n_after: int = 0


@dataclass(frozen=True, slots=True)
class EncodeRegion:
    """A part of a recording, of `n_samples`, that is encoded on its own.

    It has a range for each chapter that it covers, in order. Places of music are relative to it.
    """

    ranges: tuple[SegmentRange, ...]
    n_samples: int
    music: tuple[PlacedMusic, ...] = ()


@dataclass(frozen=True, slots=True)
class EncodePlan:
    """All that goes into one recording's files."""

    regions: tuple[EncodeRegion, ...]
    marks: tuple[Mark, ...]
    tags: Tags
    cover: Cover | None


def measure_chapter_audio(task: ChapterTask, through: CancellableIter) -> MeasuredChapter:
    """Join the chapter and measure it; write nothing. Raises RenderError, StoreError."""
    clips = _clips(task.reader, through(task.segments))
    return measure_joined(task.title, task.level, clips, task.sample_rate, lead_s=task.lead_s)


def stream_audio(reader: ShardReader, region: EncodeRegion, sample_rate: int) -> Iterator[Samples]:
    """The audio of a region: joined, with its music, not mastered yet."""
    return mix(_stream_ranges(reader, region.ranges, sample_rate), region.music)


def _stream_ranges(
    reader: ShardReader, ranges: Iterable[SegmentRange], sample_rate: int
) -> Iterator[Samples]:
    """The joined audio of the ranges, one after the other."""
    for segments in ranges:
        clips = _clips(reader, segments.segments)
        for joined in join(clips, sample_rate, lead_s=segments.lead_s):
            yield joined.samples
        if segments.n_after:
            yield np.zeros(segments.n_after, np.float32)


def plan_regions(
    plans: Iterable[ChapterPlan],
    chapters: Iterable[MeasuredChapter],
    music: Sequence[PlacedMusic] = (),
    file_rate: int | None = None,
) -> Iterator[EncodeRegion]:
    """Cut the chapters' segments into regions, at pauses that are long enough and without music.

    `file_rate` is that of the files if they have another one than the audio. A region is there as
    soon as the chapter in which it ends is.

    Each region is joined by itself. Put together they are the chapters, sample for sample, because
    segments that a pause separates do not overlap.
    """
    ranges: list[SegmentRange] = []
    n_samples = chapter_start = region_start = 0
    for plan, chapter in zip(plans, chapters, strict=True):
        first, lead_s, start = 0, _whole_lead_s(plan, chapter), 0
        for index, (end, n_silent) in enumerate(pauses_in(chapter), 1):
            n_region = n_samples + end - start
            at = chapter_start + end
            is_end = is_region_end(n_region, n_silent, chapter.sample_rate, file_rate)
            if is_end and not pieces_between(music, at - n_silent, at):
                n_after = chapter.n_after if index == len(plan.segments) else 0
                ranges.append(SegmentRange(plan.segments[first:index], lead_s, n_after))
                yield EncodeRegion(tuple(ranges), n_region, pieces_between(music, region_start, at))
                ranges, n_samples, first, lead_s, start = [], 0, index, 0.0, end
                region_start = at
        if first < len(plan.segments):
            ranges.append(SegmentRange(plan.segments[first:], lead_s, chapter.n_after))
            n_samples += chapter.n_samples - start
        chapter_start += chapter.n_samples
    if ranges:
        played = pieces_between(music, region_start, region_start + n_samples)
        yield EncodeRegion(tuple(ranges), n_samples, played)


def recording_regions(
    delivery: Delivery, plans: Sequence[ChapterPlan], music: RecordingMusic
) -> Iterator[EncodeRegion]:
    """A recording of these chapters in regions."""
    if delivery.ends.tail_s is not None:
        plans = without_last_pause(plans)
    rate = delivery.encoding.sample_rate
    return plan_regions(plans, music.chapters, music.pieces, rate)


def without_last_pause(plans: Sequence[ChapterPlan]) -> tuple[ChapterPlan, ...]:
    """The chapters of a recording whose tail replaces the pause after its last segment."""
    *others, last = plans
    *before, ending = last.segments
    segments = (*before, replace(ending, pause_after_s=0.0))
    return (*others, replace(last, segments=segments))


def lead_of(plan: ChapterPlan) -> float:
    """The seconds of silence before a chapter's first word; none inside a chapter."""
    return 0.0 if plan.continues else CHAPTER_LEAD_S


def _whole_lead_s(plan: ChapterPlan, chapter: MeasuredChapter) -> float:
    """The silence before a chapter's first word with the room for music, or the head of a file."""
    rate = chapter.sample_rate
    return (round(lead_of(plan) * rate) + chapter.n_before) / rate


def pauses_in(chapter: MeasuredChapter) -> Iterator[tuple[int, int]]:
    """For each segment, where the pause after it ends, and how long the pause is, in samples."""
    for cue, following in pairwise((*chapter.cues, None)):
        if cue is not None and (following is None or following.segment_id != cue.segment_id):
            end = chapter.n_samples if following is None else following.start
            yield end, end - cue.end


def _clips(reader: ShardReader, segments: Iterable[PlannedSegment]) -> Generator[Clip]:
    """The segments' audio in order."""
    return read_ahead(partial(clip_of, reader), segments, is_remote=reader.is_remote)
