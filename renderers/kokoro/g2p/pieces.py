"""Builds `Phonemes` from the phonemes of each piece of a text. Pure; knows no language.

folded text   T h e   p r i c e :   $ 5
pieces        ðə   ␣  pɹˈIs   :  ␣ fˈIv dˈɑləɹz
words         ðə      pɹˈIs        fˈIv dˈɑləɹz

Also finds the pieces where a library reads a rewritten text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from unicodedata import normalize

from audiomill.renderers.engine.protocol import Remark
from audiomill.renderers.kokoro.g2p.normalisation import FoldedText, is_silent
from audiomill.renderers.kokoro.g2p.phonemes import PAUSING, Phonemes, PhonemeWord

# Signs that make no sound alone: stress, length, nasality, tones.
_MODIFYING = frozenset("ˈˌː\u0303ʰʲᵝ↓→↗↘12345/ ")


@dataclass(frozen=True, slots=True)
class Piece:
    """Characters [start, end) of a folded text and their phonemes.

    `phonemes` may be empty, a pause, or several words. Pieces are in the order of the text.
    """

    start: int
    end: int
    phonemes: str
    remark: str = ""


@dataclass(slots=True)
class PhonemeBuilder:
    """Collects the phonemes of a spoken text, piece by piece."""

    spoken: str
    vocab: frozenset[str]
    _phonemes: list[str] = field(default_factory=list[str])
    _words: list[PhonemeWord] = field(default_factory=list[PhonemeWord])
    _remarks: list[Remark] = field(default_factory=list[Remark])

    def add_all(self, pieces: Iterable[Piece], folded: FoldedText, offset: int) -> None:
        """Add the pieces of `folded`, which is the folded spoken text from `offset` on."""
        for piece in pieces:
            start, end = folded.starts[piece.start], folded.ends[piece.end - 1]
            self.add(offset + start, offset + end, piece.phonemes, piece.remark)
        for remark in folded.remarks:
            self._remarks.append(
                replace(remark, start=offset + remark.start, end=offset + remark.end)
            )

    def add(self, start: int, end: int, phonemes: str, remark: str = "") -> None:
        """Add the phonemes of characters [start, end) of the spoken text.

        Phonemes that the model lacks are dropped.
        """
        first = len(self._phonemes)
        for phoneme in known_phonemes(phonemes, self.vocab):
            if phoneme != " " or not self._ends_in_space():
                self._phonemes.append(phoneme)
        last = len(self._phonemes)
        while first < last and self._phonemes[first] == " ":
            first += 1
        while first < last and self._phonemes[last - 1] == " ":
            last -= 1
        added = self._phonemes[first:last]
        if any(phoneme not in PAUSING and phoneme not in _MODIFYING for phoneme in added):
            self._add_word(PhonemeWord(start, end, first, last))
            if remark:
                self._remarks.append(Remark(start, end, remark))

    def build(self) -> Phonemes:
        """The phonemes of the whole text, with a remark for each run that was left out."""
        covered = bytearray(len(self.spoken))
        for word in self._words:
            covered[word.start : word.end] = b"\1" * (word.end - word.start)
        # A remark stays if at least some of its characters are said.
        remarks = [remark for remark in self._remarks if any(covered[remark.start : remark.end])]
        remarks += _left_out(self.spoken, covered)
        remarks.sort(key=lambda remark: (remark.start, remark.end))
        return Phonemes("".join(self._phonemes).rstrip(" "), tuple(self._words), tuple(remarks))

    def _ends_in_space(self) -> bool:
        return not self._phonemes or self._phonemes[-1] == " "

    def _add_word(self, word: PhonemeWord) -> None:
        """Add a word, or extend the last one if both come from the same character ("㍿")."""
        if self._words and word.start < self._words[-1].end:
            last = self._words[-1]
            self._words[-1] = replace(last, end=max(last.end, word.end), last=word.last)
        else:
            self._words.append(word)


def known_phonemes(phonemes: str, vocab: frozenset[str]) -> str:
    """The phonemes that are in `vocab`. One with an accent (ũ) may become two."""
    if vocab.issuperset(phonemes):
        return phonemes
    decomposed = (
        phoneme if phoneme in vocab else normalize("NFD", phoneme) for phoneme in phonemes
    )
    return "".join(phoneme for phoneme in "".join(decomposed) if phoneme in vocab)


def rewrite(
    text: str, pattern: re.Pattern[str], replacement: Callable[[str], str]
) -> tuple[str, list[tuple[int, int]]]:
    """`text` with each match of `pattern` replaced, and for each character its span in `text`.

    The matches must cover all of `text`. For the spans see `source_spans`.
    """
    parts: list[str] = []
    spans: list[tuple[int, int]] = []
    for match in pattern.finditer(text):
        part = replacement(match[0])
        offset = match.start()
        parts.append(part)
        spans += [(offset + start, offset + end) for start, end in source_spans(match[0], part)]
    return "".join(parts), spans


def source_spans(old: str, new: str) -> list[tuple[int, int]]:
    """For each character of `new`, the span of `old` that it stands for.

    `new` is a rewritten `old`. No span is empty: an inserted character stands for the character
    before it. `old` must not be empty.
    """
    if old == new:
        return [(place, place + 1) for place in range(len(old))]
    spans: list[tuple[int, int]] = []
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for operation, first, last, new_first, new_last in matcher.get_opcodes():
        if operation == "equal":
            spans += [(place, place + 1) for place in range(first, last)]
        else:
            span = (max(first - 1, 0), max(first, 1)) if first == last else (first, last)
            spans += [span] * (new_last - new_first)
    return spans


def _left_out(spoken: str, covered: bytearray) -> Iterator[Remark]:
    """A remark for each run of characters that are not silent and belong to no word."""
    start, end = -1, -1
    for place, char in enumerate(spoken):
        if char.isspace() or (is_silent(char) and not covered[place]):
            continue
        if not covered[place]:
            start, end = (place if start < 0 else start), place + 1
        elif start >= 0:
            yield Remark(start, end, "left out")
            start = -1
    if start >= 0:
        yield Remark(start, end, "left out")
