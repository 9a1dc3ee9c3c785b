"""Mandarin G2P by misaki: IPA for v1.0, bopomofo for v1.1-zh. Latin letters are read as English.

Source: misaki/zh.py and misaki/zh_frontend.py, 0.9.4. Upstream passes Latin letters to a v1.0 model
as if they were phonemes. For v1.1-zh it drops them, unless it is given a function that converts
them.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from importlib import import_module
from typing import Any

from misaki.zh import ZHG2P

from audiomill.renderers.kokoro.g2p.pieces import Piece, rewrite
from audiomill.renderers.kokoro.g2p.requirements import TEXT_ERRORS
from audiomill.renderers.kokoro.g2p.scripts import CHINESE

# These are optional dependencies, which the type checker may not find.
cn2an: Any = import_module("cn2an")
jieba: Any = import_module("jieba")

_LATIN_RUNS = re.compile(r"(?P<latin>[A-Za-zÀ-ž](?:[A-Za-zÀ-ž '’-]*[A-Za-zÀ-ž])?)|[^A-Za-zÀ-ž]+")
_HAN_RUNS = re.compile(r"(?P<han>[\u4e00-\u9fff]+)|[^\u4e00-\u9fff]")
# A number without a name; a number with its unit and the word that it counts; any other character.
_NUMBERS_AND_CHARACTERS = re.compile(
    r"\d{16,}|-?\d[\d.,/:%％℃年月日-]{0,30}[\u4e00-\u9fff]{0,2}|.", re.DOTALL
)
_LONG_NUMBER = re.compile(r"\d{16,}")  # cn2an has no names for these
_THOUSANDS_SEPARATOR = re.compile(r"(?<=\d),(?=\d{3})")
_DIGITS = str.maketrans("0123456789", "零一二三四五六七八九")
_SIGNS = str.maketrans(
    {"&": "和", "+": "加", "=": "等于", "$": "美元", "€": "欧元", "£": "英镑", "¥": "元"}
)
_NONSYLLABIC = "\u032f"


class ChineseG2P:
    """G2P for Mandarin. Not thread-safe."""

    scripts = CHINESE

    def __init__(self, release: str, english: Callable[[str], Iterable[Piece]]) -> None:
        """`release` is the model's; `english` returns the pieces of Latin letters."""
        jieba.setLogLevel(logging.CRITICAL)
        jieba.initialize()
        self._english = english
        self._frontend: Any = None
        if release == "v1.1-zh":
            self._frontend = ZHG2P("1.1", en_callable=str).frontend

    def pieces(self, text: str) -> Iterator[Piece]:
        """The phonemes of each word, mark and space of `text`."""
        if not text:
            return
        rewritten, spans = rewrite(text, _NUMBERS_AND_CHARACTERS, _in_words)
        for piece in self._convert(rewritten):
            start, end = spans[piece.start][0], spans[piece.end - 1][1]
            yield Piece(start, end, piece.phonemes)

    def _convert(self, text: str) -> Iterator[Piece]:
        for run in _LATIN_RUNS.finditer(text):
            if run["latin"]:
                pieces = self._english(run[0])
            else:
                pieces = self._in_bopomofo(run[0]) if self._frontend else _in_ipa(run[0])
            for piece in pieces:
                start, end = run.start() + piece.start, run.start() + piece.end
                yield Piece(start, end, piece.phonemes)
            if self._frontend or text[run.end() : run.end() + 1].isalpha():
                yield Piece(run.end() - 1, run.end(), " ")

    def _in_bopomofo(self, text: str) -> Iterator[Piece]:
        try:
            tokens = self._frontend(text)[1]
        except TEXT_ERRORS:
            if len(text) > 1:
                half = len(text) // 2
                yield from self._in_bopomofo(text[:half])
                for piece in self._in_bopomofo(text[half:]):
                    yield Piece(half + piece.start, half + piece.end, piece.phonemes)
            return
        place = 0
        for token in tokens:
            start = max(text.find(token.text, place), place)
            place = min(start + len(token.text), len(text))
            if start < place:
                yield Piece(start, place, token.phonemes or "")
                yield Piece(place - 1, place, token.whitespace)


def _in_ipa(text: str) -> Iterator[Piece]:
    for run in _HAN_RUNS.finditer(text):
        place = run.start()
        if not run["han"]:
            yield Piece(place, run.end(), run[0])
            continue
        words = jieba.lcut(run[0], cut_all=False)
        for word in words:
            phonemes = ZHG2P.word2ipa(word).replace(_NONSYLLABIC, "")
            start, place = place, place + len(word)
            yield Piece(start, place, phonemes if place == run.end() else f"{phonemes} ")


@lru_cache(maxsize=4096)
def _in_words(part: str) -> str:
    """A number or a sign in words; a mark as the model's vocabulary has it."""
    if not part[-1].isdigit() and len(part) == 1:
        # Enclosed by two characters, because misaki strips the spaces around a mark.
        return ZHG2P.map_punctuation(f"一{part.translate(_SIGNS)}一")[1:-1]
    plain = _THOUSANDS_SEPARATOR.sub("", part.replace("％", "%"))
    if not _LONG_NUMBER.fullmatch(plain):
        with suppress(*TEXT_ERRORS):
            plain = cn2an.transform(plain, "an2cn")
    return plain.translate(_DIGITS).translate(_SIGNS)
