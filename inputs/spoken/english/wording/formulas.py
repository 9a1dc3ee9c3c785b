"""English words for formulas in a line: chemistry, powers, indices, functions, simple sums.

Chemical names are read as letters and numbers, as chemists say them: IUPAC, Compendium of Chemical
Terminology, “chemical formula”. Mathematics is read as in L. Chang, Handbook for Spoken
Mathematics (1983), in its short forms.
"""

from __future__ import annotations

import re

from audiomill.inputs.languages.abbreviations import words
from audiomill.inputs.spoken.english.numbers.numbers import cardinal, digits
from audiomill.inputs.spoken.english.numbers.quantities import say_amount
from audiomill.inputs.spoken.english.wording.letters import spell
from audiomill.inputs.spoken.english.wording.symbols import greek
from audiomill.inputs.spoken.rules import Context, Rule, rule

_ELEMENTS = words(
    """
    H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se
    Br Kr Rb Sr Y Zr Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb
    Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu Am Cm
    Bk Cf Es Fm
    """
)
_WITHOUT_DIGITS = words(
    """
    NaCl HCl KCl NaOH KOH LiOH CaO MgO ZnO HBr NaF KBr KI NaI AgCl CuO FeO FeS ZnS CaS GaN GaAs
    SiC NaHS LiCl CsCl HgO HF HCN KCN NaCN
    """
)
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉₊₋", "0123456789+-")
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿ−", "0123456789+-()n-")
_SUPER = "⁰¹²³⁴-⁹⁺⁻ⁿ"
_PART = re.compile(r"[A-Z][a-z]?|\d+|[()]")
_POWERS = {"2": "squared", "3": "cubed"}
_OPERATOR = r"[=+−×÷·⋅≤≥<>≠≈±√^→]"
_BEFORE = re.compile(rf"(?:{_OPERATOR}|\s-)\s?\(?\Z")
_AFTER = re.compile(rf"\)?\s?{_OPERATOR}|\)?\s-\s")
_EQUATION = re.compile(r"[^.;?]{0,25}[=≤≥≠≈]")
_EQUATION_BEFORE = re.compile(r"[=≤≥≠≈][^.;?=≤≥≠≈]{0,25}\Z")
_RAISED = re.compile(rf"\s?\d{{1,6}}[{_SUPER}^]")
_ORDINAL = re.compile(r"\d(?:st|nd|rd|th)\Z")
_UNITS = frozenset(("km", "cm", "mm", "dm", "ft", "yd", "mi", "in"))
_MAX_DIGITS = 6


def _number(text: str, region: str) -> str:
    plain = text.replace(",", "")
    return cardinal(int(plain), region) if len(plain) <= _MAX_DIGITS else digits(plain)


def _formula(match: re.Match[str], context: Context) -> str | None:
    plain = match["formula"].translate(_SUBSCRIPTS)
    if not _is_formula(
        plain, has_subscript=plain != match["formula"], charged=bool(match["charge"])
    ):
        return None
    said = [_number(match["count"], context.region)] if match["count"] else []
    said += [
        _number(one, context.region) if one.isdecimal() else spell(one)
        for one in _PART.findall(plain)
        if one not in "()"
    ]
    return " ".join((*said, *_charge(match["charge"] or "", context.region)))


def _ion(match: re.Match[str], context: Context) -> str | None:
    if match["element"] not in _ELEMENTS:
        return None
    return " ".join((spell(match["element"]), *_charge(match["charge"], context.region)))


def _charge(text: str, region: str) -> list[str]:
    plain = text.translate(_SUPERSCRIPTS)
    signs = {"+": "plus", "-": "minus"}
    return [signs.get(one) or _number(one, region) for one in re.findall(r"\d+|[+-]", plain)]


def _is_formula(plain: str, *, has_subscript: bool, charged: bool) -> bool:
    """Whether this is chemistry: real elements in a combination that is no word and no code."""
    elements = re.findall(r"[A-Z][a-z]?", plain)
    if not _ELEMENTS.issuperset(elements):
        return False
    if has_subscript or charged or plain in _WITHOUT_DIGITS:
        return True
    numbers = re.findall(r"\d+", plain)
    if not numbers or any(one.startswith(("0", "1")) and len(one) == 1 for one in numbers):
        return False
    return (len(set(elements)) > 1 and not plain.endswith("B")) or plain in {"O2", "H2", "N2", "O3"}


def _power(text: str, region: str) -> str:
    """“squared”, “to the power of minus three”, for an exponent in plain characters."""
    plain = text.translate(_SUPERSCRIPTS).strip("(){}")
    if plain in _POWERS:
        return _POWERS[plain]
    sign = "minus " if plain.startswith("-") else ""
    value = plain.lstrip("+-")
    said = _number(value, region) if value.isdecimal() else " ".join(value)
    return f"to the power of {sign}{said}"


