"""Times of sentences of a segment, from those of its words, and where the words are. Pure.

    spoken      The mill stood.   Nobody came.   …?!      He left.
    words        .1  .4   .9       1.6    2.0              2.9 3.2
    sentences   [.1     1.4]      [1.6     2.4] [2.4 2.9] [2.9  3.6]

Sentences belong to the text and words to the sound. So a stored shard has only word timings, and
writers of subtitles or read-along files combine both here.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

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
    duration_s = info.n_samples / info.sample_rate
    spans = list(_ordered(_word_spans(sentences, info.timings), duration_s))
    gaps = reversed(list(_gaps(sentences, spans, duration_s)))
    timings: list[SentenceTiming] = []
    at_s = 0.0
    for (start, end), span, (until_s, n_untimed) in zip(sentences, spans, gaps, strict=True):
        share_s = (until_s - at_s) * (end - start) / max(1, n_untimed)
        start_s, end_s = span or (at_s, min(until_s, at_s + share_s))
        timings.append(SentenceTiming(start, end, start_s, end_s))
        at_s = end_s
    return tuple(timings)


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


def _ordered(
    spans: Sequence[tuple[float, float] | None], duration_s: float
) -> Iterator[tuple[float, float] | None]:
    """The spans clipped so that none starts before the previous one ends or after the audio."""
    at_s = 0.0
    for span in spans:
        if span is None:
            yield None
        else:
            start_s = min(max(at_s, span[0]), duration_s)
            at_s = min(max(start_s, span[1]), duration_s)
            yield start_s, at_s


def _gaps(
    sentences: Sequence[tuple[int, int]],
    spans: Sequence[tuple[float, float] | None],
    duration_s: float,
) -> Iterator[tuple[float, int]]:
    """For each sentence, last to first: the start of the next timed one, and the characters before.

    The characters are those of the untimed sentences from this one on. A timed sentence yields its
    own start and 0.
    """
    until_s, n_untimed = duration_s, 0
    for (start, end), span in zip(reversed(sentences), reversed(spans), strict=True):
        until_s, n_untimed = (span[0], 0) if span else (until_s, n_untimed + end - start)
        yield until_s, n_untimed
