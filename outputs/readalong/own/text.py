"""The text of a source that is no EPUB, chapter by chapter, with its own markup and pictures.

    markup of the source ─▶ notes marked ─▶ safe copy ─▶ XHTML ─▶ cut into chapters ─▶ links

Where the blocks of the book are not found in the markup there is none: then pages are made of the
blocks alone (`blocks.py`), for a typed text with what it emphasizes by signs, `_word_`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from lxml import etree

from audiomill.inputs.markup.parser import OPS, XHTML, Element
from audiomill.inputs.model.book import Block, BlockKind, Book, Limits, SourceError
from audiomill.inputs.readers.source_markup import LEFT_OUT, SourceMarkup, source_markup
from audiomill.inputs.readers.sources import TEXT_SUFFIXES
from audiomill.inputs.text.decoding import decode_text
from audiomill.outputs.readalong.documents.addresses import fragment_url
from audiomill.outputs.readalong.documents.source_reader import NotWellFormed
from audiomill.outputs.readalong.documents.xml import EPUB_TYPE, known_tag
from audiomill.outputs.readalong.own.blocks import block_elements
from audiomill.outputs.readalong.own.chapters import CutDocument, LeftOut, cut
from audiomill.outputs.readalong.own.notes import place_notes
from audiomill.outputs.readalong.own.source_page import (
    Pictures,
    has_words,
    letters_of,
    safe_page,
    surroundings_of,
    take_empty,
    take_surroundings,
)
from audiomill.outputs.readalong.own.typed_text import emphases_in
from audiomill.outputs.readalong.upgrade.documents import serialized
from audiomill.outputs.readalong.upgrade.elements import drop, html_name

MAX_DEPTH = 200  # of elements; those who read XML stop at 256


@dataclass(frozen=True, slots=True)
class OwnText:
    """The elements of each chapter, by its index, the page of each block, and the pictures.

    Links within the text lead to "#id". A chapter that has no elements is made of its blocks; the
    page of a block is the index of a chapter.
    """

    chapters: Mapping[int, Sequence[Element]]
    pages: tuple[tuple[int, ...], ...]
    pictures: Mapping[str, bytes]

    @classmethod
    def without_markup(cls, book: Book) -> OwnText:
        """No elements: each page is made of the blocks of its chapter."""
        pages = ((at,) * len(one.blocks) for at, one in enumerate(book.chapters))
        return cls({}, tuple(pages), {})


def own_text(book: Book, path: Path, limits: Limits) -> OwnText | None:
    """The text of the source at `path` that a book was read from; None if it has no markup."""
    letters = "".join(letters_of(block.text) for one in book.chapters for block in one.blocks)

    def is_read(text: str) -> bool:
        return letters_of(text) in letters

    try:
        if path.suffix.lower() in TEXT_SUFFIXES:
            return _typed_text(book, path)
        markup = source_markup(path, limits, is_read)
        return _own_text(book, markup) if markup else None
    except (SourceError, OSError, NotWellFormed):
        return None


def _typed_text(book: Book, path: Path) -> OwnText:
    """The blocks of a typed text, with what it emphasizes."""
    text, _ = decode_text(path.read_bytes(), path.name)
    blocks = [block for one in book.chapters for block in one.blocks]
    emphases = emphases_in(text, blocks, book.language)
    language = known_tag(book.language)
    chapters = {
        at: list(block_elements(one.blocks, language, islice(emphases, len(one.blocks))))
        for at, one in enumerate(book.chapters)
    }
    return replace(OwnText.without_markup(book), chapters=chapters)


def _own_text(book: Book, markup: SourceMarkup) -> OwnText | None:
    numbers = [at for at, one in enumerate(book.chapters) if one.blocks and not one.is_credits]
    pictures = Pictures(markup.picture)
    root = safe_page(markup, pictures)
    if not numbers or _depth(root) > MAX_DEPTH:
        return None
    around = surroundings_of(book)
    take_surroundings(root, around)
    left_out = LeftOut(around, LEFT_OUT, markup.is_whole)
    chapters = [book.chapters[at].blocks for at in numbers]
    found = cut(serialized(root), root, chapters, left_out)
    if found is None:
        return None
    bodies = [_parsed(content) for content in found.contents.values()]
    are_spoken = any(block.kind is BlockKind.NOTE for one in chapters for block in one)
    place_notes(bodies, are_spoken=are_spoken)
    if not markup.is_whole:
        take_empty(bodies)
    for body in bodies:
        _remove_marks(body)
    shown = {name for body in bodies for name in _shown(body)}
    return OwnText(
        {numbers[at]: _elements(body) for at, body in zip(found.contents, bodies, strict=True)},
        _pages(book, numbers, found),
        {name: data for name, data in pictures.files.items() if name in shown},
    )


def _elements(body: Element) -> list[Element]:
    """The elements of a chapter, without a `div` around all of them."""
    around = body[0] if len(body) else None
    if around is None or around.attrib or html_name(around) != "div":
        return list(body)
    is_needed = any(map(has_words, (around.text, *(one.tail for one in around))))
    return list(body) if is_needed else [*around, *list(body)[1:]]


def _depth(root: Element) -> int:
    deepest = depth = 0
    for event, _ in etree.iterwalk(root, events=("start", "end")):
        depth += 1 if event == "start" else -1
        deepest = max(deepest, depth)
    return deepest


def _parsed(content: bytes) -> Element:
    """The body of a chapter."""
    names = f'xmlns="{XHTML}" xmlns:epub="{OPS}"'.encode()
    parser = etree.XMLParser(huge_tree=True, resolve_entities=False, no_network=True)
    return etree.fromstring(b"<body %s>%s</body>" % (names, content), parser)


def _remove_marks(body: Element) -> None:
    for element in body.iter():
        if LEFT_OUT in (classes := (element.get("class") or "").split()):
            element.set("class", " ".join(one for one in classes if one != LEFT_OUT))
        if element.get("class") == "":
            del element.attrib["class"]


def _shown(body: Element) -> list[str]:
    return [one.get("src") or "" for one in body.iter(f"{{{XHTML}}}img")]


def _pages(book: Book, numbers: Sequence[int], found: CutDocument) -> tuple[tuple[int, ...], ...]:
    """The page of each block: that where it was found, but notes are in their own chapter."""
    by_chapter = dict(zip(numbers, found.places, strict=True))

    def page(chapter: int, block: Block, place: int) -> int:
        is_elsewhere = place >= 0 and block.kind is not BlockKind.NOTE
        return numbers[place] if is_elsewhere else chapter

    return tuple(
        tuple(
            page(at, block, place)
            for block, place in zip(
                one.blocks, by_chapter.get(at, (-1,) * len(one.blocks)), strict=True
            )
        )
        for at, one in enumerate(book.chapters)
    )


def lead_links(pages: Mapping[str, Sequence[Element]]) -> None:
    """Make the links between elements of the pages lead to their pages, or to nothing."""
    places = {
        name: page
        for page, elements in pages.items()
        for element in elements
        for one in element.iter()
        if (name := one.get("id"))
    }
    for page, elements in pages.items():
        links = (one for element in elements for one in element.iter(f"{{{XHTML}}}a"))
        for link in links:
            href = link.get("href") or ""
            if href.startswith("#"):
                to = places.get(href[1:])
                if to is None:
                    drop(link, "href", "role", EPUB_TYPE)
                else:
                    link.set("href", ("" if to == page else to) + fragment_url(href[1:]))
