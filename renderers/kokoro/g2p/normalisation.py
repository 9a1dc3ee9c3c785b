"""Folds a text into the characters that a language's G2P can read, with their sources. Pure.

    spoken   ﬁ n e ́   日 本   — Война
    folded   f i n é           — V o y n a
             └┬┘

This is like Unicode's NFKC, but by rules of our own: NFKC would turn "…" into three stops and
"10²" into "102". Letters that cannot be read become a space; invisible characters become nothing.
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

# espeak-ng knows these as they are ("m²", "1º"), and the model has a token for "…".
_KEPT = frozenset("ªº¹²³™№µ…")
_SEPARATORS = re.compile(r"[\s\x00-\x1f\x7f-\x9f]")
_APOSTROPHES = frozenset("´`ʼʻʹ′＇")
_VOICING_MARKS = {"ﾞ": "\u3099", "゛": "\u3099", "ﾟ": "\u309a", "゜": "\u309a"}
_JOINERS = "\u200c\u200d"
_SKIN_TONES = re.compile("[\U0001f3fb-\U0001f3ff]")
_DASH = re.compile(r"-{2,}|(?<!\S)[-–‒](?!\S)")

# espeak-ng drops what follows the first 200 phonemes or so of a word. The shortest words with so
# many phonemes are those that it spells, so that the limits are 40 characters, and 15 digits or
# consonants in a row.
_LONG_WORD = re.compile(r"\S{41,}")
_LONG_WORD_PART = re.compile(r"\S{8,39}[^\w\s](?=\S)|\S{40}(?=\S)")
_SPELLED_PART = re.compile(
    r"\d{15}(?=\d)|[b-df-hj-np-tv-xz]{15}(?=[b-df-hj-np-tv-xz])", re.IGNORECASE
)
_CLOSING_BEFORE_OPENING = re.compile(r"\)(?=\()")


@dataclass(frozen=True, slots=True)
class FoldedText:
    """A folded text; character i stands for [starts[i], ends[i]) of the spoken text.

    Neither `starts` nor `ends` ever decreases. White space is single, and is never first.
    """

    text: str
    starts: tuple[int, ...] | range
    ends: tuple[int, ...] | range
    remarks: tuple[Remark, ...] = ()


def fold(text: str, scripts: Scripts) -> FoldedText:
    """`text` in the characters that a G2P of these `scripts` can read. Takes any text."""
    folded = _unchanged(text) if PLAIN.fullmatch(text) else _fold_characters(text, scripts)
    return _break_long_words(folded) if scripts.is_spaced else folded


def is_silent(char: str) -> bool:
    """True for characters without a sound: brackets, quotes, dashes, stops, stars, bars, accents.

    Accents count only as characters of their own (category Sk).
    """
    category = unicodedata.category(char)
    return (category[0] == "P" and char not in "%&@#§¶‰‱") or category == "Sk" or char == "|"


def _unchanged(text: str) -> FoldedText:
    return FoldedText(text, range(len(text)), range(1, len(text) + 1))


def _fold_characters(text: str, scripts: Scripts) -> FoldedText:
    builder = _FoldedTextBuilder()
    place = 0
    while place < len(text):
        dash = _DASH.match(text, place) if scripts.marks else None
        end = dash.end() if dash else place + 1
        if dash:
            builder.append("—", place, end)
        else:
            _append_character(builder, text, place, scripts)
        place = end
    return builder.build()


@dataclass(slots=True)
class _FoldedTextBuilder:
    chars: list[str] = field(default_factory=list[str])
    starts: list[int] = field(default_factory=list[int])
    ends: list[int] = field(default_factory=list[int])
    remarks: list[Remark] = field(default_factory=list[Remark])

    @property
    def last(self) -> str:
        return self.chars[-1] if self.chars else " "

    def append(self, written: str, start: int, end: int) -> None:
        """Append `written`, which stands for [start, end), without a second space in a row."""
        for char in written:
            if char != " " or self.last != " ":
                self.chars.append(char)
                self.starts.append(start)
                self.ends.append(end)

    def replace_last(self, char: str, end: int) -> None:
        """Replace the last character by `char`, which then reaches to `end`."""
        self.chars[-1], self.ends[-1] = char, end

    def extend_last(self, end: int) -> None:
        """Let the last character, unless it is a space, stand for all up to `end`."""
        if self.last != " ":
            self.ends[-1] = end

    def remark(self, start: int, end: int, words: str) -> None:
        """Add a remark, or extend the last one if this one continues it."""
        last = self.remarks[-1] if self.remarks else None
        if last and (last.end, last.words) == (start, words):
            self.remarks[-1] = replace(last, end=end)
        else:
            self.remarks.append(Remark(start, end, words))

    def build(self) -> FoldedText:
        text = "".join(self.chars)
        return FoldedText(text, tuple(self.starts), tuple(self.ends), tuple(self.remarks))


def _append_character(builder: _FoldedTextBuilder, text: str, place: int, scripts: Scripts) -> None:
    char, end = text[place], place + 1
    category = unicodedata.category(char)
    if category[0] == "M" or char in _VOICING_MARKS:
        _attach_mark(builder, _VOICING_MARKS.get(char, char), place)
    elif _SEPARATORS.match(char):
        builder.append(" ", place, end)
    elif char in _JOINERS and _is_brahmic(builder.last):
        builder.append(char, place, end)
    elif category[0] == "C" or _SKIN_TONES.match(char):
        builder.extend_last(end)  # invisible, or not a character at all
    elif char in _APOSTROPHES:
        is_inside = builder.last.isalpha() and text[end : end + 1].isalpha()
        builder.append("'" if is_inside else char, place, end)
    elif _is_transliterated(char, scripts) and not _is_letter_name(text, place, scripts):
        builder.append(_folded_character(char, scripts), place, end)
        builder.remark(place, end, "transliterated")
    else:
        folded = char if char in scripts.letter_names else _folded_character(char, scripts)
        # Keeps "10⁴" from becoming "104".
        needs_space = builder.last.isdigit() and folded[:1].isdigit() and not char.isdecimal()
        builder.append(f" {folded}" if needs_space else folded, place, end)


def _attach_mark(builder: _FoldedTextBuilder, mark: str, place: int) -> None:
    """Compose a combining mark with its letter, or drop it if there is no such character."""
    if builder.last == " ":
        return
    composed = unicodedata.normalize("NFC", builder.last + mark)
    if len(composed) > 1 and _is_brahmic(builder.last):
        builder.append(mark, place, place + 1)
        return
    folded = _latin_form(composed) if _script_of(composed[0]) == "LATIN" else composed
    is_letter = len(folded) == 1 and folded != " "
    builder.replace_last(folded if is_letter else builder.last, place + 1)


def _is_letter_name(text: str, place: int, scripts: Scripts) -> bool:
    """True for a letter that stands alone and is said by name, as in "α rays"."""
    neighbours = text[max(0, place - 1) : place] + text[place + 1 : place + 2]
    return text[place] in scripts.letter_names and not any(
        _is_transliterated(char, scripts) for char in neighbours
    )


def _is_transliterated(char: str, scripts: Scripts) -> bool:
    return unicodedata.normalize("NFD", char)[0] in scripts.transliterations


@lru_cache(maxsize=4096)
def _folded_character(char: str, scripts: Scripts) -> str:
    """The folded form of a letter, digit or sign; a space for a letter that cannot be read."""
    if char in scripts.marks:
        return scripts.marks[char]
    if char.isdecimal() and _script_of(char) not in scripts.digits:
        return str(unicodedata.decimal(char))
    if plain := _compatibility_form(char, scripts):
        return "".join(_folded_character(one, scripts) for one in plain)
    if not char.isalpha() or char in _KEPT:
        return char
    base = unicodedata.normalize("NFD", char)[0]
    if base in scripts.transliterations:
        return scripts.transliterations[base]
    if _script_of(char) in scripts.readable:
        return _latin_form(char) if _script_of(char) == "LATIN" else char
    return "" if unicodedata.category(char) == "Lm" else " "


def _compatibility_form(char: str, scripts: Scripts) -> str:
    """The plain characters behind a variant letter (𝓗, ﬁ, ①, ㎏) or a doubled mark; "" for others.

    These are Unicode's compatibility decompositions, except fractions.
    """
    if char in _KEPT or unicodedata.decomposition(char).startswith("<fraction>"):
        return ""
    plain = unicodedata.normalize("NFKC", char)
    are_alnum = [one.isalnum() for one in plain]
    # The Chinese and Japanese G2P normalise marks themselves, and ℃ too.
    is_wanted = any(are_alnum) or plain.isascii() if scripts.is_spaced else all(are_alnum)
    if plain == char or not is_wanted:
        return ""
    is_canonical = unicodedata.normalize("NFC", char) != char and len(plain) > 1
    return "" if is_canonical else plain


def _latin_form(char: str) -> str:
    """The nearest letter up to U+017F: espeak-ng says the code point of others. A space if none."""
    if char in LATIN_LETTERS:
        return LATIN_LETTERS[char]
    if char <= "\u017f":
        return char
    base = unicodedata.normalize("NFKD", char)[0]
    return base if base.isascii() else LATIN_LETTERS.get(base, " ")


def _is_brahmic(char: str) -> bool:
    """True for the Indic scripts, whose vowel signs stay separate: Devanagari to Sinhala."""
    return "\u0900" <= char <= "\u0dff"


def _script_of(char: str) -> str:
    """The first word of the character's Unicode name; "" if it has no name."""
    return unicodedata.name(char, "").partition(" ")[0]


