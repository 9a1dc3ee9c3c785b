"""The sound of a text as it becomes ready, sentence by sentence: what a chapter of it would have.

It begins with the first sound, without the silence that leads into a chapter, and ends with the
last one. It is as loud as the engine makes it: the loudness of a text is known at its end only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from dataclasses import replace

import numpy as np
import soxr

from audiomill.flows.pipeline.planning.plan import PlannedSegment
from audiomill.flows.pipeline.rendering.chapter_audio import clip_of
from audiomill.flows.speech.text_plan import SpeechPlan
from audiomill.outputs.audio.file_sound import to_pcm16
from audiomill.outputs.audio.joining import Clip, join
from audiomill.renderers.engine.protocol import Samples
from audiomill.renderers.speech.resampling import QUALITY
from audiomill.renderers.store.shard_reader import ShardReader


def speech_samples(
    plan: SpeechPlan, stored: Iterable[Future[None]], reader: ShardReader
) -> Iterator[Samples]:
    """The joined samples, as soon as the segments that they are made of are stored.

    Waits for them. Raises RenderError, StoreError; CancelledError if the text is dropped.
    """
    *before, last = plan.segments
    segments = (*before, replace(last, pause_after_s=0.0))
    for joined in join(_clips(segments, stored, reader), plan.sample_rate):
        yield joined.samples


def _clips(
    segments: Iterable[PlannedSegment], stored: Iterable[Future[None]], reader: ShardReader
) -> Iterator[Clip]:
    for segment, done in zip(segments, stored, strict=True):
        done.result()
        yield clip_of(reader, segment)


def speech_pcm(blocks: Iterable[Samples], sample_rate: int, wanted_rate: int) -> Iterator[bytes]:
    """Blocks of samples as s16le at the rate that is wanted, each block as soon as it is there."""
    if sample_rate == wanted_rate:
        yield from (to_pcm16(block) for block in blocks)
        return
    stream = soxr.ResampleStream(sample_rate, wanted_rate, 1, "float32", QUALITY)
    for block in blocks:
        yield to_pcm16(stream.resample_chunk(block))
    yield to_pcm16(stream.resample_chunk(np.zeros(0, np.float32), last=True))
