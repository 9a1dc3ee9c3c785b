r"""Finds formulas in LaTeX in Markdown, which are said in words (`markup/mathml.py`).

    $x^2$   $`x^2`$   {math}`x^2`   $$x^2$$   \(x^2\)   \\(x^2\\)     in a line
    $$ … $$   \[ … \]   \begin{align} … \end{align}                   on lines of their own
    ```math                                                           in a fence, also {math}

A dollar sign begins no formula before a space or after a letter or digit, and ends none after a
space or before them (the rule of Pandoc and GitHub), so that prices stay prices; what is LaTeX
without a doubt may have spaces there. What stands between must also look like a formula: in
"$HOME/bin:$PATH" it does not. \( and \[ are also how
Markdown keeps brackets, so that only what is LaTeX without a doubt is taken for a formula there.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererProtocol
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.amsmath import amsmath_block
from mdit_py_plugins.dollarmath.index import math_block_dollar, math_inline_dollar

from audiomill.inputs.markdown.marks import line_at
from audiomill.inputs.markup.tex import is_tex, looks_like_formula

MAX_LINES = 60  # of a formula: another one has lost its end
MAX_CHARS = 2_000  # of one in a line
_IN_LINE, _ON_LINES = "formula", "formula_block"
_MATH_FENCES = frozenset(("math", "{math}"))
_ENDS: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
BlockRule = Callable[[StateBlock, int, int, bool], bool]
_dollars_in_line = math_inline_dollar(allow_double=True)
_dollars_on_lines = math_block_dollar(allow_blank_lines=False)

_TICKS = re.compile(r"(?:\$`(?P<dollars>[^`\n]{1,500})`\$|\{math\}`(?P<role>[^`\n]{1,500})`)")
_SCRIPT = re.compile(r"[\^_]\{?[\w+−-]{1,8}\}?$")  # “H$_2$O”
_ENDING = re.compile(r"(?:th|st|nd|rd|s)\b")  # “the $i$th”, “both $x$s”
_LETTER = re.compile(r"\s*[A-Za-z](?:\s*[=<>]\s*[\w.]{1,12})?\s*")


def add_formulas(parser: MarkdownIt) -> None:
    """Teach a parser formulas in LaTeX."""
    for name, rule in (
        ("dollars", _dollars_on_lines),
        ("brackets", _brackets_on_lines),
        ("environment", amsmath_block),
    ):
        parser.block.ruler.before("fence", f"formula_{name}", _formula_of(rule), _ENDS)
    for name, in_line in (("ticks", _ticks), ("dollars", _dollars), ("brackets", _brackets)):
        parser.inline.ruler.before("escape", f"formula_{name}", in_line)
    parser.core.ruler.after("block", "formula_fences", _read_fences)
    parser.add_render_rule(_IN_LINE, _render)
    parser.add_render_rule(_ON_LINES, _render_block)


def _ticks(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - markdown-it calls it so
    if state.src[state.pos] not in "${":
        return False
    match = _TICKS.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    return _add(state, match["dollars"] or match["role"], match.end(), silent=silent)


def _dollars(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - markdown-it calls it so
    """The plugin's rule, only for what looks like a formula."""
    start = state.pos
    if state.src[start] != "$" or not _may_precede(state.src, start):
        return False
    if not _dollars_in_line(state, True):  # noqa: FBT003 - it only looks
        return False
    end, state.pos = state.pos, start
    mark = "$$" if state.src.startswith("$$", start) else "$"
    tex = state.src[start:end].strip("$")
    if (
        end > state.posMax
        or end - start > MAX_CHARS
        or not (_SCRIPT.match(tex) or _may_follow(state.src, end))
    ):
        return False
    is_word = mark == "$$" and tex.strip().isalpha() and len(tex.strip()) > 1
    is_formula = looks_like_formula(tex) if mark == "$$" or tex == tex.strip() else is_tex(tex)
    return is_formula and not is_word and _add(state, tex, end, silent=silent)


