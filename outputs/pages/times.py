"""Durations and positions as pages show them."""

from __future__ import annotations


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
