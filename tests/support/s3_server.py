"""A stand-in for S3 on loopback: puts and gets of objects in one bucket, and its failures.

It knows no signatures and no listings. Source: the S3 API's answers to PutObject and GetObject.
"""

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote

BUCKET = "books"


class S3Server(ThreadingHTTPServer):
    """The server. `fault` names the error that a request gets, as (status, code), or None.

    The status 0 closes the connection without an answer.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.objects: dict[str, bytes] = {}
        self.requests: list[str] = []  # "PUT /books/shards/probe"
        self.created: list[str] = []  # buckets
        self.fault: Callable[[str], tuple[int, str] | None] = lambda _request: None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: S3Server

    def log_message(self, *_args) -> None:
        pass

    def do_PUT(self) -> None:
        self._answer()

    def do_GET(self) -> None:
        self._answer()

    def do_HEAD(self) -> None:
        self._answer()

    def _answer(self) -> None:
        body = self._body()
        path = unquote(self.path.partition("?")[0])
        request = f"{self.command} {path}"
        self.server.requests.append(request)
        bucket, _, key = path.lstrip("/").partition("/")
        fault = self.server.fault(request)
        if fault == (0, ""):
            self.close_connection = True
        elif fault:
            self._refuse(*fault)
        elif self.command == "PUT" and not key:
            self.server.created.append(bucket)
            self._send(200, b"")
        elif bucket != BUCKET:
            self._refuse(404, "NoSuchBucket")
        elif self.command == "PUT":
            self.server.objects[path] = body
            self._send(200, b"")
        elif path not in self.server.objects:
            self._refuse(404, "NoSuchKey")
        else:
            self._send_range(self.server.objects[path])

    def _body(self) -> bytes:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if "aws-chunked" not in self.headers.get("Content-Encoding", ""):
            return body
        size, _, rest = body.partition(b"\r\n")  # one chunk is all that these tests send
        return rest[: int(size.partition(b";")[0], 16)]

    def _send_range(self, content: bytes) -> None:
        found = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        if not found:
            return self._send(200, content)
        part = content[int(found[1]) : int(found[2]) + 1]
        if not part:
            return self._refuse(416, "InvalidRange")
        last = int(found[1]) + len(part) - 1
        return self._send(206, part, f"bytes {found[1]}-{last}/{len(content)}")

    def _refuse(self, status: int, code: str) -> None:
        self._send(status, f"<Error><Code>{code}</Code><Message>{code}</Message></Error>".encode())

    def _send(self, status: int, content: bytes, content_range: str = "") -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("ETag", '"0"')
        if content_range:
            self.send_header("Content-Range", content_range)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)


@contextmanager
def serving_s3() -> Iterator[S3Server]:
    server = S3Server()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
