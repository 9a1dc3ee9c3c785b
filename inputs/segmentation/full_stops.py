"""Which full stops end a sentence, by the words beside them and a language's abbreviations.

An abbreviation that is said in full ends a sentence only before a word that begins one. Those of
titles, and of words that others must follow, never do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from audiomill.inputs.languages.declaration import words
from audiomill.inputs.languages.registry import abbreviations

_SPACES = re.compile(r"\s")
DASHES = " \t\n\u00a0\u202f—–-"
OPENERS = DASHES + "\"'“‘„‚«‹»›([{¿¡*_…"
_DASHED = re.compile(r"[—–]|--")  # between words without a space
_NUMBERISH = re.compile(r"\d|[IVXLC]+\b")
WORD = re.compile(r"[\w’'-]+")
_CONSONANTS = re.compile("[BCDFGHJKLMNPQRSTVWXZ]?[bcdfghjklmnpqrstvwxz]+")
_SOUNDS = words("brr grr hm hmm hmmm mm mmm pff pfft pst psst sh shh shhh tsk tss zzz")
_I = re.compile(r"I(?:['’][a-z]+)? [a-z]")  # in English
# An article or preposition before an apostrophe, in French and Italian.
_ELIDED = re.compile(
    r"(?:[cdjlmnst]|qu|jusqu|un|(?:d|n|s)?[aeuo]ll|sant|quest)['’](?=\w)", re.IGNORECASE
)


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


def _last_word(behind: str, table: FullStops) -> str:
    """The word at the end: “Mr” of “came—Mr”, “Gen” of “Major-Gen”, but “c.-à-d” as a whole."""
    word = _ELIDED.sub("", (behind.split() or [""])[-1].lstrip(OPENERS), count=1)
    if word.lower() in table.never_end:
        return word
    word = _DASHED.split(word)[-1].lstrip(OPENERS)
    last = word.rpartition("-")[2]
    return last if last.lower() in table.never_end else word


def full_stop_ends(behind: str, ahead: str, table: FullStops) -> bool | None:
    """True if the full stop between `behind` and `ahead` ends a sentence. None: undecided."""
    before = _last_word(behind, table)
    word = before.lower()
    if word in table.never_end:
        return False
    if not table.before_number.isdisjoint((word, before)) and _NUMBERISH.match(ahead):
        return False
    if WORD.match(ahead) is None or ahead[0].islower():
        return None
    if begins_sentence(ahead, table):
        return True
    if word in table.may_end or _is_initial(before) or _is_short_form(before, behind):
        return False
    if table.has_ordinals and _is_ordinal(before):
        return False
    return True if before in table.short_words or _is_plain_word(before) else None


def begins_sentence(ahead: str, table: FullStops) -> bool:
    """True if the capitalised word ahead begins sentences, and is no abbreviation itself."""
    word = WORD.match(ahead)
    if word is None or ahead[0].islower() or ahead.startswith(".", word.end()):
        return False
    return word[0].lower() in table.starters or _I.match(ahead) is not None


def _is_initial(word: str) -> bool:
    return len(word) == 1 and word.isupper()


def _is_short_form(word: str, behind: str) -> bool:
    """True for “v” and “Hptm”, which have no vowel; not for sounds such as “pst”, or “5 kg”."""
    is_counted = any(map(str.isdecimal, "".join(behind.split()[-2:-1])))
    is_sound = word.lower() in _SOUNDS
    return not (is_counted or is_sound) and _CONSONANTS.fullmatch(word) is not None


def _is_ordinal(word: str) -> bool:
    return word.isdecimal() and len(word) <= len("31")


def _is_plain_word(word: str) -> bool:
    """True for a word that is not short or in capitals; as an abbreviation it is in the tables."""
    return len(word) >= len("and") and word.isalpha() and word[1:].islower()
