"""Reads the description of a book from its package: title, authors, series, cover and so on.

Knows nothing of chapters.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass

from audiomill.inputs.book import Cover, SourceError
from audiomill.inputs.covers import fit_cover
from audiomill.inputs.epub.archive import Archive
from audiomill.inputs.epub.package import Meta, Package, resolve
from audiomill.inputs.images import UnusableImage
from audiomill.inputs.languages import language_tag
from audiomill.inputs.markup.blocks import to_blocks
from audiomill.inputs.markup.parser import body_of, local_name, parse_xhtml
from audiomill.inputs.markup.text import normalise_spaces

XLINK_HREF = "{http://www.w3.org/1999/xlink}href"
PICTURE_SUFFIXES = (".jpg", ".jpeg", ".png", ".gif", ".webp", ".svg")
_ISBN = re.compile(r"(?:97[89][- ]?)?(?:\d[- ]?){9}[\dXx]$")


@dataclass(frozen=True, slots=True)
class Metadata:
    """The description of the book. A field is "" if the package does not give it."""

    title: str
    subtitle: str
    authors: tuple[str, ...]
    translators: tuple[str, ...]
    language: str
    date: str
    publisher: str
    description: str
    identifier: str
    series: str
    series_index: str


def read_metadata(package: Package) -> Metadata:
    """Return the description of the book, in the form that `Book` needs."""
    index = _MetadataIndex(package)
    series, series_index = _series(index)
    return Metadata(
        title=_title(index),
        subtitle=_subtitle(index),
        authors=_authors(index),
        translators=_translators(index),
        language=language_tag(next(iter(index.values("language")), "")),
        date=_date(index),
        publisher=next(iter(index.values("publisher")), ""),
        description=_plain_text(next(iter(index.values("description")), "")),
        identifier=_identifier(index, package.identifier_id),
        series=series,
        series_index=series_index,
    )


class _MetadataIndex:
    """The metadata elements by name, with the `refines` of each (EPUB 3.3, 5.3)."""

    def __init__(self, package: Package) -> None:
        self._all = package.metadata
        self._refined: dict[tuple[str, str], str] = {}
        for meta in self.metas():
            target = meta.attributes.get("refines", "").strip().removeprefix("#")
            if target:
                self._refined.setdefault((target, meta.attributes.get("property", "")), meta.value)

    def elements(self, name: str) -> list[Meta]:
        return [meta for meta in self._all if meta.name == name and normalise_spaces(meta.value)]

    def values(self, name: str) -> list[str]:
        return [normalise_spaces(meta.value) for meta in self.elements(name)]

    def metas(self) -> list[Meta]:
        return [meta for meta in self._all if meta.name == "meta"]

    def content(self, name: str) -> str:
        """The content of EPUB 2's `<meta name="…" content="…"/>`; "" if there is none."""
        contents = (m.attributes.get("content", "") for m in self.metas() if _is_named(m, name))
        return next((normalise_spaces(text) for text in contents if text.strip()), "")

    def refined(self, meta: Meta, key: str) -> str:
        """A property of an element: its attribute in EPUB 2, a `refines` in EPUB 3; or ""."""
        value = meta.attributes.get(key)
        return (value or self._refined.get((meta.attributes.get("id", ""), key), "")).strip()


def _is_named(meta: Meta, name: str) -> bool:
    return meta.attributes.get("name", "").strip().lower() == name


def _title(index: _MetadataIndex) -> str:
    titles = index.elements("title")
    main = [t for t in titles if index.refined(t, "title-type") == "main"]
    return normalise_spaces((main or titles)[0].value) if titles else ""


def _subtitle(index: _MetadataIndex) -> str:
    titles = index.elements("title")
    subtitles = (t.value for t in titles if index.refined(t, "title-type") == "subtitle")
    return normalise_spaces(next(subtitles, ""))


def _translators(index: _MetadataIndex) -> tuple[str, ...]:
    """The people with the MARC relator code "trl"."""
    people = (*index.elements("creator"), *index.elements("contributor"))
    names = (normalise_spaces(p.value) for p in people if index.refined(p, "role").lower() == "trl")
    return tuple(dict.fromkeys(names))


def _authors(index: _MetadataIndex) -> tuple[str, ...]:
    creators = index.elements("creator")
    by_role = [(index.refined(c, "role").lower(), normalise_spaces(c.value)) for c in creators]
    chosen = (
        [name for role, name in by_role if role == "aut"]
        or [name for role, name in by_role if not role]
        or [name for _, name in by_role]
    )
    return tuple(dict.fromkeys(chosen))


