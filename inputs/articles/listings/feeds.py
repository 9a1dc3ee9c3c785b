"""Reads feeds: RSS 0.9x, 1.0 and 2.0, Atom, CDF. The library feedparser knows the dialects.

It gets the text from the feed's own element on, in UTF-8 and without a DTD: so what stands before
is none of its business, there are no entities to expand, and no charset is left to guess.

Sources: RSS 2.0 (rssboard.org/rss-specification); RFC 4287 (Atom).
"""

from __future__ import annotations

import calendar
import io
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any
from xml.sax import SAXException

import feedparser

from audiomill.inputs.articles.listings.dates import utc_of
from audiomill.inputs.articles.listings.entries import (
    LISTED_BEFORE,
    NO_ADDRESS,
    Entry,
    Listing,
    NotAListing,
    distinct,
    left_out,
)
from audiomill.inputs.articles.listings.feed_bounds import (
    MAX_ATTRIBUTES,
    MAX_ENTRIES,
    bounded,
    is_crowded,
)
from audiomill.inputs.articles.listings.links import IS_FILE, is_file, web_address
from audiomill.inputs.articles.listings.whole_text import whole_article
from audiomill.inputs.articles.listings.wording import (
    html_of_text,
    person_of,
    summary_of,
    title_of,
)
from audiomill.inputs.languages.codes import language_tag
from audiomill.inputs.markup.parser import without_entities

_BROKEN = "the feed is not well-formed; what could be read of it is listed"
_MAIL_FIRST = re.compile(r"\S+@\S+\s*\(")
_HTML = frozenset(("text/html", "application/xhtml+xml", "html", "xhtml"))
_ALTERNATE = "alternate"
# What feedparser lets through of its own faults, for feeds that no program would write.
_FAULTS = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RecursionError,
    SAXException,
    TypeError,
    ValueError,
)


@dataclass(frozen=True, slots=True)
class _Text:
    """A text of a feed, and whether it is HTML."""

    value: str = ""
    is_html: bool = False
    language: str = ""


@dataclass(frozen=True, slots=True)
class _Item:
    """An item as feedparser found it, with types."""

    links: tuple[str, ...]  # of its page, the best first; some may be relative
    id: str
    id_is_link: bool
    authors: tuple[str, ...]
    published: datetime | None
    updated: datetime | None
    title: _Text
    summary: _Text
    contents: tuple[_Text, ...]


@dataclass(frozen=True, slots=True)
class _Feed:
    title: _Text
    language: str
    authors: tuple[str, ...]  # of entries that name none (RFC 4287, 4.2.1)
    items: tuple[_Item, ...]
    is_broken: bool


def parse_feed(text: str, url: str) -> Listing:
    """The listing of the feed at `url`; `text` begins with the feed's own element.

    Raises NotAListing if nothing of it can be read.
    """
    feed = _parsed(text, url)
    counts = dict[str, int]()
    entries, counts[LISTED_BEFORE] = distinct(_entries(feed, url, counts))
    warnings = ((_BROKEN,) if feed.is_broken else ()) + left_out(counts)
    title = title_of(feed.title.value, is_html=feed.title.is_html)
    return Listing(title, tuple(entries), warnings=warnings)


def _entries(feed: _Feed, url: str, counts: dict[str, int]) -> Iterator[Entry]:
    """The entries with an address. Why the others were left out is counted."""
    for item in feed.items:
        address = _address(item, url)
        reason = "" if address else NO_ADDRESS
        if address and is_file(address):  # as of an episode that has no page
            reason = IS_FILE
        if reason:
            counts[reason] = counts.get(reason, 0) + 1
        else:
            yield _entry(item, address, feed)


def _entry(item: _Item, address: str, feed: _Feed) -> Entry:
    text = max(item.contents, key=lambda one: len(one.value), default=item.summary)
    markup = text.value if text.is_html else html_of_text(text.value)
    shown = item.summary if item.summary.value else text
    language = text.language or item.title.language or feed.language
    return Entry(
        url=address,
        id=item.id or address,
        title=title_of(item.title.value, is_html=item.title.is_html),
        authors=item.authors or feed.authors,
        published=item.published,
        updated=item.updated,
        summary=summary_of(shown.value, is_html=shown.is_html),
        content=whole_article(markup, is_marked=bool(item.contents)),
        language=language_tag(language),
    )


def _address(item: _Item, base: str) -> str:
    """The address of an item's page. An id is one only if it is absolute."""
    for link in item.links:
        address = web_address(link, base)
        if address:
            return address
    return web_address(item.id) if item.id_is_link else ""


