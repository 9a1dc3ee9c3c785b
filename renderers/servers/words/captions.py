"""Audio with the times of its words, as Kokoro-FastAPI and vLLM-Omni send them.

    Kokoro-FastAPI  {"audio": BASE64, "audio_format": "audio/wav", "timestamps": [{"word": "It",
                    "start_time": 0.275, "end_time": 0.4}, …]}, or null for the times
                    streamed: such an object on each line, each with a part of one file
    vLLM-Omni       audio, with a header X-Word-Timestamps: [{"word": "It", "start_ms": 240,
                    "end_ms": 400}, …]

Kokoro-FastAPI's signs are words of their own, and its times may begin before the audio, whose
silence it trims. vLLM-Omni leaves the signs out, and sends no header for times of more than 4 KB.

Sources: api/src/routers/development.py of Kokoro-FastAPI of 2026-08, and
entrypoints/openai/serving_speech.py of vllm-omni 0.30.0.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import cast

from audiomill.inputs.json_text import JsonInvalid, fields_of, items_of, number_of, parse_json
from audiomill.renderers.base import EngineFailed
from audiomill.renderers.servers.replies import Reply, ServerFailing, reason_in
from audiomill.renderers.servers.words.matching import HeardWord

WORDS_HEADER = "x-word-timestamps"
_MS = 0.001


@dataclass(frozen=True, slots=True)
class Captioned:
    """The audio as a reply of its own, and the server's words in order."""

    audio: Reply
    words: tuple[HeardWord, ...]


def captioned(reply: Reply, server: str) -> Captioned:
    """What is in a reply of Kokoro-FastAPI's /dev/captioned_speech, streamed or whole.

    Raises ServerFailing if it was damaged on its way, EngineFailed if it is something else.
    """
    pieces: list[bytes] = []
    words: list[HeardWord] = []
    media_type = ""
    for part in _objects(reply):
        audio = part.get("audio")
        if not isinstance(audio, str):
            raise EngineFailed(
                f"{server} answers with {reason_in(reply)} instead of audio and times of words."
            )
        pieces.append(_decoded(audio))
        media_type = media_type or str(part.get("audio_format", ""))
        words += _words(part.get("timestamps"), ("start_time", "end_time"), 1.0)
    audio = replace(reply, headers={"content-type": media_type}, content=b"".join(pieces))
    return Captioned(audio, tuple(words))


def words_in_header(headers: Mapping[str, str]) -> tuple[HeardWord, ...]:
    """The words in vLLM-Omni's header; none if it has none, or one that cannot be read."""
    try:
        told = parse_json(headers.get(WORDS_HEADER, "[]"))
    except JsonInvalid:
        return ()
    return tuple(_words(told, ("start_ms", "end_ms"), _MS))


def _objects(reply: Reply) -> Iterator[Mapping[str, object]]:
    """The objects of a reply: one a line. Raises ServerFailing."""
    # Not by `splitlines`: text in JSON may have other ends of lines than this one.
    lines = [line for line in reply.content.split(b"\n") if line.strip()]
    for line in lines:
        try:
            found = parse_json(line)
        except JsonInvalid as error:
            raise ServerFailing("audio that was cut off", may_be_billed=True) from error
        if not isinstance(found, dict):
            raise ServerFailing("a list of no audio", may_be_billed=True)
        yield cast("Mapping[str, object]", found)
    if not lines:
        raise ServerFailing("an empty answer", may_be_billed=True)


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except ValueError as error:
        raise ServerFailing("audio that is not base64", may_be_billed=True) from error


def _words(told: object, names: tuple[str, str], unit_s: float) -> Iterator[HeardWord]:
    """The words of a list; those without a time or a text are left out."""
    for entry in map(fields_of, items_of(told)):
        start, end = (number_of(entry.get(name)) for name in names)
        word = entry.get("word")
        if isinstance(word, str) and start is not None and end is not None:
            yield HeardWord(word, start * unit_s, end * unit_s)
