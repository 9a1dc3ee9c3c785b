"""Marks numbers of issues and hashes of commits in a list of changes, which are not read aloud.

    - Fixed the sail (#123, 1a2b3c4)     the brackets and what is in them
    - 1a2b3c4 Fixed the sail             a commit at the beginning
    - Fixed the sail [`1a2b3c4`](…)      a commit that is a link, or is set as code

"Fixes #123" is a sentence, and stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from markdown_it.rules_core import StateCore
from markdown_it.token import Token

# Our own term among the roles, which `markup/skips.py` knows.
_OPEN = '<span role="doc-change-reference">'
_CLOSE = "</span>"
# A commit has a digit and a letter, so that no number and no word is taken for one.
_COMMIT = r"(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}"
_MARK = rf"(?:(?:[\w.-]{{1,100}}/[\w.-]{{1,100}})?#\d{{1,7}}|GH-\d{{1,7}}|{_COMMIT})"
_IS_COMMIT = re.compile(_COMMIT)
_IS_MARK = re.compile(_MARK)
_IN_BRACKETS = re.compile(rf"\({_MARK}(?:,? {_MARK})*\)")
_AT_START = re.compile(rf"{_COMMIT}(?=:? )")
_BETWEEN = re.compile(r",? ")


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
    yield Token("html_inline", "", 0, content=_OPEN)
    yield from tokens
    yield Token("html_inline", "", 0, content=_CLOSE)


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)
