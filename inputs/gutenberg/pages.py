"""Takes what Project Gutenberg sets around a book out of its pages, in EPUB and HTML.

Its newer pages mark these parts by class and id. In older ones the sentences tell that stand at
the beginning and at the end of each book, as in a text file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from audiomill.inputs.gutenberg.text import HeaderFields, header_fields
from audiomill.inputs.gutenberg.wording import (
    END,
    LAST_CHARS,
    LAST_LINE,
    START,
    is_credit,
    is_makers_note,
    is_picture_file,
)
from audiomill.inputs.markup.parser import Element, local_name
from audiomill.inputs.markup.pictures import words_and_pictures
from audiomill.inputs.markup.preformatted import make_paragraph
from audiomill.inputs.markup.semantics import (
    BLOCKS,
    classes,
    elements_outside_formulas,
    own_ids,
    text_within,
    traverse,
)
from audiomill.inputs.markup.text import normalise_spaces

LONGEST_MARKED = 60_000  # characters of a part known by its sentences; more is the book itself
LONGEST_NOTE = 12_000
FIRST = 14  # blocks below the header that can be credits
_CLASSES = frozenset(("pg-boilerplate", "pgheader", "pgfooter"))
_IDS = frozenset(("pg-header", "pg-footer", "pg-machine-header", "pg-end-separator"))
_NOTE_CLASSES = frozenset(
    (
        *("transnote", "transnotes", "trans-note", "trans_note", "tnote", "tnotes", "tnbox", "tn"),
        "mynote",
        *("transcriber", "transcribers-note", "transcriber-note", "transcribernote", "tr-note"),
    )
)
_PROJECT = re.compile(r"project\s+gutenberg", re.IGNORECASE)

Reads = Callable[[str, str], bool]  # whether the text of a part, with this id, is read


@dataclass(slots=True)
class EditionParts:
    """What a page has about the edition. What is read of it stays in the page."""

    taken: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])  # (text, id)
    ids: set[str] = field(default_factory=set[str])  # in the parts that were taken
    header: list[str] = field(default_factory=list[str])  # the lines above the book
    begins: bool = False  # the page has the beginning of a book
    ends: bool = False  # the page has the end of one

    @property
    def is_known(self) -> bool:
        """Whether the page is of the project, as far as itself can tell."""
        return self.begins or self.ends

    def fields(self) -> HeaderFields:
        """What the header says of the book."""
        return header_fields(self.header)


def take_edition(body: Element, *, is_known: bool, reads: Reads) -> EditionParts:
    """Take the parts about the edition out of a page, but for those that are to be read.

    `is_known` if the book is known to be of the project, whatever this page says.
    """
    parts = EditionParts()
    _take_marked(parts, body, reads)
    if is_known or parts.is_known or _PROJECT.search(text_within(body)):
        _take_above(parts, body, reads)
        _take_below(parts, body, reads)
    is_known = is_known or parts.is_known
    if is_known:
        _take_credits(parts, body, reads)
        _keep_verse(body)
    _take_notes(parts, body, reads, is_known=is_known)
    return parts


def take_all(body: Element, reads: Reads) -> EditionParts:
    """Take everything out of a page that follows the end of a book."""
    parts = EditionParts()
    _take_text(parts, body, reads)
    for node in [*body]:
        _take(parts, node, reads, with_tail=True)
    return parts


def _take_marked(parts: EditionParts, body: Element, reads: Reads) -> None:
    """Take what is marked by class or id."""
    marked = [node for node in elements_outside_formulas(body) if _is_marked(node)]
    outermost = [node for node in marked if not any(map(_is_marked, node.iterancestors()))]
    for node in outermost:
        text = text_within(node)
        begins = bool(START.search(text)) or node.get("id") == "pg-header"
        parts.begins |= begins
        parts.ends |= bool(END.search(text)) or node.get("id") == "pg-footer"
        parts.header += lines_of(node) if begins else []
        _take(parts, node, reads)


def _is_marked(node: Element) -> bool:
    return bool(node.attrib) and (bool(classes(node) & _CLASSES) or (node.get("id") or "") in _IDS)


def _take_above(parts: EditionParts, body: Element, reads: Reads) -> None:
    """Take the block with the sentence at the beginning of a book, and all above it."""
    start = None if parts.begins else _block_with(body, START)
    if start is None:
        return
    parts.begins = True
    above = [*reversed([*_beside(start, body, preceding=True)])]
    is_header = len(text_within(start)) <= LONGEST_MARKED
    for node in (*above, *([start] if is_header else [])):
        parts.header += lines_of(node)
    for parent in [*start.iterancestors()]:
        _take_text(parts, parent, reads)
        if parent is body:
            break
    for node in above:
        _take(parts, node, reads, with_tail=True)
    if is_header:
        _take(parts, start, reads)


def _take_below(parts: EditionParts, body: Element, reads: Reads) -> None:
    """Take the block with the sentence at the end of a book, and all below it."""
    end = None if parts.ends else _block_at_end(body)
    if end is None:
        return
    parts.ends = True
    below = [*_beside(end, body, preceding=False)]
    if len(text_within(end)) <= LONGEST_MARKED:
        _take(parts, end, reads, with_tail=True)
    for node in below:
        _take(parts, node, reads, with_tail=True)


def _take(parts: EditionParts, node: Element, reads: Reads, *, with_tail: bool = False) -> None:
    """Take an element out of its page, and list it; `with_tail` with the text after it."""
    parent = node.getparent()
    if parent is None:
        return
    name = local_name(node)
    words = [words_and_pictures(node) if name and name != "style" else ""]
    words += [normalise_spaces(node.tail or "")] if with_tail else []
    text, place = " ".join(filter(None, words)), next(iter(own_ids(node)), "") if name else ""
    if text and reads(text, place):
        return
    if text:
        parts.taken.append((text, place))
    elements = (inner for inner in node.iter() if local_name(inner))
    parts.ids.update(one for inner in elements for one in own_ids(inner))
    if not with_tail:
        _keep_tail(node, parent)
    parent.remove(node)


def _take_text(parts: EditionParts, parent: Element, reads: Reads) -> None:
    """Take the bare text at the beginning of an element."""
    text = normalise_spaces(parent.text or "")
    if text and not reads(text, ""):
        parts.taken.append((text, ""))
        parent.text = None


def _keep_tail(node: Element, parent: Element) -> None:
    before, tail = node.getprevious(), " " + (node.tail or "")
    if before is None:
        parent.text = (parent.text or "") + tail
    else:
        before.tail = (before.tail or "") + tail


def lines_of(node: Element) -> list[str]:
    """The lines of an element as a page shows them."""
    parts: list[str] = []
    n_preformatted = 0

    def enter(inner: Element) -> bool:
        nonlocal n_preformatted
        name = local_name(inner)
        n_preformatted += name == "pre"
        parts.append("\n" if name in BLOCKS or name == "br" else "")
        return bool(name) and name != "style"

    def add(text: str) -> None:
        parts.append(text if n_preformatted else text.replace("\n", " "))

    def leave(inner: Element) -> None:
        nonlocal n_preformatted
        n_preformatted -= local_name(inner) == "pre"
        parts.append("\n" if local_name(inner) in BLOCKS else "")

    traverse(node, enter, add, leave)
    return "".join(parts).split("\n")


def _block_with(body: Element, *patterns: re.Pattern[str]) -> Element | None:
    """The innermost block with a sentence of one of the patterns; None if there is none."""
    for node in body.iter():
        texts = ((node.text, node), (node.tail, node.getparent()))
        for text, owner in texts if local_name(node) else texts[1:]:
            is_found = text and any(pattern.search(text) for pattern in patterns)
            if is_found and owner is not None and _PROJECT.search(text or ""):
                return _block_of(owner, body)
    return None


def _block_at_end(body: Element) -> Element | None:
    """The block with the sentence at the end of a book; None if the page has none.

    The line above the one with asterisks is near to it, or else near to the end of the page.
    """
    end = _block_with(body, END)
    last = _block_with(body, END, LAST_LINE)
    if last is None or last is end:
        return end
    n_chars = _n_chars_below(last, body) - (0 if end is None else _n_chars_below(end, body))
    return last if n_chars <= LAST_CHARS else end


def _n_chars_below(node: Element, body: Element) -> int:
    return sum(len(text_within(one)) for one in _beside(node, body, preceding=False))


def _block_of(node: Element, body: Element) -> Element | None:
    """The block around a node, below the body."""
    while node is not body and local_name(node) not in BLOCKS:
        parent = node.getparent()
        if parent is None:
            return None
        node = parent
    return None if node is body else node


def _beside(node: Element, body: Element, *, preceding: bool) -> Iterator[Element]:
    """The elements before or after a node, at every level up to the body, nearest first."""
    current: Element | None = node
    while current is not None and current is not body:
        yield from current.itersiblings(preceding=preceding)
        current = current.getparent()


def _take_credits(parts: EditionParts, body: Element, reads: Reads) -> None:
    """Take the first paragraphs of a book that say who made the edition."""
    leaves = islice((node for node in body.iter() if _is_leaf(node)), FIRST)
    for node in [*leaves]:
        if is_credit(normalise_spaces(text_within(node))):
            _take(parts, node, reads)


def _keep_verse(body: Element) -> None:
    """Make paragraphs of what is set in lines by `<pre>`: verse, letters, signs; never code."""
    for node in [*body.iter("{*}pre")]:
        make_paragraph(node)


def _is_leaf(node: Element) -> bool:
    """True for a block without blocks in it."""
    return local_name(node) in BLOCKS and not any(local_name(one) in BLOCKS for one in node)


def _take_notes(parts: EditionParts, body: Element, reads: Reads, *, is_known: bool) -> None:
    """Take the notes of those who typed the book, and their words in the place of pictures.

    Those without a mark are taken only if the edition `is_known`.
    """
    found: list[Element] = []
    for node in elements_outside_formulas(body):
        is_marked = local_name(node) in BLOCKS and bool(classes(node) & _NOTE_CLASSES)
        if not is_marked and not (is_known and _is_leaf(node)):
            continue
        text = normalise_spaces(text_within(node))
        if not (is_marked or is_makers_note(text) or is_picture_file(text)):
            continue
        whole = node if is_marked else _whole_note(node, body)
        is_inside = any(above in found for above in (whole, *whole.iterancestors()))
        if not is_inside and len(text_within(whole)) <= LONGEST_NOTE:
            found.append(whole)
    for node in found:
        _take(parts, node, reads)


def _whole_note(node: Element, body: Element) -> Element:
    """The outermost element that begins with the note in `node`, and is no longer than a note."""
    whole = node
    while (parent := whole.getparent()) is not None and parent is not body:
        text = normalise_spaces(text_within(parent))
        if not is_makers_note(text) or len(text) > LONGEST_NOTE:
            break
        whole = parent
    return whole
