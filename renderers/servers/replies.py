"""The meaning of a server's reply: audio, or why there is none and whether to try again.

    200                               audio, unless it is a page or an error after all
    429, 503 with Retry-After         ServerBusy: fewer requests at a time, and later
    408, 500, 502, 503, 504, no reply ServerFailing: later
    the rest, and a quota that is gone RenderError: trying again does not help

Errors come in several forms: {"error": {"message", "code"}} of OpenAI, {"detail": "…"} and
{"detail": [{"msg"}]} of FastAPI, {"detail": {"message", "status"}}, and plain text.

An answer may be as large as what was asked for can plausibly need. That is generous, as it is not a
judgement of the audio: slow speech in Chinese takes half a second for a character, and a model that
runs on stops by itself after some two minutes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import inf

from audiomill.inputs.json_text import JsonInvalid, parse_json
from audiomill.renderers.engine.errors import (
    EngineFailed,
    EngineUnavailable,
    RenderError,
    UnknownVoice,
)
from audiomill.renderers.speech.wav import RIFF

LONGEST_BASE_S, LONGEST_CHAR_S = 150.0, 0.5
MAX_BYTES_PER_S = 256 << 10  # stereo PCM of 48 kHz in base64
MAX_LIST_BYTES = 8 << 20  # of voices, models, pages of documentation
MAX_LIST_PAGES = 100
MAX_ERROR_BYTES = 64 << 10  # of which a message shows the beginning

MAX_REASON_CHARS = 200
LONGEST_RETRY_AFTER_S = 120.0
# Codes of a 429 that no waiting ends.
QUOTA_CODES = ("insufficient_quota", "quota_exceeded", "billing_hard_limit_reached")
FAILING = (408, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529)
# A gateway has given up waiting for the server behind it, which may have done the work.
LOST = (504, 524)
TOO_MANY = 429
REFUSED_KEY = (401, 403)
PAYMENT = 402
NOT_FOUND = 404


def longest_s(n_chars: int, n_texts: int = 1) -> float:
    """The seconds of audio that texts of so many characters together may become."""
    return LONGEST_BASE_S * n_texts + LONGEST_CHAR_S * n_chars


def max_speech_bytes(n_chars: int, n_texts: int = 1) -> int:
    """The bytes of an answer with the audio of such texts, in whatever form it is sent."""
    return int(longest_s(n_chars, n_texts) * MAX_BYTES_PER_S)


@dataclass(frozen=True, slots=True)
class Reply:
    """The whole answer to one request. `headers` have names in lower case."""

    status: int
    headers: Mapping[str, str]
    content: bytes
    longest_s: float = inf  # that its audio may last

    @property
    def media_type(self) -> str:
        """The media type without parameters, in lower case; "" if the server names none."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()


class ServerBusy(Exception):
    """The server has too many requests. `retry_after_s`: as it asks, or None."""

    def __init__(self, reason: str, retry_after_s: float | None) -> None:
        super().__init__(reason)
        self.retry_after_s = retry_after_s


class ServerFailing(Exception):
    """The server failed in a way that may pass. The message is the reason.

    `may_be_billed`: it may have done the work, and count it. `may_be_the_text`: the text of the
    request may be what makes it fail.
    """

    def __init__(
        self, reason: str, *, may_be_billed: bool = False, may_be_the_text: bool = True
    ) -> None:
        super().__init__(reason)
        self.may_be_billed = may_be_billed
        self.may_be_the_text = may_be_the_text


class RequestRefused(EngineFailed):
    """The server does not take the request, now or later. `reason`: as it says."""

    def __init__(self, message: str, status: int, reason: str) -> None:
        super().__init__(message)
        self.status = status
        self.reason = reason

    def __reduce__(self) -> tuple[type[EngineFailed], tuple[str]]:
        """Another process gets the message, which is all that it needs."""
        return EngineFailed, (str(self),)


