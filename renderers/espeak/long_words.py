"""Text without words that are too long for libespeak-ng, which would drop their ends. Pure.

    "おお…おお" (70 kana) ─▶ "お…お お…お" ─▶ spoken whole; positions lead back to the first text

The library keeps 200 phonemes of a word, and less of a number than 34 digits. A letter that is
spelled has up to five phonemes, so 40 letters always fit, and 80 of a word that it can pronounce.
What scripts without spaces write between two marks is one word.

A space is not heard, only the stress after it. So a long German number has one after its thousands,
where it is said with one, too: whole, “…tausendsieben…” becomes “…tau-sendsie-ben…”.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from audiomill.inputs.segmentation.lengths import split_at_clauses
from audiomill.renderers.engine.protocol import Rendered

# Characters that are kept together; of a word that the library pronounces, does not spell.
LONGEST, LONGEST_NUMBER, LONGEST_PRONOUNCED = 40, 32, 80
_VOWELS = frozenset("aeiouyæøœıαεηιουωаеёиоуыэюяіїє")
_MOST_CONSONANTS, _MOST_VOWELS = 7, 3  # in a row, of a word that is pronounced
_THOUSANDS = re.compile("(?<=tausend)(?=[a-zäöüß]{4})")


@dataclass(frozen=True, slots=True)
class BrokenText:
    """A text with a space in each word that is too long."""

    text: str
    spaces: tuple[int, ...]  # positions in `text` of those that were added

    def original(self, position: int) -> int:
        """The position in the text as it was of a position in `text`."""
        return position - bisect_left(self.spaces, position)

    def of_original(self, rendered: Rendered) -> Rendered:
        """The audio of `text` with positions in the text as it was."""
        if not self.spaces:
            return rendered
        at = self.original
        return replace(
            rendered,
            timings=tuple(
                replace(word, start=at(word.start), end=at(word.end)) for word in rendered.timings
            ),
            remarks=tuple(
                replace(remark, start=at(remark.start), end=at(remark.end))
                for remark in rendered.remarks
            ),
        )


def break_long_words(text: str) -> BrokenText:
    """`text` with spaces in words that are too long, between letters with their accents."""
    if all(len(word) <= LONGEST_NUMBER for word in text.split()):
        return BrokenText(text, ())
    pieces: list[str] = []
    spaces: list[int] = []
    done = 0
    for start, end in _long_words(text):
        for cut in _cuts(text, start, end):
            pieces += [text[done:cut], " "]
            spaces.append(cut + len(spaces))
            done = cut
    return BrokenText("".join((*pieces, text[done:])), tuple(spaces))


def _cuts(text: str, start: int, end: int) -> Iterator[int]:
    """Where spaces go in a word that is too long."""
    borders = [match.start() for match in _THOUSANDS.finditer(text, start, end)]
    for first, last in pairwise((start, *borders, end)):
        if first > start:
            yield first
        if not _is_kept(text[first:last]):
            spans = split_at_clauses(text, first, last, lambda a, b: b - a <= LONGEST_NUMBER)
            yield from [span[0] for span in spans][1:]


def _is_kept(word: str) -> bool:
    """True for a word that is short enough for the library."""
    if word.isdecimal():
        return len(word) <= LONGEST_NUMBER
    return len(word) <= LONGEST or (len(word) <= LONGEST_PRONOUNCED and _is_pronounced(word))


def _is_pronounced(word: str) -> bool:
    """True for a word with vowels between its consonants, in a script that has letters for both."""
    if not (word.isalpha() and word[1:].islower()):
        return False
    bases = (unicodedata.normalize("NFD", character)[0] for character in word.lower())
    runs = ((is_vowel, len([*run])) for is_vowel, run in groupby(bases, _VOWELS.__contains__))
    return all(n <= (_MOST_VOWELS if is_vowel else _MOST_CONSONANTS) for is_vowel, n in runs)


def _long_words(text: str) -> Iterator[tuple[int, int]]:
    """Where the words are that the library might not say whole."""
    start = 0
    for is_word, group in groupby(text, _is_of_word):
        word = "".join(group)
        limit = LONGEST_NUMBER if word.isdecimal() else LONGEST
        if is_word and len(word) > limit:
            yield start, start + len(word)
        start += len(word)


def _is_of_word(character: str) -> bool:
    """True for letters, their accents, digits, and the dots of initials."""
    return character == "." or unicodedata.category(character)[0] in "LMN"
