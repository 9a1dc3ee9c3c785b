"""What the package says about the book: title, authors, series and so on; reads no chapter."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass

from audiomill.inputs.book import Cover, SourceError
from audiomill.inputs.epub.archive import Archive
from audiomill.inputs.epub.package import Meta, Package, resolve
from audiomill.inputs.images import UnusableImage, cover_of
from audiomill.inputs.languages import language_tag
from audiomill.inputs.markup.blocks import to_blocks
from audiomill.inputs.markup.parser import body_of, local_name, parse_xhtml
from audiomill.inputs.markup.text import squeeze

_ISBN = re.compile(r"(?:97[89][- ]?)?(?:\d[- ]?){9}[\dXx]$")


@dataclass(frozen=True, slots=True)
class Metadata:
    """The book's description; a field is "" where the package does not say."""

    title: str
    authors: tuple[str, ...]
    language: str
    date: str
    publisher: str
    description: str
    identifier: str
    series: str
    series_index: str


def read_metadata(package: Package) -> Metadata:
    """All that the package says, in the form that `Book` wants."""
    statements = _Statements(package)
    series, series_index = _series(statements)
    return Metadata(
        title=_title(statements),
        authors=_authors(statements),
        language=language_tag(next(iter(statements.values("language")), "")),
        date=_date(statements),
        publisher=next(iter(statements.values("publisher")), ""),
        description=_plain(next(iter(statements.values("description")), "")),
        identifier=_identifier(statements, package.identifier_id),
        series=series,
        series_index=series_index,
    )


class _Statements:
    """The package's statements, with what refines them at hand (EPUB 3.3, 5.3)."""

    def __init__(self, package: Package) -> None:
        self._all = package.metadata
        self._refined: dict[tuple[str, str], str] = {}
        for meta in self.metas():
            target = meta.attributes.get("refines", "").strip().removeprefix("#")
            if target:
                self._refined.setdefault((target, meta.attributes.get("property", "")), meta.value)

    def named(self, name: str) -> list[Meta]:
        return [meta for meta in self._all if meta.name == name and squeeze(meta.value)]

    def values(self, name: str) -> list[str]:
        return [squeeze(meta.value) for meta in self.named(name)]

    def metas(self) -> list[Meta]:
        return [meta for meta in self._all if meta.name == "meta"]

    def content(self, name: str) -> str:
        """EPUB 2's `<meta name="…" content="…"/>`."""
        found = (m.attributes.get("content", "") for m in self.metas() if named(m, name))
        return next((squeeze(text) for text in found if text.strip()), "")

    def refined(self, meta: Meta, what: str) -> str:
        """What is said of a statement: an attribute in EPUB 2, a `refines` in EPUB 3."""
        said = meta.attributes.get(what)
        return (said or self._refined.get((meta.attributes.get("id", ""), what), "")).strip()


def named(meta: Meta, name: str) -> bool:
    """True for `<meta name="…">` of that name."""
    return meta.attributes.get("name", "").strip().lower() == name


def _title(statements: _Statements) -> str:
    titles = statements.named("title")
    main = [t for t in titles if statements.refined(t, "title-type") == "main"]
    return squeeze((main or titles)[0].value) if titles else ""


def _authors(statements: _Statements) -> tuple[str, ...]:
    creators = statements.named("creator")
    by_role = [(statements.refined(c, "role").lower(), squeeze(c.value)) for c in creators]
    chosen = (
        [name for role, name in by_role if role == "aut"]
        or [name for role, name in by_role if not role]
        or [name for _, name in by_role]
    )
    return tuple(dict.fromkeys(chosen))


def _date(statements: _Statements) -> str:
    dates = statements.named("date")
    for event in ("original-publication", "publication", ""):
        for date in dates:
            if statements.refined(date, "event").lower() == event:
                return squeeze(date.value)
    return squeeze(dates[0].value) if dates else ""


