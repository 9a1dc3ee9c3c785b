"""The feed of a podcast: RSS 2.0 with the namespaces of Apple and of Podcasting 2.0.

Nothing in it tells when it was written, so equal episodes give equal bytes.

Sources: RSS 2.0 (rssboard.org/rss-specification), Apple's "A Podcaster's Guide to RSS", and the
tags of github.com/Podcastindex-org/podcast-namespace.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from email.utils import format_datetime

from lxml import etree

from audiomill.inputs.markup.parser import Element
from audiomill.inputs.metadata.covers import SQUARE_PX
from audiomill.outputs.podcast.feed_rules import check_podcast, split_category
from audiomill.outputs.podcast.page_parts import safe_html
from audiomill.outputs.podcast.show import INDEX_NAME, Episode, Person, Show
from audiomill.outputs.podcast.urls import file_url, show_guid, web_url
from audiomill.outputs.text import UNTITLED, capped, duration_in_seconds, line, prose

NAMESPACES = {
    "atom": "http://www.w3.org/2005/Atom",
    "content": "http://purl.org/rss/1.0/modules/content/",
    "itunes": "http://www.itunes.com/dtds/podcast-1.0.dtd",
    "podcast": "https://podcastindex.org/namespace/1.0",
}
GENERATOR = "audiomill"
CHAPTERS_TYPE = "application/json+chapters"
MAX_PERSON_CHARS = 128  # Podcasting 2.0: of the name of a person, and of the words of a link
MAX_DESCRIPTION_BYTES = 4000  # Apple: of a description
_TAG = re.compile(r"<[a-zA-Z/!?]")


def feed(show: Show, episodes: Sequence[Episode]) -> bytes:
    """The feed as UTF-8, the newest episode first. Raises PodcastUnfit."""
    check_podcast(show, episodes)
    root = etree.Element("rss", {"version": "2.0"}, nsmap=NAMESPACES)
    channel = etree.SubElement(root, "channel")
    ordered = newest_first(episodes)
    _add_show(channel, show)
    if ordered:
        _add(channel, "lastBuildDate", _date(ordered[0].published))
    for episode in ordered:
        _add_episode(etree.SubElement(channel, "item"), show, episode)
    return etree.tostring(root, encoding="utf-8", xml_declaration=True, pretty_print=True)


def newest_first(episodes: Iterable[Episode]) -> list[Episode]:
    """The episodes by date; of two with one date, the order is always the same."""
    return sorted(episodes, key=lambda one: (one.published, one.guid), reverse=True)


def is_small(episode: Episode) -> bool:
    """Whether the picture is none that Apple takes, so that players get the show's."""
    too_small = episode.image_px is not None and episode.image_px < SQUARE_PX
    return too_small or not episode.image


def show_link(show: Show) -> str:
    """The URL of the show's website, or else of the page that is made for it."""
    return web_url(show.link) or file_url(show.feed_url, INDEX_NAME)


def _add_show(channel: Element, show: Show) -> None:
    _add(channel, "title", line(show.title))
    _add(channel, "link", show_link(show))
    _add(channel, "description", as_html(show.description))
    _add(channel, "language", show.language)
    _add(channel, "copyright", line(show.copyright))
    _add(channel, "generator", GENERATOR)
    self_link = {"href": web_url(show.feed_url), "rel": "self", "type": "application/rss+xml"}
    _add(channel, "atom:link", attributes=self_link)
    _add_image(channel, show)
    _add_itunes(channel, show)
    _add_podcast(channel, show)


def _add_image(channel: Element, show: Show) -> None:
    url = file_url(show.feed_url, show.image)
    if url:
        image = etree.SubElement(channel, "image")
        _add(image, "url", url)
        _add(image, "title", line(show.title))
        _add(image, "link", show_link(show))
        _add(channel, "itunes:image", attributes={"href": url})


def _add_itunes(channel: Element, show: Show) -> None:
    _add(channel, "itunes:author", line(show.author))
    _add(channel, "itunes:type", show.kind)
    _add(channel, "itunes:explicit", _true_or_false(is_true=show.is_explicit))
    _add(channel, "itunes:block", "Yes" if show.is_private else "")
    if show.owner_email:
        owner = etree.SubElement(channel, _name("itunes:owner"))
        _add(owner, "itunes:name", line(show.owner_name))
        _add(owner, "itunes:email", show.owner_email)
    for name in show.categories:
        parent, child = split_category(name)
        category = _add(channel, "itunes:category", attributes={"text": parent})
        if child and category is not None:
            _add(category, "itunes:category", attributes={"text": child})


