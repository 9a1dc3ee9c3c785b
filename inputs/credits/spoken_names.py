"""Titles and names as they are said: no brackets, and no capitals where they are only lettering."""

from __future__ import annotations

import re

_IN_BRACKETS = re.compile(r"\s*[(\[]([^()\[\]]+)[)\]]\s*$")
MIN_CAPITALS = 5  # letters; fewer may be initials, for example "IBM"


def spoken_name(text: str, language: str) -> str:
    """The title or the name on one line, with a comma before what was in brackets at its end."""
    line = _IN_BRACKETS.sub(r", \1", " ".join(text.split()))
    # English has rules of its own for capitals, which know initials such as "NATO".
    is_english = language.lower().split("-")[0] == "en"
    n_letters = sum(map(str.isalpha, line))
    if is_english or not line.isupper() or n_letters < MIN_CAPITALS:
        return line
    return " ".join(word if "." in word else word.title() for word in line.split(" "))
