"""Renders a book's windows. Chapters are measured while later windows render.

Where speech is checked, each window is listened to before its chapters are measured: what is
rendered again has another length. Measuring writes nothing: the same audio is joined again, the
same way, when it is encoded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from audiomill.flows.execution.run_context import RunContext, Step
from audiomill.flows.execution.shard_source import shard_source_of
from audiomill.flows.execution.windows import WindowResult, window_tasks
from audiomill.flows.job import Job
from audiomill.flows.pipeline.chapter_audio import (
    ChapterTask,
    EncodeRegion,
    lead_of,
    measure_chapter_audio,
    stream_audio,
)
from audiomill.flows.pipeline.planning.plan import ChapterPlan, Plan, with_gains
from audiomill.flows.pipeline.planning.voices import LevelRequests, voice_gains_db
from audiomill.flows.pipeline.predicted_levels import PredictedLevels
from audiomill.flows.pipeline.run_state import Run
from audiomill.flows.pipeline.speech_check import SpeechCheck, tell_effort
from audiomill.inputs.model.book import Skipped, SkipReason
from audiomill.outputs.audio.joining import digest_of_shards
from audiomill.outputs.audio.loudness import LoudnessMeter, integrated_lufs
from audiomill.outputs.audio.mastering import MasterPlan, limiter_loss_db
from audiomill.outputs.types import MeasuredChapter
from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.engine.protocol import Samples
from audiomill.renderers.host.process_pool import TaskPool
from audiomill.renderers.host.threads import Done, Future
from audiomill.renderers.store.store import ShardStore

# Gets each chapter that is measured, in any order and in any thread, with its number in the plan.
OnMeasured = Callable[[int, ChapterPlan, MeasuredChapter], None]


@dataclass(frozen=True, slots=True, eq=False)
class RenderedBook:
    """A book whose segments are in the store."""

    plan: Plan  # with the voices' gains
    gains_db: dict[str, float]  # of voices that are louder or softer than the main one
    windows: tuple[WindowResult, ...]
    chapters: tuple[MeasuredChapter, ...]
    predicted: PredictedLevels | None = None  # None: not known yet


def render_book(run: Run, store: ShardStore, on_measured: OnMeasured | None = None) -> RenderedBook:
    """Render all windows. Measure each chapter as soon as its last window is rendered.

    No chapter is measured before the voices' gains are known. Raises RenderError, StoreError,
    Interrupted.
    """
    plan, gains_db = run.plan, dict[str, float]()
    check = _speech_check(run, store)
    run.context.progress.begin(Step.RENDER, run.plan.estimated_s)
    if check:
        run.context.progress.begin(Step.LISTEN, run.plan.estimated_s)
    run.context.progress.begin(Step.MEASURE, len(run.plan.chapters))
    results: list[WindowResult] = []
    chapters: dict[int, Future[MeasuredChapter]] = {}
    digests: dict[str, str] = {}
    for rendered in _rendered_windows(run, store):
        result = _check_window(run, check, rendered) if check else rendered
        results.append(result)
        digests |= result.digests
        if plan.level_requests and result.index == plan.levels_window:
            gains_db = _measured_gains(run, store)
            plan = with_gains(plan, gains_db)
        for index, chapter in enumerate(plan.chapters):
            if index not in chapters and chapter.last_window <= result.index:
                tell = on_measured and partial(on_measured, index, chapter)
                chapters[index] = _begin_measuring(run, store, chapter, digests, tell)
    in_book_order = tuple(chapters[index].result() for index in range(len(plan.chapters)))
    run.library_entry.measured_chapters.keep(
        zip(plan.chapters, in_book_order, strict=True), with_others=bool(run.job.chapters)
    )
    return RenderedBook(plan, gains_db, tuple(results), in_book_order)


def _rendered_windows(run: Run, store: ShardStore) -> Iterator[WindowResult]:
    """The results of all windows, in order; of the first alone where somebody waits for it."""
    tasks = window_tasks(run.job, run.plan.windows, run.plan.book.title)
    n_alone = 0 if run.job.first_window_s is None else 1
    for part in (tasks[:n_alone], tasks[n_alone:]):
        yield from run.executor.render_windows(part, store, run.context)


def _begin_measuring(
    run: Run,
    store: ShardStore,
    chapter: ChapterPlan,
    digests: Mapping[str, str],
    tell: Callable[[MeasuredChapter], None] | None,
) -> Future[MeasuredChapter]:
    """The chapter as an earlier run has measured it of the same shards, or measured now.

    `digests` are those of the shards, all of them verified, by their keys.
    """
    shards = digest_of_shards([digests[one.request.key] for one in chapter.segments])
    known = run.library_entry.measured_chapters.find(chapter, run.plan.sample_rate, shards)
    if known is None:
        return run.executor.submit(
            chapter.name, measure_chapter, run.job, store, chapter, run.context, run.pool, tell
        )
    run.context.progress.advance(Step.MEASURE, 1)
    if tell:
        tell(known)
    return Done(known)


def _speech_check(run: Run, store: ShardStore) -> SpeechCheck | None:
    """The check that listens to all windows, if one is wanted. Says how long it takes."""
    if run.recogniser is None:
        return None
    tell_effort(run.plan, run.recogniser)
    return SpeechCheck(run, store, run.recogniser)


def _check_window(run: Run, check: SpeechCheck, rendered: WindowResult) -> WindowResult:
    """A window that was listened to. Raises RenderError, StoreError, Interrupted."""
    title = f"check window {rendered.index + 1}/{len(run.plan.windows)} of {run.plan.book.title}"
    requests = run.plan.windows[rendered.index].requests
    result = run.executor.submit(title, check.check_window, requests, rendered).result()
    if result.usage.n_takes > rendered.usage.n_takes:  # what was encoded before may be of old takes
        run.library_entry.drop_regions()
    return result


def _measured_gains(run: Run, store: ShardStore) -> dict[str, float]:
    """The gains of voices that are louder or softer than the main one. Raises RenderError."""
    levels = run.executor.submit(
        "measure the voices", measure_voices, run.job, store, run.plan.level_requests, run.context
    )
    return voice_gains_db(levels.result())


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
    job: Job,
    store: ShardStore,
    chapter: ChapterPlan,
    context: RunContext,
    pool: TaskPool,
    tell: Callable[[MeasuredChapter], None] | None = None,
) -> MeasuredChapter:
    """Join and measure a chapter whose segments are all in the store; `tell` gets it, too.

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
    if tell:
        tell(measured)
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
