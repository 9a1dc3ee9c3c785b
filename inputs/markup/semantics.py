"""What an element says of itself: its kind, its meaning, its language; knows nothing of speech."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from lxml import etree

from audiomill.inputs.languages import UNKNOWN
from audiomill.inputs.markup.parser import OPS, Element, local_name

XML = "http://www.w3.org/XML/1998/namespace"

# Elements that begin and end a line of their own (HTML, 15.3); all others run on in the text.
_BLOCK_NAMES = """
address article aside blockquote body caption center dd details dialog dir div dl dt fieldset
figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu
nav noframes ol optgroup option p pre search section summary table tbody td tfoot th thead tr ul
"""
BLOCKS = frozenset(_BLOCK_NAMES.split())
HEADINGS = {f"h{level}": level for level in range(1, 7)}


def semantics(element: Element) -> frozenset[str]:
    """Meanings in EPUB's vocabulary, from `epub:type` and from `role` without its "doc-"."""
    types = element.get(f"{{{OPS}}}type") or element.get("epub:type") or ""
    roles = element.get("role") or ""
    if not types and not roles:
        return frozenset()
    words = [*types.lower().split(), *roles.lower().replace("doc-", "").split()]
    return frozenset(word.rpartition(":")[2] for word in words)


def classes(element: Element) -> frozenset[str]:
    """The element's classes, in lower case."""
    return frozenset((element.get("class") or "").lower().split())


def own_language(element: Element) -> str | None:
    """The language tag on this very element: None if it has none, "" if it says "unknown"."""
    tag = element.get(f"{{{XML}}}lang")
    tag = element.get("lang") if tag is None else tag
    if tag is None:
        return None
    tag = tag.strip()
    return "" if tag.lower() in UNKNOWN else tag


def language_of(element: Element) -> str:
    """The language an element stands in, by itself or by what it lies in; "" if nothing says."""
    node: Element | None = element
    while node is not None:
        tag = own_language(node)
        if tag is not None:
            return tag
        node = node.getparent()
    return ""


def same_language(one: str, other: str) -> bool:
    """True if one tag is the other, or the other said less exactly ("en" and "en-GB")."""
    one, other = one.lower().replace("_", "-"), other.lower().replace("_", "-")
    return one == other or one.startswith(other + "-") or other.startswith(one + "-")


def own_ids(element: Element) -> list[str]:
    """The names by which a link can reach this element; `<a name>` is HTML 4's way."""
    found = [element.get("id")]
    if local_name(element) == "a":
        found.append(element.get("name"))
    return list(dict.fromkeys(name for name in found if name))


def traverse(
    root: Element,
    enter: Callable[[Element], bool],
    text: Callable[[str], None],
    leave: Callable[[Element], None],
) -> None:
    """Visit a tree in document order without recursion; `enter` says whether to go inside.

    Comments and unresolved entities are entered too; what follows them is text like any other.
    """
    if not enter(root):
        return
    text(root.text or "")
    open_elements = [(root, iter(root))]
    while open_elements:
        element, children = open_elements[-1]
        child = next(children, None)
        if child is None:
            open_elements.pop()
            leave(element)
            if open_elements:
                text(element.tail or "")
        elif enter(child):
            text(child.text or "")
            open_elements.append((child, iter(child)))
        else:
            text(child.tail or "")


def is_entity(node: Element) -> bool:
    """True for a reference (`&x;`) that the parser was told not to resolve."""
    return cast(object, node.tag) is etree.Entity


def text_within(element: Element) -> str:
    """All characters of a subtree, in order, without comments."""
    parts: list[str] = []
    traverse(element, lambda node: bool(local_name(node)), parts.append, lambda _: None)
    return "".join(parts)


def words_within(element: Element) -> str:
    """The same with spaces where a line begins or ends: an item's last word is not the next's."""
    parts: list[str] = []

    def part(node: Element) -> None:
        if local_name(node) in BLOCKS or local_name(node) == "br":
            parts.append(" ")

    def enter(node: Element) -> bool:
        part(node)
        return bool(local_name(node))

    traverse(element, enter, parts.append, part)
    return "".join(parts)


def short_text(element: Element, *, n_nodes: int = 12) -> str | None:
    """The text of a small subtree; None if it is larger than a mark or a number ever is."""
    parts: list[str] = []
    for number, node in enumerate(element.iter()):
        if number >= n_nodes:
            return None
        parts.append((node.text or "") if local_name(node) else "")
        parts.append((node.tail or "") if node is not element else "")
    return "".join(parts)
