"""Cuts the document with all text of a source into one for each chapter. Pure.

    document   <div> <h1>One</h1> <p>…</p> <nav>…</nav> <h1>Two</h1> <p>…</p> </div>
    chapters   <div> <h1>One</h1> <p>…</p> </div>       <div> <h1>Two</h1> <p>…</p> </div>

The blocks of the chapters are found in it by their letters. A chapter begins with the outermost
element that its text begins. What was not read goes, if it was around the text: navigation, and
texts that are listed as such.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from audiomill.inputs.markup.parser import Element
from audiomill.inputs.model.book import Block, BlockKind
from audiomill.outputs.readalong.documents.alignment import NOWHERE, aligned
from audiomill.outputs.readalong.documents.source_reader import read_source_text
from audiomill.outputs.readalong.documents.source_text import PHRASING, SourceElement, SourceText
from audiomill.outputs.readalong.own.source_page import Surroundings

# Of the letters of all blocks; words for formulas are not found. With fewer it is another text.
LEAST_FOUND = 0.5
_ID = re.compile(rb' id="[^"]*"')


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What reading has left out: texts around the book's, and elements (by a class)."""

    around: Surroundings
    class_name: str
    is_whole: bool  # what has no text stays wherever it stands


@dataclass(frozen=True, slots=True)
class CutDocument:
    """The content of the body of each chapter by its index, and the chapter that has each block.

    A chapter of which nothing is found has no content. A block that is not found has -1.
    """

    contents: dict[int, bytes]
    places: tuple[tuple[int, ...], ...]


def cut(
    document: bytes, root: Element, chapters: Sequence[Sequence[Block]], left_out: LeftOut
) -> CutDocument | None:
    """The chapters of a document, whose tree is `root`; None if they are not found in it.

    Raises NotWellFormed.
    """
    source = read_source_text(document)
    blocks = [block for chapter in chapters for block in chapter]
    found = aligned(source, [block.text for block in blocks])
    firsts = [_first(one) for one in found]
    if not _are_found(blocks, found):
        return None
    starts = _starts(source, chapters, firsts)
    body = next(one for one in source.root.children if _is_body(one))
    if not starts or not isinstance(body, SourceElement):
        return None
    removed = _removed(source, root, body, _kept_texts(source, found, left_out), left_out)
    elements = [None, *list(starts.values())[1:], None]
    contents = {
        chapter: _content(document, body, start, end, removed)
        for chapter, (start, end) in zip(starts, pairwise(elements), strict=True)
    }
    edges = [one.start for one in starts.values()]
    places = iter(_place(source, first, edges) for first in firsts)
    by_edge = [*starts, -1]  # the last one for no place
    return CutDocument(
        contents,
        tuple(tuple(by_edge[next(places)] for _ in chapter) for chapter in chapters),
    )


def _is_body(child: SourceElement | int) -> bool:
    return isinstance(child, SourceElement) and child.name == "body"


def _first(characters: array[int]) -> int:
    return next((one for one in characters if one != NOWHERE), NOWHERE)


def _are_found(blocks: Sequence[Block], found: Sequence[array[int]]) -> bool:
    n_letters = n_found = 0
    for block, characters in zip(blocks, found, strict=True):
        letters = [at for at, one in enumerate(block.text) if one.isalnum()]
        n_letters += len(letters)
        n_found += sum(characters[at] != NOWHERE for at in letters)
    return n_found >= LEAST_FOUND * n_letters


def _place(source: SourceText, first: int, edges: Sequence[int]) -> int:
    """The number of the edge that a character is after; the first one also has what is before."""
    if first == NOWHERE:
        return -1
    return max(0, bisect_left(edges, source.starts[first] + 1) - 1)


def _starts(
    source: SourceText, chapters: Sequence[Sequence[Block]], firsts: Sequence[int]
) -> dict[int, SourceElement]:
    """The element with which each chapter begins; none at all if they are not in order."""
    starts: dict[int, SourceElement] = {}
    at, last = 0, NOWHERE
    for number, chapter in enumerate(chapters):
        own = zip(chapter, firsts[at : at + len(chapter)], strict=True)
        texts = (one for block, one in own if block.kind is not BlockKind.NOTE)
        first = next((one for one in texts if one > last), NOWHERE)
        if first != NOWHERE:
            starts[number] = _outermost(source, first)
            last = first
        at += len(chapter)
    in_order = all(one.start < other.start for one, other in pairwise(starts.values()))
    return starts if in_order else {}


