"""A stand-in on loopback for ElevenLabs, faithful to its documented wire format.

    with elevenlabs_server(n_slots=5) as server: …    server.url, server.requests

Options are fields of `Behaviour` and of `ElevenLabsServer`. Audio, faults and bills are those of
the other stand-ins (speech_server.py); here are its routes, lists, errors and headers.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import ceil
from typing import Any, Literal
from urllib.parse import parse_qs, urlsplit

from support import elevenlabs_replies as replies
from support.elevenlabs_replies import MODELS
from support.speech_answers import Speech, lie_instead
from support.speech_audio import MEDIA_TYPES
from support.speech_checks import Body, refusal_of
from support.speech_handler import SpeechHandler
from support.speech_profiles import ELEVENLABS, Profile
from support.speech_replies import Refusal, Reply, reply_of, text_of
from support.speech_server import SpeechServer, server_with, serving
from support.spoiled_sound import SPOILS

KEY = "sk_0123456789abcdef"
SPEECH = re.compile(r"/v1/text-to-speech/([^/]+)(/with-timestamps)?")
TAG = re.compile(r"<[^<>]*>")
PHONEMES = re.compile(r'<phoneme alphabet="(ipa|cmu-arpabet)" ph="[^"]+">\S+</phoneme>')


@dataclass
class ElevenLabsServer(SpeechServer):
    """The stand-in. Characters that it bills are those of a voice without a price of its own."""

    n_more_voices: int = 0
    permissions: tuple[str, ...] = ("voices_read", "models_read", "text_to_speech")
    refused_formats: tuple[str, ...] = ()  # by the plan
    alignments: Literal["text", "normalised", "none"] = "text"
    has_headers: bool = True  # of cost and concurrency
    n_others: int = 0  # requests of others with the same account that are always under way

    @property
    def profile(self) -> Profile:
        voices = [str(one["voice_id"]) for one in replies.voices_of(self.n_more_voices)]
        checks = ELEVENLABS["checks"]
        return Profile("elevenlabs", voices, MODELS, checks=checks, errors="elevenlabs")


class ElevenLabsHandler(SpeechHandler):
    """One connection."""

    speech: ElevenLabsServer

    def listed(self) -> Reply:
        url = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(url.query).items()}
        permission = {"/v2/voices": "voices_read", "/v1/models": "models_read"}.get(url.path)
        if permission is None:
            return self.refused(Refusal(404, "Not Found", "not_found"))
        if refusal := self.of_key(permission):
            return self.refused(refusal)
        if url.path == "/v1/models":
            return reply_of(replies.models_list())
        size = int(query.get("page_size", 10))
        if size > 100:
            words = "Input should be less than or equal to 100"
            return self.refused(Refusal(422, words, "less_than_equal", "query.page_size"))
        voices = replies.voices_of(self.speech.n_more_voices)
        return reply_of(replies.page_of(voices, query.get("next_page_token", ""), size))

    def of_key(self, permission: str) -> Refusal | None:
        """Why the key does not do, if so."""
        key = self.headers.get("xi-api-key")
        if not key:
            words = "Neither authorization header nor xi-api-key received, please provide one."
            return Refusal(401, words, "needs_authorization")
        if key != KEY:
            return Refusal(401, "Invalid API key", "invalid_api_key")
        if permission not in self.speech.permissions:
            words = f"The API key you used is missing the permission {permission}."
            return Refusal(401, words, "missing_permissions")
        return None

    def refusal(self, body: Body) -> Refusal | None:
        match = SPEECH.fullmatch(urlsplit(self.path).path)
        if match is None:
            return Refusal(404, "Not Found", "not_found")
        (form, rate), refused = self.form, self.speech.refused_formats
        asked = {"voice": match[1], "model": model_of(body), "form": form, "rate": rate}
        checked = {**body, **asked, "refused": refused}
        return self.of_key("text_to_speech") or refusal_of(self.speech.profile, checked)

    def trouble(self, texts: list[str], fault: str, *, has_slot: bool) -> Refusal | None:
        how = self.speech.behaviour
        if not has_slot or fault == "429":
            words = f"Too many concurrent requests. Your plan allows {how.n_slots} at a time."
            return Refusal(429, words, "too_many_concurrent_requests")
        if fault == "busy":
            words = "The system is experiencing heavy traffic, please try again."
            return Refusal(429, words, "system_busy")
        return super().trouble(texts, fault, has_slot=has_slot)

    def no_quota(self, n: int) -> Refusal:
        words = f"This request exceeds your quota. {n} credits are required for this request."
        return Refusal(401, words, "quota_exceeded")

    def texts(self, body: Body) -> list[str]:
        return [body["text"]]

    @property
    def form(self) -> tuple[str, int]:
        """The container and the rate that are asked for."""
        asked = parse_qs(urlsplit(self.path).query).get("output_format", ["mp3_44100_128"])[0]
        form, rate, *_ = asked.split("_")
        return form, int(rate)

    def spoken(self, body: Body) -> Reply:
        how, (form, rate) = self.speech.behaviour, self.form
        if how.lie in ("page", "error with 200"):
            return lie_instead(how.lie, self.speech.profile) or Reply(b"")
        match = SPEECH.fullmatch(urlsplit(self.path).path)
        assert match is not None
        text = said(body["text"], body.get("model_id"))
        speed = (body.get("voice_settings") or {}).get("speed") or 1.0
        asked = {"input": text, "voice": match[1], "speed": speed, "response_format": form}
        made = Speech(replace(self.speech.profile, sample_rate=rate), how, asked)
        samples = made.samples()
        if spoil := self.speech.spoil(body["text"]):
            samples = SPOILS[spoil](samples, rate)
        content = made.file(samples)
        if match[2]:
            return self.with_times(text, content, made.words(), body)
        return Reply(content, MEDIA_TYPES[made.format], headers=self.cost(body))

    def with_times(self, text: str, content: bytes, words: list, body: Body) -> Reply:
        """The answer in JSON. Half of the audio if it is cut off, none if it is empty."""
        lie, kind = self.speech.behaviour.lie, self.speech.alignments
        size = {"cut off": len(content) // 2, "empty": 0}.get(lie or "", len(content))
        times = replies.alignment(text, words, words[-1].end_s if words else 0.0)
        answer = {
            "audio_base64": text_of(content[:size]),
            "alignment": times if kind == "text" else None,
            "normalized_alignment": None if kind == "none" else normalised(times),
        }
        return reply_of(answer, headers=self.cost(body))

    def cost(self, body: Body) -> dict[str, str]:
        if not self.speech.has_headers:
            return {}
        rate = MODELS[model_of(body)]["rate"]
        factor = 2.0 if replies.DEAR in self.path else 1.0
        cost = ceil(len(body["text"]) * rate * factor)
        return {"character-cost": str(cost), "request-id": f"r{len(self.speech.requests)}"}

    def headers_of(self, reply: Reply) -> Mapping[str, str]:
        told = {}
        if self.speech.has_headers:
            counted = self.speech.n_in_flight + self.speech.n_others
            told["current-concurrent-requests"] = str(counted)
            told["maximum-concurrent-requests"] = str(self.speech.behaviour.n_slots)
        return {**super().headers_of(reply), **told}


def model_of(body: Body) -> str:
    return body.get("model_id") or "eleven_multilingual_v2"


def said(text: str, model: object) -> str:
    """The text that is spoken: without tags, for models that know them."""
    if model == "eleven_flash_v2":
        assert len(PHONEMES.findall(text)) == text.count("<phoneme"), text
        return TAG.sub("", text)
    return text


def normalised(times: Mapping[str, list[Any]]) -> Mapping[str, list[Any]]:
    """The times of a text in which digits are written as words, spaces around them included."""
    names = ("characters", "character_start_times_seconds", "character_end_times_seconds")
    rows = []
    for character, start, end in zip(*(times[name] for name in names), strict=True):
        word = f" {DIGITS[int(character)]} " if character.isdecimal() else character
        step = (end - start) / len(word)
        rows += [(one, start + step * n, start + step * (n + 1)) for n, one in enumerate(word)]
    return {name: [row[at] for row in rows] for at, name in enumerate(names)}


DIGITS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]


@contextmanager
def elevenlabs_server(**options: Any) -> Iterator[ElevenLabsServer]:
    server = server_with(ElevenLabsServer, "elevenlabs", options)
    with serving(server, ElevenLabsHandler, "") as served:
        yield served
