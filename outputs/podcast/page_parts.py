"""Parts of the show's page and of the episodes' pages: covers, players, durations, show notes.

Makes the HTML of show notes safe: only a few elements, and links to the web, are left.

The tree is serialised anew, without comments, scripts or foreign elements, so no reader can take
it for other elements than those checked here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from lxml import html

from audiomill.inputs.markup.parser import Element
from audiomill.outputs.pages.html_tree import (
    Content,
    element,
    link_to,
    page_bytes,
    player,
    text_beside,
    text_element,
)
from audiomill.outputs.podcast.show import Episode, Show
from audiomill.outputs.podcast.urls import web_url
from audiomill.outputs.text import UNTITLED, duration, line, prose

_BETWEEN = " · "
_KEPT = frozenset(("p", "a", "em", "strong", "ul", "ol", "li", "blockquote", "code"))
_RENAMED = {
    "b": "strong",
    "i": "em",
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), "p"),
}
# Without their content, which is no text of the notes.
_DROPPED = frozenset(
    (
        *("script", "style", "template", "noscript", "iframe", "object", "embed", "svg", "math"),
        *("head", "title", "textarea", "select", "option", "xmp", "noembed", "noframes"),
    )
)
_INLINE = frozenset(("span", "b", "i", "u", "s", "small", "sub", "sup", "abbr", "mark", "font"))


def podcast_page(
    title: str, body: Sequence[Element], links: Sequence[Mapping[str, str]], *, is_private: bool
) -> bytes:
    """A whole page as UTF-8, with the style and the script of a show's own page."""
    style, script = text_beside(__file__, "page.css"), text_beside(__file__, "page.js")
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


def _joined(parts: Sequence[Content]) -> list[Content]:
    return [one for part in parts for one in (_BETWEEN, part)][1:]


def safe_notes(text: str) -> Element:
    """The notes in a `<div>`. Text of elements that are not kept stays, on a line of its own."""
    # Within an element, so that lxml does not take the text for a whole page.
    root = html.fragment_fromstring(f"<div>{prose(text)}</div>", create_parent="div")
    for each in list(root.iter()):
        if each is not root:
            _clean(each)
    return root


def safe_html(text: str) -> str:
    """The notes as HTML; "" if nothing is left of them."""
    root = safe_notes(text)
    inner = html.tostring(root, encoding="unicode").removeprefix("<div>").removesuffix("</div>")
    return inner.strip()


def _clean(element: Any) -> None:
    """Remove an element, or what it may not have. Its descendants come later."""
    if element.getparent() is None:
        return  # it went with one around it
    if not isinstance(element.tag, str) or element.tag in _DROPPED:
        element.drop_tree()
        return
    link = web_url(element.get("href") or "") if element.tag == "a" else ""
    element.tag = _RENAMED.get(element.tag, element.tag)
    element.attrib.clear()
    if link:
        element.attrib.update({"href": link, "rel": "noopener noreferrer"})
    if element.tag not in _KEPT or (element.tag == "a" and not link):
        _unwrap(element)


def _unwrap(element: Any) -> None:
    """Replace an element by its content; a block's text keeps its distance to the text around."""
    if element.tag not in _INLINE | {"a"}:
        element.text = " " + (element.text or "")
        element.tail = " " + (element.tail or "")
    element.drop_tag()
