"""Pages that are not read aloud as a whole: contents, covers, copyright, pictures."""

from __future__ import annotations

from dataclasses import dataclass

from inputs.book import SkipReason
from inputs.markup_names import HEADINGS, text_within
from inputs.markup_parse import Element, local_name
from inputs.markup_text import squeeze

FRONT_MATTER = frozenset(
    ("cover", "title-page", "titlepage", "halftitlepage", "copyright-page", "copyright")
)
# Lines of a table of contents that lead to such pages, without spaces and in lower case.
TITLES = {
    **dict.fromkeys(("cover", "coverpage", "frontcover"), "cover"),
    **dict.fromkeys(("titlepage", "halftitle", "halftitlepage"), "titlepage"),
    **dict.fromkeys(("copyright", "copyrightpage", "copyrightnotice"), "copyright-page"),
    **dict.fromkeys(("contents", "tableofcontents"), "toc"),
}
BODY = frozenset(("text", "bodymatter", "start"))  # where a landmark says the reading begins
LONGEST_FRONT_MATTER_CHARS = 4_000  # a landmark on more than that points at the wrong page
STRAY_CHARS = 300  # of headings and the like around a navigation document's lists
FEWEST_LINKS = 3
PICTURES = frozenset(("img", "image", "svg", "object", "picture"))


@dataclass(frozen=True, slots=True)
class Page:
    """What is known of a page before it is walked."""

    body: Element
    is_nav: bool
    meanings: frozenset[str]  # of the landmarks that lead to it


def page_reason(page: Page) -> SkipReason | None:
    """Why a whole page stays unspoken, or None if it is to be walked."""
    text = squeeze(text_within(page.body))
    if not text:
        return None
    if page.is_nav and len(text) - _chars_within(page.body, frozenset(("nav",))) < STRAY_CHARS:
        return SkipReason.TABLE_OF_CONTENTS
    if _is_list_of_links(page.body, least_share=0.5 if "toc" in page.meanings else 0.85):
        return SkipReason.TABLE_OF_CONTENTS
    is_front = page.meanings & FRONT_MATTER and not page.meanings & BODY
    if is_front and len(text) <= LONGEST_FRONT_MATTER_CHARS:
        return SkipReason.FRONT_MATTER
    return None


def picture_texts(body: Element) -> str | None:
    """The alternative texts of a page's pictures; None if it has no pictures."""
    pictures = [node for node in body.iter() if local_name(node) in PICTURES]
    if not pictures:
        return None
    return "; ".join(alt for node in pictures if (alt := squeeze(node.get("alt") or "")))


def _chars_within(body: Element, names: frozenset[str]) -> int:
    """Characters inside elements of these names; a nested one is counted once."""
    n_chars = 0
    for node in body.iter():
        if local_name(node) in names and names.isdisjoint(map(local_name, node.iterancestors())):
            n_chars += len(squeeze(text_within(node)))
    return n_chars


def _is_list_of_links(body: Element, *, least_share: float) -> bool:
    """True if nearly all the text outside headings is links into the book."""
    links = [node for node in body.iter() if local_name(node) == "a" and _leads_inside(node)]
    if len(links) < FEWEST_LINKS:
        return False
    n_linked = sum(len(squeeze(text_within(link))) for link in links)
    n_all = len(squeeze(text_within(body))) - _chars_within(body, frozenset(HEADINGS))
    return n_linked > 0 and n_linked >= least_share * n_all


def _leads_inside(link: Element) -> bool:
    """True for a link to another file of the book: notes link within their own."""
    href = (link.get("href") or "").strip()
    return bool(href) and not href.startswith("#") and ":" not in href
