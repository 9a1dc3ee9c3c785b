"""English words for mathematics in a line: powers, indices, functions, simple sums.

Read as in L. Chang, Handbook for Spoken Mathematics (1983), in its short forms.
"""

from __future__ import annotations

import re

from audiomill.inputs.languages.en.numbers import (
    SUBSCRIPTS,
    SUPERSCRIPTS,
    cardinal,
    cardinal_or_digits,
)
from audiomill.inputs.languages.en.quantities import say_amount
from audiomill.inputs.languages.en.symbols import greek
from audiomill.inputs.spoken.rules import Context, Rule, rule

_SUPER = "⁰¹²³⁴-⁹⁺⁻ⁿ"
_POWERS = {"2": "squared", "3": "cubed"}
_OPERATOR = r"[=+−×÷·⋅≤≥<>≠≈±√^→]"
_BEFORE = re.compile(rf"(?:{_OPERATOR}|\s-)\s?\(?\Z")
# “30g+ of it” is at least as much, and no sum.
_AFTER = re.compile(rf"(?!\+(?:[\s,.;)]|\Z))\)?\s?{_OPERATOR}|\)?\s-\s")
_EQUATION = re.compile(r"[^.;?]{0,25}[=≤≥≠≈]")
_EQUATION_BEFORE = re.compile(r"[=≤≥≠≈][^.;?=≤≥≠≈]{0,25}\Z")
_RAISED = re.compile(rf"\s?\d{{1,6}}[{_SUPER}^]")
_SETTING = re.compile(r"[A-Za-z_]{3,}[\"']?=\Z")
_ORDINAL = re.compile(r"\d(?:st|nd|rd|th)\Z")
_UNITS = frozenset(("km", "cm", "mm", "dm", "ft", "yd", "mi", "in"))


_TERMS = re.compile(r"\d+|\S")
_TERM_SIGNS = {"+": "plus", "-": "minus", "−": "minus"}


def _power(text: str, region: str) -> str:
    """“squared”, “to the power of minus three”, for an exponent in plain characters."""
    plain = text.translate(SUPERSCRIPTS).strip("(){}")
    if plain in _POWERS:
        return _POWERS[plain]
    sign = "minus " if plain.startswith("-") else ""
    value = plain.lstrip("+-")
    said = " ".join(
        (cardinal_or_digits(one, region) or one) if one.isdecimal() else _TERM_SIGNS.get(one, one)
        for one in map(str, _TERMS.findall(value))
    )
    return f"to the power of {sign}{said}"


def _letters(text: str, region: str) -> str:
    """“four a c”, “two pi r”: a product of a number and letters that stand for values."""
    parts = re.findall(r"\d+|\D", text)
    return " ".join(
        cardinal_or_digits(one, region) if one.isdecimal() else greek(one) or one for one in parts
    )


def _raised(match: re.Match[str], context: Context) -> str | None:
    exponent = match["exponent"]
    if exponent in "+-⁺⁻" or match["base"] in _UNITS:
        return None
    if match["base"] == "sp":  # a hybrid orbital
        more = " " if match["more"] is not None else ""
        return f"S P {cardinal_or_digits(exponent.translate(SUPERSCRIPTS), context.region)}{more}"
    base = match["base"]
    said = (
        cardinal_or_digits(base, context.region)
        if base.isdecimal()
        else _letters(base, context.region)
    )
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
    plain = match["index"].translate(SUBSCRIPTS)
    sub = cardinal_or_digits(plain, context.region) if plain.isdecimal() else " ".join(plain)
    return f"{_letters(match['base'], context.region)} sub {sub}"


def _function(match: re.Match[str], context: Context) -> str:
    argument = ", ".join(one.strip() for one in match["argument"].split(","))
    if argument.isdecimal():
        return f"{match['name']} of {cardinal_or_digits(argument, context.region)}"
    argument = "".join(greek(one) or one for one in argument)
    return f"{match['name']} of {argument}"


def _is_beside_operator(match: re.Match[str], context: Context) -> bool:
    before = context.text_before(match.start(), 4)
    after = context.text[match.end() : match.end() + 4]
    return bool(_BEFORE.search(before) or _AFTER.match(after))


