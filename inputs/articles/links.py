"""The addresses of articles: made absolute, told from those of no article, and compared.

https://www.quay.example/mill/?utm_source=feed#top     as a feed names it
https://www.quay.example/mill/                         as it is fetched: `without_tracking`
quay.example/mill                                      as it is compared: `address_key`

Two addresses are of one article by their form, and by what the page itself says.
"""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, urljoin, urlsplit, urlunsplit

from audiomill.inputs.articles.page import Fetched
from audiomill.inputs.markup.parser import local_name, parse_xhtml
from audiomill.inputs.model.book import SourceCorrupt

IS_FILE = "a file, not a page"
_FORBIDDEN = re.compile(r"[\x00-\x20\x7f\s<>\"\\^`{|}\ud800-\udfff]")
_ABSOLUTE = re.compile(r"https?://", re.IGNORECASE)
_MEDIA = re.compile(
    r"\.(?:7z|aac|apk|avif|avi|bmp|bz2|css|csv|dmg|docx?|epub|exe|flac|gif|gz|ico|iso|jpe?g|js|json"
    r"|m4[abv]|mkv|mobi|mov|mp[34]|mpe?g|og[agv]|opus|pdf|png|pptx?|rar|svg|tar|tgz|tiff?|wav|web[mp]"
    r"|wma|wmv|xlsx?|zip)$",
    re.IGNORECASE,
)
_FEED = re.compile(r"(?:^|/)(?:feeds?|rss|atom)(?:/|$)|\.(?:rss|atom|xml|rdf)$", re.IGNORECASE)
# Parts of paths. The first group lists articles wherever it stands, the second if it is the last.
_LISTS = """
author authors autor autoren auteur auteurs categories category categoria kategorie categorie
contributor contributors label labels profile profiles schlagwort search suche tag tags user users
"""
_LAST_LISTS = "archive archives blog news people rubrik rubriken section sections topic topics"
_SERVICES = """
abo about about-us account accessibility advertise anmelden cart checkout contact contact-us cookies
cookie-policy datenschutz donate help imprint impressum jobs kontakt legal log-in login logout
mentions-legales my-account newsletter newsletters privacy privacy-policy register search-results
shop sign-in sign-up signin signup subscribe subscription support terms terms-of-service
terms-of-use warenkorb
"""
_LIST_PARTS, _SERVICE_PARTS = frozenset(_LISTS.split()), frozenset(_SERVICES.split())
_LAST_PARTS = _LIST_PARTS | frozenset(_LAST_LISTS.split())
_PAGE_NUMBER = re.compile(r"(?:^|/)(?:page|seite)[/-]?\d{1,5}$", re.IGNORECASE)
_LANGUAGE_PART = re.compile(r"[a-z]{2}(?:[-_][a-z]{2})?", re.IGNORECASE)
_LIST_QUERIES = frozenset(("author", "cat", "paged", "q", "replytocom", "share", "tag"))
# What links carry so that their clicks are counted. No server chooses a page by it.
_TRACKING = re.compile(
    r"(?:utm_\w+|at_(?:campaign|medium)|dclid|fbclid|gclid|gclsrc|igshid|mc_[ce]id|mkt_tok|msclkid"
    r"|ns_(?:campaign|mchannel|source)|_hs(?:enc|mi)|twclid|wt_mc|yclid|s_?cid|ref_src|xtor)",
    re.IGNORECASE,
)
_DEFAULT_PORTS = {"http": ":80", "https": ":443"}
_END_OF_HEAD = re.compile(rb"</head\s*>|<body[\s>]", re.IGNORECASE)


def web_address(link: str, base: str = "") -> str:
    """The absolute address of a link on the page `base`; "" unless it is one of http or https.

    Spaces and the like are written as URLs write them. An address with a name or password is none.
    """
    link = link.strip()
    try:
        parts = urlsplit(link if _ABSOLUTE.match(link) else urljoin(base, link))
        _ = parts.port  # which is checked only here
    except ValueError:
        return ""
    if parts.scheme not in {"http", "https"} or not parts.hostname or "@" in parts.netloc:
        return ""
    if _FORBIDDEN.search(parts.netloc):
        return ""
    return _FORBIDDEN.sub(_escaped, parts.geturl())


def without_fragment(url: str) -> str:
    """The address of the page itself."""
    return url.partition("#")[0]


def is_same_site(one: str, other: str) -> bool:
    """Whether two addresses are of one site: of one host, or of one within the other."""
    hosts = [(urlsplit(url).hostname or "").removeprefix("www.") for url in (one, other)]
    short, long = sorted(hosts, key=len)
    return bool(short) and (short == long or ("." in short and long.endswith(f".{short}")))


def is_file(url: str) -> bool:
    """Whether an address is that of a picture, a sound, a document or another file."""
    return _MEDIA.search(urlsplit(url).path) is not None


def why_no_article(url: str) -> str:
    """Why an address is not that of an article, by its form; "" if it may be one."""
    parts = urlsplit(url)
    path = parts.path.strip("/")
    queries = {key.lower() for key, _ in parse_qsl(parts.query)}
    names = [name.lower() for name in path.split("/")]
    if len(names) > 1 and _LANGUAGE_PART.fullmatch(names[0]):
        names = names[1:]
    if _is_front(path) and (not queries or "s" in queries):
        return "the first page of a site"
    if is_file(url):
        return IS_FILE
    if _FEED.search(path):
        return "a feed or a sitemap"
    if names[0] in _SERVICE_PARTS or names[-1] in _SERVICE_PARTS:
        return "a page about the site, or a form"
    is_list = not _LIST_PARTS.isdisjoint(names) or names[-1] in _LAST_PARTS
    if is_list or queries & _LIST_QUERIES or _PAGE_NUMBER.search(path):
        return "a list of articles"
    return ""


def _is_front(path: str) -> bool:
    return not path or bool(_LANGUAGE_PART.fullmatch(path) or re.fullmatch(r"index\.\w+", path))


def _escaped(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode("utf-8", "replace"))


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
    declared = _declared_address(page)
    return declared if declared and not why_no_article(declared) else page.url


def _declared_address(page: Fetched) -> str:
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
