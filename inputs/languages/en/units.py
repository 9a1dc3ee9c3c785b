"""English units after a number: “5 km”, “9.8 m/s²”, “−40 °F”, “a 60 W bulb”, “5 ft 10 in”.

Style: NIST Special Publication 811, chapter 9, for the spoken form of units; The Chicago Manual of
Style (17th ed.), 10.49 to 10.66.
"""

from __future__ import annotations

import re

from audiomill.inputs.languages.en.amounts import (
    ALONE,
    COMMA_DECIMAL,
    NUMBER,
    SIGN,
    STOP,
    Amount,
    amount,
    amount_or_range,
    part_of,
)
from audiomill.inputs.languages.en.numbers import ONES, TENS, ordinal
from audiomill.inputs.languages.en.unit_names import SINGLE, UNITS, spelled_in
from audiomill.inputs.languages.en.unit_signs import NO_PLURALS, PEOPLE, describes, is_unit
from audiomill.inputs.spoken.rules import Context, Rule, any_of, rule

_THINGS = re.compile(r"\s(?:[a-z]{3,12}\s)?([a-z]{2,}s)\b")  # “tins”, “salmon fillets”
_ARTICLE = re.compile(r"^an? ")  # of “a half”, which describes: “a half-pound steak”
_DEGREES = r"(?:[°º](?:\s?[CFK]\b)?|o[CF]\b)"
# Printed with a full stop after each letter: “70 m.p.h.”.
_DOTTED_NAMES = ("mph", "kph", "mpg", "rpm", "bpm", "wpm", "psi", "ppm", "bhp", "hp", "cc")
_DOTTED = "|".join(r"\.\ ?".join(name) for name in _DOTTED_NAMES)
_PLAIN = any_of(one for one in UNITS if one[0] != "°" and "_" not in one)
_SYMBOL = rf"(?:{_DEGREES}|\u2126|{_DOTTED}|{_PLAIN})"
_LENGTHS = frozenset(("m", "km", "cm", "mm", "dm", "µm", "ft", "in", "mi", "yd"))
_POWER = r"(?:[²³]|\^[23](?!\d)|(?<=m)[23](?!\d))?"
_PERIODS = {
    "second": "second",
    "minute": "minute",
    "hour": "hour",
    "d": "day",
    "day": "day",
    "week": "week",
    "month": "month",
    "year": "year",
    "a": "year",
    "person": "person",
    "capita": "capita",
    "use": "use",
}
_BELOW = rf"/(?:{_SYMBOL}{_POWER}|{any_of(_PERIODS)})(?![\w/²³^])"
_INVERSE = r"[\s·⋅](?:s|h|kg|m|mol|K)[⁻−-][¹²³]"
_EXPRESSION = (
    rf"(?P<kind>(?:sq|cu|fl|SQ|CU)\.?\s)?(?P<unit>{_SYMBOL})(?P<power>{_POWER})"
    rf"(?P<times>[·⋅]{_SYMBOL})?(?P<below>(?:/{_SYMBOL}{_POWER}(?=/)|{_BELOW}|{_INVERSE}){{0,2}})"
)
_SCALE = r"(?:\s(?P<scale>thousand|million|billion|trillion)(?!s))?"
_POWERS = {"²": "square", "2": "square", "³": "cubic", "3": "cubic"}
_BELOWS = re.compile(
    r"/(?P<unit>[^/²³^\d\s]+)\^?(?P<power>[²³23]?)|[\s·⋅](?P<inverse>\w+).(?P<to>[¹²³])"
)


def _symbol(text: str) -> str:
    """The symbol as the tables of units have it."""
    return (
        re.sub(r"[\s.]", "", text)
        .replace("º", "°")
        .replace("oC", "°C")
        .replace("oF", "°F")
        .replace("\u2126", "Ω")
    )


def _below(text: str, region: str) -> str:
    """“per second squared”, “per cubic meter”, for what stands after a slash."""
    said = list[str]()
    for part in _BELOWS.finditer(text):
        name = part["unit"] or part["inverse"]
        power = part["power"] or (part["to"] or "").replace("¹", "")
        one = _PERIODS.get(name) or UNITS[_symbol(name)].one
        one = spelled_in(one, region)
        if power and name in _LENGTHS:
            one = f"{_POWERS[power]} {one}"
        elif power:
            one = f"{one} {'squared' if _POWERS[power] == 'square' else 'cubed'}"
        said.append(f"per {one}")
    return " ".join(said)


