"""Audio in server-sent events: the dialects of OpenAI and of SGLang-Omni.

    OpenAI       {"type": "speech.audio.delta", "audio": BASE64} … {"type": "speech.audio.done"}
    SGLang-Omni  {"object": "audio.speech.chunk", "audio": {"data": BASE64}} … [DONE]

Each piece is a part of one file; with SGLang-Omni each may be a WAV file of its own. Source of the
framing: HTML Living Standard, 9.2.6.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterator, Mapping

MEDIA_TYPE = "text/event-stream"
DONE = "[DONE]"
LAST_TYPES = ("speech.audio.done", "audio.speech.done")


class StreamCutOff(ValueError):
    """The stream ended before its last event, or an event is damaged."""


def audio_pieces(content: bytes) -> list[bytes]:
    """The audio of each event of a whole stream. Raises StreamCutOff."""
    pieces: list[bytes] = []
    for data in _events(content.decode("utf-8", "replace")):
        if data == DONE:
            return pieces
        event = _event(data)
        if audio := _audio_in(event):
            pieces.append(_decoded(audio))
        if event.get("type") in LAST_TYPES:
            return pieces
    raise StreamCutOff("the stream of audio has no end")


def _events(text: str) -> Iterator[str]:
    """The data of each event that an empty line has ended."""
    lines: list[str] = []
    for line in text.splitlines():
        name, _, value = line.partition(":")
        if name == "data":
            lines.append(value.removeprefix(" "))
        elif not line and lines:
            yield "\n".join(lines)
            lines = []


def _event(data: str) -> Mapping[str, object]:
    try:
        event = json.loads(data)
    except ValueError as error:
        raise StreamCutOff("an event of the stream is no JSON") from error
    if not isinstance(event, dict):
        raise StreamCutOff("an event of the stream is no object")
    return event


def _audio_in(event: Mapping[str, object]) -> str:
    audio = event.get("audio")
    if isinstance(audio, dict):
        audio = audio.get("data")
    return audio if isinstance(audio, str) else ""


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise StreamCutOff("an event of the stream is no base64") from error
