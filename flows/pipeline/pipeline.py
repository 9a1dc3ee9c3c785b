"""The whole way from a source to finished files: the one orchestration there is.

    read ─▶ plan ─▶ render windows ─▶ finish chapters ─▶ encode ─▶ report
                         └── chapters finish while later windows render

Who carries out a stage is the crew's matter (`crew.py`, `audiobook.py`); what a stage does is in
`stages.py`. Nothing that is done already is done again: whole files by their fingerprint in the
library, segments by their key in the store.
"""

from __future__ import annotations

import math
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby

from audiomill.flows.job import Job
from audiomill.flows.pipeline import chapter_audio as tracks
from audiomill.flows.pipeline.chapter_audio import EncodePlan, plan_chunks
from audiomill.flows.pipeline.library import LibraryEntry, open_library_entry
from audiomill.flows.pipeline.plan import OutputSpec, Plan, make_plan, output_specs, refuse_empty
from audiomill.flows.pipeline.report import (
    Report,
    RunResult,
    refuse_silence,
    report_of,
    silent_segments,
)
from audiomill.flows.pipeline.run_context import Executor, RunContext, Step
from audiomill.flows.pipeline.stages import (
    WindowResult,
    encode_recording,
    finish_chapter,
    read_manuscript,
    render_window,
)
from audiomill.flows.pipeline.timings import timings
from audiomill.outputs.audio.mastering import MasterPlan, plan_gain
from audiomill.outputs.encoding.encoder import FileMetadata, Target, n_passes
from audiomill.outputs.encoding.ffmpeg import find_ffmpeg
from audiomill.outputs.encoding.parallel_aac import CHUNK_S
from audiomill.outputs.formats import FORMATS
from audiomill.outputs.metadata.chapters import book_marks
from audiomill.outputs.types import MasteredChapter, Recorded
from audiomill.renderers.host.malloc import limit_malloc_arenas
from audiomill.renderers.host.process_pool import ProcessPool
from audiomill.renderers.host.threads import Future, map_in_order, usable_cores
from audiomill.renderers.registry import open_renderer
from audiomill.renderers.store.store import open_store

# While one window waits for the disk another is spoken; more in flight would only hold more audio
# in memory.
WINDOWS_IN_FLIGHT = 2
# An encoder is a process of its own and mostly waits for us, or we for it.
RECORDINGS_IN_FLIGHT = 2
# Seconds of audio from which on processes beside this one pay: to start one takes 0.3 s of a core.
PROCESSES_FROM_S = 1200.0


def run_pipeline(job: Job, crew: Executor, watch: RunContext) -> Report:
    """Make everything that `job` asks for, or as much of it as is not there yet.

    Raises UsageError, SourceError, RenderError, StoreError, OutputError, Interrupted.
    """
    began = time.perf_counter()
    limit_malloc_arenas()
    # What is cheap to find missing is found before anything long begins.
    find_ffmpeg(encoders=[FORMATS[name].encoder for name in job.formats])
    manuscript = crew.submit(read_manuscript, job).result()
    plan = make_plan(manuscript, job, open_renderer(job.engine, job.options))
    refuse_empty(plan, job)
    watch = watch.for_one_book()
    with open_library_entry(plan.book, job.source, job.out, watch) as shelf:
        products = output_specs(plan, job)
        held = {product: shelf.find_finished(product) for product in products}
        missing = [product for product in products if held[product] is None]
        work = _make_missing(job, plan, shelf, missing, crew, watch, began) if missing else None
        made = work.files if work else {}
        files = [held[product] or made[product] for product in products]
        report = report_of(job, plan, work, files, shelf.folder, time.perf_counter() - began)
        if work:
            report.save()  # else the one that is there tells more
    return report


