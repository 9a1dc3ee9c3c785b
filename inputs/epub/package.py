"""The package document: what an EPUB is made of and in which order; reads no content.

ebooklib parses it, after it has been mended here: ebooklib as it comes stops at one missing image,
cuts a title at its first entity, and reads every picture into memory.
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

# A package document put into the shape that a strict reader expects; decides nothing else.

OPF = "http://www.idpf.org/2007/opf"
DC = "http://purl.org/dc/elements/1.1/"
XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
XHTML_TYPE = "application/xhtml+xml"
NCX_TYPE = "application/x-dtbncx+xml"
READABLE_TYPES = frozenset((XHTML_TYPE, "image/svg+xml", "application/x-dtbook+xml"))
PAGE_SUFFIXES = (".xhtml", ".html", ".htm", ".xht")


def repair_package(root: Element) -> Element:
    """The same package in the shape that ebooklib expects, whatever its namespaces and gaps."""
    package = etree.Element(f"{{{OPF}}}package", nsmap={"opf": OPF, "dc": DC})
    parts = {local_name(node): node for node in reversed(root) if local_name(node)}
    metadata = etree.SubElement(package, f"{{{OPF}}}metadata")
    for node in _statements(parts.get("metadata")):
        _add_statement(metadata, node)
    items = _items(parts.get("manifest"))
    spine = _itemrefs(parts.get("spine"), items)
    ncx = parts["spine"].get("toc") if "spine" in parts else None
    manifest = etree.SubElement(package, f"{{{OPF}}}manifest")
    in_spine = {reference["idref"] for reference in spine}
    for item in items.values():
        item["media-type"] = _media_type(item, in_spine=item["id"] in in_spine, ncx=ncx)
        kept = {key: value for key, value in item.items() if key != "fallback"}
        etree.SubElement(manifest, f"{{{OPF}}}item", kept)
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


def _statements(metadata: Element | None) -> Iterator[Element]:
    """The metadata's elements; OEB 1 wraps them in <dc-metadata> and <x-metadata>."""
    for node in metadata if metadata is not None else ():
        if local_name(node) in {"dc-metadata", "x-metadata"}:
            yield from (inner for inner in node if local_name(inner))
        elif local_name(node):
            yield node


def _add_statement(metadata: Element, node: Element) -> None:
    """A statement with its whole text, which entities and elements may interrupt."""
    name = local_name(node)
    namespace = OPF if name in {"meta", "link"} else DC
    added = etree.SubElement(metadata, f"{{{namespace}}}{name}")
    added.text = text_within(node)
    for key, value in node.attrib.items():
        own = str(key).rpartition("}")[2].rpartition(":")[2]  # undeclared prefixes come with it
        added.set(XML_LANG if key == XML_LANG else own, str(value))


def _items(manifest: Element | None) -> dict[str, dict[str, str]]:
    """The manifest's items by id; one without a path is no item."""
    items: dict[str, dict[str, str]] = {}
    for node in _children(manifest, "item"):
        item = _attributes(node, "id", "href", "media-type", "properties", "fallback")
        item["href"] = item.get("href", "").partition("#")[0].replace("\\", "/")
        if item["href"]:
            item.setdefault("id", f"item-{len(items)}")
            items.setdefault(item["id"], item)
    return items


def _itemrefs(spine: Element | None, items: dict[str, dict[str, str]]) -> list[dict[str, str]]:
    """The spine's references, each to something readable where a fallback leads there."""
    references: list[dict[str, str]] = []
    for node in _children(spine, "itemref"):
        reference = _attributes(node, "idref", "linear")
        idref = reference.get("idref", "")
        for _ in range(len(items)):  # a chain of fallbacks is no longer, unless it is a ring
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
    """What an item is; labels such as text/html on a chapter are corrected."""
    said = item.get("media-type", "").lower()
    is_page = item["href"].lower().endswith(PAGE_SUFFIXES)
    if (item["id"] == ncx and not in_spine) or item["href"].lower().endswith(".ncx"):
        return NCX_TYPE
    if "nav" in item.get("properties", "").split():
        return XHTML_TYPE
    if in_spine and (is_page or said in {"", "text/html", "application/xml", "text/xml"}):
        return XHTML_TYPE
    return said or (XHTML_TYPE if is_page else "application/octet-stream")


