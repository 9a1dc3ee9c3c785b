"""Makes an XHTML document of EPUB 3 of a document of EPUB 2, or of one that is not well formed.

The words and their order stay, and so does the look. See EPUB 3.3, 6.1, and the HTML standard.
"""

from __future__ import annotations

import html as character_references
import re
from collections.abc import Mapping

from lxml import etree

from audiomill.inputs.markup.encodings import decode
from audiomill.inputs.markup.parser import PROLOGUE_CHARS, VOID, Element, parse_xhtml
from audiomill.outputs.readalong.upgrade_elements import (
    MATHML,
    SVG,
    drop,
    html5_tree,
    html_name,
    rename,
)
from audiomill.outputs.readalong.upgrade_head import mend_head
from audiomill.outputs.readalong.upgrade_links import (
    ONLY_OF_LINKS,
    RESOURCES,
    end_object,
    leave_words,
)
from audiomill.outputs.readalong.upgrade_structure import empty_voids, mend_structure

PROLOGUE = '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE html>\n'
_ENTITY = re.compile(r"<!ENTITY\s+([\w:.-]+)\s+(?:\"([^\"<&]*)\"|'([^'<&]*)')\s*>")


def upgraded_tree(data: bytes, title: str) -> Element:
    """Return the document as a tree of XHTML 5; its links stay as they were.

    `title` is for a page without one. Raises SourceCorrupt if `data` is not text.
    """
    return mended_tree(parse_xhtml(data), title, declared_entities(data))


def mended_tree(page: Element, title: str, entities: Mapping[str, str] | None = None) -> Element:
    """Return a copy of a page as a tree of XHTML 5; `entities` are those that it declares."""
    root = html5_tree(page, entities or {})
    empty_voids(root)
    mend_head(root, title)
    mend_structure(root)
    _mend_attributes(root)
    _mend_ids(root)
    return root


def ids_of(root: Element) -> frozenset[str]:
    """Return the ids of a document."""
    return frozenset(value for node in root.iter() if (value := node.get("id")))


def serialized(root: Element) -> bytes:
    """Return the bytes of a document; no element but a void one is closed in its own tag."""
    for element in root.iter():
        name = html_name(element)
        if name and name not in VOID and not len(element) and element.text is None:
            element.text = ""
    return (PROLOGUE + etree.tostring(root, encoding="unicode") + "\n").encode()


def properties_of(root: Element) -> frozenset[str]:
    """Return the properties that the manifest must tell of a document (EPUB 3.3, 5.6.2.2)."""
    found: set[str] = set()
    for element in root.iter():
        name = html_name(element)
        if not name:
            found |= {_FOREIGN[kind] for kind in (str(element.tag),) if kind in _FOREIGN}
        is_script = name == "script" and _is_code(element)
        if is_script or name == "form" or any(str(key).startswith("on") for key in element.attrib):
            found.add("scripted")
        address = element.get(RESOURCES.get(name, "src")) or ""
        if name and name not in {"link"} and re.match(r"[a-z]+://", address):
            found.add("remote-resources")
    return frozenset(found)


_FOREIGN = {f"{{{SVG}}}svg": "svg", f"{{{MATHML}}}math": "mathml"}


def _is_code(script: Element) -> bool:
    kind = (script.get("type") or "text/javascript").lower()
    return "javascript" in kind or "ecmascript" in kind or kind == "module"


def declared_entities(data: bytes) -> dict[str, str]:
    """Return the texts of the entities that a document declares itself."""
    start = decode(data)[:PROLOGUE_CHARS]
    found = {one[1]: one[2] or one[3] or "" for one in _ENTITY.finditer(start)}
    return {name: character_references.unescape(text) for name, text in found.items()}


def _mend_attributes(root: Element) -> None:
    """Add the attributes that elements must have, and take those that they have not here."""
    for element in root.iter():
        name = html_name(element)
        around = [html_name(node) for node in element.iterancestors()] if name in _PLACED else []
        if name == "img" and element.get("src") is None:
            leave_words(element)
        elif name == "img":
            element.set("alt", element.get("alt") or "")
            if "a" not in around:
                drop(element, "ismap")
            else:
                drop(element, "usemap")
        elif name == "a" and element.get("href") is None:
            drop(element, "role", *ONLY_OF_LINKS)
        elif name == "area" and "map" not in around:
            rename(element, "span")
        elif name == "area":
            _mend_area(element)
        elif name == "bdo" and element.get("dir") is None:
            element.set("dir", "ltr")
        elif (name == "object" and not (element.get("data") or element.get("type"))) or (
            name == "embed" and element.get("src") is None
        ):
            end_object(element)


def _mend_area(area: Element) -> None:
    """Words are of an area that is a link; those of another one are its label."""
    words = area.get("alt")
    if area.get("href") is not None:
        area.set("alt", words or "")
    elif words is not None:
        del area.attrib["alt"]
        area.set("aria-label", words)


_PLACED = frozenset(("area", "img"))


def _mend_ids(root: Element) -> None:
    """Each id once: a link to it leads to the first."""
    seen: set[str] = set()
    for element in root.iter():
        name = element.get("id")
        if name is not None and name in seen:
            del element.attrib["id"]
            if html_name(element) == "map":
                rename(element, "span")
        elif name is not None:
            seen.add(name)
