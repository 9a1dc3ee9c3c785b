"""Finds what the style sheets of a page hide, by the cascade (CSS Cascade 4, 6).

    text ─▶ comments and strings out of the way ─▶ rules, those of @media inside ─▶ StyleRule …
    rules ─▶ HidingRules (None if no rule hides anything) ─▶ elements with `hidden`

Only `display` and `visibility` are looked at, and CSS Syntax 3 is followed as far as they need it:
other at-rules are passed over, and so is what is broken, up to the next brace. Where it is not
certain that text is hidden, it is not: it would be lost to a listener.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from audiomill.inputs.markup.parser import Element, local_name
from audiomill.inputs.markup.selectors import (
    Matcher,
    Selector,
    Specificity,
    TooManyComparisons,
    UnknownSelector,
    parse_selectors,
)

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
MAX_COMPARISONS = 1_000_000  # of one document: a page of 100,000 elements needs fewer
MAX_SELECTORS = 20_000
NEVER_HIDDEN = frozenset(("", "body", "head", "html"))  # a book that hides all is meant otherwise
_INLINE = (1 << 20, 0, 0)  # a `style` attribute is stronger than any selector
_Strength = tuple[bool, Specificity, int]


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


@dataclass(frozen=True, slots=True)
class _SelectorRule:
    """One selector, what it declares, and its place in the order of all rules."""

    selector: Selector
    declarations: tuple[Declaration, ...]
    order: int

    @property
    def hides(self) -> bool:
        return any(map(hides, self.declarations))


class HidingRules:
    """The rules of several sheets about `display` and `visibility`, of which one can hide."""

    def __init__(self, rules: Iterable[_SelectorRule]) -> None:
        self._by_key: dict[str, list[_SelectorRule]] = {}
        self._hiding_by_key: dict[str, list[_SelectorRule]] = {}
        for rule in rules:
            key = rule.selector.subject.key
            self._by_key.setdefault(key, []).append(rule)
            if rule.hides:
                self._hiding_by_key.setdefault(key, []).append(rule)

    def hide(self, root: Element) -> None:
        """Set `hidden` on the elements that the rules hide; on none if that takes too long."""
        matcher = Matcher(MAX_COMPARISONS)
        try:
            hidden = [element for element in root.iter() if self._is_hidden(element, matcher)]
        except TooManyComparisons:
            return
        for element in hidden:
            element.set("hidden", "")

    def _is_hidden(self, element: Element, matcher: Matcher) -> bool:
        hiding = (rule for key in _keys(element) for rule in self._hiding_by_key.get(key, ()))
        if not any(matcher.matches(rule.selector, element) for rule in hiding):
            return False
        if local_name(element) in NEVER_HIDDEN:
            return False
        display = self._winning(element, "display", matcher)
        if display is not None and hides(display):
            return True
        visibility = self._winning(element, "visibility", matcher)
        if visibility is None or not hides(visibility):
            return False
        return not any(self._is_shown(inner, matcher) for inner in element.iterdescendants())

    def _is_shown(self, element: Element, matcher: Matcher) -> bool:
        """Whether an element inside a hidden one is visible by a rule of its own."""
        found = self._winning(element, "visibility", matcher)
        return found is not None and not hides(found)

    def _winning(self, element: Element, name: str, matcher: Matcher) -> Declaration | None:
        """The declaration of a property that counts for an element."""
        declared = [
            ((one.is_important, rule.selector.specificity, rule.order), one)
            for key in _keys(element)
            for rule in self._by_key.get(key, ())
            if matcher.matches(rule.selector, element)
            for one in rule.declarations
            if one.name == name
        ]
        declared += [
            ((one.is_important, _INLINE, 0), one)
            for one in parse_style(element.get("style") or "")
            if one.name == name
        ]
        return max(reversed(declared), key=_strength)[1] if declared else None


def hiding_rules(rules: Sequence[StyleRule]) -> HidingRules | None:
    """Return the rules in their order, or None if none of them can hide anything."""
    if not any(hides(one) for rule in rules for one in rule.declarations):
        return None
    styles = list(_style_rules(rules))
    return HidingRules(styles) if any(one.hides for one in styles) else None


def _style_rules(rules: Iterable[StyleRule]) -> Iterator[_SelectorRule]:
    n_selectors = 0
    for order, rule in enumerate(rules):
        try:
            selectors = parse_selectors(rule.selectors)
        except UnknownSelector:
            continue  # such a rule has no effect as a whole (Selectors 4, 3.9)
        n_selectors += len(selectors)
        if n_selectors > MAX_SELECTORS:
            return
        yield from (_SelectorRule(one, rule.declarations, order) for one in selectors)


def _keys(element: Element) -> Iterator[str]:
    """The keys by which rules about an element can be found."""
    yield ""
    name = local_name(element)
    if name:
        yield name
        if element.attrib:
            yield f"#{element.get('id') or ''}"
            yield from (f".{one}" for one in set((element.get("class") or "").split()))


def _strength(declared: tuple[_Strength, Declaration]) -> _Strength:
    return declared[0]
