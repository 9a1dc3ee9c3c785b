"""Says a formula in MathML in words: “x squared plus 1 over 2”. Pure.

    <msup><mi>x</mi><mn>2</mn></msup> <mo>+</mo> <mfrac><mn>1</mn><mn>2</mn></mfrac>

Covers the elements of presentation MathML (MathML Core; W3C) that school and textbooks use, in the
order in which ClearSpeak says them. Signs and numbers stay: they become words with the rest of the
text (`inputs/spoken`). A formula of another kind, or one too long to follow by ear, has no words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

from audiomill.inputs.markup.parser import Element, local_name
from audiomill.inputs.markup.semantics import text_within
from audiomill.inputs.markup.text import normalise_spaces

MAX_LEAVES = 60  # numbers, letters and signs of a formula that a listener can follow
MAX_ELEMENTS = 300  # they may be nested as deep as there are any
_INVISIBLE = {"\u2061": "", "\u2062": "", "\u2063": ",", "\u2064": ""}  # apply, times, comma, plus
_BIG = {"∑": "sum", "∏": "product", "∫": "integral", "⋃": "union", "⋂": "intersection"}
_ACCENTS = {
    **dict.fromkeys("¯‾_", "bar"),
    **dict.fromkeys("^ˆ", "hat"),
    **dict.fromkeys("~˜", "tilde"),
    "˙": "dot",
    **dict.fromkeys("→\u20d7", "vector"),
}
_PRIMES = {"′": "prime", "'": "prime", "″": "double prime", "*": "star", "∗": "star"}
_SPACE_BEFORE = re.compile(r" +(?=[,;:)\]}])|(?<=[(\[{]) +")
_COMMAS = re.compile(r"(?:\s*[,;]){2,}|[,;](?=\s*(?:[)\]}.]|\Z))")  # after parts that end with one
_UNREADABLE = re.compile(r"[\\{}]|\bnot available\b|\balternative text\b", re.IGNORECASE)
_SIGNED = re.compile(r"[−-] \w+")


@dataclass(frozen=True, slots=True)
class FormulaWords:
    """The words of one language for what the layout of a formula means."""

    formula: str  # one that is not said
    over: str
    fraction: tuple[str, str]  # before the numerator, and before the denominator
    squared: str
    cubed: str
    power: str
    sub: str
    root: str
    nth_root: tuple[str, str]  # before and after its degree
    from_to_of: tuple[str, str, str]
    sum: str
    product: str
    integral: str
    union: str
    intersection: str
    matrix: str


_WORDS = {
    "en": FormulaWords(
        formula="formula",
        over="over",
        fraction=("the fraction", "over"),
        squared="squared",
        cubed="cubed",
        power="to the power of",
        sub="sub",
        root="the square root of",
        nth_root=("the root of degree", "of"),
        from_to_of=("from", "to", "of"),
        sum="the sum",
        product="the product",
        integral="the integral",
        union="the union",
        intersection="the intersection",
        matrix="the matrix",
    ),
    "de": FormulaWords(
        formula="Formel",
        over="durch",
        fraction=("Bruch:", "durch"),
        squared="Quadrat",
        cubed="hoch drei",
        power="hoch",
        sub="Index",
        root="Wurzel aus",
        nth_root=("Wurzel vom Grad", "aus"),
        from_to_of=("von", "bis", "über"),
        sum="Summe",
        product="Produkt",
        integral="Integral",
        union="Vereinigung",
        intersection="Durchschnitt",
        matrix="Matrix",
    ),
    "fr": FormulaWords(
        formula="formule",
        over="sur",
        fraction=("la fraction", "sur"),
        squared="au carré",
        cubed="au cube",
        power="puissance",
        sub="indice",
        root="racine carrée de",
        nth_root=("racine de degré", "de"),
        from_to_of=("de", "à", "de"),
        sum="la somme",
        product="le produit",
        integral="l'intégrale",
        union="l'union",
        intersection="l'intersection",
        matrix="la matrice",
    ),
    "es": FormulaWords(
        formula="fórmula",
        over="sobre",
        fraction=("la fracción", "sobre"),
        squared="al cuadrado",
        cubed="al cubo",
        power="elevado a",
        sub="sub",
        root="raíz cuadrada de",
        nth_root=("raíz de grado", "de"),
        from_to_of=("desde", "hasta", "de"),
        sum="la suma",
        product="el producto",
        integral="la integral",
        union="la unión",
        intersection="la intersección",
        matrix="la matriz",
    ),
    "it": FormulaWords(
        formula="formula",
        over="fratto",
        fraction=("la frazione", "fratto"),
        squared="al quadrato",
        cubed="al cubo",
        power="elevato a",
        sub="con indice",
        root="radice quadrata di",
        nth_root=("radice di grado", "di"),
        from_to_of=("da", "a", "di"),
        sum="la somma",
        product="il prodotto",
        integral="l'integrale",
        union="l'unione",
        intersection="l'intersezione",
        matrix="la matrice",
    ),
    "pt": FormulaWords(
        formula="fórmula",
        over="sobre",
        fraction=("a fração", "sobre"),
        squared="ao quadrado",
        cubed="ao cubo",
        power="elevado a",
        sub="índice",
        root="raiz quadrada de",
        nth_root=("raiz de grau", "de"),
        from_to_of=("de", "até", "de"),
        sum="a soma",
        product="o produto",
        integral="a integral",
        union="a união",
        intersection="a interseção",
        matrix="a matriz",
    ),
}


class _NotSimple(Exception):
    """The formula has an element that has no words here."""


def is_readable(given: str) -> bool:
    """True if the alternative text of a formula is words: neither LaTeX nor a placeholder."""
    return bool(given.strip()) and not _UNREADABLE.search(given)


def formula_words(math: Element, language: str) -> str:
    """The words for a formula, or the word “formula” for one that cannot be said.

    `language` is BCP 47; English words serve languages that have none here.
    """
    words = _WORDS.get(language.lower().partition("-")[0], _WORDS["en"])
    n_leaves = sum(1 for node in math.iter() if not len(node))
    if n_leaves > MAX_LEAVES or sum(1 for _ in math.iter()) > MAX_ELEMENTS:
        return words.formula
    try:
        said = _say(math, words)
    except _NotSimple:
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
        raise _NotSimple
    return rule(node, words)


def _row(node: Element, words: FormulaWords) -> str:
    """The parts of a row; the digits of a number may each be an element of their own."""
    said, before = "", ""
    for child in node:
        name = local_name(child)
        if name:
            said += ("" if name == before == "mn" else " ") + _say(child, words)
            before = name
    return said


def _token(node: Element, _: FormulaWords) -> str:
    return _INVISIBLE.get(_text(node), _text(node))


def _text(node: Element) -> str:
    return normalise_spaces(text_within(node))


def _letter(node: Element, _: FormulaWords) -> str:
    """A letter or a name; “ℛ” and other letters of mathematics as plain ones."""
    return unicodedata.normalize("NFKC", _text(node))


def _nothing(_node: Element, _words: FormulaWords) -> str:
    return " "


def _first(node: Element, words: FormulaWords) -> str:
    return _say(node[0], words) if len(node) else ""


def _parts(node: Element, n: int) -> list[Element]:
    parts = [child for child in node if local_name(child)]
    if len(parts) != n:
        raise _NotSimple
    return parts


def _is_single(node: Element) -> bool:
    """True for one number or letter, which needs no words around it."""
    return sum(1 for leaf in node.iter() if not len(leaf) and (leaf.text or "").strip()) <= 1


def _fraction(node: Element, words: FormulaWords) -> str:
    above, below = _parts(node, 2)
    said, divisor = _say(above, words), _say(below, words)
    if _is_single(above) and _is_single(below):
        return f"{said} {words.over} {divisor}"
    return f"{words.fraction[0]} {said}, {words.fraction[1]} {divisor},"


def _raised(power: Element, words: FormulaWords) -> str:
    said = _say(power, words).strip()
    if said in _PRIMES:
        return _PRIMES[said]
    if said in {"2", "3"}:
        return words.squared if said == "2" else words.cubed
    is_short = _is_single(power) or _SIGNED.fullmatch(said)
    return f"{words.power} {said}{'' if is_short else ','}"


def _power(node: Element, words: FormulaWords) -> str:
    base, power = _parts(node, 2)
    return f"{_say(base, words)} {_raised(power, words)}"


def _index(node: Element, words: FormulaWords) -> str:
    base, index = _parts(node, 2)
    said = f"{_say(base, words)} {words.sub} {_say(index, words)}"
    return said if _is_single(index) else f"{said},"


def _index_and_power(node: Element, words: FormulaWords) -> str:
    base, index, power = _parts(node, 3)
    if _text(base) in _BIG:
        return _range(node, words)
    return f"{_say(base, words)} {words.sub} {_say(index, words)} {_raised(power, words)}"


def _root(node: Element, words: FormulaWords) -> str:
    said = f"{words.root} {_row(node, words)}"
    return said if _is_single(node) else f"{said},"


def _nth_root(node: Element, words: FormulaWords) -> str:
    base, degree = _parts(node, 2)
    before, after = words.nth_root
    return f"{before} {_say(degree, words)} {after} {_say(base, words)},"


def _fenced(node: Element, words: FormulaWords) -> str:
    opening, closing = node.get("open", "("), node.get("close", ")")
    children = [child for child in node if local_name(child)]
    if len(children) == 1 and local_name(_core(children[0])) == "mtable":
        return _matrix(_core(children[0]), words)
    separator = (node.get("separators", ",").strip() or " ")[0]
    inside = f"{separator} ".join(_say(child, words) for child in children)
    return f"{opening}{inside}{closing}"


def _accented(node: Element, words: FormulaWords) -> str:
    base, accent = _parts(node, 2)
    name = _ACCENTS.get(_text(accent))
    if name is None:
        raise _NotSimple
    return f"{_say(base, words)} {name}"


def _range(node: Element, words: FormulaWords) -> str:
    sign, start, end = _parts(node, 3)
    name = _BIG.get(_text(sign))
    if name is None:
        raise _NotSimple
    first, to, of = words.from_to_of
    return f"{getattr(words, name)} {first} {_say(start, words)} {to} {_say(end, words)} {of}"


def _core(node: Element) -> Element:
    """The only element in a row, or else the element itself."""
    while local_name(node) in {"mrow", "mstyle"} and len(node) == 1:
        node = node[0]
    return node


def _matrix(node: Element, words: FormulaWords) -> str:
    rows = (", ".join(_row(cell, words) for cell in row) for row in node)
    return f"{words.matrix} {'; '.join(rows)};"


def _lines(node: Element, words: FormulaWords) -> str:
    """A table without brackets: the lines of a calculation, aligned at their signs."""
    return "; ".join(" ".join(_row(cell, words) for cell in row) for row in node)


_RULES: dict[str, Callable[[Element, FormulaWords], str]] = {
    **dict.fromkeys(("math", "mrow", "mstyle", "mpadded", "merror"), _row),
    **dict.fromkeys(("mn", "mo", "mtext", "ms"), _token),
    "mi": _letter,
    **dict.fromkeys(("mspace", "mphantom", "none"), _nothing),
    **dict.fromkeys(("semantics", "maction"), _first),
    "mfrac": _fraction,
    "msup": _power,
    "msub": _index,
    "msubsup": _index_and_power,
    "munderover": _range,
    "msqrt": _root,
    "mroot": _nth_root,
    "mfenced": _fenced,
    "mover": _accented,
    "mtable": _lines,
}
