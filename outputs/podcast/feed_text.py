"""Text of feeds: how long it may be, and how it reads the same as HTML and as plain text."""

from __future__ import annotations

import html
import re

from audiomill.outputs.pages.clean_text import prose
from audiomill.outputs.text import capped

MAX_PERSON_CHARS = 128  # Podcasting 2.0: of the name of a person, and of the words of a link
MAX_DESCRIPTION_BYTES = 4000  # Apple: of a description
_TAG = re.compile(r"<[a-zA-Z/!?]")


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
