"""Finds the structure of a formula that its layout leaves to the eye. Pure.

    ( x + 1 )        brackets, also with a power: (x + 1)²
    { x ∣ x > 0 }    a set, and what its elements are
    | x |, ‖ x ‖     an absolute value, a norm
    f ( x )          a function and its argument
    l o s s          a name, whose letters are set as if each were a variable

Presentation MathML has only signs in a row for these. They become elements of their own, which
`mathml.py` says. Their names begin with "group-", as no element of MathML does.
"""

from __future__ import annotations

import copy
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import pairwise

from lxml import etree

from audiomill.inputs.markup.parser import Element, local_name
from audiomill.inputs.markup.semantics import text_within
from audiomill.inputs.markup.text import normalise_spaces

ROWS = frozenset(("math", "merror", "mpadded", "mrow", "msqrt", "mstyle", "mtd"))
_SCRIPTS = frozenset(("mover", "msub", "msubsup", "msup", "munder", "munderover"))
_PAIRS = {")": "([", "]": "[(", "}": "{", "⟩": "⟨", "⌋": "⌊", "⌉": "⌈"}
_OPENING = frozenset("".join(_PAIRS.values()))
_BARS = frozenset("|‖∥")
_GROUPS = {"(": "parens", "[": "parens", "⟨": "parens", "{": "set", "⌊": "floor", "⌈": "ceiling"}
_GIVEN = frozenset("|∣")
_IN_LISTS = frozenset((",", ";", "…", "*", "∗", "′", "−"))
_FUNCTIONS = frozenset("fghpqEFGHJLNOPQΘΩΦΨφψσ")
_VOWELS = frozenset("aeiouy")
_MIN_NAME = 4  # letters of a word that is told by its vowels
_SHORT_NAMES = """
abs acc cos det dim exp gcd inf key lcm len lim log max min mod out sin sup
"""
_NAMES = frozenset(_SHORT_NAMES.split())
_DIFFERENTIALS = frozenset("d∂")


class NotSimple(Exception):
    """The formula has an element that has no words here."""


def structured(math: Element) -> Element:
    """A copy of a formula in which such structure has elements."""
    result = copy.deepcopy(math)
    for node in reversed(list(result.iter())):  # inner rows before those around them
        if local_name(node) in ROWS:
            children = _grouped(_with_names([one for one in node if local_name(one)]))
            _mark_arguments(children)
            node[:] = _with_cases(_with_about(children))
    return result


def core(node: Element) -> Element:
    """The only element in a row, or else the element itself."""
    while local_name(node) in {"mrow", "mstyle"} and len(node) == 1:
        node = node[0]
    return node


def plain(node: Element) -> str:
    """The text of an element; “ℛ” and other letters of mathematics as plain ones."""
    text = text_within(node).strip()
    return unicodedata.normalize("NFKC", text) if text.isalnum() else text


def _element(name: str, children: Iterable[Element] = (), text: str = "") -> Element:
    node = etree.Element(name)
    node.text = text
    node.extend(children)
    return node


def _with_names(children: Sequence[Element]) -> list[Element]:
    """The parts of a row, with the letters of each name in one element."""
    result, at = list[Element](), 0
    while at < len(children):
        end = at
        while end < len(children) and _is_letter(children[end]):
            end += 1
        script = children[end] if end < len(children) and _is_of_letter(children[end]) else None
        last = [] if script is None else [script[0]]
        name = "".join(plain(one) for one in [*children[at:end], *last])
        after = max(end + (script is not None), at + 1)
        if _is_name(name):
            named = _element("mi", text=name)
            result.append(named if script is None else _with_scripts_of(script, named))
        else:
            result += children[at:after]
        at = after
    return result


def _is_of_letter(node: Element) -> bool:
    return local_name(node) in _SCRIPTS and len(node) > 0 and _is_letter(node[0])


def _is_letter(node: Element) -> bool:
    text = node.text or ""
    return local_name(node) == "mi" and len(text) == 1 and text.isascii() and text.isalpha()


def _is_name(letters: str) -> bool:
    is_word = len(letters) >= _MIN_NAME and letters.islower() and bool(_VOWELS & set(letters[:-1]))
    return is_word or letters in _NAMES


def _grouped(children: Sequence[Element]) -> list[Element]:
    """The parts of a row, with what stands between brackets or bars in an element of its own."""
    result, opened = list[Element](), list[tuple[str, int]]()  # the sign, and where it is
    for child in children:
        sign = _sign(child)
        start = _start_of_group(sign, opened)
        if start is not None:
            opened = [one for one in opened if one[1] < start]
            group = _group(result[start], result[start + 1 :], child)
            result[start:] = [_with_scripts_of(child, group)]
            continue
        if local_name(child) not in _SCRIPTS and (
            sign in _OPENING or (sign in _BARS and _may_open(result))
        ):
            opened.append((sign, len(result)))
        result.append(child)
    return result


