"""What one letter, digit or sign is written as for a voice, and what nobody says. Pure.

Knows single characters and the tables of `g2p_scripts.py`; texts are `g2p_folding.py`'s.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from renderers.kokoro.g2p_scripts import LATIN_LETTERS, Scripts

# The voices know these as they are: "m²", "1º"; and the model has a token for "…".
_KEPT = frozenset("ªº¹²³™№µ…")


def is_silent(character: str) -> bool:
    """Whether nobody says it: brackets, quotes, dashes, stops, stars, bars, lone accents."""
    kind = unicodedata.category(character)
    return (kind[0] == "P" and character not in "%&@#§¶‰‱") or kind == "Sk" or character == "|"


@lru_cache(maxsize=4096)
def sign_for(char: str, scripts: Scripts) -> str:
    """What one letter, digit or sign is written as; a space for a letter that cannot be read."""
    if char in scripts.marks:
        return scripts.marks[char]
    if char.isdecimal() and script_of(char) not in scripts.digits:
        return str(unicodedata.decimal(char))
    if simple := _simple(char, scripts):
        return "".join(sign_for(one, scripts) for one in simple)
    if not char.isalpha() or char in _KEPT:
        return char
    base = unicodedata.normalize("NFD", char)[0]
    if base in scripts.transliterated:
        return scripts.transliterated[base]
    if script_of(char) in scripts.said:
        return latin_for(char) if script_of(char) == "LATIN" else char
    return "" if unicodedata.category(char) == "Lm" else " "


def _simple(char: str, scripts: Scripts) -> str:
    """What a letter of another shape (𝓗, ﬁ, ①, ㎏) or a doubled mark stands for; "" for others."""
    if char in _KEPT or unicodedata.decomposition(char).startswith("<fraction>"):
        return ""
    plain = unicodedata.normalize("NFKC", char)
    lettered = [one.isalnum() for one in plain]
    # Chinese and Japanese marks are their readers' matter, and so is ℃.
    fits = any(lettered) or plain.isascii() if scripts.spaced else all(lettered)
    if plain == char or not fits:
        return ""
    is_composed = unicodedata.normalize("NFC", char) != char and len(plain) > 1
    return "" if is_composed else plain


def latin_for(char: str) -> str:
    """A letter that European voices know: they name the numbers of others."""
    if char in LATIN_LETTERS:
        return LATIN_LETTERS[char]
    if char <= "\u017f":
        return char
    base = unicodedata.normalize("NFKD", char)[0]
    return base if base.isascii() else LATIN_LETTERS.get(base, " ")


def is_brahmic(char: str) -> bool:
    """Whether it is of a script whose letters and marks stand apart: Devanagari to Sinhala."""
    return "\u0900" <= char <= "\u0dff"


def script_of(char: str) -> str:
    """The first word of its Unicode name; "" for what has none."""
    return unicodedata.name(char, "").partition(" ")[0]


def is_foreign(char: str, scripts: Scripts) -> bool:
    """Whether its script is rewritten in Latin letters."""
    return unicodedata.normalize("NFD", char)[0] in scripts.transliterated
