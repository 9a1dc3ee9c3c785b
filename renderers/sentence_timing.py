"""When each sentence of a segment sounds, from when its words do. Pure; knows no engine, no files.

    spoken      The mill stood.   Nobody came.   …?!      He left.
    words        .1  .4   .9       1.6    2.0              2.9 3.2
    sentences   [.1     1.4]      [1.6     2.4] [2.4 2.9] [2.9  3.6]

Sentences are a matter of the text and words one of the sound: so a stored shard holds words alone,
and whoever writes subtitles or a read-along file brings both together here.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from audiomill.renderers.base import AudioShard, WordTiming


@dataclass(frozen=True, slots=True)
class SentenceTiming:
    """When a sentence sounds: characters [start, end) of what is spoken, seconds of its segment."""

    start: int
    end: int
    start_s: float
    end_s: float


def sentence_timings(
    sentences: Sequence[tuple[int, int]], shard: AudioShard
) -> tuple[SentenceTiming, ...]:
    """For each of a segment's `sentences`, from its first word to its last one, in order.

    `sentences` are [start, end) in the spoken text, in order and apart: `Segment.sentences`. They
    never overlap in time and lie within the audio. One in which no word is timed gets its share of
    the time between its neighbours, by its characters; that may be none.
    """
    lasts_s = shard.n_samples / shard.sample_rate
    heard = list(_in_order(_heard(sentences, shard.timings), lasts_s))
    rooms = reversed(list(_rooms(sentences, heard, lasts_s)))
    made: list[SentenceTiming] = []
    at_s = 0.0
    for (start, end), times, (until_s, n_waiting) in zip(sentences, heard, rooms, strict=True):
        share_s = (until_s - at_s) * (end - start) / max(1, n_waiting)
        start_s, end_s = times or (at_s, min(until_s, at_s + share_s))
        made.append(SentenceTiming(start, end, start_s, end_s))
        at_s = end_s
    return tuple(made)


def _heard(
    sentences: Sequence[tuple[int, int]], words: Sequence[WordTiming]
) -> list[tuple[float, float] | None]:
    """From the first to the last word that begins in each sentence; None: there is none."""
    heard: list[tuple[float, float] | None] = [None] * len(sentences)
    for word in words if sentences else ():
        index = max(0, bisect_right(sentences, word.start, key=lambda span: span[0]) - 1)
        start_s, end_s = heard[index] or (word.start_s, word.end_s)
        heard[index] = min(start_s, word.start_s), max(end_s, word.end_s)
    return heard


def _in_order(
    heard: Sequence[tuple[float, float] | None], lasts_s: float
) -> Iterator[tuple[float, float] | None]:
    """None before the one before it ends, and none after the audio."""
    at_s = 0.0
    for times in heard:
        if times is None:
            yield None
        else:
            start_s = min(max(at_s, times[0]), lasts_s)
            at_s = min(max(start_s, times[1]), lasts_s)
            yield start_s, at_s


def _rooms(
    sentences: Sequence[tuple[int, int]],
    heard: Sequence[tuple[float, float] | None],
    lasts_s: float,
) -> Iterator[tuple[float, int]]:
    """From the last to the first: when the next timed one begins; characters waiting before it."""
    until_s, n_waiting = lasts_s, 0
    for (start, end), times in zip(reversed(sentences), reversed(heard), strict=True):
        until_s, n_waiting = (times[0], 0) if times else (until_s, n_waiting + end - start)
        yield until_s, n_waiting
