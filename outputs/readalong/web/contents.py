"""The contents of a page: the titles of chapters, nested by level, that link to the text. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from audiomill.inputs.markup.parser import Element
from audiomill.outputs.pages.html_tree import element
from audiomill.outputs.text import line


@dataclass(frozen=True, slots=True)
class ContentsEntry:
    """A title, its level from 1, and the id of the element of the page that it leads to."""

    title: str
    level: int
    target: str


def contents(entries: Sequence[ContentsEntry]) -> Element:
    """The list of the entries. A level that has none above it counts as the next one that has."""
    root = element("ol")
    lists: list[tuple[int, Element]] = [(0, root)]  # the open ones, with the levels of their items
    for entry in entries:
        while len(lists) > 1 and lists[-1][0] >= entry.level:
            lists.pop()
        level, above = lists[-1]
        item = element("li", {}, element("a", {"href": f"#{entry.target}"}, line(entry.title)))
        _list_of(above, is_root=level == 0).append(item)
        lists.append((entry.level, item))
    return root


def _list_of(above: Element, *, is_root: bool) -> Element:
    """The list in an item, made when there is an item for it."""
    if is_root:
        return above
    if above[-1].tag != "ol":
        above.append(element("ol"))
    return above[-1]
