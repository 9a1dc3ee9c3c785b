"""A text as Kokoro reads it: phonemes, and which of them say which word. Plain frozen data.

spoken text   H e l l o ,   w o r l d .
words         └───┬───┘     └───┬───┘
phonemes      h ə l ˈ O ,   w ˈ ɜ ɹ l d .      one character, one token
"""

from __future__ import annotations

import json
import re
import unicodedata
import zlib
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from math import inf
from types import MappingProxyType
from typing import Any

from audiomill.renderers.base import EngineFailed, Remark

# What is heard as a pause or as a tone, not as a word. Source: `vocab` in the model's config.json.
PAUSING = frozenset(';:,.!?—…"()“”')


@dataclass(frozen=True, slots=True)
class PhonemeWord:
    """Characters [start, end) of the spoken text are said by phonemes [first, last).

    Neither is empty. Words are in the order of both, and overlap in neither.
    """

    start: int
    end: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Phonemes:
    """What a model is given for a spoken text.

    `text` has one character for each token, no space at its ends and no two in a row. Every
    letter, digit and sign of the spoken text is in one of `words` or in one of `remarks`; marks
    such as brackets, that nobody says, may be in neither.
    """

    text: str
    words: tuple[PhonemeWord, ...]
    remarks: tuple[Remark, ...] = ()


# `Phonemes` as a few bytes and back, for files and pipes.


class Damaged(Exception):
    """The bytes are not what was packed."""


def pack(phonemes: Phonemes) -> bytes:
    """Some 20 bytes a word. zlib adds a checksum (RFC 1950)."""
    words = [number for one in phonemes.words for number in _steps(one)]
    remarks = [[one.start, one.end, one.words] for one in phonemes.remarks]
    written = json.dumps([phonemes.text, words, remarks], separators=(",", ":"))
    return zlib.compress(written.encode("ascii"), 1)


def unpack(packed: bytes) -> Phonemes:
    """Raises Damaged."""
    try:
        text, words, remarks = json.loads(zlib.decompress(packed))
        return Phonemes(
            text,
            tuple(_word(*words[at : at + 4]) for at in range(0, len(words), 4)),
            tuple(Remark(*remark) for remark in remarks),
        )
    except (zlib.error, ValueError, TypeError) as error:
        raise Damaged(str(error)) from error


def _steps(word: PhonemeWord) -> tuple[int, int, int, int]:
    """Lengths rather than ends: they are small and alike."""
    return word.start, word.end - word.start, word.first, word.last - word.first


def _word(start: Any, n_chars: Any, first: Any, n_phonemes: Any) -> PhonemeWord:
    return PhonemeWord(start, start + n_chars, first, first + n_phonemes)


# Phonemes that are too many for one row, cut into several.

# What a cut costs after the end of a sentence, of a clause, of a word, and inside a word. An even
# share is 0 from perfect, an empty part 1: half of it off costs UNEVEN / 4.
SENTENCE, CLAUSE, WORD, INSIDE = 0.0, 0.5, 1.5, 8.0
CUT = 0.3
UNEVEN = 2.0
STEPS = 16  # in a row's length, where there is no better place
_PLACES = (
    (SENTENCE, re.compile(r"[.!?…][\"”)]*( |$)")),
    (CLAUSE, re.compile(r"[;:,—][\"”)]*( |$)|—")),
    (WORD, re.compile(" ")),
)


def split(phonemes: Phonemes, max_phonemes: int = 510) -> tuple[Phonemes, ...]:
    """Parts of at most `max_phonemes`, in order; `phonemes` itself where they are few enough.

    Parts joined give the text back, less a space at some cuts and those at its end. Each has its
    own words, counted from its own first phoneme; a word that is cut is in both. A remark goes with
    the part that says what stands before it. Raises ValueError if `max_phonemes` < 1.
    """
    if max_phonemes < 1:
        raise ValueError(f"max_phonemes is {max_phonemes}; it must be at least 1")
    text = phonemes.text.rstrip(" ")
    if len(text) <= max_phonemes:
        return (replace(phonemes, text=text),)
    cuts = _cheapest(text, max_phonemes)
    spans = [_trimmed(text, first, last) for first, last in pairwise(cuts)]
    words = [tuple(_words(phonemes, first, last)) for first, last in spans]
    begins = [_begins(phonemes, first) for first, _ in spans[1:]]
    return tuple(
        Phonemes(text[first:last], own, tuple(_remarks(phonemes, begins, index)))
        for index, ((first, last), own) in enumerate(zip(spans, words, strict=True))
    )


