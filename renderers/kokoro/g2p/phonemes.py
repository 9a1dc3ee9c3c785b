"""A text as Kokoro takes it: phonemes, and which of them belong to which word.

spoken text   H e l l o ,   w o r l d .
words         └───┬───┘     └───┬───┘
phonemes      h ə l ˈ O ,   w ˈ ɜ ɹ l d .      one character, one token

Plain frozen data, and functions that pack it into bytes and split it into model inputs. Knows
neither misaki nor the model.
"""

from __future__ import annotations

import json
import re
import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import inf

from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.engine.protocol import Remark

# Tokens that sound as a pause or change the intonation, but are no part of a word.
# Source: `vocab` in the model's config.json.
PAUSING = frozenset(';:,.!?—…"()“”')

# What a cut costs, whatever its place, and what each kind of place adds: the end of a sentence, of
# a clause, of a word, and inside a word.
_CUT_COST = 0.3
_PLACE_COSTS = (
    (0.0, re.compile(r"[.!?…][\"”)]*( |$)")),
    (0.5, re.compile(r"[;:,—][\"”)]*( |$)|—")),
    (1.5, re.compile(" ")),
)
_INSIDE_WORD_COST = 8.0
# Weight of the square of a part's deviation from an even share, as a fraction of that share:
# 0 for an even part, 1 for an empty one. A part that is half a share off costs a quarter of it.
_UNEVEN_COST = 2.0
# Where a text has no better place, cuts are considered every 1/16 of the greatest length.
_STEPS_INSIDE_WORD = 16


@dataclass(frozen=True, slots=True)
class PhonemeWord:
    """Characters [start, end) of the spoken text are said by phonemes [first, last).

    Neither range is empty. Words are in order and do not overlap, in the text and in the phonemes.
    """

    start: int
    end: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Phonemes:
    """The model's input for a spoken text.

    `text` has one character for each token. It neither begins nor ends with a space, and has no two
    spaces in a row. Every letter, digit and sign of the spoken text is in one of `words` or in one
    of `remarks`. Silent marks, such as brackets, may be in neither.
    """

    text: str
    words: tuple[PhonemeWord, ...]
    remarks: tuple[Remark, ...] = ()


class Damaged(Exception):
    """The bytes are not packed phonemes."""


def pack(phonemes: Phonemes) -> bytes:
    """`phonemes` as bytes for files and pipes: JSON in zlib, with its checksum (RFC 1950).

    A word takes about 20 bytes.
    """
    words = [number for word in phonemes.words for number in _as_offset_and_length(word)]
    remarks = [[remark.start, remark.end, remark.words] for remark in phonemes.remarks]
    packed = json.dumps([phonemes.text, words, remarks], separators=(",", ":"))
    return zlib.compress(packed.encode("ascii"), 1)


def unpack(packed: bytes) -> Phonemes:
    """The phonemes that `pack` packed. Raises Damaged if `packed` is anything else."""
    try:
        text, words, remarks = json.loads(zlib.decompress(packed))
        fours = zip(*[iter(words)] * 4, strict=True)
        return Phonemes(
            text,
            # From a list: a generator is resumed for each word.
            tuple(
                [
                    PhonemeWord(start, start + n_chars, first, first + n_phonemes)
                    for start, n_chars, first, n_phonemes in fours
                ]
            ),
            tuple(Remark(*remark) for remark in remarks),
        )
    except (zlib.error, ValueError, TypeError) as error:
        raise Damaged(str(error)) from error


def is_whole(packed: bytes) -> bool:
    """Whether the checksum of packed phonemes is right. That takes a tenth of unpacking them."""
    try:
        zlib.decompress(packed)
    except zlib.error:
        return False
    return True


def split(phonemes: Phonemes, max_phonemes: int = 510) -> tuple[Phonemes, ...]:
    """Cut `phonemes` into parts of at most `max_phonemes`; into one part if they fit.

    The parts joined are the text, except for a space at some cuts and the spaces at the end. Each
    part has its own words, counted from its own first phoneme; a word that is cut is in both parts.
    A remark belongs to the part that says the text before it. Raises ValueError if `max_phonemes`
    is less than 1.
    """
    if max_phonemes < 1:
        raise ValueError(f"max_phonemes is {max_phonemes}; it must be at least 1")
    text = phonemes.text.rstrip(" ")
    if len(text) <= max_phonemes:
        return (replace(phonemes, text=text),)
    cuts = _cheapest_cuts(text, max_phonemes)
    spans = [_without_last_space(text, first, last) for first, last in pairwise(cuts)]
    words = [tuple(_words_in(phonemes, first, last)) for first, last in spans]
    starts = [_start_in_spoken_text(phonemes, first) for first, _ in spans[1:]]
    return tuple(
        Phonemes(text[first:last], part_words, tuple(_remarks_of(phonemes, starts, index)))
        for index, ((first, last), part_words) in enumerate(zip(spans, words, strict=True))
    )


