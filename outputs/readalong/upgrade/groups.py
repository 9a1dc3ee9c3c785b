"""Mends lists and other groups, whose members are of one kind (HTML standard, 4.4 and 4.10)."""

from __future__ import annotations

import re
from collections.abc import Callable

from audiomill.inputs.markup.parser import Element
from audiomill.inputs.markup.semantics import text_within
from audiomill.outputs.readalong.upgrade.elements import (
    drop,
    fill,
    html,
    html_name,
    is_blank,
    name_of,
    parts_of,
    rename,
    take_out,
    wrapped,
)

SCRIPTS = frozenset(("script", "template"))
ITEMS = SCRIPTS | {"li"}
# Elements that stand in few others ─▶ those.
_PARENTS = {
    "caption": "table",
    "colgroup": "table",
    "dd": "dl div",
    "dt": "dl div",
    "figcaption": "figure",
    "legend": "fieldset",
    "li": "ol ul",
    "optgroup": "select",
    "option": "select optgroup datalist",
    "rp": "ruby rtc",
    "rt": "ruby rtc",
    "summary": "details",
    "tbody": "table",
    "td": "tr",
    "tfoot": "table",
    "th": "tr",
    "thead": "table",
    "tr": "table thead tbody tfoot",
}
# The look that they have, for one that stands elsewhere.
LOOKS_OF_STRAYS = {
    "caption": "display:table-caption;text-align:center",
    "dd": "margin-left:40px",
    "li": "display:list-item",
    "rt": "font-size:smaller",
    "tbody": "display:table-row-group",
    "td": "display:table-cell",
    "tfoot": "display:table-footer-group",
    "th": "display:table-cell;font-weight:bold;text-align:center",
    "thead": "display:table-header-group",
    "tr": "display:table-row",
}
_INLINE = frozenset(("optgroup", "option", "rp", "rt"))
_RUBY = re.compile(r"(?:b+(?:t+|p(?:tp)+))+")  # bases, then texts with or without parentheses
_HGROUP = re.compile(r"(p )*h[1-6]( p)*")


def _mend_stray(element: Element) -> None:
    """An element that stands in no list or table becomes a `div` with its look."""
    name = html_name(element)
    parent = element.getparent()
    around = "" if parent is None else html_name(parent)
    in_group = around != "div" or (parent is not None and _is_group(parent))
    if around not in _PARENTS[name].split() or not in_group:
        rename(element, "span" if name in _INLINE else "div", LOOKS_OF_STRAYS.get(name, ""))


def _mend_stray_void(element: Element) -> None:
    """A column outside a table and a parameter of nothing are taken out."""
    parent = element.getparent()
    around = "" if parent is None else html_name(parent)
    is_column = html_name(element) == "col"
    is_whole = element.get("name") and element.get("value") is not None
    if around not in ({"table", "colgroup"} if is_column else {"object"}) or not (
        is_column or is_whole
    ):
        take_out(element)


def _is_group(division: Element) -> bool:
    """Whether a `div` groups terms of a `dl` (4.4.9)."""
    parent = division.getparent()
    return parent is not None and html_name(parent) == "dl"


def _mend_list(element: Element) -> None:
    """A list has only items (4.4.5); what stands between them becomes one without a marker."""
    parts = wrapped(
        parts_of(element),
        lambda part: name_of(part) in ITEMS,
        lambda: html("li", "list-style-type:none"),
    )
    fill(element, parts)
    for item in element if html_name(element) == "ul" else ():
        drop(item, "value")


def _mend_terms(element: Element) -> None:
    """A `dl` has groups of terms and their descriptions (4.4.9), or each group in a `div`."""
    if all(map(_is_whole_group, element)) and is_blank(_own_text(element)):
        return
    names = SCRIPTS | {"dt", "dd"}
    parts = wrapped(
        parts_of(element), lambda part: name_of(part) in names, lambda: html("dd", "margin-left:0")
    )
    before = ""
    for part in parts:
        if name_of(part) == "dd" and not before:
            element.append(html("dt"))
        fill(element, [part])
        before = name_of(part) if name_of(part) in {"dt", "dd"} else before
    if before == "dt":
        element.append(html("dd"))


def _own_text(element: Element) -> str:
    return "".join([element.text or "", *(node.tail or "" for node in element)])


def _is_whole_group(part: Element) -> bool:
    names = [html_name(node) for node in part]
    return html_name(part) == "div" and names[:1] == ["dt"] and names[-1:] == ["dd"]


def _mend_ruby(ruby: Element) -> None:
    """A ruby has texts for its bases (4.5.10); one without them is a phrase."""
    signs = {"rt": "t", "rtc": "t", "rp": "p"}
    parts = parts_of(ruby)
    pattern = "".join(signs.get(name_of(part), "b") for part in parts if not is_blank(part))
    fill(ruby, parts)
    if not _RUBY.fullmatch(pattern):
        for node in [one for one in ruby if html_name(one) in signs]:
            rename(node, "span", LOOKS_OF_STRAYS.get(html_name(node), ""))
        rename(ruby, "span")


def _mend_select(select: Element) -> None:
    """A list of options has only options (4.10.7), and these only text."""
    names = SCRIPTS | {"option", "optgroup"}
    parts = wrapped(parts_of(select), lambda part: name_of(part) in names, lambda: html("option"))
    fill(select, parts)


def _mend_text(element: Element) -> None:
    """An element that has only text in it has no others."""
    text = text_within(element)
    parts_of(element)
    element.text = text
    if html_name(element) == "optgroup":
        rename(element, "option")


def _mend_form(form: Element) -> None:
    """A form has no form in it (4.10.3)."""
    if any(html_name(node) == "form" for node in form.iterancestors()):
        rename(form, "div")


def _mend_first(element: Element) -> None:
    """A summary or a legend is the first of its group (4.10.15, 4.11.1)."""
    name = _FIRST[html_name(element)]
    parts = parts_of(element)
    first = next((part for part in parts if not is_blank(part)), "")
    for part in parts:
        if not isinstance(part, str) and name_of(part) == name and part is not first:
            rename(part, "div")
    fill(element, parts)
    if name == "summary" and name_of(first) != name:
        rename(element, "div")


def _mend_hgroup(element: Element) -> None:
    parts = parts_of(element)
    names = [name_of(part) for part in parts if not is_blank(part)]
    fill(element, parts)
    if not _HGROUP.fullmatch(" ".join(names)):
        rename(element, "div")


_FIRST = {"details": "summary", "fieldset": "legend"}
GROUPS: tuple[tuple[frozenset[str], Callable[[Element], None]], ...] = (
    (frozenset(("col", "param")), _mend_stray_void),
    (frozenset(_FIRST), _mend_first),
    (frozenset(_PARENTS), _mend_stray),
    (frozenset(("ol", "ul")), _mend_list),
    (frozenset(("dl",)), _mend_terms),
    (frozenset(("ruby",)), _mend_ruby),
    (frozenset(("select",)), _mend_select),
    (frozenset(("optgroup", "option", "rp", "textarea")), _mend_text),
    (frozenset(("hgroup",)), _mend_hgroup),
    (frozenset(("form",)), _mend_form),
)
