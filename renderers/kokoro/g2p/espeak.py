"""Languages that misaki leaves to espeak-ng: Spanish, French, Hindi, Italian, Portuguese.

Phonemes are misaki's own (misaki/espeak.py, 0.9.4), phrase by phrase, so that it is known where
each came from. Two things differ: stops and commas inside numbers are left to the voice, which
knows what they mean, and dashes between spaces are kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from misaki import espeak
from phonemizer.backend import EspeakBackend

from audiomill.renderers.kokoro.g2p.pieces import Piece, cut, words_of
from audiomill.renderers.kokoro.g2p.requirements import QUIET
from audiomill.renderers.kokoro.g2p.scripts import Scripts

# phonemizer's marks, which espeak-ng never sees. The spaces around them stay as they are.
_MARKS = re.compile(r"\s*(?:[;!?¡¿—…\"«»“”(){}\[\]]|[,.:](?!\d)|(?<!\d)[,.:]|\s)+")
# That are read at once: laying two readings side by side takes time with the square of it.
N_WORDS = 60
_WORD = re.compile(r"\S+")
_NUMBER = re.compile(r"\d")  # one word that becomes several


class EspeakG2P:
    """A reader by one of espeak-ng's voices. Not for several threads at once."""

    def __init__(self, voice: str, scripts: Scripts) -> None:
        self.scripts = scripts
        self._misaki = espeak.EspeakG2P(language=voice)
        self._misaki.backend = EspeakBackend(
            voice,
            punctuation_marks="\0",  # none: they are taken care of here
            preserve_punctuation=False,
            with_stress=True,
            tie="^",
            language_switch="remove-flags",
            logger=QUIET,
        )
        self._said = lru_cache(maxsize=4096)(self._read)

    def pieces(self, text: str) -> Iterator[Piece]:
        """What is said for each word, mark and space of `text`."""
        at = 0
        for marks in _phrase_ends(text):
            yield from self._phrase(text, at, marks.start())
            for place in range(*marks.span()):
                yield Piece(place, place + 1, text[place])
            at = marks.end()
        yield from self._phrase(text, at, len(text))

    def _phrase(self, text: str, first: int, last: int) -> Iterator[Piece]:
        words = [word.span() for word in _WORD.finditer(text, first, last)]
        for at in range(0, len(words), N_WORDS):
            if at:
                yield Piece(words[at][0] - 1, words[at][0], " ")
            yield from self._words(text, words[at : at + N_WORDS])

    def _words(self, text: str, words: list[tuple[int, int]]) -> Iterator[Piece]:
        first, last = words[0][0], words[-1][1]
        phrase = self._read(text[first:last])
        parts = [phrase] if len(words) == 1 else words_of(phrase)
        if len(parts) != len(words) or _NUMBER.search(text, first, last):
            parts = cut(phrase, [self._said(text[start:end]) for start, end in words])
        yield from _joined(text, words, parts)

    def _read(self, text: str) -> str:
        return self._misaki(text)[0]


def _phrase_ends(text: str) -> Iterator[re.Match[str]]:
    """Marks with the spaces around them; spaces alone part no phrase."""
    return (found for found in _MARKS.finditer(text) if not found[0].isspace())


def _joined(text: str, words: list[tuple[int, int]], parts: list[str]) -> Iterator[Piece]:
    """A word of which nothing is heard belongs to the one before, or else to the one after."""
    pieces: list[Piece] = []
    unheard = -1
    for (start, end), part in zip(words, parts, strict=True):
        if part.strip():
            pieces.append(Piece(start if unheard < 0 else unheard, end, part))
            unheard = -1
        elif not any(map(str.isalnum, text[start:end])):
            continue  # a sign that the voice does not know
        elif pieces:
            pieces[-1] = Piece(pieces[-1].start, end, pieces[-1].phonemes + part)
        elif unheard < 0:
            unheard = start
    yield from pieces
