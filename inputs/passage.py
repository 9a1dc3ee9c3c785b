"""A block, or a line of one, before it is cut. Knows what is said of it and how long that is.

Where to cut it is decided elsewhere.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from inputs.spoken import spoken_form

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
