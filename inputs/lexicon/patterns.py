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
from audiomill.inputs.lexicon.pattern_size import PatternTooLarge, n_parts

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

    try:
        n_parts(entry.written)
    except PatternTooLarge as error:
        raise LexiconError(
            f"{entry.where}: the pattern “{_short(entry.written)}” is too large: {error}. Write"
            " several that are smaller."
        ) from error
    flags = regex.VERSION0 | (regex.IGNORECASE if entry.case_sensitive is False else 0)
    try:
        pattern = regex.compile(entry.written, flags)
    except (regex.error, ValueError, IndexError, OverflowError) as error:
        shown = _short(entry.written)
        raise LexiconError(f"{entry.where}: “{shown}” is no pattern: {error}.") from error
    if _is_found(pattern, "", entry):
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
        raise _too_slow(entry, text) from error


def _is_found(pattern: regex.Pattern[str], text: str, entry: LexiconEntry) -> bool:
    """Raises LexiconError."""
    try:
        return pattern.match(text, timeout=LIMIT_S) is not None
    except TimeoutError as error:
        raise _too_slow(entry, text) from error


def _too_slow(entry: LexiconEntry, text: str) -> LexiconError:
    return LexiconError(
        f"{entry.where}: “{_short(entry.written)}” takes too long on “{_short(text)}”."
        " Leave out repetition inside repetition."
    )


def _short(text: str) -> str:
    text = " ".join(text[: 4 * EXCERPT_CHARS].split())
    return text if len(text) <= EXCERPT_CHARS else f"{text[:EXCERPT_CHARS]}…"


def _expanded(say: str, match: regex.Match[str]) -> str:
    """`say` with the groups of a match; one that took no part is empty."""

    def group(reference: re.Match[str]) -> str:
        return match[reference[2] or int(reference[1])] or ""

    return _GROUP.sub(group, say)
