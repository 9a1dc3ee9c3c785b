"""CommonMark to HTML, with tables, strikethrough, footnotes and task lists; no word is lost.

The parser as it comes drops what is nested too deeply, the cells of a row that has more of them
than the table's head, notes that nothing refers to, and all but one of the notes that share a name.
Knows nothing of books.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, blockquote, list_block, table
from markdown_it.rules_block.table import escapedSplit, getLine
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.footnote.index import footnote_def

BlockRule = Callable[[StateBlock, int, int, bool], bool]

# Lists and quotations inside one another: a list is two levels, a quotation one. What lies deeper
# stays text of the innermost, with its marks. Books go to five or six.
DEEPEST = 32
# Where the parser stops to read at all. It must never come to that in blocks; in a line it only
# limits how many brackets are looked into, once for each: keep it low.
NEVER_REACHED = DEEPEST + 4
_TASK = re.compile(r"\[[ xX]\]\s+")
_NOTES_RULE = '<hr class="footnotes-sep" />\n'  # drawn over the notes; no scene ends there


def to_html(text: str) -> str:
    """The whole page, as XHTML where the text's own markup is; in time linear in its length."""
    body = _parser().render(text).replace(_NOTES_RULE, "")
    return f'<html><head><meta charset="utf-8" /></head><body>\n{body}</body></html>'


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    options = {"html": True, "xhtmlOut": True, "maxNesting": NEVER_REACHED}
    parser = MarkdownIt("commonmark", options).enable(["table", "strikethrough"])
    parser.use(footnote_plugin)
    alternatives = ["paragraph", "reference"]
    for name, rule, ends in (
        ("blockquote", blockquote, [*alternatives, "blockquote", "list"]),
        ("list", list_block, [*alternatives, "blockquote"]),
        ("footnote_def", footnote_def, alternatives),
    ):
        parser.block.ruler.at(name, _bounded(rule), {"alt": ends})
    parser.block.ruler.at("table", _whole_table, {"alt": alternatives})
    parser.core.ruler.before("footnote_tail", "all_notes", _keep_notes)
    parser.core.ruler.after("inline", "tasks", _drop_check_boxes)
    return parser


def _bounded(rule: BlockRule) -> BlockRule:
    """The rule of something that holds blocks, blind to what is nested too deeply."""

    def bounded(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001 - as rules are called
        return state.level < DEEPEST and rule(state, start, end, silent)

    return bounded


def _whole_table(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001 - as rules are called
    """A table with all the cells of its rows."""
    n_before = len(state.tokens)
    if not table(state, start, end, silent):
        return False
    n_shown, row = 0, 0
    built, state.tokens[n_before:] = state.tokens[n_before:], []
    for token in built:
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
    return cells[1:] if cells[:1] == [""] else cells


def _cell(text: str, row: int) -> list[Token]:
    inline = Token("inline", "", 0, map=[row, row + 1], content=text.strip(), children=[])
    return [Token("td_open", "td", 1), inline, Token("td_close", "td", -1)]


def _keep_notes(state: StateCore) -> None:
    """Set the notes behind the text, none inside another; those that nothing calls as asides."""
    text, notes, waiting = list[Token](), list[list[Token]](), list[list[Token]]()
    for token in state.tokens:
        if token.type == "footnote_reference_open":
            waiting.append([token])
        elif token.type == "footnote_reference_close":
            notes.append([*waiting.pop(), token])
        else:
            (waiting[-1] if waiting else text).append(token)
    names = state.env.get("footnotes", {}).get("refs", {})  # ":label", and -1 if nothing calls it
    called = {name for name, number in names.items() if number >= 0}
    for note in notes:
        name = f":{note[0].meta['label']}"
        if name not in called:
            note[0] = Token("html_block", "", 0, content='<aside class="footnote">\n')
            note[-1] = Token("html_block", "", 0, content="</aside>\n")
        called.discard(name)  # the first of a name is the one that is called
    state.tokens = [*text, *(token for note in notes for token in note)]


def _drop_check_boxes(state: StateCore) -> None:
    """Take the [ ] and [x] from before the items of a task list."""
    for at, token in enumerate(state.tokens):
        in_item = [one.type for one in state.tokens[max(0, at - 2) : at]]
        if token.children and in_item == ["list_item_open", "paragraph_open"]:
            first = token.children[0]
            if token.type == "inline" and first.type == "text":
                found = _TASK.match(first.content)
                first.content = first.content[found.end() :] if found else first.content
