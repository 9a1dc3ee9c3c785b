"""The server of a book that is heard while it is rendered, for a browser or a phone.

    GET /                               the page; with ?key=… the browser keeps the key
    GET /book.json                      the chapters that are cut, how much of each is rendered
    GET /chapters/N.json                the text of a chapter, by its segments
    GET /chapters/N/sound?from=K        its sound from segment K on, as it becomes ready
    GET /chapters/N/starts.json?from=K  when each segment begins in it, as far as it is joined

Only pages of this server may use it. Where it listens for other machines, they need the key, which
a browser keeps in a cookie: an audio element can send no header.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from http import HTTPStatus
from itertools import groupby
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import (
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from audiomill.flows.listen.book_chapters import HeardChapter
from audiomill.flows.listen.book_sound import BookPosition, BookSound, ChapterSound
from audiomill.flows.speech.stream_encoding import StreamEncoder
from audiomill.flows.web_server.access import foreign_refusal, has_bearer_key, is_key
from audiomill.outputs.formats.streams import DEFAULT_FORMAT, STREAM_FORMATS
from audiomill.outputs.pages.listen_page import listen_page
from audiomill.outputs.types import OutputError
from audiomill.renderers.engine.errors import RenderError, StoreError

MAX_STREAMS = 16  # at once, of all listeners
_COOKIE = "audiomill-listen"
_FORMAT = STREAM_FORMATS[DEFAULT_FORMAT]
_HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_AUDIO_HEADERS = {**_HEADERS, "Accept-Ranges": "none", "X-Accel-Buffering": "no"}
_NO_KEY = "Open the address that audiomill listen printed, with its key.\n"


def book_app(book: BookSound, encoder: StreamEncoder, key: str = "") -> ASGIApp:
    """The application, for a book whose first chapter is cut. `encoder` makes MAX_STREAMS.

    With a `key`, each request must bring it.
    """
    server = _BookServer(book, encoder)
    routes = [
        Route("/", server.page),
        Route("/book.json", server.book),
        Route("/chapters/{chapter:int}.json", server.chapter),
        Route("/chapters/{chapter:int}/sound", server.sound),
        Route("/chapters/{chapter:int}/starts.json", server.starts),
    ]
    return _Guard(Starlette(routes=routes), key)


class _Guard:
    """Lets through what asks for this machine, from no other site's page, with the key."""

    def __init__(self, app: ASGIApp, key: str) -> None:
        self._app, self._key = app, key

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = self._answer(Request(scope)) if scope["type"] == "http" else None
        await (answer or self._app)(scope, receive, send)

    def _answer(self, request: Request) -> Response | None:
        """The answer to a request that goes no further; None for all others."""
        if refusal := foreign_refusal(request):
            return PlainTextResponse(f"{refusal.message}\n", refusal.status)
        if not self._key or has_bearer_key(request, self._key):
            return None
        if is_key(request.query_params.get("key", ""), self._key):
            answer = RedirectResponse("/", HTTPStatus.SEE_OTHER, _HEADERS)
            answer.set_cookie(_COOKIE, self._key, httponly=True, samesite="strict")
            return answer
        if is_key(request.cookies.get(_COOKIE, ""), self._key):
            return None
        return PlainTextResponse(_NO_KEY, HTTPStatus.UNAUTHORIZED)


class _BookServer:
    """Answers requests."""

    def __init__(self, book: BookSound, encoder: StreamEncoder) -> None:
        self._book, self._encoder = book, encoder
        self._sounds = dict[BookPosition, ChapterSound]()  # the last one from each position
        self._n_open = 0

    async def page(self, _request: Request) -> Response:
        book = self._book.chapters.book()
        page = listen_page(book.title, book.authors, book.language)
        return Response(page, headers=_HEADERS, media_type="text/html")

    async def book(self, _request: Request) -> Response:
        book, chapters = self._book, self._book.chapters
        answer = {
            "id": chapters.book().source_id,
            "isComplete": chapters.is_complete,
            "chapters": [self._summary(one) for one in chapters.known],
            "problem": book.problem,
        }
        return JSONResponse(answer, headers=_HEADERS)

    def _summary(self, chapter: HeardChapter) -> Mapping[str, Any]:
        return {
            "title": chapter.title,
            "segments": len(chapter.segments),
            "stored": self._book.n_stored(chapter),
            "seconds": round(sum(map(self._book.duration_s, chapter.segments)), 1),
        }

    async def chapter(self, request: Request) -> Response:
        if (position := self._position(request)) is None:
            return _nothing()
        chapter = self._book.chapters.known[position.chapter]
        seconds = iter([round(self._book.duration_s(one), 2) for one in chapter.segments])
        blocks = [
            {
                "kind": kind,
                "language": language,
                "segments": [{"text": one.text, "seconds": next(seconds)} for one in group],
            }
            for (_, kind, language), group in groupby(
                chapter.texts, lambda one: (one.span.block, one.kind, one.language)
            )
        ]
        return JSONResponse({"blocks": blocks}, headers=_HEADERS)

    async def starts(self, request: Request) -> Response:
        position = self._position(request)
        sound = self._sounds.get(position) if position else None
        return JSONResponse(list(sound.starts_s) if sound else [], headers=_HEADERS)

    async def sound(self, request: Request) -> Response:
        if (position := self._position(request)) is None:
            return _nothing()
        if self._n_open >= MAX_STREAMS:
            message = "Too many listeners at once. Close the page elsewhere.\n"
            return PlainTextResponse(message, HTTPStatus.TOO_MANY_REQUESTS, {"Retry-After": "5"})
        if request.method == "HEAD":
            return Response(headers=_AUDIO_HEADERS, media_type=_FORMAT.media_type)
        sound = self._book.sound_from(position)
        self._keep(position, sound)
        chunks = self._chunks(sound)
        return StreamingResponse(chunks, headers=_AUDIO_HEADERS, media_type=_FORMAT.media_type)

    def _keep(self, position: BookPosition, sound: ChapterSound) -> None:
        """Remember a sound, and forget the one that was asked for longest ago."""
        self._sounds.pop(position, None)
        self._sounds[position] = sound
        if len(self._sounds) > 2 * MAX_STREAMS:
            del self._sounds[next(iter(self._sounds))]

    async def _chunks(self, sound: ChapterSound) -> AsyncIterator[bytes]:
        """The encoded sound. What a listener that has gone would have heard is dropped."""
        self._n_open += 1
        try:
            rate = self._book.sample_rate
            async for chunk in self._encoder.encoded(sound.samples(), rate, _FORMAT):
                yield chunk
        except (RenderError, StoreError, OutputError) as error:
            self._book.problem = str(error)  # the page sees that its sound has ended too early
        finally:
            self._n_open -= 1
            sound.drop()

    def _position(self, request: Request) -> BookPosition | None:
        """The position that a request names; None if the book has none such."""
        chapter, segment = request.path_params["chapter"], request.query_params.get("from", "0")
        if not (segment.isascii() and segment.isdecimal() and len(segment) < 8):
            return None
        chapters = self._book.chapters.known
        if chapter >= len(chapters) or int(segment) >= len(chapters[chapter].segments):
            return None
        return BookPosition(chapter, int(segment))


def _nothing() -> Response:
    return PlainTextResponse("The book has no such place.\n", HTTPStatus.NOT_FOUND)