def check_reply(reply: Reply, server: str, key_variable: str, no_such_voice: str = "") -> None:
    """Return if the reply is a success. Raises ServerBusy, ServerFailing, RenderError.

    `no_such_voice`: words in a reason for which the server lacks the voice, whatever the status.
    """
    if reply.status < 300:
        return
    reason = reason_in(reply)
    if no_such_voice and no_such_voice in reason:
        raise UnknownVoice(f"{server} does not have that voice: {reason}.")
    if reply.status == TOO_MANY and error_code_in(reply) not in QUOTA_CODES:
        raise ServerBusy(reason, retry_after_s(reply.headers))
    if reply.status in FAILING:
        if reply.status == 503 and "retry-after" in reply.headers:
            raise ServerBusy(reason, retry_after_s(reply.headers))
        raise ServerFailing(f"{reply.status} {reason}", may_be_billed=reply.status in LOST)
    raise _permanent(reply, reason, server, key_variable)


def _permanent(reply: Reply, reason: str, server: str, key_variable: str) -> RenderError:
    if reply.status in REFUSED_KEY:
        return EngineUnavailable(
            f"{server} does not accept the key ({reason}). Put a valid one into {key_variable}."
        )
    if reply.status in (TOO_MANY, PAYMENT):
        return EngineUnavailable(
            f"{server} has no credit left ({reason}). What is finished is kept: run the same"
            " command again when there is some."
        )
    if reply.status == NOT_FOUND:
        return RequestRefused(
            f"{server} does not have that ({reason}). Look at the server's url, profile and model"
            " in the settings.",
            reply.status,
            reason,
        )
    if reply.status < 400:
        place = reply.headers.get("location", "")[:MAX_REASON_CHARS] or "another address"
        return EngineFailed(
            f"{server} sends to {place} ({reply.status}), which is not asked: it would get the text"
            " and the key. If that is right, set it as the server's url in the settings."
        )
    message = f"{server} refuses the request: {reply.status} {reason}."
    return RequestRefused(message, reply.status, reason)


def reason_in(reply: Reply) -> str:
    """The reason that the reply gives, one line; its beginning if it is long."""
    text = _message(_json_in(reply.content)) or reply.content.decode("utf-8", "replace")
    if reply.media_type == "text/html":
        text = "a web page"
    words = " ".join(text.split()).rstrip(".")
    return words[:MAX_REASON_CHARS] or "no reason given"


def error_code_in(reply: Reply) -> str:
    """The machine-readable code of an error; "" if there is none."""
    found = _json_in(reply.content)
    for name in ("error", "detail"):
        inner = found.get(name) if isinstance(found, dict) else None
        if isinstance(inner, dict):
            return str(inner.get("code") or inner.get("status") or inner.get("type") or "")
    return ""


def error_in_success(reply: Reply) -> str:
    """What a reply says that should be audio and is not; "" if it may be audio."""
    if reply.content.startswith(RIFF):  # whatever the media type: Piper's server says HTML
        return ""
    begin = reply.content[:256].lstrip().lower()
    if reply.media_type == "text/html" or begin.startswith((b"<!doctype", b"<html")):
        return "a web page"
    if reply.media_type.endswith("json") and b'"error"' in reply.content[:4096]:
        return reason_in(reply)
    return "" if reply.content else "nothing"


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """The seconds of Retry-After (RFC 9110, 10.2.3), or of OpenAI's retry-after-ms."""
    if (milliseconds := number_in(headers.get("retry-after-ms", ""))) is not None:
        return min(milliseconds / 1000, LONGEST_RETRY_AFTER_S)
    retry_after = headers.get("retry-after", "")
    seconds = number_in(retry_after)
    if seconds is None:
        seconds = _seconds_until(retry_after)
    return None if seconds is None else min(max(seconds, 0.0), LONGEST_RETRY_AFTER_S)


def _seconds_until(date: str) -> float | None:
    try:
        moment = parsedate_to_datetime(date)
    except ValueError:
        return None
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return (aware - datetime.now(UTC)).total_seconds()


def number_in(text: str) -> float | None:
    """The number in a header; None for other text, and for what is negative or infinite."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if 0 <= number < inf else None


def _json_in(content: bytes) -> object:
    try:
        return parse_json(content)
    except JsonInvalid:
        return None


def _message(found: object) -> str:
    """The message somewhere in an error's JSON; "" if there is none."""
    if isinstance(found, str):
        return found
    if isinstance(found, Mapping):
        names = ("message", "msg", "detail", "error", "status", "code")
        return next((text for name in names if (text := _message(found.get(name)))), "")
    if isinstance(found, Sequence):
        return "; ".join(filter(None, map(_message, found)))
    return ""
