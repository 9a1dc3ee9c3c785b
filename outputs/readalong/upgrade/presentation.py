"""Puts what the obsolete attributes of an element say as styles.

They are those of the HTML standard, 16.2; the styles that look the same are in its chapter 15.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from audiomill.inputs.markup.parser import Element, local_name

_COLOUR = re.compile(r"(#)?([0-9A-Fa-f]{6}|[0-9A-Fa-f]{3})|[A-Za-z]+")
_LENGTH = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(%|px|pt|em|ex|in|cm|mm)?\s*(?:px)?;?\s*")
_URL = re.compile(r"[^\s\"'()\\<>]+")
_LIST_STYLES = {
    "1": "decimal",
    "a": "lower-alpha",
    "A": "upper-alpha",
    "i": "lower-roman",
    "I": "upper-roman",
    "disc": "disc",
    "circle": "circle",
    "square": "square",
}
_FONT_SIZES = ("x-small", "small", "medium", "large", "x-large", "xx-large", "300%")
NORMAL_SIZE = 3  # of <font size>
REPLACED = frozenset(("applet", "embed", "iframe", "img", "input", "object"))
# Their `width` and `height` are attributes of today's HTML, if they are whole numbers.
_SIZED = frozenset(("canvas", "embed", "iframe", "img", "object", "video"))


def presentational_style(old: Element) -> str:
    """Return what the obsolete attributes of an element say, as CSS."""
    name = local_name(old)
    styles = [
        style
        for key, value in old.attrib.items()
        if (rule := _RULES.get(str(key))) and (style := rule(name, str(value).strip()))
    ]
    return ";".join([*styles, *_by_table(name, old)])


def _by_table(name: str, old: Element) -> list[str]:
    """What the table around a cell says of the cell, and a centre of a table in it."""
    parent = old.getparent()
    if name == "table" and parent is not None and _centres(parent):
        return ["margin-left:auto;margin-right:auto"]
    if name not in {"td", "th"}:
        return []
    tables = (node for node in old.iterancestors() if local_name(node) == "table")
    table: Mapping[str, str] = getattr(next(tables, None), "attrib", {})
    styles = [_sized("padding", table.get("cellpadding", ""))]
    if table.get("border", "0").strip() != "0":
        styles.append("border:1px inset")
    return [style for style in styles if style]


def _centres(element: Element) -> bool:
    is_centred = (element.get("align") or "").strip().lower() == "center"
    return local_name(element) == "center" or (local_name(element) == "div" and is_centred)


def _sized(properties: str, value: str) -> str:
    """Declarations of the same length for some properties; "" if it is none."""
    match = _LENGTH.fullmatch(value)
    if not match:
        return ""
    length = match[1] + (match[2] or "px")
    return ";".join(f"{name}:{length}" for name in properties.split())


def _coloured(name: str, value: str) -> str:
    match = _COLOUR.fullmatch(value)
    if not match:
        return ""
    return f"{name}:{'#' + match[2] if match[2] and not match[1] else value}"


def _align(name: str, value: str) -> str:
    value = value.lower()
    if name in REPLACED:
        is_side = value in {"left", "right"}
        known = {"top": "top", "middle": "middle", "center": "middle", "bottom": "baseline"}
        return f"float:{value}" if is_side else _declared("vertical-align", known.get(value))
    if name == "caption":
        return _declared("caption-side", value if value in {"top", "bottom"} else None)
    if name == "table" and value in {"left", "right"}:
        return f"float:{value}"
    if name in {"table", "hr"}:
        ends = {"left": (0, "auto"), "right": ("auto", 0), "center": ("auto", "auto")}.get(value)
        return f"margin-left:{ends[0]};margin-right:{ends[1]}" if ends else ""
    is_known = value in {"left", "right", "center", "justify"}
    return f"text-align:{value}" if is_known else ""


def _declared(name: str, value: str | None) -> str:
    return f"{name}:{value}" if value else ""


def _valign(_: str, value: str) -> str:
    known = {"top", "middle", "bottom", "baseline"}
    return _declared("vertical-align", value.lower() if value.lower() in known else None)


def _size(name: str, value: str) -> str:
    if name == "hr":
        return _sized("height", value)
    if name not in {"font", "basefont"} or not re.fullmatch(r"[-+]?[0-9]{1,2}", value):
        return ""
    size = int(value) + (NORMAL_SIZE if value[0] in "+-" else 0)
    return f"font-size:{_FONT_SIZES[min(max(size, 1), len(_FONT_SIZES)) - 1]}"


def _dimension(name: str) -> Callable[[str, str], str]:
    def rule(element: str, value: str) -> str:
        if element in _SIZED and value.isdecimal():
            return ""
        return _sized(name, value)

    return rule


def _face(name: str, value: str) -> str:
    fonts = [font.strip(" '\"") for font in value.split(",")]
    if name != "font" or not all(re.fullmatch(r"[\w -]+", font) for font in fonts):
        return ""
    return "font-family:" + ",".join(f"'{font}'" for font in fonts)


def _border(name: str, value: str) -> str:
    if name == "table":
        return "" if value == "0" else _sized("border-width", value or "1") + ";border-style:outset"
    width = _sized("border-width", value) if name in REPLACED else ""
    return width + ";border-style:solid" if width else ""


def _clear(name: str, value: str) -> str:
    known = {"left": "left", "right": "right", "all": "both", "both": "both"}.get(value.lower())
    return _declared("clear", known if name == "br" else None)


def _type(name: str, value: str) -> str:
    known = _LIST_STYLES.get(value) or _LIST_STYLES.get(value.lower())
    return _declared("list-style-type", known if name in {"ul", "li", "dir", "menu"} else None)


def _background(name: str, value: str) -> str:
    is_plain = name in {"body", "table", "td", "th", "tr"} and _URL.fullmatch(value)
    return f"background-image:url({value})" if is_plain else ""


def _background_colour(_: str, value: str) -> str:
    return _coloured("background-color", value)


def _spacing(_: str, value: str) -> str:
    return _sized("border-spacing", value)


def _colour_of(names: str) -> Callable[[str, str], str]:
    return lambda name, value: _coloured("color", value) if name in names.split() else ""


def _always(style: str) -> Callable[[str, str], str]:
    return lambda _name, _value: style


_RULES: dict[str, Callable[[str, str], str]] = {
    "align": _align,
    "background": _background,
    "bgcolor": _background_colour,
    "border": _border,
    "cellspacing": _spacing,
    "clear": _clear,
    "color": _colour_of("font basefont hr"),
    "face": _face,
    "frameborder": lambda _, value: "border:0" if value in {"0", "no"} else "",
    "height": _dimension("height"),
    "hspace": lambda _, value: _sized("margin-left margin-right", value),
    "noshade": _always("border-style:solid"),
    "nowrap": _always("white-space:nowrap"),
    "size": _size,
    "text": _colour_of("body"),
    "type": _type,
    "valign": _valign,
    "vspace": lambda _, value: _sized("margin-top margin-bottom", value),
    "width": _dimension("width"),
}
