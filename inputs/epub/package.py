"""Reads the package document (OPF) of an EPUB: metadata, manifest, spine and guide.

The document is repaired here, then parsed by ebooklib. By itself ebooklib stops at one missing
image, cuts a title at its first entity, and reads every picture into memory. No content is read
here.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from ebooklib import epub
from lxml import etree

from audiomill.inputs.book import SourceCorrupt
from audiomill.inputs.epub.archive import Archive
from audiomill.inputs.markup.parser import Element, local_name, parse_xml
from audiomill.inputs.markup.semantics import text_within

CONTAINER = "META-INF/container.xml"
PACKAGE_TYPE = "application/oebps-package+xml"
MIMETYPE = b"application/epub+zip"
OPF = "http://www.idpf.org/2007/opf"
DC = "http://purl.org/dc/elements/1.1/"
XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
XHTML_TYPE = "application/xhtml+xml"
NCX_TYPE = "application/x-dtbncx+xml"
READABLE_TYPES = frozenset((XHTML_TYPE, "image/svg+xml", "application/x-dtbook+xml"))
PAGE_SUFFIXES = (".xhtml", ".html", ".htm", ".xht")
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

    directory: str
    metadata: tuple[Meta, ...]
    items: tuple[ManifestItem, ...]
    spine: tuple[ManifestItem, ...]
    non_linear: tuple[ManifestItem, ...]  # linear="no"
    nav: ManifestItem | None
    ncx: ManifestItem | None
    guide: tuple[tuple[str, str], ...]  # (type, href from the archive's root)
    identifier_id: str


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
    repaired = _repair_package(root)
    try:
        book: Any = _OpfReader(name, etree.tostring(repaired, encoding="utf-8")).load()
    except EBOOKLIB_ERRORS as error:
        raise SourceCorrupt(
            f"“{archive.name}”: its package document {name!r} makes no sense ({error})."
        ) from error
    identifier_id = root.get("unique-identifier") or ""
    return _make_package(book, archive, name, identifier_id, _cover_ids(repaired))


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
    book: Any, archive: Archive, name: str, identifier_id: str, cover_ids: frozenset[str | None]
) -> Package:
    directory = posixpath.dirname(name)
    items: dict[str, ManifestItem] = {}
    nav = ncx = None
    for entry in book.get_items():
        href: str = entry.get_name()
        path = None if is_remote(href) else archive.find(posixpath.join(directory, href))
        is_cover = entry.get_id() in cover_ids
        item = ManifestItem(entry.get_id(), href, path, entry.media_type, is_cover)
        items.setdefault(item.id, item)
        if isinstance(entry, epub.EpubNav):
            nav = nav or item
        elif isinstance(entry, epub.EpubNcx):
            ncx = ncx or item
    spine = [(items[idref], linear.lower()) for idref, linear in book.spine if idref in items]
    return Package(
        directory=directory,
        metadata=tuple(_metadata(book.metadata)),
        items=tuple(items.values()),
        spine=tuple(item for item, linear in spine if linear != "no"),
        non_linear=tuple(item for item, linear in spine if linear == "no"),
        nav=nav,
        ncx=ncx,
        guide=tuple(
            ((entry["type"] or "").lower(), posixpath.join(directory, entry["href"] or ""))
            for entry in book.guide
        ),
        identifier_id=identifier_id,
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


def _repair_package(root: Element) -> Element:
    """Return the package in the shape that ebooklib expects, with any namespaces and gaps fixed."""
    package = etree.Element(f"{{{OPF}}}package", nsmap={"opf": OPF, "dc": DC})
    parts = {local_name(node): node for node in reversed(root) if local_name(node)}
    metadata = etree.SubElement(package, f"{{{OPF}}}metadata")
    for node in _metadata_elements(parts.get("metadata")):
        _add_metadata(metadata, node)
    items = _items(parts.get("manifest"))
    spine = _itemrefs(parts.get("spine"), items)
    ncx = parts["spine"].get("toc") if "spine" in parts else None
    manifest = etree.SubElement(package, f"{{{OPF}}}manifest")
    in_spine = {reference["idref"] for reference in spine}
    for item in items.values():
        item["media-type"] = _media_type(item, in_spine=item["id"] in in_spine, ncx=ncx)
        attributes = {key: value for key, value in item.items() if key != "fallback"}
        etree.SubElement(manifest, f"{{{OPF}}}item", attributes)
    order = etree.SubElement(package, f"{{{OPF}}}spine")
    for reference in spine:
        etree.SubElement(order, f"{{{OPF}}}itemref", reference)
    guide = etree.SubElement(package, f"{{{OPF}}}guide")
    for node in _children(parts.get("guide"), "reference"):
        etree.SubElement(guide, f"{{{OPF}}}reference", _attributes(node, "type", "href"))
    return package


def _children(parent: Element | None, name: str) -> list[Element]:
    return [] if parent is None else [node for node in parent if local_name(node) == name]


def _attributes(node: Element, *names: str) -> dict[str, str]:
    return {name: value.strip() for name in names if (value := node.get(name)) is not None}


def _metadata_elements(metadata: Element | None) -> Iterator[Element]:
    """The elements of the metadata; OEB 1 wraps them in <dc-metadata> and <x-metadata>."""
    for node in metadata if metadata is not None else ():
        if local_name(node) in {"dc-metadata", "x-metadata"}:
            yield from (inner for inner in node if local_name(inner))
        elif local_name(node):
            yield node


def _add_metadata(metadata: Element, node: Element) -> None:
    """Copy a metadata element with its whole text, also the text within entities and elements."""
    name = local_name(node)
    namespace = OPF if name in {"meta", "link"} else DC
    added = etree.SubElement(metadata, f"{{{namespace}}}{name}")
    added.text = text_within(node)
    for key, value in node.attrib.items():
        local = str(key).rpartition("}")[2].rpartition(":")[2]  # ":" for an undeclared prefix
        added.set(XML_LANG if key == XML_LANG else local, str(value))


def _items(manifest: Element | None) -> dict[str, dict[str, str]]:
    """The attributes of the manifest's items, by id; items without an href are left out."""
    items: dict[str, dict[str, str]] = {}
    for node in _children(manifest, "item"):
        item = _attributes(node, "id", "href", "media-type", "properties", "fallback")
        item["href"] = item.get("href", "").partition("#")[0].replace("\\", "/")
        if item["href"]:
            item.setdefault("id", f"item-{len(items)}")
            items.setdefault(item["id"], item)
    return items


