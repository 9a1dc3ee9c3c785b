"""When each sentence and word of the blocks sounds in a recording. Pure.

As the cues of transcripts (`outputs/transcripts/cues.py`), but of places in blocks instead of lines
on a screen: a sentence is one, however long it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from audiomill.inputs.model.book import Segment
from audiomill.inputs.segmentation.printed_words import PrintedWord, printed_words
from audiomill.outputs.transcripts.cues import piece_of
from audiomill.outputs.transcripts.words import placed
from audiomill.outputs.types import Cue, MeasuredChapter
from audiomill.renderers.engine.protocol import ShardInfo
from audiomill.renderers.speech.timing import SentenceTiming, range_timings, sentence_timings


@dataclass(frozen=True, slots=True)
class SpokenRange:
    """Characters [first, last) of a block sound at samples [start, end) of a recording."""

    first: int
    last: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TimedSentence:
    """A sentence, or the part of it that is in one segment, in a block of a chapter of the book.

    `words` lie within its characters and its time, in order and without overlap.
    """

    chapter: int
    block: int
    place: SpokenRange
    words: tuple[SpokenRange, ...]


def timed_sentences(
    chapters: Sequence[MeasuredChapter],
    segments: Mapping[str, Segment],
    shards: Mapping[str, ShardInfo],
) -> tuple[TimedSentence, ...]:
    """The sentences of a recording of these chapters, in the order in which they sound.

    `segments` and `shards` are found by the segment's id. A segment for which the engine has
    returned silence has none.
    """
    return tuple(_of_chapters(chapters, segments, shards))


def _of_chapters(
    chapters: Sequence[MeasuredChapter],
    segments: Mapping[str, Segment],
    shards: Mapping[str, ShardInfo],
) -> Iterator[TimedSentence]:
    n_before = 0
    for chapter in chapters:
        for name, cues in groupby(chapter.cues, key=lambda cue: cue.segment_id):
            pieces = tuple(cue for cue in cues if cue.start < cue.end)
            if pieces:
                yield from _of_segment(segments[name], shards[name], pieces, n_before)
        n_before += chapter.n_samples


def _of_segment(
    segment: Segment, shard: ShardInfo, pieces: Sequence[Cue], n_before: int
) -> Iterator[TimedSentence]:
    timings = sentence_timings(segment.sentences, shard)
    words = printed_words(segment)
    for timing, printed, spoken in zip(timings, segment.printed, words, strict=True):
        piece = piece_of(timing, pieces, shard.sample_rate)
        times = _times(timing, spoken, shard, piece, n_before)
        offset = segment.span.start
        yield TimedSentence(
            segment.span.chapter,
            segment.span.block,
            SpokenRange(offset + printed[0], offset + printed[1], *times[0]),
            tuple(
                SpokenRange(offset + word.first, offset + word.last, *time)
                for word, time in zip(spoken, times[1:], strict=True)
            ),
        )


def _times(
    timing: SentenceTiming,
    words: Sequence[PrintedWord],
    shard: ShardInfo,
    piece: Cue,
    n_before: int,
) -> list[tuple[int, int]]:
    """The samples of a sentence, then those of its words."""
    timed = range_timings([(word.start, word.end) for word in words], shard, timing)

    def sample(at_s: float) -> int:
        return n_before + placed(at_s, piece, shard.sample_rate)

    return [(sample(one.start_s), sample(one.end_s)) for one in (timing, *timed)]