def _cheapest(text: str, limit: int) -> list[int]:
    """Where to cut, both ends included: the least cost over all ways (Bellman 1957)."""
    costs = _costs(text, limit)
    places = sorted(costs)
    share = len(text) / -(-len(text) // limit)
    best: list[tuple[float, int]] = [(0.0, 0)]  # for each place: cost up to it, the place before
    for index in range(1, len(places)):
        at = places[index]
        nearest = bisect_left(places, at - limit - (text[at - 1] == " "), hi=index)
        best.append(
            min(
                (
                    best[before][0] + costs[at] + UNEVEN * ((at - places[before]) / share - 1) ** 2,
                    before,
                )
                for before in range(nearest, index)
            )
        )
    return [places[index] for index in _chain(best)]


def _chain(best: Sequence[tuple[float, int]]) -> list[int]:
    chain = [len(best) - 1]
    while chain[-1]:
        chain.append(best[chain[-1]][1])
    return chain[::-1]


def _costs(text: str, limit: int) -> dict[int, float]:
    """What it costs to cut before a phoneme. Places are never further apart than `limit`."""
    costs: dict[int, float] = {}
    for cost, marks in _PLACES:
        for found in marks.finditer(text):
            costs.setdefault(found.end(), CUT + cost)
    costs |= {0: 0.0, len(text): 0.0}
    for first, last in pairwise(sorted(costs)):
        if last - first > limit:
            step = -(-limit // STEPS)
            costs |= dict.fromkeys(range(first + step, last, step), CUT + INSIDE)
    return costs


def _trimmed(text: str, first: int, last: int) -> tuple[int, int]:
    return first, last - (last < len(text) and text[last - 1] == " ")


def _words(phonemes: Phonemes, first: int, last: int) -> Iterator[PhonemeWord]:
    """The words that have phonemes in [first, last), counted from `first`."""
    for word in phonemes.words:
        if word.first < last and first < word.last:
            begins, ends = max(word.first, first) - first, min(word.last, last) - first
            yield replace(word, first=begins, last=ends)


def _begins(phonemes: Phonemes, first: int) -> float:
    """Where in the spoken text a part begins that begins with phoneme `first`."""
    return next((word.start for word in phonemes.words if word.last > first), inf)


def _remarks(phonemes: Phonemes, begins: Sequence[float], index: int) -> Iterator[Remark]:
    return (one for one in phonemes.remarks if bisect_right(begins, one.start) == index)


# About how many phonemes a text will be, before any is made.

_KANA = frozenset(map(chr, range(0x3041, 0x3100)))


@dataclass(frozen=True, slots=True)
class Rates:
    """Hundredths of a phoneme for a character, stress and what it takes of spaces included."""

    letter: int
    digit: int  # 1984 is some 20 phonemes in most languages
    ideograph: int = 500  # "ꭧʰwei→" is six, and about every second one begins a word
    kana: int = 200
    symbol: int = 800  # "percent", "dollars", "degrees"
    mark: int = 100  # a space, a comma


_OTHER = Rates(letter=110, digit=600)
RATES: Mapping[str, Rates] = MappingProxyType(
    {
        "en": Rates(letter=102, digit=600),
        "es": Rates(letter=115, digit=600),
        "fr": Rates(letter=86, digit=400),
        "hi": Rates(letter=152, digit=550),
        "it": Rates(letter=110, digit=600),
        "ja": Rates(letter=110, digit=500, ideograph=400),
        "pt": Rates(letter=122, digit=640),
        "zh": Rates(letter=110, digit=500),
    }
)


def estimate(spoken: str, language: str) -> int:
    """About the number of phonemes, stress marks and spaces included. `language` is BCP 47."""
    primary = language.lower().partition("-")[0]
    hundredths = sum(_rate(each, primary) * count for each, count in Counter(spoken).items())
    return -(-hundredths // 100)


@lru_cache(maxsize=4096)
def _rate(character: str, primary: str) -> int:
    rates = RATES.get(primary, _OTHER)
    kind = unicodedata.category(character)
    if character in _KANA:
        return rates.kana
    if kind == "Lo" and unicodedata.east_asian_width(character) == "W":
        return rates.ideograph
    if kind[0] in "LM":
        return rates.letter
    if kind == "Nd":
        return rates.digit
    return rates.symbol if kind[0] in "NS" or character in "%&@#§" else rates.mark


def from_string(text: str, vocab: Container[str]) -> Phonemes:
    """Phonemes that are given as a string, with one word for each part between spaces.

    Raises EngineFailed if `vocab` lacks a character.
    """
    if unknown := [character for character in dict.fromkeys(text) if character not in vocab]:
        raise EngineFailed(f"Kokoro has no token for {' '.join(map(repr, unknown))} in {text!r}.")
    words: list[PhonemeWord] = []
    first = 0
    for part in re.finditer(r"[^ ]+", text):
        last = first + len(part[0])
        words.append(PhonemeWord(part.start(), part.end(), first, last))
        first = last + 1  # a space
    return Phonemes(re.sub(" +", " ", text).strip(" "), tuple(words))
