"""Text, durations and positions as pages and feeds show them.

Text has no character that XML 1.0 forbids, and is not too long.
"""

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


def duration_in_seconds(duration_s: float) -> int:
    """The duration in whole seconds, at least one: 0 would stand for an unknown one."""
    return max(1, round(duration_s))


def duration(seconds: float) -> str:
    """A duration such as "1 h 5 min", "12 min" or "40 s"."""
    whole = duration_in_seconds(seconds)
    minutes = round(whole / 60)
    if whole < 60:
        return f"{whole} s"
    hours, rest = divmod(minutes, 60)
    return f"{hours} h {rest} min" if hours else f"{minutes} min"


def clock(seconds: float) -> str:
    """A position such as "1:02:03" or "12:03", cut to seconds as in players."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"
