"""Reads an XHTML document as `SourceText`: its printed text with its places in the bytes. Pure.

Expat tells the byte of each tag and text; a text with references has other bytes than characters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from xml.parsers import expat

from audiomill.inputs.markup.parser import XHTML
from audiomill.inputs.markup.pictures import PICTURES
from audiomill.outputs.pages.svg import SVG
from audiomill.outputs.readalong.documents.source_text import (
    PHRASING,
    BytePlaces,
    SourceElement,
    SourcePicture,
    SourceText,
    first_letters,
    letters_with_places,
)

# No text of the page, or set beside it to help with reading.
UNPRINTED = frozenset(["head", "rp", "rt", "rtc", "script", "style", "template", "title"])
UNPRINTED_IN_DRAWINGS = frozenset(["script", "style"])
ID_ATTRIBUTES = ("id", "http://www.w3.org/XML/1998/namespace id")
_CSS_TYPES = frozenset(["", "text/css"])  # of a link that may tell none
# A document without them says alone whether it is well formed, 20 times as fast as its reader. One
# in UTF-16, which has zeros, is well formed for expat, but its reader counts the bytes of UTF-8.
_TOLD_BY_THE_READER = (b"<![CDATA[", b"<!ENTITY", b"\0")
_SEPARATOR = " "  # between a namespace and a name; no name has one


class NotWellFormed(ValueError):
    """The document is no well-formed XML in UTF-8."""


def read_source_text(document: bytes) -> SourceText:
    """The text of a document in UTF-8. Raises NotWellFormed."""
    reader, root = _parsed(document)
    return reader.result(root)


def is_well_formed(document: bytes) -> bool:
    """Whether spans can be put into a document: it is XML in UTF-8, and has only XML's names."""
    try:
        if any(sign in document for sign in _TOLD_BY_THE_READER):
            _parsed(document)
        else:
            _parser().Parse(document, True)  # noqa: FBT003
    except (NotWellFormed, expat.ExpatError):
        return False
    return True


def _parsed(document: bytes) -> tuple[_SourceReader, SourceElement]:
    """A reader that has read a document, and its root. Raises NotWellFormed."""
    reader = _SourceReader(document)
    try:
        reader.parser.Parse(document, True)  # noqa: FBT003
    except expat.ExpatError as error:
        raise NotWellFormed(str(error)) from error
    if reader.root is None or reader.has_sections:
        raise NotWellFormed("it has no element, or a CDATA section")
    return reader, reader.root


def _parser() -> expat.XMLParserType:
    return expat.ParserCreate(encoding="utf-8", namespace_separator=_SEPARATOR)


