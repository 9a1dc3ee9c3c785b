"""Tells how a book's style sheets set text apart, as classes for the style of the page.

    .c7 { font-style: italic }    <span class="c7">    ─▶    <span class="look-italic">

Sizes, colours, faces and margins are the page's: a reader chooses them.
"""

from __future__ import annotations

from collections.abc import Iterator

from audiomill.inputs.markup.cascade import MAX_COMPARISONS, Cascade, Declaration
from audiomill.inputs.markup.parser import Element
from audiomill.inputs.markup.selectors import Matcher, TooManyComparisons

PREFIX = "look-"
_BOLD_FROM = 600  # the weights that are bold
_LOOKS: dict[str, dict[str, str]] = {
    "font-style": {"italic": "italic", "oblique": "italic", "normal": "upright"},
    "font-variant": {"small-caps": "small-caps", "all-small-caps": "small-caps"},
    "font-variant-caps": {"small-caps": "small-caps", "all-small-caps": "small-caps"},
    "font-weight": {"bold": "bold", "bolder": "bold", "normal": "regular", "lighter": "regular"},
    "text-align": {"center": "center", "right": "right", "end": "end"},
    "text-decoration": {"line-through": "struck", "underline": "underlined"},
    "text-decoration-line": {"line-through": "struck", "underline": "underlined"},
    "text-transform": {"uppercase": "uppercase"},
    "vertical-align": {"super": "super", "sub": "sub"},
    "white-space": {"pre": "lines", "pre-line": "lines", "pre-wrap": "lines"},
}
PROPERTIES = tuple(_LOOKS)


def set_looks(root: Element, cascade: Cascade) -> None:
    """Add the classes of how they look to the elements of a document.

    None are added after an element at which the comparison of selectors takes too long.
    """
    matcher = Matcher(MAX_COMPARISONS)
    try:
        for one in root.iter("*"):
            classes = {f"{PREFIX}{look}" for look in _looks(cascade, one, matcher)}
            if classes:
                own = (one.get("class") or "").split()
                one.set("class", " ".join((*own, *sorted(classes))))
    except TooManyComparisons:
        return


def _looks(cascade: Cascade, one: Element, matcher: Matcher) -> Iterator[str]:
    for declaration in cascade.winning(one, matcher).values():
        if look := _look(declaration):
            yield look


def _look(declaration: Declaration) -> str:
    if declaration.name == "font-weight" and declaration.value.isdecimal():
        return "bold" if int(declaration.value) >= _BOLD_FROM else "regular"
    return _LOOKS[declaration.name].get(declaration.value, "")
