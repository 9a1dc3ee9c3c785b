"""The whole way from a source to finished files. Start reading here.

    read ─▶ plan ─▶ render windows ─▶ measure chapters ─▶ encode ─▶ transcripts ─▶ report
                         └── chapters are measured while later windows render

The stages are in `stages.py`. An `Executor` (`execution/executor.py`) runs them concurrently: in
threads, or as Prefect tasks. Finished work is never repeated: the library finds whole files by
their fingerprint, and the store finds segments by their key.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby
from pathlib import Path

from audiomill.flows.console import say
from audiomill.flows.delivery.plots import DrawnPlot, draw_plot
from audiomill.flows.delivery.report_page import write_report_page
from audiomill.flows.execution.executor import Executor, stop_stages_on_error
from audiomill.flows.execution.run_context import RunContext, Step
from audiomill.flows.execution.stage_times import compute_stage_times
from audiomill.flows.execution.windows import WindowResult, window_tasks
from audiomill.flows.job import Job
from audiomill.flows.pipeline.chapter_audio import (
    EncodePlan,
    EncodeRegion,
    plan_regions,
    without_last_pause,
)
from audiomill.flows.pipeline.cost import describe_cost
from audiomill.flows.pipeline.edition import edition_of
from audiomill.flows.pipeline.finished.lists import write_list
from audiomill.flows.pipeline.finished.retagged_report import retagged_content
from audiomill.flows.pipeline.finished.retagging import recorded_chapters, retag_file
from audiomill.flows.pipeline.finished.reusable import Reusable
from audiomill.flows.pipeline.level_requests import voice_gains_db
from audiomill.flows.pipeline.levelling import Levelling, plan_levels
from audiomill.flows.pipeline.library import LibraryEntry, open_library_entry
from audiomill.flows.pipeline.library_records import ChapterLengths
from audiomill.flows.pipeline.places import chapter_places
from audiomill.flows.pipeline.plan import (
    BookDigest,
    OutputSpec,
    Plan,
    Recording,
    book_digest,
    list_specs,
    make_plan,
    output_specs,
    possible_specs,
    require_segments,
    times_digest,
    with_gains,
)
from audiomill.flows.pipeline.report import Report, RunResult, make_report
from audiomill.flows.pipeline.stages import (
    add_music,
    digest_music,
    encode_recording,
    load_pieces,
    measure_chapter,
    measure_limiter_loss,
    measure_voices,
    read_manuscript,
    require_speech,
    silent_segments,
    write_transcripts,
)
from audiomill.flows.pipeline.suspects import find_suspects
from audiomill.flows.settings import named_ffmpeg
from audiomill.outputs.audio.mastering import MasterPlan
from audiomill.outputs.audio.music_places import RecordingMusic
from audiomill.outputs.encoding.encoder import FileMetadata, n_passes
from audiomill.outputs.encoding.find_ffmpeg import find_ffmpeg
from audiomill.outputs.encoding.parallel_aac import REGION_S
from audiomill.outputs.encoding.pending_file import Target
from audiomill.outputs.formats import CUE_SHEET, FORMATS, PLAYLIST, PLOT
from audiomill.outputs.metadata.chapters import Mark, book_marks
from audiomill.outputs.sidecars.sidecar_book import SidecarBook
from audiomill.outputs.types import EncodedOutput, MeasuredChapter, OutputFile
from audiomill.renderers.host.cores import usable_cores
from audiomill.renderers.host.malloc import limit_malloc_arenas
from audiomill.renderers.host.process_pool import ProcessPool, TaskPool
from audiomill.renderers.host.threads import Future, map_in_order
from audiomill.renderers.host.waiting import RunWaiter
from audiomill.renderers.registry import open_renderer
from audiomill.renderers.store.store import ShardStore, open_store

# An encoder is a process of its own. It mostly waits for this process, or this process for it.
RECORDINGS_IN_FLIGHT = 2
# Books of fewer seconds of audio use no child processes: starting one takes 0.3 s of a core.
PROCESSES_FROM_S = 1200.0
# Each child process imports these modules before it gets a task.
CHILD_MODULES = (EncodePlan.__module__, FileMetadata.__module__)


@dataclass(frozen=True, slots=True)
class Run:
    """What all stages of one book's run share."""

    job: Job
    plan: Plan
    made_from: BookDigest  # the digest of the plan
    executor: Executor
    context: RunContext
    pool: TaskPool
    library_entry: LibraryEntry


