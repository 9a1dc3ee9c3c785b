"""When each word sounds, from how long the model lets each phoneme last. Pure.

tokens     edge  h   ə   ˈ   O   ,      w  …        words [first, last) of the phonemes
durations    4   2   3   1   6   5   2  3  …        frames of 25 ms, one for each token
                 └── “Hello,” ──────┘
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate

from renderers.kokoro.phonemes import Phonemes
from renderers.shard import WordTiming


def word_timings(
    phonemes: Phonemes, durations: Sequence[int], frame_s: float, began_s: float
) -> Iterator[WordTiming]:
    """The timings of a row's words; its first sample is `began_s` into the segment.

    `durations` are in frames of `frame_s`, and two more than there are phonemes: the row's edges.
    """
    frames = [0, *accumulate(durations)]
    for word in phonemes.words:
        start_s = began_s + frame_s * frames[word.first + 1]
        end_s = began_s + frame_s * frames[word.last + 1]
        yield WordTiming(word.start, word.end, start_s, end_s)


def joined(timings: Sequence[WordTiming]) -> tuple[WordTiming, ...]:
    """Timings in order, a word that was cut between two rows made one again."""
    whole: list[WordTiming] = []
    for one in timings:
        if whole and (whole[-1].start, whole[-1].end) == (one.start, one.end):
            one = WordTiming(one.start, one.end, whole.pop().start_s, one.end_s)
        whole.append(one)
    return tuple(whole)
