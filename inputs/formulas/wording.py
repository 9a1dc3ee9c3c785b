"""The words of each language for what the layout of a formula means. Pure tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

_ENGLISH_SIGNS = {
    "sin": "sine",
    "cos": "cosine",
    "tan": "tangent",
    "ln": "natural log",
    "argmax": "arg max",
    "argmin": "arg min",
    "!": "factorial",
    "∗": "times",
    "*": "times",
    "∼": "is distributed as",
    "~": "is distributed as",
    "↦": "maps to",
    "∖": "without",
    "⧵": "without",
    "⟹": "implies",
    "⇒": "implies",
    "⟸": "follows from",
    "⟺": "if and only if",
    "⟵": "from",
    "←": "becomes",
    "∘": "composed with",
    "⊕": "plus",
    "⊗": "times",
    "⊙": "times",
    "⊥": "is perpendicular to",
    "⟂": "is perpendicular to",
    "⊃": "is a superset of",
    "⊇": "is a superset of",
    "⊊": "is a subset of",
    "⩽": "is less than or equal to",
    "⩾": "is greater than or equal to",
    "≜": "is defined as",
    "≔": "is defined as",
    ":=": "is defined as",
    "∄": "there is no",
    "∋": "contains",
    "ℏ": "h bar",
    "⋯": "…",
}


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
    over_all: str  # before what a sum runs over
    limit: tuple[str, str]  # before the variable, and for the arrow behind it
    chosen: str  # a binomial coefficient, of {n} and {k}
    absolute: str
    size: str  # of a set
    norm: str
    set_of: str
    such_that: str
    given: str
    transposed: str
    superscript: str  # one that is no power
    argument: str  # between a function and its argument
    log_base: str
    rounded: tuple[str, str]  # down, and up
    signs: Mapping[str, str] = field(default_factory=dict[str, str])  # those of formulas alone


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
        over_all="over",
        limit=("the limit as", "approaches"),
        chosen="{n} choose {k}",
        absolute="the absolute value of",
        size="the size of",
        norm="the norm of",
        set_of="the set",
        such_that="such that",
        given="given",
        transposed="transpose",
        superscript="superscript",
        argument="of",
        log_base="log base",
        rounded=("the floor of", "the ceiling of"),
        signs=_ENGLISH_SIGNS,
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
        over_all="über",
        limit=("der Limes für", "gegen"),
        chosen="{n} über {k}",
        absolute="Betrag von",
        size="Mächtigkeit von",
        norm="Norm von",
        set_of="die Menge",
        such_that="mit",
        given="unter",
        transposed="transponiert",
        superscript="hochgestellt",
        argument="von",
        log_base="Logarithmus zur Basis",
        rounded=("abgerundet", "aufgerundet"),
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
        over_all="sur",
        limit=("la limite quand", "tend vers"),
        chosen="{k} parmi {n}",
        absolute="la valeur absolue de",
        size="le cardinal de",
        norm="la norme de",
        set_of="l'ensemble",
        such_that="tel que",
        given="sachant",
        transposed="transposé",
        superscript="exposant",
        argument="de",
        log_base="log en base",
        rounded=("la partie entière de", "la partie entière supérieure de"),
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
        over_all="sobre",
        limit=("el límite cuando", "tiende a"),
        chosen="{n} sobre {k}",
        absolute="el valor absoluto de",
        size="el cardinal de",
        norm="la norma de",
        set_of="el conjunto",
        such_that="tal que",
        given="dado",
        transposed="traspuesta",
        superscript="superíndice",
        argument="de",
        log_base="log en base",
        rounded=("la parte entera de", "la parte entera superior de"),
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
        over_all="su",
        limit=("il limite per", "che tende a"),
        chosen="{n} su {k}",
        absolute="il valore assoluto di",
        size="la cardinalità di",
        norm="la norma di",
        set_of="l'insieme",
        such_that="tale che",
        given="dato",
        transposed="trasposta",
        superscript="apice",
        argument="di",
        log_base="log in base",
        rounded=("la parte intera di", "la parte intera superiore di"),
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
        over_all="sobre",
        limit=("o limite quando", "tende a"),
        chosen="{n} sobre {k}",
        absolute="o valor absoluto de",
        size="o cardinal de",
        norm="a norma de",
        set_of="o conjunto",
        such_that="tal que",
        given="dado",
        transposed="transposta",
        superscript="sobrescrito",
        argument="de",
        log_base="log na base",
        rounded=("a parte inteira de", "a parte inteira superior de"),
    ),
}


def words_in(language: str) -> FormulaWords:
    """The words of a language (BCP 47); English ones for a language that has none here."""
    return _WORDS.get(language.lower().partition("-")[0], _WORDS["en"])
