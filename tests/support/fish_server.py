"""Stand-ins for Fish Audio's service and for fish-speech, faithful to what each sends.

    with fish_server("cloud", quota=500) as fish: …    fish.url, fish.requests, fish.billed_bytes

The service refuses an unknown voice; fish-speech speaks it with one that it makes up, and makes a
folder for it. fish-speech answers in msgpack unless JSON is asked for. How the service's WAV tells
its length is not known; here it does not. Sources: docs.fish.audio in 2026; fish-speech of 2026-04:
`tools/server/views.py`, `api_utils.py`, `inference_engine/reference_loader.py`.
"""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import ormsgpack
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from support.asgi_server import asgi_server
from support.speech_audio import UNKNOWN, pcm16, spoken_samples, wav

KEY = "fish-test-0123456789"
ANNA, BORIS, PUBLIC = "a" * 32, "b" * 32, "9" * 32
OWN = {ANNA: ("Anna", ["en"], "trained"), BORIS: ("Boris", ["de", "en"], "trained")}
UNREADY = "c" * 32
MODELS = ("s1", "s2-pro", "s2.1-pro", "s2.1-pro-free")
RATE = 44_100


class Cut(Exception):
    """Ends a reply in its middle."""


@dataclass
class FishRequest:
    body: dict[str, Any]
    headers: dict[str, str]
    model: str
    status: int = 200