def _add_podcast(channel: Element, show: Show) -> None:
    _add(channel, "podcast:guid", show.podcast_guid.lower() or show_guid(show.feed_url))
    owner = {"owner": show.owner_email} if show.owner_email else {}
    _add(channel, "podcast:locked", "yes" if show.is_locked else "no", owner)
    _add(channel, "podcast:block", "yes" if show.is_private else "")
    for one in show.funding:
        if url := web_url(one.link):
            _add(channel, "podcast:funding", line(one.text, MAX_PERSON_CHARS), {"url": url})
    _add_persons(channel, show.persons)


def _add_episode(item: Element, show: Show, episode: Episode) -> None:
    _add(item, "title", line(episode.title) or UNTITLED)
    _add(item, "link", web_url(episode.link) or file_url(show.feed_url, episode.page_name))
    _add(item, "guid", line(episode.guid), {"isPermaLink": "false"})
    _add(item, "pubDate", _date(episode.published))
    _add(item, "description", as_html(episode.summary))
    _add(item, "content:encoded", safe_html(episode.show_notes_html))
    _add_enclosure(item, show, episode)
    # For clients that take a description for HTML, or for none: this one is plain text.
    _add(item, "itunes:summary", prose(episode.summary, MAX_DESCRIPTION_BYTES))
    _add(item, "itunes:author", line(", ".join(map(line, episode.authors))))
    _add(item, "itunes:duration", str(duration_in_seconds(episode.duration_s)))
    _add(item, "itunes:explicit", _true_or_false(is_true=show.is_explicit))
    _add(item, "itunes:episodeType", "full")
    if shown := file_url(show.feed_url, show.image if is_small(episode) else episode.image):
        _add(item, "itunes:image", attributes={"href": shown})
    if own := file_url(show.feed_url, episode.image):
        _add(item, "podcast:image", attributes={"href": own})
    for kind, number in (("season", episode.season), ("episode", episode.number)):
        if number is not None:
            _add(item, f"itunes:{kind}", str(number))
            _add(item, f"podcast:{kind}", str(number))
    _add_files(item, show, episode)
    _add_persons(item, episode.persons)


def _add_enclosure(item: Element, show: Show, episode: Episode) -> None:
    enclosure = episode.enclosure
    attributes = {
        "url": file_url(show.feed_url, enclosure.name),
        "length": str(enclosure.n_bytes),
        "type": enclosure.media_type,
    }
    _add(item, "enclosure", attributes=attributes)


def _add_files(item: Element, show: Show, episode: Episode) -> None:
    if episode.chapters:
        url = file_url(show.feed_url, episode.chapters_name)
        _add(item, "podcast:chapters", attributes={"url": url, "type": CHAPTERS_TYPE})
    for transcript in episode.transcripts:
        url = file_url(show.feed_url, transcript.name)
        attributes = {"url": url, "type": transcript.media_type}
        language = transcript.language or episode.language or show.language
        _add(item, "podcast:transcript", attributes={**attributes, "language": language})


def _add_persons(parent: Element, persons: Iterable[Person]) -> None:
    for person in persons:
        url = web_url(person.link)
        attributes = {"role": str(person.role), "group": person.role.group}
        attributes |= {"href": url} if url else {}
        if name := line(person.name, MAX_PERSON_CHARS):
            _add(parent, "podcast:person", name, attributes)


def _add(
    parent: Element, name: str, text: str = "", attributes: Mapping[str, str] | None = None
) -> Element | None:
    """Add an element "prefix:name"; none if it would have neither text nor attributes."""
    if not text and not attributes:
        return None
    element = etree.SubElement(parent, _name(name), dict(attributes or {}))
    element.text = text or None
    return element


def _name(name: str) -> str:
    """The name of an element as lxml wants it."""
    prefix, _, local = name.rpartition(":")
    return f"{{{NAMESPACES[prefix]}}}{local}" if prefix else local


def _date(moment: datetime) -> str:
    """RFC 2822, in UTC."""
    return format_datetime(moment.astimezone(UTC), usegmt=True)


def _true_or_false(*, is_true: bool) -> str:
    return "true" if is_true else "false"


def as_html(text: str) -> str:
    """The text so that it reads the same as HTML and, where that can be, as plain text.

    Clients differ in how they take the description of RSS 2.0, which does not say. “News & views”
    reads the same either way and stays as it is; “<b>” does not, and is escaped.
    """
    clean = prose(text, MAX_DESCRIPTION_BYTES)
    if html.unescape(clean) == clean and not _TAG.search(clean):
        return clean
    growth = len(html.escape(clean, quote=False)) - len(clean)
    n_bytes = max(MAX_DESCRIPTION_BYTES - growth, len("…".encode()))
    return html.escape(capped(clean, n_bytes), quote=False)
