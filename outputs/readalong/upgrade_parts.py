"""Takes the content of an element apart, and puts it together: texts and elements, in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from audiomill.inputs.markup.parser import Element
from audiomill.outputs.readalong.upgrade_elements import add_text, html_name

Part: TypeAlias = Element | str
_SPACES = " \t\n\r\f"  # of XML; a no-break space is a text


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
