"""Finds what style sheets declare for the elements of a page, by the cascade (CSS Cascade 4, 6).

    text ─▶ comments and strings out of the way ─▶ rules, those of @media inside ─▶ StyleRule …
    rules ─▶ Cascade ─▶ the declarations that count for an element

Only the properties that are asked for are looked at, and only those of their values that are single
words or numbers; CSS Syntax 3 is followed as far as they need it: other at-rules are passed over,
and so is what is broken, up to the next brace.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from audiomill.inputs.markup.parser import Element, local_name
from audiomill.inputs.markup.selectors import (
    Matcher,
    Selector,
    Specificity,
    UnknownSelector,
    parse_selectors,
)

MAX_DEPTH = 8  # of @media inside @media
MAX_COMPARISONS = 1_000_000  # of one document: a page of 100,000 elements needs fewer
MAX_SELECTORS = 20_000
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
# A string may hold braces; it never holds a line break.
_PART = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|[{};]", re.DOTALL)
_IMPORT = re.compile(
    r"@import\s+(?:url\(\s*)?[\"']?([^\"'()\s;]+)[\"']?\s*\)?\s*([^;{}]*);", re.IGNORECASE
)
# True for every screen: a query about its size may be true or not, so nothing is decided by it.
_SCREEN = re.compile(r"(?:only\s+)?(?:all|screen)|not\s+(?:print|speech|tty|tv)", re.IGNORECASE)
_INLINE = (1 << 20, 0, 0)  # a `style` attribute is stronger than any selector
_NUMBERED = frozenset(("font-weight",))  # properties whose values may be numbers
_Strength = tuple[bool, Specificity, int]
Properties = tuple[str, ...]  # the names of those that are looked at, in lower case


@dataclass(frozen=True, slots=True)
class Declaration:
    """A value of a property, in lower case."""

    name: str
    value: str
    is_important: bool


@dataclass(frozen=True, slots=True)
class StyleRule:
    """The selectors of a rule, as text, and what it declares."""

    selectors: str
    declarations: tuple[Declaration, ...]


@dataclass(frozen=True, slots=True)
class StyleSheet:
    """One sheet: its text, and the addresses of the sheets that it imports, in order."""

    text: str  # without comments
    imports: tuple[str, ...]


def parse_sheet(text: str) -> StyleSheet:
    """Return a sheet as it applies on a screen. Nothing is an error."""
    text = _COMMENT.sub(" ", text).replace("<!--", " ").replace("-->", " ")
    found = _IMPORT.finditer(text)
    return StyleSheet(text, tuple(one[1] for one in found if applies_on_screen(one[2].strip())))


def parse_style(text: str, properties: Properties) -> tuple[Declaration, ...]:
    """Return what a `style` attribute, or the body of a rule, declares; the last one counts."""
    return tuple(
        Declaration(found[1].lower(), found[2].lower(), bool(found[3]))
        for found in _declarations(properties).finditer(_COMMENT.sub(" ", text))
        if not found[2].isdecimal() or found[1].lower() in _NUMBERED  # else it declares nothing
    )


@lru_cache(maxsize=16)
def _declarations(properties: Properties) -> re.Pattern[str]:
    names = "|".join(map(re.escape, properties))
    return re.compile(
        rf"(?:^|[;{{])\s*({names})\s*:\s*([a-z-]+|[0-9]+)\s*(!\s*important)?\s*(?=;|$)",
        re.IGNORECASE,
    )


def applies_on_screen(media: str) -> bool:
    """Whether a list of media queries is true for every screen (Media Queries 4, 2)."""
    return not media.strip() or any(_SCREEN.fullmatch(one.strip()) for one in media.split(","))


def rules_of(text: str, properties: Properties) -> Iterator[StyleRule]:
    """The rules of a sheet's text that declare one of the properties, in order."""
    open_blocks: list[tuple[str, int]] = []  # (what stands before the brace, where its body begins)
    begins = 0  # of what stands before the next brace
    for mark in _PART.finditer(text):
        if mark[0] == "{":
            open_blocks.append((text[begins : mark.start()].strip(), mark.end()))
            begins = mark.end()
        elif mark[0] == "}":
            if open_blocks:
                prelude, start = open_blocks.pop()
                if _applies(prelude, open_blocks):
                    declarations = parse_style(text[start : mark.start()], properties)
                    if declarations:
                        yield StyleRule(prelude, declarations)
            begins = mark.end()
        elif mark[0] == ";" and not (open_blocks and not open_blocks[-1][0].startswith("@")):
            begins = mark.end()  # an at-rule without a block ends


def _applies(prelude: str, outer: list[tuple[str, int]]) -> bool:
    """Whether a block is a rule that applies, inside of the blocks around it."""
    if not prelude or prelude.startswith("@") or len(outer) > MAX_DEPTH:
        return False
    return all(_is_true_condition(before) for before, _ in outer)


def _is_true_condition(prelude: str) -> bool:
    name, _, media = prelude.partition(" ")
    return name.lower() == "@media" and bool(media) and applies_on_screen(media)


@dataclass(frozen=True, slots=True)
class SelectorRule:
    """One selector, what it declares, and its place in the order of all rules."""

    selector: Selector
    declarations: tuple[Declaration, ...]
    order: int


class Cascade:
    """The rules of several sheets about some properties."""

    def __init__(self, rules: Iterable[SelectorRule], properties: Properties) -> None:
        self._properties = properties
        self._by_key: dict[str, list[SelectorRule]] = {}
        for rule in rules:
            self._by_key.setdefault(rule.selector.subject.key, []).append(rule)

    def winning(self, element: Element, matcher: Matcher) -> dict[str, Declaration]:
        """The declarations that count for an element, by property.

        Raises TooManyComparisons.
        """
        best: dict[str, tuple[_Strength, Declaration]] = {}
        for strength, one in self._declared(element, matcher):
            if one.name not in best or strength >= best[one.name][0]:
                best[one.name] = strength, one
        return {name: one for name, (_, one) in best.items()}

    def _declared(
        self, element: Element, matcher: Matcher
    ) -> Iterator[tuple[_Strength, Declaration]]:
        for key in keys_of(element):
            for rule in self._by_key.get(key, ()):
                if matcher.matches(rule.selector, element):
                    for one in rule.declarations:
                        yield (one.is_important, rule.selector.specificity, rule.order), one
        if style := element.get("style"):
            for one in parse_style(style, self._properties):
                yield (one.is_important, _INLINE, 0), one


def selector_rules(rules: Sequence[StyleRule]) -> Iterator[SelectorRule]:
    """The rules by selector, in their order."""
    n_selectors = 0
    for order, rule in enumerate(rules):
        try:
            selectors = parse_selectors(rule.selectors)
        except UnknownSelector:
            continue  # such a rule has no effect as a whole (Selectors 4, 3.9)
        n_selectors += len(selectors)
        if n_selectors > MAX_SELECTORS:
            return
        yield from (SelectorRule(one, rule.declarations, order) for one in selectors)


def keys_of(element: Element) -> Iterator[str]:
    """The keys by which rules about an element can be found."""
    yield ""
    name = local_name(element)
    if name:
        yield name
        if element.attrib:
            yield f"#{element.get('id') or ''}"
            yield from (f".{one}" for one in set((element.get("class") or "").split()))
