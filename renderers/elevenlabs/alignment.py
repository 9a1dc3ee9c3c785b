"""When each word sounds, from the times of characters that ElevenLabs sends with audio. Pure.

    spoken       "Dr. May, 12 years"
    characters   D r .   M a y ,   1 2   y e a r s        as a rule, with a start and an end each
    normalised   Doctor May, twelve years                 what only some replies have

The characters need not be those of the text: tags may be among them, and numbers may be written as
words. So both are aligned, and a word of which no letter is found has no time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise

from audiomill.inputs.json_text import fields_of, items_of, number_of
from audiomill.renderers.base import WordTiming
from audiomill.renderers.timing import word_spans

TAG = re.compile(r"<[^<>]*>")


@dataclass(frozen=True, slots=True)
class Alignment:
    """Characters, and the seconds from when to when each sounds. All have one length."""

    characters: tuple[str, ...]
    starts_s: tuple[float, ...]
    ends_s: tuple[float, ...]

    @property
    def end_s(self) -> float:
        """When the last one ends; 0 if there is none."""
        return max(self.ends_s, default=0.0)


def alignment_of(found: object) -> Alignment | None:
    """An alignment as the service sends it; None if there is none, or it does not fit together."""
    names = ("characters", "character_start_times_seconds", "character_end_times_seconds")
    characters, starts, ends = (items_of(fields_of(found).get(name)) for name in names)
    starts_s, ends_s = _numbers(starts), _numbers(ends)
    if not characters or not len(characters) == len(starts_s) == len(ends_s):
        return None
    return Alignment(tuple(map(str, characters)), starts_s, ends_s)


def _numbers(values: Sequence[object]) -> tuple[float, ...]:
    """The values, if each is a number; else nothing."""
    found = tuple(one for one in map(number_of, values) if one is not None)
    return found if len(found) == len(values) else ()


def word_timings(spoken: str, alignment: Alignment, duration_s: float) -> tuple[WordTiming, ...]:
    """When each word of `spoken` sounds, in its order and without overlap.

    Words of which no letter is in the alignment are left out.
    """
    times = _times_by_place(spoken, alignment)
    return tuple(_in_order(_timed(spoken, times), duration_s))


def _timed(
    spoken: str, times: Mapping[int, tuple[float, float]]
) -> Iterator[tuple[int, int, float, float]]:
    for start, end in word_spans(spoken):
        heard = [times[at] for at in range(start, end) if at in times and spoken[at].isalnum()]
        if heard:
            yield start, end, min(one[0] for one in heard), max(one[1] for one in heard)


def _in_order(
    words: Iterator[tuple[int, int, float, float]], duration_s: float
) -> Iterator[WordTiming]:
    """Each word begins after the one before it, and ends with the audio at the latest."""
    at_s = 0.0
    for start, end, begin_s, end_s in words:
        begin_s, end_s = max(begin_s, at_s), min(end_s, duration_s)
        if end_s > begin_s:
            yield WordTiming(start, end, begin_s, end_s)
            at_s = end_s


def _times_by_place(spoken: str, alignment: Alignment) -> Mapping[int, tuple[float, float]]:
    """The times of characters of `spoken` by their place, of those that are found."""
    text, times = _without_tags(alignment)
    if text == spoken:
        return dict(enumerate(times))
    matcher = SequenceMatcher(None, spoken.casefold(), text.casefold(), autojunk=False)
    if len(spoken.casefold()) != len(spoken) or len(text.casefold()) != len(text):
        matcher = SequenceMatcher(None, spoken, text, autojunk=False)
    return {
        block.a + step: times[block.b + step]
        for block in matcher.get_matching_blocks()
        for step in range(block.size)
    }


def _without_tags(alignment: Alignment) -> tuple[str, Sequence[tuple[float, float]]]:
    """The text of an alignment, and the times of each of its characters."""
    text = "".join(alignment.characters)
    times = [
        (start_s, end_s)
        for entry, start_s, end_s in zip(
            alignment.characters, alignment.starts_s, alignment.ends_s, strict=True
        )
        for _ in entry
    ]
    edges = [0, *(edge for match in TAG.finditer(text) for edge in match.span()), len(text)]
    kept = [slice(*span) for span in pairwise(edges)][::2]
    return "".join(text[one] for one in kept), [time for one in kept for time in times[one]]
