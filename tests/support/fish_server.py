"""Stand-ins for Fish Audio's service and for fish-speech, faithful to what each sends.

    with fish_server("cloud", quota=500) as fish: …    fish.url, fish.requests

The service refuses an unknown voice; fish-speech speaks it with one that it makes up, and makes a
folder for it. fish-speech answers in msgpack unless JSON is asked for. How the service's WAV tells
its length is not known; here it does not. Sources: docs.fish.audio in 2026; fish-speech of 2026-04:
`tools/server/views.py`, `api_utils.py`, `inference_engine/reference_loader.py`.
"""

import base64
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import ormsgpack

from support.speech_answers import Speech, lie_instead
from support.speech_checks import Body, refusal_of
from support.speech_handler import SpeechHandler
from support.speech_profiles import FISH_CHECKS, FORMS, Profile
from support.speech_replies import Refusal, Reply, filled, reply_of
from support.speech_server import SpeechServer, server_with, serving

KEY = "fish-test-0123456789"
ANNA, BORIS, PUBLIC = "a" * 32, "b" * 32, "9" * 32
OWN = {ANNA: ("Anna", ["en"], "trained"), BORIS: ("Boris", ["de", "en"], "trained")}
UNREADY = "c" * 32
RATE = 44_100


@dataclass
class FishServer(SpeechServer):
    """The stand-in. What it bills are bytes of UTF-8."""

    n_own: int = 2  # voices of the account, beside one that is not trained
    references: tuple[str, ...] = ("anna", "boris")
    cuts: int = 0  # replies that are cut
    folders_made: list[str] = field(default_factory=list)

    @property
    def is_cloud(self) -> bool:
        return self.kind == "cloud"

    @property
    def profile(self) -> Profile:
        errors, lengths = ("fish", "unknown") if self.is_cloud else ("fish-speech", "right")
        voices, checks = (*self.voices(), PUBLIC), FISH_CHECKS[self.kind]
        return Profile(
            self.kind, voices, checks=checks, errors=errors, sample_rate=RATE, wav_lengths=lengths
        )

    @property
    def billed_bytes(self) -> int:
        return self.billed_characters

    def fault(self, text: str) -> str:
        is_cut = self.cuts > 0 or (self.is_cloud and self.behaviour.lie == "cut off")
        self.cuts -= self.cuts > 0
        return "cut in body" if is_cut else super().fault(text)

    def voices(self) -> dict[str, tuple[str, list[str], str]]:
        more = {f"{n:032x}": (f"Voice {n}", ["en"], "trained") for n in range(2, self.n_own)}
        first = dict([*OWN.items()][: self.n_own])
        return first | more | {UNREADY: ("Unready", ["en"], "training")}


class FishHandler(SpeechHandler):
    """One connection."""

    speech: FishServer
    too_many = "Too many requests"

    def read(self, raw: bytes) -> dict[str, Any]:
        is_packed = self.headers.get("Content-Type") == "application/msgpack"
        return ormsgpack.unpackb(raw) if is_packed else json.loads(raw)

    def listed(self) -> Reply:
        url = urlsplit(self.path)
        query = dict(parse_qsl(url.query))
        if not self.speech.is_cloud and url.path == "/v1/references/list":
            return self.references(query)
        if self.speech.is_cloud and url.path == "/model":
            return self.models(query)
        known = self.speech.voices() | {PUBLIC: ("Public", ["en"], "trained")}
        name = url.path.removeprefix("/model/")
        if not self.speech.is_cloud or name not in known:
            return self.refused(Refusal(404, "Model not found"))
        return reply_of(described(name, *known[name]))

    def references(self, query: Mapping[str, str]) -> Reply:
        names = list(self.speech.references)
        told = {"success": True, "reference_ids": names, "message": "Found"}
        wants_json = "application/json" in self.headers.get("Accept", "")
        if wants_json or query.get("format") == "json":
            return reply_of(told)
        return Reply(ormsgpack.packb(told), "application/msgpack")

    def models(self, query: Mapping[str, str]) -> Reply:
        if refusal := self.of_key():
            return self.refused(refusal)
        assert query["self"] == "true"
        size = int(query.get("page_size", 10))
        begin = size * (int(query.get("page_number", 1)) - 1)
        items = [described(one, *told) for one, told in self.speech.voices().items()]
        return reply_of({"total": len(items), "items": items[begin : begin + size]})

    def of_key(self) -> Refusal | None:
        is_known = self.headers.get("Authorization") == f"Bearer {KEY}"
        return None if is_known else Refusal(401, "Invalid Token")

    def refusal(self, body: Body) -> Refusal | None:
        if self.path != "/v1/tts":
            return Refusal(404, "Not Found")
        refusal = self.of_key() if self.speech.is_cloud else None
        return refusal or refusal_of(self.speech.profile, body)

    def refused(self, refusal: Refusal) -> Reply:
        if refusal.status == 422:
            where = {"loc": [refusal.param], "type": "range", "msg": refusal.message, "in": "body"}
            return reply_of([where], 422)
        return super().refused(refusal)

    def no_quota(self, _n_billed: int) -> Refusal:
        return Refusal(402, "Insufficient Balance")

    def texts(self, body: Body) -> list[str]:
        return [body["text"]]

    def n_billed(self, texts: list[str]) -> int:
        return len("".join(texts).encode()) if self.speech.is_cloud else 0

    def spoken(self, body: Body) -> Reply:
        how, profile = self.speech.behaviour, self.speech.profile
        if instead := lie_instead(how.lie, profile):
            return instead
        rate = body.get("sample_rate") or RATE
        speed = (body.get("prosody") or {}).get("speed", 1.0) if self.speech.is_cloud else 1.0
        asked = {"input": body["text"], "voice": self.speaker(body), "speed": speed}
        made = Speech(replace(profile, sample_rate=rate), how, asked)
        content = made.file(made.samples())
        if how.lie == "cut off" and not self.speech.is_cloud:
            content = content[: len(content) // 2]
        return Reply(content, "audio/wav", is_chunked=self.speech.is_cloud)

    def speaker(self, body: Body) -> str:
        """The voice that is heard."""
        named = body.get("reference_id")
        if self.speech.is_cloud:
            return named or "random"
        if named is None and body.get("references"):
            return heard_reference(recording_in(body["references"][0]["audio"]))
        if named is None or named in self.speech.references:
            return named or f"random {body.get('seed')}"
        self.speech.folders_made.append(named)
        return f"random {body.get('seed')}"


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
    values = {"id": name, "title": title, "languages": languages, "state": state}
    return filled(FORMS["fish-model"], values)


@contextmanager
def fish_server(kind: str, **options: Any) -> Iterator[FishServer]:
    server = server_with(FishServer, kind, options)
    with serving(server, FishHandler, "") as fish:
        yield fish
