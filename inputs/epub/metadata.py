"""Reads the description of a book from its package: title, people, series, numbers, cover.

Knows nothing of chapters.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from audiomill.inputs.epub.archive import Archive
from audiomill.inputs.epub.package import Meta, Package, resolve
from audiomill.inputs.languages.codes import language_tag
from audiomill.inputs.markup.parser import local_name, parse_xhtml
from audiomill.inputs.markup.text import normalise_spaces
from audiomill.inputs.metadata.covers import fit_cover
from audiomill.inputs.metadata.descriptions import plain_description
from audiomill.inputs.metadata.images import UnusableImage
from audiomill.inputs.metadata.source_metadata import asin_in, isbn_in, labelled_asin_in
from audiomill.inputs.model.book import Cover, Series, SourceError

_YEAR = re.compile(r"\d{4}")
_ASIN_SCHEMES = frozenset({"asin", "mobi-asin", "amazon"})
XLINK_HREF = "{http://www.w3.org/1999/xlink}href"
PICTURE_SUFFIXES = (".jpg", ".jpeg", ".png", ".gif", ".webp", ".svg")


@dataclass(frozen=True, slots=True)
class Metadata:
    """The description of the book. A field is "" if the package does not give it."""

    title: str
    subtitle: str
    authors: tuple[str, ...]
    translators: tuple[str, ...]
    narrators: tuple[str, ...]
    language: str
    date: str
    original_year: str
    publisher: str
    description: str
    identifier: str
    isbn: str
    asin: str
    rights: str
    subjects: tuple[str, ...]
    title_sort: str
    author_sort: str
    series: tuple[Series, ...]  # the main one first


def read_metadata(package: Package) -> Metadata:
    """Return the description of the book, in the form that `Book` needs."""
    index = _MetadataIndex(package)
    isbn = _isbn(index)
    return Metadata(
        title=_title(index),
        subtitle=_subtitle(index),
        authors=tuple(dict.fromkeys(normalise_spaces(one.value) for one in _authors(index))),
        translators=_people(index, "trl"),
        narrators=_people(index, "nrt"),
        language=language_tag(index.first("language")),
        date=_date(index),
        original_year=_original_year(index),
        publisher=index.first("publisher"),
        description=plain_description(index.first("description")),
        identifier=isbn or _identifier(index, package.identifier_id),
        isbn=isbn,
        asin=_asin(index),
        rights=index.first("rights"),
        subjects=tuple(dict.fromkeys(index.values("subject"))),
        title_sort=_title_sort(index),
        author_sort=_author_sort(index),
        series=_all_series(index),
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

    def first(self, name: str) -> str:
        return next(iter(self.values(name)), "")

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
    title = _main_title(index)
    return normalise_spaces(title.value) if title else ""


def _main_title(index: _MetadataIndex) -> Meta | None:
    titles = index.elements("title")
    main = [t for t in titles if index.refined(t, "title-type") == "main"]
    return next(iter(main or titles), None)


def _subtitle(index: _MetadataIndex) -> str:
    titles = index.elements("title")
    subtitles = (t.value for t in titles if index.refined(t, "title-type") == "subtitle")
    return normalise_spaces(next(subtitles, ""))


def _title_sort(index: _MetadataIndex) -> str:
    """The title as shelves sort it: its `file-as`, or calibre's own element."""
    title = _main_title(index)
    file_as = normalise_spaces(index.refined(title, "file-as")) if title else ""
    return file_as or index.content("calibre:title_sort")


def _people(index: _MetadataIndex, wanted: str) -> tuple[str, ...]:
    """The people with a role, as the MARC relator code "trl" (translator) or "nrt" (narrator)."""
    people = (*index.elements("creator"), *index.elements("contributor"))
    names = (normalise_spaces(p.value) for p in people if _role(index, p) == wanted)
    return tuple(dict.fromkeys(names))


def _authors(index: _MetadataIndex) -> list[Meta]:
    """The creators who are authors, or else those without a role, or else all."""
    creators = index.elements("creator")
    return (
        [one for one in creators if _role(index, one) == "aut"]
        or [one for one in creators if not _role(index, one)]
        or creators
    )


def _role(index: _MetadataIndex, person: Meta) -> str:
    return index.refined(person, "role").lower()


def _author_sort(index: _MetadataIndex) -> str:
    """The authors as shelves sort them: "Ode, Ann & Li, Bo"; "" if nobody has a `file-as`.

    calibre gives all of that to the first author of several, or to each (`metadata/opf2.py`).
    """
    by_name = dict[str, str]()
    for one in _authors(index):
        file_as = normalise_spaces(index.refined(one, "file-as"))
        by_name.setdefault(normalise_spaces(one.value), file_as)
    whole = next(iter(by_name.values()), "")
    if len(by_name) > 1 and len(whole.split(" & ")) == len(by_name):
        return whole
    names = (file_as or name for name, file_as in by_name.items())
    return " & ".join(names) if any(by_name.values()) else ""


def _date(index: _MetadataIndex) -> str:
    dates = index.elements("date")
    for event in ("original-publication", "publication", ""):
        for date in _dates_of(index, event):
            return normalise_spaces(date.value)
    return normalise_spaces(dates[0].value) if dates else ""


def _dates_of(index: _MetadataIndex, event: str) -> Iterator[Meta]:
    return (one for one in index.elements("date") if index.refined(one, "event").lower() == event)


def _original_year(index: _MetadataIndex) -> str:
    """The year of the first publication, if a date is marked as such."""
    years = (_YEAR.search(date.value) for date in _dates_of(index, "original-publication"))
    return next((year[0] for year in years if year), "")


def _isbn(index: _MetadataIndex) -> str:
    """The first ISBN among the identifiers."""
    return next(filter(None, map(isbn_in, index.values("identifier"))), "")


def _asin(index: _MetadataIndex) -> str:
    """The first ASIN: an identifier of that scheme, or one that says so itself."""
    return next(filter(None, _asins(index)), "")


def _asins(index: _MetadataIndex) -> Iterable[str]:
    for meta in index.elements("identifier"):
        is_asin = index.refined(meta, "scheme").lower() in _ASIN_SCHEMES
        yield (asin_in if is_asin else labelled_asin_in)(normalise_spaces(meta.value))


def _identifier(index: _MetadataIndex, unique_id: str) -> str:
    """The identifier that the package declares unique, or else the first one."""
    identifiers = index.elements("identifier")
    unique = [meta for meta in identifiers if meta.attributes.get("id") == unique_id]
    return normalise_spaces((unique or identifiers)[0].value) if identifiers else ""


def _all_series(index: _MetadataIndex) -> tuple[Series, ...]:
    """The collections of type series of EPUB 3, then calibre's own elements; each name once."""
    found = dict[str, Series]()
    for series in (*_collections(index), _calibre_series(index)):
        if series.name:
            found.setdefault(series.name.casefold(), series)
    return tuple(found.values())


def _collections(index: _MetadataIndex) -> Iterator[Series]:
    for meta in index.metas():
        is_collection = meta.attributes.get("property") == "belongs-to-collection"
        if is_collection and index.refined(meta, "collection-type") in {"series", ""}:
            place = normalise_spaces(index.refined(meta, "group-position"))
            yield Series(normalise_spaces(meta.value), place)


def _calibre_series(index: _MetadataIndex) -> Series:
    """Calibre writes the place in a series as a decimal: "3.0"."""
    place = index.content("calibre:series_index")
    return Series(index.content("calibre:series"), re.sub(r"(?<=\d)\.0+$", "", place))


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
