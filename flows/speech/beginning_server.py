"""Streams the beginning of a book to a listener who has not read the book yet.

The rows are rendered as those of other runs, and joined as in the book. A listener who is gone has
the rest of them dropped.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace

from starlette.requests import Request
from starlette.types import Send

from audiomill.flows.pipeline.planning.plan import PlannedSegment
from audiomill.flows.speech.answers import (
    AnswerLimit,
    answer_until_left,
    client_of,
    cut,
    parsed_body,
    send_stream,
)
from audiomill.flows.speech.beginning_wire import WantedBeginning, read_beginning
from audiomill.flows.speech.failures import FAILURES, answerable
from audiomill.flows.speech.row_server import checked_requests
from audiomill.flows.speech.scheduler import SpeechTicket
from audiomill.flows.speech.speaking import TextSpeaker
from audiomill.flows.speech.speech_audio import before_pause, joined_chapters
from audiomill.renderers.engine.planning import key_of
from audiomill.renderers.store.shard_reader import ShardReader

MAX_LISTENERS = 32


@dataclass(frozen=True, slots=True)
class _BeginningInProgress:
    """A beginning that is being rendered, until its ticket is dropped."""

    chapters: tuple[tuple[PlannedSegment, ...], ...]
    ticket: SpeechTicket
    reader: ShardReader
    sample_rate: int
    ends_with_pause: bool  # the first one


class BeginningServer:
    """Answers requests for the beginnings of books."""

    def __init__(self, speaker: TextSpeaker) -> None:
        self._speaker = speaker
        self._limit = AnswerLimit(MAX_LISTENERS, "Too many people listen here.")

    async def stream(self, request: Request, send: Send) -> None:
        """Send the sound. Raises RequestError."""
        # Before it counts: a body may come slowly.
        wanted = await parsed_body(request, read_beginning)
        with self._limit.one_more():
            sound = await answerable(asyncio.to_thread(self._begin, wanted, client_of(request)))
            with sound.ticket:
                await answer_until_left(request.receive, self._answer(request, send, sound))

    def _begin(self, wanted: WantedBeginning, client: str) -> _BeginningInProgress:
        """Queue the rows. Raises RequestError, UsageError, RenderError, StoreError."""
        renderer = self._speaker.renderer_of(wanted.engine)
        known = checked_requests(self._speaker, wanted.rows)
        at_speed = [wanted.at_speed(one) for one in known]
        requests = [replace(one, key=key_of(one, renderer)) for one in at_speed]
        left = iter(requests)
        chapters = tuple(
            tuple(segment.planned(next(left)) for segment in chapter) for chapter in wanted.chapters
        )
        scheduler = self._speaker.scheduler_of(wanted.engine)
        ticket = scheduler.submit_following(requests, client, 0.0)
        return _BeginningInProgress(
            chapters,
            ticket,
            scheduler.reader(),
            renderer.sample_rate,
            ends_with_pause=wanted.is_slower_or_faster,
        )

    async def _answer(self, request: Request, send: Send, sound: _BeginningInProgress) -> None:
        parts = self._parts(sound)
        first = await answerable(anext(parts, b""))
        try:
            await send_stream(send, "audio/pcm", first, parts)
        except (TimeoutError, *FAILURES):
            cut(request.scope)  # without its last chunk, so nobody takes it for whole

    def _parts(self, sound: _BeginningInProgress) -> AsyncIterator[bytes]:
        joined = joined_chapters(
            sound.chapters, sound.ticket.stored, sound.reader, sound.sample_rate
        )
        samples = before_pause(joined) if sound.ends_with_pause else (one.samples for one in joined)
        return self._speaker.raw(samples, sound.sample_rate)
