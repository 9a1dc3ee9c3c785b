"""Replies of stand-ins for servers of speech, filled into the forms that `servers.toml` has."""

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from string import Template
from typing import Any

PIECE_BYTES = 4800


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


def reply_of(body: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Reply:
    """The body as JSON; a text as it is, for HTML."""
    if isinstance(body, str):
        return Reply(body.encode(), "text/html; charset=utf-8", status, headers or {})
    return Reply(json.dumps(body).encode(), status=status, headers=headers or {})


def filled(form: Any, values: Mapping[str, Any]) -> Any:
    """The form with the value in place of each "$name"; a longer text may have several."""
    if isinstance(form, dict):
        return {name: filled(one, values) for name, one in form.items()}
    if isinstance(form, list):
        return [filled(one, values) for one in form]
    if not isinstance(form, str):
        return form
    return values[form[1:]] if form[1:] in values else Template(form).substitute(values)


def events(form: Mapping[str, Any], pieces: Sequence[bytes], values: Mapping[str, Any]) -> Reply:
    """A stream of events in one of the dialects of `servers.toml`."""
    n = len(pieces)
    values = {**values, "null": None, "n": n, "n_tokens": 9 + n}
    deltas = [
        filled(form["delta"], {**values, "index": index, "audio": text_of(piece)})
        for index, piece in enumerate(pieces)
    ]
    told = [*filled(form.get("first", []), values), *deltas, filled(form["done"], values)]
    lines = [f"event: {one['type']}\n" if form.get("is_named") else "" for one in told]
    parts = [f"{line}data: {json.dumps(one)}\n\n" for line, one in zip(lines, told, strict=True)]
    content = "".join(parts) + form.get("end", "")
    return Reply(content.encode(), "text/event-stream", is_chunked=True)


def pieces_of(content: bytes) -> list[bytes]:
    return [content[at : at + PIECE_BYTES] for at in range(0, len(content), PIECE_BYTES)]


def text_of(content: bytes) -> str:
    """Bytes as base64."""
    return base64.b64encode(content).decode()
