"""Says a formula in MathML in words: “x squared plus 1 over 2”. Pure.

    <msup><mi>x</mi><mn>2</mn></msup> <mo>+</mo> <mfrac><mn>1</mn><mn>2</mn></mfrac>

Covers the elements of presentation MathML (MathML Core; W3C) that school and textbooks use, in the
order in which ClearSpeak says them; a formula in LaTeX is converted to them before (`tex.py`).
Signs and numbers stay: they become words with the rest of the text (`inputs/spoken`). A formula of
another kind, or one too long to follow by ear, has no words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import islice

from audiomill.inputs.languages.declaration import FormulaWords
from audiomill.inputs.markup.mathml_structure import (
    NotSimple,
    core,
    is_differential,
    is_list,
    is_single,
    is_table,
    parts_of,
    plain,
    structured,
    text_of,
)
from audiomill.inputs.markup.parser import Element, local_name

MAX_LEAVES = 60  # numbers, letters and signs of a formula that a listener can follow
MAX_ELEMENTS = 300  # they may be nested as deep as there are any
_INVISIBLE = {"\u2061": "", "\u2062": "", "\u2063": ",", "\u2064": ""}  # apply, times, comma, plus
_SAME_SIGNS = {"·": "⋅", **dict.fromkeys("⋮⋱⋯", "…")}
_BIG = {"∑": "sum", "∏": "product", "∫": "integral", "⋃": "union", "⋂": "intersection"}
_LIMITS = frozenset(("argmax", "argmin", "inf", "max", "min", "sup"))
_ACCENTS = {
    **dict.fromkeys("¯‾_―", "bar"),
    **dict.fromkeys("^ˆ", "hat"),
    **dict.fromkeys("~˜", "tilde"),
    "˙": "dot",
    "¨": "double dot",
    "ˇ": "check",
    **dict.fromkeys("→\u20d7", "vector"),
}
_PRIMES = {"′": "prime", "'": "prime", "″": "double prime", "*": "star", "∗": "star"}
_ENDINGS = frozenset(("nd", "rd", "st", "th"))  # of an ordinal: “i-th”
_OF_DEGREES = frozenset("∘°")
_TRANSPOSED = frozenset("T⊤⊺")
_SPACE_BEFORE = re.compile(r" +(?=[,;:)\]}]|\.\Z)|(?<=[(\[{]) +")
_COMMAS = re.compile(r"(?:\s*[,;]){2,}|[,;](?=\s*(?:[)\]}.]|\Z))")  # after parts that end with one
# “2 s” is twice s in a formula, and not two seconds.
_UNIT = re.compile(r"(\d )([ghlmstFHLVW])(?![\w-])")
_SIGNED = re.compile(r"[−-] \w+")


def words_of(math: Element, words: FormulaWords) -> str:
    """The words for a formula in MathML; the word “formula” for one that cannot be said."""
    elements = list(islice(math.iter(), MAX_ELEMENTS + 1))
    n_leaves = sum(1 for node in elements if not len(node))
    if n_leaves > MAX_LEAVES or len(elements) > MAX_ELEMENTS:
        return words.formula
    try:
        said = _say(structured(math), words)
    except NotSimple:
        return words.formula
    said = _COMMAS.sub(_one_mark, " ".join(said.split()))
    return _SPACE_BEFORE.sub("", said) or words.formula


def _one_mark(match: re.Match[str]) -> str:
    if len(match[0]) == 1:
        return ""
    return ";" if ";" in match[0] else ","


def _say(node: Element, words: FormulaWords) -> str:
    rule = _RULES.get(local_name(node))
    if rule is None:
        raise NotSimple
    return rule(node, words)


def _row(nodes: Iterable[Element], words: FormulaWords) -> str:
    """The elements of a row; the digits of a number may each be an element of their own."""
    said, before = "", ""
    for child in nodes:
        name = local_name(child)
        if name:
            said += ("" if name == before == "mn" else " ") + _say(child, words)
            before = name
    return _UNIT.sub(r"\1⋅ \2", said)


def _token(node: Element, words: FormulaWords) -> str:
    text = text_of(node)
    if text == "/":
        return words.over
    return _INVISIBLE.get(text, _sign(text, words))


def _sign(text: str, words: FormulaWords) -> str:
    text = _SAME_SIGNS.get(text, text)
    return words.signs.get(text, text)


def _letter(node: Element, words: FormulaWords) -> str:
    """A letter or a name; also a sign, where LaTeX was converted."""
    return _sign(plain(node), words)


def _space(node: Element, _: FormulaWords) -> str:
    return "; " if node.get("linebreak") == "newline" else " "


def _first(node: Element, words: FormulaWords) -> str:
    return _say(node[0], words) if len(node) else ""


def _fraction(node: Element, words: FormulaWords) -> str:
    above, below = parts_of(node, 2)
    said, divisor = _say(above, words), _say(below, words)
    if (is_single(above) and is_single(below)) or (
        is_differential(above) and is_differential(below)
    ):
        return f"{said} {words.over} {divisor}"
    return f"{words.fraction[0]} {said}, {words.fraction[1]} {divisor},"


def _raised(base: Element, power: Element, words: FormulaWords) -> str:
    said = _say(power, words).strip()
    if said in _PRIMES or plain(power) in _PRIMES:
        return _PRIMES.get(said) or _PRIMES[plain(power)]
    if said in _TRANSPOSED and local_name(core(base)) != "mn":
        return words.transposed
    if said.startswith("(") or local_name(core(power)) == "mtext":
        return f"{words.superscript} {said},"
    if said in {"2", "3"}:
        return words.squared if said == "2" else words.cubed
    is_short = is_single(power) or _SIGNED.fullmatch(said)
    return f"{words.power} {said}{'' if is_short else ','}"


def _power(node: Element, words: FormulaWords) -> str:
    base, power = parts_of(node, 2)
    said = plain(power)
    if said in _ENDINGS:
        return f"{_say(base, words)}-{said}"
    if said in _OF_DEGREES:
        return f"{_say(base, words)}°"
    return f"{_say(base, words)} {_raised(base, power, words)}"


def _index(node: Element, words: FormulaWords) -> str:
    base, index = parts_of(node, 2)
    if not plain(base):  # the index of the word before it: “CO$_2$”
        return _say(index, words)
    below = _below(base, index, words)
    if below:
        return below
    said_index = _PRIMES.get(plain(index)) or _say(index, words)
    said = f"{_say(base, words)} {words.sub} {said_index}"
    return said if is_single(index) else f"{said},"


def _index_and_power(node: Element, words: FormulaWords) -> str:
    base, index, power = parts_of(node, 3)
    if text_of(base) in _BIG:
        return _range(node, words)
    return f"{_say(base, words)} {words.sub} {_say(index, words)} {_raised(base, power, words)}"


def _below(base: Element, index: Element, words: FormulaWords) -> str:
    """What a sum or a limit runs over; "" for another base, whose index it is."""
    text, of = plain(base), words.from_to_of[2]
    if text in _BIG:
        return f"{getattr(words, _BIG[text])} {words.over_all} {_say(index, words)} {of}"
    if text in _LIMITS:
        return f"{_say(base, words)} {words.over_all} {_say(index, words)} {of}"
    if text == "lim":
        before, arrow = words.limit
        return f"{before} {_say(index, words).replace('→', arrow)} {of}"
    if text == "log":
        return f"{words.log_base} {_say(index, words)} {of}"
    return ""


def _under(node: Element, words: FormulaWords) -> str:
    """A sum over its index; of another base with something below it, only the base."""
    base, index = parts_of(node, 2)
    return _below(base, index, words) or _say(base, words)


def _root(node: Element, words: FormulaWords) -> str:
    said = f"{words.root} {_row(node, words)}"
    return said if is_single(node) else f"{said},"


def _nth_root(node: Element, words: FormulaWords) -> str:
    base, degree = parts_of(node, 2)
    before, after = words.nth_root
    return f"{before} {_say(degree, words)} {after} {_say(base, words)},"


def _fenced(node: Element, words: FormulaWords) -> str:
    opening, closing = node.get("open", "("), node.get("close", ")")
    children = [child for child in node if local_name(child)]
    if is_table(children):
        return _matrix(core(children[0]), words)
    separator = (node.get("separators", ",").strip() or " ")[0]
    inside = f"{separator} ".join(_say(child, words) for child in children)
    return f"{opening}{inside}{closing}"


def _brackets(node: Element, words: FormulaWords) -> str:
    """What brackets hold: the argument of a function, a matrix, a choice of k from n, or a part."""
    inside = list(node)
    if is_table(inside):
        return _matrix(core(inside[0]), words)
    only = core(inside[0]) if len(inside) == 1 else None
    if only is not None and local_name(only) == "mfrac" and only.get("linethickness") == "0":
        n, k = parts_of(only, 2)
        return words.chosen.format(n=_say(n, words), k=_say(k, words)) + ","
    said = _row(inside, words).strip()
    if node.get("open") == "⟨":
        return f"{said},"
    argument = f"{words.argument} " if node.get("argument") else ""
    if argument and is_list(node):
        return argument + said + ("," if len(inside) > 1 else "")
    return f"{argument}{node.get('open')}{said}{node.get('close')}"


def _set(node: Element, words: FormulaWords) -> str:
    of = words.argument if any(local_name(one) == "group-such-that" for one in node) else ""
    return f"{words.set_of} {of} {_row(node, words)},"


def _absolute(node: Element, words: FormulaWords) -> str:
    if is_table(list(node)):
        return _matrix(core(node[0]), words)
    name = plain(core(node[0])) if len(node) == 1 else ""
    before = words.size if len(name) == 1 and name.isupper() else words.absolute
    return _named(before, node, words)


def _named(before: str, node: Element, words: FormulaWords) -> str:
    return f"{before} {_row(node, words)}" + ("" if is_single(node) else ",")


def _accented(node: Element, words: FormulaWords) -> str:
    base, accent = parts_of(node, 2)
    name = _ACCENTS.get(text_of(accent))
    if name is None and local_name(core(base)) == "mo":  # “def” over an equals sign
        return _say(base, words)
    if name is None:
        raise NotSimple
    return f"{_say(base, words)} {name}"


def _range(node: Element, words: FormulaWords) -> str:
    sign, start, end = parts_of(node, 3)
    name = _BIG.get(text_of(sign))
    if name is None:
        raise NotSimple
    first, to, of = words.from_to_of
    return f"{getattr(words, name)} {first} {_say(start, words)} {to} {_say(end, words)} {of}"


def _matrix(node: Element, words: FormulaWords) -> str:
    rows = (", ".join(_row(cell, words) for cell in row) for row in node)
    return f"{words.matrix} {'; '.join(rows)};"


def _lines(node: Element, words: FormulaWords) -> str:
    """A table without brackets: the lines of a calculation, aligned at their signs."""
    return "; ".join(" ".join(_row(cell, words) for cell in row) for row in node)


def _cases(node: Element, words: FormulaWords) -> str:
    """The lines after a brace: what holds, and when."""
    return "; ".join(", ".join(_row(cell, words) for cell in row) for row in node) + ";"


_RULES: dict[str, Callable[[Element, FormulaWords], str]] = {
    **dict.fromkeys(("math", "mrow", "mstyle", "mpadded", "merror"), _row),
    **dict.fromkeys(("mn", "mo", "mtext", "ms"), _token),
    "mi": _letter,
    **dict.fromkeys(("mspace", "mphantom", "none"), _space),
    **dict.fromkeys(("semantics", "maction"), _first),
    "mfrac": _fraction,
    "msup": _power,
    "msub": _index,
    "msubsup": _index_and_power,
    "munder": _under,
    "munderover": _range,
    "msqrt": _root,
    "mroot": _nth_root,
    "mfenced": _fenced,
    "mover": _accented,
    "mtable": _lines,
    "group-parens": _brackets,
    "group-set": _set,
    "group-bars": _absolute,
    "group-norm": lambda node, words: _named(words.norm, node, words),
    "group-floor": lambda node, words: _named(words.rounded[0], node, words),
    "group-ceiling": lambda node, words: _named(words.rounded[1], node, words),
    "group-given": lambda _, words: words.conditional_on,
    "group-such-that": lambda _, words: words.such_that,
    "group-cases": _cases,
}
