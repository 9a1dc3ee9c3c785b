"""Join the stored shards of a chapter, in this process or in a child process.

A pickled `ShardSource` reads the same store but has no engine. A child process that meets a damaged
shard raises RunLocally, and this process renders the shard again. This file is light to import, so
that child processes start fast.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

from audiomill.flows.pipeline.plan import ChapterPlan, PlannedSegment
from audiomill.outputs.audio import joining as finishing
from audiomill.outputs.audio.joining import Clip, join
from audiomill.outputs.audio.mastering import MasterPlan
from audiomill.outputs.encoding.encoder import FileMetadata
from audiomill.outputs.encoding.parallel_aac import is_cut
from audiomill.outputs.types import MasteredChapter
from audiomill.renderers.base import Request, Samples
from audiomill.renderers.host.child_process import CancellableIter, RunLocally
from audiomill.renderers.host.threads import map_in_order
from audiomill.renderers.store.store import Miss, open_store

# Silence before a chapter's first word, so that no player clips it.
LEAD_S = 0.5
# Segments of a store on the network that are read before they are needed, and by how many threads.
# A disk is asked as we go: who joins would wait longer for those threads than for it.
READ_AHEAD = 8
N_READERS = 2


class AudioSource(Protocol):
    """Where segments' audio is to be had."""

    @property
    def is_remote(self) -> bool:
        """Whether it answers late, so that one should ask ahead."""
        ...

    def samples(self, request: Request) -> Samples:
        """The audio of `request`. Raises RenderError, StoreError; RunLocally in the annex."""
        ...


class StoreReader:
    """Audio from a store alone."""

    def __init__(self, location: str) -> None:
        self._store = open_store(location)

    @property
    def is_remote(self) -> bool:
        """See `AudioSource`."""
        return self._store.is_remote

    def samples(self, request: Request) -> Samples:
        """See `AudioSource`."""
        found = self._store.get(request.key)
        if isinstance(found, Miss):
            raise RunLocally(f"{found.key[:12]} is {found.reason}")
        return found.samples


@dataclass(frozen=True, slots=True)
class SegmentRange:
    """Some of a chapter's segments in a row, after `lead_s` of silence."""

    parts: tuple[PlannedSegment, ...]
    lead_s: float


@dataclass(frozen=True, slots=True)
class ChapterAudio:
    """A chapter to be joined and measured."""

    title: str
    level: int
    parts: tuple[PlannedSegment, ...]
    source: AudioSource
    sample_rate: int


def measure_chapter_audio(track: ChapterAudio, through: CancellableIter) -> MasteredChapter:
    """Join and measure it; nothing is written. Raises RenderError, StoreError."""
    pieces = _pieces(track.source, through(track.parts))
    return finishing.measure_chapter(
        track.title, track.level, pieces, track.sample_rate, lead_s=LEAD_S
    )


def stream_audio(
    source: AudioSource, runs: Iterable[SegmentRange], sample_rate: int
) -> Iterator[Samples]:
    """The joined audio of `runs`, one after the other, not yet mastered."""
    for run in runs:
        for joined in join(_pieces(source, run.parts), sample_rate, lead_s=run.lead_s):
            yield joined.samples


def _pieces(source: AudioSource, parts: Iterable[PlannedSegment]) -> Generator[Clip]:
    """The parts' shards in order, a little ahead of who joins them where that helps."""
    if not source.is_remote:
        yield from (_piece(source, part) for part in parts)
        return
    with ThreadPoolExecutor(N_READERS) as readers:
        yield from map_in_order(
            lambda part: readers.submit(_piece, source, part), parts, READ_AHEAD
        )


def _piece(source: AudioSource, part: PlannedSegment) -> Clip:
    return Clip(part.segment_id, source.samples(part.request), part.pause_after_s)


# What goes into a recording, cut into stretches that can be encoded side by side.


@dataclass(frozen=True, slots=True)
class EncodeChunk:
    """Runs of one or several chapters, and how many samples they make together."""

    runs: tuple[SegmentRange, ...]
    n_samples: int


@dataclass(frozen=True, slots=True)
class EncodePlan:
    """All that goes into one recording: its audio, and what its files say of themselves."""

    stretches: tuple[EncodeChunk, ...]
    master: MasterPlan
    sleeve: FileMetadata


def plan_chunks(
    plans: Sequence[ChapterPlan], chapters: Sequence[MasteredChapter]
) -> Iterator[EncodeChunk]:
    """The chapters' segments in order, cut where a pause leaves room for it.

    Joined by themselves, all stretches one after the other are the chapters, sample for sample:
    what a pause separates does not touch.
    """
    runs: list[SegmentRange] = []
    n_samples = 0
    for plan, chapter in zip(plans, chapters, strict=True):
        first, lead_s, start = 0, LEAD_S, 0
        for index, (end, n_silent) in enumerate(_ends(chapter), 1):
            n_stretch = n_samples + end - start
            if is_cut(n_stretch, n_silent, chapter.sample_rate):
                yield EncodeChunk((*runs, SegmentRange(plan.parts[first:index], lead_s)), n_stretch)
                runs, n_samples, first, lead_s, start = [], 0, index, 0.0, end
        if first < len(plan.parts):
            runs.append(SegmentRange(plan.parts[first:], lead_s))
            n_samples += chapter.n_samples - start
    if runs:
        yield EncodeChunk(tuple(runs), n_samples)


def _ends(chapter: MasteredChapter) -> Iterator[tuple[int, int]]:
    """For each segment, where its pause ends in the chapter, and how long that pause is."""
    for cue, after in pairwise((*chapter.cues, None)):
        if cue is not None:
            end = chapter.n_samples if after is None else after.start
            yield end, end - cue.end
