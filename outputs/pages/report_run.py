"""The run itself on the page: voices, credits, time as bar and table, levels, settings. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from audiomill.inputs.markup.parser import Element
from audiomill.outputs.pages.html_tree import element
from audiomill.outputs.pages.report_content import ReportContent
from audiomill.outputs.pages.svg import node
from audiomill.outputs.pages.tables import (
    BookWords,
    Cell,
    facts_list,
    numbers,
    section,
    table,
    texts,
)
from audiomill.outputs.text import clock

_MAX_TEXT = 300  # characters of what credits say
_WIDTH, _HEIGHT = 1000.0, 28
_LEAST = 0.5  # narrower stages are not seen


def voices(report: ReportContent) -> list[Element]:
    """Who reads how much, and what the credits say."""
    if not report.voices:
        return []
    columns = [
        *(texts("Voice"), texts("Reads"), numbers("Segments")),
        *(numbers("Words"), numbers("Speaks for")),
    ]
    rows = [
        (
            BookWords(one.name),
            BookWords(", ".join(one.parts)),
            f"{one.segments:,}",
            f"{one.words:,}",
            "" if one.spoken_s is None else clock(round(one.spoken_s)),
        )
        for one in report.voices
    ]
    spoken = [(name, BookWords(text, report.language, _MAX_TEXT)) for name, text in report.credits]
    said = [element("h3", {}, "Credits"), facts_list(spoken)] if spoken else []
    return [section("Voices", table("Voices", columns, rows), *said, name="voices")]


def times(report: ReportContent) -> list[Element]:
    """How long each stage took, and how much was done."""
    if not report.stages:
        return []
    total_s = sum(seconds for _, seconds in report.stages) or 1.0
    columns = [
        texts("Stage"),
        numbers("Seconds"),
        numbers("Share"),
    ]
    rows: list[Sequence[Cell]] = [
        (
            element("span", {"class": f"key stage-{number}"}, words),
            f"{seconds:,.1f}",
            f"{seconds / total_s:.0%}",
        )
        for number, (words, seconds) in enumerate(report.stages)
    ]
    listing = table("Time", columns, rows)
    return [section("Time", time_bar(report.stages), listing, facts_list(report.work), name="time")]


def levels_and_settings(report: ReportContent) -> list[Element]:
    """Levels, and the settings of the run."""
    levels = [section("Levels", facts_list(report.levels), name="levels")] if report.levels else []
    settings = facts_list(
        (name, BookWords(value, max_chars=1000)) for name, value in report.settings
    )
    return [*levels, section("Settings", settings, name="settings")]


def time_bar(stages: Sequence[tuple[str, float]]) -> Element:
    """The bar. The table below it has the same as text, so it is hidden from screen readers."""
    total_s = sum(seconds for _, seconds in stages) or 1.0
    x, parts = 0.0, list[Element]()
    for number, (words, seconds) in enumerate(stages):
        width = seconds / total_s * _WIDTH
        if width >= _LEAST:
            about = node("title", f"{words}: {seconds:.1f} s")
            rect = node("rect", about, x=x, y=0, width=width, height=_HEIGHT)
            rect.set("class", f"stage-{number}")
            parts.append(rect)
        x += width
    return node(
        "svg",
        *parts,
        class_="times",
        view_box=f"0 0 {_WIDTH:g} {_HEIGHT}",
        aria_hidden="true",
        preserveAspectRatio="none",
    )