def _parsed(text: str, url: str) -> _Feed:
    """What feedparser finds. All its results get their types here. Raises NotAListing.

    It opens what it takes for a file name or an address, bytes too, so it gets a stream. Entries
    after the last that is listed are not even parsed.
    """
    if is_crowded(text):
        raise NotAListing(f"{url}: an element of the feed has over {MAX_ATTRIBUTES} attributes.")
    data = without_entities(bounded(text, MAX_ENTRIES)).encode("utf-8", "replace")
    try:
        found: Any = feedparser.parse(
            io.BytesIO(data), sanitize_html=False, resolve_relative_uris=False
        )
    except _FAULTS as error:
        raise NotAListing(f"{url}: the feed cannot be read; it is badly broken.") from error
    about, items = found["feed"], found["entries"][:MAX_ENTRIES]
    is_atom = str(found.get("version") or "").startswith("atom")
    feed = _Feed(
        title=_text(about, "title", is_rss=not is_atom),
        language=str(dict.get(about, "language") or ""),
        authors=_authors(about) if is_atom else (),
        items=tuple(_item(one, is_rss=not is_atom) for one in items),
        is_broken=bool(found.get("bozo")),
    )
    if not (feed.items or feed.title.value or found.get("version")):
        raise NotAListing(f"{url}: nothing of the feed can be read; it is badly broken.")
    return feed


def _item(found: Any, *, is_rss: bool) -> _Item:
    id_is_link = bool(dict.get(found, "guidislink")) or not is_rss
    language = str(dict.get(found, "language") or "")
    title = _text(found, "title", is_rss=is_rss)
    # feedparser copies a content to the summary if there is none.
    contents = tuple(_content(one) for one in dict.get(found, "content") or ())
    summary = _text(found, "summary", is_rss=is_rss)
    is_copy = any(summary.value == one.value for one in contents)
    return _Item(
        links=_links(found, is_own=not bool(dict.get(found, "guidislink"))),
        id=str(dict.get(found, "id") or ""),
        id_is_link=id_is_link,
        authors=_authors(found),
        published=_moment(found, "published") or _moment(found, "created"),
        updated=_moment(found, "updated"),
        title=replace(title, language=language or title.language),
        summary=_Text() if is_copy else summary,
        contents=tuple(one for one in contents if one.value),
    )


def _links(found: Any, *, is_own: bool) -> tuple[str, ...]:
    """The links to the page of an item; `is_own` unless its `link` is made of its id."""
    links: Sequence[Any] = dict.get(found, "links") or ()
    alternate = [
        str(dict.get(one, "href") or "")
        for one in links
        if dict.get(one, "rel", _ALTERNATE) == _ALTERNATE
        and str(dict.get(one, "type") or "text/html") in _HTML
    ]
    own = [str(dict.get(found, "link") or "")] if is_own else []
    original = str(dict.get(found, "feedburner_origlink") or "")
    return tuple(filter(None, (original, *alternate, *own)))


def _authors(found: Any) -> tuple[str, ...]:
    """The names of authors; feedparser cuts “jan@quay.example (Jan Mertens)” at a wrong place."""
    named: Sequence[Any] = dict.get(found, "authors") or ()
    written = str(dict.get(found, "author") or "")
    if len(named) < 2 and _MAIL_FIRST.match(written):
        names = [person_of(written)]
    else:
        names = [person_of(str(dict.get(one, "name") or "")) for one in named]
    return tuple(dict.fromkeys(filter(None, names)))


def _moment(found: Any, name: str) -> datetime | None:
    """Feedparser knows rare forms of dates, but none of mail without a zone."""
    told = utc_of(str(dict.get(found, name) or ""))
    parts: time.struct_time | None = dict.get(found, f"{name}_parsed")
    if told or parts is None:
        return told
    try:
        return utc_of(datetime.fromtimestamp(calendar.timegm(parts), UTC).isoformat())
    except (ValueError, OverflowError, OSError):
        return None


def _text(found: Any, name: str, *, is_rss: bool) -> _Text:
    """A text as it is typed in the feed; RSS has no types, so its references are HTML's."""
    value = str(dict.get(found, name) or "")
    detail: Any = dict.get(found, f"{name}_detail") or {}
    told = str(dict.get(detail, "type") or "")
    is_html = told in _HTML or (is_rss and "&" in value and "<" not in value)
    return _Text(value, is_html, str(dict.get(detail, "language") or ""))


def _content(found: Any) -> _Text:
    told = str(dict.get(found, "type") or "text/html")
    value = str(dict.get(found, "value") or "")
    if told not in _HTML and told != "text/plain":
        value = ""  # for example a picture, in base64
    return _Text(value, told in _HTML, str(dict.get(found, "language") or ""))
