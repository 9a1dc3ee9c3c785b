"""Parses selectors of style sheets and matches them with elements (Selectors 4). Pure.

Known are names, classes, ids, attributes, the four combinators, `:not`, `:is`, `:where` without
combinators inside, and the pseudo-classes of an element's place among its siblings. Anything else
is refused: pseudo-elements, and what depends on the reader, such as `:hover`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from audiomill.inputs.markup.parser import OPS, Element, local_name

Specificity = tuple[int, int, int]  # ids; classes, attributes and pseudo-classes; names
Test = Callable[[Element], bool]

_NAME = r"(?:[\w-]|[^\x00-\x7f]|\\.)+"
_SIMPLE = re.compile(
    rf"\*(?!\|)|(?:(?:{_NAME}|\*)?\|)?(?P<name>{_NAME}|\*)|\#(?P<id>{_NAME})|\.(?P<class>{_NAME})"
    rf"|\[\s*(?:(?:{_NAME}|\*)?\|)?(?P<attribute>{_NAME})\s*"
    r"(?:(?P<operator>[~|^$*]?=)\s*(?P<value>\"[^\"]*\"|'[^']*'|[^\s\]]+)\s*(?P<flag>[is])?\s*)?\]"
    rf"|:(?P<pseudo>[a-z-]+)(?P<open>\()?",
    re.IGNORECASE,
)
_COMBINATOR = re.compile(r"\s*([>+~])\s*|\s+")
_ESCAPE = re.compile(r"\\(.)")
MAX_NESTING = 4  # of :not(:is(…))


@dataclass(frozen=True, slots=True)
class Compound:
    """What one element must be: all of `tests`. `key` is a test as text, to look candidates up."""

    tests: tuple[Test, ...]
    key: str  # "#id", ".class", "name", or "" for any element
    specificity: Specificity


@dataclass(frozen=True, slots=True)
class Selector:
    """Compounds and the combinators between them, from right to left."""

    subject: Compound
    others: tuple[tuple[str, Compound], ...]  # (combinator, compound on its left) …

    @property
    def specificity(self) -> Specificity:
        """The sum of the specificities of all compounds."""
        return _sum(self.subject.specificity, *(one.specificity for _, one in self.others))


class UnknownSelector(Exception):
    """The selector is wrong, or of a kind that is not known here."""


class TooManyComparisons(Exception):
    """The selectors would take too long to match, as no author writes them."""


class Matcher:
    """Matches selectors with elements, by at most `n_comparisons` comparisons in all."""

    def __init__(self, n_comparisons: int) -> None:
        self._n_left = n_comparisons

    def matches(self, selector: Selector, element: Element) -> bool:
        """Whether the selector is about `element`. Raises TooManyComparisons."""
        return self._fits(element, selector.subject) and self._matches(element, selector.others)

    def _matches(self, element: Element, others: tuple[tuple[str, Compound], ...]) -> bool:
        if not others:
            return True
        combinator, compound = others[0]
        return any(
            self._fits(one, compound) and self._matches(one, others[1:])
            for one in _related(element, combinator)
        )

    def _fits(self, element: Element, compound: Compound) -> bool:
        self._n_left -= 1
        if self._n_left < 0:
            raise TooManyComparisons
        return all(test(element) for test in compound.tests)


def parse_selectors(text: str) -> tuple[Selector, ...]:
    """Return the selectors of a list. Raises UnknownSelector if one of them is not known."""
    return tuple(_parse(part.strip(), nesting=0) for part in _split_list(text))


def _split_list(text: str) -> Iterator[str]:
    """The parts between commas that are not in brackets or strings."""
    depth, begins, quote = 0, 0, ""
    for at, character in enumerate(text):
        if quote or character in "\"'":
            quote = "" if character == quote else quote or character
        elif character in "([":
            depth += 1
        elif character in ")]":
            depth -= 1
        elif character == "," and not depth:
            yield text[begins:at]
            begins = at + 1
    yield text[begins:]


def _parse(text: str, nesting: int) -> Selector:
    compounds: list[Compound] = []
    combinators: list[str] = []
    at = 0
    while True:
        compound, at = _parse_compound(text, at, nesting)
        compounds.append(compound)
        if at == len(text):
            break
        match = _COMBINATOR.match(text, at)
        if match is None:
            raise UnknownSelector(text)
        combinators.append(match[1] or " ")
        at = match.end()
    left = zip(reversed(combinators), reversed(compounds[:-1]), strict=True)
    return Selector(compounds[-1], tuple(left))


def _parse_compound(text: str, at: int, nesting: int) -> tuple[Compound, int]:
    tests: list[Test] = []
    keys: list[str] = []
    specificity = (0, 0, 0)
    start = at
    while match := _SIMPLE.match(text, at):
        at = match.end()
        if match["name"] and match.start() != start:
            raise UnknownSelector(text)
        if match["pseudo"]:
            argument, at = _argument(text, at) if match["open"] else ("", at)
            test, weight = _pseudo(match["pseudo"].lower(), argument, nesting)
        else:
            test, key, weight = _simple(match)
            keys.append(key)
        tests.append(test)
        specificity = _sum(specificity, weight)
    if at == start:
        raise UnknownSelector(text)
    return Compound(tuple(tests), max(keys, key=_rank, default=""), specificity), at


def _rank(key: str) -> int:
    """How few elements a key finds."""
    return {"#": 3, ".": 2}.get(key[:1], 1 if key else 0)


def _simple(match: re.Match[str]) -> tuple[Test, str, Specificity]:
    """(test, key, specificity) of a name, an id, a class or an attribute."""
    if match["id"]:
        wanted = _unescaped(match["id"])
        return lambda e: e.get("id") == wanted, f"#{wanted}", (1, 0, 0)
    if match["class"]:
        wanted = _unescaped(match["class"])
        return lambda e: wanted in (e.get("class") or "").split(), f".{wanted}", (0, 1, 0)
    if match["attribute"]:
        return _attribute(match), "", (0, 1, 0)
    name = _unescaped(match["name"] or "*").lower()
    if name == "*":
        return lambda _: True, "", (0, 0, 0)
    return lambda e: local_name(e) == name, name, (0, 0, 1)


def _attribute(match: re.Match[str]) -> Test:
    name, operator = _unescaped(match["attribute"]).lower(), match["operator"]
    wanted = _unescaped((match["value"] or "").strip("\"'"))
    ignores_case = (match["flag"] or "").lower() == "i"
    wanted = wanted.lower() if ignores_case else wanted

    def test(element: Element) -> bool:
        value = element.get(name)
        if value is None:  # in the namespace of `epub:type`
            value = element.get(f"{{{OPS}}}{name}")
        if value is None or operator is None:
            return value is not None
        return _compare(value.lower() if ignores_case else value, operator, wanted)

    return test


def _compare(value: str, operator: str, wanted: str) -> bool:
    if operator == "=":
        return value == wanted
    if operator == "|=":
        return value == wanted or value.startswith(f"{wanted}-")
    if not wanted:
        return False
    if operator == "~=":
        return wanted in value.split()
    if operator == "^=":
        return value.startswith(wanted)
    return value.endswith(wanted) if operator == "$=" else wanted in value


def _argument(text: str, at: int) -> tuple[str, int]:
    """(what stands in the bracket that opened before `at`, where it has ended)."""
    depth = 1
    for end in range(at, len(text)):
        depth += {"(": 1, ")": -1}.get(text[end], 0)
        if not depth:
            return text[at:end], end + 1
    raise UnknownSelector(text)


def _pseudo(name: str, argument: str, nesting: int) -> tuple[Test, Specificity]:
    """(test, specificity) of a pseudo-class."""
    if name in {"not", "is", "where", "matches"} and nesting < MAX_NESTING:
        inner = [_parse(part.strip(), nesting + 1) for part in _split_list(argument)]
        if any(one.others for one in inner):
            raise UnknownSelector(argument)
        heaviest = max(one.specificity for one in inner)
        weight = (0, 0, 0) if name == "where" else heaviest
        subjects = [one.subject.tests for one in inner]
        return _any_of(subjects, is_wanted=name != "not"), weight
    test = _PLACES.get(name)
    if test is None or argument:
        raise UnknownSelector(name)
    return test, (0, 1, 0)


def _any_of(subjects: Sequence[tuple[Test, ...]], *, is_wanted: bool) -> Test:
    """True for an element that passes all tests of one of `subjects`, or else of none."""

    def test(element: Element) -> bool:
        return any(all(one(element) for one in tests) for tests in subjects) == is_wanted

    return test


def _is_first(element: Element) -> bool:
    return _sibling(element, before=True) is None


def _is_last(element: Element) -> bool:
    return _sibling(element, before=False) is None


_PLACES: dict[str, Test] = {
    "root": lambda e: e.getparent() is None,
    "empty": lambda e: len(e) == 0 and not e.text,
    "first-child": _is_first,
    "last-child": _is_last,
    "only-child": lambda e: _is_first(e) and _is_last(e),
}


def _sibling(element: Element, *, before: bool) -> Element | None:
    """The next element beside it that is no comment."""
    node = element.getprevious() if before else element.getnext()
    while node is not None and not local_name(node):
        node = node.getprevious() if before else node.getnext()
    return node


def _related(element: Element, combinator: str) -> Iterator[Element]:
    """The elements that a combinator leads to, from right to left."""
    if combinator in " >":
        node = element.getparent()
        while node is not None:
            yield node
            node = node.getparent() if combinator == " " else None
    else:
        node = _sibling(element, before=True)
        while node is not None:
            yield node
            node = _sibling(node, before=True) if combinator == "~" else None


def _unescaped(name: str) -> str:
    return _ESCAPE.sub(r"\1", name)


def _sum(*weights: Specificity) -> Specificity:
    a, b, c = zip(*weights, strict=True)
    return sum(a), sum(b), sum(c)
