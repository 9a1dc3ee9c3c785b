"""Makes the elements of a page of the blocks of a chapter.

headings h1 to h6; paragraphs, captions, words of pictures p; quotes in a row one blockquote;
list items in a row nested ul; verse and rows of text p with br; cells table; code pre;
notes div; scene breaks hr, or the ornament in a p

The letters of each block's text are on the page in order, once, and no others. A note is no aside:
reading systems that show asides of that type only from a mark would hide it, as no mark is left.
An item with a written number or letter has no bullet, and none has one in a list that begins so.

Sources: HTML (whatwg.org), EPUB 3 Structural Semantics 1.1, DPUB-ARIA 1.1.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby, repeat

from audiomill.inputs.languages.writing import is_right_to_left
from audiomill.inputs.markup.parser import Element
from audiomill.inputs.model.book import Block, BlockKind, Table
from audiomill.outputs.readalong.documents.xml import (
    Content,
    language_attributes,
    xhtml,
)

# "3. ", "c. ", "iv. ", "(2) ": numbers that readers write out, or that were printed.
_NUMBER = re.compile(r"\(?(?:\d{1,4}|[^\W\d_]|[ivxlcdm]+|[IVXLCDM]+)[.)]\s")
Ranges = Sequence[tuple[int, int]]
_CELL_SEPARATOR = "; "


@dataclass(frozen=True, slots=True)
class _Page:
    """The language of a page, and the characters [start, end) of a block that are emphasized."""

    language: str
    emphases: Ranges


def block_elements(
    blocks: Iterable[Block], language: str, emphases: Iterable[Ranges] = ()
) -> Iterator[Element]:
    """The elements of a page in a language, in order; `emphases` are those of each block."""
    pages = (_Page(language, ranges) for ranges in chain(emphases, repeat(())))
    for kind, run in groupby(zip(blocks, pages, strict=False), key=lambda one: one[0].kind):
        if kind is BlockKind.QUOTE:
            yield xhtml("blockquote", {}, *(_element("p", block, page) for block, page in run))
        elif kind is BlockKind.LIST_ITEM:
            yield _list(list(run))
        else:
            yield from (_ELEMENTS[kind](block, page) for block, page in run)


def _element(
    name: str, block: Block, page: _Page, attributes: Mapping[str, str] | None = None
) -> Element:
    """The element with the text of the block, in its language."""
    own = _language(block, page)
    marked = {**(attributes or {}), **language_attributes(own, page.language)}
    return xhtml(name, marked, *_inline(block, page, 0, len(block.text)))


def _language(block: Block, page: _Page) -> str:
    return block.language or page.language


def _inline(block: Block, page: _Page, start: int, end: int) -> Iterator[Content]:
    """Characters [start, end) of the text: foreign passages are spans, line breaks are br."""
    own = _language(block, page)
    passages = ((one.start, one.end, one.language) for one in block.passages)
    for first, last, foreign in _pieces(passages, start, end):
        words = list(_emphasized(block, page, first, last))
        if foreign and (attributes := language_attributes(foreign, own)):
            yield xhtml("span", attributes, *words)
        else:
            yield from words


def _emphasized(block: Block, page: _Page, start: int, end: int) -> Iterator[Content]:
    ranges = ((first, last, "em") for first, last in page.emphases)
    for first, last, name in _pieces(ranges, start, end):
        text = block.text[first:last]
        words = [text] if block.kind is BlockKind.CODE else list(_with_breaks(text))
        yield from [xhtml(name, {}, *words)] if name else words


def _pieces(
    ranges: Iterable[tuple[int, int, str]], start: int, end: int
) -> Iterator[tuple[int, int, str]]:
    """The ranges of [start, end), in order: (start, end, what it is); "" for what is none."""
    at = start
    for range_start, range_end, name in ranges:
        first, last = max(range_start, at), min(range_end, end)
        if first < last:
            yield at, first, ""
            yield first, last, name
            at = last
    yield at, end, ""


def _with_breaks(text: str) -> Iterator[Content]:
    first, *others = text.split("\n")
    yield first
    for line in others:
        yield xhtml("br")
        yield line


def _heading(block: Block, page: _Page) -> Element:
    return _element(f"h{min(max(block.level, 1), 6)}", block, page)


def _paragraph(kind: str) -> Callable[[Block, _Page], Element]:
    return lambda block, page: _element("p", block, page, {"class": kind})


def _code(block: Block, page: _Page) -> Element:
    direction = {"dir": "ltr"} if is_right_to_left(_language(block, page)) else {}
    return xhtml("pre", direction, _element("code", block, page))


def _note(block: Block, page: _Page) -> Element:
    types = {"class": "note", "epub:type": "footnote", "role": "doc-footnote"}
    return xhtml("div", types, _element("p", block, page))


def _scene_break(block: Block, page: _Page) -> Element:
    if not block.text.strip():
        return xhtml("hr")
    return _element("p", block, page, {"class": "ornament"})


def _list(items: Sequence[tuple[Block, _Page]]) -> Element:
    """A list, with one inside an item for each deeper level."""
    first, _ = items[0]
    whole = _empty_list(first)
    lists = [(first.level, whole)]  # the open ones, the innermost last
    for item, page in items:
        while len(lists) > 1 and item.level <= lists[-2][0]:
            lists.pop()
        if item.level > lists[-1][0]:
            inner = _empty_list(item)
            lists[-1][1][-1].append(inner)
            lists.append((item.level, inner))
        lists[-1][1].append(_element("li", item, page, _numbered(item)))
    return whole


def _empty_list(first: Block) -> Element:
    return xhtml("ul", _numbered(first))


def _numbered(item: Block) -> dict[str, str]:
    return {"class": "numbered"} if _NUMBER.match(item.text) else {}


def _table(block: Block, page: _Page) -> Element:
    """The cells; rows of text if they are not known, or not by their columns."""
    table = block.table
    if table is None or table.has_spans or _table_text(table) != block.text:
        return _element("p", block, page, {"class": "rows"})
    rows = list(_rows(block, table, page))
    head = [xhtml("thead", {}, rows[0])] if table.has_header else []
    body = xhtml("tbody", {}, *rows[len(head) :])
    own = language_attributes(_language(block, page), page.language)
    return xhtml("table", own, *head, *([body] if len(body) else []))


def _table_text(table: Table) -> str:
    rows = (_CELL_SEPARATOR.join(filter(None, row)) for row in table.rows)
    return "\n".join(filter(None, rows))


def _rows(block: Block, table: Table, page: _Page) -> Iterator[Element]:
    at = 0
    for number, cells in enumerate(table.rows):
        is_header = table.has_header and number == 0
        name, attributes = ("th", {"scope": "col"}) if is_header else ("td", {})
        row = xhtml("tr")
        for cell in cells:
            at = block.text.index(cell, at)
            words = _inline(block, page, at, at + len(cell))
            row.append(xhtml(name, attributes, *words))
            at += len(cell)
        yield row


_ELEMENTS: Mapping[BlockKind, Callable[[Block, _Page], Element]] = {
    BlockKind.HEADING: _heading,
    BlockKind.PARAGRAPH: lambda block, page: _element("p", block, page),
    BlockKind.VERSE: _paragraph("verse"),
    BlockKind.TABLE: _table,
    BlockKind.CAPTION: _paragraph("caption"),
    BlockKind.IMAGE: _paragraph("picture"),
    BlockKind.CODE: _code,
    BlockKind.NOTE: _note,
    BlockKind.SCENE_BREAK: _scene_break,
}