CONTAINER = "META-INF/container.xml"
PACKAGE_TYPE = "application/oebps-package+xml"
MIMETYPE = b"application/epub+zip"
# What ebooklib raises where its guesses about a package fail, measured on 700 public files. What
# we hand it has been mended first, so this should not happen; if it does, it is the file's fault.
EBOOKLIB_ERRORS = (KeyError, AttributeError, TypeError, IndexError, epub.EpubException)


@dataclass(frozen=True, slots=True)
class Item:
    """A file of the book as its manifest lists it. `path` is None where the archive lacks it."""

    id: str
    href: str
    path: str | None
    media_type: str
    is_cover: bool = False


@dataclass(frozen=True, slots=True)
class Meta:
    """One statement about the book: a Dublin Core element, or `<meta>` (name "meta")."""

    name: str
    value: str
    attributes: dict[str, str]


@dataclass(frozen=True, slots=True)
class Package:
    """What the package document says, with every path as the archive spells it."""

    directory: str
    metadata: tuple[Meta, ...]
    items: tuple[Item, ...]
    spine: tuple[Item, ...]
    beside_spine: tuple[Item, ...]  # linear="no"
    nav: Item | None
    ncx: Item | None
    guide: tuple[tuple[str, str], ...]  # (type, href from the archive's root)
    identifier_id: str


def load_package(archive: Archive) -> Package:
    """Find, mend and parse the package document; raises `SourceCorrupt` if there is none."""
    _check_mimetype(archive)
    name = _package_name(archive)
    try:
        root = parse_xml(archive.read(name))
    except SourceCorrupt as error:
        raise SourceCorrupt(
            f"“{archive.name}”: its package document {name!r} cannot be read: {error}."
        ) from error
    try:
        book: Any = _OpfReader(name, etree.tostring(repair_package(root), encoding="utf-8")).load()
    except EBOOKLIB_ERRORS as error:
        raise SourceCorrupt(
            f"“{archive.name}”: its package document {name!r} makes no sense ({error})."
        ) from error
    return _package(book, archive, name, root.get("unique-identifier") or "")


class _OpfReader(epub.EpubReader):
    """ebooklib's reader over a package document in memory; it is given no other file.

    Content is read later, one document at a time, and tables of contents in `epub_toc`, because
    ebooklib's own parse of them drops titles and stops at the first oddity.
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
    """(path from the archive's root, fragment) of a link that stands in directory `base`."""
    try:
        parts = urlsplit(href.strip().replace("\\", "/"))
    except ValueError:  # such as a half-written IPv6 address
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
        found = archive.find(full_path)
        if found:
            return found
    packages = sorted((n for n in archive.names if n.lower().endswith(".opf")), key=len)
    if not packages:
        raise SourceCorrupt(
            f"“{archive.name}” is a zip archive but not an EPUB: {CONTAINER} names no book in it."
        )
    archive.warnings.append(f"{CONTAINER} does not lead to a book; took {packages[0]!r}")
    return packages[0]


def _rootfiles(archive: Archive) -> list[str]:
    """The paths that the container names, package documents first."""
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


def _package(book: Any, archive: Archive, name: str, identifier_id: str) -> Package:
    directory = posixpath.dirname(name)
    items: dict[str, Item] = {}
    nav = ncx = None
    for entry in book.get_items():
        href: str = entry.get_name()
        path = None if is_remote(href) else archive.find(posixpath.join(directory, href))
        is_cover = isinstance(entry, epub.EpubCover)
        item = Item(entry.get_id(), href, path, entry.media_type, is_cover)
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
        beside_spine=tuple(item for item, linear in spine if linear == "no"),
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


def _metadata(found: dict[str, dict[str, list[tuple[str | None, dict[str, str]]]]]) -> list[Meta]:
    return [
        Meta(name, (value or "").strip(), attributes)
        for names in found.values()
        for name, values in names.items()
        for value, attributes in values
    ]
