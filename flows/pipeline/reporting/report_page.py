"""The report of a run as a page, of the same data as the report file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from audiomill.flows.pipeline.reporting.report import Report
from audiomill.flows.pipeline.run import RunResult
from audiomill.inputs.metadata.covers import thumbnail
from audiomill.outputs.pages.report_content import read_content
from audiomill.outputs.pages.report_page import Figure, report_page
from audiomill.outputs.plot.chapter_names import PlotMark
from audiomill.outputs.plot.curves import HOP_S, Curves, curves_of_loudness
from audiomill.outputs.plot.picture import Plot, facts
from audiomill.outputs.types import Loudness, MeasuredChapter

MAX_PICTURES = 8  # on a page; more would make it large, and are files of their own anyway


def page_of(report: Report, content: Mapping[str, Any]) -> bytes:
    """The page of a run, of the `content` of its report file."""
    cover = thumbnail(report.cover) if report.cover else None
    return report_page(read_content(content), cover, _pictures(report))


def _pictures(report: Report) -> list[Figure]:
    """Those of the finished files, if they were drawn and are few; else one of the whole run."""
    if 0 < len(report.plots) <= MAX_PICTURES:
        return [Figure(_caption(plot), plot) for plot in report.plots]
    if report.result is None:
        return []
    picture = _picture_of_run(report, report.result)
    return [picture] if picture else []


def _caption(plot: Plot) -> str:
    return f"{plot.title}: as it was encoded. {', '.join(facts(plot.curves))}."


def _picture_of_run(report: Report, result: RunResult) -> Figure | None:
    """The loudness of all chapters: as encoded, if the run has encoded all of them.

    None if the gain of some is not known.
    """
    encoded = [one.levels[0] for one in result.recorded.values()]
    if len(encoded) == len(result.music):
        caption = "Loudness as it was encoded."
        parts = [part.loudness for levels in encoded for part in levels.parts]
        curves = curves_of_loudness(parts, 0.0, encoded[0].sample_rate)
    else:
        caption = "Loudness of the voice with its gain, before the limiter and without music."
        gains_db = [one.gain_db for one in report.chapters if one.gain_db is not None]
        if len(gains_db) < len(result.chapters):
            return None
        curves = _measured_curves(result, gains_db)
    marks = tuple(PlotMark(one.title, one.start_s) for one in report.chapters)
    return Figure(caption, Plot(report.title, curves, marks, report.job.mastering.target_lufs))


def _measured_curves(result: RunResult, gains_db: Iterable[float]) -> Curves:
    """The loudness of the chapters as they were measured, with the gains of their files."""
    parts = [
        part
        for chapter, gain_db in zip(result.chapters, gains_db, strict=True)
        for part in _parts(chapter, gain_db)
    ]
    return curves_of_loudness(parts, 0.0, result.chapters[0].sample_rate)


def _parts(chapter: MeasuredChapter, gain_db: float) -> Iterator[Loudness]:
    """The chapter's own sound with its gain, between silence where music is."""
    n_own = chapter.n_samples - chapter.n_before - chapter.n_after
    for n_samples in (chapter.n_before, None, chapter.n_after):
        if n_samples is None:
            yield Loudness(chapter.loudness.block_powers * 10 ** (gain_db / 10), n_own)
        elif n_samples > 0:
            yield Loudness(np.zeros(round(n_samples / chapter.sample_rate / HOP_S)), n_samples)
