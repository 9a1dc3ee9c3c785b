"""Writes the report of a run as a page beside the report file, of the same data."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from audiomill.flows.pipeline.reporting.report import Report
from audiomill.flows.pipeline.result import RunResult
from audiomill.inputs.covers import thumbnail
from audiomill.outputs.files import write_atomically
from audiomill.outputs.plot.chapter_names import PlotMark
from audiomill.outputs.plot.curves import HOP_S, curves_of_loudness
from audiomill.outputs.plot.picture import Plot, facts
from audiomill.outputs.report.content import read_content
from audiomill.outputs.report.page import Figure, report_page
from audiomill.outputs.types import Loudness, MeasuredChapter

MAX_PICTURES = 8  # on a page; more would make it large, and are files of their own anyway


def write_report_page(report: Report) -> None:
    """Write the page of a run that made files. Raises OutputUnwritable."""
    cover = thumbnail(report.cover) if report.cover else None
    page = report_page(read_content(report.full()), cover, _pictures(report))
    write_atomically(report.page_path, page)


def _pictures(report: Report) -> list[Figure]:
    """Those of the finished files, if they were drawn and are few; else one of the whole run."""
    if 0 < len(report.plots) <= MAX_PICTURES:
        return [Figure(_caption(plot), plot) for plot in report.plots]
    return [_measured_picture(report, report.result)] if report.result else []


def _caption(plot: Plot) -> str:
    return f"{plot.title}: as it was encoded. {', '.join(facts(plot.curves))}."


def _measured_picture(report: Report, result: RunResult) -> Figure:
    """The loudness of the chapters as they were measured, with the gain that they got."""
    rate = result.chapters[0].sample_rate
    parts = [
        part
        for chapter, gain_db in zip(result.chapters, result.chapter_gains_db, strict=True)
        for part in _parts(chapter, gain_db)
    ]
    curves = curves_of_loudness(parts, 0.0, rate)
    marks = tuple(PlotMark(one.title, one.start_s) for one in report.chapters)
    target_lufs = report.job.mastering.target_lufs
    caption = "Loudness of the voice with its gain, before the limiter and without music."
    return Figure(caption, Plot(report.title, curves, marks, target_lufs))


def _parts(chapter: MeasuredChapter, gain_db: float) -> Iterator[Loudness]:
    """The chapter's own sound with its gain, between silence where music is."""
    n_own = chapter.n_samples - chapter.n_before - chapter.n_after
    for n_samples in (chapter.n_before, None, chapter.n_after):
        if n_samples is None:
            yield Loudness(chapter.loudness.block_powers * 10 ** (gain_db / 10), n_own)
        elif n_samples > 0:
            yield Loudness(np.zeros(round(n_samples / chapter.sample_rate / HOP_S)), n_samples)
