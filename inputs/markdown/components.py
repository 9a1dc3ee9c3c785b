"""Reads the tags of components in Markdown: what they hold is text, what they are told is not.

<Card title="The mill" icon={wind}>    its title is read, and the tag is listed
Text of **the card**.                  Markdown, also if it is indented
</Card>
press <Enter>                          no tag at all, but text: nothing ends it
"""

from __future__ import annotations

import re
from html import escape

from lxml.html import defs
from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock, paragraph
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline

from audiomill.inputs.markdown.admonitions import KINDS
from audiomill.inputs.markdown.jsx import Tag, tag_at
from audiomill.inputs.markdown.marks import add_command, add_command_in_line
from audiomill.inputs.markup.semantics import BLOCKS

_ENDS: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
_CLOSED = "names_of_closing_tags"  # in a parser's `env`
_IN_VAIN = "tags_without_an_end"  # how many were met
MOST_IN_VAIN = 20  # after these, none is looked for: each may take a search of many lines
_CLOSING = re.compile(r"</([A-Za-z][\w.:-]{0,100})")
_BEGINS = re.compile(r"</?[A-Za-z>]")
_REST = re.compile(r"[ \t]*(?:\n|\Z)")  # of a line
_SPACES = re.compile(r"[ \t]*")
# Elements whose lines are not Markdown, as CommonMark has it.
_RAW = frozenset(
    ("body", "html", "head", "legend", "noframes", "optgroup", "option", "pre", "search")
)
_TABLES = frozenset(
    ("caption", "col", "colgroup", "table", "tbody", "td", "tfoot", "th", "thead", "tr")
)
FLOW = (BLOCKS | {""}) - _RAW - _TABLES
_UNSEEN = frozenset(
    ("head", "helmet", "iframe", "layout", "meta", "redirect", "seo", "video", "youtube")
)
_PICTURES = re.compile(r"(?:image|img|figure|picture|screenshot)$", re.IGNORECASE)
_IN_SENTENCES = re.compile(r"(?:abbr|badge|button|icon|link|tooltip)$", re.IGNORECASE)
_KNOWN = frozenset(map(str, defs.tags)) | {"math", "path", "svg"}


def add_components(parser: MarkdownIt, *, flow: frozenset[str] = frozenset()) -> None:
    """Teach a parser the tags of components, and those of elements in `flow` like them.

    In `flow`, "" stands for a fragment: “<>” and “</>”.
    """

    def on_lines(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001 - markdown-it calls it so
        return _on_lines(state, (start, end), flow, silent=silent)

    def in_line(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - as above
        return _in_line(state, flow & {""}, silent=silent)

    parser.core.ruler.before("block", "closing_tags", _note_closing_tags)
    parser.block.ruler.before("html_block", "component", on_lines, _ENDS)
    parser.inline.ruler.before("html_inline", "component", in_line)


def _note_closing_tags(state: StateCore) -> None:
    state.env[_CLOSED] = frozenset(_CLOSING.findall(state.src))


def _tag(state: StateBlock | StateInline, at: int) -> Tag | None:
    """The tag at an index of the text, which is looked for only so often in vain."""
    if not _BEGINS.match(state.src, at) or state.env.get(_IN_VAIN, 0) >= MOST_IN_VAIN:
        return None
    tag = tag_at(state.src, at)
    if tag is None and state.src.find("{", at, at + 200) >= 0:
        state.env[_IN_VAIN] = state.env.get(_IN_VAIN, 0) + 1
    return tag


def _is_component(tag: Tag, flow: frozenset[str]) -> bool:
    return tag.has_expressions or tag.name[:1].isupper() or tag.name in flow


def _is_text(state: StateBlock | StateInline, tag: Tag) -> bool:
    """True for “<Enter>” and “Vec<T>”, which are no tags."""
    return (
        bool(tag.name)
        and not (tag.has_attributes or tag.is_closing or tag.is_empty)
        and tag.name.lower() not in _KNOWN
        and tag.name not in state.env.get(_CLOSED, ())
    )


def _on_lines(
    state: StateBlock, lines: tuple[int, int], flow: frozenset[str], *, silent: bool
) -> bool:
    """Lines that are only tags of components."""
    start, end = lines
    at = state.bMarks[start] + state.tShift[start]
    first = None if state.is_code_block(start) else _tag(state, at)
    if first is None:
        return False
    if _is_text(state, first):
        return not silent and paragraph(state, start, end, False)  # noqa: FBT003 - as above
    tags = _tags_of_line(state, at, flow)
    last = _line_of(state, tags[-1][1].end, start, end) if tags else None
    if last is None:
        return not silent and _with_text(state, lines, first, flow)
    if not silent:
        for begins, tag in tags:
            _add(state, tag, state.src[begins : tag.end])
        state.line = last + 1
    return True


def _with_text(state: StateBlock, lines: tuple[int, int], tag: Tag, flow: frozenset[str]) -> bool:
    """A line of a tag and text: Markdown, where HTML would read all lines below as its own.

    HTML also takes a sign in an expression for the end of the tag.
    """
    start, end = lines
    line = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]].strip()
    closing = f"</{tag.name}>"
    is_whole = tag.end <= state.eMarks[start] and line.endswith(closing)
    if tag.name in flow and is_whole and line.count("<" + tag.name) == 1:
        begins = state.bMarks[start] + state.tShift[start]
        _add(state, tag, state.src[begins : tag.end])
        inline = state.push("inline", "", 0)
        inline.content = line[tag.end - begins : -len(closing)].strip()
        inline.map, inline.children = [start, start + 1], []
        state.push("html_block", "", 0).content = closing + "\n"
        state.line = start + 1
        return True
    is_markdown = tag.has_expressions or tag.name in flow
    return is_markdown and paragraph(state, start, end, False)  # noqa: FBT003 - as above


