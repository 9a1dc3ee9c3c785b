"""Text as feeds and pages can hold it: no character that XML 1.0 forbids, and not too long."""

from __future__ import annotations

import html
import re

from audiomill.outputs.text import capped, many_lines, one_line

MAX_LINE_CHARS = 255  # Apple: of each value unless another limit is named
MAX_PERSON_CHARS = 128  # Podcasting 2.0: of the name of a person, and of the words of a link
MAX_DESCRIPTION_BYTES = 4000  # Apple: of a description
# XML 1.0, 2.2: the only ones that are neither controls nor surrogates. one_line takes those.
_NO_CHARACTERS: dict[int, None] = {0xFFFE: None, 0xFFFF: None}
_TAG = re.compile(r"<[a-zA-Z/!?]")


def line(text: str, max_chars: int = MAX_LINE_CHARS) -> str:
    """The text on one line, cut with an ellipsis to `max_chars`."""
    clean = one_line(text.translate(_NO_CHARACTERS))
    return capped(clean, len(clean[:max_chars].encode()))


def prose(text: str, max_bytes: int | None = None) -> str:
    """The text with its line breaks, cut with an ellipsis to `max_bytes` of UTF-8."""
    clean = many_lines(text.translate(_NO_CHARACTERS))
    return clean if max_bytes is None else capped(clean, max_bytes)


def as_html(text: str, max_bytes: int) -> str:
    """The text so that it reads the same as HTML and, where that can be, as plain text.

    Clients differ in how they take the description of RSS 2.0, which does not say. “News & views”
    reads the same either way and stays as it is; “<b>” does not, and is escaped.
    """
    clean = prose(text, max_bytes)
    if html.unescape(clean) == clean and not _TAG.search(clean):
        return clean
    growth = len(html.escape(clean, quote=False)) - len(clean)
    return html.escape(capped(clean, max(max_bytes - growth, len("…".encode()))), quote=False)
