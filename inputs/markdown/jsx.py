"""Scans JSX: tags with their attributes, and expressions in braces. Pure.

    <Card title="The mill" wide onClick={() => go({ to: 1 })}>     </Card>     <>     {x + 1}

JavaScript is not parsed: strings, comments and brackets are told apart, which is what finds ends.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

LONGEST = 8_000  # characters of one tag or expression
_NAME = re.compile(r"</?(?P<name>[A-Za-z][\w.:-]{0,100})?")
_SPACE = re.compile(r"\s*")
_ATTRIBUTE = re.compile(
    r"(?P<name>[A-Za-z_@:][\w.:@-]{0,100})"
    r"(?:\s*=\s*(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<bare>[^\s\"'=<>`{]+)|(?P<brace>(?=\{))))?"
)
# What is between the brackets of an expression and may hold others.
_STEP = re.compile(
    r"[^{}\"'`/]+|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|/\*.*?\*/|//[^\n]*|[{}\"'`/]",
    re.DOTALL,
)
_STRING = re.compile(r"\{\s*(?:\"([^\"\\\n]*)\"|'([^'\\\n]*)'|`([^`\\$]*)`)\s*\}")


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag: its name, "" for a fragment, and its attributes whose values are literal."""

    name: str
    end: int  # the index after it
    is_closing: bool
    is_empty: bool  # it closes itself
    has_attributes: bool
    has_expressions: bool
    literals: dict[str, str]


def tag_at(text: str, at: int) -> Tag | None:
    """The tag that begins at index `at` of `text`, which is a “<”; None if none does."""
    begins = _NAME.match(text, at)
    if begins is None:
        return None
    limit = min(len(text), at + LONGEST)
    pos, n_attributes, n_expressions = begins.end(), 0, 0
    literals = dict[str, str]()
    while True:
        after_space = _SPACE.match(text, pos, limit)
        pos = after_space.end() if after_space else pos
        end = pos + 2 if text.startswith("/>", pos) else pos + 1 if text.startswith(">", pos) else 0
        if end:
            return Tag(
                name=begins["name"] or "",
                end=end,
                is_closing=text.startswith("</", at),
                is_empty=text.startswith("/", pos),
                has_attributes=n_attributes > 0,
                has_expressions=n_expressions > 0,
                literals=literals,
            )
        if text.startswith("{", pos):
            pos = expression_end(text, pos)
            n_expressions += 1
        else:
            attribute = _ATTRIBUTE.match(text, pos, limit)
            if attribute is None:
                return None
            pos = attribute.end()
            if attribute["brace"] is not None:
                string = _STRING.match(text, pos)
                pos = expression_end(text, pos)
                n_expressions += 1
                value = next(filter(None, string.groups()), "") if string else None
            else:
                given = (attribute["double"], attribute["single"], attribute["bare"])
                value = next((one for one in given if one is not None), "")
            if value is not None:
                literals[attribute["name"].lower()] = value
        n_attributes += 1
        if pos < 0 or pos >= limit:
            return None


def expression_end(text: str, at: int) -> int:
    """The index after the expression whose “{” is at index `at`; -1 if it has no end."""
    depth, limit = 0, min(len(text), at + LONGEST)
    while at < limit:
        step = _STEP.match(text, at, limit)
        if step is None:
            return -1
        depth += (step[0] == "{") - (step[0] == "}")
        at = step.end()
        if not depth:
            return at
    return -1


def string_in(expression: str) -> str | None:
    """The text of an expression that is only a string, such as {" "}; None for another one."""
    string = _STRING.fullmatch(expression)
    return None if string is None else next(filter(None, string.groups()), "")
