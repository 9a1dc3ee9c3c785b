"""Word timings from espeak-ng's events. Pure.

The library's words differ from those of the text: "$3.50" gives five events at positions that drift
to the right, "你好" one event for each character or one for both. So the text is split at white
space, dashes and around each Chinese character. A word starts at the first event inside it; words
without an event share the time of the previous word in proportion to their lengths.

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

from audiomill.renderers.engine.protocol import Samples, WordTiming
from audiomill.renderers.espeak.libespeak import EspeakEvent, EventType

HAN = "\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
WORD = re.compile(rf"[{HAN}]|[^\s—–{HAN}]+")
# Characters at the edges of a word that are not spoken.
PUNCTUATION = "".join(".,;:!?…'\"“”‘’„‚«»‹›()[]{}<>*_¡¿、。，；：！？「」『』（）《》-")
QUIET = 10 ** (-50 / 20)  # of full scale; a word has ended below this


class _Word(NamedTuple):
    start: int  # including punctuation before it; its events start here
    first: int  # without punctuation
    end: int  # without punctuation


def word_timings(
    text: str, events: Sequence[EspeakEvent], samples: Samples, sample_rate: int
) -> tuple[WordTiming, ...]:
    """When each word of `text` sounds, in order. `events` are sorted by sample."""
    words = list(_words(text))
    starts = _event_samples([word.start for word in words], events)
    bounds = sorted({*starts.values(), *_clause_ends(events), samples.size})
    timings: list[WordTiming] = []
    for group in _groups(len(words), starts):
        first = min(starts[group[0]], samples.size)
        limit = next((bound for bound in bounds if bound > first), samples.size)
        end = _sounding_end(samples, first, limit)
        timings.extend(_shared([words[index] for index in group], first, end, sample_rate))
    return tuple(timings)


def _words(text: str) -> Iterator[_Word]:
    """All words in order. Punctuation alone is not a word."""
    for match in WORD.finditer(text):
        word = match.group()
        first = match.start() + len(word) - len(word.lstrip(PUNCTUATION))
        end = match.end() - (len(word) - len(word.rstrip(PUNCTUATION)))
        if first < end:
            yield _Word(match.start(), first, end)


def _event_samples(positions: list[int], events: Sequence[EspeakEvent]) -> dict[int, int]:
    """The sample of each word that has its own event, by the word's index.

    A voice may announce two words at one sample ("| 0" in cmn): the second then has none.
    """
    samples: dict[int, int] = {}
    latest, sample = -1, -1
    for event in events:
        index = bisect_right(positions, event.position) - 1
        if event.type is EventType.WORD and index > latest and event.sample > sample:
            samples[index] = event.sample
            latest, sample = index, event.sample
    return samples


def _clause_ends(events: Sequence[EspeakEvent]) -> list[int]:
    return [event.sample for event in events if event.type is EventType.CLAUSE_END]


def _groups(n_words: int, starts: dict[int, int]) -> Iterator[range]:
    """Ranges of words that share an event; the first word of each has the event."""
    for first, end in pairwise([*sorted(starts), n_words]):
        yield range(first, end)


def _sounding_end(samples: Samples, first: int, limit: int) -> int:
    """Where sound ends in samples [first, limit), which excludes the pause after a clause."""
    loud = np.flatnonzero(np.abs(samples[first:limit]) > QUIET)
    return first + int(loud[-1]) + 1 if loud.size else limit


def _shared(words: list[_Word], first: int, end: int, sample_rate: int) -> Iterator[WordTiming]:
    """Divide samples [first, end) among `words` in proportion to their lengths."""
    total = sum(word.end - word.first for word in words)
    n_before = 0
    for word in words:
        start = first + (end - first) * n_before // total
        n_before += word.end - word.first
        stop = first + (end - first) * n_before // total
        yield WordTiming(word.first, word.end, start / sample_rate, stop / sample_rate)
