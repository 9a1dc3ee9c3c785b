"""A table of contents inside a page, found by its looks. Knows element trees only.

A list in which every item is a link into the same page is not read aloud; nor is the heading
"Contents" over it.
"""

from __future__ import annotations

import re

from inputs.markup_names import HEADINGS
from inputs.markup_parse import Element, local_name

MIN_LINKS = 3
_HEADING = re.compile(r"\W*(?:table of )?contents\W*", re.IGNORECASE)


def mark_contents(root: Element) -> None:
    """Give lists of links into the page, and the heading over them, the role of a contents."""
    for node in list(root.iter("{*}ul", "{*}ol")):
        if node.get("role") is None and _is_contents(node):
            node.set("role", "doc-toc")
            over = node.getprevious()
            if over is not None and _is_heading_of_contents(over):
                over.set("role", "doc-toc")


def _is_contents(node: Element) -> bool:
    """Whether all text of a list, three items or more, is inside links to `#something`."""
    n_links, waiting = 0, list(node)
    if _has_text(node.text):
        return False
    while waiting:
        child = waiting.pop()
        if _has_text(child.tail):
            return False
        if local_name(child) == "a":
            if not (child.get("href") or "").startswith("#"):
                return False
            n_links += 1
        elif _has_text(child.text):
            return False
        else:
            waiting += list(child)
    return n_links >= MIN_LINKS


def _is_heading_of_contents(node: Element) -> bool:
    text = "".join(map(str, node.itertext()))
    return local_name(node) in HEADINGS and _HEADING.fullmatch(text) is not None


def _has_text(text: str | None) -> bool:
    return bool(text and text.strip())
