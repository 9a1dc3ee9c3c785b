r"""Marks what is not read aloud in Markdown: issues and commits, and commands of page generators.

    - Fixed the sail (#123, 1a2b3c4)     the brackets and what is in them
    - 1a2b3c4 Fixed the sail             a commit at the beginning
    - Fixed the sail [`1a2b3c4`](…)      a commit that is a link, or is set as code

"Fixes #123" is a sentence, and stays.

    {% include figure.html src="mill.jpg" %}    a command of Jekyll, Eleventy or Jinja
    {{< youtube 6DUGFoYhUSs >}}                 a shortcode of Hugo, also {{% … %}}
    ## The mill {#mill .wide}                   an attribute list, also {: width="30%"}
    {/* a comment */}                           of MDX
    \index{mill} \newpage                       LaTeX that is no text

What stands between {% highlight bash %} and {% endhighlight %}, or such shortcodes, is code.

A value such as {{ page.title }} stands for text, and stays, as does all of this in code; as the
address of a link it is one, though it has spaces: [the mill]({{ site.url }}/mill).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

# Our own terms among the roles, which `markup/skips.py` knows: of a change, and of a command.
_OPEN_CHANGE, OPEN = '<span role="doc-change-reference">', '<span role="doc-template">'
CLOSE = "</span>"
# A commit has a digit and a letter, so that no number and no word is taken for one.
_COMMIT = r"(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}"
_MARK = rf"(?:(?:[\w.-]{{1,100}}/[\w.-]{{1,100}})?#\d{{1,7}}|GH-\d{{1,7}}|{_COMMIT})"
_IS_COMMIT = re.compile(_COMMIT)
_IS_MARK = re.compile(_MARK)
_IN_BRACKETS = re.compile(rf"\({_MARK}(?:,? {_MARK})*\)")
_AT_START = re.compile(rf"{_COMMIT}(?=:? )")
_BETWEEN = re.compile(r",? ")
_LONGEST = 2_000  # characters of one command
_VALUE = r"\"[^\"\n{}]{0,200}\"|'[^'\n{}]{0,200}'|[^\s{}\"']{1,200}"
_ATTRIBUTE = rf"(?:[.#][\w:-]{{1,100}}|[\w-]{{1,40}}=(?:{_VALUE}))"
_TEMPLATE = re.compile(
    rf"\{{%(?![}}%]).{{0,{_LONGEST}}}?%\}}"
    rf"|\{{/\*.{{0,{_LONGEST}}}?\*/\}}"
    rf"|\{{\{{(?P<mark>[<%]).{{0,{_LONGEST}}}?[>%]\}}\}}"
    rf"|\{{:?[ ]?{_ATTRIBUTE}(?:[ ]+{_ATTRIBUTE}){{0,20}}[ ]?\}}",
    re.DOTALL,
)
_LATEX = re.compile(
    r"\\(?:(?:index|label|eqref|[vh]space)\*?\{[^{}\n]{0,200}\}"
    r"|(?:newpage|pagebreak|clearpage|noindent|smallskip|medskip|bigskip)(?![A-Za-z]))"
)
_CODE_BEGINS = re.compile(
    r"\{%-?\s*highlight\b[^%\n]{0,200}%\}|\{\{[<%]\s*highlight\b[^\n]{0,200}?[>%]\}\}"
)
_CODE_ENDS = re.compile(r"\{%-?\s*endhighlight\s*-?%\}|\{\{[<%]\s*/\s*highlight\s*[>%]\}\}")
# In a parser's `env`: from which line on no code ends, by the line before which it should end.
_SEARCHED_IN_VAIN = "template_code_searched_in_vain"
# The address of a link: values, with what stands around them.
_ADDRESS = re.compile(
    r"\]\((?P<address>[^\s(){}]{0,200}(?:\{\{[^{}()\n]{1,200}\}\}[^\s(){}]{0,200}){1,3})(?=[)\s])"
)


def mark_changes(state: StateCore) -> None:
    """Put marks of changes into elements of their own (a core rule of markdown-it)."""
    for token in state.tokens:
        if token.type == "inline" and token.children:
            token.children = list(_marked(token.children))


def _marked(children: Sequence[Token]) -> Iterator[Token]:
    at = 0
    while at < len(children):
        end = _end_of_links(children, at)
        if end > at:
            yield from _bracketed_links(children[at:end])
        elif commit_end := _end_of_commit(children, at):
            end = commit_end
            yield from _wrapped(children[at:end])
        else:
            end = at + 1
            yield from _split(children[at], is_first=at == 0)
        at = end


def _end_of_links(children: Sequence[Token], at: int) -> int:
    """The end of "text (", links that are marks, ") text"; `at` if they do not begin there."""
    begins = children[at]
    if begins.type != "text" or not begins.content.endswith("("):
        return at
    end = at + 1
    while (text := _link_text(children, end)) is not None and _IS_MARK.fullmatch(text):
        end += 3
        after = children[end] if end < len(children) else None
        if after is None or after.type != "text":
            return at
        if after.content.startswith(")"):
            return end + 1
        if not _BETWEEN.fullmatch(after.content):
            return at
        end += 1
    return at


def _bracketed_links(tokens: Sequence[Token]) -> Iterator[Token]:
    yield _text(tokens[0].content[:-1])
    yield from _wrapped([_text("("), *tokens[1:-1], _text(")")])
    yield from _split(_text(tokens[-1].content[1:]), is_first=False)


def _end_of_commit(children: Sequence[Token], at: int) -> int:
    """The end of a commit that is a link or code; 0 if there is none at `at`."""
    text = _link_text(children, at)
    if text is not None and _IS_COMMIT.fullmatch(text):
        return at + 3
    token = children[at]
    is_commit = token.type == "code_inline" and _IS_COMMIT.fullmatch(token.content)
    return at + 1 if is_commit else 0


def _link_text(children: Sequence[Token], at: int) -> str | None:
    """The text of a link that has nothing else in it; None if there is no such link."""
    types = [token.type for token in children[at : at + 3]]
    if types in (["link_open", "text", "link_close"], ["link_open", "code_inline", "link_close"]):
        return children[at + 1].content
    return None


def _split(token: Token, *, is_first: bool) -> Iterator[Token]:
    """The token, with the marks in its text in elements of their own."""
    if token.type != "text":
        yield token
        return
    text, at = token.content, 0
    start = _AT_START.match(text) if is_first else None
    for found in (*filter(None, (start,)), *_IN_BRACKETS.finditer(text)):
        yield _text(text[at : found.start()])
        yield from _wrapped([_text(found[0])])
        at = found.end()
    yield _text(text[at:])


def _wrapped(tokens: Sequence[Token]) -> Iterator[Token]:
    yield Token("html_inline", "", 0, content=_OPEN_CHANGE)
    yield from tokens
    yield Token("html_inline", "", 0, content=CLOSE)


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)


def add_templates(parser: MarkdownIt) -> None:
    """Teach a parser the commands of page generators."""
    parser.inline.ruler.before("escape", "template", _template)
    ends = ["paragraph", "reference", "blockquote", "list"]
    parser.block.ruler.before("fence", "template_code", _code, {"alt": ends})
    parser.core.ruler.before("inline", "template_address", _join_addresses)


def _code(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001 - markdown-it calls it so
    """Put the lines between two commands into a block of code."""
    begins = line_at(state, start)
    if state.is_code_block(start) or not _CODE_BEGINS.fullmatch(begins):
        return False
    last = _end_of_code(state, start, end)
    if last is None:
        return False
    if not silent:
        add_command(state, begins)
        code = state.push("fence", "code", 0)
        code.content = state.getLines(start + 1, last, state.sCount[start], keepLastLF=True)
        add_command(state, line_at(state, last))
        state.line = last + 1
    return True


def _end_of_code(state: StateBlock, start: int, end: int) -> int | None:
    """The line that ends the code, before line `end`; None if there is none.

    Lines that were searched in vain are not searched again: many commands may begin code.
    """
    in_vain: dict[int, int] = state.env.setdefault(_SEARCHED_IN_VAIN, {})
    if start >= in_vain.get(end, end):
        return None
    lines = range(start + 1, end)
    last = next((one for one in lines if _CODE_ENDS.fullmatch(line_at(state, one))), None)
    if last is None:
        in_vain[end] = start
    return last


def line_at(state: StateBlock, number: int) -> str:
    """A line of a block, without what is around the block, and without space at its ends."""
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]].strip()


def add_command(state: StateBlock, text: str) -> None:
    """Add lines that are not read aloud, but listed."""
    state.push("html_block", "", 0).content = f"<p>{OPEN}{escape(text)}{CLOSE}</p>\n"


def add_command_in_line(state: StateInline, text: str) -> None:
    """Add a part of a line that is not read aloud, but listed."""
    state.push("html_inline", "", 0).content = OPEN
    state.push("text", "", 0).content = text
    state.push("html_inline", "", 0).content = CLOSE


def _join_addresses(state: StateCore) -> None:
    """Take the spaces out of addresses: an address ends at a space."""
    for token in state.tokens:
        if token.type == "inline" and "{{" in token.content:
            token.content = _ADDRESS.sub(
                lambda match: "](" + re.sub(r"\s", "", match["address"]), token.content
            )


def _template(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - markdown-it calls it so
    """Put a command into an element of its own."""
    pattern = {"{": _TEMPLATE, "\\": _LATEX}.get(state.src[state.pos])
    match = pattern.match(state.src, state.pos, state.posMax) if pattern else None
    if match is None:
        return False
    if not silent:
        add_command_in_line(state, match[0])
    state.pos = match.end()
    return True
