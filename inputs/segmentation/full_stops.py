"""Which full stops end no sentence in a language, by its table of abbreviations.

An abbreviation that is said in full ends a sentence only before a word that begins one. Those of
titles, and of words that others must follow, never do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from audiomill.inputs.languages.registry import abbreviations

_SPACES = re.compile(r"\s")


@dataclass(frozen=True, slots=True)
class FullStops:
    """Words in lower case, without their last full stop, by the effect of the full stop."""

    never_end: frozenset[str]  # it never ends a sentence
    may_end: frozenset[str]  # it ends one only before a word of `starters`
    before_number: frozenset[str]  # it does not end one before a number
    starters: frozenset[str]  # words that begin a sentence if they are capitalised
    short_words: frozenset[str]  # words of two letters that are no abbreviations
    has_ordinals: bool  # "3." is "third", as in German


@lru_cache(maxsize=64)
def full_stops(language: str) -> FullStops:
    """Return what is known of a language (BCP 47), by its first subtag."""
    table = abbreviations(language)
    return FullStops(
        table.never_end,
        table.may_end | _words((*table.always, *table.before_name)),
        table.number_follows | _words(table.before_number),
        table.starters,
        table.short_words,
        table.has_ordinals,
    )


def _words(printed: Iterable[str]) -> frozenset[str]:
    return frozenset(_SPACES.sub("", one).lower().rstrip(".") for one in printed)
