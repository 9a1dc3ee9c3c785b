"""Descriptions of books as plain text. Sources write them with HTML or without."""

from __future__ import annotations

import re

from audiomill.inputs.markup.blocks import to_blocks
from audiomill.inputs.markup.parser import body_of, parse_xhtml
from audiomill.inputs.markup.text import normalise_spaces

MAX_CHARS = 200_000  # of a description that is read; the rest is left out
_HTML = re.compile(r"<[A-Za-z!/?]|&(?:\w+|#\w+);")


def plain_description(text: str, *, keep_lines: bool = False) -> str:
    """The description without HTML, one line per paragraph.

    Line breaks of a text without HTML are kept if `keep_lines`; in XML they mostly mean nothing.
    """
    text = text[:MAX_CHARS]
    if _HTML.search(text):
        root = parse_xhtml(f"<html><body>{text}</body></html>".encode())
        blocks = to_blocks(body_of(root), where="description").blocks
        return "\n".join(anchored.block.text for anchored in blocks if anchored.block.text)
    lines = text.splitlines() if keep_lines else [text]
    return "\n".join(map(normalise_spaces, lines)).strip()
