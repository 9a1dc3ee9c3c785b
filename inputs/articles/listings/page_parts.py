"""Tells which parts of a web page are around its main content: menus, sidebars, footers."""

from __future__ import annotations

import re

from audiomill.inputs.markup.parser import Element, local_name
from audiomill.inputs.markup.semantics import HEADINGS, classes, semantics, text_within

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
