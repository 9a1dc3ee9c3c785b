"""What an element makes of the text within it: kind of block, level, language; walks nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace

from audiomill.inputs.book import BlockKind
from audiomill.inputs.markup.parser import Element, local_name
from audiomill.inputs.markup.semantics import BLOCKS, HEADINGS, classes, own_language, semantics

VERSE_WORDS = frozenset(("line-group", "linegroup", "poem", "poetry", "stanza", "verse"))
LISTS = frozenset(("dl", "menu", "ol", "ul"))
ITEMS = frozenset(("dd", "dt", "li"))


@dataclass(frozen=True, slots=True)
class ElementContext:
    """What an element hands down to all within it."""

    language: str
    kind: BlockKind = BlockKind.PARAGRAPH
    level: int = 0
    list_depth: int = 0
    number: int = 0  # of the innermost block element, and of the one around it
    parent: int = 0
    n_drafts: int = 0  # how many blocks were finished when that element began

    def inside(self, node: Element, name: str, *, number: int) -> ElementContext:
        """The place inside an element; it takes `number` where it starts a block of its own."""
        own = own_language(node)
        place = self if own is None else replace(self, language=own)
        in_table = self.kind is BlockKind.TABLE and name not in {"caption", "table"}
        if in_table or not (name in BLOCKS or name in {"hr", "text"}):
            return place
        kind, level, depth = _kind(node, name, self)
        return replace(
            place, kind=kind, level=level, list_depth=depth, number=number, parent=self.number
        )


def _kind(node: Element, name: str, outer: ElementContext) -> tuple[BlockKind, int, int]:
    """(kind, level, list depth) inside a block element."""
    depth = outer.list_depth + (name in LISTS)
    level = _heading_level(node, name)
    if level:
        return BlockKind.HEADING, level, depth
    if name in {"figcaption", "caption", "text"} or "caption" in classes(node):
        return BlockKind.CAPTION, 0, depth
    if name == "pre":
        return BlockKind.CODE, 0, depth
    if name == "table" and is_table_of_data(node):
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


LONGEST_CELL = 600  # characters; data is shorter, and a page laid out in a table is longer
# What stands in a page and never in a cell of data.
PAGE_PARTS = frozenset(("blockquote", "figure", "hr", "pre", "section", "table", *HEADINGS))


def is_table_of_data(table: Element) -> bool:
    """True if a table should be read row by row; False if its cells are parts of a page."""
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
