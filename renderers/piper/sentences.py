"""The phonemes of a text in which some words are given as phonemes. Pure.

    text       I saw [[ˈwʊstər]], again. Yes.
    parts      "I saw "   ˈwʊstər   ", again. Yes."
    sentences  aɪ sˈɔː ˈwʊstər, ɐɡˈɛn.   jˈɛs.

The package's own join (`PiperVoice.phonemize`, 1.8.0) drops marks after phonemes, and puts phonemes
at the beginning of a sentence to the end of the one before.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

_CODES = re.compile(r"\[\[(.*?)\]\]")
MARKS = ".,:;!?"  # signs that are phonemes, too
_ENDS = ".!?"  # those of sentences

Phonemize = Callable[[str], Sequence[Sequence[str]]]


def phonemes_of(text: str, phonemize: Phonemize) -> tuple[tuple[str, ...], ...]:
    """The phonemes of each sentence. `phonemize` has them for text without any in brackets."""
    first, *rest = _CODES.split(text)
    sentences = _Sentences()
    sentences.add_text(phonemize(first))
    before = first
    for codes, after in zip(rest[::2], rest[1::2], strict=True):
        sentences.add_codes(codes, has_space=before[-1:].isspace())
        signs = re.split(r"\w", after, maxsplit=1)[0]
        mark = next((one for one in signs if one in MARKS), "")
        sentences.add_mark(mark, has_space=any(map(str.isspace, signs)))
        sentences.add_text(phonemize(after) if after.strip() else ())
        before = after
    return sentences.done()


class _Sentences:
    """Sentences of phonemes, of which the last may still go on."""

    def __init__(self) -> None:
        self._sentences: list[list[str]] = []

    def add_text(self, read: Sequence[Sequence[str]]) -> None:
        """Add sentences, the first of which may go on with the one before."""
        for number, sentence in enumerate(one for one in read if one):
            if number or not self._goes_on():
                self._sentences.append([])
            self._sentences[-1].extend(sentence)

    def add_codes(self, phonemes: str, *, has_space: bool) -> None:
        """Add the phonemes of a word."""
        if not self._goes_on():
            self._sentences.append([])
        elif has_space:
            self._add_space()
        self._sentences[-1].extend(phonemes.strip())

    def add_mark(self, mark: str, *, has_space: bool) -> None:
        """Add the sign after a word; "" if there is none."""
        self._sentences[-1].extend(mark)
        if has_space and self._goes_on():
            self._add_space()

    def done(self) -> tuple[tuple[str, ...], ...]:
        """The sentences that have phonemes, without spaces at their ends."""
        trimmed = (tuple(one[:-1] if one[-1:] == [" "] else one) for one in self._sentences)
        return tuple(one for one in trimmed if one)

    def _add_space(self) -> None:
        if self._sentences[-1][-1:] != [" "]:
            self._sentences[-1].append(" ")

    def _goes_on(self) -> bool:
        return bool(self._sentences) and self._sentences[-1][-1:] not in ([one] for one in _ENDS)
