"""Numbers that a page shows without writing them out: of list items, and raised digits.

Knows elements, not blocks. HTML, 4.4.5 (`ol`) and 4.4.8 (`li`), says how items are numbered.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from audiomill.inputs.markup.parser import Element, local_name
from audiomill.inputs.markup.semantics import short_text

_INTEGER = re.compile(r"\s*([+-]?\d{1,9})")
_UNNUMBERED = re.compile(r"list-style(?:-type)?\s*:[^;]*\bnone\b")
_POWER = re.compile(r"\s*([+\-−–]?)(\d{1,4})\s*$")
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_ROMAN = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l")),
    *((40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)
_LAST_ROMAN = 3999


@dataclass(slots=True)
class _Numbering:
    """Of one list: the next item's number, the step, and how it is written ("" for not at all)."""

    following: int
    step: int
    style: str


class ListNumbers:
    """The lists that a walk is inside of, the innermost last."""

    def __init__(self) -> None:
        self._lists: list[_Numbering] = []

    def enter(self, name: str, node: Element) -> None:
        """A list begins."""
        if name in {"ol", "ul", "menu"}:
            self._lists.append(_numbering(name, node))

    def leave(self, name: str) -> None:
        """A list ends."""
        if name in {"ol", "ul", "menu"}:
            self._lists.pop()

    def of_item(self, item: Element) -> str:
        """What stands before an item: "3. ", "c. ", "iii. "; "" where there is no number."""
        if not self._lists or not self._lists[-1].style:
            return ""
        numbering = self._lists[-1]
        number = _integer(item.get("value"), numbering.following)
        numbering.following = number + numbering.step
        return f"{_written(number, numbering.style)}. "


def superscript(node: Element) -> str:
    """What is read for a `<sup>` that holds a number: "²", "^12", "^−3"; "" if it holds none.

    One digit is a character of its own in Unicode. Of longer ones voices leave out signs and
    digits, so these are written as on a keyboard.
    """
    found = _POWER.match(short_text(node) or "") if local_name(node) == "sup" else None
    if found is None:
        return ""
    sign, digits = found.groups()
    if len(digits) == 1 and not sign:
        return digits.translate(_RAISED)
    return f"^{sign.replace('-', '−').replace('–', '−')}{digits}"


def _numbering(name: str, node: Element) -> _Numbering:
    if name != "ol" or _UNNUMBERED.search((node.get("style") or "").lower()):
        return _Numbering(0, 0, "")
    backwards = node.get("reversed") is not None
    n_items = sum(1 for child in node if local_name(child) == "li") if backwards else 0
    start = _integer(node.get("start"), n_items if backwards else 1)
    style = (node.get("type") or "1").strip()
    return _Numbering(start, -1 if backwards else 1, style if style in set("1aAiI") else "1")


def _integer(said: str | None, otherwise: int) -> int:
    found = _INTEGER.match(said or "")
    return int(found[1]) if found else otherwise


def _written(number: int, style: str) -> str:
    if style in "aA" and number > 0:
        written = _letters(number)
    elif style in "iI" and 0 < number <= _LAST_ROMAN:
        written = _roman(number)
    else:
        return str(number)
    return written.upper() if style.isupper() else written


def _letters(number: int) -> str:
    """1 is a, 26 is z, 27 is aa."""
    written = ""
    while number:
        number, letter = divmod(number - 1, 26)
        written = chr(ord("a") + letter) + written
    return written


def _roman(number: int) -> str:
    written = ""
    for value, numeral in _ROMAN:
        times, number = divmod(number, value)
        written += numeral * times
    return written
