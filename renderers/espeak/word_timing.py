"""From espeak-ng's events to word timings. Pure.

The library's own words are not the page's: "$3.50" makes five events at places that drift to the
right, "你好" one for each character or one for both. So the text is cut at white space and dashes
(and around each Chinese character), each word begins with the first event inside it, and words
without an event share the time of the one before by their lengths.

    text     It   cost   $3.50   in
    events   │    │      ││ │││  │
    words    ├────┼──────┼───────┼──▶
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from audiomill.renderers.base import Samples, WordTiming
from audiomill.renderers.espeak.library import Event, EventType

HAN = "\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
WORD = re.compile(rf"[{HAN}]|[^\s—–{HAN}]+")
# What stands at a word's edge without being said.
EDGE = "".join(".,;:!?…'\"“”‘’„‚«»‹›()[]{}<>*_¡¿、。，；：！？「」『』（）《》-")
QUIET = 10 ** (-50 / 20)  # of full scale; below this a word has ended


class _Word(NamedTuple):
    start: int  # of its run of characters, where its events may lie
    first: int  # of its characters without the punctuation around them
    end: int


def word_timings(
    text: str, events: Sequence[Event], samples: Samples, sample_rate: int
) -> tuple[WordTiming, ...]:
    """When each word of `text` sounds, in order; `events` in the order of their samples."""
    words = list(_words(text))
    begins = _begins([word.start for word in words], events)
    bounds = sorted({*begins.values(), *_clause_ends(events), samples.size})
    timings: list[WordTiming] = []
    for group in _groups(len(words), begins):
        first = min(begins[group[0]], samples.size)
        limit = next((bound for bound in bounds if bound > first), samples.size)
        end = _sounding_end(samples, first, limit)
        timings.extend(_shared([words[index] for index in group], first, end, sample_rate))
    return tuple(timings)


def _words(text: str) -> Iterator[_Word]:
    """All words in order; runs of only punctuation are none."""
    for found in WORD.finditer(text):
        word = found.group()
        first = found.start() + len(word) - len(word.lstrip(EDGE))
        last = found.end() - (len(word) - len(word.rstrip(EDGE)))
        if first < last:
            yield _Word(found.start(), first, last)


def _begins(starts: list[int], events: Sequence[Event]) -> dict[int, int]:
    """The sample at which each word that has an event of its own begins, by the word's index.

    A voice may announce two words at one sample ("| 0" in cmn): the second then has none.
    """
    begins: dict[int, int] = {}
    latest, sample = -1, -1
    for event in events:
        index = bisect_right(starts, event.position) - 1
        if event.type is EventType.WORD and index > latest and event.sample > sample:
            begins[index] = event.sample
            latest, sample = index, event.sample
    return begins


def _clause_ends(events: Sequence[Event]) -> list[int]:
    return [event.sample for event in events if event.type is EventType.CLAUSE_END]


def _groups(n_words: int, begins: dict[int, int]) -> Iterator[range]:
    """Runs of words that share one event, each from a word that has one."""
    for head, following in pairwise([*sorted(begins), n_words]):
        yield range(head, following)


def _sounding_end(samples: Samples, first: int, limit: int) -> int:
    """Where sound ends in samples [first, limit): the pause after a clause is not the word's."""
    loud = np.flatnonzero(np.abs(samples[first:limit]) > QUIET)
    return first + int(loud[-1]) + 1 if loud.size else limit


def _shared(words: list[_Word], first: int, end: int, sample_rate: int) -> Iterator[WordTiming]:
    """Cut samples [first, end) among `words` by their lengths."""
    total = sum(word.end - word.first for word in words)
    spoken = 0
    for word in words:
        begins = first + (end - first) * spoken // total
        spoken += word.end - word.first
        ends = first + (end - first) * spoken // total
        yield WordTiming(word.first, word.end, begins / sample_rate, ends / sample_rate)
