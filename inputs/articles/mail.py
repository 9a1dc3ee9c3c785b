"""Reads the letters of an mbox file or of an .eml file, one by one. Attachments are passed over.

Headers are decoded leniently, because letters break every rule of them. Only one letter is in
memory at a time.

Sources: RFC 4155 (mbox); RFC 5322 and RFC 2045 to 2047 (letters); RFC 2392 (mid: addresses).
"""

from __future__ import annotations

import hashlib
import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from email.errors import MessageError
from email.header import decode_header
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32
from email.utils import parseaddr
from pathlib import Path
from typing import BinaryIO
from urllib.parse import quote

from audiomill.inputs.articles.fields import utc_of
from audiomill.inputs.articles.letter_parts import LetterText, text_of_letter
from audiomill.inputs.articles.page import Fetched
from audiomill.inputs.files import open_regular
from audiomill.inputs.markup.text import normalise_spaces
from audiomill.inputs.model.book import SourceCorrupt

MAX_MAILBOX_BYTES = 1 << 30
MAX_LETTER_BYTES = 64 << 20  # what follows of a letter is left out; servers take 25 to 50 MiB
_ENVELOPE = b"From "
_QUOTED_ENVELOPE = re.compile(rb">+From ")
_HEADER = re.compile(rb"[!-9;-~]{1,100}[ \t]*:")
_ID = re.compile(r"<\s*([^<>]+?)\s*>")
_UNREADABLE = "the letter is too badly broken to be read"
_LONGEST_ID, _LONGEST_LINE = 300, 1 << 16


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter. What it does not tell is "" or None."""

    id: str  # its Message-ID without brackets, or one made of its content
    subject: str
    author: str  # the sender's name, or else the address
    date: datetime | None  # in UTC
    text: str
    is_html: bool
    warnings: tuple[str, ...] = ()  # a line each


def read_letters(path: Path) -> Iterator[Letter]:
    """The letters in a file, in its order. Those without text have "" for their text.

    Raises SourceCorrupt for a file that holds no letters, and OSError.
    """
    with open_regular(path, MAX_MAILBOX_BYTES) as file:
        is_first = True
        for data, is_cut in _split(file):
            if is_first and not _is_letter(data):
                raise SourceCorrupt(f"“{path.name}” holds no letters. Give an mbox or .eml file.")
            is_first = False
            yield _letter(data, is_cut=is_cut)


def page_of_letter(letter: Letter) -> Fetched:
    """The letter as a page to be saved: `reader.py` reads it. Its address has the scheme mid."""
    page = _html_page(letter) if letter.is_html else _text_page(letter)
    media_type = "text/html" if letter.is_html else "text/plain"
    data = page.encode("utf-8", "replace")
    return Fetched(f"mid:{quote(letter.id, safe='@')}", data, media_type, "utf-8")


def _split(file: BinaryIO) -> Iterator[tuple[bytes, bool]]:
    """(the bytes of a letter, whether its end was left out) for each letter of a file."""
    parts, n_bytes = list[bytes](), 0
    is_mbox, after_blank = False, True
    for line in iter(lambda: file.readline(_LONGEST_LINE), b""):
        if line.startswith(_ENVELOPE) and after_blank and (is_mbox or not n_bytes):
            if n_bytes:
                yield b"".join(parts), n_bytes > MAX_LETTER_BYTES
            parts, n_bytes, is_mbox = [], 0, True
            after_blank = False
            continue
        after_blank = not line.strip()
        if after_blank and not n_bytes:
            continue
        n_bytes += len(line)
        if n_bytes <= MAX_LETTER_BYTES:
            is_quoted = is_mbox and _QUOTED_ENVELOPE.match(line)
            parts.append(line[1:] if is_quoted else line)
    if n_bytes:
        yield b"".join(parts), n_bytes > MAX_LETTER_BYTES


def _is_letter(data: bytes) -> bool:
    return _HEADER.match(data.lstrip(b"\r\n\xef\xbb\xbf")) is not None


def _letter(data: bytes, *, is_cut: bool) -> Letter:
    data = data.lstrip(b"\r\n\xef\xbb\xbf")
    warnings = list[str]()
    if is_cut:
        warnings.append(f"the letter is larger than {MAX_LETTER_BYTES >> 20} MiB; its end is lost")
    try:
        message: Message = BytesParser(policy=compat32).parsebytes(data)
        found = text_of_letter(message)
    except (MessageError, LookupError, RecursionError, TypeError, ValueError):
        return Letter(_made_id(data), "", "", None, "", is_html=False, warnings=(_UNREADABLE,))
    subject = _header(message, "Subject")
    return Letter(
        id=_id(message) or _made_id(data),
        subject=subject,
        author=_author(message),
        date=utc_of(_header(message, "Date").partition("(")[0]),
        text=found.text,
        is_html=found.is_html,
        warnings=(*warnings, *_unread(found)),
    )


def _unread(found: LetterText) -> Iterable[str]:
    if not found.text.strip():
        yield "the letter has no text"
    if found.n_attachments:
        yield f"attachments that are not read: {found.n_attachments}"


def _made_id(data: bytes) -> str:
    return f"{hashlib.sha256(data).hexdigest()[:32]}@letter.invalid"


def _id(message: Message) -> str:
    header = _header(message, "Message-ID")
    inner = _ID.search(header)
    return "".join((inner[1] if inner else header).split())[:_LONGEST_ID]


def _author(message: Message) -> str:
    name, address = parseaddr(_header(message, "From"))
    return normalise_spaces(name) or address


def _header(message: Message, name: str) -> str:
    """A header as plain text, on one line. What cannot be decoded stays as it is."""
    named = (str(value) for key, value in message.raw_items() if key.lower() == name.lower())
    # The parser keeps bytes beyond ASCII as surrogates.
    raw = _text(next(named, "").encode("utf-8", "surrogateescape"), "utf-8")
    try:
        parts = decode_header(raw)
    except (MessageError, ValueError):
        return normalise_spaces(raw)
    # What is not encoded is as `decode_header` writes it.
    texts = (
        one if isinstance(one, str) else _text(one, charset or "raw-unicode-escape")
        for one, charset in parts
    )
    return normalise_spaces("".join(texts))


def _text(data: bytes, charset: str) -> str:
    for name in (charset, "utf-8"):
        try:
            return data.decode(name)
        except (LookupError, UnicodeError):
            continue
    return data.decode("cp1252", "replace")


def _html_page(letter: Letter) -> str:
    """The HTML of a letter with what its headers say, where pages say it."""
    about = [
        ("og:title", letter.subject),
        ("author", letter.author),
        ("article:published_time", letter.date.isoformat() if letter.date else ""),
    ]
    elements = (
        f'<meta name="{name}" content="{html.escape(value)}">' for name, value in about if value
    )
    return f"<head>{''.join(elements)}</head>{letter.text}"


def _text_page(letter: Letter) -> str:
    """The text of a letter below the fields that `text/reader.py` reads."""
    about = [
        ("Title", letter.subject or "(no subject)"),
        ("Author", letter.author or "(no sender)"),
        ("Date", letter.date.date().isoformat() if letter.date else ""),
    ]
    headers = (f"{name}: {value}" for name, value in about if value)
    return "\n".join((*headers, "", letter.text))
