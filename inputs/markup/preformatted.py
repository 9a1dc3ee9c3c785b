"""Tells prose and verse from code where a page keeps the lines of both by `<pre>`."""

from __future__ import annotations

import re

from audiomill.inputs.markup.parser import Element, local_name
from audiomill.inputs.markup.semantics import text_within

_CODE_PARTS = frozenset(("code", "kbd", "samp", "span", "table"))  # spans colour code
_PROSE_WORD = re.compile(r"(?<![\w$.])[^\W\d_]+(?:['’-][^\W\d_]+)*(?=[\s.,;:!?…”\"')\]]|$)")
_PROSE_SHARE = 0.75  # of the characters but spaces
_MIN_PROSE_WORDS = 6
_OF_CODE = re.compile(r"[{};=<>\\_$#|]|\w\(|^\s{4,}\S", re.MULTILINE)
_MOST_CODE = 0.01  # such signs, of the characters


def is_prose(pre: Element) -> bool:
    """True for a `<pre>` that holds sentences, not code."""
    if any(local_name(inner) in _CODE_PARTS for inner in pre.iterdescendants()):
        return False
    text = text_within(pre)
    words = _PROSE_WORD.findall(text)
    n_characters = len("".join(text.split()))
    return (
        len(words) >= _MIN_PROSE_WORDS
        and sum(map(len, words)) >= _PROSE_SHARE * n_characters
        and len(_OF_CODE.findall(text)) <= _MOST_CODE * n_characters
    )


def make_paragraph(pre: Element) -> None:
    """Make a paragraph of an element that keeps its lines, with `<br>` for each end of a line."""
    pre.tag = pre.tag[: -len("pre")] + "p"
    for node in [pre, *pre.iterdescendants()]:
        if node is not pre:
            _break_lines(node, node.tail, is_tail=True)
        if local_name(node):
            _break_lines(node, node.text, is_tail=False)


def _break_lines(node: Element, text: str | None, *, is_tail: bool) -> None:
    first, *lines = (text or "").strip("\n").split("\n") if text else [""]
    if not lines:
        return
    parent = node.getparent() if is_tail else node
    if parent is None:
        return
    at = parent.index(node) + 1 if is_tail else 0
    if is_tail:
        node.tail = first
    else:
        node.text = first
    for number, line in enumerate(lines):
        end = node.makeelement(node.tag.rpartition("}")[0] + "}br" if "}" in node.tag else "br")
        end.tail = line
        parent.insert(at + number, end)
