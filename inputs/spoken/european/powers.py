"""Powers in European languages: “dix puissance moins trois” for “10⁻³”, “x hoch zwei” for “x²”.

And units with negative exponents: “kilojoules par mole” for “kJ.mol-1”, “m·s⁻²”, “mg L-1”.
"""

from __future__ import annotations

import re
from decimal import Decimal

from audiomill.inputs.spoken.european import number_words
from audiomill.inputs.spoken.european.counting import (
    COUNT,
    END,
    SPACE,
    Counting,
    alternatives,
)
from audiomill.inputs.spoken.european.language import LanguageWords
from audiomill.inputs.spoken.european.number_words import UNITS
from audiomill.inputs.spoken.rules import Context, Rule, dense_rule, rule

_SIGNS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ"
_PLAIN = str.maketrans(_SIGNS + "−–", "0123456789+-n--")
# A raised number after others than ten is more often that of a note.
_BASE = r"(?P<base>10|(?<![^\W_])(?<!/)[a-zα-ωA-Z]|\d{1,4}(?=[⁻^]))"
_RAISED = rf"{_BASE}(?P<exponent>[⁺⁻]?[⁰¹²³⁴-⁹]{{1,3}}|ⁿ)(?!\w)"
_MARKED = rf"{_BASE}\^(?P<exponent>[-−–]?\d{{1,3}}|[a-z])(?!\w)"
_TERM = r"\d{0,2}[a-z](?:[+−–-]\d{1,2})?|\d{1,2}[+−–-][a-z]"  # “(n−1)”
_BRACKETED = rf"{_BASE}\^\((?P<exponent>{_TERM})\)"
_PARTS = re.compile(r"\d+|\S")
_TIMES = r"[ \u00a0]?[·⋅×][ \u00a0]?(?=10[⁰¹²³⁴-⁹⁻^])"
_LENGTHS = frozenset("m")  # “m²” is a unit

# Letters that are units only beside others.
_BESIDE_OTHERS = {
    "K": "temperature-kelvin",
    "J": "energy-joule",
    "N": "force-newton",
    "Pa": "pressure-pascal",
}
_EXPONENT = r"[-−–][1-3]|⁻[¹²³]"
_DIGITS = str.maketrans("¹²³", "123")


def rules(language: LanguageWords) -> tuple[Rule, ...]:
    """The rules for powers, which come before those for numbers."""
    units = {**UNITS, **language.units}
    unit = rf"(?:(?<=[⁰¹²³⁴-⁹]){SPACE}(?P<unit>{alternatives(units)}){END})?"

    signs: dict[str, str] = {"-": language.minus, "+": language.symbols["+"]}

    def power(match: re.Match[str], context: Context) -> str | None:
        base, exponent = match["base"], match["exponent"].translate(_PLAIN)
        if base in _LENGTHS:
            return None
        said = language.say_whole(base, context.region) if base.isdecimal() else base
        unit = units.get(match["unit"] or "")
        noun = unit and number_words.unit_name(unit, Decimal(2), language.code, context.region)
        noun = f" {noun}" if noun else ""
        if exponent in language.powers:
            return f"{said} {language.powers[exponent]}{noun}"
        minus = f"{language.minus} " if exponent.startswith("-") else ""
        parts = (str(one) for one in _PARTS.findall(exponent.lstrip("+-")))
        value = " ".join(
            (language.say_whole(one, context.region) or one)
            if one.isdecimal()
            else signs.get(one, one)
            for one in parts
        )
        return f"{said} {language.power} {minus}{value}{noun}"

    def times(_match: re.Match[str], _context: Context) -> str:
        return f" {language.symbols['×']} "

    return (
        rule("power", _RAISED + unit, power),
        rule("power", _MARKED + unit, power),
        rule("power", _BRACKETED + unit, power),
        rule("times", rf"{_TIMES}(?<=[\d\u00a0 ·⋅×])", times),
    )


def unit_products(language: LanguageWords) -> tuple[Rule, ...]:
    """The rules for products of units, after a number and alone."""
    products = _Products(language)
    units = alternatives(products.units)
    below = rf"(?P<below>(?:(?:[.·⋅]|{SPACE})(?:{units})(?:{_EXPONENT}))+)(?![\w-])"
    return (
        dense_rule("unit", rf"{COUNT}{SPACE}?(?P<unit>{units}){below}", products.counted),
        dense_rule("unit", rf"(?<![\w.])(?P<unit>{units}){below}", products.alone),
    )


class _Products(Counting):
    """What is said for products of units in one language."""

    def __init__(self, language: LanguageWords) -> None:
        super().__init__(language)
        self.units = {**UNITS, **language.units, **_BESIDE_OTHERS}
        self._part = re.compile(rf"(?P<unit>{alternatives(self.units)})(?P<power>{_EXPONENT})")

    def counted(self, match: re.Match[str], context: Context) -> str | None:
        """“neuf virgule huit mètres par seconde au carré”."""
        number = self.last(match, context)
        if number is None:
            return None
        name = self._name(match["unit"], number.value, context.region)
        gender = self.language.gender(name.split()[0]) or "m"
        return self.count(match, context, gender, name + self._below(match, context.region))

    def alone(self, match: re.Match[str], context: Context) -> str:
        """“mole par litre”."""
        name = self._name(match["unit"], Decimal(1), context.region)
        return name + self._below(match, context.region)

    def _below(self, match: re.Match[str], region: str) -> str:
        language, said = self.language, ""
        for part in self._part.finditer(match["below"]):
            power = part["power"][1:].translate(_DIGITS)
            said += f" {language.per} {self._name(part['unit'], Decimal(1), region)}"
            if power != "1":
                number = language.say_whole(power, region)
                said += f" {language.powers.get(power) or f'{language.power} {number}'}"
        return said

    def _name(self, printed: str, count: Decimal, region: str) -> str:
        return number_words.unit_name(self.units[printed], count, self.language.code, region)
