"""Comparison of a transcript with a text, by how both sound. Pure.

    expected  Whose rulers?   ─▶ fasa ralars ─┐
    heard     Who's Rawls?    ─▶ fasa rals   ─┴─▶ two sounds differ: spelling

A recogniser writes names and homophones as it likes, and leaves out a short word now and then. So
what counts is the longest stretch whose sounds differ: words that are missing, doubled, or others.

What is given to an engine and what a recogniser writes go the same way: a recogniser writes numbers
in digits, and spells names as it likes.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from audiomill.inputs.languages.grammars import spoken_line

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

# So many sounds that differ are no spelling: `tests/heard` measures them in real voices.
MIN_SOUNDS = 5.0
# A consonant that is the same counts so much against the sounds around it that differ. Vowels,
# which all have one code, are the same in any two texts.
SAME = 0.5


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


@dataclass(frozen=True, slots=True)
class OtherWords:
    """A stretch of a text that was heard otherwise. One of both may be empty."""

    expected: str
    heard: str
    n_sounds: float  # that differ, less what counts against them
    at: float  # where it begins in the text, from 0 to 1

    def __str__(self) -> str:
        """For people: “the mill” is missing."""
        if not self.heard:
            return f"“{self.expected}” is missing"
        if not self.expected:
            return f"“{self.heard}” is added"
        return f"“{self.expected}” sounds like “{self.heard}”"


def other_words(
    expected: Sequence[str], heard: Sequence[str], n_tolerated: int = 0
) -> OtherWords | None:
    """The stretch that differs the most, of those that are too long to be spelling.

    `n_tolerated` sounds may be heard as anything: those of words with a pronunciation of their own.
    """
    said, got = _Sounds(expected), _Sounds(heard)
    worst = _worst_stretch(said.code, got.code)
    if worst.n_sounds < MIN_SOUNDS + n_tolerated:
        return None
    return OtherWords(
        said.words_at(worst.start, worst.end),
        got.words_at(worst.heard_start, worst.heard_end),
        worst.n_sounds,
        worst.start / max(1, len(said.code)),
    )


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Sounds [start, end) of a text, and those that were heard in their place."""

    start: int
    end: int
    heard_start: int
    heard_end: int
    n_sounds: float


def _worst_stretch(said: str, got: str) -> _Stretch:
    """The stretch in which the most sounds differ, by the fewest edits of all."""
    # Imported here, because only the extra brings it.
    from rapidfuzz.distance import Levenshtein

    worst = _Stretch(0, 0, 0, 0, 0.0)
    n_sounds, first = 0.0, None
    for edit in Levenshtein.opcodes(said, got):
        if edit.tag == "equal":
            same = said[edit.src_start : edit.src_end]
            n_sounds -= SAME * (len(same) - same.count(VOWEL))
            continue
        if first is None or n_sounds <= 0:
            n_sounds, first = 0.0, edit
        n_sounds += max(edit.src_end - edit.src_start, edit.dest_end - edit.dest_start)
        if n_sounds > worst.n_sounds:
            worst = _Stretch(
                first.src_start, edit.src_end, first.dest_start, edit.dest_end, n_sounds
            )
    return worst


class _Sounds:
    """The sounds of words, in one code, and which word each is of."""

    def __init__(self, words: Sequence[str]) -> None:
        sounds = [sound_of(word) for word in words]
        self.code = "".join(sounds)
        self._words = words
        self._ends = [*accumulate(map(len, sounds))]

    def words_at(self, start: int, end: int) -> str:
        """The words that have sounds in [start, end); "" for no sounds."""
        if start == end:
            return ""
        first, last = bisect_right(self._ends, start), bisect_right(self._ends, end - 1)
        return " ".join(self._words[first : last + 1])
