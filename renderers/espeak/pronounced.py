"""Texts with codes of phonemes in them, and the way back from their positions. Pure.

spoken   I saw Worcester, again.       [6, 15) is said by w|'|U|s|t|@
text     I saw [[w|'|U|s|t|@]], again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from audiomill.inputs.model.book import Pronunciation
from audiomill.renderers.engine.protocol import Rendered, WordTiming

_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class _Place:
    """Characters [first, last) of the text stand for [start, end) of the spoken text."""

    first: int
    last: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TextWithCodes:
    """What the library gets for a spoken text of which parts are said by codes."""

    spoken: str
    text: str
    places: tuple[_Place, ...] = ()  # of the codes

    def of_spoken(self, rendered: Rendered) -> Rendered:
        """The audio with positions in the spoken text."""
        if not self.places:
            return rendered
        return replace(
            rendered,
            timings=tuple(self._timings(rendered.timings)),
            remarks=tuple(
                replace(one, start=self._start(one.start), end=self._end(one.end))
                for one in rendered.remarks
            ),
        )

    def _timings(self, timings: Sequence[WordTiming]) -> Iterator[WordTiming]:
        """The times of the spoken text's words; those that share codes share the time."""
        merged: list[WordTiming] = []
        for one in timings:
            start, end = self._start(one.start), self._end(one.end)
            if merged and start < merged[-1].end:
                before = merged.pop()
                start, end = before.start, max(before.end, end)
                one = replace(one, start_s=before.start_s)
            merged.append(replace(one, start=start, end=end))
        for one in merged:
            yield from _shared(one, self.spoken)

    def _start(self, position: int) -> int:
        return self._original(position, is_end=False)

    def _end(self, position: int) -> int:
        return self._original(position, is_end=True)

    def _original(self, position: int, *, is_end: bool) -> int:
        """The position in the spoken text; one inside codes is at their word's start or end."""
        shift = 0
        for place in self.places:
            if position < place.first or (is_end and position == place.first):
                break
            if position < place.last or (is_end and position == place.last):
                return place.end if is_end else place.start
            shift = place.end - place.last
        return position + shift


def with_codes(spoken: str, pronunciations: Sequence[Pronunciation]) -> TextWithCodes:
    """`spoken` with codes in the places of `pronunciations`, whose phonemes are codes."""
    if not pronunciations:
        return TextWithCodes(spoken, spoken)
    text, at, places = "", 0, list[_Place]()
    for one in pronunciations:
        text += literal(spoken[at : one.start])
        code = f"[[{one.phonemes}]]"
        places.append(_Place(len(text), len(text) + len(code), one.start, one.end))
        text, at = text + code, one.end
    return TextWithCodes(spoken, text + literal(spoken[at:]), tuple(places))


def literal(text: str) -> str:
    """Text in which no brackets are those of codes; of the same length."""
    return text.replace("[[", "((")


def _shared(timing: WordTiming, spoken: str) -> Iterator[WordTiming]:
    """The timing of several words as one for each, in proportion to their lengths."""
    words = [*_WORD.finditer(spoken, timing.start, timing.end)]
    if len(words) < 2:
        yield timing
        return
    n_chars, duration_s = sum(len(word[0]) for word in words), timing.end_s - timing.start_s
    at_s = timing.start_s
    for word in words:
        end_s = at_s + duration_s * len(word[0]) / n_chars
        yield WordTiming(*word.span(), at_s, end_s)
        at_s = end_s
