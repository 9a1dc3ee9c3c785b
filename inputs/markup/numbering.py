"""Writes out the numbers that a page only shows: of list items, and in superscripts.

Follows HTML, 4.4.5 (`ol`) and 4.4.8 (`li`). Knows elements, not blocks.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from audiomill.inputs.markup.parser import Element, local_name
from audiomill.inputs.markup.semantics import short_text

_INTEGER = re.compile(r"\s*([+-]?\d{1,9})")
_UNNUMBERED = re.compile(r"list-style(?:-type)?\s*:[^;]*\bnone\b")
_POWER = re.compile(r"\s*([+\-−–]?)(\d{1,4})\s*$")
# "2n", "n−1" behind a number or a variable; "e", "o", "r" and "s" are of ordinals: "1er", "XXe".
_VARIABLE_POWER = re.compile(r"(?:\d{0,2}[ijkmnpqtxyz](?:[+−–-]\d{1,2})?|\d{1,2}[+−–-][kmn])")
_BASE = re.compile(r"(?:(?<!\w)[A-Za-z]|\d|[)\]])\Z")
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_ROMAN = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l")),
    *((40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)
_LAST_ROMAN = 3999


@dataclass(slots=True)
class _Numbering:
    """The numbering of one list."""

    next_number: int
    step: int
    style: str  # the `type` of the list: "1", "a", "A", "i" or "I"; "" for no numbers


class ListNumbers:
    """The open lists during a traversal, the innermost last."""

    def __init__(self) -> None:
        self._lists: list[_Numbering] = []

    def enter(self, name: str, node: Element) -> None:
        """Begin an element; only lists matter."""
        if name in {"ol", "ul", "menu"}:
            self._lists.append(_numbering(name, node))

    def leave(self, name: str) -> None:
        """End an element; only lists matter."""
        if name in {"ol", "ul", "menu"}:
            self._lists.pop()

    def of_item(self, item: Element) -> str:
        """Return the label of an item: "3. ", "c. ", "iii. "; "" if it has no number."""
        if not self._lists or not self._lists[-1].style:
            return ""
        numbering = self._lists[-1]
        number = _integer(item.get("value"), numbering.next_number)
        numbering.next_number = number + numbering.step
        return f"{_format(number, numbering.style)}. "


def superscript(node: Element) -> str:
    """Return the text of a `<sup>` that holds a power: "²", "^12", "^n"; "" for all else.

    A single digit has a character of its own in Unicode. Voices drop signs and digits of longer
    superscripts, so these are text with "^".
    """
    text = (short_text(node) or "") if local_name(node) == "sup" else ""
    match = _POWER.match(text)
    if match is None:
        bare = "".join(text.split()).replace("–", "−")
        is_power = _VARIABLE_POWER.fullmatch(bare) and _BASE.search(_text_before(node))
        return "" if not is_power else f"^{bare}" if len(bare) == 1 else f"^({bare})"
    sign, digits = match.groups()
    if len(digits) == 1 and not sign:
        return digits.translate(_RAISED)
    return f"^{sign.replace('-', '−').replace('–', '−')}{digits}"


def _text_before(node: Element) -> str:
    """The text right before an element, in its parent; of an element there, its own text."""
    above, parent = node.getprevious(), node.getparent()
    if above is None:
        return (parent.text or "") if parent is not None else ""
    return above.tail or short_text(above) or ""


def _numbering(name: str, node: Element) -> _Numbering:
    if name != "ol" or _UNNUMBERED.search((node.get("style") or "").lower()):
        return _Numbering(0, 0, "")
    is_reversed = node.get("reversed") is not None
    n_items = sum(1 for child in node if local_name(child) == "li") if is_reversed else 0
    start = _integer(node.get("start"), n_items if is_reversed else 1)
    style = (node.get("type") or "1").strip()
    return _Numbering(start, -1 if is_reversed else 1, style if style in set("1aAiI") else "1")


def _integer(text: str | None, default: int) -> int:
    match = _INTEGER.match(text or "")
    return int(match[1]) if match else default


def _format(number: int, style: str) -> str:
    if style in "aA" and number > 0:
        text = _letters(number)
    elif style in "iI" and 0 < number <= _LAST_ROMAN:
        text = _roman(number)
    else:
        return str(number)
    return text.upper() if style.isupper() else text


def _letters(number: int) -> str:
    """1 is a, 26 is z, 27 is aa."""
    text = ""
    while number:
        number, letter = divmod(number - 1, 26)
        text = chr(ord("a") + letter) + text
    return text


def _roman(number: int) -> str:
    text = ""
    for value, numeral in _ROMAN:
        times, number = divmod(number, value)
        text += numeral * times
    return text
