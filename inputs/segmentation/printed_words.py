"""The words of a segment as they are printed, each with what is said for it. Pure.

    printed   It    cost  £2.5m                        in  1914.
    spoken    It    cost  two point five million pounds in nineteen fourteen.

A reader sees the printed words: “£2.5m” is one, while its five spoken words sound. Where one thing
is said for several printed words (“12 km”, “3 Jan. 1914”), these are one. Signs around a word are
no part of it, unless they are said: the pound sign is. Scripts without spaces between words have a
word for each character that a reader sees.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import regex

from audiomill.inputs.model.book import Rewording, Segment

# Han, kana and the scripts of South-East Asia, whose words only a dictionary finds: by grapheme.
_UNSPACED = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]"
_WORD = regex.compile(rf"(?={_UNSPACED})\X|(?:(?!{_UNSPACED})[^\s—–])+")


@dataclass(frozen=True, slots=True)
class PrintedWord:
    """Characters [first, last) of `Segment.text`, and [start, end) of `Segment.spoken`."""

    first: int
    last: int
    start: int
    end: int


def printed_words(segment: Segment) -> tuple[tuple[PrintedWord, ...], ...]:
    """The words that sound of each of its sentences, in order and without overlap."""
    sentences = zip(segment.printed, segment.sentences, strict=True)
    return tuple(tuple(_words_of(segment, *printed, *spoken)) for printed, spoken in sentences)


def _words_of(
    segment: Segment, first: int, last: int, start: int, end: int
) -> Iterator[PrintedWord]:
    inside = [one for one in segment.rewordings if first <= one.first and one.last <= last]
    starts, ends = _places(segment.text[first:last], segment.spoken, start, end, first, inside)
    for at, until in _units(segment.text, first, last, inside):
        said = starts[at - first], ends[until - 1 - first]
        if any(map(str.isalnum, segment.spoken[slice(*said)])):
            yield PrintedWord(at, until, *said)


def _units(
    text: str, first: int, last: int, rewordings: Iterable[Rewording]
) -> Iterator[tuple[int, int]]:
    """Ranges of `text` that are lit together: words, joined where one rewording has them."""
    reworded = ((one.first, one.last) for one in rewordings if one.first < one.last)
    begun: tuple[int, int] | None = None
    for at, until in sorted(chain(_letters(text, first, last), reworded)):
        if begun and at < begun[1]:
            begun = begun[0], max(begun[1], until)
            continue
        if begun:
            yield begun
        begun = at, until
    if begun:
        yield begun


def _letters(text: str, first: int, last: int) -> Iterator[tuple[int, int]]:
    """The words of [first, last), without signs at their edges. Signs alone are no word."""
    for match in _WORD.finditer(text, first, last):
        at, end = match.span()
        while at < end and not text[at].isalnum():
            at += 1
        while at < end and not text[end - 1].isalnum():
            end -= 1
        if at < end:
            yield at, _with_marks(text, end, match.end())


def _with_marks(text: str, end: int, limit: int) -> int:
    """The end of a word with the combining marks after its last letter."""
    while end < limit and unicodedata.category(text[end]).startswith("M"):
        end += 1
    return end


def _places(
    printed: str, spoken: str, start: int, end: int, offset: int, rewordings: Sequence[Rewording]
) -> tuple[list[int], list[int]]:
    """Where each character of a printed sentence begins and ends in the spoken text.

    The sentence is spoken at [start, end). Outside rewordings a printed character is spoken as it
    is, or as a space, or has no sound, as in `edits.clean`.
    """
    starts, ends, at = list[int](), list[int](), start
    for one in (*rewordings, None):
        limit = one.start if one else end
        rest = printed[len(starts) : one.first - offset if one else len(printed)]
        if spoken[at:limit] == rest and "  " not in rest:  # as most sentences are
            starts += range(at, limit)
            ends += range(at + 1, limit + 1)
            rest = ""
        for character in rest:
            place, at = _after(character, spoken, at, limit)
            starts.append(place)
            ends.append(at)
        if one:
            n_printed = one.last - one.first
            starts += [one.start] * n_printed
            ends += [one.end] * n_printed
            at = one.end
    return starts, ends


def _after(character: str, spoken: str, at: int, limit: int) -> tuple[int, int]:
    """Where a printed character begins and ends in the spoken text, from `at` on."""
    if at + 1 < limit and spoken[at] == " " and spoken[at + 1] == character:
        at += 1  # a space that a rewording before has brought
    if at < limit and (spoken[at] == character or (spoken[at] == " " and character.isspace())):
        return at, at + 1
    return at, at
