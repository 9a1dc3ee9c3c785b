"""The audio of segments as it is to be joined: samples, the pause after them, and sentence ends.

Imports nothing that encodes, so that a book is heard early.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from audiomill.flows.pipeline.planning.plan import PlannedSegment
from audiomill.outputs.audio.joining import Clip
from audiomill.outputs.audio.trimming import Break
from audiomill.renderers.engine.protocol import ShardInfo
from audiomill.renderers.speech.timing import middle_of_last_word_s, sentence_timings
from audiomill.renderers.store.shard_reader import ShardReader
from audiomill.renderers.store.store import StoredShard


def clip_of(reader: ShardReader, segment: PlannedSegment) -> Clip:
    """The stored audio of a segment, as it is to be joined. Raises RenderError, StoreError."""
    return clip_of_shard(segment, reader.shard(segment.request))


def clip_of_shard(segment: PlannedSegment, stored: StoredShard) -> Clip:
    """The audio of a segment, whose shard has been read, as it is to be joined."""
    samples = stored.samples
    if segment.gain_db:
        samples = samples * np.float32(10 ** (segment.gain_db / 20))
    breaks = tuple(_breaks(segment, stored.info)) if segment.sentence_pauses_s else ()
    return Clip(
        *(segment.segment_id, samples, segment.pause_after_s, breaks, _last_word_s(stored.info)),
        digest=stored.info.digest,
    )


def _last_word_s(info: ShardInfo) -> tuple[float, float] | None:
    return (info.timings[-1].start_s, info.timings[-1].end_s) if info.timings else None


def _breaks(segment: PlannedSegment, info: ShardInfo) -> Iterator[Break]:
    """The sentence ends inside a segment, timed by the words before and after them."""
    timings = sentence_timings(segment.sentences, info)
    for (before, after), pause_s in zip(pairwise(timings), segment.sentence_pauses_s, strict=True):
        yield Break(middle_of_last_word_s(before, info.timings), after.start_s, pause_s)
