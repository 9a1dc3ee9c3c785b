"""The ways to cut a passage into segments. Knows text and lengths, no books and no engines.

A way names places and nothing else, and one function cuts there whichever it is. So no way can
lose a character or go over the limit, and they can be compared with each other.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType

from inputs.clauses import marks, pieces
from inputs.clusters import last_edge
from inputs.grouping import Part, best_cuts
from inputs.passage import Passage
from inputs.spoken import is_speakable

Chunking = Callable[[Passage], Iterable[int]]  # places to cut, in order

# The price of a cut after a stop or semicolon inside a sentence, after a comma, before a
# conjunction; against the cost of a length, see `grouping.py`. Between sentences it costs nothing.
_PRICES = (0.01, 0.03, 0.08)
_LAST_RESORT = 1.0  # in the middle of a clause


def chunks(passage: Passage, chunking: str) -> Iterator[tuple[int, int]]:
    """Spans of `passage`, in order, cut in the way that `CHUNKINGS` calls `chunking`.

    They hold every character that is not white space. What is said of each is no longer than
    `max_length`, unless it is a single character.
    """
    cuts = CHUNKINGS[chunking](passage)
    text = passage.text
    for start, end in pairwise((0, *cuts, len(text))):
        if is_speakable(passage.said(start, end)[0]):
            yield from pieces(text, start, end, passage.fits(passage.max_length))
        elif words := text[start:end].strip():
            first = text.index(words, start)
            yield first, first + len(words)


def by_sentence(passage: Passage) -> Iterator[int]:
    """Each sentence is a segment."""
    return (start for start, _ in passage.sentences[1:])


def planned(passage: Passage) -> Iterator[int]:
    """Joined and cut so that as much as can be is in the engine's best range.

    For an engine that has none, each sentence is a segment.
    """
    best = passage.best_length
    if best is None:
        yield from by_sentence(passage)
        return
    prices = dict(_priced(passage, most=best[1]))
    places = sorted(prices)
    parts = [
        Part(passage.measure(start, end), prices[start])
        for start, end in pairwise([*places, len(passage.text)])
    ]
    for part in best_cuts(parts, best, passage.max_length):
        yield places[part]


def adaptive(passage: Passage) -> Iterator[int]:
    """As much as is allowed, up to the end of a sentence, or else of a clause, or of a word.

    This is how kokoro/pipeline.py fills its 510 phonemes.
    """
    starts = tuple(start for start, _ in passage.sentences)
    return _filled(passage, (starts, *marks(passage.text, 0, len(passage.text))))


def by_word(passage: Passage) -> Iterator[int]:
    """As many whole words as are allowed."""
    return _filled(passage, marks(passage.text, 0, len(passage.text))[-1:])


def fixed(passage: Passage) -> Iterator[int]:
    """As many characters as are allowed, words cut where that falls."""
    return _filled(passage, ())


CHUNKINGS: Mapping[str, Chunking] = MappingProxyType(
    {
        "planned": planned,
        "sentence": by_sentence,
        "adaptive": adaptive,
        "word": by_word,
        "fixed": fixed,
    }
)


def _priced(passage: Passage, most: int) -> Iterator[tuple[int, float]]:
    """Where `passage` may be cut, and what that costs: inside a sentence only if it is long."""
    for start, end in passage.sentences:
        yield start, 0.0
        if not passage.fits(most)(start, end):
            yield from _inside(passage, start, end, most)


def _inside(passage: Passage, start: int, end: int, most: int) -> Iterator[tuple[int, float]]:
    prices = dict[int, float]()
    tiers = marks(passage.text, start, end)
    for places, price in zip(tiers, _PRICES, strict=False):
        prices |= {place: price for place in places if place < end and place not in prices}
    for first, last in pairwise([start, *sorted(prices), end]):
        if not passage.fits(passage.max_length)(first, last):
            evenly = pieces(passage.text, first, last, passage.fits(most))
            prices |= {place: _LAST_RESORT for place, _ in evenly if place > first}
    yield from prices.items()


def _filled(passage: Passage, tiers: Sequence[Sequence[int]]) -> Iterator[int]:
    """Cut at the last place that still fits, in the first of `tiers` that has one."""
    at, end = 0, len(passage.text)
    while (reach := _reach(passage, at)) < end:
        found = (_last(places, at, reach) for places in tiers)
        at = next(filter(None, found), None) or last_edge(passage.text, at, reach)
        yield at


def _reach(passage: Passage, start: int) -> int:
    """The end of the longest piece from `start` on that fits; a character on at least."""
    fits = passage.fits(passage.max_length)
    ends = range(start + 1, len(passage.text) + 1)
    n_fitting = bisect_left(ends, 1, key=lambda end: 0 if fits(start, end) else 1)
    return start + max(1, n_fitting)


def _last(places: Sequence[int], after: int, until: int) -> int | None:
    at = bisect_right(places, until) - 1
    return places[at] if at >= 0 and places[at] > after else None
