"""From what a voice says for each piece of a text to `Phonemes`. Pure; knows no language.

folded text   T h e   p r i c e :   $ 5
pieces        ðə   ␣  pɹˈIs   :  ␣ fˈIv dˈɑləɹz
words         ðə      pɹˈIs        fˈIv dˈɑləɹz
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from unicodedata import normalize

from renderers.kokoro.g2p_folding import Folded
from renderers.kokoro.g2p_signs import is_silent
from renderers.kokoro.phonemes import PAUSING, Phonemes, PhonemeWord
from renderers.shard import Remark

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
