"""Lets through what asks for this machine, from no other site's page, with the key.

Where a server of speech listens for other machines, each request brings its key, but those for
OPEN_PATHS, which tell nothing, and for OPEN_FOLDER.
"""

from __future__ import annotations

from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from audiomill.flows.speech.wire import RequestError
from audiomill.flows.web_server.access import foreign_refusal, has_bearer_key

OPEN_PATHS = frozenset(("/", "/health"))
OPEN_FOLDER = "/play/"  # whose addresses nobody can guess


class SpeechGuard:
    """An application that answers only what may be asked."""

    def __init__(self, app: ASGIApp, key: str) -> None:
        self._app, self._key = app, key

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or refuse."""
        if scope["type"] == "http" and (error := self._refusal(Request(scope))):
            await JSONResponse(error.body(), error.status, error.headers)(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _refusal(self, request: Request) -> RequestError | None:
        if refusal := foreign_refusal(request):
            return RequestError(refusal.message, refusal.status)
        path = request.url.path
        is_open = path in OPEN_PATHS or path.startswith(OPEN_FOLDER)
        if not self._key or is_open or has_bearer_key(request, self._key):
            return None
        return RequestError(
            "The key is missing or wrong: send the header Authorization: Bearer KEY.",
            HTTPStatus.UNAUTHORIZED,
            code="invalid_api_key",
            headers={"WWW-Authenticate": "Bearer"},
        )
