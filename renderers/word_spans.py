"""Where the words of a spoken text are. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

WORD = re.compile(r"[^\s—–]+")


def word_spans(text: str) -> Iterator[tuple[int, int]]:
    """Where the words are, without signs at their edges. Signs alone are no word."""
    for match in WORD.finditer(text):
        letters = [place for place in range(*match.span()) if text[place].isalnum()]
        if letters:
            yield letters[0], letters[-1] + 1
