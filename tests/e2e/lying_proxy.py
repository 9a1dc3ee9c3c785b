"""A proxy on loopback before a server that cannot be told to lie: a real one, or a stand-in.

    with lying_proxy(url, "/synthesize") as proxy: …    proxy.url, proxy.fault = "page"

It hands requests and whole answers on. Its faults are those of what is between us and a server, and
those of the answers to one path, which a faulty server might give as well.
"""

from __future__ import annotations

import http.client
import json
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from support.loopback import Handler, answering

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


class _Handler(Handler):
    proxy: LyingProxy

    def do_GET(self) -> None:
        self._hand_on(None)

    def do_POST(self) -> None:
        self._hand_on(self.body())

    def _hand_on(self, body: bytes | None) -> None:
        if self.proxy.fault == "down":
            self.reset()
            return
        is_speech = urlsplit(self.path).path == self.proxy.path
        is_json = "json" in self.headers.get("Content-Type", "")
        told = json.loads(body) if body and is_json else body
        if is_speech:
            self.proxy.asked.append(told)
        try:
            status, media_type, content = self._answer_to(body)
        except (http.client.HTTPException, ConnectionError):  # it was cut there, too
            self.reset()
            return
        if is_speech:
            content = spoiled(content, self.proxy.fault)
            self.proxy.spoken.append(told)
        with suppress(ConnectionError):
            self.reply(status, content, {"Content-Type": media_type})

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
    with answering(_Handler, proxy=proxy) as server:
        proxy.url = server.url
        yield proxy