def _date(index: _MetadataIndex) -> str:
    dates = index.elements("date")
    for event in ("original-publication", "publication", ""):
        for date in dates:
            if index.refined(date, "event").lower() == event:
                return normalise_spaces(date.value)
    return normalise_spaces(dates[0].value) if dates else ""


def _identifier(index: _MetadataIndex, unique_id: str) -> str:
    """The ISBN if there is one, or else the identifier that the package declares unique."""
    identifiers = index.elements("identifier")
    for meta in identifiers:
        isbn = re.sub(
            r"^(?:urn:)?isbn[:\s]*", "", normalise_spaces(meta.value), flags=re.IGNORECASE
        )
        if _ISBN.match(isbn) and is_isbn(isbn):
            return re.sub(r"[- ]", "", isbn).upper()
    unique = [meta for meta in identifiers if meta.attributes.get("id") == unique_id]
    return normalise_spaces((unique or identifiers)[0].value) if identifiers else ""


def is_isbn(text: str) -> bool:
    """True if `text` has 10 or 13 digits of which the last is the check digit (ISO 2108)."""
    digits = [10 if c in "Xx" else int(c) for c in text if c.isdigit() or c in "Xx"]
    if len(digits) == 13:
        return sum(d * (1, 3)[i % 2] for i, d in enumerate(digits)) % 10 == 0
    return len(digits) == 10 and sum(d * (10 - i) for i, d in enumerate(digits)) % 11 == 0


def _series(index: _MetadataIndex) -> tuple[str, str]:
    """(name, index): the collection of type series of EPUB 3, or else calibre's own elements."""
    for meta in index.metas():
        if meta.attributes.get("property") == "belongs-to-collection" and meta.value:
            kind = index.refined(meta, "collection-type")
            if kind in {"series", ""}:
                return normalise_spaces(meta.value), index.refined(meta, "group-position")
    return index.content("calibre:series"), index.content("calibre:series_index")


def _plain_text(text: str) -> str:
    """The description without HTML, one line per paragraph."""
    if "<" not in text and "&" not in text:
        return normalise_spaces(text)
    root = parse_xhtml(f"<html><body>{text}</body></html>".encode())
    blocks = to_blocks(body_of(root), where="description").blocks
    return "\n".join(anchored.block.text for anchored in blocks if anchored.block.text)


def find_cover(archive: Archive, package: Package) -> Cover | None:
    """Return the first picture declared as the cover that can be used, in the form to embed.

    A cover that cannot be used, or not as it is, becomes a warning of the archive, never an error.
    """
    for path in dict.fromkeys(_cover_paths(archive, package)):
        try:
            data = archive.read(path)
        except SourceError as error:
            archive.warnings.append(f"cover {path!r}: {str(error).splitlines()[0]}")
            continue
        try:
            fitted = fit_cover(data)
        except UnusableImage as error:
            archive.warnings.append(f"cover {path!r} is {error}; it is left out")
            continue
        if fitted.change:
            archive.warnings.append(f"cover {path!r} is {fitted.change}")
        return fitted.cover
    return None


def _cover_paths(archive: Archive, package: Package) -> Iterator[str]:
    """Paths of pictures, best first: the property of EPUB 3, the meta of EPUB 2, guide, name."""
    by_id = {item.id: item for item in package.items}
    by_href = {item.href: item for item in package.items}
    for item in package.items:
        if item.is_cover and item.path:
            yield item.path
    for meta in package.metadata:
        if meta.name == "meta" and meta.attributes.get("name", "").lower() == "cover":
            reference = meta.attributes.get("content", "").strip()
            item = by_id.get(reference) or by_href.get(reference)
            if item and item.path:
                yield from _first_picture(archive, item.path)
    for kind, href in package.guide:
        path = archive.find(href.partition("#")[0]) if "cover" in kind else None
        if path:
            yield from _first_picture(archive, path)
    for item in package.items:
        is_cover = "cover" in f"{item.id} {posixpath.basename(item.href)}".lower()
        if is_cover and item.path and item.media_type.startswith("image/"):
            yield item.path


def _first_picture(archive: Archive, path: str) -> Iterator[str]:
    """Yield `path` if it is a picture, or else the first picture on the page at `path`, if any."""
    if path.lower().endswith(PICTURE_SUFFIXES):
        yield path
        return
    try:
        root = parse_xhtml(archive.read(path))
    except SourceError:
        return  # the page is read again as part of the book, and reported there
    for node in root.iter():
        if local_name(node) in {"img", "image"}:
            href = node.get("src") or node.get(XLINK_HREF) or node.get("href") or ""
            picture = archive.find(resolve(posixpath.dirname(path), href)[0])
            if picture:
                yield picture
                return
