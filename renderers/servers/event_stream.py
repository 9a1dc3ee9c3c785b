"""Audio in server-sent events: the dialects of OpenAI, Chatterbox TTS API and SGLang-Omni.

    OpenAI       {"type": "speech.audio.delta", "audio": BASE64} … {"type": "speech.audio.done"}
    Chatterbox   {"type": "speech.audio.info", "sample_rate": 24000, …}, then as OpenAI
    SGLang-Omni  {"object": "audio.speech.chunk", "audio": {"data": BASE64}} … [DONE]

Each piece is a part of one file, or of headerless PCM after an event that tells its rate; with
SGLang-Omni each may be a WAV file of its own. Source of the framing: HTML Living Standard, 9.2.6.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from audiomill.inputs.json_text import JsonInvalid, number_of, parse_json

MEDIA_TYPE = "text/event-stream"
DONE = "[DONE]"
INFO_TYPE = "speech.audio.info"
LAST_TYPES = ("speech.audio.done", "audio.speech.done")


class StreamCutOff(ValueError):
    """The stream ended before its last event, or an event is damaged."""


@dataclass(frozen=True, slots=True)
class EventAudio:
    """The audio of a stream."""

    pieces: list[bytes]
    pcm_rate: int = 0  # Hz, if an event tells that the pieces are mono PCM of 16 bits


def audio_in(content: bytes) -> EventAudio:
    """The audio of a whole stream. Raises StreamCutOff."""
    pieces: list[bytes] = []
    pcm_rate = 0
    for data in _events(io.TextIOWrapper(io.BytesIO(content), "utf-8", "replace")):
        if data == DONE:
            return EventAudio(pieces, pcm_rate)
        event = _event(data)
        if event.get("type") == INFO_TYPE:
            pcm_rate = _pcm_rate(event)
        if audio := _audio_of(event):
            pieces.append(_decoded(audio))
        if event.get("type") in LAST_TYPES:
            return EventAudio(pieces, pcm_rate)
    raise StreamCutOff("the stream of audio has no end")


def _pcm_rate(info: Mapping[str, object]) -> int:
    """0 for PCM of another form, which is then refused as what it is not: a file."""
    rate = number_of(info.get("sample_rate"))
    is_known = (info.get("channels"), info.get("bits_per_sample")) == (1, 16)
    return max(0, int(rate)) if is_known and rate else 0


def _events(text: Iterable[str]) -> Iterator[str]:
    """The data of each event that an empty line has ended."""
    lines: list[str] = []
    for ended in text:
        line = ended.removesuffix("\n")
        name, _, value = line.partition(":")
        if name == "data":
            lines.append(value.removeprefix(" "))
        elif not line and lines:
            yield "\n".join(lines)
            lines = []


def _event(data: str) -> Mapping[str, object]:
    try:
        event = parse_json(data)
    except JsonInvalid as error:
        raise StreamCutOff("an event of the stream is no JSON") from error
    if not isinstance(event, dict):
        raise StreamCutOff("an event of the stream is no object")
    return event


def _audio_of(event: Mapping[str, object]) -> str:
    audio = event.get("audio")
    if isinstance(audio, dict):
        audio = audio.get("data")
    return audio if isinstance(audio, str) else ""


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except ValueError as error:
        raise StreamCutOff("an event of the stream is no base64") from error