def _is_in_equation(match: re.Match[str], context: Context) -> bool:
    before = context.text_before(match.start(), 30)
    return bool(_EQUATION_BEFORE.search(before) or _EQUATION.match(context.text, match.end()))


def _product(match: re.Match[str], context: Context) -> str | None:
    before = context.text_before(match.start())
    is_set = match[0][-1] in "smhd" and _SETTING.search(before)  # “timeout=30s”
    if _ORDINAL.search(match[0]) or is_set:
        return None
    if not _is_beside_operator(match, context) and not re.search("[α-ω]", match[0]):
        return None
    return _letters(match[0], context.region)


def _factorial(match: re.Match[str], context: Context) -> str | None:
    value = match["value"]
    if value.isdecimal() and not _is_beside_operator(match, context):
        return None
    said = cardinal_or_digits(value, context.region) if value.isdecimal() else value
    return f"{said} factorial"


def _times(match: re.Match[str], context: Context) -> str:
    """“by” between the sides of something, “times” in a sum."""
    raised = _RAISED.match(context.text, match.end())
    return " times " if raised or _is_in_equation(match, context) else " by "


def _sides(match: re.Match[str], context: Context) -> str:
    return " by ".join(
        cardinal_or_digits(one, context.region) for one in match[0].lower().split("x")
    )


def _minus(match: re.Match[str], context: Context) -> str | None:
    return " minus " if _is_in_equation(match, context) else None


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

RULES: tuple[Rule, ...] = (
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
    rule(
        "power",
        rf"(?P<base>\d{{1,6}}|\d{{0,4}}[a-zA-Zα-ω]{{1,2}})(?![{_SUPER}]{{1,4}}/[₀-₉])(?P<exponent>[{_SUPER}]{{1,4}})(?P<more>(?=[^\W_]))?",
        _raised,
    ),
    rule(
        "power",
        r"(?P<base>\d{1,6}|\d{0,4}[a-zA-Zα-ω]{1,2})\^(?P<exponent>[-−]?\d{1,4}|[a-z](?!\w)|[({][-−]?\w{1,4}(?:[+−-]\w{1,2})?[)}])(?P<more>(?=[^\W_]))?",
        _raised,
    ),
    rule("power", rf"\)(?P<exponent>[{_SUPER}]{{1,4}})", _raised_bracket),
    rule("index", r"(?P<base>[a-zA-Zα-ω])(?P<index>[₀-₉]{1,3}|[ₐₑᵢⱼₖₙₓ])(?!\w)", _index),
    rule(
        "function",
        r"(?P<name>[fgh])\((?P<argument>[xyztnkθφ](?:,\ ?[xyztnk]){0,2}|\d{1,4})\)",
        _function,
    ),
    rule("sides", r"(?!0x)\d{1,5}(?:[xX]\d{1,5}){1,2}(?![^\W_])", _sides),
    rule(
        "product",
        r"(?!\d{1,2}[ap]m\b)\d{0,4}[a-zA-Zα-ω]{1,3}(?:(?<=\d[a-zα-ω])|(?<=[α-ω][a-z])|(?<=\d[a-zα-ω]{2}))(?![\w'’-])",
        _product,
    ),
    rule("product", r"\d{1,4}[α-ω][a-z]?(?![\w'’-])", _product),
    rule(
        "factorial",
        rf"(?P<value>{_VARIABLE}|\d{{1,3}})!(?=\s?[=+−×÷/)]|\s?\Z|\s(?:is|for|ways|and)\b)",
        _factorial,
    ),
    rule("times", r"×(?=\s?\d)(?<=\d×)|×(?=\s?\d)(?<=\d[\s\u00a0]×)", _times),
    rule("times", r"(?<=\dk\s)x(?=\s\d)", _times),
    rule("minus", r"-(?=\s?[\w(])(?<=[\w)²³]\s-)", _minus),
    rule("times", r"\*(?=\s[\w(])(?<=[\w)]\s\*)|\*(?=\d)(?<=\d\*)|\*\*(?=\d)(?<=\d\*\*)", _star),
    rule("over", r"/(?=[a-z]\b)(?<=\b[a-z]/)|/(?=[ ](?:\d|[a-z]\b))(?<=[\w²³)][ ]/)", _over),
)
