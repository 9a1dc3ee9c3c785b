"""The whole way from a source to finished files. Start reading here.

    read ─▶ plan ─▶ render windows ─▶ measure chapters ─▶ level, encode ─▶ transcripts ─▶ report
                         └── chapters are measured, of a long book encoded, while later windows
                             render

`inputs/segmentation/pauses.py` decides how long the pauses are, `levelling.py` the gain of the
files; `outputs/audio/` joins and limits.

The stages, in this order: `planning/` (which reads the book), `render_book.py`, `encode_book.py`
and the other files beside this one, the report; `library/` has the records of finished files. An
`Executor` (`execution/executor.py`) runs them concurrently: in threads, or as Prefect tasks. No
stage knows Prefect, and none holds more audio than it is working on. Finished work is never
repeated: the library finds whole files by their fingerprint, and the store finds segments by their
key.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from audiomill.flows.console import say
from audiomill.flows.execution.executor import Executor
from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.execution.stage_times import compute_stage_times
from audiomill.flows.job import Job
from audiomill.flows.pipeline.chapter_audio import EncodeRegion
from audiomill.flows.pipeline.companion_files import draw_plots, update_sidecars, write_lists
from audiomill.flows.pipeline.early_start import EarlyStart
from audiomill.flows.pipeline.encode_ahead import EncodeAhead, files_encoded_ahead
from audiomill.flows.pipeline.encode_book import ToMake, encode_book, run_store
from audiomill.flows.pipeline.encode_recordings import marked_lengths
from audiomill.flows.pipeline.library.changes import LibraryChanges, StaleFiles
from audiomill.flows.pipeline.library.opening import open_library_entry
from audiomill.flows.pipeline.library.records import edition_of
from audiomill.flows.pipeline.long_chapters import part_long_chapters
from audiomill.flows.pipeline.music import digest_music, load_pieces
from audiomill.flows.pipeline.planning.cuts import cut_keys, cuts_fit, with_cuts
from audiomill.flows.pipeline.planning.fingerprints import book_digests
from audiomill.flows.pipeline.planning.manuscript import read_manuscript
from audiomill.flows.pipeline.planning.output_specs import OutputSpec, possible_specs
from audiomill.flows.pipeline.planning.plan import Plan, describe_cost, make_plan, require_segments
from audiomill.flows.pipeline.render_book import RenderedBook, render_book
from audiomill.flows.pipeline.report import Report, make_report, report_names
from audiomill.flows.pipeline.report_files import save_report
from audiomill.flows.pipeline.requested_files import RequestedFiles, requested_files
from audiomill.flows.pipeline.retagging import retag_files
from audiomill.flows.pipeline.run_state import FinishedRecording, Run, RunFiles, RunResult
from audiomill.flows.pipeline.speech_check import open_recogniser
from audiomill.flows.setting_sources import named_ffmpeg
from audiomill.outputs.ffmpeg.find_ffmpeg import choose_ffmpeg
from audiomill.outputs.formats.region_ends import REGION_S
from audiomill.outputs.formats.region_tasks import RegionTask
from audiomill.outputs.formats.registry import FORMATS, PLAYLIST, PLOT
from audiomill.outputs.types import OutputFile
from audiomill.renderers.engine.registry import open_renderer
from audiomill.renderers.host.cores import usable_cores
from audiomill.renderers.host.malloc import limit_malloc_arenas
from audiomill.renderers.host.process_pool import ProcessPool
from audiomill.renderers.store.store import ShardStore

# Books of fewer seconds of audio use no child processes: starting one takes 0.3 s of a core.
PROCESSES_FROM_S = 1200.0
NICENESS = 10  # of those that encode beside the engine
# Each child process imports these modules before it gets a task.
CHILD_MODULES = (EncodeRegion.__module__, RegionTask.__module__)


def run_pipeline(job: Job, executor: Executor, context: RunContext) -> Report:
    """Make every file that `job` asks for and the library lacks.

    Raises UsageError, SourceError, RenderError, StoreError, OutputError, Interrupted.
    """
    started = time.perf_counter()
    limit_malloc_arenas()
    # A missing encoder fails the run now, before anything slow begins.
    ffmpeg = choose_ffmpeg(named_ffmpeg(), [FORMATS[name].encoder for name in job.formats])
    recogniser = open_recogniser(job)
    on_chapter = EarlyStart(job) if executor.renders_here else None
    manuscript = executor.submit("read the book", read_manuscript, job, on_chapter).result()
    renderer = open_renderer(job.engine, job.options)
    plan = make_plan(manuscript, job, renderer, executor.n_shared_windows)
    require_segments(plan, job)
    if cost := describe_cost(plan, renderer.limits):
        say(cost)
    edition = edition_of(job, plan.book, renderer)
    music = digest_music(job)
    digests = book_digests(plan, job, music)
    keys = cut_keys(plan, job, music, renderer.limits)
    possible = possible_specs(plan, job, digests)
    context = context.for_one_book()
    with open_library_entry(
        plan.book, job.source, edition, possible, job.out, context
    ) as library_entry:
        pool, ahead_pool = (
            executor.task_pool(_process_pool_for(plan, niceness)) for niceness in (0, NICENESS)
        )
        run = Run(
            job=job,
            plan=plan,
            digests=digests,
            executor=executor,
            context=context,
            pool=pool,
            ahead_pool=ahead_pool,
            library_entry=library_entry,
            cut_keys=keys,
            ffmpeg=ffmpeg,
            possible=possible,
            recogniser=recogniser,
        )
        return _run_stages(run, started)


@dataclass(frozen=True, slots=True)
class _ReusedFiles:
    """What a run found in the library, once finished files have got other metadata."""

    requested: RequestedFiles
    changes: LibraryChanges
    retagged: Mapping[OutputSpec, OutputFile]
    is_cut: bool  # the plan has all chapters in parts that are too long for a file

    @property
    def to_make(self) -> ToMake:
        missing = (one for one in self.requested.missing if one not in self.retagged)
        encoded = tuple(one for one in missing if not one.is_plot)
        return ToMake(self.requested.specs, self.requested.samples, encoded)


def _run_stages(run: Run, started: float) -> Report:
    """Make the files that the library lacks, and the report. `started` is when the run did."""
    known = run.library_entry.known_cuts(run.cut_keys)
    if cuts_fit(run.plan, cuts := run.cut_keys.cuts(known)):
        run = replace(run, plan=with_cuts(run.plan, cuts))
    reused, result = _reuse_finished(run, is_cut=run.cut_keys.are_known(known)), None
    if reused.to_make.missing or reused.requested.missing_readalongs:
        run, reused, result = _make_missing(run, reused, started)
    requested, changes = reused.requested, reused.changes
    kept = update_sidecars(run, requested.specs, result)
    made = {**reused.retagged, **(result.files if result else {})}
    files = _write_derived_files(run, requested, made, result)
    kept += run.library_entry.foreign_reports(report_names(run.job, run.plan))
    changes = replace(changes.with_stale(_remove_stale(run, requested)), kept_beside=kept)
    wall_s = time.perf_counter() - started
    report = make_report(run.job, run.plan, run.digests.audio, files, changes, run.ffmpeg, wall_s)
    save_report(run.library_entry, report, changes.reused_from)
    if not run.job.chapters:  # else an interrupted run of the whole book may go on
        run.library_entry.drop_regions()
    return report


def _reuse_finished(run: Run, *, is_cut: bool) -> _ReusedFiles:
    """Find what is finished, make sure of the other names, and give new metadata where it is due.

    Until it is known where chapters are cut, names and numbers of tracks may change, so files keep
    their metadata. Raises OSError, OutputError, Interrupted.
    """
    entry, requested = run.library_entry, requested_files(run)
    missing = (
        *requested.missing,
        *requested.missing_lists,
        *requested.missing_readalongs,
    )
    possible = (*_possible_specs(run), *requested.samples)
    changes = entry.changes(requested.all_specs, missing, possible)
    entry.require_own(missing)
    found, retagged = retag_files(run, requested.missing if is_cut else ())
    return _ReusedFiles(requested, changes.with_retagged(found), retagged, is_cut)


def _possible_specs(run: Run) -> tuple[OutputSpec, ...]:
    """Every file that could be made in the folder of the book: most often those known before."""
    ending = run.library_entry.ending
    if not run.plan.cuts and not ending:
        return run.possible
    return possible_specs(run.plan, run.job, run.digests, ending)


def _make_missing(
    run: Run, reused: _ReusedFiles, started: float
) -> tuple[Run, _ReusedFiles, RunResult]:
    """Make what is missing. If chapters are too long for a file, the run begins anew with parts.

    Raises UsageError, RenderError, StoreError, OutputError, Interrupted.
    """
    # Music that cannot be played fails the run now, before anything slow begins.
    pieces = load_pieces(run.job, run.plan.sample_rate)
    planned = time.perf_counter()
    with run_store(run) as store:
        if any(spec.is_audio for spec in reused.to_make.missing):
            run.pool.prepare()  # else its processes may have nothing to do
        # Chapters that are yet to be cut are not known well enough to be encoded.
        ahead = reused.to_make.missing if reused.is_cut else ()
        rendered = _render(run, store, reused.to_make.specs, ahead)
        book = part_long_chapters(run, store, rendered)
        run.library_entry.remember_cuts(run.cut_keys.by_chapter(book.plan.cuts))
        if book.plan.cuts != run.plan.cuts or not reused.is_cut:
            run = replace(run, plan=with_cuts(run.plan, book.plan.cuts))
            reused = _reuse_finished(run, is_cut=True)
        intervals = (one for window in book.windows for one in window.render_intervals)
        times = partial(compute_stage_times, started, planned, intervals, time.perf_counter())
        result = encode_book(run, store, book, pieces, reused.to_make, times)
    return run, reused, result


def _render(
    run: Run, store: ShardStore, specs: Sequence[OutputSpec], missing: Sequence[OutputSpec]
) -> RenderedBook:
    """Render a book, and if it is long, encode its `missing` files meanwhile as far as they go.

    `specs` are all files of the run. Raises RenderError, StoreError, Interrupted.
    """
    wanted = files_encoded_ahead(run, missing)
    if not wanted:
        return render_book(run, store)
    ahead = EncodeAhead(run, store, specs, wanted)
    with ahead.running():
        book = render_book(run, store, ahead.put)
    return replace(book, predicted=ahead.predicted)


def _write_derived_files(
    run: Run,
    requested: RequestedFiles,
    made: Mapping[OutputSpec, OutputFile],
    result: RunResult | None,
) -> RunFiles:
    """Draw and write what is made of finished files: pictures, playlists, cue sheets.

    Raises OutputError, Interrupted.
    """
    entry, files = run.library_entry, {**requested.finished, **made}
    plots = draw_plots(run, [spec for spec in requested.missing if spec.is_plot], files)
    files |= {spec: drawn.file for spec, drawn in plots.items()}
    files |= write_lists(run, requested.missing_lists, requested.specs, files)
    if result is not None and requested.missing_readalongs:
        # Most runs write none, so its 30 modules are not loaded before.
        from audiomill.flows.pipeline.readalong import write_readalongs

        files |= write_readalongs(run, requested.missing_readalongs, requested.specs, files, result)
    return RunFiles(
        tuple(files[spec] for spec in (*requested.specs, *requested.readalongs)),
        tuple(files[spec] for spec in requested.samples),
        {
            spec.name: levels
            for spec in (*requested.specs, *requested.samples)
            if (levels := entry.levels_of(spec))
        },
        _recordings(run, requested.specs, result),
        tuple(files[spec] for spec in requested.lists),
        tuple(drawn.plot for drawn in plots.values()),
        result,
    )


def _recordings(
    run: Run, specs: Iterable[OutputSpec], result: RunResult | None
) -> tuple[FinishedRecording, ...]:
    """The recordings of the run; none if the lengths of some are not known."""
    entry, found = run.library_entry, list[FinishedRecording]()
    for spec in specs:
        if spec.format != run.job.formats[0]:
            continue
        recording = spec.recording
        known = (
            marked_lengths(recording, result.music[recording]) if result else entry.lengths_of(spec)
        )
        if known is None or len(known.n_samples) != recording.last - recording.first:
            return ()
        found.append(FinishedRecording(recording, known, entry.levels_of(spec)))
    return tuple(found)


def _remove_stale(run: Run, requested: RequestedFiles) -> StaleFiles:
    """Remove files of chapters that are gone, if all were made. Raises OutputUnwritable."""
    if run.job.chapters:
        return StaleFiles()
    formats = {*run.job.formats, *run.job.transcripts, *run.job.readalongs, PLAYLIST}
    formats |= {PLOT} if run.job.plot else set()
    return run.library_entry.remove_stale(requested.all_specs, formats, is_split=run.job.split)


def _process_pool_for(plan: Plan, niceness: int) -> ProcessPool:
    """A pool of at most one process for each region of the book; of none if the book is short."""
    is_long = plan.estimated_s >= PROCESSES_FROM_S
    n = min(usable_cores(), math.ceil(plan.estimated_s / REGION_S)) if is_long else 0
    return ProcessPool(n, CHILD_MODULES, niceness)
