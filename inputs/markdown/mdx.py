"""Reads what MDX has besides Markdown: modules, expressions, and elements that hold Markdown.

    import Tabs from "@theme/Tabs";        no text, but listed; also export const …
    Text {props.name} {/* a comment */}    so are expressions; {" "} is a space

In MDX, indented lines are text, and the lines between tags are Markdown. A file is MDX by its
name, or by a line that imports a module.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

from audiomill.inputs.markdown.components import FLOW, MOST_IN_VAIN, add_components
from audiomill.inputs.markdown.jsx import expression_end, string_in
from audiomill.inputs.markdown.marks import add_command, add_command_in_line, line_at

_MODULE = re.compile(
    r"import\s*(?:[\w$*{},\s]{1,300}\bfrom\s*)?['\"][^'\"\n]{1,300}['\"];?\s*$|import\s*\{[^}\n]*$"
    r"|export\s+(?:(?:default|const|let|var|function|async|class|type|interface)\b|[{*])"
)
_IMPORT = re.compile(
    r"import\s[^\n]{0,300}\bfrom\s*['\"][^'\"\n]{1,300}['\"];?\s*$|import\s*['\"]\S+['\"];?\s*$"
)
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_MAX_LINES = 400  # of a statement
_OPENING, _CLOSING = "([{", ")]}"
_IN_VAIN = "expressions_without_an_end"  # in a parser's `env`: how many were met


class Dialect(Enum):
    """The dialect of Markdown that a file is in."""

    MARKDOWN = "Markdown"
    MDX = "MDX"


def dialect_of(name: str, text: str) -> Dialect:
    """The dialect of a file, by its name and its text."""
    imports = name.lower().endswith(".mdx") or any(map(_IMPORT.match, _lines_of_text(text)))
    return Dialect.MDX if imports else Dialect.MARKDOWN


def _lines_of_text(text: str) -> Iterator[str]:
    """The lines outside of fences."""
    mark = ""
    for line in text.splitlines():
        fence = _FENCE.match(line)
        if not mark and fence:
            mark = fence[1]
        elif fence and fence[1].startswith(mark):
            mark = ""
        elif not mark:
            yield line


def add_mdx(parser: MarkdownIt) -> None:
    """Teach a parser MDX."""
    add_components(parser, flow=FLOW)
    parser.disable("code")
    parser.block.ruler.before("table", "module", _module)
    parser.block.ruler.before("html_block", "expression", _expression_on_lines)
    parser.inline.ruler.after("template", "expression", _expression)


def _module(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001 - markdown-it calls it so
    """Statements that import or export, up to the end of the last one."""
    if state.sCount[start] != 0 or not _MODULE.match(line_at(state, start)):
        return False
    if not silent:
        last = _end_of_statements(state, start, min(end, start + _MAX_LINES))
        add_command(state, state.getLines(start, last, 0, keepLastLF=False))
        state.line = last
    return True


def _end_of_statements(state: StateBlock, start: int, end: int) -> int:
    """The line after statements: an empty one, or one after an import, but not in brackets."""
    depth = 0
    for number in range(start, end):
        line = line_at(state, number)
        is_next = number == start or _MODULE.match(line)
        if depth <= 0 and (not line or (_IMPORT.match(line_at(state, number - 1)) and not is_next)):
            return number
        depth += sum((sign in _OPENING) - (sign in _CLOSING) for sign in line)
    return (
        next((n for n in range(start + 1, end) if not line_at(state, n)), end) if depth > 0 else end
    )


def _end(state: StateBlock | StateInline, at: int) -> int:
    """The end of the expression at an index; -1 if it has none, or too many had none."""
    if not state.src.startswith("{", at) or state.env.get(_IN_VAIN, 0) >= MOST_IN_VAIN:
        return -1
    end = expression_end(state.src, at)
    if end < 0:
        state.env[_IN_VAIN] = state.env.get(_IN_VAIN, 0) + 1
    return end


def _expression_on_lines(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001
    """Lines that are one expression."""
    at = state.bMarks[start] + state.tShift[start]
    after = _end(state, at)
    last = next((n for n in range(start, end) if state.eMarks[n] >= after), None)
    if after < 0 or last is None or state.src[after : state.eMarks[last]].strip():
        return False
    if string_in(state.src[at:after]) is not None:
        return False
    if not silent:
        add_command(state, state.src[at:after])
        state.line = last + 1
    return True


def _expression(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - markdown-it calls it so
    """Leave out an expression, but for a string: it is text."""
    end = _end(state, state.pos)
    if end < 0 or end > state.posMax:
        return False
    if not silent:
        source = state.src[state.pos : end]
        string = string_in(source)
        if string is None:
            add_command_in_line(state, source)
        else:
            state.push("text", "", 0).content = string
    state.pos = end
    return True
