"""Makes a safe page of the markup of a source, with its pictures, and without its surroundings.

The pictures are those that every reading system shows, told by their bytes. A drawing (SVG) is
copied without what could run or be fetched. What reading has listed as being around the text can be
taken out, and what is empty then.

Source: EPUB 3.3, 3.2 (core media types).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import urljoin

from lxml import etree

from audiomill.inputs.markup.encodings import CONTROLS
from audiomill.inputs.markup.parser import XHTML, Element, local_name, parse_xml
from audiomill.inputs.markup.semantics import MATHML, text_within
from audiomill.inputs.metadata.images import MEDIA_TYPES as KINDS
from audiomill.inputs.metadata.images import SUFFIXES, UnusableImage, identify
from audiomill.inputs.model.book import MIB, Book, SkipReason, SourceCorrupt, SourceTooLarge
from audiomill.inputs.readers.source_markup import LEFT_OUT, Picture, SourceMarkup
from audiomill.outputs.pages.svg import SVG
from audiomill.outputs.readalong.documents.source_text import PHRASING, letters_with_places
from audiomill.outputs.readalong.documents.xml import EPUB_TYPE, xml_bytes
from audiomill.outputs.readalong.own.notes import BACKLINK, NOTE, NOTEREF, mark_notes
from audiomill.outputs.readalong.own.safe_foreign import safe_svg
from audiomill.outputs.readalong.own.safe_markup import References, outer_link, safe_copy
from audiomill.outputs.readalong.upgrade.documents import mended_tree
from audiomill.outputs.readalong.upgrade.elements import (
    PAGE_PREFIXES,
    html_name,
    take_out,
)

_NOTE_TYPES = frozenset((BACKLINK, NOTE, NOTEREF))
_KEPT_CLASS = re.compile(rf"language-[\w+#-]+|{LEFT_OUT}|picture")

PICTURES = "pictures"
MAX_PICTURE_BYTES = 512 * MIB  # of all pictures; those after it are left to their words
_SVG = ".svg"
# By suffix.
PICTURE_TYPES = {SUFFIXES[kind]: KINDS[kind] for kind in SUFFIXES} | {_SVG: "image/svg+xml"}
_LARGEST_SVG = MIB
SHORTEST_PART = 20  # letters, of a text that is a part of a listed one
_AROUND = frozenset(
    (
        *(SkipReason.ADVERTISEMENT, SkipReason.EDITION, SkipReason.NAVIGATION),
        *(SkipReason.TABLE_OF_CONTENTS, SkipReason.TEMPLATE, SkipReason.UNREADABLE),
    )
)
_NUMBER = re.compile(r"\(?\w{1,4}[.)]\s")  # of a list item, which is written out
_SHOWN = frozenset(("br", "hr", "img", "td", "th", ""))  # without words; "" is MathML or SVG


def _link(href: str, base: str) -> str:
    """The address of a link on the page at `base`; "" for one that leads to no other page."""
    if href.startswith("#"):
        return href
    try:
        return outer_link(urljoin(base, href))
    except ValueError:
        return ""


def safe_page(markup: SourceMarkup, pictures: Pictures) -> Element:
    """The page of a source as XHTML 5, its notes marked. `pictures` gets those that it shows."""
    body = markup.body
    _remove_controls(body)
    mark_notes(body)
    references = References(
        link=lambda href: _link(href.strip(), markup.base),
        picture=pictures.add,
        keeps_class=lambda one: _KEPT_CLASS.fullmatch(one) is not None,
        keeps_alignment=True,
    )
    copied = safe_copy(body, references)
    page = etree.Element(f"{{{XHTML}}}html", nsmap=PAGE_PREFIXES)
    etree.SubElement(page, f"{{{XHTML}}}body").append(copied)
    for element in page.iter():
        if "role" in element.attrib and element.tag.startswith(f"{{{XHTML}}}"):
            del element.attrib["role"]
        if element.get(EPUB_TYPE) not in _NOTE_TYPES and EPUB_TYPE in element.attrib:
            del element.attrib[EPUB_TYPE]
    _complete(page)
    return mended_tree(page, "-")


def _remove_controls(body: Element) -> None:
    """Remove the characters that HTML may have and no XML."""
    for one in body.iter():
        for key, value in one.attrib.items():
            if CONTROLS.search(str(value)):
                one.set(key, CONTROLS.sub("", str(value)))
        if one.text and CONTROLS.search(one.text):
            one.text = CONTROLS.sub("", one.text)
        if one.tail and CONTROLS.search(one.tail):
            one.tail = CONTROLS.sub("", one.tail)


def _complete(page: Element) -> None:
    """Tell what only the place of elements tells; show what is spoken."""
    for row in page.iter(f"{{{XHTML}}}tr"):
        is_head = all(html_name(cell) == "th" for cell in row)
        for cell in row if is_head else list(row)[:1]:
            if html_name(cell) == "th" and cell.get("scope") is None:
                cell.set("scope", "col" if is_head else "row")
    for details in page.iter(f"{{{XHTML}}}details"):
        details.set("open", "open")
    for paragraph in page.iter(f"{{{XHTML}}}p"):
        parts = [*paragraph.iterchildren()]
        texts = (paragraph.text, *(one.tail for one in parts))
        if [one.tag for one in parts] == [f"{{{MATHML}}}math"] and not any(map(has_words, texts)):
            parts[0].set("display", "block")


def has_words(text: str | None) -> bool:
    """Whether a text between elements is more than white space."""
    return bool(text and text.strip())


class Pictures:
    """The pictures of a source, each once, by the names that they have in the book."""

    def __init__(self, picture: Picture) -> None:
        self.files: dict[str, bytes] = {}
        self._picture = picture
        self._names: dict[bytes, str] = {}
        self._n_bytes = 0

    def add(self, element: Element) -> str:
        """The name of the picture that an element shows; "" if the book cannot have it."""
        data = self._picture(element)
        if not data or self._n_bytes + len(data) > MAX_PICTURE_BYTES:
            return ""
        if data not in self._names:
            self._names[data] = self._added(data)
        return self._names[data]

    def _added(self, data: bytes) -> str:
        try:
            suffix, content = identify(data).suffix, data
        except UnusableImage:
            suffix, content = _SVG, _drawing(data)
        if not content:
            return ""
        name = f"{PICTURES}/{len(self.files) + 1:04}{suffix}"
        self.files[name] = content
        self._n_bytes += len(content)
        return name


def _drawing(data: bytes) -> bytes:
    """A safe copy of a drawing; b"" if it is none."""
    if len(data) > _LARGEST_SVG or b"<svg" not in data:
        return b""
    try:
        root = parse_xml(data)
    except (SourceCorrupt, SourceTooLarge):
        return b""
    copied = safe_svg(root, lambda name: name) if local_name(root) == "svg" else None
    if copied is None or copied.tag != f"{{{SVG}}}svg":
        return b""
    return xml_bytes(copied)


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


def take_empty(elements: Iterable[Element]) -> None:
    """Take out elements that show nothing."""
    for element in elements:
        for node in reversed([*element.iterdescendants()]):
            is_shown = any(html_name(one) in _SHOWN for one in node.iter())
            if not is_shown and not text_within(node).strip() and node.get("id") is None:
                take_out(node)
