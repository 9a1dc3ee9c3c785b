"""Makes and changes elements of XHTML, takes their content apart and puts it together.

The content of an element are its parts: texts and elements, in order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from lxml import etree

from audiomill.inputs.markup.parser import OPS, XHTML, Element
from audiomill.inputs.markup.semantics import MATHML
from audiomill.outputs.pages.svg import SVG
from audiomill.outputs.readalong.upgrade.attributes import OF_ELEMENTS

XLINK = "http://www.w3.org/1999/xlink"
# The prefixes that an element of each namespace declares. lxml's stubs know none without a name.
PREFIXES: dict[str, Any] = {
    XHTML: {None: XHTML},
    SVG: {None: SVG, "xlink": XLINK},
    MATHML: {None: MATHML},
}
PAGE_PREFIXES: Any = {None: XHTML, "epub": OPS}

Part: TypeAlias = Element | str
_SPACES = " \t\n\r\f"  # of XML; a no-break space is a text


def add_text(parent: Element, text: str | None) -> None:
    """Add text at the end of an element."""
    if not text:
        return
    if len(parent):
        parent[-1].tail = (parent[-1].tail or "") + text
    else:
        parent.text = (parent.text or "") + text


def html(name: str, style: str = "") -> Element:
    """Return a new element of XHTML."""
    element = etree.Element(f"{{{XHTML}}}{name}", nsmap=PREFIXES[XHTML])
    add_style(element, style)
    return element


def html_name(element: Element) -> str:
    """Return the name of an element of XHTML; "" for any other."""
    name = str(element.tag)
    return name[len(XHTML) + 2 :] if name.startswith(f"{{{XHTML}}}") else ""


def rename(element: Element, name: str, style: str = "") -> None:
    """Make an element of XHTML another one, without the attributes that it cannot have."""
    none = frozenset[str]()
    drop(element, *OF_ELEMENTS.get(html_name(element), none) - OF_ELEMENTS.get(name, none))
    element.tag = f"{{{XHTML}}}{name}"
    add_style(element, style)


def drop(element: Element, *keys: str) -> None:
    """Take attributes from an element, if it has them."""
    for key in keys:
        if key in element.attrib:
            del element.attrib[key]


def add_style(element: Element, style: str) -> None:
    """Put a style before that which the element has, and which so counts for more."""
    if style:
        own = element.get("style") or ""
        element.set("style", f"{style};{own}" if own.strip() else style)


def parts_of(parent: Element) -> list[Part]:
    """Take the content out of an element: its texts and elements, in their order."""
    parts: list[Part] = [parent.text or ""]
    parent.text = None
    for child in list(parent):
        tail, child.tail = child.tail or "", None
        parent.remove(child)
        parts += (child, tail)
    return [part for part in parts if part != ""]


def fill(parent: Element, parts: Sequence[Part]) -> Element:
    """Add texts and elements at the end of an element, and return it."""
    for part in parts:
        if isinstance(part, str):
            add_text(parent, part)
        else:
            parent.append(part)
    return parent


def name_of(part: Part) -> str:
    """Return the name of an element of XHTML; "" for a text."""
    return "" if isinstance(part, str) else html_name(part)


def is_blank(part: Part) -> bool:
    """Whether a part is only white space."""
    return isinstance(part, str) and not part.strip(_SPACES)


def wrapped(
    parts: Sequence[Part], may_stay: Callable[[Part], bool], make: Callable[[], Element]
) -> list[Part]:
    """Return the parts, with each run of what may not stay in an element. White space stays."""
    result: list[Part] = []
    run: list[Part] = []
    for part in parts:
        if is_blank(part):
            (run or result).append(part)
        elif may_stay(part):
            result += [fill(make(), run)] if run else []
            result.append(part)
            run = []
        else:
            run.append(part)
    return [*result, fill(make(), run)] if run else result


def take_out(element: Element) -> None:
    """Take an element out with its content; the text behind it stays."""
    parent = element.getparent()
    if parent is not None:
        parts = parts_of(parent)
        fill(parent, [part for part in parts if part is not element])
