"""Reads the package document (OPF) of an EPUB: metadata, manifest, spine and guide.

The document is repaired (`opf_repair.py`), then parsed by ebooklib, which by itself reads every
picture into memory. No content is read here.
"""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from ebooklib import epub
from lxml import etree

from audiomill.inputs.epub.archive import Archive
from audiomill.inputs.epub.opf_repair import READABLE_TYPES, repair_package
from audiomill.inputs.markup.parser import Element, local_name, parse_xml
from audiomill.inputs.model.book import SourceCorrupt

CONTAINER = "META-INF/container.xml"
PACKAGE_TYPE = "application/oebps-package+xml"
MIMETYPE = b"application/epub+zip"
# The errors of ebooklib where its assumptions about a package fail, measured on 700 public files.
# The package is repaired first, so they should not occur; if one does, the file is at fault.
EBOOKLIB_ERRORS = (KeyError, AttributeError, TypeError, IndexError, epub.EpubException)


@dataclass(frozen=True, slots=True)
class ManifestItem:
    """A file of the book, as the manifest lists it. `path` is None if the archive lacks it."""

    id: str
    href: str
    path: str | None
    media_type: str
    is_cover: bool = False


@dataclass(frozen=True, slots=True)
class Meta:
    """One metadata element of the package: Dublin Core, or `<meta>` (its name is "meta")."""

    name: str
    value: str
    attributes: dict[str, str]


@dataclass(frozen=True, slots=True)
class Package:
    """The contents of the package document. Every path is spelled as in the archive."""

    path: str  # of the package document
    version: str  # "2.0", "3.0"; "" if it gives none
    metadata: tuple[Meta, ...]
    items: tuple[ManifestItem, ...]
    spine: tuple[ManifestItem, ...]
    non_linear: tuple[ManifestItem, ...]  # linear="no"
    nav: ManifestItem | None
    ncx: ManifestItem | None
    guide: tuple[tuple[str, str], ...]  # (type, href from the archive's root)
    identifier_id: str

    @property
    def directory(self) -> str:
        """The folder that links of the package document start from."""
        return posixpath.dirname(self.path)


def load_package(archive: Archive) -> Package:
    """Find, repair and parse the package document.

    Raises SourceCorrupt if there is none or it cannot be parsed.
    """
    _check_mimetype(archive)
    name = _package_name(archive)
    try:
        root = parse_xml(archive.read(name))
    except SourceCorrupt as error:
        raise SourceCorrupt(
            f"“{archive.name}”: its package document {name!r} cannot be read: {error}."
        ) from error
    repaired = repair_package(root)
    try:
        book: Any = _OpfReader(name, etree.tostring(repaired, encoding="utf-8")).load()
    except EBOOKLIB_ERRORS as error:
        raise SourceCorrupt(
            f"“{archive.name}”: its package document {name!r} makes no sense ({error})."
        ) from error
    return _make_package(book, archive, name, root, _cover_ids(repaired))


class _OpfReader(epub.EpubReader):
    """ebooklib's reader, limited to a package document in memory.

    It gets no other file: the documents are read later, one at a time. Tables of contents are
    parsed in `toc.py`, because ebooklib drops titles and stops at the first irregularity.
    """

    def __init__(self, name: str, package: bytes) -> None:
        super().__init__(name)
        self.opf_file: str = name
        self.opf_dir: str = posixpath.dirname(name)
        self._package: Final = package

    def read_file(self, name: str) -> bytes:
        return self._package if name == self.opf_file else b""

    def _load(self) -> None:
        self._load_opf_file()

    def _parse_ncx(self, data: bytes) -> None:
        del data

    def _parse_nav(self, data: bytes, base_path: str, navtype: str = "toc") -> None:
        del data, base_path, navtype


def resolve(base: str, href: str) -> tuple[str, str]:
    """Return (path from the archive's root, fragment) of a link in a file of directory `base`.

    Both are "" for a link that leads out of the archive or cannot be parsed.
    """
    try:
        parts = urlsplit(href.strip().replace("\\", "/"))
    except ValueError:  # for example an incomplete IPv6 address
        return "", ""
    if parts.scheme or parts.netloc:
        return "", ""
    path = posixpath.join(base, parts.path) if parts.path else ""
    return path, unquote(parts.fragment)


