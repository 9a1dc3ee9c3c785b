"""Japanese by misaki's cutlet. Latin letters are read as English.

Source: misaki/cutlet.py, 0.9.4, which is what misaki.ja uses too; that one would import another
engine and its dictionary first. Upstream gives the model Latin letters as if they were phonemes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from misaki.cutlet import Cutlet

from renderers.kokoro.g2p_alignment import portions, sources
from renderers.kokoro.g2p_libraries import BREAKS
from renderers.kokoro.g2p_pieces import Piece
from renderers.kokoro.g2p_scripts import JAPANESE

_POINT = re.compile(r"(?<=\d)\.(?=\d)")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3})")
_LONG = re.compile(r"\d{13,}")  # beyond what misaki names
_NAMES = ("ゼロ", "いち", "に", "さん", "よん", "ご", "ろく", "なな", "はち", "きゅう")
_DIGITS = str.maketrans(dict(zip("0123456789", _NAMES, strict=True)))
_SIGNS = str.maketrans(
    {"%": "パーセント", "&": "アンド", "+": "プラス", "=": "イコール", "@": "アットマーク"}
    | {"$": "ドル", "€": "ユーロ", "£": "ポンド", "¥": "円"}
)


class JapaneseG2P:
    """A reader of Japanese. Not for several threads at once."""

    scripts = JAPANESE

    def __init__(self, english: Callable[[str], str]) -> None:
        """`english` says what Latin letters sound like. Raises RuntimeError: no dictionary."""
        self._cutlet = _Cutlet(english)

    def pieces(self, text: str) -> Iterator[Piece]:
        """What is said for each word, mark and space of `text`."""
        if not text:
            return
        written = _in_words(text)
        places = sources(text, written)
        for piece in self._read(written):
            start, end = places[piece.start][0], places[piece.end - 1][1]
            yield Piece(start, end, piece.phonemes)

    def _read(self, text: str) -> Iterator[Piece]:
        try:
            pieces = list(self._words(text))
        except BREAKS:
            half = len(text) // 2
            pieces = [*self._read(text[:half])] if half else []
            for piece in self._read(text[half:]) if half else ():
                pieces.append(Piece(half + piece.start, half + piece.end, piece.phonemes))
        yield from pieces

    def _words(self, text: str) -> Iterator[Piece]:
        plain, phonemes, words = self._cutlet.read(text)
        if not words:
            return
        places = sources(text, plain)
        parts = portions(phonemes, [said for _, said in words])
        at = 0
        for (word, _), part in zip(words, parts, strict=True):
            start = plain.index(word, at)
            at = start + len(word)
            yield Piece(places[start][0], places[at - 1][1], part)


class _Cutlet(Cutlet):
    """misaki's reader, which also tells its words."""

    def __init__(self, english: Callable[[str], str]) -> None:
        super().__init__()
        self._english = english
        self._words: list[tuple[str, str]] = []

    def read(self, text: str) -> tuple[str, str, list[tuple[str, str]]]:
        """The text as it was read, its phonemes, and what is said for each word of it."""
        self._words = []
        phonemes: str = self(text)[0]
        return self._normalize_text(text), phonemes, self._words

    def _romaji_word(self, word: Any) -> str:
        is_latin = word.surface.isascii() and any(map(str.isalpha, word.surface))
        said = self._english(word.surface) if is_latin else super()._romaji_word(word)
        self._words.append((word.surface, said))
        return said


def _in_words(text: str) -> str:
    """Numbers and signs that misaki does not know, as they are said."""
    plain = _POINT.sub("てん", _THOUSANDS.sub("", text))
    plain = _LONG.sub(lambda long: "・".join(long[0]).translate(_DIGITS), plain)
    return plain.translate(_SIGNS)