def run_pipeline(job: Job, executor: Executor, context: RunContext) -> Report:
    """Make every file that `job` asks for and the library lacks.

    Raises UsageError, SourceError, RenderError, StoreError, OutputError, Interrupted.
    """
    started = time.perf_counter()
    limit_malloc_arenas()
    # A missing encoder fails the run now, before anything slow begins.
    find_ffmpeg(named_ffmpeg(), [FORMATS[name].encoder for name in job.formats])
    manuscript = executor.submit("read the book", read_manuscript, job).result()
    renderer = open_renderer(job.engine, job.options)
    plan = make_plan(manuscript, job, renderer, executor.n_shared_windows)
    require_segments(plan, job)
    if told := describe_cost(plan, renderer.limits):
        say(told)
    edition = edition_of(job, plan.book, renderer)
    made_from = book_digest(plan, job, digest_music(job))
    possible = possible_specs(plan, job, made_from)
    context = context.for_one_book()
    with open_library_entry(
        plan.book, job.source, edition, possible, job.out, context
    ) as library_entry:
        pool = executor.task_pool(_process_pool_for(plan))
        return _complete_entry(
            Run(job, plan, made_from, executor, context, pool, library_entry), started
        )


def _complete_entry(run: Run, started: float) -> Report:
    """Make the files that the library lacks, and the report. `started` is when the run did."""
    entry = run.library_entry
    of_plan = (run.plan, run.job, run.made_from, entry.ending)
    specs, possible = output_specs(*of_plan), possible_specs(*of_plan)
    lists = list_specs(run.plan, run.job, specs, entry.ending)
    finished = entry.find_finished(specs)
    if any(one.format == CUE_SHEET for one in lists):  # it needs what old records lack
        finished = {
            spec: file
            for spec, file in finished.items()
            if not spec.is_audio or entry.lengths_of(spec)
        }
    listed = entry.find_finished(lists)
    missing = [spec for spec in specs if spec not in finished]
    unlisted = [spec for spec in lists if spec not in listed]
    changes = entry.changes((*specs, *lists), (*missing, *unlisted), possible)
    entry.reserve((*missing, *unlisted))
    found, retagged = _retag_files(run, missing)
    changes = changes.with_retagged(found)
    missing = [spec for spec in missing if spec not in retagged]
    to_make = [spec for spec in missing if not spec.is_plot]
    result = _make_files(run, specs, to_make, started) if to_make else None
    changes = replace(changes, kept_sidecars=_update_sidecars(run, specs, result))
    made = finished | retagged | (result.files if result else {})
    plots = _draw_plots(run, [spec for spec in missing if spec.is_plot], made)
    made |= {spec: drawn.file for spec, drawn in plots.items()}
    listed |= _write_lists(run, unlisted, specs, made)
    if run.job.split and not run.job.chapters:
        formats = {*run.job.formats, *run.job.transcripts, PLAYLIST}
        formats |= {PLOT} if run.job.plot else set()
        changes = changes.with_stale(entry.remove_stale((*specs, *lists), formats))
    files = [made[spec] for spec in specs]
    wall_s = time.perf_counter() - started
    pictures = tuple(drawn.plot for drawn in plots.values())
    lists_made = tuple(listed.values())
    report = make_report(run.job, run.plan, result, files, lists_made, changes, wall_s, pictures)
    if result:
        report.save()
        write_report_page(report)
    # Else the report on disk, of the run that made the files, says more.
    elif retagged or unlisted or changes.stale.removed:
        titles = [chapter.title for chapter in run.plan.chapters]
        report.save(retagged_content(report, (entry.folder, *changes.reused_from), titles))
    return report


