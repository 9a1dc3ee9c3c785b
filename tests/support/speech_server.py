"""Stand-ins on loopback for servers of speech, faithful to what each sends, the quirks included.

    with speech_server("openai", n_slots=5) as server: …    server.url, server.requests

The audio is that of the test engine `tone`, so its length follows the text and its pitch the words
and the voice. Wire formats: OpenAI's API reference, and the code of each server.
"""

from __future__ import annotations

import json
import random
import socket
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

import numpy as np

from audiomill.renderers.base import Batch, Request
from audiomill.renderers.tone import SAMPLE_RATE, ToneRenderer
from support.speech_formats import event_stream, wav

Lie = Literal["default voice", "cut off", "short", "wrong rate", "page", "empty", "error with 200"]
KEY = "sk-test-0123456789"
VOICES = {
    "openai": ("alloy", "coral", "nova"),
    "kokoro-fastapi": ("af_bella", "af_heart", "bf_emma"),
    "orpheus-fastapi": ("tara", "leo"),
}
MAX_INPUT = 4096  # characters, of OpenAI


@dataclass(frozen=True, slots=True)
class SpeechRequest:
    """A request that was answered, or was not."""

    path: str
    body: dict[str, Any]
    headers: dict[str, str]
    status: int  # 0: the connection was cut


@dataclass
class SpeechServer:
    """A stand-in: what it is, how it behaves, and what it was asked."""

    kind: str
    n_slots: int = 1000  # more requests at a time get 429
    retry_after: str = ""
    quota: float = float("inf")  # characters, then 429 insufficient_quota
    lie: Lie | None = None
    faults: dict[str, float] = field(default_factory=dict)  # rates of 429, 500, stall and cut
    stall_s: float = 2.0
    latency_s: float = 0.0
    stream: bool = False  # as server-sent events
    unknown_length: bool = False  # of WAV
    is_down: bool = False
    url: str = ""
    requests: list[SpeechRequest] = field(default_factory=list)
    billed_characters: int = 0
    spoken: list[str] = field(default_factory=list)  # each text whose audio left the server whole
    most_in_flight: int = 0
    in_flight: list[int] = field(default_factory=list)  # when each request came
    _n_in_flight: int = 0
    _random: random.Random = field(default_factory=lambda: random.Random(7))
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @contextmanager
    def slot(self) -> Iterator[bool]:
        """Whether the request has one of the slots."""
        with self._lock:
            self._n_in_flight += 1
            self.in_flight.append(self._n_in_flight)
            has_slot = self._n_in_flight <= self.n_slots
            self.most_in_flight = max(self.most_in_flight, min(self._n_in_flight, self.n_slots))
        try:
            yield has_slot
        finally:
            with self._lock:
                self._n_in_flight -= 1

    def fault(self) -> str:
        with self._lock:
            drawn = self._random.random()
        for name, rate in self.faults.items():
            if drawn < rate:
                return name
            drawn -= rate
        return ""

    def bill(self, n_chars: int) -> bool:
        """Count the characters. False if the quota does not allow it."""
        with self._lock:
            if self.billed_characters + n_chars > self.quota:
                return False
            self.billed_characters += n_chars
            return True

    def knows(self, voice: object) -> bool:
        return voice in VOICES.get(self.kind, ("one", "two"))


