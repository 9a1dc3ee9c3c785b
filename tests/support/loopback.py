"""The one server on loopback behind all stand-ins: a thread a connection, and nothing is printed.

with answering(MyHandler, pages=pages) as server: …    server.url
"""

import socket
import struct
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeVar


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else each answer waits 40 ms for an acknowledgement

    def log_message(self, *_words: object) -> None:
        """Print nothing."""

    def body(self) -> bytes:
        """What was sent: less than was told if the connection ended before."""
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def reply(
        self, status: int, content: bytes = b"", headers: Mapping[str, str] | None = None
    ) -> None:
        """Answer with the content and its length; to HEAD without the content."""
        self.send_response(status)
        length = {"Content-Length": str(len(content))}
        for name, value in (length | dict(headers or {})).items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def begin_chunks(self, headers: Mapping[str, str] | None = None) -> None:
        """Begin an answer whose length is not told: `chunk` sends it, an empty one ends it."""
        self.send_response(200)
        for name, value in {"Transfer-Encoding": "chunked", **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()

    def chunk(self, content: bytes) -> None:
        """Send a piece of an answer (RFC 9112, 7.1)."""
        self.wfile.write(b"%x\r\n%b\r\n" % (len(content), content))

    def reset(self) -> None:
        """End the connection without an answer, by a reset."""
        linger = struct.pack("ii", 1, 0)
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.close_connection = True
        self.connection.close()


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256  # else a client whose connection finds no place waits for a second

    def __init__(self, handler: type[Handler], port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), handler)
        self.is_stopped = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that has had enough is no error."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


@contextmanager
def answering(handler: type[Handler], **attributes: object) -> Iterator[Server]:
    """A server whose handlers have these attributes, until the block ends."""
    with listening(Server(type("BoundHandler", (handler,), attributes))) as server:
        yield server


AnyServer = TypeVar("AnyServer", bound=Server)


@contextmanager
def listening(server: AnyServer) -> Iterator[AnyServer]:
    """The server, until the block ends."""
    with server:
        thread = threading.Thread(target=server.serve_forever, args=[0.01])
        thread.start()
        try:
            yield server
        finally:
            server.is_stopped.set()
            server.shutdown()
            thread.join()
