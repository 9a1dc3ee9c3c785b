"""Decides which pages are left out as a whole: front matter, tables of contents, indexes."""

from __future__ import annotations

from dataclasses import dataclass

from audiomill.inputs.book import SkipReason
from audiomill.inputs.markup.parser import Element, local_name
from audiomill.inputs.markup.semantics import BLOCKS, HEADINGS, text_within
from audiomill.inputs.markup.text import normalise_spaces

FRONT_MATTER = frozenset(
    (
        *("cover", "title-page", "titlepage", "halftitlepage", "copyright-page", "copyright"),
        *("imprint", "colophon", "imprimatur", "seriespage"),
    )
)
LISTS = {"index": SkipReason.INDEX, "bibliography": SkipReason.REFERENCES}
BODY = frozenset(("text", "bodymatter", "start"))  # landmarks of the start of the text
LONGEST_FRONT_MATTER_CHARS = 4_000  # the landmark of a longer page is wrong
STRAY_CHARS = 300  # headings and the like around the lists of a navigation document
FEWEST_LINKS = 3  # of a page that is a table of contents
FEWEST_ENTRIES = 5  # of a list


@dataclass(frozen=True, slots=True)
class Page:
    """A page before it is converted to blocks."""

    body: Element
    is_nav: bool  # it is the navigation document
    landmark_types: frozenset[str]  # of the landmarks that lead to it


def page_reason(page: Page) -> SkipReason | None:
    """Return the reason why a whole page is not spoken, or None if it is to be read."""
    text = normalise_spaces(text_within(page.body))
    if not text:
        return None
    if page.is_nav and len(text) - _chars_within(page.body, frozenset(("nav",))) < STRAY_CHARS:
        return SkipReason.TABLE_OF_CONTENTS
    if _is_list_of_links(page.body, least_share=0.5 if "toc" in page.landmark_types else 0.85):
        return SkipReason.TABLE_OF_CONTENTS
    is_front = page.landmark_types & FRONT_MATTER and not page.landmark_types & BODY
    if is_front and len(text) <= LONGEST_FRONT_MATTER_CHARS:
        return SkipReason.FRONT_MATTER
    if "other-works" in page.landmark_types and len(text) <= LONGEST_FRONT_MATTER_CHARS:
        return SkipReason.REFERENCES
    kinds = page.landmark_types & LISTS.keys()
    return LISTS[min(kinds)] if kinds and _has_numbered_entries(page.body) else None


def _has_numbered_entries(body: Element) -> bool:
    """True if most blocks have a number: pages in an index, years in a bibliography.

    A chapter of a novel may have such a title, too.
    """
    names = BLOCKS - HEADINGS.keys()
    blocks = (node for node in body.iter() if local_name(node) in names)
    innermost = (node for node in blocks if not any(local_name(n) in BLOCKS for n in node))
    entries = [text for node in innermost if (text := text_within(node)).strip()]
    n_numbered = sum(any(map(str.isdecimal, text)) for text in entries)
    return len(entries) >= FEWEST_ENTRIES and n_numbered > len(entries) / 2


def _chars_within(body: Element, names: frozenset[str]) -> int:
    """The number of characters inside elements of these names; nested ones count once."""
    n_chars = 0
    for node in body.iter():
        if local_name(node) in names and names.isdisjoint(map(local_name, node.iterancestors())):
            n_chars += len(normalise_spaces(text_within(node)))
    return n_chars


def _is_list_of_links(body: Element, *, least_share: float) -> bool:
    """True if links into the book are at least `least_share` of the text outside headings."""
    links = [node for node in body.iter() if local_name(node) == "a" and _leads_inside(node)]
    if len(links) < FEWEST_LINKS:
        return False
    n_linked = sum(len(normalise_spaces(text_within(link))) for link in links)
    n_all = len(normalise_spaces(text_within(body))) - _chars_within(body, frozenset(HEADINGS))
    return n_linked > 0 and n_linked >= least_share * n_all


def _leads_inside(link: Element) -> bool:
    """True for a link to another file of the book. Links of notes stay in their own file."""
    href = (link.get("href") or "").strip()
    return bool(href) and not href.startswith("#") and ":" not in href
