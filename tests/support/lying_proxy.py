"""A proxy on loopback before a server that cannot be told to lie: a real one, or a stand-in.

    with lying_proxy(url, "/synthesize") as proxy: …    proxy.url, proxy.fault = "page"

It hands requests and whole answers on. Its faults are those of what is between us and a server, and
those of the answers to one path, which a faulty server might give as well.
"""

from __future__ import annotations

import http.client
import json
import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

PAGE = b"<!DOCTYPE html><html><title>Sign in</title></html>"
RATE_AT = struct.Struct("<24xI")  # of a WAV file: where its header has the rate


@dataclass
class LyingProxy:
    """What it does, and the bodies that it has handed on to the path."""

    upstream: str
    path: str
    url: str = ""
    # "down" (any request); "page", "cut off" and "wrong rate" (answers to the path)
    fault: str = ""
    asked: list[Any] = field(default_factory=list)  # JSON, before it is answered
    spoken: list[Any] = field(default_factory=list)  # those of them whose answer came


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    proxy: LyingProxy

    def log_message(self, *_: object) -> None:
        """Print nothing."""

    def do_GET(self) -> None:
        self._hand_on(None)

    def do_POST(self) -> None:
        self._hand_on(self.rfile.read(int(self.headers["Content-Length"])))

    def _hand_on(self, body: bytes | None) -> None:
        if self.proxy.fault == "down":
            self._reset()
            return
        is_speech = urlsplit(self.path).path == self.proxy.path
        is_json = "json" in self.headers.get("Content-Type", "")
        told = json.loads(body) if body and is_json else body
        if is_speech:
            self.proxy.asked.append(told)
        try:
            status, media_type, content = self._answer_to(body)
        except (http.client.HTTPException, ConnectionError):  # it was cut there, too
            self._reset()
            return
        if is_speech:
            content = spoiled(content, self.proxy.fault)
            self.proxy.spoken.append(told)
        with suppress(ConnectionError):
            self.send_response(status)
            self.send_header("Content-Type", media_type)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

    def _answer_to(self, body: bytes | None) -> tuple[int, str, bytes]:
        upstream = http.client.HTTPConnection(urlsplit(self.proxy.upstream).netloc)
        kept = {
            name: value
            for name, value in self.headers.items()
            if name.lower() not in ("host", "connection", "content-length", "accept-encoding")
        }
        try:
            upstream.request(self.command, self.path, body, kept)
            answer = upstream.getresponse()
            return answer.status, answer.getheader("Content-Type", ""), answer.read()
        finally:
            upstream.close()

    def _reset(self) -> None:
        linger = struct.pack("ii", 1, 0)  # by a reset
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.close_connection = True
        self.connection.close()


def spoiled(content: bytes, fault: str) -> bytes:
    """An answer with the fault: another body, half of it, or another rate in the header of WAV."""
    if fault == "page":
        return PAGE
    if fault == "cut off":
        return content[: len(content) // 2]
    if fault == "wrong rate":
        (rate,) = RATE_AT.unpack_from(content)
        told = (16_000 if rate != 16_000 else 8_000).to_bytes(4, "little")
        return content[:24] + told + content[28:]
    return content


@contextmanager
def lying_proxy(upstream: str, path: str) -> Iterator[LyingProxy]:
    """A proxy before the server at `upstream`, a url without a path."""
    proxy = LyingProxy(upstream, path)
    handler = type("BoundHandler", (_Handler,), {"proxy": proxy})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        proxy.url = f"http://127.0.0.1:{server.server_port}"
        thread = Thread(target=server.serve_forever, args=[0.02])
        thread.start()
        try:
            yield proxy
        finally:
            server.shutdown()
            thread.join()
