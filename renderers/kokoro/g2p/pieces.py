"""From what a voice says for each piece of a text to `Phonemes`. Pure; knows no language.

folded text   T h e   p r i c e :   $ 5
pieces        ðə   ␣  pɹˈIs   :  ␣ fˈIv dˈɑləɹz
words         ðə      pɹˈIs        fˈIv dˈɑləɹz
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from itertools import accumulate, pairwise
from unicodedata import normalize

from audiomill.renderers.base import Remark
from audiomill.renderers.kokoro.g2p.normalisation import Folded, is_silent
from audiomill.renderers.kokoro.g2p.phonemes import PAUSING, Phonemes, PhonemeWord

# Not said alone: stress, length, nasality, tones.
_MODIFYING = frozenset("ˈˌː\u0303ʰʲᵝ↓→↗↘12345/ ")


@dataclass(frozen=True, slots=True)
class Piece:
    """Characters [start, end) of a folded text and what is said for them.

    `phonemes` may be empty, a pause, or several words. Pieces are in the order of the text.
    """

    start: int
    end: int
    phonemes: str
    remark: str = ""


@dataclass(slots=True)
class Assembly:
    """A spoken text's phonemes as they grow, piece by piece."""

    spoken: str
    vocab: frozenset[str]
    _said: list[str] = field(default_factory=list[str])
    _words: list[PhonemeWord] = field(default_factory=list[PhonemeWord])
    _remarks: list[Remark] = field(default_factory=list[Remark])

    def add_all(self, pieces: Iterable[Piece], folded: Folded, offset: int) -> None:
        """Add pieces of `folded`, which was made from the spoken text from `offset` on."""
        for piece in pieces:
            start, end = folded.starts[piece.start], folded.ends[piece.end - 1]
            self.add(offset + start, offset + end, piece.phonemes, piece.remark)
        for remark in folded.remarks:
            self._remarks.append(
                replace(remark, start=offset + remark.start, end=offset + remark.end)
            )

    def add(self, start: int, end: int, phonemes: str, remark: str = "") -> None:
        """Say characters [start, end) of the spoken text. What the model lacks is dropped."""
        first = len(self._said)
        for phoneme in known(phonemes, self.vocab):
            if phoneme != " " or not self._ends_in_space():
                self._said.append(phoneme)
        last = len(self._said)
        while first < last and self._said[first] == " ":
            first += 1
        while first < last and self._said[last - 1] == " ":
            last -= 1
        if any(one not in PAUSING and one not in _MODIFYING for one in self._said[first:last]):
            self._add_word(PhonemeWord(start, end, first, last))
            if remark:
                self._remarks.append(Remark(start, end, remark))

    def finished(self) -> Phonemes:
        """All of it, with a remark for each thing that was left out."""
        covered = bytearray(len(self.spoken))
        for one in self._words:
            covered[one.start : one.end] = b"\1" * (one.end - one.start)
        # Of what a remark tells only some may have been said.
        remarks = [one for one in self._remarks if any(covered[one.start : one.end])]
        remarks += _left_out(self.spoken, covered)
        remarks.sort(key=lambda one: (one.start, one.end))
        return Phonemes("".join(self._said).rstrip(" "), tuple(self._words), tuple(remarks))

    def _ends_in_space(self) -> bool:
        return not self._said or self._said[-1] == " "

    def _add_word(self, word: PhonemeWord) -> None:
        """Two words from one character ("㍿") are one."""
        if self._words and word.start < self._words[-1].end:
            last = self._words[-1]
            self._words[-1] = replace(last, end=max(last.end, word.end), last=word.last)
        else:
            self._words.append(word)


def known(phonemes: str, vocab: frozenset[str]) -> str:
    """What of `phonemes` a model has tokens for; one with its accent (ũ) may be two."""
    if vocab.issuperset(phonemes):
        return phonemes
    parted = (one if one in vocab else normalize("NFD", one) for one in phonemes)
    return "".join(one for one in "".join(parted) if one in vocab)


def _left_out(spoken: str, covered: bytearray) -> Iterator[Remark]:
    """Each run of characters that should be heard and are in no word."""
    start, end = -1, -1
    for at, char in enumerate(spoken):
        if char.isspace() or (is_silent(char) and not covered[at]):
            continue
        if not covered[at]:
            start, end = (at if start < 0 else start), at + 1
        elif start >= 0:
            yield Remark(start, end, "left out")
            start = -1
    if start >= 0:
        yield Remark(start, end, "left out")