def _identifier(statements: _Statements, unique_id: str) -> str:
    """An ISBN if there is one, else the package's own identifier."""
    identifiers = statements.named("identifier")
    for meta in identifiers:
        isbn = re.sub(r"^(?:urn:)?isbn[:\s]*", "", squeeze(meta.value), flags=re.IGNORECASE)
        if _ISBN.match(isbn) and is_isbn(isbn):
            return re.sub(r"[- ]", "", isbn).upper()
    own = [meta for meta in identifiers if meta.attributes.get("id") == unique_id]
    return squeeze((own or identifiers)[0].value) if identifiers else ""


def is_isbn(text: str) -> bool:
    """True if the check digit is right (ISO 2108)."""
    digits = [10 if c in "Xx" else int(c) for c in text if c.isdigit() or c in "Xx"]
    if len(digits) == 13:
        return sum(d * (1, 3)[i % 2] for i, d in enumerate(digits)) % 10 == 0
    return len(digits) == 10 and sum(d * (10 - i) for i, d in enumerate(digits)) % 11 == 0


def _series(statements: _Statements) -> tuple[str, str]:
    """(name, place in it): EPUB 3's collection of type series, else calibre's own."""
    for meta in statements.metas():
        if meta.attributes.get("property") == "belongs-to-collection" and meta.value:
            kind = statements.refined(meta, "collection-type")
            if kind in {"series", ""}:
                return squeeze(meta.value), statements.refined(meta, "group-position")
    return statements.content("calibre:series"), statements.content("calibre:series_index")


def _plain(text: str) -> str:
    """A description without its HTML, a paragraph a line."""
    if "<" not in text and "&" not in text:
        return squeeze(text)
    root = parse_xhtml(f"<html><body>{text}</body></html>".encode())
    blocks = to_blocks(body_of(root), where="description").blocks
    return "\n".join(anchored.block.text for anchored in blocks if anchored.block.text)


# The cover picture:

XLINK_HREF = "{http://www.w3.org/1999/xlink}href"
PICTURE_SUFFIXES = (".jpg", ".jpeg", ".png", ".gif", ".webp", ".svg")


def find_cover(archive: Archive, package: Package) -> Cover | None:
    """The first picture named as the cover that is a whole JPEG or PNG by its bytes.

    A cover that cannot be used is a warning of the archive's, never an error.
    """
    for path in dict.fromkeys(_candidates(archive, package)):
        try:
            data = archive.read(path)
        except SourceError as error:
            archive.warnings.append(f"cover {path!r}: {str(error).splitlines()[0]}")
            continue
        try:
            return cover_of(data)
        except UnusableImage as error:
            archive.warnings.append(f"cover {path!r} is {error}; it is left out")
    return None


def _candidates(archive: Archive, package: Package) -> Iterator[str]:
    """Paths, best first: EPUB 3's property, EPUB 2's meta, the guide, then by name."""
    by_id = {item.id: item for item in package.items}
    by_href = {item.href: item for item in package.items}
    for item in package.items:
        if item.is_cover and item.path:
            yield item.path
    for meta in package.metadata:
        if meta.name == "meta" and meta.attributes.get("name", "").lower() == "cover":
            named = meta.attributes.get("content", "").strip()
            item = by_id.get(named) or by_href.get(named)
            if item and item.path:
                yield from _pictures(archive, item.path)
    for kind, href in package.guide:
        path = archive.find(href.partition("#")[0]) if "cover" in kind else None
        if path:
            yield from _pictures(archive, path)
    for item in package.items:
        is_named = "cover" in f"{item.id} {posixpath.basename(item.href)}".lower()
        if is_named and item.path and item.media_type.startswith("image/"):
            yield item.path


def _pictures(archive: Archive, path: str) -> Iterator[str]:
    """The picture at `path`, or the first one shown on the page there."""
    if path.lower().endswith(PICTURE_SUFFIXES):
        yield path
        return
    try:
        root = parse_xhtml(archive.read(path))
    except SourceError:
        return  # the page is read again, and reported, as part of the book
    for node in root.iter():
        if local_name(node) in {"img", "image"}:
            href = node.get("src") or node.get(XLINK_HREF) or node.get("href") or ""
            found = archive.find(resolve(posixpath.dirname(path), href)[0])
            if found:
                yield found
                return
