"""Tells whether two addresses are of one article: by their form, and by what the page itself says.

https://www.quay.example/mill/?utm_source=feed#top     as a feed names it
https://www.quay.example/mill/                         as it is fetched: `without_tracking`
quay.example/mill                                      as it is compared: `address_key`
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit, urlunsplit

from audiomill.inputs.articles.listings.links import web_address, why_no_article, without_fragment
from audiomill.inputs.articles.page import Fetched
from audiomill.inputs.markup.parser import local_name, parse_xhtml
from audiomill.inputs.model.book import SourceCorrupt

# What links carry so that their clicks are counted. No server chooses a page by it.
_TRACKING = re.compile(
    r"(?:utm_\w+|at_(?:campaign|medium)|dclid|fbclid|gclid|gclsrc|igshid|mc_[ce]id|mkt_tok|msclkid"
    r"|ns_(?:campaign|mchannel|source)|_hs(?:enc|mi)|twclid|wt_mc|yclid|s_?cid|ref_src|xtor)",
    re.IGNORECASE,
)
_DEFAULT_PORTS = {"http": ":80", "https": ":443"}
_END_OF_HEAD = re.compile(rb"</head\s*>|<body[\s>]", re.IGNORECASE)


def without_tracking(url: str) -> str:
    """The address of the page itself: without a fragment, and what only counts clicks."""
    parts = urlsplit(without_fragment(url))
    pairs = parts.query.split("&") if parts.query else []
    kept = [one for one in pairs if not _TRACKING.fullmatch(one.partition("=")[0])]
    host = parts.netloc.lower().removesuffix(_DEFAULT_PORTS.get(parts.scheme, ""))
    return urlunsplit((parts.scheme, host, parts.path, "&".join(kept), ""))


def address_key(url: str) -> str:
    """What is the same for all ways to write the address of one page, http and https among them."""
    parts = urlsplit(without_tracking(url))
    query = f"?{parts.query}" if parts.query else ""
    return parts.netloc.removeprefix("www.") + parts.path.rstrip("/") + query


def canonical_address(page: Fetched) -> str:
    """The address that a page gives as its own (RFC 6596), else the one that it was sent from.

    One of a list of articles, which some sites give on all their pages, is none.
    """
    told = _told(page)
    return told if told and not why_no_article(told) else page.url


def _told(page: Fetched) -> str:
    content = page.content or b""
    end = _END_OF_HEAD.search(content)
    head = content[: end.start()] if end else content
    if b"canonical" not in head.lower():
        return ""
    try:
        root = parse_xhtml(head, page.charset)
    except SourceCorrupt:
        return ""
    for node in root.iter():
        is_link = local_name(node) == "link"
        if is_link and "canonical" in (node.get("rel") or "").lower().split():
            return web_address(node.get("href") or "", page.url)
    return ""