@contextmanager
def speech_server(kind: str, **behaviour: Any) -> Iterator[SpeechServer]:
    server = SpeechServer(kind, **behaviour)

    class Handler(_Handler):
        speech = server

    class Threaded(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 256

    with Threaded(("127.0.0.1", 0), Handler) as http:
        server.url = f"http://127.0.0.1:{http.server_address[1]}/v1"
        thread = threading.Thread(target=http.serve_forever, args=[0.02])
        thread.start()
        try:
            yield server
        finally:
            http.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    speech: SpeechServer

    def log_message(self, *words: object) -> None:
        """Print nothing."""

    def do_GET(self) -> None:
        if self.path == "/v1/audio/voices":
            names = VOICES.get(self.speech.kind, ("one", "two"))
            self.answer_json({"voices": [{"id": name, "name": name} for name in names]})
        else:
            self.answer_json({"detail": "Not Found"}, 404)

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.speech.slot() as has_slot, suppress(ConnectionError):
            status = self.answered(body, has_slot)
        told = {name.lower(): value for name, value in self.headers.items()}
        self.speech.requests.append(SpeechRequest(self.path, body, told, status))

    def answered(self, body: dict[str, Any], has_slot: bool) -> int:
        """Answer the request. Returns the status, 0 for none."""
        speech = self.speech
        if speech.is_down:
            return self.cut()
        if refusal := self.refusal(body):
            return self.answer_json(*refusal)
        fault = speech.fault()
        if not has_slot or fault == "429":
            retry = {"Retry-After": speech.retry_after} if speech.retry_after else {}
            return self.answer_json(_error("Rate limit reached", "rate_limit_exceeded"), 429, retry)
        if fault == "500":
            return self.answer_json(_error("The server had an error", None), 500)
        if fault == "stall":
            time.sleep(speech.stall_s)
        if not speech.bill(len(body["input"])):
            return self.answer_json(_error("You exceeded your quota", "insufficient_quota"), 429)
        time.sleep(speech.latency_s)
        if fault == "cut":
            return self.cut()
        return self.speak(body)

    def refusal(self, body: dict[str, Any]) -> tuple[dict[str, Any], int] | None:
        kind = self.speech.kind
        if kind == "openai":
            if self.headers.get("Authorization") != f"Bearer {KEY}":
                return _error("Incorrect API key provided", "invalid_api_key"), 401
            if len(body["input"]) > MAX_INPUT:
                return _error("String too long", "string_above_max_length"), 400
        if self.speech.knows(body["voice"]) or kind == "orpheus-fastapi":
            return None
        if kind == "kokoro-fastapi":
            if all(self.speech.knows(part.split("(")[0]) for part in body["voice"].split("+")):
                return None
            words = f"Voice {body['voice']} not found"
            detail = {"error": "validation_error", "message": words, "type": "invalid_request"}
            return {"detail": detail}, 400
        return _error(f"Invalid value: '{body['voice']}'", "invalid_value"), 400

    def speak(self, body: dict[str, Any]) -> int:
        speech, lie = self.speech, self.speech.lie
        if lie == "page":
            return self.answer(b"<!DOCTYPE html><title>Log in</title>", "text/html")
        if lie == "error with 200":
            return self.answer_json(_error("CUDA out of memory", None))
        if lie == "empty":
            return self.answer(b"", "audio/wav")
        samples = spoken_samples(body["input"], body["voice"], body.get("speed", 1.0))
        rate = 44_100 if lie == "wrong rate" else SAMPLE_RATE
        pcm = (samples * 32767).astype("<i2").tobytes()
        content = pcm if body["response_format"] == "pcm" else wav(pcm, rate, speech.unknown_length)
        if lie == "cut off":
            content = content[: len(content) // 2]
        speech.spoken.append(body["input"])
        if speech.stream or body.get("stream_format") == "sse":
            return self.answer(event_stream(content, speech.kind), "text/event-stream")
        return self.answer(content, "audio/wav")

    def cut(self) -> int:
        """End the connection without an answer."""
        linger = struct.pack("ii", 1, 0)  # by a reset
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.close_connection = True
        self.connection.close()
        return 0

    def answer_json(
        self, body: object, status: int = 200, headers: dict[str, str] | None = None
    ) -> int:
        return self.answer(json.dumps(body).encode(), "application/json", status, headers or {})

    def answer(
        self,
        content: bytes,
        media_type: str,
        status: int = 200,
        headers: dict[str, str] | None = None,
    ) -> int:
        self.send_response(status)
        told = {"Content-Type": media_type, "Content-Length": str(len(content))}
        for name, value in (told | (headers or {})).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)
        return status


def spoken_samples(text: str, voice: str, speed: float = 1.0) -> np.ndarray:
    """The audio of a text; the voice is said first, so that another one sounds different."""
    request = Request("", f"{voice} {text}", "sine", speed)
    return ToneRenderer().render(Batch((request,)))[0].samples


def _error(message: str, code: str | None) -> dict[str, Any]:
    return {"error": {"message": message, "type": "error", "param": None, "code": code}}