def _break_long_words(folded: FoldedText) -> FoldedText:
    """Insert pauses into words that are too long for espeak-ng, and a space into ")("."""
    insertions = {match.end(): " " for match in _CLOSING_BEFORE_OPENING.finditer(folded.text)}
    insertions |= {match.end(): ", " for match in _SPELLED_PART.finditer(folded.text)}
    folded = _insert(folded, insertions)
    return _insert(
        folded,
        {
            word.start() + part.end(): ", "
            for word in _LONG_WORD.finditer(folded.text)
            for part in _LONG_WORD_PART.finditer(word[0])
        },
    )


def _insert(folded: FoldedText, insertions: Mapping[int, str]) -> FoldedText:
    """Insert text, which stands for nothing, before characters of `folded`."""
    if not insertions:
        return folded
    text, starts, ends = list[str](), list[int](), list[int]()
    for first, last in pairwise([0, *sorted(insertions), len(folded.text)]):
        inserted, source = insertions.get(last, ""), folded.ends[last - 1]
        text += [folded.text[first:last], inserted]
        starts += [*folded.starts[first:last], *[source] * len(inserted)]
        ends += [*folded.ends[first:last], *[source] * len(inserted)]
    return FoldedText("".join(text), tuple(starts), tuple(ends), folded.remarks)