def _sign(node: Element) -> str:
    """The sign that an element is, or that has a power or an index; "" for anything else."""
    if local_name(node) in _SCRIPTS and len(node):
        node = node[0]
    return (node.text or "").strip() if local_name(node) in {"mi", "mo"} and not len(node) else ""


def _start_of_group(sign: str, opened: Sequence[tuple[str, int]]) -> int | None:
    """Where the group begins that `sign` ends; None if it ends none."""
    if sign in _BARS:
        return opened[-1][1] if opened and opened[-1][0] == sign else None
    pairs = _PAIRS.get(sign, "")
    return next((at for opening, at in reversed(opened) if pairs and opening in pairs), None)


def _may_open(before: Sequence[Element]) -> bool:
    """Whether a bar begins an absolute value: not right after what it could divide."""
    if not before:
        return True
    last = before[-1]
    name = local_name(last)
    if name in {"group-bars", "group-norm", "mn"}:
        return True
    return name == "mo" or (name == "mi" and len(plain(last)) > 1 and plain(last).isalpha())


def _group(opening: Element, inside: Sequence[Element], closing: Element) -> Element:
    _mark_arguments(inside)
    sign = _sign(opening)
    if sign in _BARS:
        return _element("group-bars" if sign == "|" else "group-norm", inside)
    name = _GROUPS[sign]
    mark = {"parens": "group-given", "set": "group-such-that"}.get(name)
    marks = _GIVEN if name == "parens" else _GIVEN | {":"}
    parts = [_element(mark) if mark and _sign(one) in marks else one for one in inside]
    node = _element(f"group-{name}", parts)
    node.set("open", sign)
    node.set("close", _sign(closing))
    return node


def _with_scripts_of(node: Element, base: Element) -> Element:
    if local_name(node) not in _SCRIPTS:
        return base
    return _element(local_name(node), [base, *list(node)[1:]])


def _mark_arguments(children: Sequence[Element]) -> None:
    """Tell of brackets right after the name of a function that they hold its argument."""
    for before, node in pairwise(children):
        brackets = core(node)
        if local_name(brackets) == "group-parens" and brackets.get("open") != "⟨":
            name = core(before)
            name = core(name[0]) if local_name(name) in _SCRIPTS and len(name) else name
            if _is_function(name, brackets):
                brackets.set("argument", "yes")


def _is_function(node: Element, brackets: Element) -> bool:
    if local_name(node) not in {"mi", "mo", "mtext"} or len(node):
        return False
    text = plain(node)
    if not text.isalpha():
        return False
    return len(text) > 1 or text in _FUNCTIONS or is_list(brackets)


def is_list(brackets: Element) -> bool:
    """True for brackets that hold a letter or a number, or several with commas between."""
    leaves = [one for one in brackets.iter() if not len(one)]
    return bool(leaves) and all(
        local_name(one) in {"mi", "mn"} or (one.text or "").strip() in _IN_LISTS for one in leaves
    )


def _with_about(children: list[Element]) -> list[Element]:
    """The parts of a row, with the sign for “about” for a tilde before a number."""
    result = list(children)
    for at, (one, after) in enumerate(pairwise(children)):
        if _is_tilde(one) and local_name(after) == "mn":
            result[at] = _element("mo", text="≈")
    return result


def _is_tilde(node: Element) -> bool:
    return local_name(node) in {"mi", "mo"} and plain(node) in {"~", "∼"}


def _with_cases(children: list[Element]) -> list[Element]:
    """The parts of a row, with a brace before a table, which no other ends, as a choice."""
    if (
        len(children) > 1
        and _sign(children[-2]) == "{"
        and local_name(core(children[-1])) == "mtable"
    ):
        return [*children[:-2], _element("group-cases", core(children[-1]))]
    return children


def parts_of(node: Element, n: int) -> list[Element]:
    """Return the `n` elements inside one. Raises NotSimple if there are more or fewer."""
    parts = [child for child in node if local_name(child)]
    if len(parts) != n:
        raise NotSimple
    return parts


def is_single(node: Element) -> bool:
    """True for one number or letter, which needs no words around it."""
    return sum(1 for leaf in node.iter() if not len(leaf) and (leaf.text or "").strip()) <= 1


def is_differential(node: Element) -> bool:
    """True for “dx” and “∂L”, and for the “d” of “d/dx”."""
    leaves = [plain(one) for one in node.iter() if not len(one) and plain(one)]
    return bool(leaves) and leaves[0] in _DIFFERENTIALS and len(leaves) <= 2


def is_table(inside: list[Element]) -> bool:
    """True if all that brackets hold is a table."""
    return len(inside) == 1 and local_name(core(inside[0])) == "mtable"


def text_of(node: Element) -> str:
    """Return the text within an element, with single spaces."""
    return normalise_spaces(text_within(node))
