"""The server of OpenAI's protocol for speech: `POST /v1/audio/speech` and what its clients ask.

    POST /v1/audio/speech      a text ─▶ audio, as it becomes ready; or server-sent events
    GET  /v1/models            the default engine, and those that run in this process
    GET  /v1/audio/voices      the voices of one
    GET  /health               whether it serves

Pages of other sites may not use it: a request that names an origin must come from its own. Where it
listens for other machines, each request has its key.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from typing import TypeVar

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from audiomill.flows.job import UsageError
from audiomill.flows.speech.speaking import SpeechInProgress, TextSpeaker
from audiomill.flows.speech.wire import (
    RequestError,
    SpeechRequest,
    audio_event,
    done_event,
    error_event,
    read_request,
)
from audiomill.flows.web_server.access import foreign_refusal, has_bearer_key
from audiomill.inputs.model.book import SourceError
from audiomill.outputs.formats.streams import STREAM_FORMATS
from audiomill.outputs.types import OutputError
from audiomill.renderers.engine.errors import (
    EngineMissing,
    RenderError,
    StoreError,
    UnknownEngine,
    UnknownVoice,
)
from audiomill.renderers.engine.registry import engine_names, quick_engine_names

MAX_BODY_BYTES = 1 << 20
MAX_WAITING_ROWS = 20_000  # segments of all texts that have not begun
RETRY_AFTER_S = 5
SEND_S = 120.0  # in which a client takes a part of the audio
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SpeechLimits:
    """What clients may hold, all of them together."""

    n_at_once: int = 128  # texts that are streamed
    n_waiting: int = MAX_WAITING_ROWS


def speech_app(speaker: TextSpeaker, key: str = "", limits: SpeechLimits | None = None) -> ASGIApp:
    """The application. With a `key`, each request must bring it."""
    server = _SpeechServer(speaker, limits or SpeechLimits())
    routes = [
        Route("/v1/audio/speech", _Endpoint(server.speak), methods=["POST"]),
        Route("/v1/audio/voices", server.voices, methods=["GET"]),
        Route("/v1/models", server.models, methods=["GET"]),
        Route("/health", server.health, methods=["GET"]),
    ]
    app = Starlette(routes=routes, exception_handlers={RequestError: _error_answer})
    return _Guard(app, key)


class _Guard:
    """Lets through what asks for this machine, from no other site's page, with the key."""

    def __init__(self, app: ASGIApp, key: str) -> None:
        self._app, self._key = app, key

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and (error := self._refusal(Request(scope))):
            await JSONResponse(error.body(), error.status, error.headers)(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _refusal(self, request: Request) -> RequestError | None:
        if refusal := foreign_refusal(request):
            return RequestError(refusal.message, refusal.status)
        if self._key and request.url.path != "/health" and not has_bearer_key(request, self._key):
            return RequestError(
                "The key is missing or wrong: send the header Authorization: Bearer KEY.",
                HTTPStatus.UNAUTHORIZED,
                code="invalid_api_key",
                headers={"WWW-Authenticate": "Bearer"},
            )
        return None


def _error_answer(_request: Request, error: Exception) -> Response:
    if not isinstance(error, RequestError):
        raise error
    return JSONResponse(error.body(), error.status, error.headers)


class _SpeechServer:
    """Answers requests."""

    def __init__(self, speaker: TextSpeaker, limits: SpeechLimits) -> None:
        self._speaker, self._limits = speaker, limits
        self._n_open = 0

    async def health(self, _request: Request) -> Response:
        return JSONResponse({"status": "healthy", "texts": self._n_open})

    async def models(self, _request: Request) -> Response:
        names = dict.fromkeys((self._speaker.planner.engine, *quick_engine_names()))
        models = [
            {"id": name, "object": "model", "created": 0, "owned_by": "audiomill"} for name in names
        ]
        return JSONResponse({"object": "list", "data": models})

    async def voices(self, request: Request) -> Response:
        model = request.query_params.get("model", "")
        renderer = await _answerable(asyncio.to_thread(self._speaker.renderer_of, model))
        voices = await _answerable(asyncio.to_thread(renderer.voices))
        return JSONResponse(
            {
                "voices": [
                    {
                        "id": one.name,
                        "name": one.display_name or one.name,
                        "language": one.language,
                    }
                    for one in voices
                ]
            }
        )

    async def speak(self, request: Request, send: Send) -> None:
        """Say a text. Its segments are dropped once its client is gone."""
        if self._n_open >= self._limits.n_at_once or (
            self._speaker.n_waiting >= self._limits.n_waiting
        ):
            raise RequestError(
                "Too many texts are waiting. Try again in some seconds.",
                HTTPStatus.TOO_MANY_REQUESTS,
                code="rate_limit_exceeded",
                headers={"Retry-After": str(RETRY_AFTER_S)},
            )
        self._n_open += 1
        try:
            await self._speak(request, send)
        finally:
            self._n_open -= 1

    async def _speak(self, request: Request, send: Send) -> None:
        wanted = read_request(await _body(request), engine_names())
        client = request.client.host if request.client else ""
        speech = await _answerable(self._speaker.begin(wanted.text, client))
        streaming = asyncio.create_task(self._stream(speech, wanted, send))
        leaving = asyncio.create_task(_left(request.receive))
        try:
            await asyncio.wait((streaming, leaving), return_when=asyncio.FIRST_COMPLETED)
            if streaming.done():
                await streaming
        finally:
            speech.ticket.drop()
            for task in (streaming, leaving):
                task.cancel()
            with suppress(asyncio.CancelledError, RequestError, OSError, TimeoutError):
                await streaming

    async def _stream(self, speech: SpeechInProgress, wanted: SpeechRequest, send: Send) -> None:
        """Send the audio. What fails before there is any is an error with its status."""
        chunks = self._speaker.stream(speech, wanted.format)
        first = await _answerable(anext(chunks, b""))
        form = STREAM_FORMATS[wanted.format]
        media_type = "text/event-stream" if wanted.as_events else form.media_type
        await _send_start(send, media_type)
        parts = _with_first(first, chunks)
        n_sent = 0
        try:
            async for chunk in parts:
                n_sent += len(chunk)
                await _send_part(send, audio_event(chunk) if wanted.as_events else chunk)
        except TimeoutError:
            return
        except (RenderError, StoreError, OutputError) as error:
            if not wanted.as_events:
                return  # the connection ends without its last chunk, so nobody takes it for whole
            await _send_part(send, error_event(_failure(error)))
        else:
            if wanted.as_events:
                await _send_part(send, done_event(len(wanted.text.text), n_sent))
        await send({"type": "http.response.body", "body": b"", "more_body": False})


class _Endpoint:
    """An ASGI endpoint that sends its answer itself. Errors before it are answered as such."""

    def __init__(self, answer: Callable[[Request, Send], Awaitable[None]]) -> None:
        self._answer = answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with suppress(ClientDisconnect):
            await self._answer(Request(scope, receive, send), send)


async def _body(request: Request) -> bytes:
    """The body of a request. Raises RequestError, ClientDisconnect."""
    content = bytearray()
    async for part in request.stream():
        content += part
        if len(content) > MAX_BODY_BYTES:
            raise RequestError(
                f"The body has more than {MAX_BODY_BYTES} bytes: send the text in parts.",
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
            )
    return bytes(content)


async def _left(receive: Receive) -> None:
    """Return once the client is gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def _with_first(first: bytes, others: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    if first:
        yield first
    async for chunk in others:
        yield chunk


async def _send_start(send: Send, media_type: str) -> None:
    headers = [
        (b"content-type", media_type.encode()),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
        (b"x-accel-buffering", b"no"),  # or a proxy would gather what is streamed
    ]
    await send({"type": "http.response.start", "status": HTTPStatus.OK, "headers": headers})


async def _send_part(send: Send, body: bytes) -> None:
    """Send a part. Raises TimeoutError if the client takes none of what was sent before."""
    message: Message = {"type": "http.response.body", "body": body, "more_body": True}
    await asyncio.wait_for(send(message), SEND_S)


async def _answerable(result: Awaitable[T]) -> T:
    """The result; what it raises becomes an error for the client. Raises RequestError."""
    try:
        return await result
    except (UsageError, SourceError, RenderError, StoreError, OutputError) as error:
        raise _failure(error) from error


def _failure(error: Exception) -> RequestError:
    match error:
        case UnknownEngine():
            status = HTTPStatus.NOT_FOUND
            return RequestError(str(error), status, param="model", code="model_not_found")
        case UnknownVoice():
            return RequestError(str(error), param="voice", code="voice_not_found")
        case UsageError() | SourceError():
            return RequestError(str(error))
        case EngineMissing():
            return RequestError(str(error), HTTPStatus.SERVICE_UNAVAILABLE, param="model")
        case _:
            return RequestError(str(error), HTTPStatus.INTERNAL_SERVER_ERROR)
