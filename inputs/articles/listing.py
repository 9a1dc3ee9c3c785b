"""Reads what was fetched into a `Listing`, whatever kind of listing it is. Knows no network.

The content decides, not what the server calls it: feeds are often served as text or as HTML.

    gzip        what it holds
    {           JSON Feed
    <rss …      feed, sitemap or HTML page, by the first element that is the root of one
    https://…   a list of addresses
"""

from __future__ import annotations

import re
from collections.abc import Callable

from audiomill.inputs.articles.compression import decompressed
from audiomill.inputs.articles.entries import Listing, NotAListing
from audiomill.inputs.articles.feeds import parse_feed, parse_json_feed
from audiomill.inputs.articles.index_pages import parse_index_page
from audiomill.inputs.articles.page import Fetched, Refused
from audiomill.inputs.articles.sitemaps import parse_sitemap, parse_text_sitemap
from audiomill.inputs.markup.encodings import decode
from audiomill.inputs.markup.parser import without_forbidden_references
from audiomill.inputs.model.book import SourceCorrupt, SourceTooLarge

MAX_UNPACKED_BYTES = 50 << 20  # the protocol of sitemaps allows 52,428,800
_GZIP = b"\x1f\x8b"
_SEARCHED_CHARS = 1 << 16  # before the root element: warnings of a server, comments, a DTD
_ROOT = re.compile(
    r"<(?:[A-Za-z][\w.-]{0,30}:)?(rss|rdf|feed|channel|urlset|sitemapindex|html|head|body)(?=[\s/>])"
    r"|<!--",
    re.IGNORECASE,
)
_Parse = Callable[[str, str], Listing]
_BY_ROOT: dict[str, _Parse] = {
    **dict.fromkeys(("rss", "rdf", "feed", "channel"), parse_feed),
    **dict.fromkeys(("urlset", "sitemapindex"), parse_sitemap),
    **dict.fromkeys(("html", "head", "body"), parse_index_page),
}


def parse_listing(fetched: Fetched) -> Listing:
    """The listing that was fetched.

    Raises NotAListing for what lists no articles, SourceCorrupt for damaged gzip, and
    SourceTooLarge for what unpacks to more than `MAX_UNPACKED_BYTES`.
    """
    text = _text(_unpacked(fetched.content or b"", fetched.url), fetched)
    if not text.strip():
        raise NotAListing(f"{fetched.url}: it is empty.")
    if text.lstrip().startswith("{"):
        return parse_json_feed(text, fetched.url)
    root = _root(text)
    if root is None:
        has_tags = re.search(r"<[A-Za-z]", text[:_SEARCHED_CHARS]) is not None
        return (parse_index_page if has_tags else parse_text_sitemap)(text, fetched.url)
    name, start = root
    parse = _BY_ROOT[name]
    return parse(text if parse is parse_index_page else text[start:], fetched.url)


def _root(text: str) -> tuple[str, int] | None:
    """(name in lower case, start) of the first element that a listing can be; None without one."""
    at = 0
    while found := _ROOT.search(text, at, _SEARCHED_CHARS):
        if found[1]:
            return found[1].lower(), found.start()
        end = text.find("-->", found.end())
        if end < 0:
            return None
        at = end
    return None


def _text(content: bytes, fetched: Fetched) -> str:
    try:
        return without_forbidden_references(decode(content, fetched.charset))
    except SourceCorrupt as error:
        raise NotAListing(f"{fetched.url}: {error}.") from error


def _unpacked(content: bytes, url: str) -> bytes:
    if not content.startswith(_GZIP):
        return content
    unpacked = bytearray()
    try:
        for piece in decompressed([content], "gzip"):
            unpacked += piece
            if len(unpacked) > MAX_UNPACKED_BYTES:
                limit = MAX_UNPACKED_BYTES >> 20
                raise SourceTooLarge(f"{url}: it unpacks to more than {limit} MiB.")
    except Refused as error:
        raise SourceCorrupt(f"{url}: {error}.") from error
    return bytes(unpacked)
