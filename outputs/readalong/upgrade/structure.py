"""Mends where the elements of a page stand, by the content models of the HTML standard, 4.

Words keep their order: what stands where it must not is wrapped, or becomes an element that may
stand there, with the look that it had. `groups.py` mends lists, `phrases.py` paragraphs, this file
tables (4.9).
"""

from __future__ import annotations

from collections.abc import Callable

from audiomill.inputs.markup.parser import VOID, Element
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
    wrapped,
)
from audiomill.outputs.readalong.upgrade.groups import GROUPS, LOOKS_OF_STRAYS, SCRIPTS
from audiomill.outputs.readalong.upgrade.phrases import ANCHORS_AND_PHRASES


def _mend_table(table: Element) -> None:
    """A table has a caption, columns, a head, and bodies or rows, and a foot, in this order."""
    parts = [one for part in parts_of(table) for one in _columns(part)]
    columns = [part for part in parts if name_of(part) == "colgroup"]
    rest = [part for part in parts if name_of(part) != "colgroup"]
    first = next((part for part in rest if not is_blank(part)), "")
    names = {"thead", "tbody", "tfoot", "tr"}
    caption = [first] if name_of(first) == "caption" else []
    for part in rest:
        if not isinstance(part, str) and name_of(part) == "caption" and part not in caption:
            rename(part, "div", "text-align:center")
    rows = wrapped(
        [part for part in rest if part not in caption],
        lambda part: name_of(part) in names,
        lambda: html("tbody"),
    )
    fill(table, [*caption, *columns, *rows])
    _mend_order_of_sections(table)


def _columns(part: Part) -> list[Part]:
    """A column in a group of columns (4.9.3), and behind it what else the group has."""
    if isinstance(part, str) or name_of(part) not in {"col", "colgroup"}:
        return [part]
    if name_of(part) == "col":
        return [fill(html("colgroup"), [part])]
    inner = parts_of(part)
    columns = [one for one in inner if name_of(one) == "col"]
    if columns:
        drop(part, "span")
    rest = [one for one in inner if name_of(one) != "col" and not is_blank(one)]
    return [fill(part, columns), *rest]


def _mend_order_of_sections(table: Element) -> None:
    """A head that is not the first, and a foot that is not the last, look so in a body."""
    rows = [one for one in table if html_name(one) in {"thead", "tbody", "tfoot", "tr"}]
    for number, section in enumerate(rows):
        name = html_name(section)
        is_misplaced = (name == "thead" and number) or (name == "tfoot" and section is not rows[-1])
        if is_misplaced:
            rename(section, "tbody", LOOKS_OF_STRAYS[name])
    if any(html_name(one) == "tbody" for one in rows):
        parts = wrapped(parts_of(table), lambda part: name_of(part) != "tr", lambda: html("tbody"))
        fill(table, parts)


def _mend_section(section: Element) -> None:
    names = SCRIPTS | {"tr"}
    parts = wrapped(parts_of(section), lambda part: name_of(part) in names, lambda: html("tr"))
    fill(section, parts)


def _mend_row(row: Element) -> None:
    names = SCRIPTS | {"td", "th"}
    parts = wrapped(parts_of(row), lambda part: name_of(part) in names, lambda: html("td"))
    fill(row, parts)


_TABLES: tuple[tuple[frozenset[str], Callable[[Element], None]], ...] = (
    (frozenset(("table",)), _mend_table),
    (frozenset(("thead", "tbody", "tfoot")), _mend_section),
    (frozenset(("tr",)), _mend_row),
)
_ORDER = (*GROUPS, *_TABLES, *ANCHORS_AND_PHRASES)


def mend_structure(root: Element) -> None:
    """Mend all of a page but its head."""
    for names, mend in _ORDER:
        for element in list(root.iter()):
            if html_name(element) in names:
                mend(element)


def empty_voids(root: Element) -> None:
    """Move what is in an element that has no content behind it: `<br>a</br>` is `<br/>a`."""
    for element in list(root.iter()):
        if html_name(element) in VOID | {"iframe"} and (len(element) or element.text):
            _move_content_behind(element)


def _move_content_behind(element: Element) -> None:
    """`<br>text</br>` becomes `<br/>text`."""
    parent = element.getparent()
    if parent is None:
        return
    inner = parts_of(element)
    parts = parts_of(parent)
    at = parts.index(element) + 1
    fill(parent, [*parts[:at], *inner, *parts[at:]])