def _outermost(source: SourceText, character: int) -> SourceElement:
    """The outermost element within the body whose first letter is a character."""
    text = source.text_of_char(character)
    element = source.parents[text]
    letter = bisect_left(source.letter_chars, character)
    while (
        element.parent is not None
        and element.parent.name not in {"body", "html"}
        and source.text_letters[element.parent.first_text] >= letter
    ):
        element = element.parent
    return element


def _kept_texts(
    source: SourceText, found: Sequence[array[int]], left_out: LeftOut
) -> tuple[list[bool], list[bool]]:
    """For each text whether blocks have a letter of it, and whether it is to stay."""
    has_block = [False] * len(source.text_starts)
    for characters in found:
        for one in characters:
            if one != NOWHERE:
                has_block[source.text_of_char(one)] = True
    decided: dict[int, bool] = {}
    kept = list(has_block)
    for text, is_known in enumerate(has_block):
        if not is_known and source.text_letters[text] < source.text_letters[text + 1]:
            block = _block_around(source.parents[text])
            if block.start not in decided:
                is_read = any(has_block[block.first_text : block.last_text])
                decided[block.start] = is_read or not left_out.around.has(_letters(source, block))
            kept[text] = decided[block.start]
    return has_block, kept


def _letters(source: SourceText, element: SourceElement) -> str:
    first, last = (source.text_letters[at] for at in (element.first_text, element.last_text))
    return source.letters[first:last]


def _block_around(element: SourceElement) -> SourceElement:
    while element.name in PHRASING and element.parent is not None:
        element = element.parent
    return element


def _removed(
    source: SourceText,
    root: Element,
    body: SourceElement,
    texts: tuple[Sequence[bool], Sequence[bool]],
    left_out: LeftOut,
) -> list[tuple[int, int]]:
    """The bytes of elements that go, in order."""
    n_read, n_kept = ([0, *accumulate(map(int, one))] for one in texts)
    first, last = _range_of(texts[0])
    removed: list[tuple[int, int]] = []
    pending: list[tuple[SourceElement, Element]] = [
        (one, tree) for one, tree in _pairs(source.root, root) if one is body
    ]
    while pending:
        for one, tree in _pairs(*pending.pop()):
            own = slice(one.first_text, one.last_text)
            is_read = n_read[own.stop] > n_read[own.start]
            has_letters = source.text_letters[own.start] < source.text_letters[own.stop]
            is_out = left_out.class_name in (tree.get("class") or "").split()
            is_around = own.stop <= first or own.start > last
            if (
                (is_out and not is_read)
                or (has_letters and n_kept[own.stop] == n_kept[own.start])
                or (not has_letters and is_around and not left_out.is_whole)
            ):
                removed.append((one.start, one.end))
            else:
                pending.append((one, tree))
    return sorted(removed)


def _range_of(flags: Sequence[bool]) -> tuple[int, int]:
    known = [at for at, flag in enumerate(flags) if flag]
    return (known[0], known[-1]) if known else (0, len(flags))


def _pairs(one: SourceElement, tree: Element) -> Iterator[tuple[SourceElement, Element]]:
    """The elements in an element, each with itself in the tree."""
    inner = (child for child in one.children if isinstance(child, SourceElement))
    return zip(inner, tree, strict=True)


def _content(
    document: bytes,
    body: SourceElement,
    start: SourceElement | None,
    end: SourceElement | None,
    removed: Sequence[tuple[int, int]],
) -> bytes:
    """What is between two elements, in the elements around it."""
    opened = list(_around(start)) if start else []
    closed = list(_around(end)) if end else []
    first = start.start if start else body.content_start
    last = end.start if end else body.content_end
    return b"".join(
        (
            *(_ID.sub(b"", document[one.start : one.content_start]) for one in opened),
            *_between(document, first, last, removed),
            *(document[one.content_end : one.end] for one in reversed(closed)),
        )
    )


def _around(element: SourceElement) -> Sequence[SourceElement]:
    """The elements around one within the body, the outermost first."""
    found: list[SourceElement] = []
    parent = element.parent
    while parent is not None and parent.name != "body":
        found.append(parent)
        parent = parent.parent
    return found[::-1]


def _between(
    document: bytes, first: int, last: int, removed: Sequence[tuple[int, int]]
) -> Iterator[bytes]:
    for start, end in removed:
        if first <= start and end <= last:
            yield document[first:start]
            first = end
    yield document[first:last]