def _write_lists(
    run: Run,
    missing: Iterable[OutputSpec],
    specs: Sequence[OutputSpec],
    made: Mapping[OutputSpec, OutputFile],
) -> dict[OutputSpec, OutputFile]:
    """Write the missing playlists and cue sheets. Raises OutputUnwritable."""
    entry, written = run.library_entry, dict[OutputSpec, OutputFile]()
    listed = {spec: made[spec] for spec in specs if spec.format == run.job.formats[0]}
    for spec in missing:
        lengths = entry.lengths_of(next(iter(listed)))
        written[spec] = write_list(run.plan, spec, entry.folder, listed, lengths)
    entry.record(written.items())
    return written


def _retag_files(
    run: Run, missing: Iterable[OutputSpec]
) -> tuple[dict[OutputSpec, Reusable], dict[OutputSpec, OutputFile]]:
    """Make files of finished ones that sound alike: which ones were found, and the files.

    Raises OutputError, Interrupted.
    """
    entry, retagged = run.library_entry, dict[OutputSpec, OutputFile]()

    def start(item: tuple[OutputSpec, Reusable]) -> Future[OutputFile]:
        run.context.check()
        spec, source = item
        return run.executor.submit(
            f"retag {spec.name}", retag_file, run.plan, spec, source, entry.folder
        )

    with entry.reusable_files(missing) as found, stop_stages_on_error(run.executor, run.context):
        if found:
            entry.create_folder()
        files = map_in_order(start, found.items(), RECORDINGS_IN_FLIGHT)
        for (spec, source), file in zip(found.items(), files, strict=True):
            entry.record([(spec, file)], source.record.lengths)
            retagged[spec] = file
    return found, retagged


def _make_files(
    run: Run, specs: Sequence[OutputSpec], missing: Sequence[OutputSpec], started: float
) -> RunResult:
    """Render and measure the book, and encode the missing ones of the files `specs`."""
    # Music that cannot be played fails the run now, before anything slow begins.
    pieces = load_pieces(run.job, run.plan.sample_rate)
    planned = time.perf_counter()
    waiter = RunWaiter(run.context.check, say, run.job.outage_s)
    store_session = open_store(run.job.store, waiter).session()
    with store_session as store, run.pool, stop_stages_on_error(run.executor, run.context):
        plan, gains_db, windows, chapters = _render_windows(run, store)
        run = replace(run, plan=plan)
        measured = time.perf_counter()
        silent = silent_segments(run.plan, chapters)
        require_speech(run.plan, silent)
        music = add_music(run.job, run.plan, pieces, specs, chapters)
        chapters = tuple(chain.from_iterable(one.chapters for one in music.values()))
        limits = open_renderer(run.job.engine, run.job.options).limits
        told = {key: found for window in windows for key, found in window.findings.items()}
        places = chapter_places(music, chapters)
        suspects = find_suspects(run.plan.chapters, chapters, limits, told, places)
        regions = _regions(run, music)
        levelling = _plan_levels(run, store, specs, music, regions)
        audio = [spec for spec in missing if spec.is_audio]
        recorded = _encode_recordings(run, store, audio, music, regions, levelling)
        transcripts = _write_transcripts(run, missing, windows, chapters)
    render_intervals = (interval for window in windows for interval in window.render_intervals)
    stage_times = compute_stage_times(
        started, planned, render_intervals, measured, time.perf_counter()
    )
    return RunResult(
        windows,
        chapters,
        silent,
        suspects,
        gains_db,
        music,
        levelling,
        recorded,
        transcripts,
        tuple(run.context.warnings),
        tuple(run.context.usages),
        stage_times,
    )


