"""Finds the text of a letter among its parts: HTML, or else plain text, of which lines are joined.

Sources: RFC 2046, 5.1 (multipart); RFC 2387 (related); RFC 3676 (format=flowed).
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message

from audiomill.inputs.markup.encodings import decode
from audiomill.inputs.model.book import SourceCorrupt

_MAX_DEPTH = 20  # of multiparts within multiparts
_SIGNATURE = "-- "
_QUOTE = re.compile(r">*")
_BLANK_LINES = re.compile(r"\n\s*\n")


@dataclass(frozen=True, slots=True)
class LetterText:
    """The text of a letter, and how many attachments it has."""

    text: str
    is_html: bool
    n_attachments: int


@dataclass(frozen=True, slots=True)
class _Part:
    text: str
    is_html: bool


def text_of_letter(message: Message) -> LetterText:
    """The text of a letter: of alternatives the HTML, of several parts all, in order."""
    parts = [part for part in _parts(message, 0) if part.text.strip()]
    n_attachments = sum(_is_attachment(one) for one in message.walk())
    if not any(part.is_html for part in parts):
        text = "\n\n".join(one.text for one in parts)
        return LetterText(text, is_html=False, n_attachments=n_attachments)
    markup = "\n".join(map(_as_html, parts))
    return LetterText(markup, is_html=True, n_attachments=n_attachments)


def _parts(message: Message, depth: int) -> Iterator[_Part]:
    kind = message.get_content_type()
    if not message.is_multipart():
        if not _is_attachment(message) and kind in {"text/html", "text/plain"}:
            yield _part(message, is_html=kind == "text/html")
        return
    inner = _inner(message)
    if depth >= _MAX_DEPTH or kind == "message/rfc822":
        return
    if kind == "multipart/alternative":
        yield from _best(inner, depth)
    elif kind in {"multipart/related", "multipart/signed"}:
        yield from _first(inner, depth)
    else:
        for one in inner:
            yield from _parts(one, depth + 1)


def _inner(message: Message) -> list[Message]:
    payload = message.get_payload()
    return [one for one in payload if isinstance(one, Message)] if isinstance(payload, list) else []


def _best(alternatives: list[Message], depth: int) -> list[_Part]:
    """The parts of the alternative with HTML, or else of the last one with text."""
    found = [[*_parts(one, depth + 1)] for one in alternatives]
    with_text = [parts for parts in found if any(part.text.strip() for part in parts)]
    with_html = [parts for parts in with_text if any(part.is_html for part in parts)]
    return next((parts[-1] for parts in (with_html, with_text) if parts), [])


def _first(related: list[Message], depth: int) -> list[_Part]:
    """The parts of the first one with text: others are its pictures, or its signature."""
    found = ([*_parts(one, depth + 1)] for one in related)
    return next((parts for parts in found if parts), [])


def _is_attachment(message: Message) -> bool:
    kind = message.get_content_disposition()
    if message.get_content_maintype() == "multipart":
        return False
    is_text = message.get_content_type() in {"text/html", "text/plain"}
    return kind == "attachment" or (is_text and bool(message.get_filename()))


def _part(message: Message, *, is_html: bool) -> _Part:
    payload = message.get_payload(decode=True)
    data = payload if isinstance(payload, bytes) else b""
    text = _decoded(data, message.get_content_charset("").strip())
    if not is_html and _parameter(message, "format") == "flowed":
        text = unflowed(text, deletes_space=_parameter(message, "delsp") == "yes")
    return _Part(text, is_html)


def _decoded(data: bytes, charset: str) -> str:
    try:
        return decode(data, charset).replace("\r\n", "\n").replace("\r", "\n")
    except SourceCorrupt:  # it holds NUL
        return ""


def _parameter(message: Message, name: str) -> str:
    return str(message.get_param(name) or "").strip().lower()


def unflowed(text: str, *, deletes_space: bool = False) -> str:
    """A text of format=flowed with the lines of each paragraph joined.

    `deletes_space` is the parameter DelSp. Lines of different quoting depths are never joined.
    """
    lines, is_open, depth_before = list[str](), False, 0
    for raw in text.split("\n"):
        depth = len((_QUOTE.match(raw) or [""])[0])
        line = raw[depth:].removeprefix(" ") if depth or raw.startswith(" ") else raw
        joins = is_open and depth == depth_before and line != _SIGNATURE
        flows = line.endswith(" ") and line != _SIGNATURE
        kept = line[:-1] if flows and deletes_space else line
        if joins:
            lines[-1] += kept
        else:
            lines.append(">" * depth + (" " if depth else "") + kept)
        is_open, depth_before = flows, depth
    return "\n".join(lines)


def _as_html(part: _Part) -> str:
    if part.is_html:
        return part.text
    paragraphs = (html.escape(one, quote=False) for one in _BLANK_LINES.split(part.text))
    return "".join(f"<p>{one}</p>" for one in paragraphs if one.strip())
