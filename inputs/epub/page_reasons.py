"""Tells which pages may be left out as a whole: front matter, tables of contents, indexes.

Landmarks tell, then the titles of pages, and what is on them. The reading rules decide whether such
a page is read.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from audiomill.inputs.markup.page_titles import names_other_works, states_rights, title_types
from audiomill.inputs.markup.parser import Element, local_name
from audiomill.inputs.markup.semantics import (
    BLOCKS,
    HEADINGS,
    elements_outside_formulas,
    text_within,
)
from audiomill.inputs.markup.text import normalise_spaces
from audiomill.inputs.model.book import SkipReason

FRONT_MATTER = frozenset(
    (
        *("cover", "title-page", "titlepage", "halftitlepage", "copyright-page", "copyright"),
        *("imprint", "colophon", "imprimatur", "seriespage"),
    )
)
LISTS = {
    "bibliography": SkipReason.REFERENCES,
    **dict.fromkeys(("endnotes", "footnotes", "notes", "rearnotes"), SkipReason.NOTE),
    "index": SkipReason.INDEX,
}
LINKED = frozenset(("loi", "lot", "toc"))  # lists of chapters, illustrations, tables
BODY = frozenset(("text", "bodymatter", "start"))  # landmarks of the start of the text
LONGEST_FRONT_MATTER_CHARS = 4_000  # the landmark of a longer page is wrong
STRAY_CHARS = 300  # headings and the like around the lists of a navigation document
FEWEST_LINKS = 3  # of a page that is a table of contents
FEWEST_ENTRIES = 5  # of a list
HEADING_TAGS = tuple(f"{{*}}{name}" for name in HEADINGS)
LONGEST_WORK_CHARS = 120  # of an entry in a list of works; text has longer paragraphs


@dataclass(frozen=True, slots=True)
class Page:
    """A page before it is converted to blocks."""

    body: Element
    is_nav: bool  # it is the navigation document
    landmark_types: frozenset[str]  # of the landmarks that lead to it


def page_reason(page: Page) -> SkipReason | None:
    """Return the reason why a whole page may be left out, or None if it is to be read."""
    text = normalise_spaces(text_within(page.body))
    if not text:
        return None
    if page.is_nav and len(text) - _chars_within(page.body, frozenset(("nav",))) < STRAY_CHARS:
        return SkipReason.TABLE_OF_CONTENTS
    heading = _only_heading(page.body)
    types = page.landmark_types | title_types(heading)
    if _is_list_of_links(page.body, least_share=0.5 if types & LINKED else 0.85):
        return SkipReason.TABLE_OF_CONTENTS
    if len(text) <= LONGEST_FRONT_MATTER_CHARS:
        reason = _reason_of_short_page(page.body, text, heading, types)
        if reason:
            return reason
    kinds = types & LISTS.keys()
    return LISTS[min(kinds)] if kinds and _has_numbered_entries(page.body) else None


def _reason_of_short_page(
    body: Element, text: str, heading: str, types: frozenset[str]
) -> SkipReason | None:
    """The reason why a page may be left out that would be too short for a chapter."""
    if types & BODY:
        return None
    if types & FRONT_MATTER or states_rights(text):
        return SkipReason.FRONT_MATTER
    is_list = names_other_works(heading) and _has_short_entries(body)
    return SkipReason.REFERENCES if is_list or "other-works" in types else None


def _only_heading(body: Element) -> str:
    """The text of the first heading of a page; "" if another follows, as in a text."""
    headings = [*islice(body.iter(*HEADING_TAGS), 2)]
    return normalise_spaces(text_within(headings[0])) if len(headings) == 1 else ""


def _has_short_entries(body: Element) -> bool:
    """True if no block is longer than an entry in a list of works."""
    return all(len(entry) <= LONGEST_WORK_CHARS for entry in _entries(body))


def _has_numbered_entries(body: Element) -> bool:
    """True if most blocks have a number: pages in an index, years in a bibliography.

    A chapter of a novel may have such a title, too.
    """
    entries = _entries(body)
    n_numbered = sum(any(map(str.isdecimal, text)) for text in entries)
    return len(entries) >= FEWEST_ENTRIES and n_numbered > len(entries) / 2


def _entries(body: Element) -> list[str]:
    """The texts of the innermost blocks that are no headings."""
    names = BLOCKS - HEADINGS.keys()
    blocks = (node for node in body.iter() if local_name(node) in names)
    innermost = (node for node in blocks if not any(local_name(n) in BLOCKS for n in node))
    return [text for node in innermost if (text := normalise_spaces(text_within(node)))]


def _chars_within(body: Element, names: frozenset[str]) -> int:
    """The number of characters inside elements of these names; nested ones count once."""
    n_chars = 0
    for node in elements_outside_formulas(body):
        if local_name(node) in names and names.isdisjoint(map(local_name, node.iterancestors())):
            n_chars += len(normalise_spaces(text_within(node)))
    return n_chars


def _is_list_of_links(body: Element, *, least_share: float) -> bool:
    """True if links into the book are at least `least_share` of the text outside headings."""
    elements = elements_outside_formulas(body)
    links = [node for node in elements if local_name(node) == "a" and _leads_inside(node)]
    if len(links) < FEWEST_LINKS:
        return False
    n_linked = sum(len(normalise_spaces(text_within(link))) for link in links)
    n_all = len(normalise_spaces(text_within(body))) - _chars_within(body, frozenset(HEADINGS))
    return n_linked > 0 and n_linked >= least_share * n_all


def _leads_inside(link: Element) -> bool:
    """True for a link to another file of the book. Links of notes stay in their own file."""
    href = (link.get("href") or "").strip()
    return bool(href) and not href.startswith("#") and ":" not in href
