"""A text in the signs that a language's voice can read, and where each of them came from. Pure.

    spoken   ﬁ n e ́   日 本   — Война
    folded   f i n é           — V o y n a
             └┬┘

This is NFKC's work, done by rules of our own: NFKC would take "…" for three stops and "10²" for
"102". What cannot be read leaves a space, what cannot be seen leaves nothing.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise

from renderers.kokoro.g2p_scripts import PLAIN, Scripts
from renderers.kokoro.g2p_signs import is_brahmic, is_foreign, latin_for, script_of, sign_for
from renderers.kokoro.phonemes import Remark

_APART = re.compile(r"[\s\x00-\x1f\x7f-\x9f]")
_APOSTROPHES = frozenset("´`ʼʻʹ′＇")
_VOICING = {"ﾞ": "\u3099", "゛": "\u3099", "ﾟ": "\u309a", "゜": "\u309a"}
_JOINERS = "\u200c\u200d"
_SKIN_TONES = re.compile("[\U0001f3fb-\U0001f3ff]")
_DASH = re.compile(r"-{2,}|(?<!\S)[-–‒](?!\S)")
# espeak-ng leaves out what comes after some 200 phonemes of a word: the fewest letters that make
# so many are those that it spells.
_LONG = re.compile(r"\S{41,}")
_PIECE = re.compile(r"\S{8,39}[^\w\s](?=\S)|\S{40}(?=\S)")
_SPELLED = re.compile(r"\d{15}(?=\d)|[b-df-hj-np-tv-xz]{15}(?=[b-df-hj-np-tv-xz])", re.IGNORECASE)
_BRACKETS = re.compile(r"\)(?=\()")


@dataclass(frozen=True, slots=True)
class Folded:
    """`text`, of which character i stands for [starts[i], ends[i]) of the spoken text.

    Both are never decreasing. White space is single, and none is first.
    """

    text: str
    starts: tuple[int, ...] | range
    ends: tuple[int, ...] | range
    remarks: tuple[Remark, ...] = ()


def fold(text: str, scripts: Scripts) -> Folded:
    """`text` as the voice can read it. Takes any text and raises nothing."""
    folded = _plain(text) if PLAIN.fullmatch(text) else _written(text, scripts)
    return _broken(folded) if scripts.spaced else folded


def _plain(text: str) -> Folded:
    return Folded(text, range(len(text)), range(1, len(text) + 1))


def _written(text: str, scripts: Scripts) -> Folded:
    writer = _Writer()
    at = 0
    while at < len(text):
        dash = _DASH.match(text, at) if scripts.marks else None
        end = dash.end() if dash else at + 1
        if dash:
            writer.write("—", at, end)
        else:
            _write_one(writer, text, at, scripts)
        at = end
    return writer.folded()


@dataclass(slots=True)
class _Writer:
    chars: list[str] = field(default_factory=list[str])
    starts: list[int] = field(default_factory=list[int])
    ends: list[int] = field(default_factory=list[int])
    remarks: list[Remark] = field(default_factory=list[Remark])

    @property
    def last(self) -> str:
        return self.chars[-1] if self.chars else " "

    def write(self, written: str, start: int, end: int) -> None:
        for char in written:
            if char != " " or self.last != " ":
                self.chars.append(char)
                self.starts.append(start)
                self.ends.append(end)

    def amend(self, char: str, end: int) -> None:
        """Put `char` in place of the last one, which then reaches to `end`."""
        self.chars[-1], self.ends[-1] = char, end

    def stretch(self, end: int) -> None:
        """Count what follows the last one, up to `end`, to its word."""
        if self.last != " ":
            self.ends[-1] = end

    def remark(self, start: int, end: int, words: str) -> None:
        """Add a remark, or make the last one longer."""
        last = self.remarks[-1] if self.remarks else None
        if last and (last.end, last.words) == (start, words):
            self.remarks[-1] = replace(last, end=end)
        else:
            self.remarks.append(Remark(start, end, words))

    def folded(self) -> Folded:
        text = "".join(self.chars)
        return Folded(text, tuple(self.starts), tuple(self.ends), tuple(self.remarks))


def _write_one(writer: _Writer, text: str, at: int, scripts: Scripts) -> None:
    char = text[at]
    kind = unicodedata.category(char)
    if kind[0] == "M" or char in _VOICING:
        _attach(writer, _VOICING.get(char, char), at)
    elif _APART.match(char):
        writer.write(" ", at, at + 1)
    elif char in _JOINERS and is_brahmic(writer.last):
        writer.write(char, at, at + 1)
    elif kind[0] == "C" or _SKIN_TONES.match(char):
        writer.stretch(at + 1)  # invisible, or no character at all
    elif char in _APOSTROPHES:
        inside = writer.last.isalpha() and text[at + 1 : at + 2].isalpha()
        writer.write("'" if inside else char, at, at + 1)
    elif is_foreign(char, scripts) and not _is_name(text, at, scripts):
        writer.write(sign_for(char, scripts), at, at + 1)
        writer.remark(at, at + 1, "transliterated")
    else:
        written = char if char in scripts.names else sign_for(char, scripts)
        apart = writer.last.isdigit() and written[:1].isdigit() and not char.isdecimal()
        writer.write(f" {written}" if apart else written, at, at + 1)


def _is_name(text: str, at: int, scripts: Scripts) -> bool:
    """Whether a letter stands alone, as in "α rays"."""
    around = text[max(0, at - 1) : at] + text[at + 1 : at + 2]
    return text[at] in scripts.names and not any(is_foreign(near, scripts) for near in around)


def _attach(writer: _Writer, mark: str, at: int) -> None:
    """A combining mark joins its letter where they make one, and is dropped elsewhere."""
    if writer.last == " ":
        return
    joined = unicodedata.normalize("NFC", writer.last + mark)
    if len(joined) > 1 and is_brahmic(writer.last):
        writer.write(mark, at, at + 1)
        return
    written = latin_for(joined) if script_of(joined[0]) == "LATIN" else joined
    writer.amend(written if len(written) == 1 and written != " " else writer.last, at + 1)


def _broken(folded: Folded) -> Folded:
    """The same with a pause inside what is too long for a word, and a space in ")("."""
    cuts = {found.end(): " " for found in _BRACKETS.finditer(folded.text)}
    cuts |= {found.end(): ", " for found in _SPELLED.finditer(folded.text)}
    folded = _put_in(folded, cuts)
    return _put_in(
        folded,
        {
            long.start() + piece.end(): ", "
            for long in _LONG.finditer(folded.text)
            for piece in _PIECE.finditer(long[0])
        },
    )


def _put_in(folded: Folded, cuts: Mapping[int, str]) -> Folded:
    """The same with text, which stands for nothing, before some of its characters."""
    if not cuts:
        return folded
    text, starts, ends = list[str](), list[int](), list[int]()
    for first, last in pairwise([0, *sorted(cuts), len(folded.text)]):
        new, place = cuts.get(last, ""), folded.ends[last - 1]
        text += [folded.text[first:last], new]
        starts += [*folded.starts[first:last], *[place] * len(new)]
        ends += [*folded.ends[first:last], *[place] * len(new)]
    return Folded("".join(text), tuple(starts), tuple(ends), folded.remarks)
