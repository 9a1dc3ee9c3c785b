"""Finds the links of an HTML page that look like those of articles, and the feeds that it names.

Rules decide: links in menus and the like are none, nor are those of other sites, of lists and of
files. Of the rest, links in a heading, in an <article>, beside a date, or with a date in their
address are certain. A page with few certain ones is taken for a plain list, whose long links count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from urllib.parse import urlsplit

from audiomill.inputs.articles.entries import Entry, Listing, NotAListing
from audiomill.inputs.articles.fields import LONGEST_TITLE, utc_of
from audiomill.inputs.articles.links import (
    is_same_site,
    web_address,
    why_no_article,
    without_fragment,
)
from audiomill.inputs.languages.codes import language_tag
from audiomill.inputs.markup.parser import Element, body_of, local_name, parse_xhtml
from audiomill.inputs.markup.semantics import (
    HEADINGS,
    classes,
    language_of,
    semantics,
    text_within,
    traverse,
    words_within,
)
from audiomill.inputs.markup.text import normalise_spaces, shortened

_MIN_CERTAIN = 3  # links; with fewer, a page is taken for a plain list
_MIN_WORDS, _MIN_LETTERS = 4, 20  # of a link in a plain list, which has either
_MIN_HYPHENS = 3  # in the last part of an address that is made of a title
_MOST_LINKS = 8  # to one address that are looked at
_MOST_LEVELS = 6  # from a link up to the element around its teaser
_FEED_TYPES = frozenset(
    ("application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml")
)
_OTHER_RELATIONS = frozenset(
    ("author", "category", "help", "license", "next", "prev", "previous", "search", "tag")
)
_DATE = re.compile(r"/(?:19|20)\d\d[/-]?(?:0[1-9]|1[0-2]|[a-z]{3})(?:[/-]|\d\d)", re.IGNORECASE)
_IDEOGRAPH = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_NO_TITLE = re.compile(
    r"[\W\d_]*(?:(?:\d+ )?comments?|\d+ (?:kommentare?|commentaires?|comentarios)|permalink|link"
    r"|(?:continue |keep )?read(?:ing)?(?: more| on| the (?:story|article|post))?|more|details"
    r"|(?:learn|see|view|show|find out) more|weiter(?:lesen)?|mehr(?: lesen)?|lire la suite"
    r"|en savoir plus|leer más|continua(?: a leggere)?|leggi tutto|ler mais|share|next|previous"
    r"|older(?: posts)?|newer(?: posts)?)?[\W\d_]*",
    re.IGNORECASE,
)
_NAMES = frozenset(("aside", "dialog", "footer", "form", "nav", "noscript", "script", "style"))
_ROLES = frozenset(
    ("banner", "complementary", "contentinfo", "dialog", "menu", "menubar", "navigation", "search")
)
_NAMED = re.compile(
    r"(?:(?!has-|with-|no-|without-)[\w-]+[-_])?"
    r"(?:nav|navbar|navigation|menu|footer|sidebar|breadcrumbs?|pagination|pager|share|sharing"
    r"|social|comments|cookies?|adverts?|advertisement|related|popular|most-read|trending|tagcloud"
    r"|tag-cloud|tags|masthead|toolbar|skip-links?|author-bio)"
    r"(?:[-_](?:area|bar|box|container|content|inner|items?|links?|list|primary|secondary|section"
    r"|wrap|wrapper|widget|\d+))*"
)
_WHOLE = frozenset(("article", "body", "html", "main"))  # whatever their classes say
_INLINE_SHARE = 0.5  # of the letters of a paragraph; a link with less is part of a sentence


@dataclass(slots=True)
class _Found:
    """What the links to one address say together."""

    titles: list[str] = field(default_factory=list[str])  # the best first
    n_links: int = 0
    is_certain: bool = False
    published: datetime | None = None


def parse_index_page(text: str, url: str) -> Listing:
    """The listing of the HTML page at `url`.

    Raises NotAListing if it has no link that looks like one of an article, and names no feed.
    """
    root = parse_xhtml(text.encode("utf-8", "replace"), "utf-8")
    base = _base(root, url)
    language = language_tag(language_of(body_of(root)))
    entries = tuple(_entries(root, base, url, language))
    further = tuple(_feeds(root, base, url))
    if not entries and not further:
        raise NotAListing(f"{url}: the page has no links to articles, and names no feed.")
    return Listing(_title(root), entries, further)


def _entries(root: Element, base: str, url: str, language: str) -> Iterator[Entry]:
    body = body_of(root)
    main = next((node for node in body.iter() if local_name(node) == "main"), body)
    found = _likely(main, base, url)
    if len(found) < _MIN_CERTAIN:
        found = _likely(body, base, url)
    for address, one in found.items():
        title = shortened(one.titles[0], LONGEST_TITLE) if one.titles else ""
        yield Entry(address, address, title, published=one.published, language=language)


def _likely(part: Element, base: str, url: str) -> dict[str, _Found]:
    """What is said of each address that looks like one of an article, in order."""
    links = [(node, address) for node in _links(part) if (address := _candidate(node, base, url))]
    found = dict[str, _Found]()
    for node, address in links:
        one = found.setdefault(address, _Found())
        if one.n_links < _MOST_LINKS:
            _add(one, node, address, base)
    certain = {address: one for address, one in found.items() if one.is_certain}
    if len(certain) >= _MIN_CERTAIN:
        return certain
    return {address: one for address, one in found.items() if _is_likely(address, one)}


def _links(part: Element) -> Sequence[Element]:
    """The links of a part of a page, but for those in menus and the like, and within sentences."""
    links = list[Element]()
    paragraphs = [0]  # their letters, the innermost last
    n_links = sum(local_name(node) == "a" for node in part.iter())

    def enter(node: Element) -> bool:
        if node is not part and is_around(node, n_links):
            return False
        if local_name(node) == "p":
            paragraphs.append(n_letters_in(node))
        if local_name(node) == "a" and not is_inline(node, paragraphs[-1]):
            links.append(node)
        return True

    def leave(node: Element) -> None:
        if local_name(node) == "p":
            paragraphs.pop()

    traverse(part, enter, _no_text, leave)
    return links


def _candidate(link: Element, base: str, url: str) -> str:
    """The address that a link leads to, if it may be one of an article; else ""."""
    href = (link.get("href") or "").strip()
    if not href or href.startswith("#") or _OTHER_RELATIONS & _words(link.get("rel")):
        return ""
    address = without_fragment(web_address(href, base))
    is_self = address.rstrip("/") == without_fragment(url).rstrip("/")
    if not address or is_self or not is_same_site(address, url) or why_no_article(address):
        return ""
    return "" if _is_above(address, url) else address


def _is_above(address: str, url: str) -> bool:
    """Whether an address is that of a folder that the page is in."""
    path, own = urlsplit(address), urlsplit(url)
    return not path.query and own.path.startswith(path.path.rstrip("/") + "/") and bool(path.path)


def _add(found: _Found, link: Element, address: str, base: str) -> None:
    found.n_links += 1
    headings = _headings_of(link)
    own = normalise_spaces(words_within(headings[0] if headings else link))
    titles = [own, normalise_spaces(link.get("title") or link.get("aria-label") or "")]
    teaser = _teaser(link, address, base)
    if teaser is not None:
        dates = (utc_of(node.get("datetime") or "") for node in _named(teaser, "time"))
        found.published = found.published or next(filter(None, dates), None)
        headings = headings or _headings_within(teaser)
        titles += [normalise_spaces(words_within(one)) for one in headings[:1]]
    named = [title for title in titles if title and not _NO_TITLE.fullmatch(title)]
    # The text of a heading is better than a teaser's, whichever link comes first.
    found.titles = [*named, *found.titles] if headings and own else [*found.titles, *named]
    # Of an article's teaser the short links are those of its author and its section.
    in_article = any(local_name(node) == "article" for node in link.iterancestors())
    is_certain = headings or (in_article and _is_long(own)) or found.published
    found.is_certain = bool(found.is_certain or is_certain or _DATE.search(address))


def _teaser(link: Element, address: str, base: str) -> Element | None:
    """The largest element around a link in which no link leads to another article.

    Beside a heading, short links are those of the author, the section and the like.
    """
    teaser: Element | None = None
    is_heading = bool(_headings_of(link))
    for _, node in zip(range(_MOST_LEVELS), link.iterancestors(), strict=False):
        others = (other for other in _named(node, "a") if not is_heading or _is_headline(other))
        if local_name(node) in {"body", "main"} or _lead_elsewhere(others, address, base):
            break
        teaser = node
    return teaser


def _lead_elsewhere(links: Iterable[Element], address: str, base: str) -> bool:
    pages = (without_fragment(web_address(link.get("href") or "", base)) for link in links)
    return any(page and page != address and not why_no_article(page) for page in pages)


def _is_headline(link: Element) -> bool:
    return bool(_headings_of(link)) or _is_long(normalise_spaces(words_within(link)))


def _is_long(title: str) -> bool:
    """Whether a text is as long as a headline; an ideograph counts as half a word."""
    n_words = len(title.split()) + len(_IDEOGRAPH.findall(title)) // 2
    return n_words >= _MIN_WORDS or len(title) >= _MIN_LETTERS


def _is_likely(address: str, found: _Found) -> bool:
    title = max(found.titles, key=len, default="")
    if found.is_certain or _is_long(title):
        return True
    return bool(title) and address.rstrip("/").rpartition("/")[2].count("-") >= _MIN_HYPHENS


def _feeds(root: Element, base: str, url: str) -> Iterator[str]:
    """The addresses of the feeds that a page names (HTML, 4.6.7.1)."""
    named = dict.fromkeys(
        web_address(link.get("href") or "", base)
        for link in _named(root, "link")
        if "alternate" in _words(link.get("rel"))
        and (link.get("type") or "").partition(";")[0].strip().lower() in _FEED_TYPES
    )
    return (address for address in named if address and address != url)


def _base(root: Element, url: str) -> str:
    href = next((node.get("href") for node in _named(root, "base") if node.get("href")), None)
    return web_address(href or "", url) or url


def _title(root: Element) -> str:
    titles = (normalise_spaces(words_within(node)) for node in _named(root, "title"))
    return shortened(next(titles, ""), LONGEST_TITLE)


def _named(part: Element, name: str) -> Iterable[Element]:
    return (node for node in part.iter() if local_name(node) == name)


def _headings_of(link: Element) -> list[Element]:
    """The headings within a link, or else those that it is in."""
    around = (node for node in link.iterancestors() if _is_heading(node))
    return _headings_within(link) or [*around]


def _headings_within(part: Element) -> list[Element]:
    return [node for node in part.iterdescendants() if _is_heading(node)]


def _is_heading(node: Element) -> bool:
    return local_name(node) in HEADINGS


def _words(value: str | None) -> frozenset[str]:
    return frozenset((value or "").lower().split())


def _no_text(_: str) -> None:
    """No text is collected."""


def is_around(node: Element, n_links: int) -> bool:
    """Whether an element is around the main content of a page that has `n_links` links."""
    name = local_name(node)
    if name in _NAMES or not name or semantics(node) & _ROLES:
        return True
    if name == "header":
        return not _is_content_header(node)
    if name in _WHOLE or not any(_NAMED.fullmatch(one) for one in _labels(node)):
        return False
    # What has the main heading or most links of the page is no menu, but is named for having one.
    inner = [local_name(one) for one in node.iter()]
    return not ({"main", "h1"} & {*inner}) and inner.count("a") * 2 <= max(n_links, 2)


def is_inline(link: Element, n_letters: int) -> bool:
    """Whether a link is a part of a sentence, in a paragraph of `n_letters`; 0 without one."""
    return n_letters_in(link) < _INLINE_SHARE * n_letters


def n_letters_in(node: Element) -> int:
    """How many characters an element has, but for spaces."""
    return len("".join(text_within(node).split()))


def _labels(node: Element) -> frozenset[str]:
    return classes(node) | frozenset((node.get("id") or "").lower().split())


def _is_content_header(header: Element) -> bool:
    """True for a header with a heading, or within an article, which holds the title there."""
    return any(local_name(one) in HEADINGS for one in header.iter()) or any(
        local_name(one) == "article" for one in header.iterancestors()
    )
