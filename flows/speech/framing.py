"""How a text's audio, and its words, are put into the body of an answer.

    raw               the audio
    events            server-sent events of OpenAI's protocol
    captioned_lines   JSON of Kokoro-FastAPI, a line for each part of the audio with its words
    captioned_whole   the same as one object, which is written as the audio becomes ready

Sources: OpenAI's API reference, "Create speech"; Kokoro-FastAPI, `/dev/captioned_speech`. What the
parts raise is raised again, so that the connection ends without its last chunk and nobody takes
it for whole; only events can tell a failure.
"""

from __future__ import annotations

import base64
import json
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from audiomill.flows.speech.captioned_speech import SpokenWord
from audiomill.flows.speech.failures import FAILURES, failure
from audiomill.flows.speech.wire import Framing, RequestError, SpeechRequest
from audiomill.outputs.formats.streams import STREAM_FORMATS

_BASE64_BYTES = 3  # of so many bytes each, base64 can be written in parts


@dataclass(frozen=True, slots=True)
class AudioPart:
    """The next bytes of a text's audio in its format, and the words that have become ready."""

    audio: bytes
    words: tuple[SpokenWord, ...] = ()


def framed(
    parts: AsyncIterator[AudioPart], wanted: SpeechRequest
) -> tuple[str, AsyncIterator[bytes]]:
    """The media type of an answer, and its body, as a request wants them."""
    audio_type = STREAM_FORMATS[wanted.format].media_type
    match wanted.framing:
        case Framing.RAW:
            return audio_type, raw(parts)
        case Framing.EVENTS:
            return "text/event-stream", events(parts, len(wanted.text.text))
        case Framing.CAPTIONED_LINES:
            return "application/json", captioned_lines(parts, audio_type)
        case Framing.CAPTIONED_WHOLE:
            return "application/json", captioned_whole(parts, audio_type)


async def raw(parts: AsyncIterator[AudioPart]) -> AsyncIterator[bytes]:
    """The audio alone."""
    async for part in parts:
        yield part.audio


async def events(parts: AsyncIterator[AudioPart], n_characters: int) -> AsyncIterator[bytes]:
    """Events with the audio; the last one tells what was used, or what failed after the first."""
    n_sent = 0
    try:
        async for part in parts:
            n_sent += len(part.audio)
            yield _event({"type": "speech.audio.delta", "audio": _base64(part.audio)})
    except FAILURES as error:
        if not n_sent:
            raise
        yield error_event(failure(error))
    else:
        yield done_event(n_characters, n_sent)


async def captioned_lines(parts: AsyncIterator[AudioPart], media_type: str) -> AsyncIterator[bytes]:
    """JSON lines, each with a part of the audio and its words."""
    async for part in parts:
        yield _line(
            {
                "audio": _base64(part.audio),
                "audio_format": media_type,
                "timestamps": _timestamps(part.words),
            }
        )


async def captioned_whole(parts: AsyncIterator[AudioPart], media_type: str) -> AsyncIterator[bytes]:
    """One JSON object. Only its words are held until the audio ends."""
    begun, rest, words = b'{"audio":"', b"", list[SpokenWord]()
    async for part in parts:
        words += part.words
        audio = rest + part.audio
        n_whole = len(audio) - len(audio) % _BASE64_BYTES
        yield begun + base64.b64encode(audio[:n_whole])
        begun, rest = b"", audio[n_whole:]
    others = _line({"audio_format": media_type, "timestamps": _timestamps(words)})
    yield begun + base64.b64encode(rest) + b'",' + others[1:]


def done_event(n_input: int, n_output: int) -> bytes:
    """The last event, with what was used: characters of the text, and bytes of the audio."""
    usage = {
        "input_tokens": n_input,
        "output_tokens": n_output,
        "total_tokens": n_input + n_output,
    }
    return _event({"type": "speech.audio.done", "usage": usage})


def error_event(error: RequestError) -> bytes:
    """What ends a stream that had begun when something failed."""
    return _event({"type": "error", **error.body()})


def _event(content: Mapping[str, Any]) -> bytes:
    return b"data: " + json.dumps(content, separators=(",", ":")).encode() + b"\n\n"


def _line(content: Mapping[str, Any]) -> bytes:
    return json.dumps(content, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def _base64(audio: bytes) -> str:
    return base64.b64encode(audio).decode("ascii")


def _timestamps(words: Iterable[SpokenWord]) -> list[Mapping[str, Any]]:
    return [{"word": one.text, "start_time": one.start_s, "end_time": one.end_s} for one in words]
