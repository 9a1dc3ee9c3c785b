"""The report of a run as one HTML page that needs nothing else. Pure: data in, bytes out.

cover, title, facts ─▶ what to do ─▶ pictures ─▶ files ─▶ chapters ─▶ places to listen to
─▶ warnings ─▶ what is not spoken ─▶ voices, time, levels, settings
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import quote

from audiomill.inputs.book import Cover
from audiomill.inputs.markup.parser import Element
from audiomill.outputs.pages.clean_text import line
from audiomill.outputs.pages.html_tree import Content, element, page_bytes
from audiomill.outputs.pages.times import clock, duration
from audiomill.outputs.plot.picture import Plot, decibels, draw, plot_style
from audiomill.outputs.report.advice import advice_for
from audiomill.outputs.report.content import (
    ChapterEntry,
    FileEntry,
    PlaceEntry,
    ReportContent,
    SkippedEntry,
)
from audiomill.outputs.report.tables import (
    BookWords,
    Cell,
    content,
    facts_list,
    folded,
    listed,
    numbers,
    section,
    table,
    texts,
)
from audiomill.outputs.report.time_bar import time_bar
from audiomill.outputs.text import UNTITLED

MAX_ROWS = 200  # of a table about texts; the report file has all
_MAX_TEXT = 300  # characters of a text in a table
_MAX_OPEN = 60  # chapters that are not folded
_CREDITS = "credits"


@dataclass(frozen=True, slots=True, eq=False)
class Figure:
    """A picture of a recording, or of the whole run if `caption` says so."""

    caption: str
    plot: Plot


def report_page(
    report: ReportContent, cover: Cover | None = None, pictures: Sequence[Figure] = ()
) -> bytes:
    """The page as UTF-8."""
    audio = first_files(report.files)
    parts = [
        *_advice(report),
        *_pictures(pictures),
        *_files(report),
        *_chapters(report, audio),
        *_places(report.suspects, audio, "Listen to these", "suspects", _SUSPECTS, report.language),
        *_places(report.remarks, audio, "Spoken otherwise", "remarks", _REMARKS, report.language),
        *_lines("Warnings", "warnings", report.warnings),
        *_skipped(report),
        *_voices(report),
        *_times(report),
        *_levels(report),
    ]
    footer = element("footer", {}, f"{duration(report.audio_s)} of audio, made by audiomill.")
    body = [_header(report, cover), element("main", {}, *parts), footer]
    title = f"{line(report.title) or UNTITLED} – report"
    style = plot_style() + _style()
    return page_bytes(title, body, [{"rel": "icon", "href": "data:,"}], style=style)


@cache
def _style() -> str:
    return Path(__file__).with_name("report.css").read_text(encoding="utf-8")


def first_files(files: Sequence[FileEntry]) -> dict[str, str]:
    """The file of each recording to listen to, by the recording's name."""
    audio: dict[str, str] = {}
    for file in files:
        audio.setdefault(file.recording, file.name)
    return audio


def _header(report: ReportContent, cover: Cover | None) -> Element:
    n = len(report.chapters)
    about = [
        duration(report.audio_s),
        *([f"{n:,} chapter{'' if n == 1 else 's'}"] if n else []),
        f"made in {duration(report.wall_s)} ({report.realtime_factor:,.0f}x real time)",
    ]
    name = element("h1", {}, content(BookWords(line(report.title) or UNTITLED, report.language)))
    authors = ", ".join(map(line, report.authors))
    by = [element("p", {"class": "author"}, content(BookWords(authors)))] if authors else []
    text = element("div", {}, name, *by, element("p", {"class": "facts"}, " · ".join(about)))
    return element("header", {"class": "report"}, *_cover(report, cover), text)


def _cover(report: ReportContent, cover: Cover | None) -> list[Element]:
    if cover is None:
        return []
    address = f"data:{cover.media_type};base64,{b64encode(cover.data).decode()}"
    alt = f"Cover of {line(report.title) or UNTITLED}"
    return [element("img", {"class": "cover", "src": address, "alt": alt})]


def _advice(report: ReportContent) -> list[Element]:
    advice = list(advice_for(report))
    items = [
        element("li", {}, element("a", {"href": f"#{one.section}"}, one.text)) for one in advice
    ]
    inside = [element("ul", {}, *items)] if items else []
    if not items:
        inside.append(element("p", {}, "Nothing. All that was to be read is spoken."))
    notes = [element("p", {}, line(note, 1000)) for note in report.notes]
    return [section("What to do next", *inside, *notes, name="next")]


def _pictures(pictures: Sequence[Figure]) -> list[Element]:
    if not pictures:
        return []
    figures = [
        element(
            "figure",
            {},
            element(
                "div",
                {
                    "class": "scroll",
                    "role": "region",
                    "aria-label": line(one.caption),
                    "tabindex": "0",
                },
                draw(one.plot, is_alone=False),
            ),
            element("figcaption", {}, content(BookWords(one.caption))),
        )
        for one in pictures
    ]
    return [section("Sound", *figures, name="sound")]


