"""The page of an episode: its player, chapters, show notes and transcript."""

from __future__ import annotations

from collections.abc import Sequence

from audiomill.inputs.markup.parser import Element
from audiomill.outputs.pages.html_tree import element, link_to, text_element
from audiomill.outputs.pages.page_text import clock, line
from audiomill.outputs.podcast.page_parts import (
    cover,
    episode_player,
    facts,
    icon,
    language_of,
    outside_link,
    podcast_page,
    site,
    time_link,
    title_of,
)
from audiomill.outputs.podcast.show import INDEX_NAME, Episode, EpisodeChapter, Show
from audiomill.outputs.podcast.show_notes import safe_notes
from audiomill.outputs.podcast.timed_words import TimedWords, paragraphs
from audiomill.outputs.podcast.urls import web_url
from audiomill.outputs.text import UNTITLED

_KINDS = {"text/vtt": "VTT", "application/x-subrip": "SRT"}


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
    spans = [element("span", {"data-at": f"{one.start_s:.3f}"}, one.text) for one in group]
    for span in spans:
        span.tail = " "
    text = element("span", {"lang": language_of(show, episode), "dir": "auto"}, *spans)
    return element("p", {}, time, " ", text)


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
