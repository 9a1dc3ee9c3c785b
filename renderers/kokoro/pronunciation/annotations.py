"""Texts with the phonemes of some words in them, as they travel to the G2P and back. Pure.

    spoken   I saw Worcester, again.            [6, 15) is said by wˈʊstəɹ
    text     I saw ⟨Worcester|wˈʊstəɹ⟩, again.

The three signs are Unicode's for annotations, which no spoken text has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from audiomill.inputs.book import Pronunciation
from audiomill.renderers.kokoro.g2p.phonemes import Phonemes
from audiomill.renderers.kokoro.g2p.pieces import Piece, split_words

_ANCHOR, _SEPARATOR, _END = "\ufff9", "\ufffa", "\ufffb"
_ANNOTATION = re.compile(f"{_ANCHOR}([^{_SEPARATOR}]+){_SEPARATOR}([^{_END}]+){_END}")
_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class AnnotatedText:
    """A spoken text with phonemes in it. `places` are (start in `text`, pronunciation)."""

    text: str
    places: tuple[tuple[int, Pronunciation], ...] = ()

    def of_spoken(self, phonemes: Phonemes) -> Phonemes:
        """The phonemes of the text, with positions in the spoken text."""
        if not self.places:
            return phonemes
        return replace(
            phonemes,
            words=tuple(
                replace(one, start=self._original(one.start), end=self._original(one.end))
                for one in phonemes.words
            ),
            remarks=tuple(
                replace(one, start=self._original(one.start), end=self._original(one.end))
                for one in phonemes.remarks
            ),
        )

    def _original(self, position: int) -> int:
        """The position in the spoken text; one in an annotation is where its words begin or end."""
        shift = 0
        for start, one in self.places:
            if position <= start:
                break
            end = start + _length(one)
            if position < end:
                return min(one.end, max(one.start, one.start + position - start - len(_ANCHOR)))
            shift = one.end - end
        return position + shift


def annotated(spoken: str, pronunciations: Sequence[Pronunciation]) -> AnnotatedText:
    """`spoken` with the phonemes of `pronunciations` in it, each after its words."""
    text, at, places = "", 0, list[tuple[int, Pronunciation]]()
    for one in pronunciations:
        text += spoken[at : one.start]
        places.append((len(text), one))
        words = spoken[one.start : one.end]
        text += f"{_ANCHOR}{words}{_SEPARATOR}{one.phonemes}{_END}"
        at = one.end
    return AnnotatedText(text + spoken[at:], tuple(places))


def annotated_words(text: str) -> Iterator[Sequence[Piece]]:
    """The phonemes of each annotation of `text`: of each word, if there are as many."""
    for match in _ANNOTATION.finditer(text):
        words = [*_WORD.finditer(match[1])]
        phonemes = split_words(match[2])
        if len(words) != len(phonemes):
            yield [Piece(*match.span(), match[2])]
        else:
            spans = [(match.start(1) + word.start(), match.start(1) + word.end()) for word in words]
            # The first and the last word have the signs at the edges.
            spans[0] = match.start(), spans[0][1]
            spans[-1] = spans[-1][0], match.end()
            yield [Piece(*span, part) for span, part in zip(spans, phonemes, strict=True)]


def _length(one: Pronunciation) -> int:
    """The characters of an annotation."""
    signs = len(_ANCHOR) + len(_SEPARATOR) + len(_END)
    return signs + one.end - one.start + len(one.phonemes)
