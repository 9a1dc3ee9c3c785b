"""G2P by espeak-ng: Spanish, French, Hindi, Italian, Portuguese.

The phonemes are misaki's (misaki/espeak.py, 0.9.4), one phrase at a time, so that the words of each
phoneme are known. There are two differences: stops and commas inside numbers are left to
espeak-ng, which knows their meaning, and dashes between spaces are kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from misaki import espeak
from phonemizer.backend import EspeakBackend

from audiomill.renderers.kokoro.g2p.pieces import Piece
from audiomill.renderers.kokoro.g2p.requirements import SILENT_LOGGER
from audiomill.renderers.kokoro.g2p.scripts import Scripts
from audiomill.renderers.speech.alignment import align_words, split_words

# phonemizer's marks, which espeak-ng never sees, with the spaces around them, which are kept.
_MARKS = re.compile(r"\s*(?:[;!?¡¿—…\"«»“”(){}\[\]]|[,.:](?!\d)|(?<!\d)[,.:]|\s)+")
# Words that are converted at once: the time to align them grows with the square of their number.
MAX_WORDS = 60
_WORD = re.compile(r"\S+")
_NUMBER = re.compile(r"\d")  # one word that is said as several


class EspeakG2P:
    """G2P with one of espeak-ng's voices. Not thread-safe."""

    def __init__(self, voice: str, scripts: Scripts) -> None:
        self.scripts = scripts
        self._misaki = espeak.EspeakG2P(language=voice)
        self._misaki.backend = EspeakBackend(
            voice,
            punctuation_marks="\0",  # none: `pieces` handles the marks
            preserve_punctuation=False,
            with_stress=True,
            tie="^",
            language_switch="remove-flags",
            logger=SILENT_LOGGER,
        )
        self._word_phonemes = lru_cache(maxsize=4096)(self._phonemes)

    def pieces(self, text: str) -> Iterator[Piece]:
        """The phonemes of each word, mark and space of `text`."""
        place = 0
        for marks in _marks_between_phrases(text):
            yield from self._phrase_pieces(text, place, marks.start())
            for mark in range(*marks.span()):
                yield Piece(mark, mark + 1, text[mark])
            place = marks.end()
        yield from self._phrase_pieces(text, place, len(text))

    def _phrase_pieces(self, text: str, first: int, last: int) -> Iterator[Piece]:
        words = [word.span() for word in _WORD.finditer(text, first, last)]
        for index in range(0, len(words), MAX_WORDS):
            if index:
                yield Piece(words[index][0] - 1, words[index][0], " ")
            yield from self._word_pieces(text, words[index : index + MAX_WORDS])

    def _word_pieces(self, text: str, words: list[tuple[int, int]]) -> Iterator[Piece]:
        first, last = words[0][0], words[-1][1]
        phrase = self._phonemes(text[first:last])
        parts = [phrase] if len(words) == 1 else split_words(phrase)
        if len(parts) != len(words) or _NUMBER.search(text, first, last):
            parts = align_words(phrase, [self._word_phonemes(text[i:j]) for i, j in words])
        yield from _merge_silent_words(text, words, parts)

    def _phonemes(self, text: str) -> str:
        return self._misaki(text)[0]


def _marks_between_phrases(text: str) -> Iterator[re.Match[str]]:
    """Marks with the spaces around them. Spaces alone do not end a phrase."""
    return (match for match in _MARKS.finditer(text) if not match[0].isspace())


def _merge_silent_words(
    text: str, words: list[tuple[int, int]], parts: list[str]
) -> Iterator[Piece]:
    """One piece for each word. A silent word joins the word before it, or else the one after it."""
    pieces: list[Piece] = []
    silent_start = -1
    for (start, end), part in zip(words, parts, strict=True):
        if part.strip():
            pieces.append(Piece(start if silent_start < 0 else silent_start, end, part))
            silent_start = -1
        elif not any(map(str.isalnum, text[start:end])):
            continue  # a sign that espeak-ng does not know
        elif pieces:
            pieces[-1] = Piece(pieces[-1].start, end, pieces[-1].phonemes + part)
        elif silent_start < 0:
            silent_start = start
    yield from pieces
