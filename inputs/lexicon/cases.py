"""Capitals of lexicon entries: which spellings of the text an entry applies to. Pure.

entry       in the text                  not
reading     reading, Reading, READING
Reading     Reading, READING             reading      (a town, not what one does)
"""

from __future__ import annotations

# Characters that are alike in a lexicon and a text, each as long as the other.
_ALIKE = (("’", "'"), ("ʼ", "'"), ("‐", "-"), ("‑", "-"), ("\u00a0", " "), ("\u202f", " "))


def unified(text: str) -> str:
    """The text with one kind of apostrophe, hyphen and space; of the same length."""
    for other, plain in _ALIKE:
        text = text.replace(other, plain)
    return text


def folded(text: str) -> str:
    """The unified text in small letters, of the same length: İ stays, as it would become two."""
    small = text.lower()
    if len(small) != len(text):
        small = "".join(
            lowered if len(lowered := character.lower()) == 1 else character for character in text
        )
    return unified(small)


def fits_case(written: str, found: str, *, case_sensitive: bool | None) -> bool:
    """Whether an entry for `written` applies to `found`, which folds to the same text."""
    if case_sensitive is False:
        return True
    if case_sensitive:
        return unified(found) == unified(written)
    if len(found) > 1 and found.isupper():
        return True
    return all(
        there == character
        for character, there in zip(written, found, strict=False)
        if character.isupper()
    )
