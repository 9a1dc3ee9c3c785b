"""The data model of listings: what a feed, a sitemap or an index page says of its articles.

Knows nothing of how listings are written, or fetched. An entry that carries its whole article
becomes a page, so that it is read as any page is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from html import escape

from audiomill.inputs.articles.page import Fetched
from audiomill.inputs.model.book import SourceError


class NotAListing(SourceError):
    """Something fetched lists no articles. The message names it and says why."""


NO_ADDRESS = "no address"
LISTED_BEFORE = "listed before"


@dataclass(frozen=True, slots=True)
class Entry:
    """An article as its listing describes it. What the listing does not tell is "" or None."""

    url: str  # http or https, absolute
    id: str  # that the feed gives it, else the URL; no two entries of a listing share one
    title: str = ""
    authors: tuple[str, ...] = ()
    published: datetime | None = None  # in UTC
    updated: datetime | None = None  # in UTC
    summary: str = ""  # plain text, the beginning at least
    content: str = ""  # HTML of the article, if the listing carries the whole
    language: str = ""  # BCP 47


@dataclass(frozen=True, slots=True)
class Listing:
    """The entries of a listing, in its order, and the URLs of other listings that it names."""

    title: str
    entries: tuple[Entry, ...]
    further: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()  # a line each


def distinct(entries: Iterable[Entry]) -> tuple[Sequence[Entry], int]:
    """(entries with distinct ids, how many were left out because they stand twice).

    Some feeds give all entries one id; those have their URLs for ids.
    """
    kept, taken, pages = list[Entry](), set[str](), set[str]()
    n_twice = 0
    for entry in entries:
        is_same_page = entry.url in pages and not entry.content
        one = entry if entry.id not in taken else replace(entry, id=entry.url)
        if is_same_page or one.id in taken:
            n_twice += 1
            continue
        taken.add(one.id)
        pages.add(one.url)
        kept.append(one)
    return kept, n_twice


def left_out(counts: Mapping[str, int]) -> tuple[str, ...]:
    """Warnings of how many entries were left out, by the reason."""
    return tuple(
        f"{n} {'entry' if n == 1 else 'entries'} left out: {reason}"
        for reason, n in counts.items()
        if n
    )


def page_of_entry(entry: Entry) -> Fetched:
    """The page of an entry with content."""
    published = entry.published.isoformat() if entry.published else ""
    metadata = {
        "og:title": entry.title,
        "article:published_time": published,
    }
    tags = [
        f'<meta property="{name}" content="{escape(value)}">'
        for name, value in metadata.items()
        if value
    ]
    authors = [f'<meta name="author" content="{escape(name)}">' for name in entry.authors]
    language = f' lang="{escape(entry.language)}"' if entry.language else ""
    title = escape(entry.title)
    page = (
        f"<!DOCTYPE html><html{language}><head><title>{title}</title>{''.join(tags + authors)}"
        f"</head><body><main><article><h1>{title}</h1>\n{entry.content}\n</article></main></body>"
        "</html>"
    )
    return Fetched(entry.url, page.encode("utf-8", "replace"), "text/html", "utf-8")
