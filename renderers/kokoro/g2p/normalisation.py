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
from functools import lru_cache
from itertools import pairwise

from audiomill.renderers.kokoro.g2p.phonemes import Remark
from audiomill.renderers.kokoro.g2p.scripts import LATIN_LETTERS, PLAIN, Scripts

# What one letter, digit or sign is written as for a voice, and what nobody says.

# The voices know these as they are: "m²", "1º"; and the model has a token for "…".
_KEPT = frozenset("ªº¹²³™№µ…")


def is_silent(character: str) -> bool:
    """Whether nobody says it: brackets, quotes, dashes, stops, stars, bars, lone accents."""
    kind = unicodedata.category(character)
    return (kind[0] == "P" and character not in "%&@#§¶‰‱") or kind == "Sk" or character == "|"


@lru_cache(maxsize=4096)
def sign_for(char: str, scripts: Scripts) -> str:
    """What one letter, digit or sign is written as; a space for a letter that cannot be read."""
    if char in scripts.marks:
        return scripts.marks[char]
    if char.isdecimal() and script_of(char) not in scripts.digits:
        return str(unicodedata.decimal(char))
    if simple := _simple(char, scripts):
        return "".join(sign_for(one, scripts) for one in simple)
    if not char.isalpha() or char in _KEPT:
        return char
    base = unicodedata.normalize("NFD", char)[0]
    if base in scripts.transliterated:
        return scripts.transliterated[base]
    if script_of(char) in scripts.said:
        return latin_for(char) if script_of(char) == "LATIN" else char
    return "" if unicodedata.category(char) == "Lm" else " "


def _simple(char: str, scripts: Scripts) -> str:
    """What a letter of another shape (𝓗, ﬁ, ①, ㎏) or a doubled mark stands for; "" for others."""
    if char in _KEPT or unicodedata.decomposition(char).startswith("<fraction>"):
        return ""
    plain = unicodedata.normalize("NFKC", char)
    lettered = [one.isalnum() for one in plain]
    # Chinese and Japanese marks are their readers' matter, and so is ℃.
    fits = any(lettered) or plain.isascii() if scripts.spaced else all(lettered)
    if plain == char or not fits:
        return ""
    is_composed = unicodedata.normalize("NFC", char) != char and len(plain) > 1
    return "" if is_composed else plain


def latin_for(char: str) -> str:
    """A letter that European voices know: they name the numbers of others."""
    if char in LATIN_LETTERS:
        return LATIN_LETTERS[char]
    if char <= "\u017f":
        return char
    base = unicodedata.normalize("NFKD", char)[0]
    return base if base.isascii() else LATIN_LETTERS.get(base, " ")


def is_brahmic(char: str) -> bool:
    """Whether it is of a script whose letters and marks stand apart: Devanagari to Sinhala."""
    return "\u0900" <= char <= "\u0dff"


def script_of(char: str) -> str:
    """The first word of its Unicode name; "" for what has none."""
    return unicodedata.name(char, "").partition(" ")[0]


def is_foreign(char: str, scripts: Scripts) -> bool:
    """Whether its script is rewritten in Latin letters."""
    return unicodedata.normalize("NFD", char)[0] in scripts.transliterated


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
