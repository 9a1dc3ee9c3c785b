r"""Finds formulas in LaTeX in the text of web pages, which a script draws there.

\(x^2\)   \[x^2\]   $$x^2$$     as MathJax and KaTeX find them
$x^2$                          only on a page that tells its script so
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree

from audiomill.inputs.markup.parser import Element, local_name
from audiomill.inputs.markup.tex import looks_like_formula

# Scripts leave alone what these hold.
_NAMES = """
annotation code kbd math noscript pre samp script style svg textarea title
"""
_LEFT_ALONE = frozenset(_NAMES.split())
_LONGEST = 2_000  # characters
_DELIMITED = (
    rf"\\\((?P<round>.{{1,{_LONGEST}}}?)\\\)|\\\[(?P<square>.{{1,{_LONGEST}}}?)\\\]"
    rf"|\$\$(?P<double>[^$]{{1,{_LONGEST}}})\$\$"
)
_SINGLE = r"|(?<![\w$\\])\$(?P<single>(?![\s$])[^$\n]{1,500}(?<![\s\\]))\$(?![\w$])"
_MARKS = re.compile(_DELIMITED, re.DOTALL)
_MARKS_AND_DOLLARS = re.compile(_DELIMITED + _SINGLE, re.DOTALL)
# How a page tells MathJax, or KaTeX, that single dollar signs hold formulas.
_DOLLARS_TOLD = re.compile(r"""inlineMath\W{1,20}?\[\s*['"]\$['"]|left['"]?:\s*['"]\$['"]""")


def mark_formulas(body: Element) -> None:
    """Put formulas in the text of a page into elements, which `mathml.py` says."""
    root = body.getroottree().getroot()
    scripts = (node.text or "" for node in root.iter("{*}script"))
    marks = _MARKS_AND_DOLLARS if any(map(_DOLLARS_TOLD.search, scripts)) else _MARKS
    for node, is_tail in list(_texts(body)):
        _mark(node, marks, is_tail=is_tail)


def _texts(body: Element) -> Iterator[tuple[Element, bool]]:
    """The elements whose text or tail may hold a formula, and whether it is the tail."""
    depth = 0  # of elements that are left alone
    for event, node in etree.iterwalk(body, events=("start", "end", "comment", "pi")):
        is_left_alone = local_name(node) in _LEFT_ALONE
        if event == "start":
            depth += is_left_alone
            if not depth and _may_hold(node.text):
                yield node, False
        else:
            depth -= event == "end" and is_left_alone
            if node is not body and not depth and _may_hold(node.tail):
                yield node, True


def _may_hold(text: str | None) -> bool:
    return text is not None and ("\\" in text or "$" in text)


def _mark(node: Element, marks: re.Pattern[str], *, is_tail: bool) -> None:
    text = (node.tail if is_tail else node.text) or ""
    pieces, formulas, at = list[str](), list[str](), 0
    for match in marks.finditer(text):
        tex = match[match.lastgroup or 0]
        if looks_like_formula(tex):
            pieces.append(text[at : match.start()])
            formulas.append(tex)
            at = match.end()
    if not formulas:
        return
    after = [_formula(*one) for one in zip(formulas, [*pieces[1:], text[at:]], strict=True)]
    if is_tail:
        node.tail = None
        for math in reversed(after):  # each right behind the node: no place is searched
            node.addnext(math)
        node.tail = pieces[0]
    else:
        for math in reversed(after):
            node.insert(0, math)
        node.text = pieces[0]


def _formula(tex: str, tail: str) -> Element:
    math = etree.Element("math")
    annotation = etree.SubElement(math, "annotation", {"encoding": "application/x-tex"})
    annotation.text = tex
    math.tail = tail
    return math
