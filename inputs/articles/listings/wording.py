"""The words of titles and summaries, which listings write as text, as HTML, or as either."""

from __future__ import annotations

import html
import re

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
