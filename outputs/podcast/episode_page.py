"""The page of an episode: its player, chapters, show notes and transcript.

Source of what a transcript says and when: WebVTT (w3.org/TR/webvtt1), a block with a line of times,
then text. Settings, comments, styles and voices are left out.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from audiomill.inputs.markup.parser import Element
from audiomill.outputs.formats.registry import EPISODE_TRANSCRIPTS, TRANSCRIPTS
from audiomill.outputs.pages.html_tree import Content, element, link_to, text_element
from audiomill.outputs.podcast.page_parts import (
    cover,
    episode_player,
    facts,
    icon,
    language_of,
    outside_link,
    podcast_page,
    safe_notes,
    site,
    time_link,
    title_of,
)
from audiomill.outputs.podcast.show import INDEX_NAME, Episode, EpisodeChapter, Show
from audiomill.outputs.podcast.urls import web_url
from audiomill.outputs.text import UNTITLED, clock, line, prose

_TIME = r"(?:(\d{2,}):)?([0-5]\d):([0-5]\d)\.(\d{3})"
_TIMES = re.compile(rf"{_TIME}[ \t]+-->[ \t]+{_TIME}")
_TAG = re.compile(r"<[^>]*>")
_BLANK_LINES = re.compile(r"\n{2,}")
_PARAGRAPH_S, _LONGEST_S = 30.0, 60.0
_SENTENCE_END = re.compile(r"[.!?…。！？][^\w\s]*\Z")
_ROUNDING_S = 0.01  # of the times of cues and chapters


@dataclass(frozen=True, slots=True)
class TimedWord:
    """Characters [first, last) of a text, which are said from `start_s` on."""

    start_s: float
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class TimedWords:
    """Words that are said from `start_s` on. `each` are those whose own times are known."""

    start_s: float
    text: str
    each: tuple[TimedWord, ...] = ()


def timed_words(vtt: str) -> list[TimedWords]:
    """The cues of a WebVTT file, in the order of the file."""
    blocks = _BLANK_LINES.split("\n".join(vtt.lstrip("\N{BYTE ORDER MARK}").splitlines()))
    return [words for block in blocks if (words := _words(block)) and words.text]


def paragraphs(
    words: Sequence[TimedWords],
    chapters_s: Sequence[float] = (),
    titles: Collection[str] = (),
) -> Iterator[list[TimedWords]]:
    """The words in groups of about half a minute, so that few times stand between them.

    A chapter, which begins at one of `chapters_s`, begins a group. One of `titles` that it begins
    with is a group of its own. A sentence is not cut, but for one that goes on for another half
    minute.
    """
    group: list[TimedWords] = []
    after_title = False
    for one in words:
        begins = _chapter(one, chapters_s) > (_chapter(group[-1], chapters_s) if group else 0)
        ends = after_title or (group and _is_full(group, one.start_s - group[0].start_s))
        if group and (begins or ends):
            yield group
            group = []
        group.append(one)
        after_title = begins and one.text in titles
    if group:
        yield group


def _is_full(group: Sequence[TimedWords], duration_s: float) -> bool:
    is_whole = _SENTENCE_END.search(group[-1].text) or duration_s >= _LONGEST_S
    return duration_s >= _PARAGRAPH_S and bool(is_whole)


def _chapter(words: TimedWords, chapters_s: Sequence[float]) -> int:
    """How many chapters have begun."""
    return bisect_right(chapters_s, words.start_s + _ROUNDING_S)


def _words(block: str) -> TimedWords | None:
    times = _TIMES.search(block)
    if not times:
        return None
    hours, minutes, seconds, milliseconds = (int(one or 0) for one in times.groups()[:4])
    _, _, text = block[times.end() :].partition("\n")
    plain = html.unescape(_TAG.sub("", text))
    start_s = 3600 * hours + 60 * minutes + seconds + milliseconds / 1000
    return TimedWords(start_s, " ".join(prose(plain).split()))


_KINDS = {TRANSCRIPTS[name].media_type: name.upper() for name in EPISODE_TRANSCRIPTS}


def episode_page(show: Show, episode: Episode, words: Sequence[TimedWords] = ()) -> bytes:
    """The page as UTF-8. `words` are those of its transcript. It opens from a disk, too."""
    main = element(
        "main",
        {},
        _header(show, episode),
        element("div", {"class": "player"}, episode_player(episode, episode.page_name)),
        *_notes(show, episode),
        *_chapter_list(show, episode),
        *_transcript(show, episode, words),
    )
    image = episode.image or show.image
    return podcast_page(
        f"{title_of(episode)} – {line(show.title)}",
        [_way_back(show, episode), main],
        [icon(image, episode.page_name)],
        is_private=show.is_private,
    )


def _way_back(show: Show, episode: Episode) -> Element:
    address = link_to(INDEX_NAME, episode.page_name)
    link = element(
        "a", {"href": address}, "← ", text_element("span", line(show.title), show.language)
    )
    return element("nav", {"aria-label": "Show"}, link)


def _header(show: Show, episode: Episode) -> Element:
    title = title_of(episode)
    image = episode.image or show.image
    return element(
        "header",
        {"class": "episode"},
        cover(image, title, episode.page_name),
        element(
            "div", {}, text_element("h1", title, language_of(show, episode)), facts(show, episode)
        ),
    )


def _notes(show: Show, episode: Episode) -> list[Element]:
    notes = safe_notes(episode.show_notes_html)
    if not len(notes) and not (notes.text or "").strip():
        return []
    notes.attrib.update({"class": "notes", "lang": language_of(show, episode), "dir": "auto"})
    return [element("section", {}, element("h2", {}, "Show notes"), notes)]


def _chapter_list(show: Show, episode: Episode) -> list[Element]:
    if not episode.chapters:
        return []
    language = language_of(show, episode)
    items = [
        element(
            "li",
            {},
            time_link(
                chapter.start_s,
                episode,
                episode.page_name,
                element("span", {"class": "clock"}, clock(chapter.start_s)),
                " ",
                text_element("span", line(chapter.title) or UNTITLED, language),
            ),
            *_chapter_link(chapter),
        )
        for chapter in episode.chapters
    ]
    listed = element("ol", {"class": "chapters"}, *items)
    return [element("section", {}, element("h2", {}, "Chapters"), listed)]


def _chapter_link(chapter: EpisodeChapter) -> list[Element]:
    """A link to what the chapter is about, such as an article of a digest."""
    url = web_url(chapter.link)
    return [outside_link(url, site(url))] if url else []


def _transcript(show: Show, episode: Episode, words: Sequence[TimedWords]) -> list[Element]:
    if not words and not episode.transcripts:
        return []
    starts_s = [chapter.start_s for chapter in episode.chapters]
    groups = paragraphs(words, starts_s, [line(chapter.title) for chapter in episode.chapters])
    text = [_paragraph(show, episode, group) for group in groups]
    heading = element("h2", {}, "Transcript")
    section = element("section", {"class": "transcript"}, heading, *text, *_files(episode))
    return [section]


def _paragraph(show: Show, episode: Episode, group: Sequence[TimedWords]) -> Element:
    start_s = group[0].start_s
    time = time_link(start_s, episode, episode.page_name, clock(start_s))
    time.attrib["class"] = "clock"
    spans = [_place(one.start_s, *_with_places(one)) for one in group]
    for span in spans:
        span.tail = " "
    text = element("span", {"lang": language_of(show, episode), "dir": "auto"}, *spans)
    return element("p", {}, time, " ", text)


def _with_places(words: TimedWords) -> Iterator[Content]:
    """The text, in which each word that has a time is a place to play from."""
    at = 0
    for one in words.each:
        yield words.text[at : one.first]
        yield _place(one.start_s, words.text[one.first : one.last])
        at = one.last
    yield words.text[at:]


def _place(start_s: float, *content: Content) -> Element:
    return element("span", {"data-at": f"{start_s:.3f}"}, *content)


def _files(episode: Episode) -> list[Element]:
    links = [
        element(
            "a",
            {"href": link_to(one.name, episode.page_name), "type": one.media_type},
            _KINDS.get(one.media_type, one.media_type),
        )
        for one in episode.transcripts
    ]
    parts = [part for one in links for part in (" · ", one)][1:]
    return [element("p", {"class": "facts"}, "As a file: ", *parts)] if links else []
