"""Makes the package document of a book of our own: its description, its files, their order.

Nothing in it tells when it was written: it is as old as the book, or of a fixed day. A book without
an identifier has one that is made of its source.

Sources: EPUB 3.3 (w3.org/TR/epub-33), EPUB Accessibility 1.1, the MARC relators (loc.gov).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from uuid import NAMESPACE_OID, uuid5

from lxml import etree

from audiomill.inputs.languages.writing import is_right_to_left
from audiomill.inputs.markup.parser import Element
from audiomill.inputs.model.book import Book, Series
from audiomill.outputs.readalong.documents.xml import opf, xml_bytes
from audiomill.outputs.text import UNTITLED, line, prose

IDENTIFIER = "identifier"  # the id of the element
_FIXED_DAY = "2000-01-01"
_DATE = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?(?=$|[T ])", re.ASCII)
_UUID = re.compile(r"urn:uuid:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)
_PLACE = re.compile(r"\d+(?:\.\d+)*", re.ASCII)  # in a series
_ACCESSIBILITY = (
    ("accessibilityFeature", "structuralNavigation"),
    ("accessibilityFeature", "tableOfContents"),
    ("accessibilityFeature", "readingOrder"),
    ("accessibilityHazard", "none"),
)
_SUMMARY = (
    "The whole book is text in its reading order, with headings and a table of contents. Its text"
    " can be shown in any size, font and colour."
)
_OF_PICTURES = {True: " Each picture has words for it.", False: " Some pictures have no words."}


@dataclass(frozen=True, slots=True)
class PackageFile:
    """A file of the book, beside the package document."""

    id: str
    name: str
    media_type: str
    properties: str = ""  # "nav", "cover-image"
    is_page: bool = False  # it is read, in the order of the files


def package_document(
    book: Book, language: str, files: Sequence[PackageFile], *, has_words: bool = True
) -> bytes:
    """The package document. `has_words` if there are words for each picture in the text."""
    direction = {"dir": "rtl"} if is_right_to_left(language) else {}
    root = opf(
        "package",
        {"version": "3.0", "unique-identifier": IDENTIFIER, "xml:lang": language, **direction},
        opf(
            "metadata", {}, *_metadata(book, language), *_accessibility(files, has_words=has_words)
        ),
        opf("manifest", {}, *map(_item, files)),
        _spine(files, language),
    )
    etree.indent(root)
    return xml_bytes(root)


def _item(file: PackageFile) -> Element:
    properties = {"properties": file.properties} if file.properties else {}
    attributes = {"id": file.id, "href": file.name, "media-type": file.media_type}
    return opf("item", attributes | properties)


def _spine(files: Iterable[PackageFile], language: str) -> Element:
    direction = "rtl" if is_right_to_left(language) else "ltr"
    pages = (opf("itemref", {"idref": file.id}) for file in files if file.is_page)
    return opf("spine", {"page-progression-direction": direction}, *pages)


def _metadata(book: Book, language: str) -> Iterator[Element]:
    yield from _identifiers(book)
    yield from _titles(book)
    yield opf("dc:language", {}, language)
    yield from _people(book)
    yield from _texts(book)
    for number, one in enumerate((Series(book.series, book.series_index), *book.more_series), 1):
        yield from _collection(one, f"series-{number}")
    yield opf("meta", {"property": "dcterms:modified"}, f"{_day(book.date)}T00:00:00Z")


def _accessibility(files: Sequence[PackageFile], *, has_words: bool) -> Iterator[Element]:
    """Which senses the book speaks to, what helps them, and a summary."""
    has_pictures = any(one.media_type.startswith("image/") and not one.properties for one in files)
    properties = [("accessMode", "textual")]
    if has_pictures:
        properties.append(("accessMode", "visual"))
    if has_words:
        properties.append(("accessModeSufficient", "textual"))
    properties += _ACCESSIBILITY
    if has_pictures and has_words:
        properties.append(("accessibilityFeature", "alternativeText"))
    if any("mathml" in one.properties.split() for one in files):
        properties.append(("accessibilityFeature", "MathML"))
    for name, text in properties:
        yield opf("meta", {"property": f"schema:{name}"}, text)
    summary = {"property": "schema:accessibilitySummary", "xml:lang": "en"}
    yield opf("meta", summary, _SUMMARY + (_OF_PICTURES[has_words] if has_pictures else ""))


def _identifiers(book: Book) -> Iterator[Element]:
    """That of the book, then its ISBN if that is another one."""
    isbn = f"urn:isbn:{line(book.isbn)}" if book.isbn else ""
    main = _identifier(book, isbn)
    yield opf("dc:identifier", {"id": IDENTIFIER}, main)
    if isbn and isbn != main:
        yield opf("dc:identifier", {}, isbn)


def _identifier(book: Book, isbn: str) -> str:
    identifier = line(book.identifier)
    is_bad = identifier.lower().startswith("urn:uuid:") and not _UUID.fullmatch(identifier)
    if identifier and identifier != book.isbn and not is_bad:
        return identifier
    return isbn or f"urn:uuid:{uuid5(NAMESPACE_OID, book.source_id)}"


def _titles(book: Book) -> Iterator[Element]:
    subtitle = line(book.subtitle)
    kind = {"title-type": "main"} if subtitle else {}
    main = {**kind, "file-as": line(book.title_sort)}
    yield from _refined("dc:title", line(book.title) or UNTITLED, "title", main)
    if subtitle:
        yield from _refined("dc:title", subtitle, "subtitle", {"title-type": "subtitle"})


def _people(book: Book) -> Iterator[Element]:
    authors = [*filter(None, map(line, book.authors))]
    sorts = [line(one) for one in book.author_sort.split(" & ")]
    known = sorts if len(sorts) == len(authors) else [""] * len(authors)
    for number, (name, sort) in enumerate(zip(authors, known, strict=True), 1):
        about = {"role": "aut", "file-as": sort}
        yield from _refined("dc:creator", name, f"author-{number}", about)
    for kind, role, people in (
        ("translator", "trl", book.translators),
        ("narrator", "nrt", book.narrators),
    ):
        for number, name in enumerate(filter(None, map(line, people)), 1):
            yield from _refined("dc:contributor", name, f"{kind}-{number}", {"role": role})


def _texts(book: Book) -> Iterator[Element]:
    texts = [
        ("dc:publisher", line(book.publisher)),
        ("dc:date", _w3c_date(book.date)),
        ("dc:description", prose(book.description)),
        ("dc:rights", prose(book.rights)),
        *(("dc:subject", line(one)) for one in book.subjects),
    ]
    return (opf(name, {}, text) for name, text in texts if text)


def _collection(series: Series, name: str) -> Iterator[Element]:
    if title := line(series.name):
        place = series.index if _PLACE.fullmatch(series.index) else ""
        about = {"collection-type": "series", "group-position": place}
        yield opf("meta", {"property": "belongs-to-collection", "id": name}, title)
        yield from _refinements(name, about)


def _refined(element: str, text: str, name: str, about: Mapping[str, str]) -> Iterator[Element]:
    """An element with an id, and what is said about it, where that is not ""."""
    yield opf(element, {"id": name}, text)
    yield from _refinements(name, about)


def _refinements(name: str, about: Mapping[str, str]) -> Iterator[Element]:
    for key, value in about.items():
        scheme = {"scheme": "marc:relators"} if key == "role" else {}
        if value:
            yield opf("meta", {"refines": f"#{name}", "property": key, **scheme}, value)


def _w3c_date(text: str) -> str:
    """The year, month or day in the form of W3C; "" if the text does not begin with one."""
    found = _DATE.match(text.strip())
    if not found:
        return ""
    year, month, day = (int(part or 1) for part in found.groups())
    try:
        date(year, month, day)
    except ValueError:
        return ""
    return found[0]


def _day(text: str) -> str:
    """The day of a date; a fixed one where it is not known to the day."""
    found = _w3c_date(text)
    return found if len(found) == len(_FIXED_DAY) else _FIXED_DAY
