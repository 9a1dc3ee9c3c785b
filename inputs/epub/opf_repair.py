"""Rewrites a package document (OPF) in the shape that ebooklib expects.

By itself ebooklib stops at one missing image and cuts a title at its first entity.
"""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from audiomill.inputs.markup.parser import Element, local_name
from audiomill.inputs.markup.semantics import text_within

OPF = "http://www.idpf.org/2007/opf"
DC = "http://purl.org/dc/elements/1.1/"
XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
XHTML_TYPE = "application/xhtml+xml"
NCX_TYPE = "application/x-dtbncx+xml"
READABLE_TYPES = frozenset((XHTML_TYPE, "image/svg+xml", "application/x-dtbook+xml"))
PAGE_SUFFIXES = (".xhtml", ".html", ".htm", ".xht")


def repair_package(root: Element) -> Element:
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
