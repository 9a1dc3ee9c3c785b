r"""Recognises a formula in LaTeX, such as \frac{a}{b}, and reads it as MathML. Pure.

Marks that hold LaTeX may also hold prices, programs and prose, which are told from it.
"""

from __future__ import annotations

import html
import re
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