def _make_missing(
    job: Job,
    plan: Plan,
    shelf: LibraryEntry,
    missing: list[OutputSpec],
    crew: Executor,
    watch: RunContext,
    began: float,
) -> RunResult:
    """Bring the missing products onto the shelf. `began` is when the run did."""
    planned = time.perf_counter()
    with (
        open_store(job.store).session(),
        _process_pool_for(plan) as annex,
        _stop_together(crew, watch),
    ):
        tallies, chapters = _render_windows(job, plan, crew, watch, annex)
        measured = time.perf_counter()
        silent = silent_segments(plan, chapters)
        refuse_silence(plan, silent)
        master = plan_gain((chapter.loudness for chapter in chapters), job.mastering)
        recorded = dict(
            _encode_recordings(job, plan, shelf, missing, chapters, master, crew, watch, annex)
        )
    spoken = (interval for tally in tallies for interval in tally.spoken)
    took = timings(began, planned, spoken, measured, time.perf_counter())
    return RunResult(tallies, chapters, silent, master, recorded, tuple(watch.warnings), took)


@contextmanager
def _stop_together(crew: Executor, watch: RunContext) -> Generator[None]:
    """An error leaves the block only once nobody works on this book any more.

    What is left over would otherwise write where the next run believes it is alone.
    """
    try:
        yield
    except BaseException:
        watch.cancel()
        crew.wait_all()
        raise


def _process_pool_for(plan: Plan) -> ProcessPool:
    """Processes for a book that takes longer than they take to start: at most one a piece."""
    is_long = plan.estimated_s >= PROCESSES_FROM_S
    n = min(usable_cores(), math.ceil(plan.estimated_s / CHUNK_S)) if is_long else 0
    return ProcessPool(n, (tracks.__name__, FileMetadata.__module__))


def _render_windows(
    job: Job, plan: Plan, crew: Executor, watch: RunContext, annex: ProcessPool
) -> tuple[tuple[WindowResult, ...], tuple[MasteredChapter, ...]]:
    """Render all windows; finish each chapter as soon as its last one is done."""
    watch.progress.begin(Step.RENDER, plan.estimated_s)
    tallies: list[WindowResult] = []
    finishing: dict[int, Future[MasteredChapter]] = {}
    for tally in map_in_order(
        lambda window: crew.submit(render_window, job, window, watch),
        plan.windows,
        WINDOWS_IN_FLIGHT,
    ):
        tallies.append(tally)
        for index, chapter in enumerate(plan.chapters):
            if index not in finishing and chapter.last_window <= tally.index:
                finishing[index] = crew.submit(finish_chapter, job, chapter, watch, annex)
    return tuple(tallies), tuple(finishing[index].result() for index in range(len(plan.chapters)))


def _encode_recordings(
    job: Job,
    plan: Plan,
    shelf: LibraryEntry,
    missing: list[OutputSpec],
    chapters: Sequence[MasteredChapter],
    master: MasterPlan,
    crew: Executor,
    watch: RunContext,
    annex: ProcessPool,
) -> Iterator[tuple[tuple[OutputSpec, ...], Recorded]]:
    """Encode each recording into all its missing formats."""
    runs = [tuple(products) for _, products in groupby(missing, key=lambda one: one.recording)]
    samples = 0
    for run in runs:
        inside = chapters[run[0].recording.first : run[0].recording.last]
        samples += n_passes(one.format for one in run) * sum(one.n_samples for one in inside)
    watch.progress.begin(Step.ENCODE, samples / plan.sample_rate)
    shelf.open()

    def start(run: tuple[OutputSpec, ...]) -> Future[Recorded]:
        recording = run[0].recording
        inside = slice(recording.first, recording.last)
        stretches = tuple(plan_chunks(plan.chapters[inside], chapters[inside]))
        sleeve = FileMetadata(book_marks(chapters[inside]), recording.tags, recording.cover)
        reel = EncodePlan(stretches, master, sleeve)
        targets = tuple(Target(one.format, shelf.folder / one.name) for one in run)
        return crew.submit(encode_recording, job, reel, targets, watch, annex)

    for run, recorded in zip(runs, map_in_order(start, runs, RECORDINGS_IN_FLIGHT), strict=True):
        shelf.record(zip(run, recorded.files, strict=True))
        yield run, recorded
