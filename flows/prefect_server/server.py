"""A Prefect server for this user only: `python -m audiomill.flows.prefect_server.server PORT`.

It listens on 127.0.0.1, wants the password that PREFECT_SERVER_API_AUTH_STRING of its environment
says, and refuses web pages of other sites. It reads its standard input and exits when its parent
closes it, so it never outlives the run.

Any page that a browser shows may send requests to 127.0.0.1, and a page whose host name resolves
to 127.0.0.1 (DNS rebinding) counts as the server's own. A browser tells both in headers that no
page can change: Host (RFC 9110, 7.2), Origin (RFC 6454) and Sec-Fetch-* (Fetch Metadata).
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from http import HTTPStatus
from typing import Any, TypeAlias, cast

from audiomill.flows.prefect_server.access import keep_database_private
from audiomill.flows.prefect_server.settings import close_prefect_server
from audiomill.renderers.host.unused_objects import search_less_often

Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
App: TypeAlias = Callable[[Message, Receive, Send], Awaitable[None]]
Headers: TypeAlias = Iterable[tuple[bytes, bytes]]

_HTTP_PORT = 80  # is left out of Host and Origin
_POLICY_VIOLATION = 1008  # RFC 6455, 7.4.1
_NAMES = ("127.0.0.1", "localhost")
# No other site may show these pages in a frame, nor load them as a picture or a script. They load
# and ask nothing elsewhere: Prefect's would ask a company that counts clicks, and keep the password
# where every script of theirs can read it.
_POLICY = (
    "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; connect-src 'self' {};"
    " base-uri 'self'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
)
_CLOSED = (
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
)
_REFUSAL = "Only pages of this server itself, and programs of this machine, are answered here.\n"


def own_origins(port: int) -> list[str]:
    """The origins of the pages that a server of this machine has at `port`."""
    return [f"http://{host}" for host in _own_hosts(port)]


def _own_hosts(port: int) -> list[str]:
    return [name if port == _HTTP_PORT else f"{name}:{port}" for name in _NAMES]


class OwnPagesOnly:
    """An ASGI app that passes on to another what its own pages and programs ask.

    A request of another site's page is refused, whether HTTP or the start of a WebSocket.
    """

    def __init__(self, app: App, port: int) -> None:
        self._app = app
        self._hosts = {host.encode() for host in _own_hosts(port)}
        self._origins = {origin.encode() for origin in own_origins(port)}
        sockets = [f"ws://{host}" for host in _own_hosts(port)]
        policy = _POLICY.format(" ".join(own_origins(port) + sockets))
        self._closed = ((b"content-security-policy", policy.encode()), *_CLOSED)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request, as ASGI 3 has it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif not self._is_own(scope):
            await _refuse(scope["type"], send)
        else:
            await self._app(scope, receive, self._closing(send))

    def _is_own(self, scope: Message) -> bool:
        headers: Headers = scope["headers"]
        origins = _values(headers, b"origin")
        if not _is_one_of(_values(headers, b"host"), self._hosts):
            return False
        if origins:
            return _is_one_of(origins, self._origins)
        # Without an Origin: a program, one's own page, or another page's picture, script or link.
        sites = _values(headers, b"sec-fetch-site")
        return not sites or _is_one_of(sites, {b"same-origin", b"none"}) or _is_link(scope)

    def _closing(self, send: Send) -> Send:
        """Send answers with headers that close them to other sites."""
        names = {name for name, _ in self._closed}

        async def closing(message: Message) -> None:
            if message["type"] == "http.response.start":
                others = [one for one in message.get("headers", ()) if one[0].lower() not in names]
                message = {**message, "headers": [*others, *self._closed]}
            await send(message)

        return closing


def _is_link(scope: Message) -> bool:
    """Whether the browser only opens a page, as it does for a link in a mail or a report."""
    headers: Headers = scope["headers"]
    return (
        scope.get("method") == "GET"
        and _values(headers, b"sec-fetch-mode") == [b"navigate"]
        and _values(headers, b"sec-fetch-dest") == [b"document"]
    )


def _values(headers: Headers, name: bytes) -> list[bytes]:
    return [value.lower() for key, value in headers if key.lower() == name]


def _is_one_of(values: list[bytes], allowed: set[bytes]) -> bool:
    return len(values) == 1 and values[0] in allowed


async def _refuse(kind: str, send: Send) -> None:
    if kind == "websocket":
        await send({"type": "websocket.close", "code": _POLICY_VIOLATION})
        return
    headers = [(b"content-type", b"text/plain; charset=utf-8"), *_CLOSED]
    await send(
        {"type": "http.response.start", "status": HTTPStatus.FORBIDDEN.value, "headers": headers}
    )
    await send({"type": "http.response.body", "body": _REFUSAL.encode()})


def main() -> None:
    """Serve Prefect's API on 127.0.0.1, at the port given as the argument."""
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    search_less_often()
    port = int(sys.argv[1])
    close_prefect_server(f"http://127.0.0.1:{port}/api", own_origins(port))
    keep_database_private()
    # Imported here: Prefect reads its environment when it is imported.
    import uvicorn
    from prefect.server.api.server import create_app

    # Of uvicorn's default log only errors are left: it never has a header, so no password.
    uvicorn.run(
        OwnPagesOnly(cast("App", create_app()), port),
        host="127.0.0.1",
        port=port,
        log_level="error",
        proxy_headers=False,
        server_header=False,
    )


def _exit_with_parent() -> None:
    # Not through sys.stdin: this thread would hold its lock when Python ends.
    while os.read(0, 4096):
        pass
    # Without clean-up: SQLite recovers from this, and nothing waits for the server any more.
    os._exit(0)


if __name__ == "__main__":
    main()
