"""Text as pages and feeds can hold it: no character that XML 1.0 forbids, and not too long."""

from __future__ import annotations

from audiomill.outputs.text import capped, many_lines, one_line

MAX_LINE_CHARS = 255
# XML 1.0, 2.2: the only ones that are neither controls nor surrogates. one_line takes those.
_NO_CHARACTERS: dict[int, None] = {0xFFFE: None, 0xFFFF: None}


def line(text: str, max_chars: int = MAX_LINE_CHARS) -> str:
    """The text on one line, cut with an ellipsis to `max_chars`."""
    clean = one_line(text.translate(_NO_CHARACTERS))
    return capped(clean, len(clean[:max_chars].encode()))


def prose(text: str, max_bytes: int | None = None) -> str:
    """The text with its line breaks, cut with an ellipsis to `max_bytes` of UTF-8."""
    clean = many_lines(text.translate(_NO_CHARACTERS))
    return clean if max_bytes is None else capped(clean, max_bytes)