def _unit(match: re.Match[str], count: Amount, region: str) -> str:
    """The words for the unit, in the singular for one."""
    kind = (match["kind"] or "").lower()[:2]
    symbol = _symbol(match["unit"])
    unit = UNITS["fl_oz" if kind == "fl" and symbol == "oz" else symbol]
    said = unit.one if count.is_one else unit.many
    square = _POWERS.get((match["power"] or "").lstrip("^")) or {"sq": "square", "cu": "cubic"}.get(
        kind
    )
    if match["times"]:
        said = f"{unit.one} {UNITS[_symbol(match['times'][1:])].many}"
    parts = (square, spelled_in(said, region), _below(match["below"] or "", region))
    return " ".join(part for part in parts if part)


def _alone(match: re.Match[str], context: Context) -> str:
    """“per square kilometer”, “in square kilometers”, without a number."""
    unit = UNITS[match["unit"]]
    name = unit.one if context.word_before(match.start()).lower() == "per" else unit.many
    power = f"{_POWERS[match['power']]} " if match["power"] else ""
    below = _below(match["below"], context.region)
    return f"{power}{spelled_in(name, context.region)} {below}".rstrip()


def _quantity(match: re.Match[str], context: Context) -> str | None:
    if not is_unit(match, context):
        return None
    region = context.region
    count = amount_or_range(match, region)
    minus = "minus " if match["minus"] else ""
    hyphen = match["gap"] == "-" or describes(match, context)
    said = _unit(match, Amount("", is_one=True) if hyphen else count, region)
    if count.is_fraction and not hyphen:
        return minus + part_of(count.words, said)
    if not hyphen:
        return f"{minus}{count.words} {said}"
    name = said.replace(" ", "-").replace("-Celsius", " Celsius").replace("-Fahr", " Fahr")
    return f"{minus}{_ARTICLE.sub('', count.words)}-{name}"


def _packs(match: re.Match[str], context: Context) -> str | None:
    """“two four hundred-gram tins”."""
    things = _THINGS.match(context.text, match.end())
    if match["count"] != "1" and (things is None or things[1] in NO_PLURALS):
        return None
    count, size = (amount(match[one], context.region).words for one in ("count", "number"))
    unit = spelled_in(UNITS[match["unit"]].one, context.region)
    return f"{count} {size}-{unit}"


def _exposure(match: re.Match[str], context: Context) -> str:
    """“one two hundred fiftieth of a second”."""
    return f"one {ordinal(int(match['below']), context.region)} of a second"


def _heats(match: re.Match[str], context: Context) -> str | None:
    """“two hundred degrees Celsius, four hundred degrees Fahrenheit, gas”, of a recipe."""
    if match["unit"] == match["other"] and not match["fan"]:
        return None
    pairs = (("first", "unit"), ("second", "other"))
    heats = [
        f"{amount(match[number], context.region).words} {UNITS['°' + match[unit]].many}"
        for number, unit in pairs
        if match[number]
    ]
    fan = " fan" if match["fan"] else ""
    return ", ".join(heats) + fan + (", " if match["gas"] or match["gas_alone"] else "")


def _pressure(match: re.Match[str], context: Context) -> str:
    """“one hundred twenty over eighty”, of blood."""
    systolic, diastolic = (
        amount(match[one], context.region).words for one in ("systolic", "diastolic")
    )
    mercury = f" {spelled_in(UNITS['mmHg'].many, context.region)}" if match["mercury"] else ""
    return f"{systolic} over {diastolic}{mercury}"


def _consumption(match: re.Match[str], context: Context) -> str:
    """“five liters per one hundred kilometers”."""
    count = amount(match["number"], context.region)
    unit = UNITS[match["unit"]]
    said = spelled_in(unit.one if count.is_one else unit.many, context.region)
    distance = spelled_in(UNITS["km"].many, context.region)
    return f"{count.words} {said} per {amount('100', context.region).words} {distance}"


