"""Reads roles, icons and options in Markdown, as Sphinx, MyST and MkDocs have them.

{ref}`the mill <mill-label>`, :doc:`a/mill`    the text, or the name of the page
{cite}`knuth1997`, {eq}`eq-mill`, :numref:`m`  not read: the page shows a number for them
I :heart: it :tada:                            words in a sentence or a cell; else not read
:class: dropdown                               a line with an option of a directive
(mill-label)=                                  a line with a label
[the mill][docs.mill]                          the text of a link to a page that is not here
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from audiomill.inputs.markdown.marks import CLOSE, OPEN, add_command_in_line

_NAME = r"[a-zA-Z][\w:.+-]{0,40}"
_ROLE = re.compile(rf"(?:\{{({_NAME})\}}|(?<![\w:]):({_NAME}):)$")
_TARGET = re.compile(r"([^<>]*[^<>\s])\s*<[^<>]+>$")
_LAST_PART = re.compile(r"[^/]*$")
# Of these, a page shows a number, the title of another place, or nothing.
_UNSEEN = re.compile(
    r"(?:foot)?cite(?:p|:p\w*)?|eq|eqref|num(?:ref)?|ref|label|eqlabel|index|width|height|(?:begin|end)_tab"
)
# Before a citation that belongs to the sentence: “as in {cite}`knuth1997`, we go”.
_NEEDS_SOURCE = re.compile(
    r"\b(?:[Ii]n|[Bb]y|[Oo]f|[Ff]rom|[Ss]ee|[Ff]ollowing|[Ww]ith|[Uu]nlike|[Ll]ike|[Tt]o)\s\Z"
)
_WITH_TARGET = frozenset(("any", "doc", "download", "ref", "term"))
_PICTURE = re.compile(r"(?<![\w:`]):(?:[a-z][a-z0-9_+-]{1,60}|[+-]1|x):(?![\w:`])")
_WORD_BEFORE = re.compile(r"[^\W_]['’,]? ?\(?$")
_NEAR = 4  # characters before a picture that are looked at
_WORD_AFTER = re.compile(r" [^\W_]|['’,;:)]")
_OPTION = re.compile(r":(?P<key>[a-zA-Z][\w-]{0,40}):(?:\s+(?P<value>\S.*))?$")
_KEYS = frozenset(
    (
        "align",
        "alt",
        "class",
        "file",
        "figclass",
        "height",
        "label",
        "name",
        "scale",
        "tags",
        "width",
    )
)
_LABEL = re.compile(r"(?:\([\w:.-]{1,100}\)=[ \t]*(?:\n|\Z))+")
# A reference to a page by a name with a point, where the page has no such link.
_REFERENCE = re.compile(
    r"\[(?![ xX]\])(?P<text>(?:`[^`\n]{1,200}`|[^\[\]`\n]){1,200})\]\s?"
    r"\[(?P<name>[A-Za-z][\w-]*(?:\.[\w-]+)+)\]"
)
_TITLES = frozenset(("header", "title"))


def add_roles(parser: MarkdownIt) -> None:
    """Teach a parser roles, icons and options."""
    parser.core.ruler.before("directive_titles", "options", _read_options)
    parser.core.ruler.after("inline", "roles", _read_roles)
    parser.inline.ruler.after("link", "reference", _reference)


def _read_options(state: StateCore) -> None:
    """Leave out lines of options: those at the beginning of a directive, or a whole paragraph."""
    for at, token in enumerate(state.tokens):
        if token.type == "inline" and (label := _LABEL.match(token.content)):
            token.content = token.content[label.end() :]
            token.meta = {**token.meta, "options": label[0].strip()}
        if token.type != "inline" or not token.content.startswith(":"):
            continue
        lines = token.content.split("\n")
        options = list(_options(lines))
        in_directive = at >= 2 and state.tokens[at - 2].type.startswith("container_")
        are_known = len(options) == len(lines) and all(one["key"] in _KEYS for one in options)
        if options and (are_known or in_directive):
            titles = [one["value"] for one in options if one["key"] in _TITLES and one["value"]]
            listed = [one[0] for one in options if one["key"] not in _TITLES]
            token.content = "\n".join([*titles, *lines[len(options) :]])
            token.meta = {**token.meta, "options": "\n".join(listed)}


def _reference(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - markdown-it calls it so
    """A link to a page that is not here: only its text is read."""
    match = _REFERENCE.match(state.src, state.pos, state.posMax) if _opens(state) else None
    if match is None:
        return False
    if not silent:
        before = state.posMax
        state.pos, state.posMax = match.span("text")
        state.md.inline.tokenize(state)
        state.posMax = before
        add_command_in_line(state, f"[{match['name']}]")
    state.pos = match.end()
    return True


def _opens(state: StateInline) -> bool:
    """Whether a bracket begins here, and no index of a list: “a[i][b.c]”."""
    before = state.src[state.pos - 1 : state.pos] if state.pos else ""
    return state.src[state.pos] == "[" and not (before.isalnum() or before in {"_", ")", "]"})


def _options(lines: Sequence[str]) -> Iterator[re.Match[str]]:
    for line in lines:
        option = _OPTION.match(line.strip())
        if option is None:
            return
        yield option


def _read_roles(state: StateCore) -> None:
    for token in state.tokens:
        if token.type == "inline" and token.children is not None:
            options = token.meta.get("options", "")
            token.children = [*_left_out(options), *_without_roles(token.children)]


def _without_roles(children: Sequence[Token]) -> Iterator[Token]:
    for at, token in enumerate(children):
        after = children[at + 1] if at + 1 < len(children) else None
        before = children[at - 1] if at else None
        if token.type == "text":
            role = _ROLE.search(token.content) if _is_code(after) else None
            is_whole = len(children) == 1 and not _PICTURE.sub("", token.content).strip()
            bare = token.content[: role.start()] if role else token.content
            yield from [_text(_name_of(bare))] if is_whole else _without_pictures(bare)
        elif _is_code(token) and before is not None and before.type == "text":
            role = _ROLE.search(before.content)
            yield from (token,) if role is None else _read_role(role, token)
        else:
            yield token


def _is_code(token: Token | None) -> bool:
    return token is not None and token.type == "code_inline"


def _read_role(role: re.Match[str], code: Token) -> Iterator[Token]:
    """What is read of a role, and what is only listed."""
    full_name = (role[1] or role[2]).lower()
    name = full_name.rpartition(":")[2]
    source = f"{role[0]}{code.content}"
    target = _TARGET.match(code.content) if name in _WITH_TARGET else None
    if target is not None:
        yield _text(target[1])
        yield from _left_out(source)
    elif name == "cite" and _NEEDS_SOURCE.search(role.string[: role.start()]):
        yield code
        yield from _left_out(role[0])
    elif _UNSEEN.fullmatch(name) or _UNSEEN.fullmatch(full_name):
        yield from _left_out(source)
    elif name == "doc":
        page = _LAST_PART.search(code.content)
        yield _text(re.sub(r"[_-]+", " ", page[0] if page else ""))
        yield from _left_out(source)
    elif name == "term":
        yield _text(code.content)
        yield from _left_out(role[0])
    else:
        yield code
        yield from _left_out(role[0])


def _without_pictures(text: str) -> Iterator[Token]:
    at = 0
    for picture in _PICTURE.finditer(text):
        yield _text(text[at : picture.start()])
        at = picture.end()
        if _WORD_BEFORE.search(
            text[max(0, picture.start() - _NEAR) : picture.start()]
        ) and _WORD_AFTER.match(text, at):
            yield _text(_name_of(picture[0]))
        else:
            yield from _left_out(picture[0])
    yield _text(text[at:])


def _name_of(picture: str) -> str:
    return re.sub(r"[:_]+", " ", picture).strip()


def _left_out(source: str) -> Iterator[Token]:
    if source:
        yield Token("html_inline", "", 0, content=f"{OPEN}{escape(source)}{CLOSE}")


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)
