"""Mends what web pages mark in a wrong way, before a page is read: prose as code, signs as titles.

<h2>The Mill <a href="#mill">#</a></h2>      the sign is a link to the heading itself: hidden
<pre>A whole sentence, and another.</pre>     prose that keeps its lines: a paragraph
"""

from __future__ import annotations

import re

from audiomill.inputs.markup.parser import Element, local_name
from audiomill.inputs.markup.preformatted import is_prose, make_paragraph
from audiomill.inputs.markup.semantics import HEADINGS, text_within

_ANCHOR_SIGN = re.compile(r"\s*[#¶§🔗⚓∞]\ufe0f?\s*")


def prepare(body: Element) -> None:
    """Mark the signs by which headings link to themselves as hidden, and prose as paragraphs."""
    for node in [*body.iter()]:
        name = local_name(node)
        if name in HEADINGS:
            _hide_sign(node)
        elif name == "pre" and is_prose(node):
            make_paragraph(node)


def _hide_sign(heading: Element) -> None:
    for link in heading.iter("{*}a"):
        is_own = (link.get("href") or "").startswith("#")
        if is_own and _ANCHOR_SIGN.fullmatch(text_within(link)):
            link.set("hidden", "")