class _SourceReader:
    """Collects elements and texts by the calls of expat, which tells the byte of each event."""

    def __init__(self, document: bytes) -> None:
        self._document = document
        self.parser = _parser()
        self.parser.buffer_text = False
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.StartCdataSectionHandler = self._section
        # Comments and the like. With such a handler entities of the document are not expanded.
        self.parser.DefaultHandler = self._other
        self.root: SourceElement | None = None
        self.has_sections = False
        self._open: list[SourceElement] = []
        self._n_unprinted = 0
        self._pending: tuple[str, int] | None = None  # a text whose last byte is not known yet
        self._is_in_text = False
        self._chars: list[str] = []
        self._starts, self._ends = BytePlaces(), BytePlaces()
        self._n_chars = 0
        self._text_starts: list[int] = []
        self._parents: list[SourceElement] = []
        self._ids: set[str] = set()
        self._style_sheets: list[str] = []
        self._pictures: list[SourcePicture] = []
        self._formulas: list[SourceElement] = []
        self._is_opening: SourceElement | None = None  # its start tag has not ended yet

    def result(self, root: SourceElement) -> SourceText:
        chars = "".join(self._chars)
        letters, letter_chars = letters_with_places(chars)
        text_letters = [*first_letters(self._text_starts, letter_chars), len(letters)]
        return SourceText(
            root,
            chars,
            self._starts,
            self._ends,
            self._text_starts,
            self._parents,
            letters,
            letter_chars,
            text_letters,
            frozenset(self._ids),
            tuple(self._style_sheets),
            tuple(self._pictures),
            tuple(self._formulas),
        )

    def _here(self) -> int:
        """The byte of this event; what was pending ends there."""
        at = self.parser.CurrentByteIndex
        if self._is_opening is not None:
            self._is_opening.content_start = at
            self._is_opening = None
        if self._pending is not None:
            text, start = self._pending
            self._pending = None
            self._add(text, start, at)
        return at

    def _add(self, text: str, start: int, end: int) -> None:
        """Add characters at these bytes. One of several bytes may be a reference."""
        if len(text) == end - start and text.isascii():
            self._starts.add(self._n_chars, start)
            self._ends.add(self._n_chars, start + 1)
        else:
            self._add_wide(text, start, end)
        self._chars.append(text)
        self._n_chars += len(text)

    def _add_wide(self, text: str, start: int, end: int) -> None:
        """Tell the bytes of a text of which some characters have several."""
        sizes = [len(one.encode()) for one in text]
        is_plain = sum(sizes) == end - start
        if not is_plain and len(text) != 1:
            raise NotWellFormed("a text has other bytes than characters")
        at = start
        for character, size in enumerate(sizes, self._n_chars):
            self._starts.add(character, at)
            at += size if is_plain else end - start
            self._ends.add(character, at)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        at = self._here()
        kind = _kind_of(name)
        parent = self._open[-1] if self._open else None
        element = SourceElement(kind.name, parent, at)
        element.first_text = len(self._text_starts)
        own_id = attributes.get("id", "")
        element.id = None if own_id in self._ids else own_id
        if attributes:
            self._ids.update(attributes[one] for one in ID_ATTRIBUTES if one in attributes)
        if kind.is_picture:
            self._add_picture(element, attributes)
        if kind.is_formula:
            self._formulas.append(element)
        if kind.name == "link" and _is_style_sheet(attributes):
            self._style_sheets.append(attributes.get("href", ""))
        if parent is None:
            self.root = element
        else:
            element.index = len(parent.children)
            parent.children.append(element)
        self._open.append(element)
        self._n_unprinted += kind.is_unprinted
        self._is_in_text = False
        self._is_opening = element

    def _add_picture(self, element: SourceElement, attributes: dict[str, str]) -> None:
        words = attributes.get("alt") or attributes.get("aria-label") or ""
        if letters := letters_with_places(words)[0]:
            self._pictures.append(SourcePicture(element, letters))

    def _end(self, name: str) -> None:
        is_empty = self._is_opening is not None
        at = self._here()
        element = self._open.pop()
        self._n_unprinted -= _kind_of(name).is_unprinted
        self._is_in_text = False
        closing = self._document.find(b">", at) + 1
        is_short = is_empty and self._document[at : at + 2] != b"</"
        element.content_end = at
        if is_short:  # expat tells the start of <br/> for both its events
            element.content_start = element.content_end = closing
        element.end = closing
        element.last_text = len(self._text_starts)
        element.has_block |= element.name not in PHRASING
        if element.has_block and element.parent is not None and element.name:
            element.parent.has_block = True

    def _text(self, text: str) -> None:
        at = self._here()
        if not self._open or self._n_unprinted:
            return
        if not self._is_in_text:
            self._is_in_text = True
            parent = self._open[-1]
            self._text_starts.append(self._n_chars)
            self._parents.append(parent)
            parent.children.append(len(self._text_starts) - 1)
        self._pending = (text, at)

    def _section(self) -> None:
        self._here()
        self.has_sections |= not self._n_unprinted

    def _other(self, _data: str) -> None:
        self._here()
        self._is_in_text = False


@dataclass(frozen=True, slots=True)
class _Kind:
    """What is known of an element by its name; `name` is that of `SourceElement`."""

    name: str
    is_unprinted: bool  # its text is none of the page
    is_picture: bool
    is_formula: bool


@lru_cache(maxsize=1024)  # a book of formulas has a million elements
def _kind_of(name: str) -> _Kind:
    """The kind of an element that is named with its namespace."""
    space, _, local = name.rpartition(_SEPARATOR)
    local, is_html = local.lower(), space in {XHTML, ""}
    is_known = is_html or space == SVG
    return _Kind(
        name=local if is_html else "",
        is_unprinted=is_known and local in (UNPRINTED if is_html else UNPRINTED_IN_DRAWINGS),
        is_picture=is_known and local in PICTURES,
        is_formula=local == "math",
    )


def _is_style_sheet(link: Mapping[str, str]) -> bool:
    """Whether a link leads to a sheet of CSS that readers use by themselves."""
    relations = link.get("rel", "").lower().split()
    kind = link.get("type", "").partition(";")[0].strip().lower()
    return "stylesheet" in relations and "alternate" not in relations and kind in _CSS_TYPES
