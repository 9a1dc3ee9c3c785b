"""Names that a mistyped one may stand for."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(word: str, known: Iterable[str], n: int = 3, likeness: float = 0.6) -> str:
    """The sentence "Did you mean a, b?" with the `n` names closest to `word`; "" if none is close.

    It begins with a space, as it follows another sentence. Upper and lower case are the same. At a
    `likeness` of 1 a name must be `word` itself, at 0 any name will do.
    """
    by_lower = {name.lower(): name for name in known}
    close = get_close_matches(word.lower(), by_lower, n, likeness)
    return f" Did you mean {', '.join(by_lower[name] for name in close)}?" if close else ""
