"""Reads the bodies of requests, and sends answers that are made while they are sent."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Generator
from contextlib import contextmanager, suppress
from http import HTTPStatus
from typing import Any, TypeVar

from starlette.requests import ClientDisconnect, Request
from starlette.types import Message, Receive, Scope, Send

from audiomill.flows.speech.wire import RequestError, too_many_requests
from audiomill.flows.web_server.connections import CUT

T = TypeVar("T")
MAX_BODY_BYTES = 1 << 20
# Read and dropped of a body that is too large: to close a connection on which bytes come resets it,
# and its client never sees why.
MAX_DROPPED_BYTES = 64 << 20
BODY_S = 30.0  # from the header of a request to the end of its body
SEND_S = 120.0  # in which a client takes a part of the audio
PAUSED_S = 3600.0  # the same for a player that people pause


class StreamingEndpoint:
    """An ASGI endpoint that sends its answer itself. Errors before it are answered as such."""

    def __init__(self, answer: Callable[[Request, Send], Awaitable[None]]) -> None:
        self._answer = answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer; nothing if the client has gone before its request was whole."""
        with suppress(ClientDisconnect):
            await self._answer(Request(scope, receive, send), send)


class AnswerLimit:
    """Bounds how many answers of a kind are under way."""

    def __init__(self, max_open: int, message: str, code: str | None = None) -> None:
        """The message, and its code, are for a client that comes when there are so many."""
        self._max_open, self._message, self._code = max_open, message, code
        self._n_open = 0

    @property
    def n_open(self) -> int:
        """How many are under way."""
        return self._n_open

    @contextmanager
    def one_more(self) -> Generator[None]:
        """One is under way in the block. Raises RequestError where there are too many."""
        if self._n_open >= self._max_open:
            raise self.refusal()
        self._n_open += 1
        try:
            yield
        finally:
            self._n_open -= 1

    def refusal(self) -> RequestError:
        """The error of a client that has to wait."""
        return too_many_requests(self._message, self._code)


def client_of(request: Request) -> str:
    """The address of the client that asks; "" where it has none."""
    return request.client.host if request.client else ""


async def parsed_body(request: Request, parse: Callable[[bytes], T]) -> T:
    """What `parse` reads in the body of a request; what it raises as ValueError is told.

    Raises RequestError, ClientDisconnect.
    """
    body = await body_of(request)
    try:
        return parse(body)
    except ValueError as error:
        raise RequestError(str(error)) from error


async def body_of(request: Request) -> bytes:
    """The body of a request. Raises RequestError, ClientDisconnect."""
    body = _ReadBody()
    try:
        async with asyncio.timeout(BODY_S):
            if not (_asks_first(request) and _declared_bytes(request) > MAX_BODY_BYTES):
                await body.read(request)
    except TimeoutError as error:
        if body.n_bytes <= MAX_BODY_BYTES:
            raise RequestError(
                f"The body was not whole after {BODY_S:.0f} s: send it again.",
                HTTPStatus.REQUEST_TIMEOUT,
            ) from error
    if max(body.n_bytes, _declared_bytes(request)) > MAX_BODY_BYTES:
        raise RequestError(
            f"The body has more than {MAX_BODY_BYTES} bytes: send the text in parts.",
            HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        )
    return bytes(body.content)


class _ReadBody:
    """The body of a request as far as it has come; of one that is too large only its length."""

    def __init__(self) -> None:
        self.content, self.n_bytes = bytearray(), 0

    async def read(self, request: Request) -> None:
        """Read to the end, or to the bound of what is dropped."""
        async for part in request.stream():
            self.n_bytes += len(part)
            if self.n_bytes <= MAX_BODY_BYTES:
                self.content += part
            elif self.n_bytes > MAX_DROPPED_BYTES:
                break


def _asks_first(request: Request) -> bool:
    """Whether the client waits for leave to send the body (RFC 9110, 10.1.1)."""
    return request.headers.get("expect", "").lower() == "100-continue"


def _declared_bytes(request: Request) -> int:
    """The length of the body as its header tells it; 0 if it does not."""
    return int(request.headers.get("content-length", "0"))


async def answer_until_left(receive: Receive, answer: Coroutine[Any, Any, None]) -> None:
    """Answer, until that is done or the client is gone. Raises what `answer` raises till then."""
    answering, leaving = asyncio.create_task(answer), asyncio.create_task(_left(receive))
    try:
        await asyncio.wait((answering, leaving), return_when=asyncio.FIRST_COMPLETED)
        if answering.done():
            await answering
    finally:
        for task in (answering, leaving):
            task.cancel()
        await asyncio.gather(answering, leaving, return_exceptions=True)


async def _left(receive: Receive) -> None:
    """Return once the client is gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def send_stream(
    send: Send,
    media_type: str,
    first: bytes,
    others: AsyncIterator[bytes],
    within_s: float = SEND_S,
) -> None:
    """Send an answer in parts, and its end.

    Raises TimeoutError if the client takes none of what was sent before `within_s`, and what
    `others` raises.
    """
    headers = [
        (b"content-type", media_type.encode()),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
        (b"x-accel-buffering", b"no"),  # or a proxy would gather what is streamed
    ]
    await send({"type": "http.response.start", "status": HTTPStatus.OK, "headers": headers})
    if first:
        await _send_part(send, first, within_s)
    async for part in others:
        await _send_part(send, part, within_s)
    await send({"type": "http.response.body", "body": b"", "more_body": False})


def cut(scope: Scope) -> None:
    """End the connection in the middle of an answer that cannot be finished."""
    end = scope.get("extensions", {}).get(CUT)
    if end:
        end()


async def _send_part(send: Send, body: bytes, within_s: float) -> None:
    message: Message = {"type": "http.response.body", "body": body, "more_body": True}
    await asyncio.wait_for(send(message), within_s)
