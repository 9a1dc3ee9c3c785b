"""The strategies for cutting text into segments. Knows text and lengths, not books or engines.

A strategy only returns positions; `chunks` does the cutting for all of them. So no strategy can
lose a character or exceed the maximal length, and they can be compared with each other.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from types import MappingProxyType

from audiomill.inputs.model.book import Pronunciation, Rewording
from audiomill.inputs.segmentation.lengths import (
    TextUnit,
    cut_positions,
    group_by_length,
    is_speakable,
    last_grapheme_boundary,
    split_at_clauses,
)
from audiomill.inputs.spoken.edits import SpokenLine

# Text with this many times more characters than the maximal length is too long, unmeasured.
_MAX_CHARS_PER_UNIT = 4

# The cost of a cut inside a sentence: after a full stop or semicolon, after a comma, before a
# conjunction. `lengths.py` weighs it against the cost of a length. Between sentences it is 0.
_CUT_COSTS = (0.01, 0.03, 0.08)
_LAST_RESORT = 1.0  # in the middle of a clause


# The least length of the first segment of a text that somebody waits for: a voice that has a best
# length says very short ones badly.
LEAST_OPENING = 20


@dataclass(frozen=True, slots=True)
class CuttableText:
    """A block or a line of one, with its sentences. Lengths are in the unit of the engine."""

    text: str  # as a cut may see it: a word in the place of what is said as a whole
    line: SpokenLine
    sentences: tuple[tuple[int, int], ...]  # in order; they hold all but white space
    length: Callable[[str], int]  # of spoken text
    max_length: int
    best_length: tuple[int, int] | None  # (least, most); None: the engine has no preference

    def fits(self, longest: int) -> Callable[[int, int], bool]:
        """Return a test whether the spoken text of [start, end) is at most `longest`."""

        def test(start: int, end: int) -> bool:
            if end - start > _MAX_CHARS_PER_UNIT * longest:
                return False
            return self.measure(start, end) <= longest

        return test

    def measure(self, start: int, end: int) -> int:
        """Return the length of the spoken text of [start, end)."""
        return self.length(self.spoken(start, end)[0])

    def spoken(self, start: int, end: int) -> tuple[str, tuple[tuple[int, int], ...]]:
        """Return the spoken text of [start, end), and the spans of its sentences in that text.

        A span can be a part of a sentence.
        """
        spoken, last_end, spans = "", start, list[tuple[int, int]]()
        for sentence_start, sentence_end in self._sentences_in(start, end):
            if form := self.line.between(sentence_start, sentence_end):
                spoken += " " if spoken and last_end < sentence_start else ""
                spans.append((len(spoken), len(spoken) + len(form)))
                spoken, last_end = spoken + form, sentence_end
        return spoken, tuple(spans)

    def printed(self, start: int, end: int) -> tuple[tuple[int, int], ...]:
        """Return the spans, in the printed text of [start, end), of the sentences of `spoken`."""
        return tuple(
            (sentence_start - start, sentence_end - start)
            for sentence_start, sentence_end in self._sentences_in(start, end)
            if self.line.between(sentence_start, sentence_end)
        )

    def part(self, start: int, end: int) -> CuttableText:
        """Return the text of characters [start, end), with parts of sentences at its ends.

        Positions in it are counted from `start`. An edit that the range cuts in two is left out.
        """
        return replace(
            self,
            text=self.text[start:end],
            line=self.line.part(start, end),
            sentences=tuple(
                (first - start, last - start)
                for first, last in map(self._trimmed, self._sentences_in(start, end))
                if first < last
            ),
        )

    def _trimmed(self, span: tuple[int, int]) -> tuple[int, int]:
        inside = self.text[slice(*span)]
        first = span[0] + len(inside) - len(inside.lstrip())
        return first, max(first, span[0] + len(inside.rstrip()))

    def pronunciations(self, start: int, end: int) -> tuple[Pronunciation, ...]:
        """Return the phonemes that are given for parts of the spoken text of [start, end)."""
        if not any(edit.phonemes for edit in self.line.edits):
            return ()
        return tuple(
            replace(one, start=offset + one.start, end=offset + one.end)
            for offset, span in self._spoken_sentences(start, end)
            for one in self.line.pronunciations(*span)
        )

    def rewordings(self, start: int, end: int) -> tuple[Rewording, ...]:
        """Return what [start, end) says in other words. Printed places are counted from `start`."""
        if not self.line.edits:
            return ()
        return tuple(
            Rewording(offset + one.start, offset + one.end, one.first - start, one.last - start)
            for offset, span in self._spoken_sentences(start, end)
            for one in self.line.rewordings(*span)
        )

    def _spoken_sentences(self, start: int, end: int) -> Iterator[tuple[int, tuple[int, int]]]:
        """Where each sentence that sounds begins in the spoken text, and its span in the line."""
        _, spans = self.spoken(start, end)
        sentences = (span for span in self._sentences_in(start, end) if self.line.between(*span))
        for (offset, _), span in zip(spans, sentences, strict=True):
            yield offset, span

    def sentence_range(self, start: int, end: int) -> tuple[int, int]:
        """Return the indices of the sentences in which [start, end) begins and ends."""
        first = bisect_right(self.sentences, start, key=lambda span: span[1])
        return first, max(first, bisect_left(self.sentences, end, key=lambda span: span[0]) - 1)

    def _sentences_in(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        first, last = self.sentence_range(start, end)
        for sentence_start, sentence_end in self.sentences[first : last + 1]:
            if max(sentence_start, start) < min(sentence_end, end):
                yield max(sentence_start, start), min(sentence_end, end)


Chunking = Callable[[CuttableText], Iterable[int]]  # returns the positions to cut at, in order


def chunks(cuttable: CuttableText, chunking: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of `cuttable`, in order, cut by a strategy of `CHUNKINGS`, or `OPENING`.

    Together they have every character that is not white space. The spoken text of each is at most
    `max_length`, unless the span is a single character.
    """
    cuts = _STRATEGIES[chunking](cuttable)
    text = cuttable.text
    for start, end in pairwise((0, *cuts, len(text))):
        if is_speakable(cuttable.spoken(start, end)[0]):
            yield from split_at_clauses(text, start, end, cuttable.fits(cuttable.max_length))
        elif words := text[start:end].strip():
            first = text.index(words, start)
            yield first, first + len(words)


