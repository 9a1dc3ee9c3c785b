"""Measures how loud the voices of a book are, once enough of each is rendered."""

from __future__ import annotations

from audiomill.flows.job import Job
from audiomill.flows.pipeline.run_context import RunContext
from audiomill.flows.pipeline.shard_source import ShardSource
from audiomill.flows.pipeline.voice_samples import LevelSamples
from audiomill.outputs.audio.loudness import LoudnessMeter, integrated_lufs
from audiomill.renderers.store.store import ShardStore


def measure_voices(
    job: Job, store: ShardStore, samples: LevelSamples, context: RunContext
) -> dict[str, float]:
    """The loudness of each voice in LUFS; -inf of one that is silent.

    Raises RenderError, StoreError, Interrupted.
    """
    source = ShardSource(job, store, context)
    reader, levels = source.reader(), dict[str, float]()
    for voice, requests in samples:
        meter = LoudnessMeter(source.renderer.sample_rate)
        for request in context.until_cancelled(requests):
            meter.add(reader.shard(request).samples)
        levels[voice] = integrated_lufs([meter.measured()])
    return levels
