"""Parts of the show's page and of the episodes' pages: covers, players, dates and durations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

from audiomill.inputs.markup.parser import Element
from audiomill.outputs.pages.html_tree import (
    Content,
    element,
    link_to,
    page_bytes,
    place_link,
    player,
    player_script,
    text_element,
)
from audiomill.outputs.podcast.show import Episode, Show
from audiomill.outputs.podcast.urls import web_url
from audiomill.outputs.text import UNTITLED, duration, line

_BETWEEN = " · "


def podcast_page(
    title: str, body: Sequence[Element], links: Sequence[Mapping[str, str]], *, is_private: bool
) -> bytes:
    """A whole page as UTF-8, with the style and the script of all pages of a show."""
    style, script = _read("page.css"), player_script() + _read("page.js")
    return page_bytes(title, body, links, style=style, script=script, is_private=is_private)


def language_of(show: Show, episode: Episode) -> str:
    """The language of an episode's text."""
    return episode.language or show.language


def title_of(episode: Episode) -> str:
    """The title on one line, never empty."""
    return line(episode.title) or UNTITLED


def cover(image: str, title: str, page_name: str) -> Element:
    """The picture; without one in the show's folder, a tile with the first letter of the title.

    A picture of another server is not shown: a page asks nothing of any other.
    """
    if image and not web_url(image):
        return element("img", {"class": "cover", "src": link_to(image, page_name), "alt": ""})
    letter = next((one for one in title if one.isalnum()), "…").upper()
    return element("div", {"class": "cover letter", "aria-hidden": "true"}, letter)


def icon(image: str, page_name: str) -> dict[str, str]:
    """The `<link>` of the page's icon. Without one a browser would ask the server for its own."""
    is_file = image and not web_url(image)
    return {"rel": "icon", "href": link_to(image, page_name) if is_file else "data:,"}


def episode_player(episode: Episode, page_name: str) -> Element:
    """The controls of an episode's audio."""
    address = link_to(episode.enclosure.name, page_name)
    return player(address, f"Play {title_of(episode)}")


def facts(show: Show, episode: Episode) -> Element:
    """A line with the date, the duration, the authors, and the article's site as a link."""
    authors = ", ".join(name for one in episode.authors if (name := line(one)))
    parts: list[Content] = [
        element("time", {"datetime": episode.published.isoformat()}, day(episode.published)),
        duration(episode.duration_s),
    ]
    if authors:
        parts.append(text_element("span", authors, language_of(show, episode)))
    if url := web_url(episode.link):
        parts.append(outside_link(url, f"Article on {site(url)}"))
    return element("p", {"class": "facts"}, *_joined(parts))


def outside_link(url: str, text: str) -> Element:
    """A link to another site, which does not learn where it came from."""
    return element("a", {"href": url, "rel": "noopener noreferrer"}, text)


def site(url: str) -> str:
    """The name of the site of a URL, as people say it."""
    return (urlsplit(url).hostname or url).removeprefix("www.")


def day(moment: datetime) -> str:
    """A date such as "24 November 2026"."""
    return f"{moment.day} {moment:%B %Y}"


def time_link(seconds: float, episode: Episode, page_name: str, *content: Content) -> Element:
    """A link to a position of the audio, which the page's player jumps to."""
    return place_link(link_to(episode.enclosure.name, page_name), seconds, *content)


def _joined(parts: Sequence[Content]) -> list[Content]:
    return [one for part in parts for one in (_BETWEEN, part)][1:]


@cache
def _read(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")
