"""Makes the files of a book that the library lacks: rendered, measured, levelled and encoded."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from audiomill.flows.console import say
from audiomill.flows.execution.executor import stop_stages_on_error
from audiomill.flows.execution.stage_times import compute_stage_times
from audiomill.flows.execution.windows import WindowResult
from audiomill.flows.pipeline.encoding.encode_book import encode_recordings
from audiomill.flows.pipeline.encoding.levelling import Levelling, plan_levels
from audiomill.flows.pipeline.encoding.music import add_music, load_pieces
from audiomill.flows.pipeline.encoding.transcripts import make_transcripts
from audiomill.flows.pipeline.planning.output_specs import OutputSpec
from audiomill.flows.pipeline.planning.recordings import Recording
from audiomill.flows.pipeline.rendering.chapter_audio import (
    EncodeRegion,
    plan_regions,
    without_last_pause,
)
from audiomill.flows.pipeline.rendering.chapter_places import chapter_places
from audiomill.flows.pipeline.rendering.measuring import (
    measure_limiter_loss,
    require_speech,
    silent_segments,
)
from audiomill.flows.pipeline.rendering.render_book import render_book
from audiomill.flows.pipeline.rendering.suspects import Suspect, find_suspects
from audiomill.flows.pipeline.result import RunResult
from audiomill.flows.pipeline.run import Run
from audiomill.outputs.audio.mastering import MasterPlan
from audiomill.outputs.audio.music_places import RecordingMusic
from audiomill.outputs.types import MeasuredChapter
from audiomill.renderers.host.waiting import RunWaiter
from audiomill.renderers.registry import open_renderer
from audiomill.renderers.store.store import ShardStore, open_store


def make_files(
    run: Run, specs: Sequence[OutputSpec], missing: Sequence[OutputSpec], started: float
) -> RunResult:
    """Render and measure the book, and encode the missing ones of the files `specs`.

    Raises UsageError, RenderError, StoreError, OutputError, Interrupted.
    """
    # Music that cannot be played fails the run now, before anything slow begins.
    pieces = load_pieces(run.job, run.plan.sample_rate)
    planned = time.perf_counter()
    waiter = RunWaiter(run.context.check, say, run.job.outage_s)
    store_session = open_store(run.job.store, waiter).session()
    with store_session as store, run.pool, stop_stages_on_error(run.executor, run.context):
        book = render_book(run, store)
        run = replace(run, plan=book.plan)
        measured = time.perf_counter()
        silent = silent_segments(run.plan, book.chapters)
        require_speech(run.plan, silent)
        music = add_music(run.job, run.plan, pieces, specs, book.chapters)
        chapters = tuple(chain.from_iterable(one.chapters for one in music.values()))
        suspects = _suspects(run, book.windows, music, chapters)
        regions = _regions(run, music)
        audio = [spec for spec in missing if spec.is_audio]
        levelling = _plan_levels(run, store, specs, audio, music, regions)
        recorded = encode_recordings(run, store, audio, music, regions, levelling)
        transcripts = make_transcripts(run, missing, book.windows, chapters)
    render_intervals = (interval for window in book.windows for interval in window.render_intervals)
    stage_times = compute_stage_times(
        started, planned, render_intervals, measured, time.perf_counter()
    )
    return RunResult(
        book.windows,
        chapters,
        silent,
        suspects,
        book.gains_db,
        music,
        levelling,
        recorded,
        transcripts,
        tuple(run.context.warnings),
        tuple(run.context.usages),
        stage_times,
    )


def _suspects(
    run: Run,
    windows: Iterable[WindowResult],
    recordings: Iterable[Recording],
    chapters: Sequence[MeasuredChapter],
) -> tuple[Suspect, ...]:
    """The segments whose audio is probably faulty, with their places in the `recordings`."""
    limits = open_renderer(run.job.engine, run.job.options).limits
    told = {key: found for window in windows for key, found in window.findings.items()}
    places = chapter_places(recordings, chapters)
    return find_suspects(run.plan.chapters, chapters, limits, told, places)


def _plan_levels(
    run: Run,
    store: ShardStore,
    specs: Sequence[OutputSpec],
    missing: Sequence[OutputSpec],
    music: Mapping[Recording, RecordingMusic],
    regions: Mapping[Recording, Sequence[EncodeRegion]],
) -> Levelling:
    """The levels of all audio files. Raises RenderError, StoreError."""

    def loss_db(sample: Sequence[EncodeRegion], sample_s: float, master: MasterPlan) -> float:
        return run.executor.submit(
            "level the recordings",
            measure_limiter_loss,
            run.job,
            store,
            sample,
            sample_s,
            master,
            run.context,
        ).result()

    return plan_levels(run.job, music, specs, missing, regions, loss_db)


def _regions(
    run: Run, music: Mapping[Recording, RecordingMusic]
) -> dict[Recording, tuple[EncodeRegion, ...]]:
    """Each recording in regions."""
    rate, ends = run.job.delivery.encoding.sample_rate, run.job.delivery.ends
    regions: dict[Recording, tuple[EncodeRegion, ...]] = {}
    for recording, one in music.items():
        planned = run.plan.chapters[recording.chapters]
        if ends.tail_s is not None:
            planned = without_last_pause(planned)
        regions[recording] = tuple(plan_regions(planned, one.chapters, one.pieces, rate))
    return regions