def _tags_of_line(state: StateBlock, at: int, flow: frozenset[str]) -> list[tuple[int, Tag]]:
    """The tags from an index on, and where each begins; none if the line has anything else."""
    tags = list[tuple[int, Tag]]()
    while True:
        tag = _tag(state, at)
        if tag is None or not _is_component(tag, flow):
            return []
        tags.append((at, tag))
        if _REST.match(state.src, tag.end):
            return tags
        spaces = _SPACES.match(state.src, tag.end)
        at = spaces.end() if spaces else tag.end


def _line_of(state: StateBlock, index: int, start: int, end: int) -> int | None:
    """The line, before line `end`, in which the text before an index ends."""
    return next((line for line in range(start, end) if state.eMarks[line] >= index), None)


def _add(state: StateBlock, tag: Tag, source: str) -> None:
    """Add what is read of a tag, and list the rest."""
    if not _is_component_name(tag.name):
        state.push("html_block", "", 0).content = _plain_tag(tag)
    elif _PICTURES.search(tag.name):
        state.push("html_block", "", 0).content = f"<p>{_picture(tag)}</p>\n"
    title = _title(tag)
    if title:
        state.push("html_block", "", 0).content = f"<p>{escape(title)}</p>\n"
    if tag.has_expressions or (tag.has_attributes and _is_component_name(tag.name)):
        add_command(state, source)


def _picture(tag: Tag) -> str:
    return f'<img src="" alt="{escape(tag.literals.get("alt", ""))}" />'


def _is_component_name(name: str) -> bool:
    return not name or name[0].isupper() or "." in name


def _plain_tag(tag: Tag) -> str:
    """The tag of an element without what only JavaScript knows."""
    if tag.is_closing:
        return f"</{tag.name}>\n"
    attributes = "".join(
        f' {"class" if name == "classname" else name}="{escape(value)}"'
        for name, value in tag.literals.items()
    )
    return f"<{tag.name}{attributes}>" + (f"</{tag.name}>\n" if tag.is_empty else "\n")


def _title(tag: Tag) -> str:
    """What a page shows above a component: its title, or the kind of a note."""
    name = tag.name.lower()
    if tag.is_closing or not _is_component_name(tag.name) or name in _UNSEEN:
        return ""
    kind = name if name in KINDS else tag.literals.get("type", "").lower()
    label = tag.literals.get("label", "") if name.startswith("tab") else ""
    return tag.literals.get("title") or label or (kind.capitalize() if kind in KINDS else "")


def _in_line(state: StateInline, flow: frozenset[str], *, silent: bool) -> bool:
    tag = _tag(state, state.pos)
    if tag is None or tag.end > state.posMax:
        return False
    source = state.src[state.pos : tag.end]
    if _is_text(state, tag):
        if not silent:
            state.push("text", "", 0).content = source
    elif _is_component(tag, flow):
        if not silent:
            _add_in_line(state, tag, source)
    else:
        return False
    state.pos = tag.end
    return True


def _add_in_line(state: StateInline, tag: Tag, source: str) -> None:
    if not _is_component_name(tag.name):
        state.push("html_inline", "", 0).content = _plain_tag(tag).strip()
    elif _PICTURES.search(tag.name):
        state.push("html_inline", "", 0).content = _picture(tag)
    title = "" if state.pos or _IN_SENTENCES.search(tag.name) else _title(tag)
    if title:
        state.push("html_inline", "", 0).content = f"<p>{escape(title)}</p>"
    if tag.has_expressions or (tag.has_attributes and _is_component_name(tag.name)):
        add_command_in_line(state, source)
