"""The ways to cut a passage into segments. Knows text and lengths, no books and no engines.

A way names places and nothing else, and one function cuts there whichever it is. So no way can
lose a character or go over the limit, and they can be compared with each other.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType

from audiomill.inputs.segmentation.clauses import last_grapheme_boundary, marks, split_at_clauses
from audiomill.inputs.segmentation.grouping import TextUnit, group_by_length
from audiomill.inputs.segmentation.spoken_form import is_speakable, spoken_form

# A block, or a line of one, before it is cut.

# Text of this many times more characters than may be said is too long without counting.
_MOSTLY_SOUND = 4


@dataclass(frozen=True, slots=True)
class Passage:
    """A text, its sentences, and the engine's ruler. Lengths are in the engine's own units."""

    text: str
    sentences: tuple[tuple[int, int], ...]  # in order; all but white space is in one
    length: Callable[[str], int]  # of spoken text
    max_length: int
    best_length: tuple[int, int] | None  # (least, most), if the engine has a preference

    def fits(self, longest: int) -> Callable[[int, int], bool]:
        """A test of [start, end): whether what is said of it is no longer than `longest`."""

        def test(start: int, end: int) -> bool:
            return end - start <= _MOSTLY_SOUND * longest and self.measure(start, end) <= longest

        return test

    def measure(self, start: int, end: int) -> int:
        """How long is what is said of [start, end)."""
        return self.length(self.said(start, end)[0])

    def said(self, start: int, end: int) -> tuple[str, tuple[tuple[int, int], ...]]:
        """What is said of [start, end), and where in that its sentences are, or parts of them.

        Each sentence is put into its spoken form by itself: so it is said in the same words in
        whatever company.
        """
        spoken, at, spans = "", start, list[tuple[int, int]]()
        for first, last in self._inside(start, end):
            if form := spoken_form(self.text[first:last]):
                spoken += " " if spoken and at < first else ""
                spans.append((len(spoken), len(spoken) + len(form)))
                spoken, at = spoken + form, last
        return spoken, tuple(spans)

    def printed(self, start: int, end: int) -> tuple[tuple[int, int], ...]:
        """Where in the text of [start, end) the sentences are that `said` finds in it."""
        return tuple(
            (first - start, last - start)
            for first, last in self._inside(start, end)
            if spoken_form(self.text[first:last])
        )

    def places(self, start: int, end: int) -> tuple[int, int]:
        """The numbers of the sentences in which [start, end) begins and ends."""
        first = bisect_right(self.sentences, start, key=lambda span: span[1])
        return first, max(first, bisect_left(self.sentences, end, key=lambda span: span[0]) - 1)

    def _inside(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        first, last = self.places(start, end)
        for begin, stop in self.sentences[first : last + 1]:
            if max(begin, start) < min(stop, end):
                yield max(begin, start), min(stop, end)


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
            yield from split_at_clauses(text, start, end, passage.fits(passage.max_length))
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
        TextUnit(passage.measure(start, end), prices[start])
        for start, end in pairwise([*places, len(passage.text)])
    ]
    for part in group_by_length(parts, best, passage.max_length):
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
            evenly = split_at_clauses(passage.text, first, last, passage.fits(most))
            prices |= {place: _LAST_RESORT for place, _ in evenly if place > first}
    yield from prices.items()


def _filled(passage: Passage, tiers: Sequence[Sequence[int]]) -> Iterator[int]:
    """Cut at the last place that still fits, in the first of `tiers` that has one."""
    at, end = 0, len(passage.text)
    while (reach := _reach(passage, at)) < end:
        found = (_last(places, at, reach) for places in tiers)
        at = next(filter(None, found), None) or last_grapheme_boundary(passage.text, at, reach)
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
