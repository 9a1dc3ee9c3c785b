"""Copies formulas (MathML) and drawings (SVG) without what could run or be fetched. Pure.

Of a formula its presentation stays; LaTeX becomes MathML. A drawing keeps shapes, words and what it
defines itself: no scripts, animations, pictures, styles, or addresses outside of it.

Sources: MathML Core and MathML 3 (w3.org), SVG 2 (w3.org).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from lxml import etree

from audiomill.inputs.markup.parser import Element, local_name
from audiomill.inputs.markup.semantics import MATHML, text_within
from audiomill.inputs.markup.tex import TEX_TYPES, mathml_of, tex_in
from audiomill.inputs.markup.text import normalise_spaces
from audiomill.outputs.pages.svg import SVG
from audiomill.outputs.readalong.upgrade.elements import add_text, html

MAX_ELEMENTS = 20_000  # of one drawing or formula
LONGEST_TEXT = 2000  # characters of what a formula says
_MATH_NAMES = """
math menclose merror mfenced mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts
mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none
"""
_MATH = frozenset(_MATH_NAMES.split())
_MATH_KEY_NAMES = """
accent accentunder align alttext close columnalign columnlines columnspacing columnspan depth dir
display displaystyle fence form frame height largeop linethickness lspace mathcolor mathsize
mathvariant maxsize minsize movablelimits notation open rowalign rowlines rowspacing rowspan rspace
scriptlevel separator separators stretchy symmetric voffset width
"""
_MATH_KEYS = frozenset(_MATH_KEY_NAMES.split())
_SVG_NAMES = """
circle clipPath defs desc ellipse g line linearGradient marker mask path pattern polygon polyline
radialGradient rect stop svg symbol text textPath title tspan use
"""
_SVG = {name.lower(): name for name in _SVG_NAMES.split()}
_SVG_KEYS_WRITTEN = """
clip-path clip-rule clipPathUnits color cx cy d dominant-baseline dx dy fill fill-opacity fill-rule
font-family font-size font-style font-weight fx fy gradientTransform gradientUnits height
letter-spacing marker-end marker-mid marker-start markerHeight markerUnits markerWidth mask
maskContentUnits maskUnits offset opacity orient patternContentUnits patternTransform patternUnits
points preserveAspectRatio r refX refY rotate rx ry spreadMethod startOffset stop-color stop-opacity
stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit
stroke-opacity stroke-width text-anchor text-decoration textLength transform vector-effect viewBox
width word-spacing x x1 x2 y y1 y2
"""
_SVG_KEYS = {key.lower(): key for key in _SVG_KEYS_WRITTEN.split()}
_TEXTS = frozenset(("desc", "text", "textpath", "title", "tspan"))
_REFERRING = frozenset(("lineargradient", "pattern", "radialgradient", "textpath", "use"))
_UNSAFE = re.compile(r"[<>\\]|(?:java|vb)script:|data:|//|@", re.IGNORECASE)
_URL = re.compile(r"url\(\s*['\"]?(#?)([^'\")]*)['\"]?\s*\)", re.IGNORECASE)
_LINKS = ("{http://www.w3.org/1999/xlink}href", "xlink:href", "href")
_NSMAPS: Mapping[str, Any] = {SVG: {None: SVG}, MATHML: {None: MATHML}}


def safe_math(math: Element) -> Element | None:
    """The formula as it is shown; its words where it has no such notation, None without those."""
    tex = tex_in(math)
    shown = mathml_of(tex) if tex else math
    if shown is not None and _is_presentation(shown):
        made = _math_copy(shown)
        display = (math.get("display") or "").strip().lower()
        _set(made, "display", display if display in {"block", "inline"} else "")
        _set(made, "alttext", _words_of(math, tex))
        return made
    words = tex or (math.get("alttext") or "") or normalise_spaces(text_within(math))
    if not words:
        return None
    made = html("code" if tex else "span")
    made.text = words
    return made


def _words_of(math: Element, tex: str) -> str:
    words = normalise_spaces(math.get("alttext") or tex)
    if not words:
        notes = (node for node in math.iter() if local_name(node) == "annotation")
        found = (one.text for one in notes if (one.get("encoding") or "").lower() in TEX_TYPES)
        words = normalise_spaces(next(found, "") or "")
    return words if len(words) <= LONGEST_TEXT else ""


def _is_presentation(math: Element) -> bool:
    """Whether a formula has presentation, and that in elements that are all known."""
    names = {local_name(node) for node in _shown(math)}
    n_elements = sum(1 for _ in math.iter())
    return len(names) > 1 and names <= _MATH and n_elements <= MAX_ELEMENTS


def _shown(math: Element) -> list[Element]:
    """The elements of a formula, without `semantics` and what it adds, in any order."""
    found = [math]
    for node in found:
        found += _shown_children(node)
    return found


def _shown_children(node: Element) -> list[Element]:
    """The children; for `semantics` the presentation that is first in it."""
    children = [child for child in node if local_name(child)]
    for at, child in enumerate(children):
        while local_name(child) == "semantics" and len(child):
            child = child[0]
        children[at] = child
    return children


def _math_copy(math: Element) -> Element:
    top = etree.Element(f"{{{MATHML}}}math", nsmap=_NSMAPS[MATHML])
    pending = [(math, top)]
    while pending:
        old, new = pending.pop()
        new.text = old.text
        for child in _shown_children(old):
            made = etree.SubElement(new, f"{{{MATHML}}}{local_name(child)}")
            for key, value in child.attrib.items():
                if str(key) in _MATH_KEYS and not _UNSAFE.search(str(value)):
                    made.set(str(key), str(value))
            pending.append((child, made))
    return top


def _set(element: Element, key: str, value: str) -> None:
    if value:
        element.set(key, value)


def safe_svg(svg: Element, name: Callable[[str], str]) -> Element | None:
    """The drawing, with the ids that `name` gives; None if it has too many parts, or none.

    What hides from screen readers is decoration, such as the sign of a button, and goes.
    """
    is_hidden = (svg.get("aria-hidden") or "").strip().lower() == "true"
    if is_hidden or sum(1 for _ in svg.iter()) > MAX_ELEMENTS or not len(svg):
        return None
    top = etree.Element(f"{{{SVG}}}svg", nsmap=_NSMAPS[SVG])
    _set_svg_attributes(top, svg, name)
    pending = [(svg, top)]
    while pending:
        old, new = pending.pop()
        is_text = local_name(old) in _TEXTS
        new.text = old.text if is_text else None
        for child in old:
            known = _SVG.get(local_name(child))
            if known:
                made = etree.SubElement(new, f"{{{SVG}}}{known}")
                _set_svg_attributes(made, child, name)
                pending.append((child, made))
            if is_text:
                add_text(new, child.tail)
    return top


def _set_svg_attributes(made: Element, old: Element, name: Callable[[str], str]) -> None:
    for key, value in old.attrib.items():
        known = _SVG_KEYS.get(str(key).lower())
        safe = _safe_value(str(value), name) if known else ""
        if known and safe:
            made.set(known, safe)
    if (own := old.get("id")) and (new := name(own)):
        made.set("id", new)
    target = next((value for key in _LINKS if (value := old.get(key))), "")
    is_inner = local_name(old) in _REFERRING and target.startswith("#")
    if is_inner and (new := name(target[1:])):
        made.set("href", f"#{new}")
    label = old.get("aria-label")
    if local_name(old) == "svg" and label and len(label) <= LONGEST_TEXT:
        made.set("aria-label", normalise_spaces(label))
        made.set("role", "img")


def _safe_value(value: str, name: Callable[[str], str]) -> str:
    """The value, in which addresses lead only to parts of the drawing; "" if it is not safe."""
    addresses = _URL.findall(value)
    if _UNSAFE.search(value) or value.lower().count("url") > len(addresses):
        return ""
    if not all(sign and name(one) for sign, one in addresses):
        return ""
    return _URL.sub(lambda found: f"url(#{name(found[2])})", value)
