"""A book's description as plain text, whether its source wrote it as HTML or not."""

from __future__ import annotations

import html
import re

from audiomill.inputs.markup.blocks import to_blocks
from audiomill.inputs.markup.parser import body_of, parse_xhtml
from audiomill.inputs.markup.text import normalise_spaces

MAX_DESCRIPTION_CHARS = 200_000  # of a description that is read; the rest is left out
_NAMES = (
    *("a", "abbr", "address", "article", "aside", "b", "bdi", "bdo", "big", "blockquote", "body"),
    *("br", "center", "cite", "code", "dd", "del", "details", "dfn", "div", "dl", "dt", "em"),
    *("figcaption", "figure", "font", "footer", "h1", "h2", "h3", "h4", "h5", "h6", "head"),
    *("header", "hr", "html", "i", "iframe", "img", "ins", "kbd", "li", "link", "main", "mark"),
    *("meta", "nav", "noscript", "ol", "p", "picture", "pre", "q", "rp", "rt", "ruby", "s", "samp"),
    *("script", "section", "small", "span", "strike", "strong", "style", "sub", "summary", "sup"),
    *("svg", "table", "tbody", "td", "tfoot", "th", "thead", "time", "title", "tr", "tt", "u"),
    *("ul", "var", "wbr"),
)
_ATTRIBUTE = r"""\s+[a-z][\w:.-]*\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+)"""
# A whole tag of a name that HTML has: "if a<b then c>d" has none. Comments and the like begin one.
_HTML = re.compile(
    rf"</(?:{'|'.join(_NAMES)})\s*>|<(?:{'|'.join(_NAMES)})(?:{_ATTRIBUTE})*\s*/?>"
    r"|<!--|<!doctype\s|<!\[CDATA\[|<\?xml\s",
    re.IGNORECASE | re.ASCII,
)


def plain_description(text: str, *, keep_lines: bool = False) -> str:
    """The description without HTML, one line per paragraph.

    Line breaks of a text without HTML are kept if `keep_lines`; in XML they mostly mean nothing.
    """
    text = text[:MAX_DESCRIPTION_CHARS]
    if _HTML.search(text):
        root = parse_xhtml(f"<html><body>{text}</body></html>".encode())
        blocks = to_blocks(body_of(root), where="description").blocks
        return "\n".join(anchored.block.text for anchored in blocks if anchored.block.text)
    text = html.unescape(text)
    lines = text.splitlines() if keep_lines else [text]
    return "\n".join(map(normalise_spaces, lines)).strip()
