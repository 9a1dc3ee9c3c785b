"""What can be spoken, and how long it is for an engine that counts characters."""

from __future__ import annotations


def is_speakable(spoken: str) -> bool:
    """Return True if `spoken` has a letter or a digit of any script."""
    return any(map(str.isalnum, spoken))


def n_characters(spoken: str, voice: str) -> int:  # noqa: ARG001 - other engines measure by voice
    """Return the length of `spoken` for an engine that counts characters, for any voice."""
    return len(spoken)