def by_sentence(cuttable: CuttableText) -> Iterator[int]:
    """Make each sentence a segment."""
    return (start for start, _ in cuttable.sentences[1:])


def planned(cuttable: CuttableText) -> Iterator[int]:
    """Join and cut sentences so that as many lengths as possible are in the engine's best range.

    Without a best range, each sentence is a segment.
    """
    best = cuttable.best_length
    if best is None:
        yield from by_sentence(cuttable)
        return
    costs = dict(_cut_costs(cuttable, most=best[1]))
    positions = sorted(costs)
    units = [
        TextUnit(cuttable.measure(start, end), costs[start])
        for start, end in pairwise([*positions, len(cuttable.text)])
    ]
    for unit in group_by_length(units, best, cuttable.max_length):
        yield positions[unit]


def opening(cuttable: CuttableText) -> Iterator[int]:
    """Make the first sentence a segment, with the next ones while it is very short; plan the rest.

    For who waits to hear the beginning: a segment is heard once all of it is rendered.
    """
    starts = (start for start, _ in cuttable.sentences[1:])
    end = next((at for at in starts if cuttable.measure(0, at) >= LEAST_OPENING), None)
    if end is None:
        yield from planned(cuttable)
        return
    yield from planned(cuttable.part(0, end))
    yield end
    yield from (end + at for at in planned(cuttable.part(end, len(cuttable.text))))


def adaptive(cuttable: CuttableText) -> Iterator[int]:
    """Fill segments up to the end of a sentence, or else of a clause, or else of a word.

    kokoro/pipeline.py fills its 510 phonemes in this way.
    """
    starts = tuple(start for start, _ in cuttable.sentences)
    return _fill(cuttable, (starts, *cut_positions(cuttable.text, 0, len(cuttable.text))))


def by_word(cuttable: CuttableText) -> Iterator[int]:
    """Fill segments with whole words."""
    return _fill(cuttable, cut_positions(cuttable.text, 0, len(cuttable.text))[-1:])


def fixed(cuttable: CuttableText) -> Iterator[int]:
    """Fill segments with characters, and cut inside words too."""
    return _fill(cuttable, ())


CHUNKINGS: Mapping[str, Chunking] = MappingProxyType(
    {
        "planned": planned,
        "sentence": by_sentence,
        "adaptive": adaptive,
        "word": by_word,
        "fixed": fixed,
    }
)

# The strategy for the beginning of a text that somebody waits for. No way to cut a whole book.
OPENING = "opening"
_STRATEGIES: Mapping[str, Chunking] = MappingProxyType({**CHUNKINGS, OPENING: opening})


def _cut_costs(cuttable: CuttableText, most: int) -> Iterator[tuple[int, float]]:
    """Yield (position, cost of a cut); positions inside a sentence only if it exceeds `most`."""
    for start, end in cuttable.sentences:
        yield start, 0.0
        if not cuttable.fits(most)(start, end):
            yield from _cut_costs_inside(cuttable, start, end, most)


def _cut_costs_inside(
    cuttable: CuttableText, start: int, end: int, most: int
) -> Iterator[tuple[int, float]]:
    costs = dict[int, float]()
    tiers = cut_positions(cuttable.text, start, end)
    for positions, cost in zip(tiers, _CUT_COSTS, strict=False):
        costs |= {at: cost for at in positions if at < end and at not in costs}
    for first, last in pairwise([start, *sorted(costs), end]):
        if not cuttable.fits(cuttable.max_length)(first, last):
            pieces = split_at_clauses(cuttable.text, first, last, cuttable.fits(most))
            costs |= {at: _LAST_RESORT for at, _ in pieces if at > first}
    yield from costs.items()


def _fill(cuttable: CuttableText, tiers: Sequence[Sequence[int]]) -> Iterator[int]:
    """Yield the last position that still fits, from the first of `tiers` that has one."""
    at, end = 0, len(cuttable.text)
    while (reach := _last_fitting_end(cuttable, at)) < end:
        last_of_tiers = (_last_between(positions, at, reach) for positions in tiers)
        cut = next(filter(None, last_of_tiers), None)
        at = cut or last_grapheme_boundary(cuttable.text, at, reach)
        yield at


def _last_fitting_end(cuttable: CuttableText, start: int) -> int:
    """The end of the longest piece from `start` that fits; it has at least one character."""
    fits = cuttable.fits(cuttable.max_length)
    ends = range(start + 1, len(cuttable.text) + 1)
    n_fitting = bisect_left(ends, 1, key=lambda end: 0 if fits(start, end) else 1)
    return start + max(1, n_fitting)


def _last_between(positions: Sequence[int], after: int, until: int) -> int | None:
    """The last of the sorted positions with after < position <= until; None if there is none."""
    index = bisect_right(positions, until) - 1
    return positions[index] if index >= 0 and positions[index] > after else None
