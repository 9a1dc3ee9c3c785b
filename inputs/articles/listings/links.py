"""Makes absolute addresses of links, and tells which addresses are those of no article."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, urljoin, urlsplit

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
