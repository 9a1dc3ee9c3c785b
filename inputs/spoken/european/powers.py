"""Powers in European languages: “dix puissance moins trois” for “10⁻³”, “x hoch zwei” for “x²”."""

from __future__ import annotations

import re
from decimal import Decimal

from audiomill.inputs.spoken.european import number_words
from audiomill.inputs.spoken.european.counting import END, SPACE, alternatives
from audiomill.inputs.spoken.european.language import LanguageWords
from audiomill.inputs.spoken.european.units import UNITS
from audiomill.inputs.spoken.rules import Context, Rule, rule

_SIGNS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ"
_PLAIN = str.maketrans(_SIGNS + "−–", "0123456789+-n--")
# A raised number after others than ten is more often that of a note.
_BASE = r"(?P<base>10|(?<![^\W_])(?<!/)[a-zα-ωA-Z]|\d{1,4}(?=[⁻^]))"
_RAISED = rf"{_BASE}(?P<exponent>[⁺⁻]?[⁰¹²³⁴-⁹]{{1,3}}|ⁿ)(?!\w)"
_MARKED = rf"{_BASE}\^(?P<exponent>[-−–]?\d{{1,3}}|[a-z])(?!\w)"
_TIMES = r"[ \u00a0]?[·⋅×][ \u00a0]?(?=10[⁰¹²³⁴-⁹⁻^])"
_LENGTHS = frozenset("m")  # “m²” is a unit

# What shows that “x” multiplies; in Portuguese it stands in scores, too: “6 x 1”.
_MEASURED = re.compile(
    r"[ \u00a0]\d[\d.,]*[ \u00a0]?"
    r"(?:(?:[mcdk]?m|[km]?g|m?l|px|pixels?|metros?|polegadas|unid|R\$|reais)(?![^\W_])|[=x×*])"
)


def rules(language: LanguageWords) -> tuple[Rule, ...]:
    """The rules for powers, which come before those for numbers."""
    units = {**UNITS, **language.units}
    unit = rf"(?:(?<=[⁰¹²³⁴-⁹]){SPACE}(?P<unit>{alternatives(units)}){END})?"

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
        value = exponent.lstrip("+-")
        value = language.say_whole(value, context.region) if value.isdecimal() else value
        return f"{said} {language.power} {minus}{value}{noun}"

    def times(_match: re.Match[str], _context: Context) -> str:
        return f" {language.symbols['×']} "

    def letter(match: re.Match[str], context: Context) -> str:
        is_score = language.code == "pt" and not _MEASURED.match(context.text, match.end())
        return " a " if is_score else times(match, context)

    return (
        rule("power", _RAISED + unit, power),
        rule("power", _MARKED + unit, power),
        rule("times", rf"{_TIMES}(?<=[\d\u00a0 ·⋅×])", times),
        # “3 x 4 cm”
        rule("times", r"(?:(?<=\d[ \u00a0])|(?<=\d))x(?=[ \u00a0]\d)", letter),
    )
