"""Japanese G2P by misaki's cutlet. Latin letters are read as English.

Source: misaki/cutlet.py, 0.9.4. misaki.ja uses it too, but imports another engine and its
dictionary first. Upstream passes Latin letters to the model as if they were phonemes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

from misaki.cutlet import Cutlet

from audiomill.renderers.kokoro.g2p.japanese_counters import COUNTED, counted
from audiomill.renderers.kokoro.g2p.pieces import Piece, rewrite
from audiomill.renderers.kokoro.g2p.requirements import TEXT_ERRORS
from audiomill.renderers.kokoro.g2p.scripts import JAPANESE
from audiomill.renderers.speech.alignment import split_like

_NUMBERS_AND_CHARACTERS = re.compile(rf"{COUNTED.pattern}|[〜～]?\d[\d.,]*|.", re.DOTALL)
_DECIMAL_POINT = re.compile(r"(?<=\d)\.(?=\d)")
_THOUSANDS_SEPARATOR = re.compile(r"(?<=\d),(?=\d{3})")
_LONG_NUMBER = re.compile(r"\d{13,}")  # misaki has no names for these
_DIGIT_NAMES = ("ゼロ", "いち", "に", "さん", "よん", "ご", "ろく", "なな", "はち", "きゅう")
_DIGITS = str.maketrans(dict(zip("0123456789", _DIGIT_NAMES, strict=True)))
_SIGNS = str.maketrans(
    {"%": "パーセント", "&": "アンド", "+": "プラス", "=": "イコール", "@": "アットマーク"}
    | {"$": "ドル", "€": "ユーロ", "£": "ポンド", "¥": "円"}
)


class JapaneseG2P:
    """G2P for Japanese. Not thread-safe."""

    scripts = JAPANESE

    def __init__(self, english: Callable[[str], str]) -> None:
        """`english` returns the phonemes of Latin letters. Raises RuntimeError: no dictionary."""
        self._cutlet = _Cutlet(english)
        self._rewrite_part = lru_cache(maxsize=4096)(self._uncached_rewrite_part)

    def pieces(self, text: str) -> Iterator[Piece]:
        """The phonemes of each word, mark and space of `text`."""
        rewritten, spans = rewrite(text, _NUMBERS_AND_CHARACTERS, self._rewrite_part)
        for piece in self._convert(rewritten):
            start, end = spans[piece.start][0], spans[piece.end - 1][1]
            yield Piece(start, end, piece.phonemes)

    def _uncached_rewrite_part(self, part: str) -> str:
        return self._cutlet.normalise(_in_words(counted(part)))

    def _convert(self, text: str) -> Iterator[Piece]:
        try:
            pieces = list(self._word_pieces(text))
        except TEXT_ERRORS:
            half = len(text) // 2
            pieces = [*self._convert(text[:half])] if half else []
            for piece in self._convert(text[half:]) if half else ():
                pieces.append(Piece(half + piece.start, half + piece.end, piece.phonemes))
        yield from pieces

    def _word_pieces(self, text: str) -> Iterator[Piece]:
        phonemes, words = self._cutlet.convert(text)
        parts = split_like(phonemes, [word_phonemes for _, word_phonemes in words])
        place = 0
        for (word, _), part in zip(words, parts, strict=True):
            start = text.index(word, place)
            place = start + len(word)
            yield Piece(start, place, part)


class _Cutlet(Cutlet):
    """misaki's converter, which also records the phonemes of each word."""

    def __init__(self, english: Callable[[str], str]) -> None:
        super().__init__()
        self._english = english
        self._words: list[tuple[str, str]] = []

    def convert(self, text: str) -> tuple[str, list[tuple[str, str]]]:
        """The phonemes of a normalised text, and its words with the phonemes of each."""
        self._words = []
        return self(text)[0], self._words

    def normalise(self, text: str) -> str:
        """The text in the form that misaki converts."""
        return self._normalize_text(text)

    def _romaji_word(self, word: Any) -> str:
        is_latin = word.surface.isascii() and any(map(str.isalpha, word.surface))
        phonemes = self._english(word.surface) if is_latin else super()._romaji_word(word)
        self._words.append((word.surface, phonemes))
        return phonemes


def _in_words(part: str) -> str:
    """`part` with the signs and the parts of numbers that misaki does not know in words."""
    plain = _DECIMAL_POINT.sub("てん", _THOUSANDS_SEPARATOR.sub("", part))
    plain = _LONG_NUMBER.sub(lambda number: "・".join(number[0]).translate(_DIGITS), plain)
    return plain.translate(_SIGNS)
