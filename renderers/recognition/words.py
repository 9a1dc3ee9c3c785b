"""The words of a text as they are spoken, and how they sound, roughly. Pure.

What is given to an engine and what a recogniser writes go the same way: a recogniser writes numbers
in digits, and spells names as it likes.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from audiomill.inputs.spoken.grammars import spoken_line

VOWEL = "a"  # the code of all of them

# “5x5.25” is what a recogniser writes for “five times five is twenty-five”.
_PRODUCT = re.compile(r"(\dx\d+)\.(?=\d)")

# Letters that sound alike, or are spelled alike in one language and not in another, in this order.
# What is left of a word tells it from others by its consonants, and by where vowels are.
_ALIKE = tuple(
    (re.compile(pattern), sound)
    for pattern, sound in (
        ("tch|tsch|sch|sh|ch|tio|sio|cio", "x"),
        ("ph", "f"),
        ("wr", "r"),
        ("^kn|^gn", "n"),
        ("gh", ""),
        ("(?<=[aeo])w(?![aeiouy])", ""),
        ("th", "t"),
        ("dge|dg", "j"),
        ("c(?=[eiy])", "s"),
        ("ck|[cqgk]", "k"),
        ("x", "x"),
        ("[zsxj]", "s"),
        ("[vwf]", "f"),
        ("[bp]", "b"),
        ("[dt]", "t"),
        ("[aeiouyh]+", VOWEL),
        (r"(.)\1+", r"\1"),
    )
)


def words_of(text: str, language: str) -> list[str]:
    """The words that are spoken for a text, without case, marks and apostrophes."""
    said = spoken_line(text, language).between(0, len(text)).replace("’", "").replace("'", "")
    letters = unicodedata.normalize("NFC", said).lower()
    return "".join(one if one.isalnum() else " " for one in letters).split()


def words_heard(transcript: str, language: str) -> list[str]:
    """The words of what a recogniser has written, like `words_of`."""
    return words_of(_PRODUCT.sub(r"\1. ", transcript), language)


@lru_cache(maxsize=20_000)
def sound_of(word: str) -> str:
    """A rough code of how a word sounds: “night” and “knight” have one; “”, if it has no letter."""
    plain = unicodedata.normalize("NFKD", word)
    code = "".join(one for one in plain if one.isalnum())
    for pattern, sound in _ALIKE:
        code = pattern.sub(sound, code)
    return code