def _plan_levels(
    run: Run,
    store: ShardStore,
    specs: Sequence[OutputSpec],
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

    return plan_levels(run.job, music, specs, regions, loss_db)


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


def _process_pool_for(plan: Plan) -> ProcessPool:
    """A pool of at most one process for each region of the book; of none if the book is short."""
    is_long = plan.estimated_s >= PROCESSES_FROM_S
    n = min(usable_cores(), math.ceil(plan.estimated_s / REGION_S)) if is_long else 0
    return ProcessPool(n, CHILD_MODULES)


def _render_windows(
    run: Run, store: ShardStore
) -> tuple[Plan, dict[str, float], tuple[WindowResult, ...], tuple[MeasuredChapter, ...]]:
    """Render all windows. Measure each chapter as soon as its last window is rendered.

    Returns the plan with the voices' gains, too. No chapter is measured before they are known.
    """
    plan, gains_db = run.plan, dict[str, float]()
    run.context.progress.begin(Step.RENDER, run.plan.estimated_s)
    results: list[WindowResult] = []
    chapters: dict[int, Future[MeasuredChapter]] = {}
    tasks = window_tasks(run.job, plan.windows, plan.book.title)
    for result in run.executor.render_windows(tasks, store, run.context):
        results.append(result)
        if plan.level_requests and result.index == plan.levels_window:
            gains_db = _measured_gains(run, store)
            plan = with_gains(plan, gains_db)
        for index, chapter in enumerate(plan.chapters):
            if index not in chapters and chapter.last_window <= result.index:
                chapters[index] = run.executor.submit(
                    chapter.name,
                    measure_chapter,
                    run.job,
                    store,
                    chapter,
                    run.context,
                    run.pool,
                )
    in_book_order = (chapters[index].result() for index in range(len(plan.chapters)))
    return plan, gains_db, tuple(results), tuple(in_book_order)


def _measured_gains(run: Run, store: ShardStore) -> dict[str, float]:
    """The gains of voices that are louder or softer than the main one. Raises RenderError."""
    levels = run.executor.submit(
        "measure the voices", measure_voices, run.job, store, run.plan.level_requests, run.context
    )
    return voice_gains_db(levels.result())


def _encode_recordings(
    run: Run,
    store: ShardStore,
    missing: Iterable[OutputSpec],
    music: Mapping[Recording, RecordingMusic],
    regions: Mapping[Recording, tuple[EncodeRegion, ...]],
    levelling: Levelling,
) -> dict[tuple[OutputSpec, ...], EncodedOutput]:
    """Encode each recording into all its missing formats, and enter the files in the library."""
    folder, rate = run.library_entry.folder, run.plan.sample_rate
    targets = {
        specs: tuple(_target(spec, folder, levelling) for spec in specs)
        for specs in (
            tuple(alike) for _, alike in groupby(missing, key=lambda spec: spec.recording)
        )
    }
    n_samples = sum(
        n_passes(wanted, rate) * _n_samples(music[specs[0].recording])
        for specs, wanted in targets.items()
    )
    run.context.progress.begin(Step.ENCODE, n_samples / rate)
    run.library_entry.create_folder()

    def start(specs: tuple[OutputSpec, ...]) -> Future[EncodedOutput]:
        recording = specs[0].recording
        marks = book_marks(music[recording].chapters)
        metadata = FileMetadata(marks, recording.tags, recording.cover)
        return run.executor.submit(
            f"encode {', '.join(spec.name for spec in specs)}",
            encode_recording,
            run.job,
            store,
            EncodePlan(regions[recording], metadata),
            targets[specs],
            run.context,
            run.pool,
        )

    results: dict[tuple[OutputSpec, ...], EncodedOutput] = {}
    encoded = map_in_order(start, targets, RECORDINGS_IN_FLIGHT)
    for specs, recorded in zip(targets, encoded, strict=True):
        finished = zip(specs, recorded.files, strict=True)
        run.library_entry.record(finished, _lengths(music[specs[0].recording]))
        results[specs] = recorded
    return results


def _lengths(music: RecordingMusic) -> ChapterLengths:
    """How long a recording's chapters are."""
    n_samples = tuple(chapter.n_samples for chapter in music.chapters)
    return ChapterLengths(music.chapters[0].sample_rate, n_samples)


def _target(spec: OutputSpec, folder: Path, levelling: Levelling) -> Target:
    level = levelling[spec.recording, spec.format]
    return Target(spec.format, folder / spec.name, spec.encoding, level.master, level.tone_db)


def _n_samples(music: RecordingMusic) -> int:
    return sum(chapter.n_samples for chapter in music.chapters)


def _write_transcripts(
    run: Run,
    missing: Iterable[OutputSpec],
    windows: Iterable[WindowResult],
    chapters: Sequence[MeasuredChapter],
) -> dict[OutputSpec, OutputFile]:
    """Write the missing transcripts, and enter them in the library. Raises OutputUnwritable."""
    specs = tuple(spec for spec in missing if spec.is_transcript)
    if not specs:
        return {}
    shards = {key: shard for window in windows for key, shard in window.shards.items()}
    title, folder = "write the transcripts", run.library_entry.folder
    written = run.executor.submit(
        title, write_transcripts, run.plan, specs, folder, shards, chapters, run.context
    ).result()
    run.library_entry.record(written.items())
    return written


def _draw_plots(
    run: Run, missing: Iterable[OutputSpec], made: Mapping[OutputSpec, OutputFile]
) -> dict[OutputSpec, DrawnPlot]:
    """Draw the missing pictures from the finished files, and enter them in the library.

    Raises OutputError, Interrupted.
    """
    audio = {spec.recording: file for spec, file in made.items() if spec.is_audio}

    def start(spec: OutputSpec) -> Future[DrawnPlot]:
        run.context.check()
        path, of = run.library_entry.folder / spec.name, audio[spec.recording]
        title = spec.recording.tags.title
        return run.executor.submit(
            f"draw {spec.name}", draw_plot, of, path, title, run.job.mastering, run.context
        )

    plots: dict[OutputSpec, DrawnPlot] = {}
    specs = tuple(missing)
    for spec, drawn in zip(specs, map_in_order(start, specs, usable_cores()), strict=True):
        run.library_entry.record([(spec, drawn.file)])
        plots[spec] = drawn
    return plots


def _update_sidecars(
    run: Run, specs: Sequence[OutputSpec], result: RunResult | None
) -> tuple[str, ...]:
    """Write what has changed beside the audio of a whole book; the names of files not ours.

    Chapters are known if audio was made or recorded; else readers take those in the audio.
    """
    if run.job.chapters or not specs:
        return ()
    book = SidecarBook(
        replace(specs[0].recording.tags, track=0, n_tracks=0, disc=0, n_discs=0, part=""),
        run.plan.book.cover,
        book_marks(result.chapters) if result else _recorded_marks(run, specs),
        run.plan.sample_rate,
    )
    names = run.job.delivery.sidecars
    digest = times_digest(run.job, run.made_from)
    return run.library_entry.update_sidecars(names, book, digest)


def _recorded_marks(run: Run, specs: Sequence[OutputSpec]) -> tuple[Mark, ...]:
    """The chapters of the whole book, as recorded of its finished files; () if they are not."""
    lengths = [
        run.library_entry.lengths_of(spec) for spec in specs if spec.format == run.job.formats[0]
    ]
    n_samples = [n for one in lengths if one for n in one.n_samples]
    if None in lengths or len(n_samples) != len(run.plan.chapters):
        return ()
    of_book = ChapterLengths(run.plan.sample_rate, tuple(n_samples))
    return book_marks(recorded_chapters(run.plan.chapters, of_book))
