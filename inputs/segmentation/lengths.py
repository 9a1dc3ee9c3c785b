"""What can be spoken, and how long it is for an engine that counts characters."""

from __future__ import annotations

import re

# How many letters of an alphabet take as long to say as one of these characters. Fitted to the
# durations that espeak-ng gives 10,800 segments of nine books (docs/design/quality.md).
_DIGIT, _IDEOGRAPH, _SYLLABLE, _SPELLED, _MARK = 4.0, 8.0, 1.5, 15.0, 0.0
_DIGITS = re.compile(r"\d")
_IDEOGRAPHS = re.compile("[\u3400-\u9fff]")
_SYLLABLES = re.compile("[\u3040-\u30ff\uac00-\ud7af]")  # kana and Hangul
_SPELLED_LETTERS = re.compile("[\u0250-\u02af\u1d00-\u1dbf]")  # of phonetics, small capitals
_MARKS = re.compile("[\u0300-\u036f\u0591-\u05c7\u064b-\u065f]")  # accents, vowel points


def is_speakable(spoken: str) -> bool:
    """Return True if `spoken` has a letter or a digit of any script."""
    return any(map(str.isalnum, spoken))


def n_characters(spoken: str, voice: str) -> int:  # noqa: ARG001 - other engines measure by voice
    """Return the length of `spoken` for an engine that counts characters, for any voice."""
    return len(spoken)


def n_letters(spoken: str) -> float:
    """Return how many letters of an alphabet take about as long to say as `spoken`.

    It compares texts of one language with each other: a digit is a word, and an ideograph too.
    """
    others = (
        (_DIGITS, _DIGIT),
        (_IDEOGRAPHS, _IDEOGRAPH),
        (_SYLLABLES, _SYLLABLE),
        (_SPELLED_LETTERS, _SPELLED),
        (_MARKS, _MARK),
    )
    more = sum(len(pattern.findall(spoken)) * (weight - 1) for pattern, weight in others)
    return len(spoken) + more