def _files(report: ReportContent) -> list[Element]:
    if not report.files:
        return []
    with_levels = any(one.loudness_lufs is not None for one in report.files)
    columns = [
        *(texts("File"), texts("Format"), numbers("Size")),
        *(numbers("Duration"), numbers("Chapters")),
        *([numbers("LUFS"), numbers("dBTP")] if with_levels else []),
    ]
    rows = [
        (
            element("a", {"href": quote(one.name)}, content(BookWords(one.name))),
            one.format,
            size(one.n_bytes),
            clock(one.duration_s),
            f"{one.n_chapters:,}",
            *((_level(one.loudness_lufs), _level(one.true_peak_dbtp)) if with_levels else ()),
        )
        for one in report.files
    ]
    listing = table("Files", columns, rows)
    n = len(rows)
    shown = folded(f"{n} files", listing) if n > _MAX_OPEN else listing
    others = [f"{name}{' (out of date)' if is_old else ''}" for name, is_old in report.other_files]
    also = (
        [element("h3", {}, "Also in the folder"), listed(map(BookWords, others))] if others else []
    )
    return [section("Files", shown, *also, name="files")]


def _chapters(report: ReportContent, audio: Mapping[str, str]) -> list[Element]:
    if not report.chapters:
        return []
    columns = [
        *(
            numbers("Start"),
            texts("Chapter"),
            numbers("Duration"),
        ),
        *(numbers("Words"), numbers("LUFS")),
    ]
    rows = [
        (
            time_link(one.recording, one.at_s, audio),
            _chapter_title(one, report.language),
            clock(one.duration_s),
            "" if one.words is None else f"{one.words:,}",
            _level(one.loudness_lufs),
        )
        for one in report.chapters
    ]
    n = len(rows)
    listing = table("Chapters", columns, rows)
    many = folded(f"{n:,} chapters", listing) if n > _MAX_OPEN else listing
    note = element(
        "p", {"class": "facts"}, "Levels of chapters are those of the voice, before the limiter."
    )
    return [section("Chapters", many, note, name="chapters")]


def _chapter_title(one: ChapterEntry, language: str) -> Element:
    inside: list[Content] = [content(BookWords(line(one.title) or UNTITLED, language))]
    if one.is_credits:
        inside.append(element("span", {"class": "facts"}, f" {_CREDITS}"))
    return element("span", {"class": f"level-{min(max(one.level, 1), 4)}"}, *inside)


_SUSPECTS = ("At", "What is heard", "Chapter", "Text")
_REMARKS = ("At", "What was done", "Chapter", "Text")


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
    listing = table(heading, columns, rows)
    return [section(heading, listing, *_more(len(places)), name=name)]


def _more(n: int) -> list[Element]:
    if n <= MAX_ROWS:
        return []
    return [element("p", {"class": "facts"}, f"{n - MAX_ROWS:,} more are in the report file.")]


def _lines(heading: str, name: str, lines: Sequence[str]) -> list[Element]:
    if not lines:
        return []
    shown = listed(BookWords(one, max_chars=1000) for one in lines[:MAX_ROWS])
    return [section(heading, shown, *_more(len(lines)), name=name)]


def _skipped(report: ReportContent) -> list[Element]:
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


def _voices(report: ReportContent) -> list[Element]:
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
            "" if one.spoken_s is None else clock(one.spoken_s),
        )
        for one in report.voices
    ]
    spoken = [(name, BookWords(text, report.language, _MAX_TEXT)) for name, text in report.credits]
    said = [element("h3", {}, "Credits"), facts_list(spoken)] if spoken else []
    return [section("Voices", table("Voices", columns, rows), *said, name="voices")]


def _times(report: ReportContent) -> list[Element]:
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


def _levels(report: ReportContent) -> list[Element]:
    levels = [section("Levels", facts_list(report.levels), name="levels")] if report.levels else []
    settings = facts_list(
        (name, BookWords(value, max_chars=1000)) for name, value in report.settings
    )
    return [*levels, section("Settings", settings, name="settings")]


def time_link(recording: str, at_s: float | None, audio: Mapping[str, str]) -> Element:
    """A time, as a link that opens the recording there (Media Fragments URI, w3.org/TR)."""
    if at_s is None:
        return element("span", {}, "")
    if recording not in audio:
        return element("span", {}, clock(at_s))
    return element("a", {"href": f"{quote(audio[recording])}#t={at_s:.3f}"}, clock(at_s))


def size(n_bytes: int | None) -> str:
    """The size of a file such as "31.4 MB"; "" if it is unknown."""
    if n_bytes is None:
        return ""
    for unit, factor in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if n_bytes >= factor:
            return f"{n_bytes / factor:.1f} {unit}"
    return f"{n_bytes} bytes"


def _level(level: float | None) -> str:
    return "" if level is None else decibels(level)