def _miles(match: re.Match[str], context: Context) -> str:
    """“12½ m. geog.”, as travellers kept count, is in geographical miles."""
    count = amount(match["number"], context.region)
    kind = "statute" if match["mile"] == "stat" else "geographical"
    return f"{count.words} {kind} mile{'' if count.is_one else 's'}"


def _points(match: re.Match[str], context: Context) -> str | None:
    """“ten points”: what a side has scored. “3 pts. of milk” are pints."""
    if context.word_after(match.end()) == "of":
        return None
    count = amount(match["number"], context.region)
    return f"{count.words} point{'' if count.is_one else 's'}"


_MANY = {"m": "million", "bn": "billion", "k": "thousand"}
_NUMBER_WORDS = frozenset(
    (*ONES, *TENS[2:], "hundred", "thousand", "million", "billion", "few", "several", "many")
)


def _people(match: re.Match[str], context: Context) -> str | None:
    """“5m people” is five million."""
    following = context.word_after(match.end())
    plural = following.islower() and following.endswith("s") and following not in NO_PLURALS
    if not plural and following not in PEOPLE:
        return None
    return f"{amount(match['number'], context.region).words} {_MANY[match['scale']]}"


def _after_power(match: re.Match[str], context: Context) -> str | None:
    """“meters per second” for “10⁴ m/s”; “in” and capitals alone may be words."""
    if match["unit"] in SINGLE and not match["below"] and match["unit"] not in "mgshJKNLl":
        return None
    return _unit(match, Amount("", is_one=False), context.region)


def _after_word(match: re.Match[str], context: Context) -> str | None:
    """“five km”, “two hundred kg”."""
    earlier = context.word_before(match.start()).lower()
    if earlier not in _NUMBER_WORDS:
        return None
    return _unit(match, Amount("", is_one=earlier == "one"), context.region)


# The smaller unit that follows a larger one: “5 ft 10 in”.
_PAIRS = (
    ("ft", "ins?"),
    ("yds?", "ft"),
    ("lbs?", "ozs?"),
    ("st", "lbs?"),
    ("hrs?|h", "mins?|m"),
    ("mins?", "secs?|s"),
    ("m", "cm"),
    ("kg", "g"),
    ("km", "m"),
)


def _pair(match: re.Match[str], context: Context) -> str:
    """“five feet ten inches”; describing, “a five-foot-ten-inch”."""
    one = describes(match, context)
    said = list[str]()
    for number, symbol in (("first", "large"), ("second", "small")):
        count = amount(match[number], context.region)
        unit = UNITS[match[symbol]]
        name = unit.one if count.is_one or one else unit.many
        said.append(f"{count.words} {spelled_in(name, context.region)}")
    return " ".join(said).replace(" ", "-") if one else " ".join(said)


def _pair_rule(large: str, small: str) -> Rule:
    return rule(
        "unit",
        rf"""{ALONE}(?P<first>\d{{1,6}})[\s-]?(?P<large>{large})(?:\.|\b),?[\s-]?(?:and\s)?
        (?P<second>\d{{1,2}}(?:\.\d+|[½¼¾⅛⅜⅝⅞])?)[\s-]?(?P<small>{small})\b{STOP}(?![\w/²³])""",
        _pair,
    )