def _itemrefs(spine: Element | None, items: dict[str, dict[str, str]]) -> list[dict[str, str]]:
    """The attributes of the spine's references, with fallbacks followed to a readable item."""
    references: list[dict[str, str]] = []
    for node in _children(spine, "itemref"):
        reference = _attributes(node, "idref", "linear")
        idref = reference.get("idref", "")
        for _ in range(len(items)):  # ends also where fallbacks form a cycle
            item = items.get(idref, {})
            if item.get("media-type") in READABLE_TYPES or not item.get("fallback"):
                break
            idref = item["fallback"]
        if idref in items:
            references.append({"linear": "yes", **reference, "idref": idref})
        elif reference.get("idref") in items:
            references.append({"linear": "yes", **reference})
    return references


def _media_type(item: dict[str, str], *, in_spine: bool, ncx: str | None) -> str:
    """The media type of an item; wrong ones, such as text/html of a chapter, are corrected."""
    declared = item.get("media-type", "").lower()
    is_page = item["href"].lower().endswith(PAGE_SUFFIXES)
    if (item["id"] == ncx and not in_spine) or item["href"].lower().endswith(".ncx"):
        return NCX_TYPE
    if "nav" in item.get("properties", "").split():
        return XHTML_TYPE
    if in_spine and (is_page or declared in {"", "text/html", "application/xml", "text/xml"}):
        return XHTML_TYPE
    return declared or (XHTML_TYPE if is_page else "application/octet-stream")
