"""Reads admonitions and directives in Markdown: their kind or title, then their text.

> [!NOTE]           an alert, as on GitHub, also with its text or title behind it
!!! note "Title"    an admonition, also with ???
:::note Title       a directive, up to the next :::, also ```{note}
=== "Title"         a tab, with indented lines
::note{title="x"}   a component of Nuxt, up to the next ::
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from mdit_py_plugins.admon.index import admonition
from mdit_py_plugins.container import container_plugin

from audiomill.inputs.markdown.marks import add_command

_KIND_NAMES = """
abstract attention bug caution danger error example failure hint important info note question quote
seealso success tip todo warning
"""
KINDS = frozenset(_KIND_NAMES.split())
_DIRECTIVE = "directive"
_FENCED = "fenced_directive"
_FENCED_NAMES = """
admonition card deprecated details dropdown epigraph exercise exercise-end exercise-start glossary
grid grid-item grid-item-card margin pull-quote sidebar solution solution-end solution-start
tab-item tab-set topic versionadded versionchanged
"""
_TEXTS = KINDS | frozenset(_FENCED_NAMES.split())  # of directives that hold text, not code
_OPENING = (f"container_{_DIRECTIVE}_open", f"container_{_FENCED}_open")
_FENCED_HEAD = re.compile(r"\s*\{(?:prf:[a-z]+|proof:[a-z]+|(?P<name>[a-z][\w-]*))\}")
_TAB = re.compile(r'===[!+]? +"(?P<title>[^"\n]+)" *$')
_TAB_INDENT = 4  # columns
_ADMONITION = re.compile(r'(?:!!!|\?\?\?\+?) +[a-z][\w-]*(?: +[a-z][\w-]*)*(?: +"[^"]*")? *$')
_HEAD = re.compile(r"\s*\{?([A-Za-z][\w-]*)\}?\s*(.*)$")
_LABEL = re.compile(r"[\w.]+[-_:\d][\w.:-]*")  # “ex-1”, to which a solution belongs
_ALERT = re.compile(r"\[!([A-Za-z]+)\][+-]?[ \t]+(?=\S)")
_COMPONENT_MARK = re.compile(
    r"::(?!:)(?:(?P<name>[a-z][\w-]{0,60})(?P<attributes>\{[^{}\n]{0,500}\})?)?[ \t]*$"
)
_TITLE_ATTRIBUTE = re.compile(r"\b(?:title|label)=\"([^\"]+)\"")
_ATTRIBUTES = re.compile(r"\{[^{}]*\}")


def add_admonitions(parser: MarkdownIt) -> None:
    """Make `parser` read alerts, admonitions and directives."""
    parser.options["alerts"] = True
    alternatives = ["paragraph", "reference", "blockquote", "list"]
    parser.block.ruler.before("fence", "admonition", _admonition, {"alt": alternatives})
    parser.block.ruler.before("fence", "tab", _tab, {"alt": alternatives})
    parser.block.ruler.before("fence", "component_marks", _component_marks, {"alt": alternatives})
    container_plugin(parser, _DIRECTIVE, validate=_has_kind)
    container_plugin(parser, _FENCED, marker="`", validate=_holds_text)
    parser.core.ruler.before("inline", "directive_titles", _add_titles)


def _admonition(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001 - markdown-it calls it so
    """The plugin's rule, only for lines that are nothing else: "!!! Help" is a cry."""
    line = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]]
    return bool(_ADMONITION.match(line)) and admonition(state, start, end, silent)


def _has_kind(params: str, _markup: str) -> bool:
    return _HEAD.match(params) is not None


def _holds_text(params: str, _markup: str) -> bool:
    head = _FENCED_HEAD.match(params)
    return head is not None and (head["name"] is None or head["name"] in _TEXTS)


def _tab(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001 - markdown-it calls it so
    """The title of a tab, and the indented lines below it."""
    line = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]]
    tab = None if state.is_code_block(start) else _TAB.match(line)
    if tab is None or silent:
        return tab is not None
    indent = state.sCount[start] + _TAB_INDENT
    last = start + 1
    while last < end and (state.isEmpty(last) or state.sCount[last] >= indent):
        last += 1
    state.push("paragraph_open", "p", 1)
    title = state.push("inline", "", 0)
    title.content, title.map, title.children = tab["title"], [start, start + 1], []
    state.push("paragraph_close", "p", -1)
    before = state.parentType, state.lineMax, state.blkIndent
    state.parentType, state.lineMax, state.blkIndent = "admonition", last, indent
    state.level += 1
    state.md.block.tokenize(state, start + 1, last)
    state.level -= 1
    state.parentType, state.lineMax, state.blkIndent = before
    state.line = last
    return True


def _component_marks(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: ARG001, FBT001
    """The line that begins or ends a component of Nuxt; the lines between are Markdown."""
    line = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]]
    mark = None if state.is_code_block(start) else _COMPONENT_MARK.match(line)
    if mark is None or silent:
        return mark is not None
    given = _TITLE_ATTRIBUTE.search(mark["attributes"] or "")
    title = given[1] if given else _title(mark["name"] or "")
    if title:
        state.push("paragraph_open", "p", 1)
        inline = state.push("inline", "", 0)
        inline.content, inline.map, inline.children = title, [start, start + 1], []
        state.push("paragraph_close", "p", -1)
    if mark["attributes"]:
        add_command(state, line.strip())
    state.line = start + 1
    return True


def _add_titles(state: StateCore) -> None:
    """Give each directive its title as a paragraph: what follows the kind, or else the kind.

    A kind that is only a part of a layout is not said.
    """
    tokens: list[Token] = []
    for token in state.tokens:
        alert = _ALERT.match(token.content) if _begins_quotation(tokens, token) else None
        if alert and alert[1].lower() in KINDS:
            title, token.content = _split_alert(alert, token.content)
            paragraph = tokens.pop()
            tokens += [*_paragraph(title, token), paragraph]
        tokens.append(token)
        title = _title(token.info) if token.type in _OPENING else ""
        if title:
            tokens += _paragraph(title, token)
    state.tokens = tokens


def _split_alert(alert: re.Match[str], text: str) -> tuple[str, str]:
    """(the title of an alert, its text): in lower case, the first of several lines is its title."""
    first, _, others = text[alert.end() :].partition("\n")
    if others and alert[1].islower():
        return first, others
    return alert[1].capitalize(), text[alert.end() :]


def _begins_quotation(before: list[Token], token: Token) -> bool:
    opening = [one.type for one in before[-2:]]
    return token.type == "inline" and opening == ["blockquote_open", "paragraph_open"]


def _paragraph(text: str, token: Token) -> list[Token]:
    inline = Token("inline", "", 0, content=text, map=token.map, children=[])
    return [Token("paragraph_open", "p", 1), inline, Token("paragraph_close", "p", -1)]


def _title(params: str) -> str:
    head = _HEAD.match(params)
    if head is None:
        return ""
    kind, given = head[1], _ATTRIBUTES.sub("", head[2]).strip().strip("[]").strip('"')
    given = "" if _LABEL.fullmatch(given) else given
    return given or (kind.capitalize() if kind.lower() in KINDS else "")
