"""The fields of an entry as listings and letters write them: titles, persons, dates, texts.

Titles and summaries are written as text, as HTML, or as either; dates as RFC 3339 and ISO 8601 have
them, or mail. A text may be the whole article or only its beginning.

Sources: RFC 3339; W3C Note “Date and Time Formats”; RFC 5322, 3.3.
"""

from __future__ import annotations

import html
import re
from datetime import UTC, datetime, timedelta, timezone
from email.utils import parsedate_tz

from audiomill.inputs.markup.parser import parse_xhtml
from audiomill.inputs.markup.semantics import words_within
from audiomill.inputs.markup.text import normalise_spaces, shortened
from audiomill.inputs.model.book import SourceCorrupt

LONGEST_TITLE = 300  # characters
LONGEST_SUMMARY = 1000
LONGEST_PERSON = 1000  # each letter of it may be tried as the beginning of an address
_LONGEST_HTML = 20_000  # of which a summary is made
_IN_BRACKETS = re.compile(r"[^()]*\(([^()]*[^\W\d_][^()]*)\)")
_ADDRESS = re.compile(r"<[^<>]*>|\S+@\S+")
_PARAGRAPH_END = re.compile(r"\n\s*\n")
_YEAR_OR_MONTH = re.compile(r"\d{4}(?:-\d{2})?")
_LONGEST_DATE = 80  # characters
# What programs write for a date that they do not know.
_NO_DATES = frozenset((datetime(1, 1, 1, tzinfo=UTC), datetime(1970, 1, 1, tzinfo=UTC)))
_MIN_WORDS = 100  # of what is marked as content
_MIN_UNMARKED_WORDS = 250  # of a description, which is mostly a summary
_WORD = re.compile(r"[^\W_]{2,}|[\u3040-\u30ff\u3400-\u9fff]")
_PARAGRAPH_TAG = re.compile(r"<(?:p|br|li|h[1-6]|blockquote)\b", re.IGNORECASE)
# What some programs add below each article.
_ADDED = re.compile(
    r"(?:The post .{1,300} (?:appeared first|first appeared) on .{1,200}"
    r"|Der Beitrag .{1,300} erschien zuerst auf .{1,200}"
    r"|L’article .{1,300} est apparu en premier sur .{1,200}"
    r"|La entrada .{1,300} se publicó primero en .{1,200})$"
)
_CUT = re.compile(
    r"(?:…|\.\.\.|\[\W*\]"
    r"|(?:read|see|view) (?:more|on|the (?:rest|full|whole|entire)\b.{0,60})"
    r"|(?:continue|keep) reading.{0,120}|full (?:story|article|post)|more at .{1,60}"
    r"|weiterlesen.{0,120}|mehr lesen|lire (?:la suite|plus).{0,120}|leer más.{0,60}"
    r"|seguir leyendo.{0,60}|continua a leggere.{0,60}|leggi tutto.{0,60}|ler mais.{0,60}"
    r"|続きを読む|阅读全文)[\W_]*$",
    re.IGNORECASE,
)
_LONGEST_END = 500  # characters, searched for such words


def words_of_html(markup: str) -> str:
    """The words of a piece of HTML, on one line."""
    if "<" not in markup:
        return normalise_spaces(html.unescape(markup))
    try:
        # In an element, because a text before the first tag would be lost.
        root = parse_xhtml(f"<div>{markup}</div>".encode("utf-8", "replace"), "utf-8")
    except SourceCorrupt:  # it holds NUL
        return ""
    for node in root.iter("script", "style"):
        node.text = ""
    return normalise_spaces(words_within(root))


def title_of(text: str, *, is_html: bool) -> str:
    """A title as plain text, without line breaks."""
    title = words_of_html(text[:_LONGEST_HTML]) if is_html else normalise_spaces(text)
    return shortened(title, LONGEST_TITLE)


def summary_of(text: str, *, is_html: bool) -> str:
    """The beginning of a text as plain text, without line breaks."""
    start = text[:_LONGEST_HTML]
    return shortened(words_of_html(start) if is_html else normalise_spaces(start), LONGEST_SUMMARY)


def person_of(text: str) -> str:
    """The name in “jan@quay.example (Jan Mertens)” or “Jan Mertens <jan@quay.example>”; or ""."""
    text = normalise_spaces(text[:LONGEST_PERSON])
    named = _IN_BRACKETS.fullmatch(text) if "@" in text else None
    return normalise_spaces(_ADDRESS.sub(" ", named[1] if named else text)).strip("\"' ")


def html_of_text(text: str) -> str:
    """Plain text as HTML: blank lines separate paragraphs."""
    parts = (normalise_spaces(part) for part in _PARAGRAPH_END.split(text))
    return "".join(f"<p>{html.escape(part, quote=False)}</p>" for part in parts if part)


def utc_of(text: str) -> datetime | None:
    """The moment that a date names, in UTC; None if it names none.

    A date without a zone is taken as UTC, one without a time as midnight.
    """
    text = text.strip()
    if not 4 <= len(text) <= _LONGEST_DATE:
        return None
    try:
        found = _iso(text) or _of_mail(text)
        moment = found and found.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return None if moment in _NO_DATES else moment


def _iso(text: str) -> datetime | None:
    if _YEAR_OR_MONTH.fullmatch(text):
        text += "-01-01"[len(text) - 4 :]
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _of_mail(text: str) -> datetime | None:
    """Raises ValueError for a date that no calendar has."""
    parts = parsedate_tz(text)
    if parts is None:
        return None
    zone = timezone(timedelta(seconds=parts[9] or 0))
    return datetime(*parts[:6], tzinfo=zone)


def count_words(text: str) -> int:
    """The number of words of two letters or more. Each letter of Chinese and Japanese is a word."""
    return len(_WORD.findall(text))


def whole_article(markup: str, *, is_marked: bool) -> str:
    """The HTML of an article if it is whole; "" if the listing shows only a part of it.

    `is_marked` tells that the listing calls it the content, not the description.
    """
    words = words_of_html(markup)
    least = _MIN_WORDS if is_marked else _MIN_UNMARKED_WORDS
    if not is_marked and len(_PARAGRAPH_TAG.findall(markup)) < 2:
        return ""
    if count_words(words) < least:
        return ""
    end = _ADDED.sub("", words[-_LONGEST_END:]).rstrip()
    return "" if _CUT.search(end) else markup
