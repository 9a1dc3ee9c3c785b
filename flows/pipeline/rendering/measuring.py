"""Measures audio in the store: of voices, of chapters, and what the limiter takes of it.

Writes nothing. What is measured is joined again, the same way, when it is encoded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from audiomill.flows.execution.run_context import RunContext, Step
from audiomill.flows.execution.shard_source import shard_source_of
from audiomill.flows.job import Job
from audiomill.flows.pipeline.planning.level_requests import LevelRequests
from audiomill.flows.pipeline.planning.plan import ChapterPlan, Plan
from audiomill.flows.pipeline.rendering.chapter_audio import (
    ChapterTask,
    EncodeRegion,
    lead_of,
    measure_chapter_audio,
    stream_audio,
)
from audiomill.inputs.book import Skipped, SkipReason
from audiomill.outputs.audio.loudness import LoudnessMeter, integrated_lufs
from audiomill.outputs.audio.mastering import MasterPlan, limiter_loss_db
from audiomill.outputs.types import MeasuredChapter
from audiomill.renderers.base import EngineFailed, Samples
from audiomill.renderers.host.process_pool import TaskPool
from audiomill.renderers.store.store import ShardStore


def measure_voices(
    job: Job, store: ShardStore, level_requests: LevelRequests, context: RunContext
) -> dict[str, float]:
    """The loudness of each voice in LUFS; -inf of one that is silent.

    Raises RenderError, StoreError, Interrupted.
    """
    source = shard_source_of(job, store, context)
    reader, levels = source.reader(), dict[str, float]()
    for voice, requests in level_requests:
        meter = LoudnessMeter(source.renderer.sample_rate)
        for request in context.until_cancelled(requests):
            meter.add(reader.shard(request).samples)
        levels[voice] = integrated_lufs([meter.measured()])
    return levels


def measure_chapter(
    job: Job, store: ShardStore, chapter: ChapterPlan, context: RunContext, pool: TaskPool
) -> MeasuredChapter:
    """Join and measure a chapter whose segments are all in the store.

    Writes nothing: once the loudness of the whole book is known, the encoder streams the same joins
    again. Raises RenderError, StoreError, Interrupted.
    """
    source = shard_source_of(job, store, context)
    task = ChapterTask(
        chapter.title,
        chapter.level,
        chapter.segments,
        lead_of(chapter),
        source.reader(),
        source.renderer.sample_rate,
    )
    measured = pool.do(measure_chapter_audio, task, context.check)
    context.progress.advance(Step.MEASURE, 1)
    return measured


def silent_segments(plan: Plan, chapters: Iterable[MeasuredChapter]) -> tuple[Skipped, ...]:
    """The segments for which the engine returned silence, which joining trims to nothing."""
    audible = {cue.segment_id for one in chapters for cue in one.cues if cue.end > cue.start}
    return tuple(
        Skipped(
            SkipReason.NOT_SPEAKABLE,
            segment.text,
            plan.book.chapters[segment.span.chapter].blocks[segment.span.block].where,
        )
        for segment in plan.segments
        if segment.id not in audible
    )


def require_speech(plan: Plan, silent: Sequence[Skipped]) -> None:
    """Raise EngineFailed if every segment of the book is silent."""
    if len(silent) == len(plan.segments):
        voices = ", ".join(dict.fromkeys(segment.voice for segment in plan.segments))
        raise EngineFailed(
            f"The voice {voices} says nothing of this book."
            " Choose one that knows its script with --voice (audiomill voices lists them)."
        )


def measure_limiter_loss(
    job: Job,
    store: ShardStore,
    sample: Sequence[EncodeRegion],
    sample_s: float,
    master: MasterPlan,
    context: RunContext,
) -> float:
    """How many decibels the plan's limiter takes of the first `sample_s` of each region's audio.

    Raises RenderError, StoreError, Interrupted.
    """
    source = shard_source_of(job, store, context)
    reader, sample_rate = source.reader(), source.renderer.sample_rate

    def blocks() -> Iterator[Samples]:
        for region in sample:
            n_left = round(sample_s * sample_rate)
            for block in context.until_cancelled(stream_audio(reader, region, sample_rate)):
                yield block
                n_left -= block.size
                if n_left <= 0:
                    break

    in_rms = job.mastering.target_rms_db is not None
    return limiter_loss_db(blocks(), master, sample_rate, in_rms=in_rms)