@dataclass
class FishServer:
    kind: str
    n_slots: int = 1000
    quota: float = float("inf")  # bytes of UTF-8
    lie: str = ""  # page, empty, wrong rate, cut off
    latency_s: float = 0.0
    n_own: int = 2  # voices of the account, beside one that is not trained
    references: tuple[str, ...] = ("anna", "boris")
    cuts: int = 0  # replies that are cut
    url: str = ""
    requests: list[FishRequest] = field(default_factory=list)
    lists_asked: list[str] = field(default_factory=list)
    spoken: list[str] = field(default_factory=list)
    billed_bytes: int = 0
    folders_made: list[str] = field(default_factory=list)
    most_in_flight: int = 0
    n_in_flight: int = 0

    @property
    def app(self) -> Starlette:
        routes = [Route("/v1/tts", self.tts, methods=["POST"])]
        if self.kind == "cloud":
            routes += [Route("/model", self.list_models), Route("/model/{id}", self.model)]
        else:
            routes += [Route("/v1/references/list", self.list_references)]
        return Starlette(routes=routes)

    def is_known(self, request: Request) -> bool:
        return request.headers.get("authorization") == f"Bearer {KEY}"

    def error(self, status: int, message: str) -> Response:
        if self.kind == "cloud":
            return JSONResponse({"message": message, "status": status}, status)
        told = {"statusCode": status, "message": message, "error": "Error"}
        return JSONResponse(told, status)

    async def tts(self, request: Request) -> Response:
        self.n_in_flight += 1
        try:
            return await self.answer(request)
        finally:
            self.n_in_flight -= 1

    async def answer(self, request: Request) -> Response:
        raw = await request.body()
        is_packed = request.headers.get("content-type") == "application/msgpack"
        body = ormsgpack.unpackb(raw) if is_packed else json.loads(raw)
        noted = FishRequest(body, dict(request.headers), self.billed_model(request))
        self.requests.append(noted)
        refusal = self.refusal(request, body)
        await asyncio.sleep(self.latency_s)
        if not refusal:
            refusal = self.bill(body["text"])
        if refusal:
            noted.status = refusal.status_code
            return refusal
        return self.spoken_reply(body)

    def billed_model(self, request: Request) -> str:
        asked = request.headers.get("model", "")
        return asked if asked in MODELS else "s2.1-pro"

    def refusal(self, request: Request, body: dict[str, Any]) -> Response | None:
        if self.kind == "local":
            low, high = 100, 1000
        else:
            low, high = 100, 300
            if not self.is_known(request):
                return self.error(401, "Invalid Token")
            if body.get("reference_id") not in (None, *self.voices(), PUBLIC):
                return self.error(400, "Reference not found")
        if self.n_in_flight > self.n_slots:
            return self.error(429, "Too many requests")
        self.most_in_flight = max(self.most_in_flight, self.n_in_flight)
        if not low <= body.get("chunk_length", 200) <= high:
            where = {"loc": ["chunk_length"], "type": "range", "msg": "out of range", "in": "body"}
            return JSONResponse([where], 422)
        return None

    def bill(self, text: str) -> Response | None:
        n_bytes = len(text.encode()) if self.kind == "cloud" else 0
        if self.billed_bytes + n_bytes > self.quota:
            return self.error(402, "Insufficient Balance")
        self.billed_bytes += n_bytes
        return None

    def spoken_reply(self, body: dict[str, Any]) -> Response:
        if self.lie == "page":
            return Response("<!DOCTYPE html><title>Sign in</title>", media_type="text/html")
        if self.lie == "empty":
            return Response(b"", media_type="audio/wav")
        content = self.file_of(body)
        is_cut = self.cuts > 0 or self.lie == "cut off"
        self.cuts -= self.cuts > 0
        if not is_cut:
            self.spoken.append(body["text"])
        if self.kind == "local":
            told = content[: len(content) // 2] if is_cut else content
            return Response(told, media_type="audio/wav")
        return StreamingResponse(_pieces(content, is_cut=is_cut), media_type="audio/wav")

    def file_of(self, body: dict[str, Any]) -> bytes:
        rate = body.get("sample_rate") or RATE
        speed = (body.get("prosody") or {}).get("speed", 1.0) if self.kind == "cloud" else 1.0
        samples = spoken_samples(body["text"], self.speaker(body), speed, rate)
        told = 24_000 if self.lie == "wrong rate" else rate
        return wav(pcm16(samples), told, length=UNKNOWN if self.kind == "cloud" else None)

    def speaker(self, body: dict[str, Any]) -> str:
        """The voice that is heard."""
        if self.kind == "cloud":
            return body.get("reference_id") or "random"
        named = body.get("reference_id")
        if named is not None:
            if named not in self.references:
                self.folders_made.append(named)
                return f"random {body.get('seed')}"
            return named
        if body.get("references"):
            return heard_reference(recording_in(body["references"][0]["audio"]))
        return f"random {body.get('seed')}"

    def voices(self) -> dict[str, tuple[str, list[str], str]]:
        more = {f"{n:032x}": (f"Voice {n}", ["en"], "trained") for n in range(2, self.n_own)}
        first = dict([*OWN.items()][: self.n_own])
        return first | more | {UNREADY: ("Unready", ["en"], "training")}

    async def list_models(self, request: Request) -> Response:
        self.lists_asked.append(str(request.url.path))
        if not self.is_known(request):
            return self.error(401, "Invalid Token")
        assert request.query_params["self"] == "true"
        size = int(request.query_params.get("page_size", 10))
        begin = size * (int(request.query_params.get("page_number", 1)) - 1)
        all_items = [described(one, *told) for one, told in self.voices().items()]
        return JSONResponse({"total": len(all_items), "items": all_items[begin : begin + size]})

    async def model(self, request: Request) -> Response:
        self.lists_asked.append(str(request.url.path))
        known = self.voices() | {PUBLIC: ("Public", ["en"], "trained")}
        if request.path_params["id"] not in known:
            return self.error(404, "Model not found")
        name = request.path_params["id"]
        return JSONResponse(described(name, *known[name]))

    async def list_references(self, request: Request) -> Response:
        self.lists_asked.append(str(request.url.path))
        told = {"success": True, "reference_ids": list(self.references), "message": "Found"}
        wants_json = request.query_params.get("format") == "json"
        if wants_json or "application/json" in request.headers.get("accept", ""):
            return JSONResponse(told)
        return Response(ormsgpack.packb(told), media_type="application/msgpack")


def recording_in(audio: bytes | str) -> bytes:
    """The recording of a reference. fish-speech takes a short text for the bytes themselves."""
    if isinstance(audio, str):
        return base64.b64decode(audio) if len(audio) > 255 else audio.encode()
    return audio


def heard_reference(recording: bytes) -> str:
    """The voice of a recording that is sent."""
    return f"clone of {len(recording)} bytes"


def described(name: str, title: str, languages: list[str], state: str) -> dict[str, Any]:
    """A model as the service describes it."""
    moment = "2026-03-01T09:30:00.000000Z"
    author = {"_id": "d" * 32, "nickname": "somebody", "avatar": "avatars/d.png"}
    counts = dict.fromkeys(("like_count", "mark_count", "shared_count", "task_count"), 0)
    return {
        "_id": name,
        "type": "tts",
        "title": title,
        "description": "",
        "cover_image": f"coverimage/{name}",
        "train_mode": "fast",
        "state": state,
        "tags": [],
        "samples": [],
        "created_at": moment,
        "updated_at": moment,
        "languages": languages,
        "visibility": "private",
        "lock_visibility": False,
        **counts,
        "liked": False,
        "marked": False,
        "author": author,
    }


async def _pieces(content: bytes, *, is_cut: bool) -> AsyncIterator[bytes]:
    for at in range(0, len(content), 16_384):
        if is_cut and at > len(content) // 2:
            raise Cut
        yield content[at : at + 16_384]
    if is_cut:
        raise Cut


@contextmanager
def fish_server(kind: str, **behaviour: Any) -> Iterator[FishServer]:
    fish = FishServer(kind, **behaviour)
    with asgi_server(fish.app) as url:
        fish.url = url
        yield fish