def join(parts: Iterable[tuple[int, Phonemes]], remarks: Iterable[Remark]) -> Phonemes:
    """The phonemes of a text, from those of its parts and the place where each part begins.

    `remarks` are those on the text between the parts.
    """
    text, words, all_remarks = "", list[PhonemeWord](), [*remarks]
    for start, part in parts:
        text += " " if text and part.text else ""
        words += [
            PhonemeWord(
                start + one.start, start + one.end, len(text) + one.first, len(text) + one.last
            )
            for one in part.words
        ]
        all_remarks += [
            replace(one, start=start + one.start, end=start + one.end) for one in part.remarks
        ]
        text += part.text
    all_remarks.sort(key=lambda remark: (remark.start, remark.end))
    return Phonemes(text, tuple(words), tuple(all_remarks))


def _as_offset_and_length(word: PhonemeWord) -> tuple[int, int, int, int]:
    """Lengths compress better than ends: they are small and much alike."""
    return word.start, word.end - word.start, word.first, word.last - word.first


def _cheapest_cuts(text: str, limit: int) -> list[int]:
    """Where to cut, both ends of `text` included: the least total cost (Bellman 1957)."""
    costs = _cut_costs(text, limit)
    places = sorted(costs)
    even_share = len(text) / -(-len(text) // limit)
    # For each place: the least cost up to it, and the index of the cut before it.
    best: list[tuple[float, int]] = [(0.0, 0)]
    for index in range(1, len(places)):
        place = places[index]
        # A part may be one longer than the limit if it ends in a space, which is then dropped.
        nearest = bisect_left(places, place - limit - (text[place - 1] == " "), hi=index)
        best.append(
            min(
                (
                    best[before][0]
                    + costs[place]
                    + _UNEVEN_COST * ((place - places[before]) / even_share - 1) ** 2,
                    before,
                )
                for before in range(nearest, index)
            )
        )
    return [places[index] for index in _path_to_last(best)]


def _path_to_last(best: Sequence[tuple[float, int]]) -> list[int]:
    path = [len(best) - 1]
    while path[-1]:
        path.append(best[path[-1]][1])
    return path[::-1]


def _cut_costs(text: str, limit: int) -> dict[int, float]:
    """The cost of a cut before each phoneme where one is allowed, at most `limit` apart."""
    costs: dict[int, float] = {}
    for place_cost, pattern in _PLACE_COSTS:
        for match in pattern.finditer(text):
            costs.setdefault(match.end(), _CUT_COST + place_cost)
    costs |= {0: 0.0, len(text): 0.0}
    for first, last in pairwise(sorted(costs)):
        if last - first > limit:
            step = -(-limit // _STEPS_INSIDE_WORD)
            inside = range(first + step, last, step)
            costs |= dict.fromkeys(inside, _CUT_COST + _INSIDE_WORD_COST)
    return costs


def _without_last_space(text: str, first: int, last: int) -> tuple[int, int]:
    return first, last - (last < len(text) and text[last - 1] == " ")


def _words_in(phonemes: Phonemes, first: int, last: int) -> Iterator[PhonemeWord]:
    """The words that have phonemes in [first, last), with phonemes counted from `first`."""
    for word in phonemes.words:
        if word.first < last and first < word.last:
            yield replace(
                word, first=max(word.first, first) - first, last=min(word.last, last) - first
            )


def _start_in_spoken_text(phonemes: Phonemes, first: int) -> float:
    """Where the part that begins at phoneme `first` begins in the spoken text; inf if no word."""
    return next((word.start for word in phonemes.words if word.last > first), inf)


def _remarks_of(phonemes: Phonemes, starts: Sequence[float], index: int) -> Iterator[Remark]:
    """The remarks of part `index`; `starts` are those of all parts but the first."""
    return (remark for remark in phonemes.remarks if bisect_right(starts, remark.start) == index)


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
