"""Writes the report of a run beside its files: as JSON, and as a page of the same data.

    earlier report.json ─▶ skipped, remarks, suspects, times ─┐
    this run ─▶ files, tags, levels, chapters ────────────────┴─▶ report.json

A run that has encoded nothing knows less than the run before had learned. The earlier report is
used only if it tells of the same audio.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np

from audiomill.flows.pipeline.library.entry import LibraryEntry
from audiomill.flows.pipeline.library.ownership import MAX_REPORT_BYTES
from audiomill.flows.pipeline.planning.fingerprints import SUSPECTS_VERSION
from audiomill.flows.pipeline.report import Report
from audiomill.flows.pipeline.run_state import RunResult
from audiomill.inputs.metadata.covers import thumbnail
from audiomill.outputs.files import read_file
from audiomill.outputs.pages.curves import HOP_S, Curves, curves_of_loudness
from audiomill.outputs.pages.picture import Plot, facts
from audiomill.outputs.pages.plot_names import PlotMark
from audiomill.outputs.pages.report_content import read_content
from audiomill.outputs.pages.report_page import Figure, report_page
from audiomill.outputs.types import Loudness, MeasuredChapter

Json = dict[str, Any]

OTHER_CHECK = (
    "The places under “suspects” were found by the check of another version, which may take others"
    " for faults. To have the audio checked anew, move its files away and run again: what the store"
    " has is not rendered again."
)

MAX_PICTURES = 8  # on a page; more would make it large, and are files of their own anyway
# What only the run knows that has made the audio.
_MADE = (
    *("wall_s", "realtime_factor", "segments", "rendered", "cached", "repeated", "extra_takes"),
    *("characters_billed", "bytes_billed", "skipped", "skipped_by_reason", "skipped_text"),
    *("ledger", "voices", "remarks", "suspects", "music", "ffmpeg"),
)
# What a report says of the files that it tells of.
_OF_FILES = ("title", "authors", "language", "source", "made_from", "files", "samples", "lists")


def save_report(entry: LibraryEntry, report: Report, reused_from: Iterable[Path]) -> None:
    """Write the report, unless the one that is there tells of the same files. It may know more.

    `reused_from` are other folders with the same audio. Raises OutputUnwritable.
    """
    content, is_new = report.full(), True
    if report.result is None:
        there, now = load_report(report.path), json.loads(_as_json(content))
        is_new = not tells_of_the_same(there, now)
        paths = [folder / report.path.name for folder in (entry.folder, *reused_from)]
        known = with_earlier(now, paths) if is_new else there
        content = with_check_noted(known)
        is_new = is_new or content is not known
    # The page first: whether both are up to date is seen by the report file.
    if is_new or not report.page_path.exists():
        entry.write_report(report.page_path.name, page_of(report, content))
    if is_new:
        entry.write_report(report.path.name, _as_json(content))


def _as_json(content: dict[str, Any]) -> bytes:
    text = json.dumps(content, ensure_ascii=False, indent=1)
    # A file name need not be valid text. Its other bytes are surrogates, which UTF-8 cannot encode;
    # they are written as escapes, which JSON can read.
    return text.encode(errors="backslashreplace")


def load_report(path: Path) -> Json:
    """The report in `path`; {} if there is none that can be read."""
    try:
        loaded = json.loads(read_file(path, MAX_REPORT_BYTES))
    except (OSError, ValueError, RecursionError):
        return {}
    return cast("Json", loaded) if isinstance(loaded, dict) else {}


def tells_of_the_same(one: Json, other: Json) -> bool:
    """Whether two reports tell of the same files, with the same tags."""
    return all(one.get(name) == other.get(name) for name in _OF_FILES)


def with_earlier(now: Json, paths: Iterable[Path]) -> Json:
    """The report `now`, with what the first of those in `paths` knows that tells of its audio."""
    for path in paths:
        earlier = load_report(path)
        # Reports of before said nothing of what they are made from.
        if earlier and earlier.get("made_from", now["made_from"]) == now["made_from"]:
            try:
                joined = _joined(now, earlier)
                read_content(joined)
            except (KeyError, TypeError, ValueError, AttributeError):  # of another program
                continue
            return joined
    return now


def with_check_noted(report: Json) -> Json:
    """The report, which says of suspects that another version's check has found that it has.

    The check needs the sound of all segments, which a run that makes nothing does not read.
    """
    is_of_now = report.get("suspects_version", 0) == SUSPECTS_VERSION
    warnings = report.get("warnings", [])
    if is_of_now or not report.get("suspects") or OTHER_CHECK in warnings:
        return report
    return report | {"warnings": [*warnings, OTHER_CHECK]}


def _joined(now: Json, earlier: Json) -> Json:
    """Both, under the titles and names that chapters and files have now."""
    work: Json = earlier.get("work", {})
    places = _Places(work.get("chapters", ()), now["work"]["chapters"])
    joined = now | {name: earlier[name] for name in _MADE if name in earlier}
    return joined | {
        "warnings": [*dict.fromkeys((*now["warnings"], *work.get("warnings", ())))],
        "remarks": [places.moved(one, "where") for one in joined["remarks"]],
        "suspects": [places.moved(one, "chapter") for one in joined["suspects"]],
        "suspects_version": earlier.get("suspects_version", 0),
        "music": [places.moved(one) for one in joined["music"]],
        # Old records know nothing of levels and chapters.
        "work": work | {name: value for name, value in now["work"].items() if value},
    }


class _Places:
    """The recordings and titles of chapters that have others now."""

    def __init__(self, before: Iterable[Json], now: Iterable[Json]) -> None:
        self._recordings = dict[str, str]()
        self._titles = dict[tuple[str, str], str]()
        for old, new in zip(before, now, strict=False):
            recording = old.get("recording", "")
            self._recordings.setdefault(recording, new["recording"])
            self._titles.setdefault((recording, old["title"]), new["title"])

    def moved(self, place: Mapping[str, Any], title: str = "") -> Json:
        """A place in the report, whose key `title` is that of its chapter, as it is called now."""
        moved, recording = dict(place), place.get("recording", "")
        if "recording" in place:
            moved["recording"] = self._recordings.get(recording, recording)
        if title:
            moved[title] = self._titles.get((recording, place[title]), place[title])
        return moved


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
        curves = curves_of_loudness(parts, encoded[0].sample_rate)
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
    return curves_of_loudness(parts, result.chapters[0].sample_rate)


def _parts(chapter: MeasuredChapter, gain_db: float) -> Iterator[Loudness]:
    """The chapter's own sound with its gain, between silence where music is."""
    n_own = chapter.n_samples - chapter.n_before - chapter.n_after
    for n_samples in (chapter.n_before, None, chapter.n_after):
        if n_samples is None:
            yield Loudness(chapter.loudness.block_powers * 10 ** (gain_db / 10), n_own)
        elif n_samples > 0:
            yield Loudness(np.zeros(round(n_samples / chapter.sample_rate / HOP_S)), n_samples)
