"""The server of OpenAI's protocol for speech: `POST /v1/audio/speech` and what its clients ask.

    POST /v1/audio/speech        a text ─▶ audio, as it becomes ready; or server-sent events
    POST /dev/captioned_speech   a text ─▶ audio and the times of its words, as JSON
    GET  /v1/models              the default engine, and those that run in this process
    GET  /v1/audio/models        the same in the form that Open WebUI reads
    GET  /v1/audio/voices        the voices of one
    GET  /                       a page to try it
    POST /play, GET /play/TOKEN  audio by an address, for the page's player
    POST /rows, POST /sound      segments and beginnings of books, for our own other processes
    GET  /health                 whether it serves
    GET  /metrics                what it does, for Prometheus

`guard.py` says who may ask.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Send

from audiomill.flows.cluster.row_wire import ROWS_PATH
from audiomill.flows.speech.answers import (
    PAUSED_S,
    SEND_S,
    AnswerLimit,
    StreamingEndpoint,
    answer_until_left,
    body_of,
    client_of,
    cut,
    send_stream,
)
from audiomill.flows.speech.beginning_server import BeginningServer
from audiomill.flows.speech.beginning_wire import BEGINNING_PATH
from audiomill.flows.speech.failures import FAILURES, answerable
from audiomill.flows.speech.framing import framed
from audiomill.flows.speech.guard import SpeechGuard
from audiomill.flows.speech.metrics import MEDIA_TYPE, CountedRequests, SpeechMetrics
from audiomill.flows.speech.prepared_texts import PreparedTexts
from audiomill.flows.speech.row_server import RowServer
from audiomill.flows.speech.speaking import SpeechInProgress, TextSpeaker
from audiomill.flows.speech.wire import (
    RequestError,
    SpeechRequest,
    read_captioned_request,
    read_request,
)
from audiomill.outputs.formats.streams import STREAM_FORMATS
from audiomill.outputs.pages.speech_page import speech_page
from audiomill.renderers.engine.registry import engine_names, quick_engine_names

MAX_WAITING_ROWS = 20_000  # segments of all texts that have not begun
ParseRequest = Callable[[bytes, tuple[str, ...]], SpeechRequest]
ReadRequest = Callable[[Request], Awaitable[SpeechRequest]]
# A browser has no player for samples without a header.
_PLAYED = {name: one.media_type for name, one in STREAM_FORMATS.items() if name != "pcm"}
_SERVED = "this server has POST /v1/audio/speech, GET /v1/models and GET /v1/audio/voices."
_PAGE_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
}


@dataclass(frozen=True, slots=True)
class SpeechLimits:
    """What clients may hold, all of them together."""

    n_at_once: int = 128  # texts that are streamed
    n_waiting: int = MAX_WAITING_ROWS


def speech_app(speaker: TextSpeaker, key: str = "", limits: SpeechLimits | None = None) -> ASGIApp:
    """The application. With a `key`, each request must bring it."""
    metrics = SpeechMetrics(speaker)
    server = _SpeechServer(speaker, limits or SpeechLimits(), metrics)
    page = partial(_page, speech_page(_PLAYED, needs_key=bool(key)))
    routes = [
        Route("/", page, methods=["GET"]),
        Route("/play", server.prepare, methods=["POST"]),
        _speaking("/play/{token}", partial(server.speak, server.prepared), "GET"),
        _speaking("/v1/audio/speech", partial(server.speak, partial(_posted, read_request))),
        _speaking(
            "/dev/captioned_speech", partial(server.speak, partial(_posted, read_captioned_request))
        ),
        _speaking(ROWS_PATH, RowServer(speaker).render),
        _speaking(BEGINNING_PATH, BeginningServer(speaker).stream),
        Route("/v1/audio/voices", server.voices, methods=["GET"]),
        Route("/v1/audio/models", server.audio_models, methods=["GET"]),
        Route("/v1/models", server.models, methods=["GET"]),
        Route("/health", server.health, methods=["GET"]),
        Route("/metrics", server.metrics, methods=["GET"]),
    ]
    handlers = {RequestError: _error_answer, HTTPException: _http_error_answer}
    app = Starlette(routes=routes, exception_handlers=handlers)
    paths = frozenset(route.path for route in routes)
    return CountedRequests(SpeechGuard(app, key), metrics, paths)


def _speaking(
    path: str, answer: Callable[[Request, Send], Awaitable[None]], method: str = "POST"
) -> Route:
    route = Route(path, StreamingEndpoint(answer))
    route.methods = {method}  # GET alone: to answer HEAD, the text would be rendered
    return route


async def _page(page: bytes, _request: Request) -> Response:
    return Response(page, headers=_PAGE_HEADERS, media_type="text/html")


async def _posted(parse: ParseRequest, request: Request) -> SpeechRequest:
    return parse(await body_of(request), engine_names())


def _error_answer(_request: Request, error: Exception) -> Response:
    if not isinstance(error, RequestError):
        raise error
    return JSONResponse(error.body(), error.status, error.headers)


def _http_error_answer(_request: Request, error: Exception) -> Response:
    """A path or a method that the server has not, as an error of the protocol."""
    if not isinstance(error, HTTPException):
        raise error
    status = HTTPStatus(error.status_code)
    refusal = RequestError(f"{status.phrase}: {_SERVED}", status)
    return JSONResponse(refusal.body(), status, error.headers)


class _SpeechServer:
    """Answers requests."""

    def __init__(self, speaker: TextSpeaker, limits: SpeechLimits, metrics: SpeechMetrics) -> None:
        self._speaker, self._metrics = speaker, metrics
        self._max_waiting = limits.n_waiting
        message = "Too many texts are waiting. Try again in some seconds."
        self._limit = AnswerLimit(limits.n_at_once, message, "rate_limit_exceeded")
        self._texts = PreparedTexts()

    async def health(self, _request: Request) -> Response:
        return JSONResponse({"status": "healthy", "texts": self._limit.n_open})

    async def metrics(self, _request: Request) -> Response:
        return Response(self._metrics.text(), media_type=MEDIA_TYPE)

    async def models(self, _request: Request) -> Response:
        models = [
            {"id": name, "object": "model", "created": 0, "owned_by": "audiomill"}
            for name in self._models()
        ]
        return JSONResponse({"object": "list", "data": models})

    async def audio_models(self, _request: Request) -> Response:
        return JSONResponse({"models": [{"id": name, "name": name} for name in self._models()]})

    def _models(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((self._speaker.planner.engine, *quick_engine_names())))

    async def voices(self, request: Request) -> Response:
        """The voices of a model; with `legacy`, their names only, as Kokoro-FastAPI has both.

        Open WebUI sends the `id` of the one that was chosen, and OpenReader its `name`.
        """
        model = request.query_params.get("model", "")
        renderer = await answerable(asyncio.to_thread(self._speaker.renderer_of, model))
        voices = await answerable(asyncio.to_thread(renderer.voices))
        if request.query_params.get("legacy", "").lower() in ("1", "true"):
            return JSONResponse({"voices": [one.name for one in voices]})
        return JSONResponse(
            {
                "voices": [
                    {
                        "id": one.name,
                        "name": one.name,
                        "title": one.display_name or one.name,
                        "language": one.language,
                    }
                    for one in voices
                ]
            }
        )

    async def prepare(self, request: Request) -> Response:
        """The address of a text's audio. What cannot be said is told now; a player is mute."""
        wanted = await _posted(read_request, request)
        await answerable(asyncio.to_thread(self._speaker.planner.plan, wanted.text))
        return JSONResponse({"url": f"play/{self._texts.add(wanted)}"})

    async def prepared(self, request: Request) -> SpeechRequest:
        """The text of an address. Raises RequestError."""
        if wanted := self._texts.get(request.path_params["token"]):
            return wanted
        raise RequestError("The text is not known any more: send it again.", HTTPStatus.NOT_FOUND)

    async def speak(self, read: ReadRequest, request: Request, send: Send) -> None:
        """Say a text. Its segments are dropped once its client is gone."""
        wanted = await read(request)  # before it counts: a body may come slowly
        if self._speaker.n_waiting >= self._max_waiting:
            raise self._limit.refusal()
        with self._limit.one_more(), self._metrics.texts.track_inprogress():
            await self._speak(wanted, request, send)

    async def _speak(self, wanted: SpeechRequest, request: Request, send: Send) -> None:
        begun_s = time.monotonic()
        speech = await answerable(self._speaker.begin(wanted.text, client_of(request)))
        with speech.ticket:
            answer = self._stream(speech, wanted, request, send, begun_s)
            await answer_until_left(request.receive, answer)

    async def _stream(
        self,
        speech: SpeechInProgress,
        wanted: SpeechRequest,
        request: Request,
        send: Send,
        begun_s: float,
    ) -> None:
        """Send the audio. What fails before there is any is an error with its status."""
        make = self._speaker.captioned if wanted.has_words else self._speaker.stream
        parts = make(speech, wanted.format)
        media_type, body = framed(parts, wanted)
        first = await answerable(anext(body, b""))
        self._metrics.first_audio.observe(time.monotonic() - begun_s)
        # Only the page's player asks by GET, and people pause it.
        within_s = PAUSED_S if request.method == "GET" else SEND_S
        try:
            await send_stream(send, media_type, first, body, within_s)
        except (TimeoutError, *FAILURES):
            cut(request.scope)  # without its last chunk, so nobody takes it for whole
