"""Japanese by misaki's cutlet. Latin letters are read as English.

Source: misaki/cutlet.py, 0.9.4, which is what misaki.ja uses too; that one would import another
engine and its dictionary first. Upstream gives the model Latin letters as if they were phonemes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

from misaki.cutlet import Cutlet

from audiomill.renderers.kokoro.g2p.pieces import Piece, portions, rewritten
from audiomill.renderers.kokoro.g2p.requirements import BREAKS
from audiomill.renderers.kokoro.g2p.scripts import JAPANESE

_PARTS = re.compile(r"[〜～]?\d[\d.,]*|.", re.DOTALL)  # a number; anything else
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
        self._in_words = lru_cache(maxsize=4096)(self._written)

    def pieces(self, text: str) -> Iterator[Piece]:
        """What is said for each word, mark and space of `text`."""
        written, places = rewritten(text, _PARTS, self._in_words)
        for piece in self._read(written):
            start, end = places[piece.start][0], places[piece.end - 1][1]
            yield Piece(start, end, piece.phonemes)

    def _written(self, part: str) -> str:
        return self._cutlet.normal(_said(part))

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
        phonemes, words = self._cutlet.read(text)
        parts = portions(phonemes, [said for _, said in words])
        at = 0
        for (word, _), part in zip(words, parts, strict=True):
            start = text.index(word, at)
            at = start + len(word)
            yield Piece(start, at, part)


class _Cutlet(Cutlet):
    """misaki's reader, which also tells its words."""

    def __init__(self, english: Callable[[str], str]) -> None:
        super().__init__()
        self._english = english
        self._words: list[tuple[str, str]] = []

    def read(self, text: str) -> tuple[str, list[tuple[str, str]]]:
        """Phonemes of a normal text, and what is said for each word of it."""
        self._words = []
        return self(text)[0], self._words

    def normal(self, text: str) -> str:
        """The text as misaki goes on to read it."""
        return self._normalize_text(text)

    def _romaji_word(self, word: Any) -> str:
        is_latin = word.surface.isascii() and any(map(str.isalpha, word.surface))
        said = self._english(word.surface) if is_latin else super()._romaji_word(word)
        self._words.append((word.surface, said))
        return said


def _said(part: str) -> str:
    """A number or a sign that misaki does not know, in words."""
    plain = _POINT.sub("てん", _THOUSANDS.sub("", part))
    plain = _LONG.sub(lambda long: "・".join(long[0]).translate(_DIGITS), plain)
    return plain.translate(_SIGNS)
