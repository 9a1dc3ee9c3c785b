"""Chapters as they lie in the store, joined: here, or in a process of the annex.

There, what `Shards` become when they are pickled reads the same store, but has no engine. What must
be rendered anew is lacking there, and the work is done here. Light to import, so that such a
process soon begins.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Protocol

from flows.plan import Part
from outputs import finishing
from outputs.annex_worker import Lacking, Through
from outputs.chapter import MasteredChapter
from outputs.hands import in_order
from outputs.joining import Piece, join
from renderers.shard import Request, Samples
from renderers.store import Miss, open_store

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
