"""Builds SVG as a tree, so that all text in it is escaped by lxml, and paths from numbers.

Source: Scalable Vector Graphics 2 (w3.org/TR/SVG2).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import cast

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from audiomill.inputs.markup.parser import Element
from audiomill.outputs.text import ELLIPSIS

SVG = "http://www.w3.org/2000/svg"
_NO_PREFIX = cast("dict[str, str]", {None: SVG})  # the stubs know no None
_WIDE = frozenset("WF")  # East Asian characters as wide as they are high
# First strong isolate, pop directional isolate (Unicode, annex 9): text in its own direction.
_ISOLATE, _END_OF_ISOLATE = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"

Array = NDArray[np.float64]


def node(tag: str, *inside: Element | str, **attributes: str | float) -> Element:
    """An SVG element. `class_` is the attribute "class", and "_" stands for "-" elsewhere."""
    made = etree.Element(f"{{{SVG}}}{tag}", nsmap=_NO_PREFIX)
    for name, value in attributes.items():
        shown = value if isinstance(value, str) else f"{value:.1f}".removesuffix(".0")
        made.set("viewBox" if name == "view_box" else name.strip("_").replace("_", "-"), shown)
    for one in inside:
        if isinstance(one, str):
            made.text = (made.text or "") + one
        else:
            made.append(one)
    return made


def label(x: float, y: float, text: str, kind: str, anchor: str = "start") -> Element:
    """A text whose base line begins, or ends, at a point. It must be clean (`outputs/text.py`)."""
    return node("text", text, x=x, y=y, class_=kind, text_anchor=anchor)


def isolated(text: str) -> str:
    """The text so that its direction changes nothing around it."""
    return f"{_ISOLATE}{text}{_END_OF_ISOLATE}"


def bars(x: Iterable[float], top: Array, bottom: Array) -> str:
    """A path of vertical lines."""
    return "".join(
        f"M{at:g} {high:.1f}V{low:.1f}" for at, high, low in zip(x, top, bottom, strict=True)
    )


def line_through(x: Array, y: Array) -> str:
    """A path through points."""
    points = " ".join(f"{at:.1f} {height:.1f}" for at, height in zip(x, y, strict=True))
    return f"M{points}" if points else ""


def band(x: Array, top: Array, bottom: Array) -> str:
    """A closed path around the space between two lines."""
    around = np.concatenate((x, x[::-1])), np.concatenate((top, bottom[::-1]))
    path = line_through(*around)
    return f"{path}Z" if path else ""


def width_of(text: str, font_size: float) -> float:
    """About how wide a text is drawn: seldom less, whatever the font."""
    em = sum(
        1.0 if unicodedata.east_asian_width(one) in _WIDE else 0.68 if one.isupper() else 0.56
        for one in text
        if not unicodedata.combining(one)
    )
    return em * font_size


def fitting(text: str, width: float, font_size: float) -> str:
    """The text, cut with an ellipsis to about that width; "" if not even a letter fits."""
    if width_of(text, font_size) <= width:
        return text
    while text and width_of(text + ELLIPSIS, font_size) > width:
        text = text[:-1].rstrip()
    return text + ELLIPSIS if text else ""


def svg_bytes(root: Element, style: str) -> bytes:
    """A whole SVG file as UTF-8, with its style in it."""
    root.insert(0, node("style", style))
    written = etree.tostring(root, encoding="utf-8", xml_declaration=True)
    root.remove(root[0])
    return written + b"\n"
