"""Makes the package document of EPUB 3 (EPUB 3.3, 5) of that of EPUB 2 (OPF 2.0.1).

The manifest lists what is in the archive, each file once, by its kind as its bytes tell it.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from urllib.parse import unquote

from lxml import etree

from audiomill.inputs.epub.archive import Archive
from audiomill.inputs.epub.opf_repair import NCX_TYPE, OPF, XHTML_TYPE, repair_package
from audiomill.inputs.epub.package import CONTAINER, is_remote
from audiomill.inputs.markup.parser import Element, local_name, parse_xml
from audiomill.outputs.readalong.documents.addresses import relative_url
from audiomill.outputs.readalong.documents.xml import container
from audiomill.outputs.readalong.upgrade.metadata import NC_NAME, PREFIXES, identifier_of

_TYPES = {
    ".css": "text/css",
    ".gif": "image/gif",
    ".htm": XHTML_TYPE,
    ".html": XHTML_TYPE,
    ".jpeg": "image/jpeg",
    ".jpg": "image/jpeg",
    ".js": "text/javascript",
    ".ncx": NCX_TYPE,
    ".otf": "font/otf",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".ttf": "font/ttf",
    ".webp": "image/webp",
    ".woff": "font/woff",
    ".woff2": "font/woff2",
    ".xht": XHTML_TYPE,
    ".xhtml": XHTML_TYPE,
}
_OLD_TYPES = {
    "text/html": XHTML_TYPE,
    "text/x-oeb1-css": "text/css",
    "text/x-oeb1-document": XHTML_TYPE,
}
_MAGIC = (
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"\x89PNG", "image/png"),
    (b"GIF8", "image/gif"),
)
_MEDIA_TYPE = re.compile(r"[\w!#$&+^-]+/[\w!#$&+^.-]+.*")
_VAGUE_TYPES = frozenset(("application/octet-stream", "application/xml", "text/xml"))
FONT_SUFFIXES = (".otf", ".ttf", ".woff", ".woff2")
_NO_URL = re.compile(r"%(?![0-9A-Fa-f]{2})")  # a percent sign that escapes nothing


@dataclass(frozen=True, slots=True)
class Item:
    """A file that the manifest lists. `path` is its entry in the archive."""

    id: str
    path: str
    media_type: str
    properties: frozenset[str] = field(default_factory=frozenset[str])


@dataclass(frozen=True, slots=True)
class OldPackage:
    """The package document at `path` in an archive, and its tree as `repair_package` mends it."""

    archive: Archive
    path: str
    root: Element
    repaired: Element

    @property
    def folder(self) -> str:
        """The folder that its addresses are relative to."""
        return posixpath.dirname(self.path)

    @property
    def title(self) -> str:
        """The title of the book; the name of the archive for one that tells none."""
        return first_text(self.repaired[0], "title") or posixpath.splitext(self.archive.name)[0]

    @property
    def is_epub_3(self) -> bool:
        """Whether it says so itself."""
        return (self.root.get("version") or "").strip().startswith("3")

    @property
    def direction(self) -> str:
        """In which direction pages are turned, as the spine tells it."""
        spines = (node for node in self.root if local_name(node) == "spine")
        return next((node.get("page-progression-direction") or "" for node in spines), "")

    def named(self, name: str) -> Iterator[Element]:
        """Its elements of a name, in order."""
        return self.repaired.iter(f"{{{OPF}}}{name}")

    def find(self, href: str) -> str | None:
        """The entry that an address in it leads to."""
        return self.archive.find(posixpath.join(self.folder, href))

    def hrefs(self) -> dict[str | None, str]:
        """The addresses of the manifest by their ids."""
        return {node.get("id"): node.get("href") or "" for node in self.named("item")}


def read_old_package(archive: Archive, path: str) -> OldPackage:
    """Return the package document at a path. Raises SourceCorrupt if it cannot be read."""
    root = parse_xml(archive.read(path))
    return OldPackage(archive, path, root, repair_package(root))


def manifest_items(old: OldPackage) -> list[Item]:
    """Return the items of the manifest that are in the archive, each file and each id once."""
    found: dict[str, Item] = {}
    ids: set[str] = set()
    for node in old.named("item"):
        href = node.get("href") or ""
        path = None if is_remote(href) else old.find(href)
        if path is None or path in found or path == old.path:
            continue
        item = Item(free_id(node.get("id") or "", ids), path, node.get("media-type") or "")
        found[path] = replace(item, media_type=_kind(old.archive, item))
        ids.add(item.id)
    return list(found.values())


def with_properties(old: OldPackage, needed: Mapping[str, frozenset[str]]) -> dict[str, bytes]:
    """Return the package document, by its path, with more properties of the documents at paths.

    Nothing if it has them all. Raises SourceCorrupt.
    """
    root = parse_xml(old.archive.read(old.path))
    is_changed = False
    for node in root.iter():
        if local_name(node) == "item" and (path := old.find(node.get("href") or "")):
            declared = (node.get("properties") or "").split()
            if more := needed.get(path, frozenset()).difference(declared):
                node.set("properties", " ".join((*declared, *sorted(more))))
                is_changed = True
    whole = etree.tostring(root.getroottree(), xml_declaration=True, encoding="utf-8")
    return {old.path: whole} if is_changed else {}


def spine_paths(old: OldPackage) -> dict[str, bool]:
    """Return the entries of the reading order, and whether each is linear."""
    hrefs = old.hrefs()
    order: dict[str, bool] = {}
    for node in old.named("itemref"):
        path = old.find(hrefs.get(node.get("idref"), ""))
        if path:
            order.setdefault(path, (node.get("linear") or "").lower() != "no")
    return order


def cover_path(old: OldPackage) -> str:
    """Return the picture that `<meta name="cover">` names; "" without one."""
    hrefs = old.hrefs()
    for node in old.named("meta"):
        if (node.get("name") or "").lower() == "cover":
            cover_id = (node.get("content") or "").strip()
            if path := old.find(unquote(hrefs.get(cover_id, cover_id))):
                return path
    return ""


def more_items(archive: Archive, paths: Iterable[str], items: Sequence[Item]) -> list[Item]:
    """Return items for files that the book uses, but its manifest does not list."""
    ids = {item.id for item in items}
    known = {item.path for item in items}
    made: list[Item] = []
    for path in paths:
        if path not in known:
            item = Item(free_id(re.sub(r"[^\w.-]", "_", posixpath.basename(path)), ids), path, "")
            made.append(replace(item, media_type=_kind(archive, item)))
            ids.add(item.id)
    return made


def free_id(wanted: str, ids: Collection[str]) -> str:
    """Return an id that XML allows and that is not taken, as like to the wanted as can be."""
    name = re.sub(r"[^\w.-]", "_", wanted) or "item"
    name = name if NC_NAME.fullmatch(name) else f"id-{name}"
    number = 2
    free = name
    while free in ids:
        free, number = f"{name}-{number}", number + 1
    return free


def _kind(archive: Archive, item: Item) -> str:
    """The media type of an item: of a picture by its bytes, of others as told or by its name."""
    declared = _OLD_TYPES.get(item.media_type, item.media_type).strip().lower()
    by_name = _TYPES.get(posixpath.splitext(item.path)[1].lower(), "")
    if declared.startswith("image/") or by_name.startswith("image/"):
        start = archive.read_start(item.path)[:8]
        by_bytes = next((kind for magic, kind in _MAGIC if start.startswith(magic)), "")
        return by_bytes or by_name or declared
    if item.path.lower().endswith(FONT_SUFFIXES):
        return by_name
    is_known = _MEDIA_TYPE.fullmatch(declared) and declared not in _VAGUE_TYPES
    return declared if is_known else by_name or declared or "text/plain"


def package_document(
    metadata: Element,
    items: Sequence[Item],
    spine: Mapping[str, bool],
    package_path: str,
    guide: Sequence[tuple[str, str]],
    direction: str,
) -> bytes:
    """Return the package document. `guide` are (type, address) of the guide of EPUB 2."""
    package = etree.Element(f"{{{OPF}}}package", nsmap=PREFIXES)
    package.set("version", "3.0")
    package.set("unique-identifier", identifier_of(metadata)[0])
    package.append(metadata)
    base = posixpath.dirname(package_path)
    manifest = etree.SubElement(package, f"{{{OPF}}}manifest")
    for item in items:
        _add_item(manifest, item, base)
    order = etree.SubElement(package, f"{{{OPF}}}spine")
    _set_spine(order, items, spine, direction)
    if guide:
        references = etree.SubElement(package, f"{{{OPF}}}guide")
        for kind, url in guide:
            etree.SubElement(references, f"{{{OPF}}}reference", {"type": kind, "href": url})
    etree.indent(package)
    return etree.tostring(package, encoding="utf-8", xml_declaration=True)


def _add_item(manifest: Element, item: Item, base: str) -> None:
    href = relative_url(base, item.path)
    attributes = {"id": item.id, "href": href, "media-type": item.media_type}
    if item.properties:
        attributes["properties"] = " ".join(sorted(item.properties))
    etree.SubElement(manifest, f"{{{OPF}}}item", attributes)


def _set_spine(
    order: Element, items: Sequence[Item], spine: Mapping[str, bool], direction: str
) -> None:
    by_path = {item.path: item.id for item in items}
    ncx = next((item.id for item in items if item.media_type == NCX_TYPE), None)
    if ncx:
        order.set("toc", ncx)
    if direction in {"ltr", "rtl", "default"}:
        order.set("page-progression-direction", direction)
    for path, is_linear in spine.items():
        attributes = {"idref": by_path[path]} | ({} if is_linear else {"linear": "no"})
        etree.SubElement(order, f"{{{OPF}}}itemref", attributes)


def container_document(archive: Archive, package_path: str) -> dict[str, bytes]:
    """Return a container (EPUB 3.3, 4.2.6.3.1), if that of the archive does not lead there."""
    if CONTAINER in archive.names:
        urls = (node.get("full-path") or "" for node in parse_xml(archive.read(CONTAINER)).iter())
        if any(unquote(url) == package_path and not _NO_URL.search(url) for url in urls):
            return {}
    return {
        CONTAINER: etree.tostring(
            container(relative_url("", package_path)), encoding="utf-8", xml_declaration=True
        )
    }


def first_text(metadata: Element, name: str) -> str:
    """Return the first value of a field of Dublin Core; "" without one."""
    values = (node.text or "" for node in metadata if local_name(node) == name)
    return next((value.strip() for value in values if value.strip()), "")
