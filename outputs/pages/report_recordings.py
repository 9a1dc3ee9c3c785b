"""The finished recordings on the page: their files, and their chapters with times to open. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import quote

from audiomill.inputs.markup.parser import Element
from audiomill.outputs.formats.registry import PLOT
from audiomill.outputs.pages.html_tree import Content, element, place_link
from audiomill.outputs.pages.picture import decibels
from audiomill.outputs.pages.report_content import ChapterEntry, FileEntry, ReportContent
from audiomill.outputs.pages.tables import (
    BookWords,
    content,
    folded_if_many,
    listed,
    numbers,
    section,
    table,
    texts,
)
from audiomill.outputs.text import UNTITLED, clock, line

_CREDITS = "credits"
_CHANGED = "changed since it was made"


def first_files(files: Sequence[FileEntry]) -> dict[str, str]:
    """The file of each recording to listen to, by the recording's name."""
    audio: dict[str, str] = {}
    for file in files:
        audio.setdefault(file.recording, file.name)
    return audio


def time_link(recording: str, at_s: float | None, audio: Mapping[str, str]) -> Element:
    """A time, as a link that plays the recording from there."""
    if at_s is None:
        return element("span", {}, "")
    if recording not in audio:
        return element("span", {}, clock(at_s))
    return place_link(quote(audio[recording]), at_s, clock(at_s))


def files(report: ReportContent) -> list[Element]:
    """The finished files, and what else is in their folder."""
    if not report.files:
        return []
    with_levels = any(one.loudness_lufs is not None for one in report.files)
    columns = [
        *(texts("File"), texts("Format"), numbers("Size")),
        *(numbers("Duration"), numbers("Chapters")),
        *([numbers("LUFS"), numbers("RMS dB"), numbers("dBTP")] if with_levels else []),
    ]
    rows = [
        (
            _file_name(one),
            one.format,
            size(one.n_bytes),
            *(("", "") if one.format == PLOT else (clock(round(one.duration_s)), _n_chapters(one))),
            *(map(_level, one.levels) if with_levels else ()),
        )
        for one in report.files
    ]
    listing = table("Files", columns, rows)
    shown = folded_if_many(len(rows), "files", listing)
    others = [f"{name}{' (out of date)' if is_old else ''}" for name, is_old in report.other_files]
    also = (
        [element("h3", {}, "Also in the folder"), listed(map(BookWords, others))] if others else []
    )
    return [section("Files", shown, *also, name="files")]


def _n_chapters(file: FileEntry) -> str:
    """How many chapters it marks; "" for a transcript, which marks none."""
    return f"{file.n_chapters:,}" if file.n_chapters else ""


def _file_name(file: FileEntry) -> Element:
    link = element("a", {"href": quote(file.name)}, content(BookWords(file.name)))
    if not file.is_changed:
        return link
    return element("span", {}, link, element("span", {"class": "facts"}, f" {_CHANGED}"))


def chapters(report: ReportContent, audio: Mapping[str, str]) -> list[Element]:
    """The chapters, each with a link that opens `audio` where it begins."""
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
    top = min((one.level for one in report.chapters if not one.is_credits), default=1)
    rows = [
        (
            time_link(one.recording, one.at_s, audio),
            _chapter_title(one, report.language, top),
            clock(round(one.duration_s)),
            "" if one.words is None else f"{one.words:,}",
            _level(one.loudness_lufs),
        )
        for one in report.chapters
    ]
    listing = folded_if_many(len(rows), "chapters", table("Chapters", columns, rows))
    note = element(
        "p", {"class": "facts"}, "Levels are measured in the encoded file, with any music."
    )
    return [section("Chapters", listing, note, name="chapters")]


def _chapter_title(one: ChapterEntry, language: str, top: int) -> Element:
    """The title, indented by its depth under the book's uppermost chapters, at level `top`.

    Their own heading may have been left out, and credits are above nothing.
    """
    depth = 1 if one.is_credits else 1 + one.level - top
    inside: list[Content] = [content(BookWords(line(one.title) or UNTITLED, language))]
    if one.is_credits and _CREDITS not in one.title.lower():
        inside.append(element("span", {"class": "facts"}, f" {_CREDITS}"))
    return element("span", {"class": f"level-{min(depth, 4)}"}, *inside)


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
