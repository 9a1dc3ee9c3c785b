"""Takes out of a page what reading has listed as being around the text, and what is empty then."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from audiomill.inputs.markup.parser import Element
from audiomill.inputs.markup.semantics import text_within
from audiomill.inputs.model.book import Book, SkipReason
from audiomill.outputs.readalong.source_text import PHRASING, letters_with_places
from audiomill.outputs.readalong.upgrade_elements import html_name
from audiomill.outputs.readalong.upgrade_parts import take_out

SHORTEST_PART = 20  # letters, of a text that is a part of a listed one
_AROUND = frozenset(
    (
        *(SkipReason.ADVERTISEMENT, SkipReason.EDITION, SkipReason.NAVIGATION),
        *(SkipReason.TABLE_OF_CONTENTS, SkipReason.TEMPLATE, SkipReason.UNREADABLE),
    )
)
_NUMBER = re.compile(r"\(?\w{1,4}[.)]\s")  # of a list item, which is written out
_SHOWN = frozenset(("br", "hr", "img", "td", "th", ""))  # without words; "" is MathML or SVG


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The letters of the texts around that of a book."""

    texts: frozenset[str]

    def has(self, letters: str) -> bool:
        """Whether a text of the page is one of these, or a part of one."""
        is_long = len(letters) >= SHORTEST_PART
        return letters in self.texts or (is_long and any(letters in one for one in self.texts))


def surroundings_of(book: Book) -> Surroundings:
    """The texts around that of a book; what is also read is none of them."""
    listed = (one.text for one in book.skipped if one.reason in _AROUND)
    texts = {letters_of(text) for one in listed for text in (one, _NUMBER.sub("", one, count=1))}
    read = {letters_of(block.text) for one in book.chapters for block in one.blocks}
    return Surroundings(frozenset(texts - read - {""}))


def letters_of(text: str) -> str:
    """The letters by which texts are compared."""
    return letters_with_places(text)[0]


def take_surroundings(page: Element, around: Surroundings) -> None:
    """Take the blocks out whose text is around the book's."""
    for block in list(_innermost_blocks(page)) if around.texts else ():
        if letters_of(text_within(block)) in around.texts:
            take_out(block)


def _innermost_blocks(page: Element) -> Iterator[Element]:
    for element in page.iter():
        if _is_block(element) and not any(_is_block(one) for one in element.iterdescendants()):
            yield element


def _is_block(element: Element) -> bool:
    return html_name(element) not in PHRASING


def take_empty(elements: Iterable[Element], kept: Collection[str] = _SHOWN) -> None:
    """Take out elements that show nothing."""
    for element in elements:
        for node in reversed([*element.iterdescendants()]):
            is_shown = any(html_name(one) in kept for one in node.iter())
            if not is_shown and not text_within(node).strip() and node.get("id") is None:
                take_out(node)
