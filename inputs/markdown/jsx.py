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
_TAG_END = re.compile(r"(?P<slash>/?)>")
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


@dataclass(frozen=True, slots=True)
class _Attribute:
    """An attribute of a tag, or an expression in the place of one, which has no name."""

    name: str  # in lower case
    value: str | None  # None where it is no literal
    end: int  # the index after it
    is_expression: bool


def tag_at(text: str, at: int) -> Tag | None:
    """The tag that begins at index `at` of `text`, which is a “<”; None if none does."""
    begins = _NAME.match(text, at)
    if begins is None:
        return None
    limit = min(len(text), at + LONGEST)
    attributes: list[_Attribute] = []
    pos = _after_space(text, begins.end(), limit)
    while not (ends := _TAG_END.match(text, pos)):
        attribute = _attribute_at(text, pos, limit)
        if attribute is None or attribute.end >= limit:
            return None
        attributes.append(attribute)
        pos = _after_space(text, attribute.end, limit)
    return Tag(
        name=begins["name"] or "",
        end=ends.end(),
        is_closing=text.startswith("</", at),
        is_empty=bool(ends["slash"]),
        has_attributes=bool(attributes),
        has_expressions=any(one.is_expression for one in attributes),
        literals={one.name: one.value for one in attributes if one.value is not None},
    )


def _after_space(text: str, at: int, limit: int) -> int:
    space = _SPACE.match(text, at, limit)
    return space.end() if space else at


def _attribute_at(text: str, at: int, limit: int) -> _Attribute | None:
    """The attribute or the expression that begins at index `at`; None if none does."""
    if text.startswith("{", at):
        return _with_expression("", None, expression_end(text, at))
    found = _ATTRIBUTE.match(text, at, limit)
    if found is None:
        return None
    name = found["name"].lower()
    if found["brace"] is not None:
        value = _text_of(_STRING.match(text, found.end()))
        return _with_expression(name, value, expression_end(text, found.end()))
    written = (found["double"], found["single"], found["bare"], "")
    value = next(one for one in written if one is not None)
    return _Attribute(name, value, found.end(), is_expression=False)


def _with_expression(name: str, value: str | None, end: int) -> _Attribute | None:
    return None if end < 0 else _Attribute(name, value, end, is_expression=True)


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
    return _text_of(_STRING.fullmatch(expression))


def _text_of(string: re.Match[str] | None) -> str | None:
    return None if string is None else next(filter(None, string.groups()), "")
