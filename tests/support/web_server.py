"""A web server on loopback whose pages a test writes, the ill-behaved ones too."""

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from support.loopback import Handler, answering

Answer = Callable[[Handler], None]


@dataclass(frozen=True)
class Page:
    """An answer: a body, its status and headers."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)

    def __call__(self, request: Handler) -> None:
        etag = self.headers.get("ETag")
        if etag and request.headers.get("If-None-Match") == etag:
            request.send_response(304)
            request.end_headers()
            return
        request.reply(self.status, self.body, {"Content-Type": "text/html"} | self.headers)


@dataclass
class Site:
    """The pages by path, and what was asked for: the path and the headers of each request."""

    url: str
    pages: dict[str, Answer] = field(default_factory=dict)
    requests: list[tuple[str, dict[str, str]]] = field(default_factory=list)

    @property
    def asked(self) -> list[str]:
        return [path for path, _ in self.requests]


@contextmanager
def serving_site() -> Iterator[Site]:
    site = Site("")

    class SiteHandler(Handler):
        def do_GET(self) -> None:
            site.requests.append((self.path, dict(self.headers)))
            answer = site.pages.get(self.path, Page(b"nothing here", 404))
            answer(self)

    with answering(SiteHandler) as server:
        site.url = server.url
        yield site


def cut_off(request: Handler) -> None:
    """A connection that dies in the middle of the body."""
    request.send_response(200)
    request.send_header("Content-Length", "1000")
    request.end_headers()
    request.wfile.write(b"half")
    request.close_connection = True
    request.connection.shutdown(socket.SHUT_RDWR)


def endless(request: Handler) -> None:
    """A body that never ends."""
    request.send_response(200)
    request.send_header("Content-Type", "text/html")
    request.end_headers()
    request.close_connection = True
    while True:
        request.wfile.write(b"x" * 65536)


def always_continuing(request: Handler) -> None:
    """One answer after the other that says that the answer comes (RFC 9110, 15.2.1)."""
    _drip(request, b"HTTP/1.1 100 Continue\r\n\r\n")


def dripping_headers(request: Handler) -> None:
    """Headers that come byte by byte, and never end."""
    _drip(request, b"x", b"HTTP/1.1 200 OK\r\nX-Long: ")


def dripping_body(request: Handler) -> None:
    """A body that comes byte by byte, and never ends."""
    _drip(request, b"x", b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")


def _drip(request: Handler, piece: bytes, before: bytes = b"") -> None:
    request.close_connection = True
    request.wfile.write(before)
    while not request.server.is_stopped.wait(0.01):
        request.wfile.write(piece)


def endless_headers(request: Handler) -> None:
    """Header after header, as fast as they can be sent."""
    request.close_connection = True
    request.wfile.write(b"HTTP/1.1 200 OK\r\n")
    while True:
        request.wfile.write(b"X-Header: and another one\r\n" * 100)


def shorter_than_told(request: Handler) -> None:
    """A body that ends in order, but before the length that was told."""
    request.close_connection = True
    request.send_response(200)
    request.send_header("Content-Type", "text/html")
    request.send_header("Content-Length", "100000")
    request.end_headers()
    request.wfile.write(b"<p>The beginning of a page.</p>" * 100)
