"""Reads the rules of a style sheet that set `display` or `visibility`. Pure.

    text ─▶ comments and strings out of the way ─▶ rules, those of @media inside ─▶ StyleRule …

Follows CSS Syntax 3 as far as these two properties need it: other at-rules are passed over, and so
is what is broken, up to the next brace.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

MAX_DEPTH = 8  # of @media inside @media
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
# A string may hold braces; it never holds a line break.
_PART = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|[{};]", re.DOTALL)
_HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)", re.IGNORECASE)
_IMPORT = re.compile(
    r"@import\s+(?:url\(\s*)?[\"']?([^\"'()\s;]+)[\"']?\s*\)?\s*([^;{}]*);", re.IGNORECASE
)
_DECLARATION = re.compile(
    r"(?:^|[;{])\s*(display|visibility)\s*:\s*([a-z-]+)\s*(!\s*important)?\s*(?=;|$)", re.IGNORECASE
)
# True for every screen: a query about its size may be true or not, so nothing is hidden by it.
_SCREEN = re.compile(r"(?:only\s+)?(?:all|screen)|not\s+(?:print|speech|tty|tv)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Declaration:
    """A value of `display` or `visibility`."""

    name: str
    value: str
    is_important: bool


@dataclass(frozen=True, slots=True)
class StyleRule:
    """The selectors of a rule, as text, and what it declares."""

    selectors: str
    declarations: tuple[Declaration, ...]


@dataclass(frozen=True)
class StyleSheet:
    """One sheet: its text, and the addresses of the sheets that it imports, in order."""

    text: str  # without comments
    imports: tuple[str, ...]

    @cached_property
    def may_hide(self) -> bool:
        """False if no rule of it hides anything, as in most sheets; found without parsing it."""
        return _HIDING.search(self.text) is not None

    @cached_property
    def rules(self) -> tuple[StyleRule, ...]:
        """The rules that set one of the two properties, in order."""
        return tuple(_rules(self.text))


def hides(declaration: Declaration) -> bool:
    """True for `display: none`, and `visibility: hidden` or `collapse`."""
    values = {"none"} if declaration.name == "display" else {"hidden", "collapse"}
    return declaration.value in values


def parse_sheet(text: str) -> StyleSheet:
    """Return a sheet as it applies on a screen. Nothing is an error."""
    text = _COMMENT.sub(" ", text).replace("<!--", " ").replace("-->", " ")
    found = _IMPORT.finditer(text)
    return StyleSheet(text, tuple(one[1] for one in found if applies_on_screen(one[2].strip())))


def parse_style(text: str) -> tuple[Declaration, ...]:
    """Return what a `style` attribute, or the body of a rule, declares; the last one counts."""
    return tuple(
        Declaration(found[1].lower(), found[2].lower(), bool(found[3]))
        for found in _DECLARATION.finditer(_COMMENT.sub(" ", text))
    )


def applies_on_screen(media: str) -> bool:
    """Whether a list of media queries is true for every screen (Media Queries 4, 2)."""
    return not media.strip() or any(_SCREEN.fullmatch(one.strip()) for one in media.split(","))


def _rules(text: str) -> Iterator[StyleRule]:
    """The rules that declare one of the two properties, in order."""
    open_blocks: list[tuple[str, int]] = []  # (what stands before the brace, where its body begins)
    begins = 0  # of what stands before the next brace
    for mark in _PART.finditer(text):
        if mark[0] == "{":
            open_blocks.append((text[begins : mark.start()].strip(), mark.end()))
            begins = mark.end()
        elif mark[0] == "}":
            if open_blocks:
                prelude, start = open_blocks.pop()
                yield from _rule(prelude, text[start : mark.start()], open_blocks)
            begins = mark.end()
        elif mark[0] == ";" and not (open_blocks and not open_blocks[-1][0].startswith("@")):
            begins = mark.end()  # an at-rule without a block ends


def _rule(prelude: str, body: str, outer: list[tuple[str, int]]) -> Iterator[StyleRule]:
    if not prelude or prelude.startswith("@") or len(outer) > MAX_DEPTH:
        return
    if all(_is_true_condition(before) for before, _ in outer):
        declarations = parse_style(body)
        if declarations:
            yield StyleRule(prelude, declarations)


def _is_true_condition(prelude: str) -> bool:
    name, _, media = prelude.partition(" ")
    return name.lower() == "@media" and bool(media) and applies_on_screen(media)