# Which part of a phrase's phonemes says which of its words, when only the phrase is known.

# A cut this near a space is at it.
NEAR = 2


def words_of(phrase: str) -> list[str]:
    """The words of `phrase`, each with the space after it."""
    words = [f"{word} " for word in phrase.split(" ")]
    return [*words[:-1], words[-1][:-1]]


def cut(phrase: str, alone: Sequence[str]) -> list[str]:
    """`phrase` in as many parts as there are words `alone`; joined, they are `phrase` again.

    A word of which nothing is heard gets "". Spaces go with the part before them.
    """
    words = words_of(phrase)
    if len(words) == len(alone) and all(word and " " not in word for word in alone):
        return words
    places = _places("".join(alone).replace(" ", ""), phrase.replace(" ", ""))
    spaces = list(accumulate(map(len, words)))
    cuts = [0]
    for end in list(accumulate(_n_sounds(word) for word in alone))[:-1]:
        left = [space for space in spaces if space > cuts[-1]]
        cuts.append(max(cuts[-1], _at_space(phrase, places[end], left)))
    return [phrase[first:last] for first, last in pairwise([*cuts, len(phrase)])]


def portions(phrase: str, sounds: Sequence[str]) -> list[str]:
    """`phrase` in as many parts as `sounds`, from which it differs in spaces only."""
    cuts = [0]
    for sound in sounds:
        cuts.append(_after(phrase, _n_sounds(sound), cuts[-1]))
    return [phrase[first:last] for first, last in pairwise([*cuts[:-1], len(phrase)])]


def sources(old: str, new: str) -> list[tuple[int, int]]:
    """For each character of `new`, a text made from `old`, the characters of `old` it stands for.

    Never none: what was put in stands for the character before it. `old` must not be empty.
    """
    if old == new:
        return [(at, at + 1) for at in range(len(old))]
    found: list[tuple[int, int]] = []
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for kind, first, last, start, end in matcher.get_opcodes():
        if kind == "equal":
            found += [(at, at + 1) for at in range(first, last)]
        else:
            first, last = (max(first - 1, 0), max(first, 1)) if first == last else (first, last)
            found += [(first, last)] * (end - start)
    return found


def rewritten(
    text: str, pattern: re.Pattern[str], write: Callable[[str], str]
) -> tuple[str, list[tuple[int, int]]]:
    """What `write` makes of each match of `pattern`, which must match all of `text`; sources."""
    parts: list[str] = []
    places: list[tuple[int, int]] = []
    for found in pattern.finditer(text):
        new = write(found[0])
        first = found.start()
        parts.append(new)
        places += [(first + start, first + end) for start, end in sources(found[0], new)]
    return "".join(parts), places


def _n_sounds(word: str) -> int:
    return len(word) - word.count(" ")


def _after(phrase: str, n_sounds: int, at: int = 0) -> int:
    """The place in `phrase` after so many sounds from `at` on, and after the space there."""
    while n_sounds and at < len(phrase):
        n_sounds -= phrase[at] != " "
        at += 1
    return at + (phrase[at : at + 1] == " ")


def _at_space(phrase: str, n_sounds: int, spaces: Sequence[int]) -> int:
    """The place after so many sounds, or at a space that is near it."""
    place = _after(phrase, n_sounds)
    near = [space for space in spaces if abs(space - place) <= NEAR]
    return min(near, key=lambda space: abs(space - place), default=place)


def _places(expected: str, heard: str) -> list[int]:
    """For each place in `expected`, ends included, the place in `heard` that answers to it."""
    rows = [list(range(len(heard) + 1))]
    for sound in expected:
        row = [rows[-1][0] + 1]
        for at, other in enumerate(heard):
            row.append(min(rows[-1][at] + (sound != other), rows[-1][at + 1] + 1, row[at] + 1))
        rows.append(row)
    places = [len(heard)] * (len(expected) + 1)
    left, right = len(expected), len(heard)
    while left:
        cost = rows[left][right]
        if right and cost == rows[left - 1][right - 1] + (expected[left - 1] != heard[right - 1]):
            left, right = left - 1, right - 1
        elif cost == rows[left - 1][right] + 1:
            left -= 1
        else:
            right -= 1
            continue
        places[left] = right
    return places
