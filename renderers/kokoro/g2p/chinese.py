"""Mandarin by misaki: in IPA for v1.0, in bopomofo for v1.1-zh. Latin letters are read as English.

Source: misaki/zh.py and misaki/zh_frontend.py, 0.9.4. Upstream gives a v1.0 model Latin letters as
if they were phonemes, and leaves them out for v1.1-zh unless it is told how to say them.
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

from audiomill.renderers.kokoro.g2p.pieces import Piece, rewritten
from audiomill.renderers.kokoro.g2p.requirements import BREAKS
from audiomill.renderers.kokoro.g2p.scripts import CHINESE

# Extras: the type checker may not have them.
cn2an: Any = import_module("cn2an")
jieba: Any = import_module("jieba")

_RUNS = re.compile(r"(?P<latin>[A-Za-zÀ-ž](?:[A-Za-zÀ-ž '’-]*[A-Za-zÀ-ž])?)|[^A-Za-zÀ-ž]+")
_HAN = re.compile(r"(?P<han>[\u4e00-\u9fff]+)|[^\u4e00-\u9fff]")
# Digits beyond what has a name; a number with its unit and what it counts; anything else.
_PARTS = re.compile(r"\d{16,}|-?\d[\d.,/:%％℃年月日-]{0,30}[\u4e00-\u9fff]{0,2}|.", re.DOTALL)
_NAMELESS = re.compile(r"\d{16,}")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3})")
_DIGITS = str.maketrans("0123456789", "零一二三四五六七八九")
_SIGNS = str.maketrans(
    {"&": "和", "+": "加", "=": "等于", "$": "美元", "€": "欧元", "£": "英镑", "¥": "元"}
)
_NONSYLLABIC = "\u032f"


class ChineseG2P:
    """A reader of Mandarin. Not for several threads at once."""

    scripts = CHINESE

    def __init__(self, release: str, english: Callable[[str], Iterable[Piece]]) -> None:
        """`release` is the model's; `english` reads Latin letters."""
        jieba.setLogLevel(logging.CRITICAL)
        jieba.initialize()
        self._english = english
        self._frontend: Any = None
        if release == "v1.1-zh":
            self._frontend = ZHG2P("1.1", en_callable=str).frontend

    def pieces(self, text: str) -> Iterator[Piece]:
        """What is said for each word, mark and space of `text`."""
        if not text:
            return
        written, places = rewritten(text, _PARTS, _in_words)
        for piece in self._runs(written):
            start, end = places[piece.start][0], places[piece.end - 1][1]
            yield Piece(start, end, piece.phonemes)

    def _runs(self, text: str) -> Iterator[Piece]:
        for run in _RUNS.finditer(text):
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
        except BREAKS:
            if len(text) > 1:
                half = len(text) // 2
                yield from self._in_bopomofo(text[:half])
                for piece in self._in_bopomofo(text[half:]):
                    yield Piece(half + piece.start, half + piece.end, piece.phonemes)
            return
        at = 0
        for token in tokens:
            start = max(text.find(token.text, at), at)
            at = min(start + len(token.text), len(text))
            if start < at:
                yield Piece(start, at, token.phonemes or "")
                yield Piece(at - 1, at, token.whitespace)


def _in_ipa(text: str) -> Iterator[Piece]:
    for run in _HAN.finditer(text):
        at = run.start()
        if not run["han"]:
            yield Piece(at, run.end(), run[0])
            continue
        words = jieba.lcut(run[0], cut_all=False)
        for word in words:
            said = ZHG2P.word2ipa(word).replace(_NONSYLLABIC, "")
            at += len(word)
            yield Piece(at - len(word), at, said if at == run.end() else f"{said} ")


@lru_cache(maxsize=4096)
def _in_words(part: str) -> str:
    """A number or a sign as it is said, a mark as the model knows it."""
    if not part[-1].isdigit() and len(part) == 1:
        # Between two letters, because misaki strips the spaces around a mark.
        return ZHG2P.map_punctuation(f"一{part.translate(_SIGNS)}一")[1:-1]
    plain = _THOUSANDS.sub("", part.replace("％", "%"))
    if not _NAMELESS.fullmatch(plain):
        with suppress(*BREAKS):
            plain = cn2an.transform(plain, "an2cn")
    return plain.translate(_DIGITS).translate(_SIGNS)
