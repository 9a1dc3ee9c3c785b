"""The report of a run as one HTML page that needs nothing else. Pure: data in, bytes out.

cover, title, facts ─▶ controls ─▶ what to do ─▶ pictures ─▶ files ─▶ chapters
─▶ places to listen to ─▶ warnings ─▶ what is not spoken ─▶ voices, time, levels, settings
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from audiomill.inputs.markup.parser import Element
from audiomill.inputs.model.book import Cover
from audiomill.outputs.pages.html_tree import (
    element,
    page_bytes,
    player,
    player_script,
    text_beside,
)
from audiomill.outputs.pages.picture import Plot, draw, plot_style
from audiomill.outputs.pages.report_content import ReportContent
from audiomill.outputs.pages.report_recordings import chapters, files, first_files
from audiomill.outputs.pages.report_run import levels_and_settings, times, voices
from audiomill.outputs.pages.report_texts import remarks, skipped, suspects, warnings
from audiomill.outputs.pages.tables import BookWords, content, section
from audiomill.outputs.text import UNTITLED, counted, duration, line

_PLAYS = 'playPlaces(document.querySelector("audio"));'
_READ_IF_ASKED = frozenset(
    (
        *("footnote or endnote", "code", "table", "caption", "index"),
        *("bibliography or list of works", "cover, title, copyright or imprint page"),
        "alternative text of a picture",
    )
)


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
        *_player(report, audio),
        *_advice(report),
        *_pictures(pictures),
        *files(report),
        *chapters(report, audio),
        *suspects(report, audio),
        *remarks(report, audio),
        *warnings(report),
        *skipped(report),
        *voices(report),
        *times(report),
        *levels_and_settings(report),
    ]
    footer = element("footer", {}, f"{duration(report.audio_s)} of audio, made by audiomill.")
    body = [_header(report, cover), element("main", {}, *parts), footer]
    title = f"{line(report.title) or UNTITLED} – report"
    style = plot_style() + text_beside(__file__, "report.css")
    script = player_script() + _PLAYS if audio else ""
    return page_bytes(title, body, [{"rel": "icon", "href": "data:,"}], style=style, script=script)


def _player(report: ReportContent, audio: Mapping[str, str]) -> list[Element]:
    """The controls of the first recording; a link with a time plays any other in them."""
    label = f"Play {line(report.title) or UNTITLED}"
    first = [player(quote(name), label) for name in audio.values()][:1]
    return [element("div", {"class": "player"}, one) for one in first]


def _header(report: ReportContent, cover: Cover | None) -> Element:
    n = len(report.chapters)
    about = [
        duration(report.audio_s),
        *([_count(n, "chapter")] if n else []),
        f"made in {duration(report.wall_s)}{_pace(report)}",
    ]
    name = element("h1", {}, content(BookWords(line(report.title) or UNTITLED, report.language)))
    authors = ", ".join(map(line, report.authors))
    by = [element("p", {"class": "author"}, content(BookWords(authors)))] if authors else []
    text = element("div", {}, name, *by, element("p", {"class": "facts"}, " · ".join(about)))
    return element("header", {"class": "report"}, *_cover(report, cover), text)


def _pace(report: ReportContent) -> str:
    factor = report.realtime_factor
    return "" if factor is None else f" ({factor:,.0f}x real time)"


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


@dataclass(frozen=True, slots=True)
class Advice:
    """A thing to do, and the part of the page that it is about."""

    text: str
    section: str  # its address on the page; "": none


def advice_for(content: ReportContent) -> Iterator[Advice]:
    """Things that the person could do next, most urgent first."""
    if n := len(content.suspects):
        yield Advice(f"Listen to {_count(n, 'place')} that may sound wrong.", "suspects")
    if n := len(content.remarks):
        yield Advice(
            f"Give words a pronunciation: {_count(n, 'word')} could not be spoken as written. A"
            " lexicon beside the book corrects them; only their sentences are rendered again.",
            "remarks",
        )
    if n := len(content.warnings):
        yield Advice(f"Read {_count(n, 'warning')}.", "warnings")
    n = sum(len(content.skipped[one]) for one in content.skipped if one in _READ_IF_ASKED)
    if n and ("read", "everything") not in content.settings:
        yield Advice(
            f"{_count(n, 'text')} such as notes, code or imprint {'is' if n == 1 else 'are'} not"
            " spoken. With --read everything, they are.",
            "skipped",
        )
    if n := sum(outdated for _, outdated in content.other_files):
        yield Advice(
            f"{_count(n, 'file')} in the folder {'is' if n == 1 else 'are'} from an earlier text or"
            " other settings: render that format again, or delete what you do not want.",
            "files",
        )


def _count(n: int, noun: str) -> str:
    return counted(n, noun, grouping=",")
