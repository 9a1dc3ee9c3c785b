"""Reads the properties of an element: semantics, classes, language, ids, and its text.

Knows nothing of what is spoken.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from lxml import etree

from audiomill.inputs.languages.codes import UNKNOWN
from audiomill.inputs.markup.parser import OPS, Element, local_name

MATHML = "http://www.w3.org/1998/Math/MathML"
XML = "http://www.w3.org/XML/1998/namespace"

# Elements that are blocks (HTML, 15.3); all others are inline.
_BLOCK_NAMES = """
address article aside blockquote body caption center dd details dialog dir div dl dt fieldset
figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu
nav noframes ol optgroup option p pre search section summary table tbody td tfoot th thead tr ul
"""
BLOCKS = frozenset(_BLOCK_NAMES.split())
CODE = frozenset(("code", "kbd", "samp"))
HEADINGS = {f"h{level}": level for level in range(1, 7)}
_SHORT_NODES = 12  # more than any mark of a note or page number has


def semantics(element: Element) -> frozenset[str]:
    """Return the terms of EPUB's vocabulary, from `epub:type` and from `role` without "doc-"."""
    types = element.get(f"{{{OPS}}}type") or element.get("epub:type") or ""
    roles = element.get("role") or ""
    if not types and not roles:
        return frozenset()
    words = [*types.lower().split(), *roles.lower().replace("doc-", "").split()]
    return frozenset(word.rpartition(":")[2] for word in words)


def classes(element: Element) -> frozenset[str]:
    """Return the classes of the element, in lower case."""
    return frozenset((element.get("class") or "").lower().split())


def own_language(element: Element) -> str | None:
    """Return the language tag of the element itself; None without one, "" for "unknown"."""
    tag = element.get(f"{{{XML}}}lang")
    tag = element.get("lang") if tag is None else tag
    if tag is None:
        return None
    tag = tag.strip()
    return "" if tag.lower() in UNKNOWN else tag


def language_of(element: Element) -> str:
    """Return the language of the element or of the nearest ancestor that has one, or ""."""
    node: Element | None = element
    while node is not None:
        tag = own_language(node)
        if tag is not None:
            return tag
        node = node.getparent()
    return ""


def same_language(one: str, other: str) -> bool:
    """True if the tags are the same, or one is a prefix of the other ("en" and "en-GB")."""
    one, other = one.lower().replace("_", "-"), other.lower().replace("_", "-")
    return one == other or one.startswith(other + "-") or other.startswith(one + "-")


def own_ids(element: Element) -> list[str]:
    """Return the ids by which a link can reach this element; `<a name>` is the form of HTML 4."""
    ids = [element.get("id")]
    if local_name(element) == "a":
        ids.append(element.get("name"))
    return list(dict.fromkeys(name for name in ids if name))


def traverse(
    root: Element,
    enter: Callable[[Element], bool],
    text: Callable[[str], None],
    leave: Callable[[Element], None],
) -> None:
    """Visit a tree in document order, without recursion.

    `enter` returns whether to visit the content of an element; if not, `leave` is not called.
    `enter` is also called for comments and unresolved entities. The text after them is visited.
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
    """True for an entity reference (`&x;`); the parser does not resolve them."""
    return cast(object, node.tag) is etree.Entity


def text_within(element: Element) -> str:
    """Return all characters of a subtree, in order, without comments and style sheets."""
    if not len(element):
        return (element.text or "") if _has_text(element) else ""
    if not _HAS_STYLES(element):  # ten times as fast, in a book of formulas
        return etree.tostring(element, method="text", encoding="unicode", with_tail=False)
    parts: list[str] = []
    traverse(element, _has_text, parts.append, lambda _: None)
    return "".join(parts)


# Whether there may be a style sheet in a subtree; `mstyle` is of formulas.
_HAS_STYLES = etree.XPath(
    "boolean(descendant-or-self::*[local-name() != 'mstyle'"
    " and contains(translate(local-name(), 'STYLE', 'style'), 'style')])"
)


def _has_text(node: Element) -> bool:
    return local_name(node) not in {"", "style"}


_IS_FORMULA_ALONE = etree.XPath(
    f"namespace-uri() = '{MATHML}' and not(descendant::*[namespace-uri() != '{MATHML}'])"
)
_OUTSIDE_FORMULAS = etree.XPath(
    f"descendant-or-self::*[namespace-uri() != '{MATHML}' or local-name() = 'math']"
)
_WITH_IDS = etree.XPath("descendant::*[@id or @name]")


def is_formula_alone(element: Element) -> bool:
    """True for an element of MathML in which all others are of MathML, too."""
    return bool(_IS_FORMULA_ALONE(element))


def elements_outside_formulas(root: Element) -> list[Element]:
    """Return the elements of a subtree, in order, without those of MathML but the outermost.

    A book of formulas has 20 times as many elements in them as outside.
    """
    return cast(list[Element], _OUTSIDE_FORMULAS(root))


def ids_within(element: Element) -> list[str]:
    """Return the ids of all elements inside one, in order."""
    return [name for one in cast(list[Element], _WITH_IDS(element)) for name in own_ids(one)]


def text_of_style(style: Element) -> str:
    """Return the text of a `<style>` element; it may be in a CDATA section or a comment."""
    parts = [style.text or "", *((node.text or "") + (node.tail or "") for node in style)]
    return "".join(parts)


def words_within(element: Element, *, without: frozenset[str] = frozenset()) -> str:
    """Return `text_within` with spaces around blocks, so that words of two blocks do not join.

    Elements whose name is in `without` are left out.
    """
    if not without and is_formula_alone(element):  # it has no blocks, and no style sheets
        return etree.tostring(element, method="text", encoding="unicode", with_tail=False)
    parts: list[str] = []

    def separate(node: Element) -> None:
        if local_name(node) in BLOCKS or local_name(node) == "br":
            parts.append(" ")

    def enter(node: Element) -> bool:
        separate(node)
        return local_name(node) not in without and _has_text(node)

    traverse(element, enter, parts.append, separate)
    return "".join(parts)


def short_text(element: Element) -> str | None:
    """Return the text of a subtree of at most `_SHORT_NODES` nodes; None if it is larger."""
    parts: list[str] = []
    for number, node in enumerate(element.iter()):
        if number >= _SHORT_NODES:
            return None
        parts.append((node.text or "") if local_name(node) else "")
        parts.append((node.tail or "") if node is not element else "")
    return "".join(parts)


def follows_key(kbd: Element) -> bool:
    """Whether a `kbd` stands right behind another one: their frames part them on a page."""
    before = kbd.getprevious()
    return before is not None and local_name(before) == "kbd" and not before.tail


def begins_line(tspan: Element) -> bool:
    """Whether a `tspan` of SVG is on another line than the one before (SVG 2, 11.5).

    With the same y it may be a part of a word, moved by kerning.
    """
    before = tspan.getprevious()
    y = tspan.get("y")
    return bool(tspan.get("dy")) or (y is not None and before is not None and before.get("y") != y)
