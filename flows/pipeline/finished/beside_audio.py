"""Brings what stands beside a book's audio up to date: sidecars and pictures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from audiomill.flows.delivery.plots import DrawnPlot, draw_plot
from audiomill.flows.pipeline.finished.retagging import recorded_chapters
from audiomill.flows.pipeline.planning.fingerprints import times_digest
from audiomill.flows.pipeline.planning.output_specs import OutputSpec
from audiomill.flows.pipeline.result import RunResult
from audiomill.flows.pipeline.run import Run
from audiomill.outputs.metadata.chapters import Mark, book_marks
from audiomill.outputs.metadata.sidecars import SidecarBook
from audiomill.outputs.types import OutputFile
from audiomill.renderers.host.cores import usable_cores
from audiomill.renderers.host.threads import Future, map_in_order


def draw_plots(
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
            f"draw {spec.name}",
            draw_plot,
            of,
            path,
            title,
            run.job.mastering,
            run.context,
            run.library_entry.announcer(spec),
        )

    plots: dict[OutputSpec, DrawnPlot] = {}
    specs = tuple(missing)
    for spec, drawn in zip(specs, map_in_order(start, specs, usable_cores()), strict=True):
        run.library_entry.record([spec])
        plots[spec] = drawn
    return plots


def update_sidecars(
    run: Run, specs: Sequence[OutputSpec], result: RunResult | None
) -> tuple[str, ...]:
    """Write what has changed beside the audio of a whole book; the names of files not ours.

    Raises OutputUnwritable.
    """
    if run.job.chapters or not specs:
        return ()
    book = SidecarBook(
        replace(specs[0].recording.tags, track=0, n_tracks=0, disc=0, n_discs=0, part=""),
        run.plan.book.cover,
        _marks(run, specs, result),
        run.plan.sample_rate,
    )
    names = run.job.delivery.sidecars
    digest = times_digest(run.job, run.made_from)
    return run.library_entry.update_sidecars(names, book, digest)


def _marks(run: Run, specs: Sequence[OutputSpec], result: RunResult | None) -> tuple[Mark, ...]:
    """The chapters of a file of the whole book, if they are known; else readers take its own.

    Of a split book there are none. A server that joins its files adds up lengths as ffprobe gives
    them, which for MP3 and Opus may count what the encoder adds: 60 ms a file.
    """
    if run.job.split:
        return ()
    return book_marks(result.chapters) if result else _recorded_marks(run, specs)


def _recorded_marks(run: Run, specs: Sequence[OutputSpec]) -> tuple[Mark, ...]:
    """The chapters of the whole book, as recorded of its finished file; () if they are not."""
    of_book = next(spec for spec in specs if spec.format == run.job.formats[0])
    lengths = run.library_entry.lengths_of(of_book)
    if lengths is None or len(lengths.n_samples) != len(run.plan.chapters):
        return ()
    return book_marks(recorded_chapters(run.plan.chapters, lengths))
