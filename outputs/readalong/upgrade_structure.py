"""Mends where the elements of a page stand, by the content models of the HTML standard, 4.

Words keep their order: what stands where it must not is wrapped, or becomes an element that may
stand there, with the look that it had.
"""

from __future__ import annotations

from audiomill.inputs.markup.parser import VOID, Element
from audiomill.outputs.readalong.upgrade_elements import html_name
from audiomill.outputs.readalong.upgrade_groups import GROUPS
from audiomill.outputs.readalong.upgrade_parts import fill, parts_of
from audiomill.outputs.readalong.upgrade_phrases import ANCHORS_AND_PHRASES
from audiomill.outputs.readalong.upgrade_tables import TABLES

_ORDER = (*GROUPS, *TABLES, *ANCHORS_AND_PHRASES)


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
