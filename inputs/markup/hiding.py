"""Finds what the style sheets of a page hide.

Only `display` and `visibility` are looked at. Where it is not certain that text is hidden, it is
not: it would be lost to a listener.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from audiomill.inputs.markup.cascade import (
    MAX_COMPARISONS,
    Cascade,
    Declaration,
    SelectorRule,
    StyleRule,
    StyleSheet,
    keys_of,
    selector_rules,
)
from audiomill.inputs.markup.parser import Element, local_name
from audiomill.inputs.markup.selectors import Matcher, TooManyComparisons

PROPERTIES = ("display", "visibility")
_HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)", re.IGNORECASE)
NEVER_HIDDEN = frozenset(("", "body", "head", "html"))  # a book that hides all is meant otherwise


def hides(declaration: Declaration) -> bool:
    """True for `display: none`, and `visibility: hidden` or `collapse`."""
    values = {"none"} if declaration.name == "display" else {"hidden", "collapse"}
    return declaration.value in values


class HidingRules:
    """The rules of several sheets about `display` and `visibility`, of which one can hide."""

    def __init__(self, rules: Sequence[SelectorRule]) -> None:
        self._cascade = Cascade(rules, PROPERTIES)
        self._hiding_by_key: dict[str, list[SelectorRule]] = {}
        for rule in rules:
            if any(map(hides, rule.declarations)):
                self._hiding_by_key.setdefault(rule.selector.subject.key, []).append(rule)

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
        hiding = (rule for key in keys_of(element) for rule in self._hiding_by_key.get(key, ()))
        if not any(matcher.matches(rule.selector, element) for rule in hiding):
            return False
        if local_name(element) in NEVER_HIDDEN:
            return False
        winning = self._cascade.winning(element, matcher)
        if "display" in winning and hides(winning["display"]):
            return True
        if "visibility" not in winning or not hides(winning["visibility"]):
            return False
        return not any(self._is_shown(inner, matcher) for inner in element.iterdescendants())

    def _is_shown(self, element: Element, matcher: Matcher) -> bool:
        """Whether an element inside a hidden one is visible by a rule of its own."""
        found = self._cascade.winning(element, matcher).get("visibility")
        return found is not None and not hides(found)


def may_hide(sheet: StyleSheet) -> bool:
    """False if no rule of a sheet hides anything, as in most; found without parsing it."""
    return _HIDING.search(sheet.text) is not None


def hiding_rules(rules: Sequence[StyleRule]) -> HidingRules | None:
    """Return the rules in their order, or None if none of them can hide anything."""
    if not any(hides(one) for rule in rules for one in rule.declarations):
        return None
    styles = tuple(selector_rules(rules))
    declared = (one for rule in styles for one in rule.declarations)
    return HidingRules(styles) if any(map(hides, declared)) else None
