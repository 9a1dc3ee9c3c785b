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
from audiomill.flows.pipeline.chapter_audio import Reel, cut_reel
from audiomill.flows.pipeline.library import Shelf, shelf_for
from audiomill.flows.pipeline.plan import Plan, Product, make_plan, products_of, refuse_empty
from audiomill.flows.pipeline.report import Report, Work, refuse_silence, report_of, silent_segments
from audiomill.flows.pipeline.run_context import Crew, Step, Watch
from audiomill.flows.pipeline.stages import (
    WindowTally,
    encode_reel,
    finish_chapter,
    read_manuscript,
    render_window,
)
from audiomill.flows.pipeline.timings import spent
from audiomill.outputs.audio.mastering import MasterPlan, plan_gain
from audiomill.outputs.encoding.encoder import Sleeve, Target, n_passes
from audiomill.outputs.encoding.ffmpeg import find_ffmpeg
from audiomill.outputs.encoding.parallel_aac import PIECE_S
from audiomill.outputs.formats import FORMATS
from audiomill.outputs.metadata.chapters import book_marks
from audiomill.outputs.types import MasteredChapter, Recorded
from audiomill.renderers.host.malloc import keep_heaps_small
from audiomill.renderers.host.process_pool import Annex
from audiomill.renderers.host.threads import Future, in_order, usable_cores
from audiomill.renderers.registry import open_renderer
from audiomill.renderers.store.store import open_store

# While one window waits for the disk another is spoken; more in flight would only hold more audio
# in memory.
WINDOWS_IN_FLIGHT = 2
# An encoder is a process of its own and mostly waits for us, or we for it.
RECORDINGS_IN_FLIGHT = 2
# Seconds of audio from which on processes beside this one pay: to start one takes 0.3 s of a core.
ANNEX_FROM_S = 1200.0


def mill(job: Job, crew: Crew, watch: Watch) -> Report:
    """Make everything that `job` asks for, or as much of it as is not there yet.

    Raises UsageError, SourceError, RenderError, StoreError, OutputError, Interrupted.
    """
    began = time.perf_counter()
    keep_heaps_small()
    # What is cheap to find missing is found before anything long begins.
    find_ffmpeg(encoders=[FORMATS[name].encoder for name in job.formats])
    manuscript = crew.submit(read_manuscript, job).result()
    plan = make_plan(manuscript, job, open_renderer(job.engine, job.options))
    refuse_empty(plan, job)
    watch = watch.for_one_book()
    with shelf_for(plan.book, job.source, job.out, watch) as shelf:
        products = products_of(plan, job)
        held = {product: shelf.holds(product) for product in products}
        missing = [product for product in products if held[product] is None]
        work = _work(job, plan, shelf, missing, crew, watch, began) if missing else None
        made = work.files if work else {}
        files = [held[product] or made[product] for product in products]
        report = report_of(job, plan, work, files, shelf.folder, time.perf_counter() - began)
        if work:
            report.save()  # else the one that is there tells more
    return report


def _work(
    job: Job,
    plan: Plan,
    shelf: Shelf,
    missing: list[Product],
    crew: Crew,
    watch: Watch,
    began: float,
) -> Work:
    """Bring the missing products onto the shelf. `began` is when the run did."""
    planned = time.perf_counter()
    with (
        open_store(job.store).session(),
        _annex_for(plan) as annex,
        _all_hands_stop_together(crew, watch),
    ):
        tallies, chapters = _rendered(job, plan, crew, watch, annex)
        measured = time.perf_counter()
        silent = silent_segments(plan, chapters)
        refuse_silence(plan, silent)
        master = plan_gain((chapter.loudness for chapter in chapters), job.mastering)
        recorded = dict(_recorded(job, plan, shelf, missing, chapters, master, crew, watch, annex))
    spoken = (interval for tally in tallies for interval in tally.spoken)
    took = spent(began, planned, spoken, measured, time.perf_counter())
    return Work(tallies, chapters, silent, master, recorded, tuple(watch.notes), took)


@contextmanager
def _all_hands_stop_together(crew: Crew, watch: Watch) -> Generator[None]:
    """An error leaves the block only once nobody works on this book any more.

    What is left over would otherwise write where the next run believes it is alone.
    """
    try:
        yield
    except BaseException:
        watch.give_up()
        crew.settle()
        raise


def _annex_for(plan: Plan) -> Annex:
    """Processes for a book that takes longer than they take to start: at most one a piece."""
    is_long = plan.estimated_s >= ANNEX_FROM_S
    n = min(usable_cores(), math.ceil(plan.estimated_s / PIECE_S)) if is_long else 0
    return Annex(n, (tracks.__name__, Sleeve.__module__))


def _rendered(
    job: Job, plan: Plan, crew: Crew, watch: Watch, annex: Annex
) -> tuple[tuple[WindowTally, ...], tuple[MasteredChapter, ...]]:
    """Render all windows; finish each chapter as soon as its last one is done."""
    watch.progress.begin(Step.RENDER, plan.estimated_s)
    tallies: list[WindowTally] = []
    finishing: dict[int, Future[MasteredChapter]] = {}
    for tally in in_order(
        lambda window: crew.submit(render_window, job, window, watch),
        plan.windows,
        WINDOWS_IN_FLIGHT,
    ):
        tallies.append(tally)
        for index, chapter in enumerate(plan.chapters):
            if index not in finishing and chapter.last_window <= tally.index:
                finishing[index] = crew.submit(finish_chapter, job, chapter, watch, annex)
    return tuple(tallies), tuple(finishing[index].result() for index in range(len(plan.chapters)))


def _recorded(
    job: Job,
    plan: Plan,
    shelf: Shelf,
    missing: list[Product],
    chapters: Sequence[MasteredChapter],
    master: MasterPlan,
    crew: Crew,
    watch: Watch,
    annex: Annex,
) -> Iterator[tuple[tuple[Product, ...], Recorded]]:
    """Encode each recording into all its missing formats."""
    runs = [tuple(products) for _, products in groupby(missing, key=lambda one: one.recording)]
    samples = 0
    for run in runs:
        inside = chapters[run[0].recording.first : run[0].recording.last]
        samples += n_passes(one.format for one in run) * sum(one.n_samples for one in inside)
    watch.progress.begin(Step.ENCODE, samples / plan.sample_rate)
    shelf.open()

    def start(run: tuple[Product, ...]) -> Future[Recorded]:
        recording = run[0].recording
        inside = slice(recording.first, recording.last)
        stretches = tuple(cut_reel(plan.chapters[inside], chapters[inside]))
        sleeve = Sleeve(book_marks(chapters[inside]), recording.tags, recording.cover)
        reel = Reel(stretches, master, sleeve)
        targets = tuple(Target(one.format, shelf.folder / one.name) for one in run)
        return crew.submit(encode_reel, job, reel, targets, watch, annex)

    for run, recorded in zip(runs, in_order(start, runs, RECORDINGS_IN_FLIGHT), strict=True):
        shelf.record(zip(run, recorded.files, strict=True))
        yield run, recorded
