"""A web server on loopback whose pages a test writes, the ill-behaved ones too."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Answer = Callable[[BaseHTTPRequestHandler], None]


@dataclass(frozen=True)
class Page:
    """An answer: a body, its status and headers."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)

    def __call__(self, request: BaseHTTPRequestHandler) -> None:
        request.send_response(self.status)
        headers = {"Content-Type": "text/html", "Content-Length": str(len(self.body))}
        for name, value in (headers | self.headers).items():
            request.send_header(name, value)
        request.end_headers()
        request.wfile.write(self.body)


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

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            site.requests.append((self.path, dict(self.headers)))
            answer = site.pages.get(self.path, Page(b"nothing here", 404))
            # The client may have had enough.
            with suppress(ConnectionError):
                answer(self)

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            """A client that has had enough is no error."""

    with Server(("127.0.0.1", 0), Handler) as server:
        site.url = f"http://127.0.0.1:{server.server_address[1]}"
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield site
        server.shutdown()


def cut_off(request: BaseHTTPRequestHandler) -> None:
    """A connection that dies in the middle of the body."""
    request.send_response(200)
    request.send_header("Content-Length", "1000")
    request.end_headers()
    request.wfile.write(b"half")
    request.close_connection = True
    request.connection.shutdown(socket.SHUT_RDWR)


def endless(request: BaseHTTPRequestHandler) -> None:
    """A body that never ends."""
    request.send_response(200)
    request.send_header("Content-Type", "text/html")
    request.end_headers()
    request.close_connection = True
    while True:
        request.wfile.write(b"x" * 65536)
