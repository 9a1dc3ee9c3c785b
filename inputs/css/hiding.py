"""Finds what the style sheets of a page hide, by the cascade (CSS Cascade 4, 6).

    sheets ─▶ HidingRules (None if no rule hides anything) ─▶ elements with `hidden`

Only `display` and `visibility` are looked at. Where it is not certain that text is hidden, it is
not: it would be lost to a listener.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from audiomill.inputs.css.rules import Declaration, StyleRule, hides, parse_style
from audiomill.inputs.css.selectors import (
    Matcher,
    Selector,
    Specificity,
    TooManyComparisons,
    UnknownSelector,
    parse_selectors,
)
from audiomill.inputs.markup.parser import Element, local_name

MAX_COMPARISONS = 1_000_000  # of one document: a page of 100,000 elements needs fewer
MAX_SELECTORS = 20_000
NEVER_HIDDEN = frozenset(("", "body", "head", "html"))  # a book that hides all is meant otherwise
_INLINE = (1 << 20, 0, 0)  # a `style` attribute is stronger than any selector
_Strength = tuple[bool, Specificity, int]


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
