"""Powers in European languages: “dix puissance moins trois” for “10⁻³”, “x hoch zwei” for “x²”.

And units with negative exponents: “kilojoules par mole” for “kJ.mol-1”, “m·s⁻²”, “mg L-1”.
"""

from __future__ import annotations

import re
from decimal import Decimal

from audiomill.inputs.spoken.european import number_words
from audiomill.inputs.spoken.european.counting import COUNT, END, SPACE, Counting, alternatives
from audiomill.inputs.spoken.european.language import LanguageWords
from audiomill.inputs.spoken.european.units import UNITS
from audiomill.inputs.spoken.rules import NEAR, Context, Rule, rule

_SIGNS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ"
_PLAIN = str.maketrans(_SIGNS + "−–", "0123456789+-n--")
# A raised number after others than ten is more often that of a note.
_BASE = r"(?P<base>10|(?<![^\W_])(?<!/)[a-zα-ωA-Z]|\d{1,4}(?=[⁻^]))"
_RAISED = rf"{_BASE}(?P<exponent>[⁺⁻]?[⁰¹²³⁴-⁹]{{1,3}}|ⁿ)(?!\w)"
_MARKED = rf"{_BASE}\^(?P<exponent>[-−–]?\d{{1,3}}|[a-z])(?!\w)"
_RELAY = r"4[ ]?[x×][ ]?(?P<length>100|200|400|800|1500)(?P<unit>[ ]?m(?![^\W_])|(?![\w]))"
_TIMES = r"[ \u00a0]?[·⋅×][ \u00a0]?(?=10[⁰¹²³⁴-⁹⁻^])"
_LENGTHS = frozenset("m")  # “m²” is a unit

# What shows that “x” multiplies; in Portuguese it stands in scores, too: “6 x 1”.
_MEASURED = re.compile(
    r"[ \u00a0]\d[\d.,]*[ \u00a0]?"
    r"(?:(?:[mcdk]?m|[km]?g|m?l|px|pixels?|metros?|polegadas|unid|R\$|reais)(?![^\W_])|[=x×*])"
)

_LENGTH_UNITS = (
    r"(?:[mcdk]?m|px|pixels?|mètres?|centimètres|metros?|centímetros|metri|centimetri|polegadas"
    r"|pulgadas|pollici|pouces|po|pieds|pés|pies|piedi)(?![^\W_])"
)
_SIDES = re.compile(
    rf"[ \u00a0](?:\d[\d.,]*[ \u00a0]?[x×][ \u00a0])?\d[\d.,]*[ \u00a0]?{_LENGTH_UNITS}"
)
# What has sides without a unit: “une grille 9 × 9”.
_SQUARED = re.compile(
    r"\b(?:grilles?|carrés?|damiers?|échiquiers?|plateaux?|matrices?|tableaux?"
    r"|cuadrículas?|cuadrados?|tableros?|matriz|matrizes|griglia|griglie|quadrat[oi]|scacchiera"
    r"|grades?|quadrados?|tabuleiros?)(?:[ ](?:de|di|da))?[ \u00a0]\d+[ \u00a0]?\Z"
)
# “10x15 cm”
_SIDE = (
    r"(?<![\d.,x])(?P<first>\d{1,4}(?:,\d{1,2})?)[x×](?P<last>\d{1,4}(?:,\d{1,2})?)"
    rf"(?P<gap>[ ]?)(?P<unit>{_LENGTH_UNITS})"
)

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
        sides = _SIDES.match(context.text, match.end())
        is_side = sides and not context.text.startswith("=", sides.end())
        near = context.text[max(0, match.start() - NEAR) : match.start()]
        if is_side or _SQUARED.search(near):
            return f" {language.by} "
        is_x = match[0] == "x" and language.code == "pt"
        is_score = is_x and not _MEASURED.match(context.text, match.end())
        return " a " if is_score else times(match, context)

    def side(match: re.Match[str], context: Context) -> str | None:
        first, last = (language.read(match[name], context.region) for name in ("first", "last"))
        if first is None or last is None:
            return None
        sides = f" {language.by} ".join(language.say(one, context.region) for one in (first, last))
        unit = units.get(match["unit"])
        count = max(last.value, Decimal(2))
        name = unit and number_words.unit_name(unit, count, language.code, context.region)
        return f"{sides} {name or match['unit']}"

    def relay(match: re.Match[str], context: Context) -> str:
        """“quatro por cem metros”."""
        times_or_by = language.by if language.code == "pt" else language.symbols["×"]
        number = language.say_whole(match["length"], context.region)
        meters = number_words.unit_name("length-meter", Decimal(2), language.code, context.region)
        four = language.say_whole("4", context.region)
        return f"{four} {times_or_by} {number}" + (f" {meters}" if match["unit"] else "")

    return (
        rule("relay", _RELAY, relay),
        rule("power", _RAISED + unit, power),
        rule("power", _MARKED + unit, power),
        rule("times", rf"{_TIMES}(?<=[\d\u00a0 ·⋅×])", times),
        rule("times", _SIDE, side),
        # “3 x 4 cm”
        rule("times", r"(?:(?<=\d[ \u00a0])|(?<=\d))(?:x|×(?!10))(?=[ \u00a0]\d)", letter),
    )


def unit_products(language: LanguageWords) -> tuple[Rule, ...]:
    """The rules for products of units, after a number and alone."""
    products = _Products(language)
    units = alternatives(products.units)
    below = rf"(?P<below>(?:(?:[.·⋅]|{SPACE})(?:{units})(?:{_EXPONENT}))+)(?![\w-])"
    return (
        Rule("unit", re.compile(rf"{COUNT}{SPACE}?(?P<unit>{units}){below}"), products.counted),
        Rule("unit", re.compile(rf"(?<![\w.])(?P<unit>{units}){below}"), products.alone),
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
            said += "" if power == "1" else f" {language.powers[power]}"
        return said

    def _name(self, printed: str, count: Decimal, region: str) -> str:
        return number_words.unit_name(self.units[printed], count, self.language.code, region)
