"""Compares texts as readers do: without case, punctuation and spaces."""

from __future__ import annotations

import re
import unicodedata


def comparison_key(text: str) -> str:
    """Return a key that is equal for a heading and its line in a table of contents."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text)).casefold()
