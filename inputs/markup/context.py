"""Derives the context of an element's text: kind of block, level, language; cells of tables.

Looks at one element at a time; the traversal is in `blocks.py`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from audiomill.inputs.markup.parser import Element, local_name
from audiomill.inputs.markup.semantics import BLOCKS, HEADINGS, classes, own_language, semantics
from audiomill.inputs.markup.text import ANCHOR, CELL, HEADER, ROW, SPAN
from audiomill.inputs.model.book import BlockKind, Table

VERSE_WORDS = frozenset(("line-group", "linegroup", "poem", "poetry", "stanza", "verse"))
LISTS = frozenset(("dl", "menu", "ol", "ul"))
ITEMS = frozenset(("dd", "dt", "li"))
# Parts of a heading (EPUB 3 Structural Semantics Vocabulary, "Titles and headings").
LABELS = frozenset(("label", "ordinal"))
TITLES = frozenset(("fulltitle", "subtitle", "title"))
_CELLS = frozenset(("td", "th"))
_SPANS = ("colspan", "rowspan")
_MARKS = str.maketrans(dict.fromkeys((ANCHOR, HEADER, SPAN)))
LONGEST_CELL = 600  # characters; cells of data are shorter, cells of a page layout are longer
# Elements of page layouts, never in a cell of data.
PAGE_PARTS = frozenset(("blockquote", "figure", "hr", "pre", "section", "table", *HEADINGS))


@dataclass(frozen=True, slots=True)
class ElementContext:
    """The properties that an element passes on to all text and elements within it."""

    language: str
    kind: BlockKind = BlockKind.PARAGRAPH
    level: int = 0
    list_depth: int = 0
    number: int = 0  # of the innermost block element
    parent: int = 0  # the number of the block element around that one
    grandparent: int = 0  # the number of the block element around the parent
    shape: int = 0  # the same for block elements with the same names and classes from the root on
    n_blocks_before: int = 0  # blocks that were complete when that element began
    heading_group: int = 0  # the number of the `<hgroup>` around it
    is_label: bool = False  # it is the number of the heading below it

    def begins_block(self, name: str) -> bool:
        """Whether an element of this name begins a block here."""
        in_table = self.kind is BlockKind.TABLE and name not in {"caption", "table"}
        return not in_table and (name in BLOCKS or name in {"hr", "text"})

    def inside_inline(self, node: Element) -> ElementContext:
        """Return the context inside an element that begins no block."""
        language = own_language(node)
        return self if language is None else replace(self, language=language)

    def inside_block(
        self, node: Element, name: str, *, number: int, n_blocks_before: int
    ) -> ElementContext:
        """Return the context inside an element that begins a block."""
        language = own_language(node)
        kind, level, depth = _kind(node, name, self)
        return ElementContext(
            language=self.language if language is None else language,
            kind=kind,
            level=level,
            list_depth=depth,
            number=number,
            parent=self.number,
            grandparent=self.parent,
            shape=hash((self.shape, name, node.get("class"))),
            n_blocks_before=n_blocks_before,
            heading_group=number if name == "hgroup" else self.heading_group,
            is_label=kind is BlockKind.HEADING and bool(semantics(node) & LABELS),
        )


def _kind(node: Element, name: str, outer: ElementContext) -> tuple[BlockKind, int, int]:
    """(kind, level, list depth) inside a block element."""
    depth = outer.list_depth + (name in LISTS)
    if outer.kind is BlockKind.NOTE:
        return outer.kind, 0, depth
    level = _heading_level(node, name) or _level_as_part(node, name, outer)
    if level:
        return BlockKind.HEADING, level, depth
    if name in {"figcaption", "caption", "text"} or "caption" in classes(node):
        return BlockKind.CAPTION, 0, depth
    if name == "pre":
        return BlockKind.CODE, 0, depth
    if name == "table" and is_data_table(node):
        return BlockKind.TABLE, 0, depth
    if outer.kind in {BlockKind.HEADING, BlockKind.CAPTION, BlockKind.CODE}:
        return outer.kind, outer.level, depth
    if outer.kind is BlockKind.VERSE or VERSE_WORDS & (classes(node) | semantics(node)):
        return BlockKind.VERSE, 0, depth
    if name in ITEMS:
        return BlockKind.LIST_ITEM, max(depth, 1), max(depth, 1)
    if name == "blockquote":
        return BlockKind.QUOTE, 0, depth
    return outer.kind, outer.level, depth


def _heading_level(node: Element, name: str) -> int:
    if name in HEADINGS:
        return HEADINGS[name]
    if "heading" not in semantics(node):
        return 0
    level = node.get("aria-level") or ""
    return min(int(level), 6) if level.isascii() and level.isdigit() and int(level) else 2


def _level_as_part(node: Element, name: str, outer: ElementContext) -> int:
    """The level of a paragraph that is a part of a heading, and is marked as one; else 0."""
    if name not in {"p", "div"} or outer.kind is BlockKind.HEADING:
        return 0
    terms = semantics(node)
    is_part = outer.heading_group or (
        (terms & LABELS and _is_title(node.getnext()))
        or (terms & TITLES and _has_terms(node.getprevious(), LABELS))
    )
    if not is_part:
        return 0
    parent = node.getparent()
    beside = () if parent is None else (HEADINGS.get(local_name(one), 0) for one in parent)
    return next(filter(None, beside), 2)


def _is_title(node: Element | None) -> bool:
    return node is not None and (local_name(node) in HEADINGS or _has_terms(node, TITLES))


def _has_terms(node: Element | None, terms: frozenset[str]) -> bool:
    return node is not None and bool(semantics(node) & terms)


def cell_end(node: Element, name: str) -> str:
    """Return the marks at the end of an element in a table: of a cell, its properties too."""
    if name not in _CELLS:
        return " "
    is_span = any(node.get(key, "1").strip() not in {"", "0", "1"} for key in _SPANS)
    return f"{HEADER if name == 'th' else ''}{SPAN if is_span else ''}{CELL}"


def table_of(run: str) -> Table:
    """Return the cells of a table."""
    rows = [row.split(CELL)[:-1] for row in run.split(ROW)]
    rows = [row for row in rows if any(cell.translate(_MARKS).strip() for cell in row)]
    return Table(
        tuple(tuple(_cell_text(cell) for cell in row) for row in rows),
        has_header=bool(rows) and all(HEADER in cell for cell in rows[0]),
        has_spans=SPAN in run,
    )


def _cell_text(cell: str) -> str:
    return " ".join(cell.translate(_MARKS).split())


def is_data_table(table: Element) -> bool:
    """True if a table should be read row by row; False if it is the layout of a page."""
    most_cells = n_cells = n_chars = 0
    for node in table.iterdescendants():
        name = local_name(node)
        if name in PAGE_PARTS:
            return False
        if name == "tr":
            n_cells = 0
        elif name in {"td", "th"}:
            n_cells, n_chars = n_cells + 1, 0
            most_cells = max(most_cells, n_cells)
        n_chars += len(node.text or "") + len(node.tail or "") if name else 0
        if n_chars > LONGEST_CELL:
            return False
    return most_cells > 1
