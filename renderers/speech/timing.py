"""Times of sentences and printed words of a segment, from those of its words. Pure.

    spoken      The mill stood.   Nobody came.   …?!      He left.
    words        .1  .4   .9       1.6    2.0              2.9 3.2
    sentences   [.1     1.4]      [1.6     2.4] [2.4 2.9] [2.9  3.6]

Sentences belong to the text and words to the sound. So a stored shard has only word timings, and
writers of subtitles or read-along files combine both here.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from audiomill.renderers.engine.protocol import ShardInfo, WordTiming

WORD = re.compile(r"[^\s—–]+")


def word_spans(text: str) -> Iterator[tuple[int, int]]:
    """Where the words are, without signs at their edges. Signs alone are no word."""
    for match in WORD.finditer(text):
        letters = [place for place in range(*match.span()) if text[place].isalnum()]
        if letters:
            yield letters[0], letters[-1] + 1


@dataclass(frozen=True, slots=True)
class SentenceTiming:
    """When the sentence at characters [start, end) of the spoken text sounds in its segment."""

    start: int
    end: int
    start_s: float
    end_s: float


def sentence_timings(
    sentences: Sequence[tuple[int, int]], info: ShardInfo
) -> tuple[SentenceTiming, ...]:
    """The time of each sentence, from its first to its last word, in order.

    `sentences` are disjoint ranges [start, end) of the spoken text, in order: `Segment.sentences`.
    The results never overlap and lie within the audio. A sentence without a timed word gets a share
    of the time between its neighbours, in proportion to its characters; the share may be empty.
    """
    spans = _word_spans(sentences, info.timings)
    times_s = _filled(sentences, spans, 0.0, info.n_samples / info.sample_rate)
    return tuple(
        SentenceTiming(start, end, *time_s)
        for (start, end), time_s in zip(sentences, times_s, strict=True)
    )


@dataclass(frozen=True, slots=True)
class RangeTiming:
    """When characters [start, end) of the spoken text sound in its segment.

    `is_estimated`: no word that the engine has timed begins there, so it is a share of the time
    between its neighbours, or of a longer word.
    """

    start: int
    end: int
    start_s: float
    end_s: float
    is_estimated: bool = False


def range_timings(
    ranges: Sequence[tuple[int, int]], info: ShardInfo, within: SentenceTiming
) -> tuple[RangeTiming, ...]:
    """The time of each of the ranges [start, end) of one sentence, in order, without overlap.

    They are printed words, for each of which several are spoken, or a part of one. A range without
    a timed word of its own gets a share in proportion to its characters. `within` is the time of
    the sentence, which no range leaves.
    """
    spans: list[tuple[float, float] | None] = [None] * len(ranges)
    timed = set[int]()
    ends = [end for _, end in ranges]
    for word in info.timings:
        if within.start <= word.start < within.end:
            first = bisect_right(ends, word.start)
            shares = list(_shares(word, ranges[first : bisect_left(ranges, (word.end, 0))]))
            timed |= {first} if shares else set()
            for index, (start_s, end_s) in enumerate(shares, first):
                before = spans[index] or (start_s, end_s)
                spans[index] = min(before[0], start_s), max(before[1], end_s)
    times_s = _filled(ranges, spans, within.start_s, within.end_s)
    return tuple(
        RangeTiming(start, end, *time_s, is_estimated=index not in timed)
        for index, ((start, end), time_s) in enumerate(zip(ranges, times_s, strict=True))
    )


def _shares(word: WordTiming, ranges: Sequence[tuple[int, int]]) -> Iterator[tuple[float, float]]:
    """The time of a word, divided among the ranges that it says: by characters."""
    cuts = [start for start, _ in ranges[1:]]
    length_s = (word.end_s - word.start_s) / max(1, word.end - word.start)
    for start, end in pairwise((word.start, *cuts, word.end)) if ranges else ():
        yield (
            word.start_s + length_s * (start - word.start),
            word.start_s + length_s * (end - word.start),
        )


def middle_of_last_word_s(timing: SentenceTiming, words: Sequence[WordTiming]) -> float:
    """The middle of a sentence's last word; of the sentence if none of its words is timed."""
    starts_s = [one.start_s for one in words if timing.start <= one.start < timing.end]
    return (max(starts_s, default=timing.start_s) + timing.end_s) / 2


def _word_spans(
    sentences: Sequence[tuple[int, int]], words: Sequence[WordTiming]
) -> list[tuple[float, float] | None]:
    """The time from the first to the last word that starts in each sentence; None without words."""
    spans: list[tuple[float, float] | None] = [None] * len(sentences)
    for word in words if sentences else ():
        index = max(0, bisect_right(sentences, word.start, key=lambda sentence: sentence[0]) - 1)
        start_s, end_s = spans[index] or (word.start_s, word.end_s)
        spans[index] = min(start_s, word.start_s), max(end_s, word.end_s)
    return spans


def _filled(
    ranges: Sequence[tuple[int, int]],
    spans: Sequence[tuple[float, float] | None],
    start_s: float,
    end_s: float,
) -> Iterator[tuple[float, float]]:
    """The time of each range of the text, between two times: its span, or a share of a gap."""
    ordered = list(_ordered(spans, start_s, end_s))
    gaps = reversed(list(_gaps(ranges, ordered, end_s)))
    at_s = start_s
    for (start, end), span, (until_s, n_untimed) in zip(ranges, ordered, gaps, strict=True):
        share_s = (until_s - at_s) * (end - start) / max(1, n_untimed)
        span = span or (at_s, min(until_s, at_s + share_s))
        yield span
        at_s = span[1]


def _ordered(
    spans: Sequence[tuple[float, float] | None], at_s: float, until_s: float
) -> Iterator[tuple[float, float] | None]:
    """The spans clipped to two times, and so that none starts before the previous one ends."""
    for span in spans:
        if span is None:
            yield None
        else:
            start_s = min(max(at_s, span[0]), until_s)
            at_s = min(max(start_s, span[1]), until_s)
            yield start_s, at_s


def _gaps(
    ranges: Sequence[tuple[int, int]],
    spans: Sequence[tuple[float, float] | None],
    end_s: float,
) -> Iterator[tuple[float, int]]:
    """For each range, last to first: the start of the next timed one, and the characters before.

    The characters are those of the untimed ranges from this one on. A timed one yields its own
    start and 0.
    """
    until_s, n_untimed = end_s, 0
    for (start, end), span in zip(reversed(ranges), reversed(spans), strict=True):
        until_s, n_untimed = (span[0], 0) if span else (until_s, n_untimed + end - start)
        yield until_s, n_untimed
