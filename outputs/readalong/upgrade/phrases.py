"""Mends what stands in phrases and paragraphs, and anchors in anchors (HTML standard, 3.2.5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from audiomill.inputs.markup.parser import INLINE, Element
from audiomill.outputs.readalong.upgrade.elements import (
    Part,
    fill,
    html,
    html_name,
    parts_of,
    rename,
    wrapped,
)

PHRASING = (INLINE | {"bdi", "mark", "rp", "rt", "ruby"}) - {"a", "del", "ins"}
PARAGRAPHS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6", "p", "pre"))
PHRASING_ONLY = PARAGRAPHS | PHRASING | {"button", "label", "legend", "summary"}
GENERIC = frozenset(("address", "article", "blockquote", "div", "footer", "header", "p", "section"))
_PARAGRAPH_LOOK = "display:block;margin:1em 0"
_LOOKS = {
    "address": "display:block;font-style:italic",
    "b": "font-weight:bold",
    "blockquote": "display:block;margin:1em 40px",
    "cite": "font-style:italic",
    "code": "font-family:monospace",
    "dfn": "font-style:italic",
    "em": "font-style:italic",
    "i": "font-style:italic",
    "kbd": "font-family:monospace",
    "p": _PARAGRAPH_LOOK,
    "pre": "font-family:monospace;white-space:pre;margin:1em 0",
    "s": "text-decoration:line-through",
    "samp": "font-family:monospace",
    "small": "font-size:smaller",
    "strong": "font-weight:bold",
    "sub": "vertical-align:sub;font-size:smaller",
    "sup": "vertical-align:super;font-size:smaller",
    "u": "text-decoration:underline",
    "var": "font-style:italic",
}
_RULE_LOOK = "display:block;border-top:1px solid;margin:0.5em 0"
_HEADING_SIZES = {"h1": 2, "h2": 1.5, "h3": 1.17, "h4": 1, "h5": 0.83, "h6": 0.67}  # in em
_FLOW_NAMES = """
address article aside blockquote details div dl fieldset figure footer form h1 h2 h3 h4 h5 h6 header
hgroup hr main nav ol p pre section table ul
"""
FLOW_ONLY = frozenset(_FLOW_NAMES.split())  # what may not stand in a paragraph
_ACTIVE = frozenset(("a", "button", "embed", "iframe", "input", "label", "select", "textarea"))


def _mend_anchor(anchor: Element) -> None:
    """An anchor has no anchor in it (4.5.1): the inner one stays, the outer one is around it."""
    inner = [node for node in anchor.iter() if node is not anchor and html_name(node) == "a"]
    for node in inner:
        if node.get("href") is None:
            rename(node, "span")
    links = [node for node in anchor.iter() if node is not anchor and html_name(node) in _ACTIVE]
    if not links:
        return
    href = anchor.get("href")
    rename(anchor, "span")
    for node in {id(one): one for link in links for one in _up_to(link, anchor)}.values():
        make = _link_maker(href)
        may_stay = _holds_one_of(links)
        if make is not None:
            fill(node, wrapped(parts_of(node), may_stay, make))


def _mend_button(button: Element) -> None:
    """A button has nothing in it that can be chosen itself (4.10.6)."""
    if any(html_name(node) in _ACTIVE for node in button.iterdescendants()):
        rename(button, "span")


def _up_to(link: Element, anchor: Element) -> Iterator[Element]:
    """The elements around `link`, up to `anchor`."""
    for node in link.iterancestors():
        yield node
        if node is anchor:
            return


def _link_maker(href: str | None) -> Callable[[], Element] | None:
    def make() -> Element:
        link = html("a")
        link.set("href", href or "")
        return link

    return None if href is None else make


def _holds_one_of(links: Sequence[Element]) -> Callable[[Part], bool]:
    def holds(part: Part) -> bool:
        return not isinstance(part, str) and any(node in links for node in part.iter())

    return holds


def _mend_phrase(element: Element) -> None:
    """Only phrases are in a phrase (3.2.5.2.5): blocks in it become spans, or it a `div`."""
    blocks = blocks_in(element)
    if not blocks:
        return
    name = html_name(element)
    if name in PHRASING and name not in {"ruby", "rt", "rp"}:
        rename(element, "div", _joined("display:inline", _LOOKS.get(name, "")))
    elif all(html_name(block) in GENERIC or html_name(block) == "hr" for block in blocks):
        for block in blocks:
            look = _RULE_LOOK if html_name(block) == "hr" else "display:block"
            rename(block, "span", _joined(look, _LOOKS.get(html_name(block), "")))
    else:
        _make_division(element)


def _make_division(element: Element) -> None:
    name = html_name(element)
    size = _HEADING_SIZES.get(name)
    look = f"font-size:{size}em;font-weight:bold;margin:0.67em 0" if size else _LOOKS.get(name, "")
    rename(element, "div", look)
    if size:
        element.set("role", "heading")
        element.set("aria-level", name[1])


def _joined(*styles: str) -> str:
    return ";".join(style for style in styles if style)


def blocks_in(element: Element) -> list[Element]:
    """Return the blocks in an element, in any order. Drawings have a content of their own."""
    found: list[Element] = []
    pending = list(element)
    while pending:
        node = pending.pop()
        if html_name(node):
            pending.extend(node)
            found += [node] if html_name(node) in FLOW_ONLY else []
    return found


ANCHORS_AND_PHRASES: tuple[tuple[frozenset[str], Callable[[Element], None]], ...] = (
    (frozenset(("a",)), _mend_anchor),
    (frozenset(("button",)), _mend_button),
    (PHRASING_ONLY, _mend_phrase),
)
