r"""With which characters a match of a pattern may begin, told by the pattern alone. Pure.

    (?<![\w.])(?P<number>\d{1,3})\s?km      \d
    (?:St\.?|[SM]t)\b                       S, [SM]

A language has hundreds of rules, of which each begins with few characters: so only some of them are
tried at a place. Zero-width parts are taken to hold, so the answer is never too narrow.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Protocol

_TOKEN = re.compile(
    r"""
      (?P<ahead>\(\?<?[=!])
    | (?P<group>\((?:\?:|\?P<\w+>)?(?!\?))
    | (?P<again>\(\?P=\w+\))
    | (?P<close>\))
    | (?P<either>\|)
    | (?P<repeat>[?*+]|\{\d*,?\d*\})[?+]?
    | (?P<one>\[\^?\]?(?:\\.|[^\]\\])*\]|\\[dDwWsS]|\\x[\dA-Fa-f]{2}|\\u[\dA-Fa-f]{4})
    | (?P<place>\\[AbBZ]|[\^$])
    | (?P<literal>\\[^\w\s]|\\[ntrfv\ ]|[^\\\[\](){}|?*+.^$\s\#])
    | (?P<blank>\s|\#[^\n]*)
    """,
    re.VERBOSE | re.DOTALL,
)
_MAY_BE_NONE = ("?", "*", "{0", "{,")


class _Unknown(Exception):
    """The pattern has something that is not read here."""


class Written(Protocol):
    """A pattern as it is written, with its flags: one of `re`, or one that is not compiled yet."""

    @property
    def pattern(self) -> str:
        """The text of it."""
        ...

    @property
    def flags(self) -> int:
        """Those of `re`."""
        ...


@dataclass(slots=True)
class _Branch:
    """What a branch may begin with, and whether all of it so far may be empty."""

    starts: list[str] = field(default_factory=list[str])
    may_be_empty: bool = True


@dataclass(slots=True)
class _Parentheses:
    """A group whose end is not read yet: its branches, and what stands before it in its own."""

    is_zero_width: bool
    opening: str = ""  # as it is written
    branches: list[_Branch] = field(default_factory=lambda: [_Branch()])

    def item(self) -> _Branch:
        """The group as a part of the branch around it."""
        if self.is_zero_width:
            return _Branch()
        starts = [one for branch in self.branches for one in branch.starts]
        return _Branch(starts, any(branch.may_be_empty for branch in self.branches))


def first_characters(pattern: Written) -> re.Pattern[str] | None:
    """A pattern for one character, with which each match begins; None if it may be any, or none."""
    try:
        whole = _whole(pattern)
    except _Unknown:
        return None
    if whole.may_be_empty:
        return None
    flags = pattern.flags & (re.ASCII | re.IGNORECASE)
    return re.compile("|".join(dict.fromkeys(whole.starts)), flags)


def _whole(pattern: Written) -> _Branch:
    open_ones = [_Parentheses(is_zero_width=False)]
    named = dict[str, _Branch]()
    item: _Branch | None = None  # the last part, which may yet be repeated
    for kind, text in _tokens(pattern):
        if kind == "repeat":
            if item is None:
                raise _Unknown
            item.may_be_empty |= text.startswith(_MAY_BE_NONE)
            continue
        _end_item(open_ones[-1], item)
        item = None
        if kind in {"ahead", "group"}:
            open_ones.append(_Parentheses(is_zero_width=kind == "ahead", opening=text))
        elif kind == "either":
            open_ones[-1].branches.append(_Branch())
        elif kind == "close":
            closed = open_ones.pop()
            item = closed.item()
            named[closed.opening[4:-1]] = item  # “(?P<NAME>”
        elif kind == "again":
            item = replace(named[text[4:-1]])
        elif kind != "place":
            item = _Branch([text], may_be_empty=False)
    _end_item(open_ones[-1], item)
    return open_ones[0].item()


def _end_item(group: _Parentheses, item: _Branch | None) -> None:
    """Add a part to the branch that is read."""
    branch = group.branches[-1]
    if item is not None and branch.may_be_empty:
        branch.starts += item.starts
        branch.may_be_empty = item.may_be_empty


def _tokens(pattern: Written) -> Iterator[tuple[str, str]]:
    """The parts of a pattern, each with its kind. Raises _Unknown."""
    has_blanks = bool(pattern.flags & re.VERBOSE)
    at = 0
    for token in _TOKEN.finditer(pattern.pattern):
        if token.start() != at or token.lastgroup is None:
            raise _Unknown
        at = token.end()
        if token.lastgroup != "blank":
            yield token.lastgroup, token[0]
        elif not has_blanks:
            if token[0].startswith("#"):
                raise _Unknown  # the token is a whole comment, which it is not here
            yield "literal", token[0]
    if at < len(pattern.pattern):
        raise _Unknown
