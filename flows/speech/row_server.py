"""Renders the rows of books for other processes of this machine, in the batches of all texts.

Whoever waits to hear something goes first. A run that is gone has the rest of its rows dropped.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from http import HTTPStatus

from starlette.requests import Request
from starlette.types import Send

from audiomill.flows.cluster.row_wire import (
    BEAT_S,
    RowOutcome,
    WantedRows,
    outcome_line,
    read_wanted,
)
from audiomill.flows.speech.answers import (
    AnswerLimit,
    answer_until_left,
    client_of,
    cut,
    parsed_body,
    send_stream,
)
from audiomill.flows.speech.failures import answerable
from audiomill.flows.speech.scheduler import SpeechTicket
from audiomill.flows.speech.speaking import TextSpeaker
from audiomill.flows.speech.wire import RequestError
from audiomill.renderers.engine.planning import key_of
from audiomill.renderers.engine.protocol import Request as RowRequest

MAX_WINDOWS = 32  # at once, of all runs
_BEAT = b"\n"


class RowServer:
    """Answers requests for rows."""

    def __init__(self, speaker: TextSpeaker) -> None:
        self._speaker = speaker
        self._limit = AnswerLimit(MAX_WINDOWS, "Too many books are rendered here.")

    async def render(self, request: Request, send: Send) -> None:
        """Tell of each row when it is stored. Raises RequestError."""
        wanted = await parsed_body(request, read_wanted)  # before it counts: a body may come slowly
        with self._limit.one_more():
            ticket = await answerable(asyncio.to_thread(self._begin, wanted, client_of(request)))
            with ticket:
                answer = _answer(request, send, _lines(wanted, ticket))
                await answer_until_left(request.receive, answer)

    def _begin(self, wanted: WantedRows, client: str) -> SpeechTicket:
        """Queue the rows. Raises RequestError, UsageError, RenderError, StoreError."""
        requests = checked_requests(self._speaker, wanted)
        scheduler = self._speaker.scheduler_of(wanted.engine)
        due_in_s = math.inf if wanted.due_in_s is None else wanted.due_in_s
        return scheduler.submit_following(requests, client, due_in_s)


def checked_requests(speaker: TextSpeaker, wanted: WantedRows) -> list[RowRequest]:
    """The requests of rows, with the keys that they have here.

    Raises RequestError if a run would store other sound under them, or elsewhere; RenderError,
    UsageError, StoreError.
    """
    if not speaker.has_store(wanted.store):
        raise RequestError(
            "This server keeps its audio in another store. Give both the same --store.",
            HTTPStatus.CONFLICT,
        )
    renderer = speaker.renderer_of(wanted.engine)
    requests = [replace(row.request, key=key_of(row.request, renderer)) for row in wanted.rows]
    if any(row.key not in ("", one.key) for row, one in zip(wanted.rows, requests, strict=True)):
        raise RequestError(
            f"{renderer.title} would sound otherwise here: the server has other settings of it,"
            " or another version of audiomill. Start it again with those of this run.",
            HTTPStatus.CONFLICT,
        )
    return requests


async def _answer(request: Request, send: Send, lines: AsyncIterator[bytes]) -> None:
    try:
        await send_stream(send, "application/x-ndjson", b"", lines)
    except TimeoutError:  # the run takes nothing any more
        cut(request.scope)


async def _lines(wanted: WantedRows, ticket: SpeechTicket) -> AsyncIterator[bytes]:
    """A line for each row, in the order in which they are stored; empty ones meanwhile."""
    finished, loop = asyncio.Queue[bytes](), asyncio.get_running_loop()

    def put(key: str, done: Future[None]) -> None:
        line = outcome_line(RowOutcome(key, _error_of(done)))
        loop.call_soon_threadsafe(finished.put_nowait, line)

    for row, future in zip(wanted.rows, ticket.stored, strict=True):
        future.add_done_callback(partial(put, row.key))
    yield _BEAT
    for _ in wanted.rows:
        while True:
            try:
                yield await asyncio.wait_for(finished.get(), BEAT_S)
                break
            except TimeoutError:
                yield _BEAT


def _error_of(done: Future[None]) -> str:
    if done.cancelled():
        return "The server has ended."
    return str(done.exception() or "")
