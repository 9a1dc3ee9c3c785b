"""What the library feedparser finds in a feed, with types, and within bounds.

It gets the text from the feed's own element on, in UTF-8 and without a DTD: so what stands before
is none of its business, there are no entities to expand, and no charset is left to guess. Its time
grows with the square of the size of some parts, so these are bounded before:

attributes of an element   the feed is refused over MAX_ATTRIBUTES
entries                    those after the last that is listed are left out
categories, keywords       left out: they are not read, and each is compared with all before it
a person                   cut: an address is searched from each letter to the end
"""

from __future__ import annotations

import html
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import Any
from xml.sax import SAXException

import feedparser

from audiomill.inputs.articles.entries import (
    NotAListing,
)
from audiomill.inputs.articles.fields import (
    person_of,
    utc_of,
)
from audiomill.inputs.markup.parser import without_entities

MAX_ENTRIES = 20_000  # of one feed; the largest archives have some thousands
MAX_ATTRIBUTES = 200  # of one element
# Of a person, with markup: Atom has a name, an address and a picture of each. Over it only the
# beginning of its words is kept, as of a paper with hundreds of authors.
MAX_PERSON_CHARS, KEPT_CHARS, _READ_CHARS = 1_000, 500, 20_000

_ENTRY = re.compile(r"<((?:[\w.-]+:)?(?:item|entry))[\s/>]", re.IGNORECASE)
_ATTRIBUTE = r"""\s+[^\s<>="'/]+\s*=\s*(?:"[^"<]*"|'[^'<]*')"""
_CROWDED = re.compile(rf"<[^\s<>/]+(?:{_ATTRIBUTE}){{{MAX_ATTRIBUTES + 1}}}")
_TAG = re.compile(r"<(/?)(?:[\w.-]+:)?(?:category|keywords|subject|tags)(?=[\s/>])", re.IGNORECASE)
_PERSON = re.compile(
    r"<((?:[\w.-]+:)?(?:author|creator|managingeditor|owner|publisher|webmaster))(?:\s[^<>]*)?>",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"<!\[CDATA\[|\]\]>|<[^<>]*>")
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
class FeedText:
    """A text of a feed, and whether it is HTML."""

    value: str = ""
    is_html: bool = False
    language: str = ""


@dataclass(frozen=True, slots=True)
class FeedItem:
    """An item as feedparser found it, with types."""

    links: tuple[str, ...]  # of its page, the best first; some may be relative
    id: str
    id_is_link: bool
    authors: tuple[str, ...]
    published: datetime | None
    updated: datetime | None
    title: FeedText
    summary: FeedText
    contents: tuple[FeedText, ...]


@dataclass(frozen=True, slots=True)
class ParsedFeed:
    """A feed as feedparser found it, with types."""

    title: FeedText
    language: str
    authors: tuple[str, ...]  # of entries that name none (RFC 4287, 4.2.1)
    items: tuple[FeedItem, ...]
    is_broken: bool


def parsed_feed(text: str, url: str) -> ParsedFeed:
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
    feed = ParsedFeed(
        title=_text(about, "title", is_rss=not is_atom),
        language=str(dict.get(about, "language") or ""),
        authors=_authors(about) if is_atom else (),
        items=tuple(_item(one, is_rss=not is_atom) for one in items),
        is_broken=bool(found.get("bozo")),
    )
    if not (feed.items or feed.title.value or found.get("version")):
        raise NotAListing(f"{url}: nothing of the feed can be read; it is badly broken.")
    return feed


def _item(found: Any, *, is_rss: bool) -> FeedItem:
    id_is_link = bool(dict.get(found, "guidislink")) or not is_rss
    language = str(dict.get(found, "language") or "")
    title = _text(found, "title", is_rss=is_rss)
    # feedparser copies a content to the summary if there is none.
    contents = tuple(_content(one) for one in dict.get(found, "content") or ())
    summary = _text(found, "summary", is_rss=is_rss)
    is_copy = any(summary.value == one.value for one in contents)
    return FeedItem(
        links=_links(found, is_own=not bool(dict.get(found, "guidislink"))),
        id=str(dict.get(found, "id") or ""),
        id_is_link=id_is_link,
        authors=_authors(found),
        published=_moment(found, "published") or _moment(found, "created"),
        updated=_moment(found, "updated"),
        title=replace(title, language=language or title.language),
        summary=FeedText() if is_copy else summary,
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
    """A date as it is typed: feedparser's own is today's for some that it cannot read."""
    return utc_of(str(dict.get(found, name) or ""))


def _text(found: Any, name: str, *, is_rss: bool) -> FeedText:
    """A text as it is typed in the feed; RSS has no types, so its references are HTML's."""
    value = str(dict.get(found, name) or "")
    detail: Any = dict.get(found, f"{name}_detail") or {}
    media_type = str(dict.get(detail, "type") or "")
    is_html = media_type in _HTML or (is_rss and "&" in value and "<" not in value)
    return FeedText(value, is_html, str(dict.get(detail, "language") or ""))


def _content(found: Any) -> FeedText:
    media_type = str(dict.get(found, "type") or "text/html")
    value = str(dict.get(found, "value") or "")
    if media_type not in _HTML and media_type != "text/plain":
        value = ""  # for example a picture, in base64
    return FeedText(value, media_type in _HTML, str(dict.get(found, "language") or ""))


def is_crowded(feed: str) -> bool:
    """Whether an element has over MAX_ATTRIBUTES attributes."""
    return _CROWDED.search(feed) is not None


def bounded(feed: str, max_entries: int = MAX_ENTRIES) -> str:
    """The feed without what is not listed, and with the beginning of persons that are too long."""
    return _TAG.sub(r"<\1unread", "".join(_with_cut_persons(_without_rest(feed, max_entries))))


def _without_rest(feed: str, max_entries: int) -> str:
    """The feed without the entries after the last that is listed."""
    first = next(islice(_ENTRY.finditer(feed), max_entries, None), None)
    if first is None:
        return feed
    end = f"</{first[1]}>"
    return feed[: first.start()] + feed[feed.rfind(end) :].removeprefix(end)


def _with_cut_persons(feed: str) -> Iterator[str]:
    """The pieces of the feed."""
    at = 0
    while (person := _PERSON.search(feed, at)) is not None:
        end = feed.find(f"</{person[1]}", person.end())
        if end < 0:  # so the next ones of that name have none either
            end = len(feed)
        inner = feed[person.end() : end]
        yield feed[at : person.end()]
        yield _cut(inner) if len(inner) > MAX_PERSON_CHARS else inner
        at = end
    yield feed[at:]


def _cut(person: str) -> str:
    words = html.unescape(_MARKUP.sub("", person[:_READ_CHARS]))[:KEPT_CHARS]
    return html.escape(words.rpartition(",")[0] or words, quote=False)