def _letters(text: str, region: str) -> str:
    """“four a c”, “two pi r”: a product of a number and letters that stand for values."""
    parts = re.findall(r"\d+|\D", text)
    return " ".join(_number(one, region) if one.isdecimal() else greek(one) or one for one in parts)


def _raised(match: re.Match[str], context: Context) -> str | None:
    exponent = match["exponent"]
    if exponent in "+-⁺⁻" or match["base"] in _UNITS:
        return None
    if match["base"] == "sp":  # a hybrid orbital
        more = " " if match["more"] is not None else ""
        return f"S P {_number(exponent.translate(_SUPERSCRIPTS), context.region)}{more}"
    base = match["base"]
    said = _number(base, context.region) if base.isdecimal() else _letters(base, context.region)
    said = f"{said} {_power(exponent, context.region)}"
    return f"{said} " if match["more"] is not None else said


def _scientific(match: re.Match[str], context: Context) -> str:
    """“three point two times ten to the minus four”, for “3.2e-4”."""
    sign = "minus " if match["sign"] in ("-", "−", "–") else ""
    exponent = cardinal(int(match["exponent"]))
    amount = say_amount(match["amount"], context.region)
    return f"{amount} times ten to the {sign}{exponent}"


def _raised_bracket(match: re.Match[str], context: Context) -> str:
    return f") {_power(match['exponent'], context.region)}"


def _index(match: re.Match[str], context: Context) -> str:
    plain = match["index"].translate(_SUBSCRIPTS)
    sub = _number(plain, context.region) if plain.isdecimal() else " ".join(plain)
    return f"{_letters(match['base'], context.region)} sub {sub}"


def _function(match: re.Match[str], context: Context) -> str:
    argument = ", ".join(one.strip() for one in match["argument"].split(","))
    if argument.isdecimal():
        return f"{match['name']} of {_number(argument, context.region)}"
    argument = "".join(greek(one) or one for one in argument)
    return f"{match['name']} of {argument}"


def _is_beside_operator(match: re.Match[str], context: Context) -> bool:
    before = context.text[max(0, match.start() - 4) : match.start()]
    after = context.text[match.end() : match.end() + 4]
    return bool(_BEFORE.search(before) or _AFTER.match(after))


def _is_in_equation(match: re.Match[str], context: Context) -> bool:
    before = context.text[max(0, match.start() - 30) : match.start()]
    return bool(_EQUATION_BEFORE.search(before) or _EQUATION.match(context.text, match.end()))


def _product(match: re.Match[str], context: Context) -> str | None:
    if _ORDINAL.search(match[0]):
        return None
    if not _is_beside_operator(match, context) and not re.search("[α-ω]", match[0]):
        return None
    return _letters(match[0], context.region)


def _factorial(match: re.Match[str], context: Context) -> str | None:
    value = match["value"]
    if value.isdecimal() and not _is_beside_operator(match, context):
        return None
    said = _number(value, context.region) if value.isdecimal() else value
    return f"{said} factorial"


def _times(match: re.Match[str], context: Context) -> str:
    """“by” between the sides of something, “times” in a sum."""
    raised = _RAISED.match(context.text, match.end())
    return " times " if raised or _is_in_equation(match, context) else " by "


def _sides(match: re.Match[str], context: Context) -> str:
    return " by ".join(_number(one, context.region) for one in match[0].lower().split("x"))


def _minus(match: re.Match[str], context: Context) -> str | None:
    return " minus " if _is_in_equation(match, context) else None


def _isotope(match: re.Match[str], context: Context) -> str | None:
    if match["element"] not in _ELEMENTS:
        return None
    mass = match["mass"].translate(_SUPERSCRIPTS)
    return f"{spell(match['element'])} {_number(mass, context.region)}"


def _star(match: re.Match[str], context: Context) -> str | None:
    if match[0] == "**":
        return " to the power of "
    if context.text[match.start() - 1].isdecimal():
        return " times "
    return " times " if _is_in_equation(match, context) else None


def _over(match: re.Match[str], context: Context) -> str | None:
    return " over " if _is_in_equation(match, context) else None


# Not letters that are English words.
_VARIABLE = "[b-hj-z]"

_ATOM = r"(?:Cl|Br|[HCNOFPSI])"

