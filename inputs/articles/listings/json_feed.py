"""Reads JSON Feed, versions 1 and 1.1 (jsonfeed.org/version/1.1).

A value of another type than the specification has counts as not told. Ids may be numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

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
from audiomill.inputs.articles.listings.links import IS_FILE, is_file, web_address
from audiomill.inputs.articles.listings.whole_text import whole_article
from audiomill.inputs.articles.listings.wording import (
    html_of_text,
    person_of,
    summary_of,
    title_of,
)
from audiomill.inputs.json_text import JsonInvalid, fields_of, items_of, number_of, parse_json
from audiomill.inputs.languages.codes import language_tag

_Fields = Mapping[str, Any]
_VERSION = "jsonfeed.org/version/1"


def parse_json_feed(text: str, url: str) -> Listing:
    """The listing of the JSON Feed at `url`. Raises NotAListing for other JSON."""
    try:
        found: object = parse_json(text)
    except JsonInvalid as error:
        raise NotAListing(f"{url}: it begins like JSON, but is not JSON ({error}).") from error
    feed = fields_of(found)
    items = [fields_of(item) for item in items_of(feed.get("items"))]
    if _VERSION not in _text(feed, "version") or not isinstance(feed.get("items"), list):
        raise NotAListing(f"{url}: this JSON is no JSON Feed.")
    counts = dict[str, int]()
    entries, counts[LISTED_BEFORE] = distinct(_entries(items, feed, url, counts))
    title = title_of(_text(feed, "title"), is_html=False)
    next_page = web_address(_text(feed, "next_url"), url) if feed.get("next_url") else ""
    further = (next_page,) if next_page and next_page != url else ()
    return Listing(title, tuple(entries), further, left_out(counts))


def _entries(
    items: Sequence[_Fields], feed: _Fields, base: str, counts: dict[str, int]
) -> Iterator[Entry]:
    for item in items:
        address = _address(item, base)
        if not address or is_file(address):
            reason = IS_FILE if address else NO_ADDRESS
            counts[reason] = counts.get(reason, 0) + 1
        else:
            yield _entry(item, address, feed)


def _entry(item: _Fields, address: str, feed: _Fields) -> Entry:
    markup = _text(item, "content_html") or html_of_text(_text(item, "content_text"))
    summary, content = _text(item, "summary"), _text(item, "content_text")
    shown = summary_of(summary or content or markup, is_html=not (summary or content))
    return Entry(
        url=address,
        id=_id(item) or address,
        title=title_of(_text(item, "title"), is_html=False),
        authors=_authors(item) or _authors(feed),
        published=utc_of(_text(item, "date_published")),
        updated=utc_of(_text(item, "date_modified")),
        summary=shown,
        content=whole_article(markup, is_marked=True),
        language=language_tag(_text(item, "language") or _text(feed, "language")),
    )


def _address(item: _Fields, base: str) -> str:
    """`url` is the page of the item itself, `external_url` a page that it is about."""
    link = _text(item, "url") or _text(item, "external_url")
    return web_address(link, base) if link else web_address(_id(item))


def _id(item: _Fields) -> str:
    found = item.get("id")
    return _text(item, "id") if number_of(found) is None else str(found)


def _authors(fields: _Fields) -> tuple[str, ...]:
    """Version 1 has one author, 1.1 a list."""
    told = items_of(fields.get("authors")) or [fields.get("author")]
    names = (person_of(_text(fields_of(one), "name")) for one in told)
    return tuple(dict.fromkeys(filter(None, names)))


def _text(fields: _Fields, name: str) -> str:
    value = fields.get(name)
    return value.strip() if isinstance(value, str) else ""
