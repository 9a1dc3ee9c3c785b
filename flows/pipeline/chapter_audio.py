"""Chapters as they lie in the store, joined: here, or in a process of the annex.

There, what `Shards` become when they are pickled reads the same store, but has no engine. What must
be rendered anew is lacking there, and the work is done here. Light to import, so that such a
process soon begins.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

from audiomill.flows.pipeline.plan import ChapterPlan, Part
from audiomill.outputs.audio import joining as finishing
from audiomill.outputs.audio.joining import Piece, join
from audiomill.outputs.audio.mastering import MasterPlan
from audiomill.outputs.encoding.encoder import Sleeve
from audiomill.outputs.encoding.parallel_aac import is_cut
from audiomill.outputs.types import MasteredChapter
from audiomill.renderers.base import Request, Samples
from audiomill.renderers.host.child_process import Lacking, Through
from audiomill.renderers.host.threads import in_order
from audiomill.renderers.store.store import Miss, open_store

# Silence before a chapter's first word, so that no player clips it.
LEAD_S = 0.5
# Segments of a store on the network that are read before they are needed, and by how many threads.
# A disk is asked as we go: who joins would wait longer for those threads than for it.
READ_AHEAD = 8
N_READERS = 2


class Source(Protocol):
    """Where segments' audio is to be had."""

    @property
    def is_remote(self) -> bool:
        """Whether it answers late, so that one should ask ahead."""
        ...

    def samples(self, request: Request) -> Samples:
        """The audio of `request`. Raises RenderError, StoreError; Lacking in the annex."""
        ...


class Stored:
    """Audio from a store alone."""

    def __init__(self, location: str) -> None:
        self._store = open_store(location)

    @property
    def is_remote(self) -> bool:
        """See `Source`."""
        return self._store.is_remote

    def samples(self, request: Request) -> Samples:
        """See `Source`."""
        found = self._store.get(request.key)
        if isinstance(found, Miss):
            raise Lacking(f"{found.key[:12]} is {found.reason}")
        return found.samples


@dataclass(frozen=True, slots=True)
class Run:
    """Some of a chapter's segments in a row, after `lead_s` of silence."""

    parts: tuple[Part, ...]
    lead_s: float


@dataclass(frozen=True, slots=True)
class Track:
    """A chapter to be joined and measured."""

    title: str
    level: int
    parts: tuple[Part, ...]
    source: Source
    sample_rate: int


def finish_track(track: Track, through: Through) -> MasteredChapter:
    """Join and measure it; nothing is written. Raises RenderError, StoreError."""
    pieces = _pieces(track.source, through(track.parts))
    return finishing.finish_chapter(
        track.title, track.level, pieces, track.sample_rate, lead_s=LEAD_S
    )


def play(source: Source, runs: Iterable[Run], sample_rate: int) -> Iterator[Samples]:
    """The joined audio of `runs`, one after the other, not yet mastered."""
    for run in runs:
        for joined in join(_pieces(source, run.parts), sample_rate, lead_s=run.lead_s):
            yield joined.samples


def _pieces(source: Source, parts: Iterable[Part]) -> Generator[Piece]:
    """The parts' shards in order, a little ahead of who joins them where that helps."""
    if not source.is_remote:
        yield from (_piece(source, part) for part in parts)
        return
    with ThreadPoolExecutor(N_READERS) as readers:
        yield from in_order(lambda part: readers.submit(_piece, source, part), parts, READ_AHEAD)


def _piece(source: Source, part: Part) -> Piece:
    return Piece(part.segment_id, source.samples(part.request), part.pause_after_s)


# What goes into a recording, cut into stretches that can be encoded side by side.


@dataclass(frozen=True, slots=True)
class ReelStretch:
    """Runs of one or several chapters, and how many samples they make together."""

    runs: tuple[Run, ...]
    n_samples: int


@dataclass(frozen=True, slots=True)
class Reel:
    """All that goes into one recording: its audio, and what its files say of themselves."""

    stretches: tuple[ReelStretch, ...]
    master: MasterPlan
    sleeve: Sleeve


def cut_reel(
    plans: Sequence[ChapterPlan], chapters: Sequence[MasteredChapter]
) -> Iterator[ReelStretch]:
    """The chapters' segments in order, cut where a pause leaves room for it.

    Joined by themselves, all stretches one after the other are the chapters, sample for sample:
    what a pause separates does not touch.
    """
    runs: list[Run] = []
    n_samples = 0
    for plan, chapter in zip(plans, chapters, strict=True):
        first, lead_s, start = 0, LEAD_S, 0
        for index, (end, n_silent) in enumerate(_ends(chapter), 1):
            n_stretch = n_samples + end - start
            if is_cut(n_stretch, n_silent, chapter.sample_rate):
                yield ReelStretch((*runs, Run(plan.parts[first:index], lead_s)), n_stretch)
                runs, n_samples, first, lead_s, start = [], 0, index, 0.0, end
        if first < len(plan.parts):
            runs.append(Run(plan.parts[first:], lead_s))
            n_samples += chapter.n_samples - start
    if runs:
        yield ReelStretch(tuple(runs), n_samples)


def _ends(chapter: MasteredChapter) -> Iterator[tuple[int, int]]:
    """For each segment, where its pause ends in the chapter, and how long that pause is."""
    for cue, after in pairwise((*chapter.cues, None)):
        if cue is not None:
            end = chapter.n_samples if after is None else after.start
            yield end, end - cue.end
