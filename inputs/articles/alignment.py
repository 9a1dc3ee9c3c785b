"""Finds which blocks of a page are those of an extracted text. Both are in one order.

An extraction says what of a page is its article, but loses lists, notes, languages and pictures.
So it only chooses among the page's own blocks.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

_SHORT = 25  # letters; a shorter text, such as “Share”, must be a whole line of the extraction
_MAX_PLACES = 50  # of one text, for example of a line that a page repeats
_WINDOW = 16  # letters that are looked up; with `_STEP` no more than `_SHORT`
_STEP = 8  # letters between the windows that are indexed
_RARE = 3  # places of a window; a rarer one is not searched for
_MAX_WINDOWS = 1000  # with the same letters, for example of a text that repeats one word
_SHINGLE = 4  # words
_MOSTLY = 0.7
_NO_LETTERS = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class _Match:
    """A block at a place of the extracted letters, and the best chain of matches before it."""

    block: int
    start: int
    end: int
    weight: int  # letters of the chain
    before: _Match | None


def matching(texts: Sequence[str], extracted: str) -> list[bool]:
    """For each text of a page whether it is part of `extracted`.

    The matches are in order, none overlaps another, and together they are as long as possible: of
    a line that stands in a teaser too, the one within the article is taken.
    """
    lines = [letters_only(line) for line in re.split(r"[\n|]", extracted)]
    squeezed = [letters_only(text) for text in texts]
    chain = _best_chain(squeezed, lines)
    found = {match.block for match in chain}
    shingles = _shingles(extracted)
    gaps = _gaps(chain, len(texts), sum(map(len, lines)))
    return [
        at in found or _fits(text, squeezed[at], shingles, gaps[at])
        for at, text in enumerate(texts)
    ]


def same_letters(one: str, other: str) -> bool:
    """Whether two texts differ in nothing but spaces, punctuation and case."""
    return letters_only(one) == letters_only(other)


def letters_only(text: str) -> str:
    """The letters and digits of a text, in lower case."""
    return _NO_LETTERS.sub("", text).lower()


def _best_chain(texts: Sequence[str], lines: Sequence[str]) -> list[_Match]:
    """The longest chain of matches, first to last."""
    index = _LetterIndex(lines)
    chains = _Chains()
    for block, text in enumerate(texts):
        chains.add(block, len(text), index.places(text) if text else ())
    return chains.best()


class _LetterIndex:
    """Where texts occur in the lines of an extraction. A search of all of it for each is slow.

    A long text has, wherever it begins, a whole window of those that are indexed:

        extraction   |the river|rose in t|he night |
        text              river rose in the night
    """

    def __init__(self, lines: Sequence[str]) -> None:
        self._whole = "".join(lines)
        self._windows = defaultdict[str, list[int]](list)
        for at in range(0, len(self._whole), _STEP):
            self._windows[self._whole[at : at + _WINDOW]].append(at)
        self._short = defaultdict[str, list[int]](list)
        borders = [*dict.fromkeys([0, *accumulate(map(len, lines))])]
        for number, start in enumerate(borders):
            for end in borders[number + 1 : number + _SHORT]:
                if end - start < _SHORT:
                    self._short[self._whole[start:end]].append(start)
        self._found = dict[str, list[int]]()

    def places(self, text: str) -> Sequence[int]:
        """The first places of a text, in order; of a short one those that are whole lines."""
        if len(text) < _SHORT:
            return self._short.get(text, [])[:_MAX_PLACES]
        if text not in self._found:
            places = (at for at in self._candidates(text) if self._whole.startswith(text, at))
            self._found[text] = sorted(places)[:_MAX_PLACES]
        return self._found[text]

    def _candidates(self, text: str) -> Iterator[int]:
        """Where a long text may begin, by a rare one of its windows."""
        for shift in range(_STEP):
            found: Sequence[int] = range(len(self._whole))
            first = shift
            for offset in range(shift, len(text) - _WINDOW + 1, _STEP):
                here = self._windows.get(text[offset : offset + _WINDOW], ())
                if len(here) < len(found):
                    found, first = here, offset
                if len(found) <= _RARE:
                    break
            yield from (at - first for at in found[:_MAX_WINDOWS] if at >= first)


class _Chains:
    """The best chains that end by each place: both places and weights increase."""

    def __init__(self) -> None:
        self._ends = list[int]()
        self._matches = list[_Match]()

    def add(self, block: int, length: int, places: Sequence[int]) -> None:
        """Continue chains by a block at each of its possible places."""
        found = list[_Match]()
        for start in places:
            index = bisect_right(self._ends, start) - 1
            before = self._matches[index] if index >= 0 else None
            weight = length + (before.weight if before else 0)
            found.append(_Match(block, start, start + length, weight, before))
        for match in found:
            self._insert(match)

    def _insert(self, match: _Match) -> None:
        index = bisect_right(self._ends, match.end)
        if index and self._matches[index - 1].weight >= match.weight:
            return
        last = index
        while last < len(self._ends) and self._matches[last].weight <= match.weight:
            last += 1
        if index and self._ends[index - 1] == match.end:
            index -= 1
        self._ends[index:last] = [match.end]
        self._matches[index:last] = [match]

    def best(self) -> list[_Match]:
        chain = list[_Match]()
        match = self._matches[-1] if self._matches else None
        while match:
            chain.append(match)
            match = match.before
        return chain[::-1]


def _gaps(chain: Sequence[_Match], n_texts: int, n_letters: int) -> list[int]:
    """How many extracted letters no match has, where each text would have to be."""
    gaps = list[int]()
    at, end = 0, 0
    for match in (*chain, None):
        until, start = (match.block, match.start) if match else (n_texts, n_letters)
        gaps += [start - end] * (until - at)
        if match:
            gaps.append(0)
            at, end = match.block + 1, match.end
    return gaps


def _fits(text: str, letters: str, shingles: set[tuple[str, ...]], gap: int) -> bool:
    """Whether a text is in the extraction but for some words, where letters are left."""
    if len(letters) < _SHORT or gap < len(letters) * _MOSTLY / 2:
        return False
    own = _shingles(text)
    return len(own & shingles) >= _MOSTLY * len(own)


def _shingles(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"\w+", text.lower())
    return {tuple(words[at : at + _SHINGLE]) for at in range(max(1, len(words) - _SHINGLE + 1))}