RULES: tuple[Rule, ...] = (
    *(_pair_rule(large, small) for large, small in _PAIRS),
    # “2 x 400g tins”
    rule(
        "unit",
        rf"""{ALONE}(?P<count>\d{{1,2}})\s?[x×]\s?(?P<number>{NUMBER})\s?(?P<unit>[km]?g|m?l|oz|cl|lb)\b
        (?=\s[a-z]{{3}})""",
        _packs,
    ),
    # “1/250 s”
    rule("unit", rf"(?<![\w.,/])1/(?P<below>\d{{2,4}})\s?(?:s\b|sec\b{STOP})", _exposure),
    # “200 C/400 F/gas mark 6”, “180C/160C fan/gas 4”, “180°C/gas 4”
    rule(
        "unit",
        rf"""{ALONE}(?P<first>\d{{2,4}})\s?[°º]?\s?(?P<unit>[CF])\s?(?:/\s?
        (?P<second>\d{{2,4}})\s?[°º]?\s?(?P<other>[CF])(?P<fan>\s[Ff]an\b)?(?!\w|/(?![Gg]as\s))
        (?P<gas>/(?=[Gg]as\s))?|(?P<gas_alone>/(?=[Gg]as\s)))""",
        _heats,
    ),
    rule(
        "unit",
        r"""(?<![\w.,/])(?P<systolic>[6-9]\d|1\d\d|2[0-4]\d)/(?P<diastolic>[3-9]\d|1[0-4]\d)
        (?:\s?(?P<mercury>mm\s?Hg)\b|(?<=\bBP\s.{5})(?!\w|[./]\d)|(?<=\bBP\s.{6})(?!\w|[./]\d))""",
        _pressure,
    ),
    rule(
        "unit",
        rf"""{ALONE}(?P<number>{NUMBER}|{COMMA_DECIMAL})\s?(?P<unit>[lL]|kWh)\s?/\s?100\s?km\b""",
        _consumption,
    ),
    rule(
        "unit",
        rf"{ALONE}(?P<number>{NUMBER})\s?(?:m|miles?)\.?\s(?P<mile>geog|geo|stat)\b{STOP}",
        _miles,
    ),
    rule(
        "unit",
        r"""(?:(?<=\bper\s)|(?<=\bin\s)|(?<=\bof\s)|(?<=[(])(?=m?\w\w[)])|(?=[ckmd]m))
        (?P<unit>km|cm|mm|dm|m)(?P<power>[23²³])(?P<below>)(?!\w)""",
        _alone,
    ),
    rule(
        "unit",
        r"(?:(?<=\bin\s)|(?<=[(]in\s))(?P<unit>mm|cm|km|kg|mg|ms(?!\.)|µs|µm|kHz|MHz|GHz|Hz|dB|mAh|mV)(?P<power>)"
        rf"(?P<below>(?:{_BELOW})?)(?!\w)",
        _alone,
    ),
    # “10⁴ m/s”: after a power.
    rule(
        "unit",
        rf"""(?<=[⁰¹²³⁴-⁹][ \u00a0])(?P<unit>{_PLAIN})(?P<kind>)(?P<power>{_POWER})
        (?P<times>)(?P<below>(?:/{_SYMBOL}{_POWER}(?=/)|{_BELOW}|{_INVERSE}){{0,2}})(?![\w/²³^·⋅'’⁻])""",
        _after_power,
    ),
    rule(
        "unit",
        r"(?<=[⁰¹²³⁴-⁹][ \u00a0])(?P<unit>s|h|kg|m|mol|K|L)⁻(?P<to>[¹²³])(?!\w)",
        lambda match, context: _below(f" {match[0]}", context.region),
    ),
    # “(L/mol/s)”: the unit of a column or a constant.
    rule(
        "unit",
        rf"(?<=[(\[])(?P<kind>)(?P<unit>{_PLAIN})(?P<power>)(?P<times>)(?P<below>(?:/{_SYMBOL}{_POWER}(?=/)|{_BELOW}){{1,2}})(?=[)\]])",
        lambda match, context: _unit(match, Amount("", is_one=False), context.region),
    ),
    rule("unit", rf"{ALONE}(?P<number>{NUMBER})\s?pts\b{STOP}", _points),
    rule("count", rf"{ALONE}(?P<number>{NUMBER})(?P<scale>m|bn|k)(?!\w)", _people),
    rule(
        "unit",
        rf"""(?P<kind>)(?P<unit>km|kg|cm|mm|mg|ml|mph|kWh|MHz|GHz|kHz|Hz|GB|MB|TB|lbs?|rpm|°[CF]|m\.p\.h|r\.p\.m|h\.p)
        (?P<power>[²³]?)(?P<times>)(?P<below>(?:/[hs])?)(?![\w/²³]){STOP}""",
        _after_word,
    ),
    rule(
        "unit",
        rf"""(?<![\w.,:])(?P<minus>[-−](?=[\d.]))?(?P<number>{NUMBER}|{COMMA_DECIMAL})
        (?:{SIGN}(?P<last>{NUMBER}))?{_SCALE}(?P<gap>[^\S\n]|-|–(?=[A-Za-z])|){_EXPRESSION}
        (?![\w²³^·⋅]|/(?!\s?\d[\d.,]*[½¼¾⅓⅔⅛]?\s?°?[A-Za-z])|[’'][a-z]|\.[a-z])(?P<stop>{STOP})""",
        _quantity,
    ),
)
