"""The sound of a book while it is rendered: from any position at once, and all of it in the end.

    chapters ─┬─▶ ChapterSound   the segments from a position on, in time to be heard ─▶ samples
              ├─▶ BeginningRenderer     the beginning, before the rest of the book is cut
    plan ─────┴─▶ render_rest    all windows, one after the other, when nobody waits for anything

What is rendered is in the store, so a later `render` of the book takes it from there. A chapter is
joined as in its finished file, without the silence before it. It is as loud as the engine makes it:
the gain of a book is known once all of it is measured.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass
from typing import Protocol

from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.listen.beginning_segments import BeginningSegments, duration_with_pause_s
from audiomill.flows.listen.book_chapters import BookChapters, HeardChapter
from audiomill.flows.pipeline.clips import clip_of
from audiomill.flows.pipeline.planning.plan import PlannedSegment
from audiomill.flows.speech.scheduler import SpeechTicket
from audiomill.flows.speech.speech_audio import speech_pcm
from audiomill.inputs.model.book import Book, Segment
from audiomill.outputs.audio.joining import Clip, join
from audiomill.renderers.engine.protocol import EngineLimits, Renderer, Request, Samples, Window
from audiomill.renderers.store.shard_reader import ShardReader

AHEAD_S = 90.0  # of audio that is rendered before it is joined
WINDOWS_AHEAD = 2  # of the rest: one is looked up while the other is rendered
POLL_S = 0.2
_CLIENT = "book"
# Is told of the first segments of a book, by chapter.
KeepBeginning = Callable[[Sequence[Sequence[PlannedSegment]]], None]


@dataclass(frozen=True, slots=True)
class BookPosition:
    """A segment of a chapter, both by their index."""

    chapter: int
    segment: int = 0


class RowRenderer(Protocol):
    """Renders segments that are wanted, and reads them: `SpeechScheduler`, `ServerRows`."""

    def submit_following(
        self, requests: Sequence[Request], client: str, due_in_s: float
    ) -> SpeechTicket:
        """As `SpeechScheduler.submit_following`. Raises StoreError."""
        ...

    def reader(self) -> ShardReader:
        """Reads what is stored."""
        ...


class BookSound:
    """A book whose segments are rendered as they are wanted. Any thread may use it."""

    def __init__(self, chapters: BookChapters, renderer: Renderer, rows: RowRenderer) -> None:
        self.chapters = chapters
        self.problem = ""  # why a segment could not be rendered, the last of them
        self.sample_rate = renderer.sample_rate
        self._limits: EngineLimits = renderer.limits
        self._rows = rows
        self._stored = set[str]()  # keys

    def n_stored(self, chapter: HeardChapter) -> int:
        """The segments of a chapter that are known to be in the store."""
        return sum(one.request.key in self._stored for one in chapter.segments)

    def duration_s(self, segment: PlannedSegment) -> float:
        """The estimated seconds of a segment with the pause after it."""
        return duration_with_pause_s(segment, self._limits)

    def sound_from(self, position: BookPosition) -> ChapterSound:
        """The sound of a chapter from a position on.

        Raises IndexError if there is no such position by now.
        """
        chapter = self.chapters.known[position.chapter]
        if position.segment >= len(chapter.segments):
            raise IndexError(position.segment)
        return ChapterSound(self, chapter.segments[position.segment :], position.chapter + 1)

    def pcm_from(self, position: BookPosition) -> Iterator[bytes]:
        """The samples from a position to the book's end (s16le), as its chapters are cut.

        Raises as `ChapterSound.samples` and `BookChapters.wait_for`.
        """
        while self.chapters.wait_for(position.chapter):
            samples = self.sound_from(position).samples()
            yield from speech_pcm(samples, self.sample_rate, self.sample_rate)
            position = BookPosition(position.chapter + 1)

    def render_rest(self, windows: Iterable[Window], context: RunContext) -> None:
        """Render all of the book. Raises StoreError, Interrupted.

        A segment that cannot be rendered is left: who listens is told when it is to be heard.
        """
        tickets = deque[SpeechTicket]()
        for window in context.until_cancelled(windows):
            tickets.append(self.submit(window.requests, math.inf))
            if len(tickets) == WINDOWS_AHEAD:
                _wait(tickets.popleft(), context)
        for ticket in tickets:
            _wait(ticket, context)

    def submit(self, requests: Sequence[Request], due_in_s: float) -> SpeechTicket:
        """Have segments rendered, of which the first is heard in so many seconds.

        Raises StoreError.
        """
        ticket = self._rows.submit_following(requests, _CLIENT, due_in_s)
        for request, future in zip(requests, ticket.stored, strict=True):
            future.add_done_callback(lambda done, key=request.key: self._note(key, done))
        return ticket

    def _note(self, key: str, done: Future[None]) -> None:
        if done.cancelled():
            return
        if error := done.exception():
            self.problem = str(error)
        else:
            self._stored.add(key)

    def clip(self, segment: PlannedSegment) -> Clip:
        """The audio of a segment that is stored. Raises RenderError, StoreError."""
        return clip_of(self._rows.reader(), segment)


class BeginningRenderer:
    """Is told of each chapter of a book as it is cut, and has the beginning rendered first."""

    def __init__(
        self, book: BookSound, context: RunContext, keep: KeepBeginning | None = None
    ) -> None:
        """`keep` is told of the beginning, each time that there is more of it."""
        self._book, self._context, self._keep = book, context, keep
        self._beginning = BeginningSegments(book.duration_s)

    def __call__(self, book: Book, segments: Sequence[Segment]) -> None:
        """Implement `OnChapter`. Raises Interrupted, UnknownVoice, StoreError."""
        self._context.check()
        for chapter in self._book.chapters.add(book, segments):
            self._render_beginning(chapter)

    def complete(self) -> None:
        """Have the beginning rendered of a book whose chapters have come together."""
        if not self._beginning.duration_s:
            for chapter in self._book.chapters.known:
                self._render_beginning(chapter)

    def _render_beginning(self, chapter: HeardChapter) -> None:
        due_in_s = self._beginning.duration_s
        if first := self._beginning.add(chapter):
            ticket = self._book.submit([one.request for one in first], due_in_s)
            if self._keep and self._beginning.chapters:
                self._keep(self._beginning.chapters)
            _wait(ticket, self._context)


class ChapterSound:
    """The joined sound of consecutive segments, until it is dropped.

    Those behind them, of the next chapter, are rendered too when they are near.
    """

    def __init__(
        self, book: BookSound, segments: Sequence[PlannedSegment], next_chapter: int
    ) -> None:
        self._book, self._segments = book, segments
        self._to_submit = deque(segments)
        self._next_chapter, self._has_next_chapter = next_chapter, False
        self._tickets = deque[SpeechTicket]()
        self._submitted = deque[tuple[Future[None], float]]()  # with the estimated seconds
        self._submitted_s = 0.0
        self._is_dropped = False
        self._starts_s = dict[str, float]()

    @property
    def starts_s(self) -> tuple[float, ...]:
        """When each segment begins in what has been joined, in seconds, in order."""
        return tuple(self._starts_s.values())

    def drop(self) -> None:
        """Render no more of it for this listener; `samples` ends. Any thread may drop it."""
        self._is_dropped = True
        for ticket in tuple(self._tickets):
            ticket.drop()

    def samples(self) -> Iterator[Samples]:
        """The joined samples, as soon as the segments that they are made of are stored.

        Waits for them. Raises RenderError, StoreError; CancelledError once it is dropped.
        """
        rate = self._book.sample_rate
        for joined in join(self._clips(), rate):
            if joined.cue:
                self._starts_s.setdefault(joined.cue.segment_id, joined.cue.start / rate)
            yield joined.samples

    def _clips(self) -> Iterator[Clip]:
        for segment in self._segments:
            self._submit_ahead()
            done, duration_s = self._submitted.popleft()
            done.result()
            self._submitted_s -= duration_s
            yield self._book.clip(segment)

    def _submit_ahead(self) -> None:
        """Have the next segments rendered, if less than half of what should be is on its way."""
        if self._submitted and self._submitted_s > AHEAD_S / 2:
            return
        due_in_s, segments = self._submitted_s, self._next_segments()
        if not segments:
            return
        ticket = self._book.submit([one.request for one in segments], due_in_s)
        durations_s = map(self._book.duration_s, segments)
        self._submitted.extend(zip(ticket.stored, durations_s, strict=True))
        self._tickets.append(ticket)
        if self._is_dropped:
            ticket.drop()

    def _next_segments(self) -> list[PlannedSegment]:
        """Take segments until AHEAD_S of sound are on their way, or none is left."""
        taken = list[PlannedSegment]()
        while self._submitted_s < AHEAD_S:
            if not self._to_submit:
                self._add_next_chapter()
            if not self._to_submit:
                break
            taken.append(self._to_submit.popleft())
            self._submitted_s += self._book.duration_s(taken[-1])
        return taken

    def _add_next_chapter(self) -> None:
        """Have the segments of the next chapter submitted too, once it is cut."""
        chapters = self._book.chapters.known
        if not self._has_next_chapter and self._next_chapter < len(chapters):
            self._to_submit.extend(chapters[self._next_chapter].segments)
            self._has_next_chapter = True


def _wait(ticket: SpeechTicket, context: RunContext) -> None:
    """Wait until all of a ticket is stored, or cannot be. Raises Interrupted."""
    while wait(ticket.stored, POLL_S).not_done:
        context.check()
