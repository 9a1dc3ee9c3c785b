"""Converts Markdown to HTML: CommonMark with tables, strikethrough, footnotes and task lists.

Also admonitions (`admonitions.py`), formulas (`formulas.py`), marks of changes (`marks.py`),
commands of page generators (`marks.py`), tags of components (`components.py`), and MDX.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, blockquote, list_block, table
from markdown_it.rules_block.table import escapedSplit, getLine
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.footnote.index import footnote_def

from audiomill.inputs.lexicons.entries import NOTATION, is_pronunciation
from audiomill.inputs.markdown.admonitions import add_admonitions
from audiomill.inputs.markdown.components import add_components
from audiomill.inputs.markdown.formulas import add_formulas
from audiomill.inputs.markdown.marks import add_templates, mark_changes
from audiomill.inputs.markdown.mdx import Dialect, add_mdx
from audiomill.inputs.markdown.roles import add_roles
from audiomill.inputs.markup.marked_words import SSML

# The deepest nesting of lists and quotations: a list is two levels, a quotation one. Deeper ones
# stay text of the innermost, with their marks. Books go to five or six.
MAX_NESTING = 32
# The nesting at which the parser stops to read. Blocks must never reach it. In a line it only
# limits how many brackets are tried, each once: keep it low.
PARSER_NESTING = MAX_NESTING + 4
_TASK = re.compile(r"\[[ xX]\]\s+")
_NOTES_RULE = '<hr class="footnotes-sep" />\n'  # a line above the notes, not a scene break
BlockRule = Callable[[StateBlock, int, int, bool], bool]


def to_html(text: str, dialect: Dialect = Dialect.MARKDOWN) -> str:
    """Return `text` as an HTML page, in time linear in its length.

    The page is XHTML if the HTML inside the text is.
    """
    body = _parser(dialect).render(text).replace(_NOTES_RULE, "")
    head = '<head><meta charset="utf-8" /></head>'
    return f'<html xmlns:ssml="{SSML}">{head}<body>\n{body}</body></html>'


@lru_cache(maxsize=len(Dialect))
def _parser(dialect: Dialect) -> MarkdownIt:
    options = {"html": True, "xhtmlOut": True, "maxNesting": PARSER_NESTING}
    parser = MarkdownIt("commonmark", options).enable(["table", "strikethrough"])
    parser.use(footnote_plugin)
    add_admonitions(parser)
    add_templates(parser)
    add_formulas(parser)
    add_roles(parser)
    if dialect is Dialect.MDX:
        add_mdx(parser)
    else:
        add_components(parser)
    alternatives = ["paragraph", "reference"]
    for name, rule, ends in (
        ("blockquote", blockquote, [*alternatives, "blockquote", "list"]),
        ("list", list_block, [*alternatives, "blockquote"]),
        ("footnote_def", footnote_def, alternatives),
    ):
        parser.block.ruler.at(name, _limited(rule), {"alt": ends})
    for rule in parser.block.ruler.__rules__:
        if rule.name in {"admonition", "container_directive", "container_fenced_directive", "tab"}:
            rule.fn = _limited(rule.fn)
    parser.block.ruler.at("table", _complete_table, {"alt": alternatives})
    parser.inline.ruler.before("link", "pronunciation", _pronunciation)
    parser.core.ruler.before("footnote_tail", "all_notes", _move_notes)
    parser.core.ruler.after("inline", "tasks", _drop_check_boxes)
    parser.core.ruler.after("tasks", "changes", mark_changes)
    return parser


def _pronunciation(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - markdown-it calls it so
    """Parse [word](/phonemes/), which would be a link to a page of that name."""
    match = NOTATION.match(state.src, state.pos, state.posMax)
    if match is None or not is_pronunciation(match[2]):
        return False
    if not silent:
        state.push("pronunciation_open", "span", 1).attrSet("ssml:ph", match[2])
        state.push("text", "", 0).content = match[1]
        state.push("pronunciation_close", "span", -1)
    state.pos = match.end()
    return True


def _limited(rule: BlockRule) -> BlockRule:
    """The rule of a container of blocks, which applies only up to `MAX_NESTING` levels."""

    def limited(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001 - markdown-it calls it so
        return state.level < MAX_NESTING and rule(state, start, end, silent)

    return limited


def _complete_table(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001 - markdown-it calls it so
    """Parse a table, with the cells that the original rule drops from long rows."""
    n_before = len(state.tokens)
    if not table(state, start, end, silent):
        return False
    n_shown, row = 0, 0
    table_tokens, state.tokens[n_before:] = state.tokens[n_before:], []
    for token in table_tokens:
        if token.type == "tr_open":
            n_shown, row = 0, token.map[0] if token.map else 0
        elif token.type == "inline":
            n_shown += 1
        elif token.type == "tr_close":
            for cell in _cells(getLine(state, row))[n_shown:]:
                state.tokens += _cell(cell, row)
        state.tokens.append(token)
    return True


def _cells(line: str) -> list[str]:
    cells = escapedSplit(line.strip())
    begin = cells[:1] == [""]
    end = cells[begin:][-1:] == [""]  # after the last bar, there is no cell
    return cells[begin : len(cells) - end]


def _cell(text: str, row: int) -> list[Token]:
    inline = Token("inline", "", 0, map=[row, row + 1], content=text.strip(), children=[])
    return [Token("td_open", "td", 1), inline, Token("td_close", "td", -1)]


def _move_notes(state: StateCore) -> None:
    """Move all notes behind the text, none inside another; notes without a reference are asides."""
    text, notes, open_notes = list[Token](), list[list[Token]](), list[list[Token]]()
    for token in state.tokens:
        if token.type == "footnote_reference_open":
            open_notes.append([token])
        elif token.type == "footnote_reference_close":
            notes.append([*open_notes.pop(), token])
        else:
            (open_notes[-1] if open_notes else text).append(token)
    names = state.env.get("footnotes", {}).get("refs", {})  # ":label" ─▶ -1 without a reference
    referenced = {name for name, number in names.items() if number >= 0}
    for note in notes:
        name = f":{note[0].meta['label']}"
        if name not in referenced:
            note[0] = Token("html_block", "", 0, content='<aside class="footnote">\n')
            note[-1] = Token("html_block", "", 0, content="</aside>\n")
        referenced.discard(name)  # a reference leads to the first note of a name
    state.tokens = [*text, *(token for note in notes for token in note)]


def _drop_check_boxes(state: StateCore) -> None:
    """Remove the [ ] and [x] before the items of a task list."""
    for at, token in enumerate(state.tokens):
        in_item = [previous.type for previous in state.tokens[max(0, at - 2) : at]]
        if token.children and in_item == ["list_item_open", "paragraph_open"]:
            first = token.children[0]
            if token.type == "inline" and first.type == "text":
                match = _TASK.match(first.content)
                first.content = first.content[match.end() :] if match else first.content
