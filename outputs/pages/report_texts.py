"""Texts of the book on the page: what may sound wrong, was changed, or is not spoken. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from audiomill.inputs.markup.parser import Element
from audiomill.outputs.pages.html_tree import element
from audiomill.outputs.pages.report_content import PlaceEntry, ReportContent, SkippedEntry
from audiomill.outputs.pages.report_recordings import time_link
from audiomill.outputs.pages.tables import (
    BookWords,
    folded,
    folded_if_many,
    listed,
    numbers,
    section,
    table,
    texts,
)

MAX_ROWS = 200  # of a table about texts; the report file has all
_MAX_TEXT = 300  # characters of a text in a table


def suspects(report: ReportContent, audio: Mapping[str, str]) -> list[Element]:
    """Places that may sound wrong."""
    headings = ("At", "What is heard", "Chapter", "Text")
    places = report.suspects
    return _places(places, audio, "Listen to these", "suspects", headings, report.language)


def remarks(report: ReportContent, audio: Mapping[str, str]) -> list[Element]:
    """Places that are not spoken as written."""
    headings = ("At", "What was done", "Chapter", "Text")
    places = report.remarks
    return _places(places, audio, "Spoken otherwise", "remarks", headings, report.language)


def warnings(report: ReportContent) -> list[Element]:
    """The warnings of the run."""
    if not report.warnings:
        return []
    lines = [BookWords(one, max_chars=1000) for one in report.warnings[:MAX_ROWS]]
    shown = folded_if_many(len(lines), "warnings", listed(lines))
    return [section("Warnings", shown, *_more(len(report.warnings)), name="warnings")]


def skipped(report: ReportContent) -> list[Element]:
    """The texts that are not spoken, by reason."""
    if not report.skipped:
        return []
    groups = [
        _skipped_group(reason, entries, report.language)
        for reason, entries in report.skipped.items()
    ]
    intro = element("p", {"class": "facts"}, "Each text of the source is spoken or listed here.")
    return [section("Not spoken", intro, *groups, name="skipped")]


def _skipped_group(reason: str, entries: Sequence[SkippedEntry], language: str) -> Element:
    rows = [
        (BookWords(one.where), BookWords(one.text, language, _MAX_TEXT))
        for one in entries[:MAX_ROWS]
    ]
    listing = table(reason, [texts("Place"), texts("Text")], rows)
    return folded(f"{len(entries):,} × {reason}", listing, *_more(len(entries)))


def _places(
    places: Sequence[PlaceEntry],
    audio: Mapping[str, str],
    heading: str,
    name: str,
    headings: Sequence[str],
    language: str,
) -> list[Element]:
    if not places:
        return []
    at, *others = headings
    columns = [numbers(at), *map(texts, others)]
    rows = [
        (
            time_link(one.recording, one.at_s, audio),
            one.what,
            BookWords(one.chapter, language),
            BookWords(one.text, language, _MAX_TEXT),
        )
        for one in places[:MAX_ROWS]
    ]
    listing = folded_if_many(len(rows), "places", table(heading, columns, rows))
    return [section(heading, listing, *_more(len(places)), name=name)]


def _more(n: int) -> list[Element]:
    if n <= MAX_ROWS:
        return []
    return [element("p", {"class": "facts"}, f"{n - MAX_ROWS:,} more are in the report file.")]
