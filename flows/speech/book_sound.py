"""The sound of a book while it is rendered: from any place at once, and all of it in the end.

    plan ─┬─▶ ChapterSound   the segments from a place on, rendered in time to be heard ─▶ samples
          └─▶ render_rest    all windows, one after the other, when nobody waits for anything

What is rendered is in the store, so a later `render` of the book takes it from there. A chapter is
joined as in its finished file, without the silence before it. It is as loud as the engine makes it:
the gain of a book is known once all of it is measured.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, wait
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain

from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.job import Job
from audiomill.flows.pipeline.chapter_audio import clip_of
from audiomill.flows.pipeline.planning.plan import ChapterPlan, Plan, PlannedSegment
from audiomill.flows.speech.scheduler import SpeechScheduler, SpeechTicket
from audiomill.flows.speech.speech_audio import speech_pcm
from audiomill.inputs.model.book import Book, Segment
from audiomill.outputs.audio.joining import Clip, join
from audiomill.renderers.engine.errors import RenderError, StoreError
from audiomill.renderers.engine.planning import estimate_s, requests_of
from audiomill.renderers.engine.protocol import EngineLimits, Renderer, Request, Samples

AHEAD_S = 90.0  # of audio that is rendered before it is joined
WINDOWS_AHEAD = 2  # of the rest: one is looked up while the other is rendered
N_FIRST = 8  # segments that are rendered while the book is being read
POLL_S = 0.2
_CLIENT = "book"


@dataclass(frozen=True, slots=True)
class BookPlace:
    """A segment of a chapter, both by their index in the plan."""

    chapter: int
    segment: int = 0


class BookSound:
    """A planned book whose segments a scheduler renders. Any thread may use it."""

    def __init__(self, plan: Plan, limits: EngineLimits, scheduler: SpeechScheduler) -> None:
        self.plan = plan
        self.problem = ""  # why a segment could not be rendered, the last of them
        self._limits, self._scheduler = limits, scheduler
        self._stored = set[str]()  # keys

    def n_stored(self, chapter: ChapterPlan) -> int:
        """The segments of a chapter that are known to be in the store."""
        return sum(one.request.key in self._stored for one in chapter.segments)

    def duration_s(self, segment: PlannedSegment) -> float:
        """The estimated seconds of a segment with the pause after it."""
        return estimate_s(segment.request, self._limits) + segment.pause_after_s

    def sound_from(self, place: BookPlace) -> ChapterSound:
        """The sound of a chapter from a place on. Raises IndexError if there is no such place."""
        chapter = self.plan.chapters[place.chapter]
        if place.segment >= len(chapter.segments):
            raise IndexError(place.segment)
        next_chapter = self.plan.chapters[place.chapter + 1 : place.chapter + 2]
        following = tuple(one for chapter in next_chapter for one in chapter.segments)
        return ChapterSound(self, chapter.segments[place.segment :], following)

    def pcm_from(self, place: BookPlace) -> Iterator[bytes]:
        """The samples from a place to the book's end (s16le). Raises as `ChapterSound.samples`."""
        rate, following = self.plan.sample_rate, range(place.chapter + 1, len(self.plan.chapters))
        for one in (place, *map(BookPlace, following)):
            yield from speech_pcm(self.sound_from(one).samples(), rate, rate)

    def render_rest(self, context: RunContext) -> None:
        """Render all of the book. Raises StoreError, Interrupted.

        A segment that cannot be rendered is left: who listens is told when it is to be heard.
        """
        tickets = deque[SpeechTicket]()
        for window in context.until_cancelled(self.plan.windows):
            tickets.append(self.submit(window.requests, math.inf))
            if len(tickets) == WINDOWS_AHEAD:
                _wait(tickets.popleft(), context)
        for ticket in tickets:
            _wait(ticket, context)

    def submit(self, requests: Sequence[Request], due_in_s: float) -> SpeechTicket:
        """Have segments rendered, of which the first is heard in so many seconds.

        Raises StoreError.
        """
        ticket = self._scheduler.submit_following(requests, _CLIENT, due_in_s)
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
        return clip_of(self._scheduler.reader(), segment)


class FirstSegments:
    """Is told of each chapter of a book as it is cut; has the first segments rendered meanwhile."""

    def __init__(self, job: Job, renderer: Renderer, scheduler: SpeechScheduler) -> None:
        self._job, self._renderer, self._scheduler = job, renderer, scheduler
        # Which chapters are chosen, and what they cost, is known once all are cut.
        self._is_over = bool(job.chapters) or renderer.limits.is_paid

    def __call__(self, _book: Book, segments: Sequence[Segment]) -> None:
        """Implement `OnChapter`. Raises nothing: who listens meets the same errors later."""
        if self._is_over:
            return
        self._is_over = True
        with suppress(RenderError, StoreError):
            first = requests_of(segments, self._renderer, self._job.speed)[:N_FIRST]
            self._scheduler.submit_following(first, _CLIENT, 0.0)


class ChapterSound:
    """The joined sound of consecutive segments, until it is dropped.

    Those behind them, of the next chapter, are rendered too when they are near.
    """

    def __init__(
        self,
        book: BookSound,
        segments: Sequence[PlannedSegment],
        following: Sequence[PlannedSegment],
    ) -> None:
        self._book, self._segments = book, segments
        self._to_submit = deque(chain(segments, following))
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
        rate = self._book.plan.sample_rate
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
        due_in_s, requests = self._submitted_s, list[Request]()
        durations_s = list[float]()
        while self._to_submit and self._submitted_s < AHEAD_S:
            segment = self._to_submit.popleft()
            requests.append(segment.request)
            durations_s.append(self._book.duration_s(segment))
            self._submitted_s += durations_s[-1]
        ticket = self._book.submit(requests, due_in_s)
        self._submitted.extend(zip(ticket.stored, durations_s, strict=True))
        self._tickets.append(ticket)
        if self._is_dropped:
            ticket.drop()


def _wait(ticket: SpeechTicket, context: RunContext) -> None:
    """Wait until all of a ticket is stored, or cannot be. Raises Interrupted."""
    while wait(ticket.stored, POLL_S).not_done:
        context.check()
