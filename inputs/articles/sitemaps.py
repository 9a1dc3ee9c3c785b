"""Reads sitemaps: lists of pages, of news, of other sitemaps, as XML or as plain text.

Sources: sitemaps.org/protocol.html; schemas/sitemap-news/0.9 for the titles and dates of news.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from lxml import etree

from audiomill.inputs.articles.entries import (
    LISTED_BEFORE,
    NO_ADDRESS,
    Entry,
    Listing,
    NotAListing,
    distinct,
    left_out,
)
from audiomill.inputs.articles.fields import title_of, utc_of
from audiomill.inputs.articles.links import (
    web_address,
    why_no_article,
    without_fragment,
)
from audiomill.inputs.languages.codes import language_tag
from audiomill.inputs.markup.parser import Element, local_name, without_entities
from audiomill.inputs.markup.text import normalise_spaces

MAX_ENTRIES = 50_000  # that the protocol allows
_BROKEN = "the sitemap is not well-formed; what could be read of it is listed"
_LONG_AGO = datetime.min.replace(tzinfo=UTC)
_Fields = dict[str, str]  # the texts of the elements of a <url> or <sitemap>, by name


def parse_sitemap(text: str, url: str) -> Listing:
    """The listing of the sitemap at `url`; `text` begins with its own element."""
    records, warnings = _records(text)
    pages = [fields for name, fields in records if name == "url"]
    others = [fields for name, fields in records if name == "sitemap"]
    counts = dict[str, int]()
    entries, counts[LISTED_BEFORE] = distinct(_entries(pages, url, counts))
    title = next((one["publication"] for one in pages if "publication" in one), "")
    return Listing(title, tuple(entries), _further(others, url), (*warnings, *left_out(counts)))


def parse_text_sitemap(text: str, url: str) -> Listing:
    """The listing of a sitemap that is a text with an address on each line.

    Raises NotAListing if one of the lines is none.
    """
    lines = list(filter(None, map(str.strip, text.splitlines())))
    links = [line for line in lines if not line.startswith("#")]
    if not links or any(web_address(link) == "" for link in links):
        raise NotAListing(f"{url}: a text that is not a list of addresses has no articles.")
    counts = dict[str, int]()
    records: list[_Fields] = [{"loc": link} for link in links[:MAX_ENTRIES]]
    entries, counts[LISTED_BEFORE] = distinct(_entries(records, url, counts))
    too_many = (_too_many(),) if len(links) > MAX_ENTRIES else ()
    return Listing("", tuple(entries), warnings=(*too_many, *left_out(counts)))


def _records(text: str) -> tuple[list[tuple[str, _Fields]], tuple[str, ...]]:
    """((name, fields) of each <url> and <sitemap>, warnings). The tree is never held as a whole."""
    records = list[tuple[str, _Fields]]()
    data = without_entities(text).encode("utf-8", "replace")
    parser = etree.iterparse(
        io.BytesIO(data),
        events=("end",),
        tag=("{*}url", "{*}sitemap"),
        recover=True,
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        encoding="utf-8",
    )
    try:
        for _, node in parser:
            records.append((local_name(node), _fields(node)))
            _forget(node)
            if len(records) > MAX_ENTRIES:
                return records[:MAX_ENTRIES], (_too_many(),)
    except etree.XMLSyntaxError:
        return records, (_BROKEN,)
    if not text.rstrip().endswith(">"):  # cut off within the last address
        records = records[:-1]
    return records, (_BROKEN,) if len(parser.error_log) else ()


def _too_many() -> str:
    return f"more than {MAX_ENTRIES:,} addresses; only those were read"


def _forget(node: Element) -> None:
    node.clear()
    while node.getprevious() is not None:
        parent = node.getparent()
        if parent is None:
            return
        del parent[0]


def _fields(record: Element) -> _Fields:
    """The texts within a record. The language and publication of news get names of their own."""
    fields = _Fields()
    for node in record.iterdescendants():
        name, parent = local_name(node), node.getparent()
        if parent is not None and local_name(parent) == "publication" and name == "name":
            name = "publication"
        # `loc` and the like of pictures and films are other things than those of the page.
        is_own = parent is record or name in {"publication", "language", "publication_date"}
        is_news_title = name == "title" and parent is not None and local_name(parent) == "news"
        text = normalise_spaces(node.text or "")
        if text and (is_own or is_news_title):
            fields.setdefault(name, text)
    return fields


def _entries(records: Iterable[_Fields], base: str, counts: dict[str, int]) -> Iterator[Entry]:
    """The entries that may be articles. Why the others were left out is counted."""
    for fields in records:
        link = fields.get("loc", "")
        address = without_fragment(web_address(link, base)) if link else ""
        reason = why_no_article(address) if address else NO_ADDRESS
        if reason:
            counts[reason] = counts.get(reason, 0) + 1
            continue
        yield Entry(
            url=address,
            id=address,
            title=title_of(fields.get("title", ""), is_html="&" in fields.get("title", "")),
            published=utc_of(fields.get("publication_date", "")),
            updated=utc_of(fields.get("lastmod", "")),
            language=language_tag(fields.get("language", "")),
        )


def _further(records: Iterable[_Fields], base: str) -> tuple[str, ...]:
    """The addresses of other sitemaps, those that were changed last first."""
    dated = [
        (web_address(fields["loc"], base), utc_of(fields.get("lastmod", "")) or _LONG_AGO)
        for fields in records
        if "loc" in fields
    ]
    dated.sort(key=lambda pair: pair[1], reverse=True)
    return tuple(dict.fromkeys(address for address, _ in dated if address and address != base))