RULES: tuple[Rule, ...] = (
    # “the O−H bond”
    rule("formula", rf"−(?={_ATOM}(?![a-z]))(?<=[HCNOFPSIlr)\d]−)(?<!\s\d−)", lambda _m, _c: " "),
    # “a 6−hydrate”: a hyphen.
    rule("hyphen", r"−(?=[a-z]{4})(?<=[\da-z]−)", lambda _m, _c: "-"),
    # “ΔH°”, the standard value.
    rule("sign", r"°(?=[\s=),.;:]|\Z|[fr]\b)(?<=[ΔΔ][HGSE]°)", lambda _m, _c: " naught"),
    # “3.6 × 10−10”: the exponent, where the source does not raise it.
    rule(
        "scientific",
        r"(?<![\w.,])(?P<amount>\d{1,3}(?:\.\d{1,12})?)\s?[×x]\s?10(?P<sign>[−–-])(?P<exponent>\d{1,3})(?!\w|\.\d)",
        _scientific,
    ),
    rule(
        "scientific",
        r"(?<![\w.,])(?P<amount>\d{1,6}\.\d{1,12}(?=[eE])|\d{1,3}(?=e|E[+−-]))[eE](?P<sign>[+−–-]?)(?P<exponent>\d{1,3})(?!\w|\.\d)",
        _scientific,
    ),
    # “H2,4”: two indices of a letter, where the source does not lower them.
    rule(
        "index",
        r"(?P<base>[A-Za-z])(?P<first>\d),(?P<last>\d)(?![\w.,]\d|\w)(?<!\w\w\d,\d)",
        lambda match, _context: (
            f"{match['base']} {cardinal(int(match['first']))} {cardinal(int(match['last']))}"
        ),
    ),
    # “Ca2+”: an ion whose charge the source does not raise.
    rule(
        "formula",
        r"(?P<element>[A-Z][a-z]|[HK])(?P<charge>[2-4]?\+)(?![\w+]|\s?\d)",
        _ion,
    ),
    rule(
        "formula",
        r"""
        (?P<count>\d{0,2})
        (?P<formula>(?:[A-Z][a-z]?(?:\d{1,2}|[₀-₉]{1,3})?|\((?:[A-Z][a-z]?(?:\d|[₀-₉])?){1,4}\)(?:\d|[₀-₉])){1,12}+)
        (?P<charge>[⁰¹²³⁴-⁹]?[⁺⁻])?
        (?![\w⁰-⁹])
        """,
        _formula,
    ),
    rule(
        "power",
        rf"(?P<base>\d{{1,6}}|\d{{0,4}}[a-zA-Zα-ω]{{1,2}})(?P<exponent>[{_SUPER}]{{1,4}})(?P<more>(?=[^\W_]))?",
        _raised,
    ),
    rule(
        "power",
        r"(?P<base>\d{1,6}|\d{0,4}[a-zA-Zα-ω]{1,2})\^(?P<exponent>[-−]?\d{1,4}|[a-z](?!\w)|[({][-−]?\w{1,4}[)}])(?P<more>(?=[^\W_]))?",
        _raised,
    ),
    rule("power", rf"\)(?P<exponent>[{_SUPER}]{{1,4}})", _raised_bracket),
    # “¹H₂”: the mass before a formula.
    rule(
        "isotope",
        r"(?P<mass>[⁰¹²³⁴-⁹]{1,3})(?=[A-Z][a-z]?[₀-₉A-Z])(?<![\w)]¹)(?<![\w)][²³⁰⁴-⁹])",
        lambda match, context: (
            f"{_number(match['mass'].translate(_SUPERSCRIPTS), context.region)} "
        ),
    ),
    # “(NO₂)₂”
    rule(
        "index",
        r"(?P<index>[₀-₉]{1,3})(?<=[)\]][₀-₉])",
        lambda match, context: f" {_number(match['index'].translate(_SUBSCRIPTS), context.region)}",
    ),
    rule("isotope", r"(?P<mass>[⁰¹²³⁴-⁹]{1,3})(?P<element>[A-Z][a-z]?)(?![^\W_])", _isotope),
    rule("index", r"(?P<base>[a-zA-Zα-ω])(?P<index>[₀-₉]{1,3}|[ₐₑᵢⱼₖₙₓ])(?!\w)", _index),
    rule(
        "function",
        r"(?P<name>[fgh])\((?P<argument>[xyztnkθφ](?:,\ ?[xyztnk]){0,2}|\d{1,4})\)",
        _function,
    ),
    rule("sides", r"(?!0x)\d{1,5}(?:[xX]\d{1,5}){1,2}(?![^\W_])", _sides),
    rule(
        "product",
        r"\d{0,4}[a-zA-Zα-ω]{1,3}(?:(?<=\d[a-zα-ω])|(?<=[α-ω][a-z])|(?<=\d[a-zα-ω]{2}))(?![\w'’-])",
        _product,
    ),
    rule("product", r"\d{1,4}[α-ω][a-z]?(?![\w'’-])", _product),
    rule(
        "factorial",
        rf"(?P<value>{_VARIABLE}|\d{{1,3}})!(?=\s?[=+−×÷/)]|\s?\Z|\s(?:is|for|ways|and)\b)",
        _factorial,
    ),
    rule("times", r"×(?=\s?\d)(?<=\d×)|×(?=\s?\d)(?<=\d[\s\u00a0]×)", _times),
    rule("minus", r"-(?=\s?[\w(])(?<=[\w)²³]\s-)", _minus),
    rule("times", r"\*(?=\s?[\w(])(?<=[\w)]\s\*)|\*(?=\d)(?<=\d\*)|\*\*(?=\d)(?<=\d\*\*)", _star),
    rule("over", r"/(?=[a-z]\b)(?<=\b[a-z]/)", _over),
)
