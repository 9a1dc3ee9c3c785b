"""The body of an HTML or XHTML document to blocks; the one walker that every reader shares.

It knows what elements mean to a listener. It does not know files, chapters or books.

    <div>         blocks begin and end where block elements begin and end,
      text        so bare text beside a <p> is a block of its own
      <p>text</p>
      text
    </div>

Every character of the body is in a block or in a `Skipped`.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from itertools import groupby

from audiomill.inputs.book import Block, BlockKind, Skipped, SkipReason
from audiomill.inputs.markup.context import ElementContext
from audiomill.inputs.markup.numbering import ListNumbers, superscript
from audiomill.inputs.markup.parser import Element, local_name
from audiomill.inputs.markup.semantics import (
    BLOCKS,
    classes,
    is_entity,
    language_of,
    own_ids,
    same_language,
    traverse,
    words_within,
)
from audiomill.inputs.markup.skips import PAGE_CLASSES, note_link, skip_reason
from audiomill.inputs.markup.text import ANCHOR, CELL, ROW, TextRun, clean, squeeze, text_runs

BREAK_CLASSES = frozenset(
    ("scenebreak", "scene-break", "section-break", "sectionbreak", "asterism")
)
CELLS = frozenset(("td", "th"))
OPENING, CLOSING = tuple("([“‘«¿¡"), tuple(".,;:!?…)]”’»")


@dataclass(frozen=True, slots=True)
class AnchoredBlock:
    """A block and the ids that start at or inside it, where a table of contents can cut."""

    block: Block
    ids: tuple[str, ...] = ()
    opening_link: str = ""  # the href of a mark ("3", "[3]", "*") that the block begins with


@dataclass(frozen=True, slots=True)
class DocumentBlocks:
    """What a document says, what it holds back, and the ids after its last block."""

    blocks: tuple[AnchoredBlock, ...]
    skipped: tuple[Skipped, ...]
    end_ids: tuple[str, ...] = ()
    note_links: tuple[str, ...] = ()  # the hrefs of the marks that were held back


def to_blocks(body: Element, *, where: str, language: str | None = None) -> DocumentBlocks:
    """The blocks of `body`, in order.

    `where` names the document for people; `language` is the book's, so that blocks carry only
    what differs from it.
    """
    walker = _Walker(where, language or "", language_of(body))
    traverse(body, walker.enter, walker.text, walker.leave)
    return walker.walked()


@dataclass(frozen=True, slots=True)
class _Draft:
    anchored: AnchoredBlock
    joins: tuple[int, int] | None = None  # verse lines of one stanza share it


class _Walker:
    def __init__(self, where: str, book_language: str, language: str) -> None:
        self._where = where
        self._book_language = book_language
        self._places = [ElementContext(language=language)]
        self._run: list[str] = []  # the characters of the block being read
        self._languages: set[str] = set()  # of those characters
        self._ids: deque[str] = deque()  # of the ANCHORs in the run
        self._drafts: list[_Draft] = []
        self._skipped: list[Skipped] = []
        self._note_links: list[str] = []
        self._opening_link = ""
        self._lists = ListNumbers()
        self._number = ""  # of a list item that has not said anything yet
        self._n_elements = 0
        self._stanza = 0

    def walked(self) -> DocumentBlocks:
        self._flush()
        return DocumentBlocks(
            blocks=tuple(_joined(self._drafts)),
            skipped=tuple(self._skipped),
            end_ids=tuple(self._ids),
            note_links=tuple(self._note_links),
        )

    def enter(self, node: Element) -> bool:
        name = local_name(node)
        if not name:
            self._entity(node)
            return False
        self._n_elements += 1
        place = self._places[-1].inside(node, name, number=self._n_elements)
        if place.number == self._n_elements:
            self._flush()
            place = replace(place, n_drafts=len(self._drafts))
        elif place.kind is BlockKind.TABLE and name in BLOCKS:
            self._run.append(" ")
        self._anchor(own_ids(node))
        reason = skip_reason(node)
        self._note_link(node, reason)
        if reason:
            self._skip(node, reason)
            return False
        if name in {"br", "hr", "img"}:
            self._void(node, name)
            return False
        raised = superscript(node)
        if raised:
            self.text(raised)
            self._anchor([name for inner in node.iterdescendants() for name in own_ids(inner)])
            return False
        self._places.append(place)
        self._lists.enter(name, node)
        if name == "li":
            self._number = self._lists.of_item(node)
        return True

    def text(self, text: str) -> None:
        place = self._places[-1]
        cleaned = clean(text, place.kind)
        if cleaned.strip():
            self._say_number(place)
            self._languages.add(place.language)
        if cleaned:
            self._run.append(cleaned)

    def leave(self, node: Element) -> None:
        place = self._places[-1]
        name = local_name(node)
        outer = self._places[-2]
        if place.number != outer.number:
            self._flush()
            self._close(node, place)
        elif place.kind is BlockKind.TABLE and name in BLOCKS:
            self._run.append(ROW if name == "tr" else CELL if name in CELLS else " ")
        self._places.pop()
        self._lists.leave(name)
        if name == "li":
            self._number = ""

    def _say_number(self, place: ElementContext) -> None:
        """Begin a list item with its number; a heading or a table in one goes without."""
        if place.kind is BlockKind.LIST_ITEM:
            self._run.append(self._number)
        self._number = ""

    def _anchor(self, ids: list[str]) -> None:
        if ids:
            self._ids.extend(ids)
            self._run.append(ANCHOR * len(ids))

    def _note_link(self, node: Element, reason: SkipReason | None) -> None:
        at_start = not self._opening_link and not self._languages  # no letter seen yet
        if at_start or reason is SkipReason.NOTE_REFERENCE:
            href = note_link(node)
            if href and reason is SkipReason.NOTE_REFERENCE:
                self._note_links.append(href)
            if href and at_start:
                self._opening_link = href

    def _void(self, node: Element, name: str) -> None:
        place = self._places[-1]
        if name == "br":
            self._run.append(" " if place.kind is BlockKind.TABLE else "\n")
        elif name == "img":
            self._picture(node, place)
        elif not (classes(node) & PAGE_CLASSES or self._at_scene_break()):
            self._rule()

    def _picture(self, node: Element, place: ElementContext) -> None:
        letter = _drop_cap(node)
        if letter:
            self._say_number(place)
            self._run.append(letter)

    def _at_scene_break(self) -> bool:
        return bool(self._drafts) and self._drafts[-1].anchored.block.kind is BlockKind.SCENE_BREAK

    def _rule(self) -> None:
        """A scene break that is drawn, not written."""
        self._draft(TextRun(BlockKind.SCENE_BREAK, "", len(self._ids)), None)
        self._run.clear()

    def _skip(self, node: Element, reason: SkipReason) -> None:
        if reason is SkipReason.FORMULA:
            self.text(node.get("alttext") or "formula")
        elif reason is SkipReason.NOTE_REFERENCE and (node.tail or "")[:1] in CLOSING:
            self._close_up()
        elif reason is SkipReason.LINE_NUMBER and self._would_glue(node.tail or ""):
            self._run.append(" ")
        text = squeeze(words_within(node))
        ids = own_ids(node)
        if text:
            where = f"{self._where}#{ids[0]}" if ids else self._where
            self._skipped.append(Skipped(reason, text, where))
        for inner in node.iterdescendants():
            self._anchor(own_ids(inner))

    def _would_glue(self, tail: str) -> bool:
        """Whether the words before and after what is left out would become one."""
        before = self._run[-1] if self._run else ""
        return before[-1:] not in OPENING and tail[:1] not in CLOSING

    def _close_up(self) -> None:
        """Drop the space before what is left out: "word <1>." is not "word ."."""
        for at in range(len(self._run) - 1, max(len(self._run) - 3, -1), -1):
            self._run[at] = self._run[at].rstrip(" ")
            if self._run[at].strip(ANCHOR):
                break

    def _entity(self, node: Element) -> None:
        """A reference that only a DTD could explain: never resolved, so never spoken."""
        if is_entity(node):
            self._skipped.append(Skipped(SkipReason.UNREADABLE, node.text or "", self._where))

    def _close(self, node: Element, place: ElementContext) -> None:
        if place.n_drafts < len(self._drafts):
            return
        self._stanza += 1  # an empty line ends a stanza
        if classes(node) & BREAK_CLASSES and not self._at_scene_break():
            self._rule()

    def _flush(self) -> None:
        """End the block being read; anchors with nothing after them wait for the next."""
        place = self._places[-1]
        run, self._run = "".join(self._run), []
        # A block in one language throughout is of that language, even if an inner element says so.
        language = self._languages.pop() if len(self._languages) == 1 else place.language
        self._languages.clear()
        opening_link, self._opening_link = self._opening_link, ""
        for piece in text_runs(run, place.kind):
            if piece.text:
                self._draft(piece, language, opening_link)
                opening_link = ""
            else:
                self._run.append(ANCHOR * piece.n_anchors)

    def _draft(self, piece: TextRun, language: str | None, opening_link: str = "") -> None:
        place, kind = self._places[-1], piece.kind
        ids = tuple(self._ids.popleft() for _ in range(piece.n_anchors))
        differs = language and not same_language(language, self._book_language)
        block = Block(
            kind=kind,
            text=piece.text,
            language=language if differs else None,
            level=place.level if kind in {BlockKind.HEADING, BlockKind.LIST_ITEM} else 0,
            where=f"{self._where}#{ids[0]}" if ids else self._where,
        )
        lone_line = place.kind is kind is BlockKind.VERSE and "\n" not in piece.text
        joins = (place.parent, self._stanza) if lone_line else None
        self._drafts.append(_Draft(AnchoredBlock(block, ids, opening_link), joins))


def _drop_cap(image: Element) -> str:
    """The letter of a picture that stands for the first letter of the word after it."""
    letter, rest = image.get("alt") or "", image.tail or ""
    return letter if len(letter) == 1 and letter.isalpha() and rest[:1].isalpha() else ""


def _joined(drafts: list[_Draft]) -> list[AnchoredBlock]:
    """The drafts, with the lines of a stanza that came one by one made one block."""
    blocks: list[AnchoredBlock] = []
    for joins, group in groupby(drafts, key=lambda draft: draft.joins):
        if joins is None:
            blocks += [draft.anchored for draft in group]
            continue
        lines = [draft.anchored for draft in group]
        text = "\n".join(line.block.text for line in lines)
        ids = tuple(name for line in lines for name in line.ids)
        blocks.append(AnchoredBlock(replace(lines[0].block, text=text), ids))
    return blocks
