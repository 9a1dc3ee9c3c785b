"""Makes an XHTML document of EPUB 3 of a document of EPUB 2, or of one that is not well formed.

The words and their order stay, and so does the look. A page has one head and one body, as the HTML
standard has them (4.1 to 4.3). See EPUB 3.3, 6.1.
"""

from __future__ import annotations

import html as character_references
import re
from collections.abc import Callable, Mapping

from lxml import etree

from audiomill.inputs.markup.encodings import decode
from audiomill.inputs.markup.parser import PROLOGUE_CHARS, VOID, Element, parse_xhtml
from audiomill.inputs.markup.semantics import MATHML
from audiomill.outputs.pages.svg import SVG
from audiomill.outputs.readalong.upgrade.elements import (
    Part,
    drop,
    fill,
    html,
    html_name,
    is_blank,
    name_of,
    parts_of,
    rename,
    take_out,
)
from audiomill.outputs.readalong.upgrade.links import (
    ONLY_OF_LINKS,
    RESOURCES,
    end_object,
    leave_words,
)
from audiomill.outputs.readalong.upgrade.structure import empty_voids, mend_structure
from audiomill.outputs.readalong.upgrade.tree import html5_tree

PROLOGUE = '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE html>\n'
_ENTITY = re.compile(r"<!ENTITY\s+([\w:.-]+)\s+(?:\"([^\"<&]*)\"|'([^'<&]*)')\s*>")

IN_HEAD = frozenset(("base", "link", "meta", "script", "style", "template", "title"))
MOVED_TO_HEAD = frozenset(("base", "link", "meta", "style", "title"))  # from wherever they stand
CSS_TYPES = frozenset(("", "text/css", "text/x-oeb1-css"))


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
        if mend := _MENDERS.get(html_name(element)):
            mend(element)


def _mend_anchor(anchor: Element) -> None:
    if anchor.get("href") is None:
        drop(anchor, "role", *ONLY_OF_LINKS)


def _mend_area(area: Element) -> None:
    """Words are of an area that is a link; those of another one are its label."""
    words = area.get("alt")
    if not _is_within(area, "map"):
        rename(area, "span")
    elif area.get("href") is not None:
        area.set("alt", words or "")
    elif words is not None:
        del area.attrib["alt"]
        area.set("aria-label", words)


def _mend_direction(override: Element) -> None:
    if override.get("dir") is None:
        override.set("dir", "ltr")


def _mend_picture(picture: Element) -> None:
    if picture.get("src") is None:
        leave_words(picture)
        return
    picture.set("alt", picture.get("alt") or "")
    drop(picture, "usemap" if _is_within(picture, "a") else "ismap")


def _mend_object(element: Element) -> None:
    if not (element.get("data") or element.get("type")):
        end_object(element)


def _mend_embedded(element: Element) -> None:
    if element.get("src") is None:
        end_object(element)


def _is_within(element: Element, name: str) -> bool:
    return any(html_name(node) == name for node in element.iterancestors())


_MENDERS: Mapping[str, Callable[[Element], None]] = {
    "a": _mend_anchor,
    "area": _mend_area,
    "bdo": _mend_direction,
    "embed": _mend_embedded,
    "img": _mend_picture,
    "object": _mend_object,
}


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


def mend_head(root: Element, title: str) -> None:
    """Give `root` one head and one body. `title` is for a page that has none (4.2.2)."""
    parts = parts_of(root)
    heads = [part for part in parts if name_of(part) == "head"]
    bodies = [part for part in parts if name_of(part) == "body"]
    head, body = _merged("head", heads), _merged("body", bodies)
    before = [part for part in parts if part not in heads and part not in bodies]
    inner = [*parts_of(head), *before]
    body_parts = parts_of(body)
    fill(body, [one for one in inner if name_of(one) not in IN_HEAD and not is_blank(one)])
    fill(body, body_parts)
    kept = [one for one in inner if name_of(one) in IN_HEAD]
    fill(root, [head, "\n", body])
    _fill_head(head, [*kept, *_taken_out(body)], title)


def _merged(name: str, elements: list[Part]) -> Element:
    """The first of the elements with the content of all; a new one if there is none."""
    first, *more = [one for one in elements if not isinstance(one, str)] or [html(name)]
    for element in more:
        fill(first, parts_of(element))
    return first


def _taken_out(body: Element) -> list[Element]:
    """The elements of a head that stand in the body. A title there is a text that is not shown."""
    found = [node for node in body.iter() if html_name(node) in MOVED_TO_HEAD]
    for node in found:
        if html_name(node) == "title":
            rename(node, "span")
            node.set("hidden", "hidden")
        else:
            take_out(node)
    return [node for node in found if html_name(node) != "span"]


def _fill_head(head: Element, parts: list[Part], title: str) -> None:
    charset = html("meta")
    charset.set("charset", "utf-8")
    nodes = [node for node in parts if not isinstance(node, str)]
    titles = [node for node in nodes if html_name(node) == "title" and _text(node)]
    shown = titles[0] if titles else html("title")
    text = _text(shown) or title
    parts_of(shown)
    shown.text = text
    kept = [node for node in nodes if html_name(node) not in {"base", "title"} and _is_useful(node)]
    for node in (charset, shown, *kept):
        fill(head, ["\n", node])
    fill(head, ["\n"])


def _text(element: Element) -> str:
    return "".join(map(str, element.itertext())).strip()


def _is_useful(node: Element) -> bool:
    """Whether an element of a head says something that EPUB 3 allows."""
    name = html_name(node)
    if name == "meta":
        return node.get("name") is not None and node.get("content") is not None
    kind = (node.get("type") or "").partition(";")[0].strip().lower()
    is_sheet = name == "style" or "stylesheet" in (node.get("rel") or "").lower().split()
    if is_sheet and kind in CSS_TYPES:
        node.set("type", "text/css")
    if name == "link":
        return bool(node.get("rel") and node.get("href")) and (not is_sheet or kind in CSS_TYPES)
    return name != "style" or kind in CSS_TYPES
