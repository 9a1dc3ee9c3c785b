"""Converts the body of an HTML or XHTML document to blocks. EPUB, HTML and Markdown use it.

    <div>         blocks begin and end where block elements begin and end,
      text        so bare text beside a <p> is a block of its own
      <p>text</p>
      text
    </div>

Every character of the body is in a block or in a `Skipped`. Knows nothing of files, chapters or
books.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace

from audiomill.inputs.markup.context import TITLES, ElementContext, cell_end, table_of
from audiomill.inputs.markup.formula_words import formula_words
from audiomill.inputs.markup.joining import (
    AnchoredBlock,
    ElementPlace,
    PendingBlock,
    join_blocks,
)
from audiomill.inputs.markup.numbering import ListNumbers, superscript
from audiomill.inputs.markup.parser import Element, local_name
from audiomill.inputs.markup.pictures import BlockPictures, drop_cap
from audiomill.inputs.markup.run import CLOSING, BlockRun, foreign_passages
from audiomill.inputs.markup.semantics import (
    BLOCKS,
    begins_line,
    classes,
    follows_key,
    ids_within,
    is_entity,
    language_of,
    own_ids,
    same_language,
    semantics,
    traverse,
)
from audiomill.inputs.markup.skips import (
    PAGE_CLASSES,
    note_link,
    skip_reason,
    text_left_out,
)
from audiomill.inputs.markup.text import (
    ANCHOR,
    ROW,
    TextRun,
    clean,
    text_runs,
)
from audiomill.inputs.model.book import Block, BlockKind, Skipped, SkipReason, Table
from audiomill.inputs.reading.rules import ReadingRules

BREAK_CLASSES = frozenset(
    ("scenebreak", "scene-break", "section-break", "sectionbreak", "asterism")
)
PICTURES = frozenset(("area", "embed", "image", "object", "svg"))  # and img, which is a letter too
# What stands for something else on the page, or would be read twice.
NEVER_READ = frozenset(
    (SkipReason.FORMULA, SkipReason.FRAME, SkipReason.RUBY, SkipReason.ALTERNATIVE_TEXT)
)
ANCHOR_OR_SPACE = f"{ANCHOR} \n"


@dataclass(frozen=True, slots=True)
class DocumentBlocks:
    """The blocks of a document, its text that is not spoken, and the ids after its last block."""

    blocks: tuple[AnchoredBlock, ...]
    skipped: tuple[Skipped, ...]
    end_ids: tuple[str, ...] = ()
    note_links: tuple[str, ...] = ()  # the hrefs of note references that were left out
    written_out: tuple[str, ...] = ()  # that no element has: numbers of lists, words of formulas


def to_blocks(
    body: Element, *, where: str, language: str | None = None, rules: ReadingRules | None = None
) -> DocumentBlocks:
    """Return the blocks of `body`, in order.

    `where` names the document for people. `language` is the language of the book: blocks in it
    have the language None. `rules` decide what is read that would else be left out.
    """
    builder = _BlockBuilder(where, language or "", language_of(body), rules or ReadingRules())
    traverse(body, builder.enter, builder.text, builder.leave)
    return builder.result()


class _BlockBuilder:
    """Collects text into blocks, by the calls of `traverse`."""

    def __init__(self, where: str, book_language: str, language: str, rules: ReadingRules) -> None:
        self._where = where
        self._rules = rules
        self._book_language = book_language
        self._contexts = [ElementContext(language=language)]  # of the open elements
        self._run = BlockRun(book_language)  # the text of the current block
        self._blocks: list[PendingBlock] = []
        self._skipped: list[Skipped] = []
        self._note_links: list[str] = []
        self._block_note_links: list[str] = []  # those in the current block
        self._pictures = BlockPictures(rules)
        self._opening_link = ""
        self._lists = ListNumbers()
        self._number = ""  # of a list item that has no text yet
        self._written_out: list[str] = []
        self._n_elements = 0
        self._n_empty = 0  # block elements without text so far; each ends a stanza of verse

    def result(self) -> DocumentBlocks:
        """End the last block and return all."""
        self._flush()
        return DocumentBlocks(
            blocks=tuple(join_blocks(self._blocks)),
            skipped=tuple(self._skipped),
            end_ids=self._run.ids,
            note_links=tuple(self._note_links),
            written_out=tuple(self._written_out),
        )

    def enter(self, node: Element) -> bool:
        """Begin an element; True if its content is to be visited."""
        name = local_name(node)
        if not name:
            self._skip_entity(node)
            return False
        self._n_elements += 1
        context = self._context_inside(node, name)
        self._run.add_anchors(own_ids(node))
        reason = skip_reason(node)
        self._record_note_link(node, reason)
        if reason and self._is_read(node, reason):
            context = self._with_note(context) if reason is SkipReason.NOTE else context
        elif reason:
            self._skip(node, reason)
            return False
        if name in {"br", "hr", "img"}:
            self._add_void(node, name)
            return False
        if name in PICTURES:
            self._add_alternative_text(node)
        if (name == "tspan" and begins_line(node)) or self._begins_title(node, context):
            self._run.add(" " if name == "tspan" else "\n")
        if name == "kbd" and follows_key(node):
            self._run.add(" ")
        raised = superscript(node)
        if raised:
            self.text(raised)
            self._run.add_anchors(ids_within(node))
            return False
        self._contexts.append(context)
        self._run.begin(node)
        self._lists.enter(name, node)
        if name == "li":
            self._number = self._lists.of_item(node)
        return True

    def _context_inside(self, node: Element, name: str) -> ElementContext:
        """The context inside an element that begins; a block element ends the block before."""
        outer = self._contexts[-1]
        if outer.begins_block(name):
            self._flush()
            return outer.inside_block(
                node, name, number=self._n_elements, n_blocks_before=len(self._blocks)
            )
        if outer.kind is BlockKind.TABLE and name in BLOCKS:
            self._run.add(" ")
        return outer.inside_inline(node)

    def text(self, text: str) -> None:
        """Add text to the current block."""
        context = self._contexts[-1]
        cleaned = clean(text, context.kind)
        if cleaned.strip():
            self._add_number(context)
            self._run.add_words(cleaned, context.language)
        else:
            self._run.add(cleaned)

    def leave(self, node: Element) -> None:
        """End an element."""
        context = self._contexts[-1]
        name = local_name(node)
        outer = self._contexts[-2]
        self._run.end(node)
        if context.number != outer.number:
            self._flush()
            self._close(node, context)
        elif context.kind is BlockKind.TABLE and name in BLOCKS:
            self._run.add(ROW if name == "tr" else cell_end(node, name))
        self._contexts.pop()
        self._lists.leave(name)
        if name == "li":
            self._number = ""

    def _add_number(self, context: ElementContext) -> None:
        """Begin a list item with its number; a heading or a table inside an item gets none."""
        if self._number and context.kind is BlockKind.LIST_ITEM:
            self._run.add(self._number)
            self._written_out.append(self._number)
        self._number = ""

    def _record_note_link(self, node: Element, reason: SkipReason | None) -> None:
        at_start = not self._opening_link and not self._run.has_words
        if at_start or reason is SkipReason.NOTE_REFERENCE:
            href = note_link(node)
            if href and reason is SkipReason.NOTE_REFERENCE:
                self._note_links.append(href)
                self._block_note_links.append(href)
            if href and at_start:
                self._opening_link = href

    def _add_void(self, node: Element, name: str) -> None:
        context = self._contexts[-1]
        if name == "br":
            self._run.add(" " if context.kind is BlockKind.TABLE else "\n")
        elif name == "img":
            self._add_picture(node, context)
        elif not (classes(node) & PAGE_CLASSES or self._at_scene_break()):
            self._add_rule()

    def _add_picture(self, node: Element, context: ElementContext) -> None:
        """Speak a picture of a letter, and list the alternative text of any other."""
        letter = drop_cap(node)
        if letter:
            self._add_number(context)
            self._run.add(letter)
        else:
            self._add_alternative_text(node)

    def _add_alternative_text(self, node: Element) -> None:
        in_heading = self._contexts[-1].kind is BlockKind.HEADING
        listed = self._pictures.add(node, self._place(node), in_heading=in_heading)
        if listed:
            self._skipped.append(listed)

    def _end_pictures(self, context: ElementContext) -> None:
        """Add the pictures of a block that has ended as blocks of their own, or list them."""
        for one in self._pictures.end_block(self._other_language(context.language)):
            if isinstance(one, Skipped):
                self._skipped.append(one)
            else:
                self._blocks.append(PendingBlock(AnchoredBlock(one)))

    def _other_language(self, language: str | None) -> str | None:
        """The language, if it is not that of the book."""
        return language if language and not same_language(language, self._book_language) else None

    def _place(self, node: Element) -> str:
        ids = own_ids(node)
        return f"{self._where}#{ids[0]}" if ids else self._where

    def _list(self, reason: SkipReason, text: str, node: Element) -> None:
        """List the text as skipped, if there is any."""
        if text:
            self._skipped.append(Skipped(reason, text, self._place(node)))

    def _is_read(self, node: Element, reason: SkipReason) -> bool:
        """Whether the rules have an element read that would be left out."""
        if reason in NEVER_READ or self._contexts[-1].kind is BlockKind.TABLE:
            return False
        text = text_left_out(node, reason) if self._rules.decisions else ""
        return self._rules.reads(reason, text, self._place(node))

    def _with_note(self, context: ElementContext) -> ElementContext:
        """The context inside a note, which is a block even where it stands in a line."""
        if context.number != self._n_elements:
            self._flush()
            context = replace(context, number=self._n_elements, n_blocks_before=len(self._blocks))
        return replace(context, kind=BlockKind.NOTE, level=0)

    def _begins_title(self, node: Element, context: ElementContext) -> bool:
        """Whether an inline element is the title after the number of a heading."""
        return (
            context.kind is BlockKind.HEADING
            and bool(node.attrib)
            and local_name(node) not in BLOCKS
            and bool(semantics(node) & TITLES)
        )

    def _at_scene_break(self) -> bool:
        return bool(self._blocks) and self._blocks[-1].anchored.block.kind is BlockKind.SCENE_BREAK

    def _add_rule(self) -> None:
        """Add a scene break without text, for one that is drawn on the page."""
        self._add_block(TextRun(BlockKind.SCENE_BREAK, "", len(self._run.ids)), None)
        self._run.clear()

    def _skip(self, node: Element, reason: SkipReason) -> None:
        if reason is SkipReason.FORMULA:
            language = self._contexts[-1].language or self._book_language
            words = formula_words(node, language)
            is_part = words[:1].isdigit() or not self._run.last_character.isalnum()
            self.text(words if is_part else f" {words}")  # “CO₂”, but “m squared”
            self._written_out.append(words)
        elif (
            reason in {SkipReason.NOTE_REFERENCE, SkipReason.TEMPLATE}
            and (node.tail or "")[:1] in CLOSING
        ) or reason is SkipReason.CHANGE_REFERENCE:
            self._run.strip_space()
        elif reason is SkipReason.LINE_NUMBER and self._run.would_join(node.tail or ""):
            self._run.add(" ")
        if reason is SkipReason.ALTERNATIVE_TEXT:
            self._add_alternative_text(node)
        elif local_name(node) != "style":  # a style sheet is no text of the book
            self._list(reason, text_left_out(node, reason), node)
        self._run.add_anchors(ids_within(node))

    def _skip_entity(self, node: Element) -> None:
        """Skip an entity reference that is declared in the DTD: it is never resolved."""
        if is_entity(node):
            self._skipped.append(Skipped(SkipReason.UNREADABLE, node.text or "", self._where))

    def _close(self, node: Element, context: ElementContext) -> None:
        """End a block element; one without a block can be an empty line or a scene break."""
        if context.n_blocks_before < len(self._blocks):
            return
        self._n_empty += 1
        if classes(node) & BREAK_CLASSES and not self._at_scene_break():
            self._add_rule()

    def _flush(self) -> None:
        """End the current block; anchors without text after them go to the next block."""
        context = self._contexts[-1]
        run = self._run.take(context.kind, context.language)
        opening_link, self._opening_link = self._opening_link, ""
        text = run.text
        if context.kind is BlockKind.HEADING and not text.strip(ANCHOR_OR_SPACE):
            text += self._pictures.take_heading()
        for text_run in text_runs(text, context.kind):
            if text_run.text:
                self._add_block(text_run, run.language, opening_link, run.characters)
                opening_link = ""
            else:
                self._run.add(ANCHOR * text_run.n_anchors)
        if context.kind is BlockKind.TABLE:
            self._add_cells(table_of(text))
        self._end_pictures(context)

    def _add_block(
        self,
        text_run: TextRun,
        language: str | None,
        opening_link: str = "",
        characters: deque[tuple[str, str]] | None = None,
    ) -> None:
        context, kind = self._contexts[-1], text_run.kind
        ids = self._run.take_ids(text_run.n_anchors)
        block_text = self._run.without_marks(text_run.text)
        block = Block(
            kind=kind,
            text=block_text.text,
            language=self._other_language(language),
            level=context.level if kind in {BlockKind.HEADING, BlockKind.LIST_ITEM} else 0,
            where=f"{self._where}#{ids[0]}" if ids else self._where,
            passages=tuple(foreign_passages(block_text.text, characters)) if characters else (),
            pronunciations=block_text.pronunciations,
            numerals=block_text.numerals,
        )
        note_links, self._block_note_links = tuple(self._block_note_links), []
        lone_line = context.kind is kind is BlockKind.VERSE and "\n" not in block_text.text
        stanza = (context.parent, self._n_empty) if lone_line else None
        place = ElementPlace(context.number, context.parent, context.shape, context.grandparent)
        anchored = AnchoredBlock(block, ids, opening_link, note_links, place=place)
        group = context.heading_group if kind is BlockKind.HEADING else 0
        self._blocks.append(PendingBlock(anchored, stanza, group, context.is_label))

    def _add_cells(self, table: Table) -> None:
        """Give the cells to the block of the table that has just ended."""
        last = self._blocks[-1] if self._blocks else None
        if last and last.anchored.block.kind is BlockKind.TABLE and table.rows:
            block = replace(last.anchored.block, table=table)
            self._blocks[-1] = replace(last, anchored=replace(last.anchored, block=block))