def _may_precede(src: str, start: int) -> bool:
    """Not after a letter, as in “US$5”; but “CO$_2$” and “ARMA$(p, q)$” are formulas."""
    return not (start and src[start - 1].isalnum()) or src[start + 1 : start + 2] in tuple("_^({\\")


def _may_follow(src: str, end: int) -> bool:
    after = src[end : end + 1]
    return not (after.isalnum() or after in {"{", "$"}) or _ENDING.match(src, end) is not None


def _brackets(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - markdown-it calls it so
    r"""Between \( and \), \\( and \\), \[ and \]."""
    start, src = state.pos, state.src
    if src[start] != "\\":
        return False
    marks = _marks_at(src, start)
    if marks is None:
        return False
    begin = start + len(marks[0])
    end = src.find(marks[1], begin, min(begin + MAX_CHARS, state.posMax))
    tex = src[begin:end]
    is_letter = marks[1].endswith(")") and _LETTER.fullmatch(tex)  # “\\[x\\]” is a box in a list
    if end < 0 or not (is_letter or is_tex(tex)):
        return False
    return _add(state, tex, end + len(marks[1]), silent=silent)


def _marks_at(src: str, at: int) -> tuple[str, str] | None:
    """The marks around a formula that begins at `at`; None if none does."""
    for slash in ("\\\\", "\\"):
        for opening, closing in ("()", "[]"):
            if src.startswith(slash + opening, at):
                return slash + opening, slash + closing
    return None


def _add(state: StateInline, tex: str, end: int, *, silent: bool) -> bool:
    if not silent:
        state.push(_IN_LINE, "math", 0).content = tex
    state.pos = end
    return True


def _formula_of(rule: BlockRule) -> BlockRule:
    """The rule of a formula on lines of its own; its token is ours, and it looks not too far."""

    def formula(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001 - markdown-it calls it so
        n_before = len(state.tokens)
        if not rule(state, start, min(end, start + MAX_LINES), False):  # noqa: FBT003
            return False
        found = state.tokens[n_before:]
        del state.tokens[n_before:]
        tex = "".join(one.content + _label(one.info) for one in found)
        if not any(sign.isalnum() for sign in tex):  # “$$ – $$$” are prices
            state.line = start
            return False
        if not silent:
            token = state.push(_ON_LINES, "math", 0)
            token.content = tex
            token.map = [start, state.line]
        return True

    return formula


def _label(name: str) -> str:
    """The label behind a formula, as LaTeX has it."""
    return rf" \label{{{name}}}" if name else ""


def _brackets_on_lines(state: StateBlock, start: int, end: int, _silent: bool) -> bool:  # noqa: FBT001
    r"""Lines from \[ to \]."""
    marks = None if state.is_code_block(start) else _marks_at(line_at(state, start), 0)
    if marks is None or "[" not in marks[0]:
        return False
    last = start
    while not line_at(state, last).endswith(marks[1]) or (
        last == start and marks[1] == line_at(state, last)
    ):
        last += 1
        if last >= end or not line_at(state, last):
            return False
    lines = state.getLines(start, last + 1, state.sCount[start], keepLastLF=False).strip()
    tex = lines[len(marks[0]) : -len(marks[1])]
    if marks[1] in tex or not is_tex(tex):
        return False
    state.push(_ON_LINES, "math", 0).content = tex
    state.line = last + 1
    return True


def _read_fences(state: StateCore) -> None:
    """Take fences for formulas that say so."""
    for token in state.tokens:
        if token.type == "fence" and token.info.strip().lower() in _MATH_FENCES:
            token.type = _ON_LINES


def _render(
    _: RendererProtocol, tokens: list[Token], at: int, _options: object, _env: object
) -> str:
    tex = escape(tokens[at].content.strip())
    return f'<math><annotation encoding="application/x-tex">{tex}</annotation></math>'


def _render_block(
    renderer: RendererProtocol, tokens: list[Token], at: int, options: object, env: object
) -> str:
    return f"<p>{_render(renderer, tokens, at, options, env)}</p>\n"
