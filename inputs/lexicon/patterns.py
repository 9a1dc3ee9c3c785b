"""Entries that are regular expressions. A slow one is stopped: it must not hang a run.

A pattern with nested repetition, such as `(a+)+b`, takes a time that is exponential in the length
of a text. The module `regex` counts processor time, so that a busy machine stops none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from audiomill.inputs.lexicon.entries import LexiconEntry, LexiconError

if TYPE_CHECKING:
    import regex

# For all of a block. An ordinary pattern takes microseconds.
LIMIT_S = 2.0
EXCERPT_CHARS = 40
_GROUP = re.compile(r"\\(?:(\d{1,2})|g<(\w+)>)")


@lru_cache(maxsize=4096)
def compiled(entry: LexiconEntry) -> regex.Pattern[str]:
    """The pattern of an entry. Raises LexiconError if it is none, or is not fit for a lexicon."""
    import regex  # only lexicons with patterns need it

    flags = regex.VERSION0 | (regex.IGNORECASE if entry.case_sensitive is False else 0)
    try:
        pattern = regex.compile(entry.written, flags)
    except regex.error as error:
        raise LexiconError(f"{entry.where}: “{entry.written}” is no pattern: {error}.") from error
    if pattern.match(""):
        raise LexiconError(f"{entry.where}: “{entry.written}” matches what has no characters.")
    for number, name in _GROUP.findall(entry.say):
        known = name in pattern.groupindex if name else int(number) <= pattern.groups
        if not known:
            raise LexiconError(f"{entry.where}: “{entry.written}” has no group {name or number}.")
    return pattern


def pattern_matches(entry: LexiconEntry, text: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, what is said) for each match that has characters. Raises LexiconError."""
    try:
        for match in compiled(entry).finditer(text, timeout=LIMIT_S):
            if match.start() < match.end():
                yield match.start(), match.end(), _expanded(entry.say, match)
    except TimeoutError as error:
        excerpt = text if len(text) <= EXCERPT_CHARS else f"{text[:EXCERPT_CHARS]}…"
        raise LexiconError(
            f"{entry.where}: “{entry.written}” takes too long on “{excerpt}”."
            " Leave out repetition inside repetition."
        ) from error


def _expanded(say: str, match: regex.Match[str]) -> str:
    """`say` with the groups of a match; one that took no part is empty."""

    def group(reference: re.Match[str]) -> str:
        return match[reference[2] or int(reference[1])] or ""

    return _GROUP.sub(group, say)
