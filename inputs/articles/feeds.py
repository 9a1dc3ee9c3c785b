"""Reads feeds: RSS 0.9x, 1.0 and 2.0, Atom, CDF by the library feedparser; JSON Feed 1 and 1.1.

In JSON a value of another type than the specification has counts as not told. Ids may be numbers.

Sources: RSS 2.0 (rssboard.org/rss-specification); RFC 4287 (Atom); jsonfeed.org/version/1.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from audiomill.inputs.articles.entries import (
    LISTED_BEFORE,
    NO_ADDRESS,
    Entry,
    Listing,
    NotAListing,
    distinct,
    left_out,
)
from audiomill.inputs.articles.feed_items import FeedItem, ParsedFeed, parsed_feed
from audiomill.inputs.articles.fields import (
    html_of_text,
    person_of,
    summary_of,
    title_of,
    utc_of,
    whole_article,
)
from audiomill.inputs.articles.links import IS_FILE, is_file, web_address
from audiomill.inputs.json_text import JsonInvalid, fields_of, items_of, number_of, parse_json
from audiomill.inputs.languages.codes import language_tag

_BROKEN = "the feed is not well-formed; what could be read of it is listed"
_JsonFields = Mapping[str, Any]
_VERSION = "jsonfeed.org/version/1"


def parse_feed(text: str, url: str) -> Listing:
    """The listing of the feed at `url`; `text` begins with the feed's own element.

    Raises NotAListing if nothing of it can be read.
    """
    feed = parsed_feed(text, url)
    counts = dict[str, int]()
    entries, counts[LISTED_BEFORE] = distinct(_entries(feed, url, counts))
    warnings = ((_BROKEN,) if feed.is_broken else ()) + left_out(counts)
    title = title_of(feed.title.value, is_html=feed.title.is_html)
    return Listing(title, tuple(entries), warnings=warnings)


def _entries(feed: ParsedFeed, url: str, counts: dict[str, int]) -> Iterator[Entry]:
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


def _entry(item: FeedItem, address: str, feed: ParsedFeed) -> Entry:
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


def _address(item: FeedItem, base: str) -> str:
    """The address of an item's page. An id is one only if it is absolute."""
    for link in item.links:
        address = web_address(link, base)
        if address:
            return address
    return web_address(item.id) if item.id_is_link else ""


def parse_json_feed(text: str, url: str) -> Listing:
    """The listing of the JSON Feed at `url`. Raises NotAListing for other JSON."""
    try:
        found: object = parse_json(text)
    except JsonInvalid as error:
        raise NotAListing(f"{url}: it begins like JSON, but is not JSON ({error}).") from error
    feed = fields_of(found)
    items = [fields_of(item) for item in items_of(feed.get("items"))]
    if _VERSION not in _json_text(feed, "version") or not isinstance(feed.get("items"), list):
        raise NotAListing(f"{url}: this JSON is no JSON Feed.")
    counts = dict[str, int]()
    entries, counts[LISTED_BEFORE] = distinct(_json_entries(items, feed, url, counts))
    title = title_of(_json_text(feed, "title"), is_html=False)
    next_page = web_address(_json_text(feed, "next_url"), url) if feed.get("next_url") else ""
    further = (next_page,) if next_page and next_page != url else ()
    return Listing(title, tuple(entries), further, left_out(counts))


def _json_entries(
    items: Sequence[_JsonFields], feed: _JsonFields, base: str, counts: dict[str, int]
) -> Iterator[Entry]:
    for item in items:
        address = _json_address(item, base)
        if not address or is_file(address):
            reason = IS_FILE if address else NO_ADDRESS
            counts[reason] = counts.get(reason, 0) + 1
        else:
            yield _json_entry(item, address, feed)


def _json_entry(item: _JsonFields, address: str, feed: _JsonFields) -> Entry:
    markup = _json_text(item, "content_html") or html_of_text(_json_text(item, "content_text"))
    summary, content = _json_text(item, "summary"), _json_text(item, "content_text")
    shown = summary_of(summary or content or markup, is_html=not (summary or content))
    return Entry(
        url=address,
        id=_json_id(item) or address,
        title=title_of(_json_text(item, "title"), is_html=False),
        authors=_json_authors(item) or _json_authors(feed),
        published=utc_of(_json_text(item, "date_published")),
        updated=utc_of(_json_text(item, "date_modified")),
        summary=shown,
        content=whole_article(markup, is_marked=True),
        language=language_tag(_json_text(item, "language") or _json_text(feed, "language")),
    )


def _json_address(item: _JsonFields, base: str) -> str:
    """`url` is the page of the item itself, `external_url` a page that it is about."""
    link = _json_text(item, "url") or _json_text(item, "external_url")
    return web_address(link, base) if link else web_address(_json_id(item))


def _json_id(item: _JsonFields) -> str:
    found = item.get("id")
    return _json_text(item, "id") if number_of(found) is None else str(found)


def _json_authors(fields: _JsonFields) -> tuple[str, ...]:
    """Version 1 has one author, 1.1 a list."""
    authors = items_of(fields.get("authors")) or [fields.get("author")]
    names = (person_of(_json_text(fields_of(one), "name")) for one in authors)
    return tuple(dict.fromkeys(filter(None, names)))


def _json_text(fields: _JsonFields, name: str) -> str:
    value = fields.get(name)
    return value.strip() if isinstance(value, str) else ""
