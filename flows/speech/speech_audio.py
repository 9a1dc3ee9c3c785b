"""The sound of a text as it becomes ready, sentence by sentence: what a chapter of it would have.

It begins with the first sound, without the silence that leads into a chapter, and ends with the
last one. It is as loud as the engine makes it: the loudness of a text is known at its end only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
import soxr

from audiomill.flows.pipeline.clips import clip_of_shard
from audiomill.flows.pipeline.planning.plan import PlannedSegment
from audiomill.outputs.audio.file_sound import to_pcm16
from audiomill.outputs.audio.joining import Clip, Joined, join
from audiomill.renderers.engine.protocol import Samples, ShardInfo
from audiomill.renderers.speech.resampling import QUALITY
from audiomill.renderers.store.shard_reader import ShardReader

if TYPE_CHECKING:
    from audiomill.flows.speech.text_plan import SpeechPlan


def speech_samples(
    plan: SpeechPlan, stored: Iterable[Future[None]], reader: ShardReader
) -> Iterator[Samples]:
    """The joined samples, as soon as the segments that they are made of are stored.

    Waits for them. Raises RenderError, StoreError; CancelledError if the text is dropped.
    """
    for joined in joined_speech(plan, stored, reader, {}):
        yield joined.samples


def joined_chapters(
    chapters: Iterable[Sequence[PlannedSegment]],
    stored: Iterable[Future[None]],
    reader: ShardReader,
    sample_rate: int,
) -> Iterator[Joined]:
    """The joined audio of chapters, one after the other; the future of each segment in order.

    Waits for them, and raises, as `speech_samples`.
    """
    left = iter(stored)
    for segments in chapters:
        clips = _clips(segments, islice(left, len(segments)), reader, {})
        yield from join(clips, sample_rate)


def before_pause(pieces: Iterable[Joined]) -> Iterator[Samples]:
    """The samples of the first piece of a chapter, without the pause after it."""
    for piece in pieces:
        yield piece.samples if piece.cue is None else piece.samples[: piece.cue.end]
        return


def joined_speech(
    plan: SpeechPlan,
    stored: Iterable[Future[None]],
    reader: ShardReader,
    shards: dict[str, ShardInfo],
) -> Iterator[Joined]:
    """The joined audio; what is told of each shard comes into `shards`, by its segment's id.

    Waits, and raises, as `speech_samples`.
    """
    *before, last = plan.segments
    segments = (*before, replace(last, pause_after_s=0.0))
    return join(_clips(segments, stored, reader, shards), plan.sample_rate)


def _clips(
    segments: Iterable[PlannedSegment],
    stored: Iterable[Future[None]],
    reader: ShardReader,
    shards: dict[str, ShardInfo],
) -> Iterator[Clip]:
    for segment, done in zip(segments, stored, strict=True):
        done.result()
        shard = reader.shard(segment.request)
        shards[segment.segment_id] = shard.info
        yield clip_of_shard(segment, shard)


def speech_pcm(blocks: Iterable[Samples], sample_rate: int, wanted_rate: int) -> Iterator[bytes]:
    """Blocks of samples as s16le at the rate that is wanted, each block as soon as it is there."""
    if sample_rate == wanted_rate:
        yield from (to_pcm16(block) for block in blocks)
        return
    stream = soxr.ResampleStream(sample_rate, wanted_rate, 1, "float32", QUALITY)
    for block in blocks:
        yield to_pcm16(stream.resample_chunk(block))
    yield to_pcm16(stream.resample_chunk(np.zeros(0, np.float32), last=True))
