r"""Recognises formulas in LaTeX and reads them as MathML. Pure.

In the text of web pages a script draws them:

\(x^2\)   \[x^2\]   $$x^2$$     as MathJax and KaTeX find them
$x^2$                          only on a page that tells its script so

These marks may also hold prices, programs and prose, which are told from it.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element as PlainElement

from lxml import etree

from audiomill.inputs.markup.parser import Element, local_name

_WORDS_OF_TEX = re.compile(
    r"\\(?:text\w*|mbox|mathrm|operatorname\*?)\s?\{[^{}]{0,200}\}|\\[A-Za-z]+"
)
# What is LaTeX without a doubt: a command, a power or an index.
_TEX = re.compile(
    r"\A[\^_][\w{]|\\[A-Za-z]{2,}|\\[A-Za-z](?![\w:\\])|[\w)}\]'][\^_][\w{\\(*+-]|\\[{}|]"
)
_PROSE = re.compile(r"\b[A-Za-z]{2,},? [a-z]{3,}\b")
_PROGRAM_SIGNS = re.compile(
    r"[`\"@#]|\$\{|(?<![_^])\{\{[\w .|-]*\}\}|://"
    r"|[A-Za-z]{3,}_[A-Za-z]{2}|[A-Z]{2,}_[A-Z]|\w/\w+/\w"
)
# Letters, numbers and brackets, with operators between: “n = 5”, “2x + 1”.
_PART = r"[\w().!'\[\]{}%|]+"
_OPERATOR = r"[-=<>+*/:;,~&−≤≥≠≈∈×·→]+"
_PLAIN = re.compile(
    rf"(?:{_OPERATOR}\s*)?{_PART}(?:\s*{_OPERATOR}\s*{_PART})*|{_OPERATOR}"
    r"|(?:O\()?(?:[A-Za-z]\s){1,5}[A-Za-z]\)?"
)
_MAX_PLAIN = 80  # characters
TEX_TYPES = frozenset(("application/x-tex", "text/x-tex", "tex", "latex", "math/tex"))
MAX_TEX = 1000  # characters; a formula that is longer has more signs than one can follow
_MAX_DEPTH = 40  # of braces: the converter recurses
# The converter also takes parts of a formula for granted that a broken one does not have.
_BROKEN = (IndexError, KeyError, RecursionError, RuntimeError, StopIteration, ValueError)
_COMMENT = re.compile(r"(?<!\\)%[^\n]*")
# What numbers a formula, or moves a part of it.
_LAYOUT = re.compile(
    r"\\(?:label|tag\*?|vspace|hspace)\s?\{[^{}]{0,200}\}|\\(?:nonumber|notag|hline|allowbreak)\b"
    r"|\\(?:big|Big|bigg|Bigg)[lrm]?(?![A-Za-z])|\\mathop(?![A-Za-z])|(?<=\d)(?:\{,\}|\\,)(?=\d{3}(?!\d))"
)
_BREAK = re.compile(r"\\\\(?:\[[^\]\\]{0,20}\])?")
_SINGLE = re.compile(r"\\(?:begin|end)\{(?:equation|displaymath|math)\*?\}")
# The environments whose lines are aligned are read as tables: in rows, cell by cell.
_ALIGNED = re.compile(
    r"\\(?P<what>begin|end)\{(?:align(?:ed|at|edat)?|eqnarray|flalign|gather(?:ed)?|multline|split)\*?\}"
    r"(?(what)(?:\[[tbc]\])?(?:\{\d\})?)"
)
_COMMANDS = {
    r"\argmax": r"\operatorname{argmax}",
    r"\argmin": r"\operatorname{argmin}",
    r"\arg": r"\text{arg}",
    r"\given": r"\mid",
    r"\bm": r"\mathbf",
    r"\boldsymbol": r"\mathbf",
    r"\textnormal": r"\text",
    r"\textrm": r"\text",
    r"\textbf": r"\text",
    r"\textit": r"\text",
    r"\texttt": r"\text",
    r"\mbox": r"\text",
    r"\hbox": r"\text",
    r"\dfrac": r"\frac",
    r"\tfrac": r"\frac",
    r"\cfrac": r"\frac",
    r"\lvert": "|",
    r"\rvert": "|",
    r"\vert": "|",
    r"\lVert": r"\|",
    r"\rVert": r"\|",
    r"\Vert": r"\|",
    r"\coloneqq": ":=",
}
_COMMAND = re.compile(r"\\[A-Za-z]+")
# Writers define such commands for a bold or an open letter.
_LETTERS = frozenset(f"\\{letter}" for letter in "eghmnpqswxyzABCDEFGIJKMNQRTUVWXYZ")
# A name in upright letters.
_NAME = re.compile(
    r"\\(?:mathrm|mathsf|mathtt|mathit|operatorname\*?|ce)\s?"
    r"\{(?P<name>(?:[\w+-]|\\[,;! ]| ){2,40})\}"
)
_THIN = re.compile(r"\\[,;! ]| ")
_UNREADABLE = re.compile(r"[\\{}]|\bnot available\b|\balternative text\b", re.IGNORECASE)
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
_SINGLE_DOLLARS = r"|(?<![\w$\\])\$(?P<single>(?![\s$])[^$\n]{1,500}(?<![\s\\]))\$(?![\w$])"
_MARKS = re.compile(_DELIMITED, re.DOTALL)
_MARKS_AND_DOLLARS = re.compile(_DELIMITED + _SINGLE_DOLLARS, re.DOTALL)
# How a page tells MathJax, or KaTeX, that single dollar signs hold formulas.
_DOLLARS_TOLD = re.compile(r"""inlineMath\W{1,20}?\[\s*['"]\$['"]|left['"]?:\s*['"]\$['"]""")


def looks_like_formula(text: str) -> bool:
    """True for what can stand between dollar signs as a formula, and is no price or program."""
    bare = _WORDS_OF_TEX.sub(" ", text)
    if _PROGRAM_SIGNS.search(bare) or _PROSE.search(bare):
        return False
    is_plain = len(text) <= _MAX_PLAIN and _PLAIN.fullmatch(text.strip())
    return _TEX.search(text) is not None or bool(is_plain)


def is_tex(text: str) -> bool:
    """True for what is LaTeX without a doubt."""
    return _TEX.search(text) is not None and looks_like_formula(text)


def mathml_of(tex: str) -> Element | None:
    """The formula as a `math` element; None if it is too long, broken or of an unknown kind."""
    if len(tex) > MAX_TEX or _depth(tex) > _MAX_DEPTH:
        return None
    converted = _converted(_simplified(tex))
    if converted is None:
        return None
    math = _copied(converted)
    is_known = not any("\\" in (node.text or "") for node in math.iter())
    return math if is_known else None


def _converted(tex: str) -> PlainElement | None:
    """MathML by latex2mathml, which is loaded with the first formula: that takes 0.1 s."""
    from latex2mathml import exceptions
    from latex2mathml.converter import convert_to_element

    errors: tuple[type[Exception], ...] = tuple(
        one for one in vars(exceptions).values() if isinstance(one, type)
    )
    try:
        return convert_to_element(tex)
    except (*errors, *_BROKEN):
        return None


def tex_in(math: Element) -> str:
    """The LaTeX of a `math` element that has no other notation; "" for any other."""
    parts = [node for node in math if local_name(node)]
    if len(parts) == 1 and local_name(parts[0]) == "annotation":
        kind = (parts[0].get("encoding") or "").strip().lower()
        return (parts[0].text or "").strip() if kind in TEX_TYPES else ""
    return ""


def _depth(tex: str) -> int:
    depth = deepest = 0
    for sign in tex:
        depth += (sign == "{") - (sign == "}")
        deepest = max(deepest, depth)
    return deepest


def _simplified(tex: str) -> str:
    tex = _BREAK.sub(r"\\\\ ", _LAYOUT.sub("", _COMMENT.sub("", tex)))
    tex = _SINGLE.sub("", tex)
    tex = _ALIGNED.sub(lambda match: rf"\{match['what']}{{matrix}}", tex)
    tex = _NAME.sub(lambda match: rf"\text{{{_THIN.sub('', match['name'])}}}", tex)
    return _COMMAND.sub(_known, tex)


def _known(command: re.Match[str]) -> str:
    if command[0] in _LETTERS:
        return f"{{{command[0][1:]}}}"
    return _COMMANDS.get(command[0], command[0])


def _copied(node: PlainElement) -> Element:
    """The element of another library as one of ours, with its characters for references."""
    result = etree.Element(node.tag, {str(key): str(value) for key, value in node.items()})
    result.text = html.unescape(node.text or "")
    result.extend(_copied(child) for child in node)
    return result


def is_readable(formula: str) -> bool:
    """True if the alternative text of a formula is words: neither LaTeX nor a placeholder."""
    return bool(formula.strip()) and not _UNREADABLE.search(formula)


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