def _check_mimetype(archive: Archive) -> None:
    name = archive.find("mimetype")
    if name is None:
        archive.warnings.append("the archive has no mimetype entry")
        return
    try:
        kind = archive.read(name).strip().removeprefix(b"\xef\xbb\xbf")
    except SourceCorrupt as error:
        archive.warnings.append(f"mimetype: {error}")
        return
    if kind != MIMETYPE:
        archive.warnings.append(
            f"the archive calls itself {kind[:60].decode('ascii', 'replace')!r}"
        )


def _package_name(archive: Archive) -> str:
    for full_path in _rootfiles(archive):
        name = archive.find(full_path)
        if name:
            return name
    # Without a usable container: the .opf file with the shortest path.
    packages = sorted((n for n in archive.names if n.lower().endswith(".opf")), key=len)
    if not packages:
        raise SourceCorrupt(
            f"“{archive.name}” is a zip archive but not an EPUB: {CONTAINER} names no book in it."
        )
    archive.warnings.append(f"{CONTAINER} does not lead to a book; took {packages[0]!r}")
    return packages[0]


def _rootfiles(archive: Archive) -> list[str]:
    """The paths in the container file, those of package documents first."""
    name = archive.find(CONTAINER)
    if name is None:
        return []
    try:
        nodes = [n for n in parse_xml(archive.read(name)).iter() if local_name(n) == "rootfile"]
    except SourceCorrupt as error:
        archive.warnings.append(f"{CONTAINER}: {error}")
        return []
    nodes.sort(key=lambda node: (node.get("media-type") or "").strip() != PACKAGE_TYPE)
    return [path for node in nodes if (path := (node.get("full-path") or "").strip())]


def _cover_ids(package: Element) -> frozenset[str | None]:
    """The ids of the items that are covers; ebooklib tells only those in JPEG and PNG."""
    items = (node for node in package.iter() if local_name(node) == "item")
    properties = {item.get("id"): (item.get("properties") or "").split() for item in items}
    return frozenset(name for name, given in properties.items() if "cover-image" in given)


def _make_package(
    book: Any, archive: Archive, name: str, root: Element, cover_ids: frozenset[str | None]
) -> Package:
    directory = posixpath.dirname(name)
    items: dict[str, ManifestItem] = {}
    documents: dict[tuple[str, str], ManifestItem] = {}  # listed several times, it is one
    nav = ncx = None
    for entry in book.get_items():
        href: str = entry.get_name()
        path = None if is_remote(href) else archive.find(posixpath.join(directory, href))
        is_cover = entry.get_id() in cover_ids
        item = ManifestItem(entry.get_id(), href, path, entry.media_type, is_cover)
        if path is not None and item.media_type in READABLE_TYPES:
            item = documents.setdefault((path, item.media_type), item)
        items.setdefault(entry.get_id(), item)
        if isinstance(entry, epub.EpubNav):
            nav = nav or item
        elif isinstance(entry, epub.EpubNcx):
            ncx = ncx or item
    spine = [(items[idref], linear.lower()) for idref, linear in book.spine if idref in items]
    return Package(
        path=name,
        version=(root.get("version") or "").strip(),
        metadata=tuple(_metadata(book.metadata)),
        items=tuple(dict.fromkeys(items.values())),
        spine=tuple(item for item, linear in spine if linear != "no"),
        non_linear=tuple(item for item, linear in spine if linear == "no"),
        nav=nav,
        ncx=ncx,
        guide=tuple(
            ((entry["type"] or "").lower(), posixpath.join(directory, entry["href"] or ""))
            for entry in book.guide
        ),
        identifier_id=root.get("unique-identifier") or "",
    )


def is_remote(href: str) -> bool:
    """True for a link that leads out of the archive."""
    return re.match(r"[A-Za-z][A-Za-z0-9+.-]*:|//", href) is not None


def _metadata(raw: dict[str, dict[str, list[tuple[str | None, dict[str, str]]]]]) -> list[Meta]:
    return [
        Meta(name, (value or "").strip(), attributes)
        for names in raw.values()
        for name, values in names.items()
        for value, attributes in values
    ]
