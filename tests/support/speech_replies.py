"""What stand-ins for servers of speech answer: each server's form of errors, and its streams.

    OpenAI, vLLM-Omni   {"error": {"message", "type", "param", "code"}}
    Kokoro-FastAPI      {"detail": {"error", "message", "type"}}
    other FastAPI       {"detail": "…"}, and {"detail": [{"type", "loc", "msg", "input"}]} for 422

Sources: OpenAI's API reference and the code of each server, in late 2026.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from audiomill.renderers.engine.protocol import WordTiming

EVENT_STREAM = "text/event-stream"
PIECE_BYTES = 4800
ALIGNER_S = 0.080  # the step of times of vLLM-Omni's aligner
MAX_HEADER_BYTES = 4096
TOKEN = re.compile(r"\w+(?:['’.-]\w+)*|[^\w\s]+")


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request gets no audio. `code`: what programs read; `param`: the field to blame."""

    status: int
    message: str
    code: str | None = None
    param: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reply:
    """The whole answer to a request. `is_chunked`: without a Content-Length, piece by piece."""

    content: bytes
    media_type: str = "application/json"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    is_chunked: bool = False


ErrorForm = Callable[[Refusal], object]
_TYPES = dict.fromkeys((400, 401, 404), "invalid_request_error")


def json_reply(body: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Reply:
    return Reply(json.dumps(body).encode(), status=status, headers=headers or {})


def openai_error(refusal: Refusal) -> object:
    """OpenAI's. The type of 429 is the code: "insufficient_quota", or what is limited."""
    kind = _TYPES.get(refusal.status, "server_error")
    if refusal.status == 429:
        kind = "insufficient_quota" if refusal.code == "insufficient_quota" else "requests"
    return _error_object(refusal, kind, refusal.code)


def vllm_error(refusal: Refusal) -> object:
    """vLLM's: the code is the status, as a number."""
    kinds = {400: "BadRequestError", 404: "NotFoundError", 429: "TooManyRequestsError"}
    return _error_object(refusal, kinds.get(refusal.status, "InternalServerError"), refusal.status)


def plain_error(refusal: Refusal) -> object:
    """That of Chatterbox TTS API, whose handler sends the detail as the body."""
    if refusal.status == 422:
        return detail_text(refusal)
    return {"error": {"message": refusal.message, "type": refusal.code or "generation_error"}}


def detail_object(refusal: Refusal) -> object:
    """That of Kokoro-FastAPI."""
    if refusal.status == 422:
        return detail_text(refusal)
    kind = _TYPES.get(refusal.status, "server_error")
    code = refusal.code or "processing_error"
    return {"detail": {"error": code, "message": refusal.message, "type": kind}}


def detail_text(refusal: Refusal) -> object:
    """FastAPI's own. A field that does not validate is named, as pydantic does."""
    if refusal.status != 422 or not refusal.code:
        return {"detail": refusal.message}
    loc = ["body", refusal.param]
    return {"detail": [{"type": refusal.code, "loc": loc, "msg": refusal.message}]}


def flask_error(refusal: Refusal) -> str:
    """Flask's, of the server of Coqui TTS: a short text, or its page for a fault."""
    title = "Internal Server Error"
    page = f"<!doctype html>\n<html lang=en>\n<title>500 {title}</title>\n<h1>{title}</h1>\n"
    return refusal.message if refusal.status < 500 else page


def _error_object(refusal: Refusal, kind: str, code: object) -> object:
    told = {"message": refusal.message, "type": kind, "param": refusal.param, "code": code}
    return {"error": told}


def pieces_of(content: bytes) -> list[bytes]:
    return [content[at : at + PIECE_BYTES] for at in range(0, len(content), PIECE_BYTES)]


def openai_events(pieces: Sequence[bytes]) -> Reply:
    """OpenAI's events: each piece is a part of one file."""
    usage = _usage(pieces)
    return _events([*_deltas(pieces), {"type": "speech.audio.done", "usage": usage}])


def speaches_events(pieces: Sequence[bytes]) -> Reply:
    """OpenAI's, but for the last event, whose usage has another name."""
    usage = {"input_tokens": 0, "output_tokens": 0, "total_tokens": 0}
    return _events([*_deltas(pieces), {"type": "speech.audio.done", "token_usage": usage}])


def travisvn_events(pieces: Sequence[bytes], sample_rate: int) -> Reply:
    """OpenAI's after an event that tells the format; the pieces are headerless PCM."""
    info = {"channels": 1, "bits_per_sample": 16, "sample_rate": sample_rate}
    first: dict[str, object] = {"type": "speech.audio.info", **info}
    done = {"type": "speech.audio.done", "usage": _usage(pieces)}
    return _events([first, *_deltas(pieces), done])


def vllm_events(pieces: Sequence[bytes], response_format: str) -> Reply:
    """OpenAI's, each with its name on a line of its own."""
    deltas = [{**one, "response_format": response_format} for one in _deltas(pieces)]
    details = {"text_tokens": 9, "audio_tokens": 0}
    usage = {**_usage(pieces), "input_token_details": details}
    return _events([*deltas, {"type": "speech.audio.done", "usage": usage}], named=True)


def sglang_events(files: Sequence[bytes], sample_rate: int, response_format: str) -> Reply:
    """SGLang-Omni's: each piece is a file of its own, the last event has none, then [DONE]."""
    head = {"id": "speech-speech-0", "object": "audio.speech.chunk"}
    form = {"format": response_format, "mime_type": f"audio/{response_format}"}
    events: list[Mapping[str, object]] = [
        {
            **head,
            "index": index,
            "audio": {"data": _base64(file), **form, "sample_rate": sample_rate},
            "finish_reason": None,
        }
        for index, file in enumerate(files)
    ]
    last = {**head, "index": len(files), "audio": None, "finish_reason": "stop", "usage": None}
    reply = _events([*events, last])
    return Reply(reply.content + b"data: [DONE]\n\n", EVENT_STREAM, is_chunked=True)


def tokens(text: str, words: Iterable[WordTiming]) -> list[dict[str, object]]:
    """Words as Kokoro-FastAPI tells them: signs at their ends are words of their own.

    A sign has the share of the time that it has of the characters.
    """
    told: list[dict[str, object]] = []
    for word in words:
        char_s = (word.end_s - word.start_s) / (word.end - word.start)
        for match in TOKEN.finditer(text, word.start, word.end):
            start, end = (place - word.start for place in match.span())
            times = {"start_time": word.start_s + start * char_s}
            times["end_time"] = word.start_s + end * char_s
            told.append({"word": match.group(), **times})
    return told


def aligned_words(text: str, words: Iterable[WordTiming]) -> dict[str, str]:
    """vLLM-Omni's header: words without signs, times in steps of 80 ms; another past 4 KB."""
    told: list[dict[str, object]] = []
    for word in words:
        kept = "".join(one for one in text[word.start : word.end] if one.isalnum() or one == "'")
        start, end = (round(time_s / ALIGNER_S) * 80 for time_s in (word.start_s, word.end_s))
        if kept:
            told.append({"word": kept, "start_ms": start, "end_ms": end})
    header = json.dumps(told)
    if len(header) > MAX_HEADER_BYTES:
        return {"X-Word-Timestamps-Omitted": f"oversize; bytes={len(header)}; limit=4096"}
    return {"X-Word-Timestamps": header}


def captions(content: bytes, media_type: str, timestamps: list[dict[str, object]] | None) -> object:
    """What Kokoro-FastAPI's /dev/captioned_speech answers: audio, and when each word sounds."""
    return {"audio": _base64(content), "audio_format": media_type, "timestamps": timestamps}


def json_lines(objects: Iterable[object]) -> Reply:
    """JSON, one object a line, under the media type of plain JSON."""
    lines = [json.dumps(one, ensure_ascii=False, separators=(",", ":")) for one in objects]
    return Reply("".join(f"{line}\n" for line in lines).encode(), is_chunked=True)


def _deltas(pieces: Sequence[bytes]) -> list[dict[str, object]]:
    return [{"type": "speech.audio.delta", "audio": _base64(piece)} for piece in pieces]


def _usage(pieces: Sequence[bytes]) -> dict[str, int]:
    return {"input_tokens": 9, "output_tokens": len(pieces), "total_tokens": 9 + len(pieces)}


def _events(events: Sequence[Mapping[str, object]], *, named: bool = False) -> Reply:
    lines = [f"event: {event['type']}\n" if named else "" for event in events]
    text = "".join(
        f"{line}data: {json.dumps(event)}\n\n" for line, event in zip(lines, events, strict=True)
    )
    return Reply(text.encode(), EVENT_STREAM, is_chunked=True)


def _base64(content: bytes) -> str:
    return base64.b64encode(content).decode()
