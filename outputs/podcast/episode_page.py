"""The page of an episode: its show notes, and its text, which is read while it is heard.

The reader is that of a book's page (`outputs/readalong/web/`). Its files lie in the show's folder
once, for all episodes, and are named by their content.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from copy import deepcopy
from functools import cache

from audiomill.inputs.languages.writing import is_right_to_left
from audiomill.inputs.markup.parser import Element
from audiomill.inputs.model.comparison import comparison_key
from audiomill.outputs.formats.registry import EPISODE_TRANSCRIPTS, TRANSCRIPTS
from audiomill.outputs.pages.html_tree import element, link_to, text_beside, text_element
from audiomill.outputs.podcast.page_parts import (
    cover,
    episode_player,
    facts,
    icon,
    language_of,
    safe_notes,
    title_of,
)
from audiomill.outputs.podcast.show import INDEX_NAME, Episode, Show
from audiomill.outputs.readalong.web.assets import READER, Asset, asset
from audiomill.outputs.readalong.web.page import (
    ReaderPage,
    reader_assets,
    reader_page,
    reader_style,
)
from audiomill.outputs.readalong.web.recorded_text import RecordedText
from audiomill.outputs.text import line

_KINDS = {TRANSCRIPTS[name].media_type: name.upper() for name in EPISODE_TRANSCRIPTS}


@cache
def episode_assets() -> tuple[Asset, Asset]:
    """The style and the script of the pages of all episodes."""
    style = reader_style() + text_beside(__file__, "episode.css")
    return asset(READER, ".css", style.encode()), reader_assets()[1]


def episode_page(show: Show, episode: Episode, text: RecordedText) -> bytes:
    """The page as UTF-8. It opens from a disk, too."""
    style, script = (link_to(one.name, episode.page_name) for one in episode_assets())
    return reader_page(
        ReaderPage(
            kind="episode",
            key=_key(episode),
            title=f"{title_of(episode)} – {line(show.title)}",
            style=style,
            script=script,
            contents=deepcopy(text.contents),
            main=_main(show, episode, text),
            icon=icon(episode.image or show.image, episode.page_name),
            is_private=show.is_private,
        )
    )


def _key(episode: Episode) -> str:
    """What browsers keep a reader's place by: it stays when the episode is made anew."""
    return hashlib.sha256(episode.guid.encode()).hexdigest()[:16]


def _main(show: Show, episode: Episode, text: RecordedText) -> Element:
    direction = "rtl" if is_right_to_left(text.language) else "ltr"
    section = deepcopy(text.section)
    section.set("data-audio", link_to(episode.enclosure.name, episode.page_name))
    for image in section.iter("img"):
        image.set("src", link_to(image.get("src") or "", episode.page_name))
    heading = _take_title(section, title_of(episode))
    if heading is None:
        heading = text_element("h1", title_of(episode), language_of(show, episode))
    return element(
        "main",
        {"id": "book", "lang": text.language, "dir": direction},
        _header(show, episode, heading),
        *_notes(show, episode),
        section,
        *_files(episode),
    )


def _take_title(section: Element, title: str) -> Element | None:
    """Take the headings that say its title out of a text; the one that is spoken, if any."""
    named = [one for one in section.iter("h1") if _says(one, title)]
    spoken = next(filter(_is_spoken, named), None)
    for heading in named:
        around = heading.getparent()
        if around is not None and (heading is spoken or not _is_spoken(heading)):
            around.remove(heading)
    return spoken


def _says(heading: Element, title: str) -> bool:
    words = "".join(map(str, heading.itertext()))
    has_tail = bool((heading.tail or "").strip())
    return not has_tail and comparison_key(words) == comparison_key(title)


def _is_spoken(heading: Element) -> bool:
    return any((one.get("id") or "").startswith("s") for one in heading.iter())  # a clip's


def _header(show: Show, episode: Episode, heading: Element) -> Element:
    address = link_to(INDEX_NAME, episode.page_name)
    back = element("a", {"href": address}, text_element("span", line(show.title), show.language))
    # Without scripts the browser's own player plays.
    player = element("noscript", {}, episode_player(episode, episode.page_name))
    return element(
        "header",
        {"class": "title"},
        cover(episode.image or show.image, title_of(episode), episode.page_name),
        element("p", {"class": "show", "lang": "en", "dir": "ltr"}, back),
        heading,
        facts(show, episode),
        player,
    )


def _notes(show: Show, episode: Episode) -> Iterator[Element]:
    notes = safe_notes(episode.show_notes_html)
    if len(notes) or (notes.text or "").strip():
        notes.attrib.update({"lang": language_of(show, episode), "dir": "auto"})
        heading = element("h2", {"lang": "en", "dir": "ltr"}, "Show notes")
        yield element("section", {"class": "notes"}, heading, notes)


def _files(episode: Episode) -> Iterator[Element]:
    links = [
        element(
            "a",
            {"href": link_to(one.name, episode.page_name), "type": one.media_type},
            _KINDS.get(one.media_type, one.media_type),
        )
        for one in episode.transcripts
    ]
    parts = [part for one in links for part in (" · ", one)][1:]
    if parts:
        text = element("p", {"class": "facts"}, "The transcript as a file: ", *parts)
        yield element("footer", {"lang": "en", "dir": "ltr"}, text)
