"""English sums of money: “$5.20”, “£1.9bn”, “€5–10”, “a $20 bill”, “$5/month”, “99¢”.

Style: The Chicago Manual of Style (17th ed.), 9.20 to 9.25; New Hart's Rules, 11.6.
"""

from __future__ import annotations

import re

from audiomill.inputs.languages.en.amounts import MAGNITUDES, NUMBER, STOP, amount
from audiomill.inputs.languages.en.currencies import (
    BY_CODE,
    BY_SIGN,
    DOLLAR,
    EURO,
    POUND,
    Currency,
    describes,
)
from audiomill.inputs.languages.en.numbers import cardinal, plural
from audiomill.inputs.languages.en.quantities import number_of, say_number
from audiomill.inputs.spoken.rules import Context, Rule, any_of, rule

_SIGN = "|".join(
    re.escape(sign).replace("US", r"US\s?") for sign in sorted(BY_SIGN, key=len, reverse=True)
)
_CODE = "|".join(BY_CODE)
_WORDS = "thousand|million|billion|trillion|hundred|crore|lakh"
_MAGNITUDE = rf"(?:[\s-](?:{_WORDS})\b|(?:mln|mn|bln|bn|trn|tn|[kKmMbBT])(?!\w))"
_DASH = r"\s?[–—-]\s?"
_CENTS = re.compile(r"(?P<whole>[\d,]*)\.(?P<cents>\d\d)")
# What a sum is paid for or by: “$5/month”.
_EACH = {
    "day": "a day",
    "week": "a week",
    "wk": "a week",
    "month": "a month",
    "mo": "a month",
    "year": "a year",
    "yr": "a year",
    "hour": "an hour",
    "hr": "an hour",
    "h": "an hour",
    "minute": "a minute",
    "min": "a minute",
    "night": "a night",
    "person": "a person",
    "head": "a head",
    "kg": "a kilogram",
    "lb": "a pound",
    "oz": "an ounce",
    "ton": "a ton",
    "tonne": "a tonne",
    "barrel": "a barrel",
    "bbl": "a barrel",
    "gallon": "a gallon",
    "gal": "a gallon",
    "share": "a share",
    "unit": "a unit",
    "piece": "a piece",
    "user": "a user",
    "word": "a word",
    "page": "a page",
    "mile": "a mile",
    "litre": "a litre",
    "liter": "a liter",
    "acre": "an acre",
    "game": "a game",
    "kWh": "a kilowatt-hour",
}
_PER = rf"(?:\s?/\s?(?P<each>{any_of(_EACH)})(?![\w/]){STOP})?"


def _magnitude(text: str | None) -> str:
    """“million” for “m”, “M”, “mn” and “-million”."""
    word = (text or "").strip(" \t\n\u00a0\u202f-")
    return MAGNITUDES.get(word, "") or word


def _cents(number: int, currency: Currency, region: str) -> str:
    return f"{cardinal(number, region)} {currency.cent if number == 1 else currency.cents}"


def _pence_after(pounds: str, pence: int, currency: Currency, region: str) -> str:
    """“five pounds twenty” as the British say it; otherwise “five dollars and twenty cents”."""
    if currency is POUND and region != "US" and pence >= 10:
        return f"{pounds} {cardinal(pence)}"
    return f"{pounds} and {_cents(pence, currency, region)}"


def _say_sum(number: str, scale: str, currency: Currency, region: str) -> str:
    """The words for a sum: “five dollars and twenty cents”, “two point five million euros”."""
    cents = _CENTS.fullmatch(number)
    if cents and not scale and currency.cents:
        whole, part = number_of(cents["whole"] or "0"), int(cents["cents"])
        if part and not whole:
            return _cents(part, currency, region)
        unit = currency.one if whole == 1 else currency.many
        said = f"{say_number(cents['whole'] or '0', region)} {unit}"
        return _pence_after(said, part, currency, region) if part else said
    said = amount(number, region)
    if said.is_fraction:
        return f"{said.words} {currency.one}".replace("a half", "half a")
    unit = currency.one if said.is_one and not scale else currency.many
    return " ".join(filter(None, (said.words, scale, unit)))


def _describing(number: str, scale: str, currency: Currency, region: str) -> str:
    """A sum before a thing, in the singular and with hyphens: “twenty-dollar”."""
    cents = _CENTS.fullmatch(number)
    if cents and int(cents["cents"]) == 0:
        number = cents["whole"]
    elif cents and not scale and currency.cents:
        said = _say_sum(number, scale, currency, region)
        for many, one in ((currency.many, currency.one), (currency.cents, currency.cent)):
            said = said.replace(many, one) if many != "pence" else said
        return said.replace(" ", "-")
    return "-".join(filter(None, (amount(number, region).words, scale, currency.one))).replace(
        " ", "-"
    )


def _sum(match: re.Match[str], context: Context, currency: Currency) -> str:
    region, scale = context.region, _magnitude(match["scale"])
    minus = {"": "", "+": "plus "}.get(match["minus"] or "", "minus ")
    if match["last"]:
        return minus + _range(match, currency, region)
    if not match["each"] and describes(match, context):
        return minus + _describing(match["number"], scale, currency, region)
    each = f" {_EACH[match['each']]}" if match["each"] else ""
    return minus + _say_sum(match["number"], scale, currency, region) + each


def _range(match: re.Match[str], currency: Currency, region: str) -> str:
    """“five to ten dollars”; with cents, both sums in full."""
    first, scale1 = match["number"], _magnitude(match["scale"])
    scale2 = _magnitude(match["scale2"])
    last = _say_sum(match["last"], scale2, currency, region)
    each = f" {_EACH[match['each']]}" if match["each"] else ""
    if _CENTS.fullmatch(first) and not scale2:
        return f"{_say_sum(first, scale1, currency, region)} to {last}{each}"
    said = amount(first, region).words
    return f"{' '.join(filter(None, (said, scale1)))} to {last}{each}"


def _by_sign(match: re.Match[str], context: Context) -> str | None:
    sign = re.sub(r"\s", "", match["sign"])
    if match["again"] and match["again"] not in (sign, sign[-1]):
        return None
    minus = "minus " if match["after"] else ""
    return minus + _sum(match, context, _named(match, BY_SIGN[sign]))


def _named(match: re.Match[str], currency: Currency) -> Currency:
    """The currency of “$5 USD”, where the code says whose dollar it is."""
    return BY_CODE[match["code"]] if match["code"] and currency is DOLLAR else currency


def _by_code(match: re.Match[str], context: Context) -> str | None:
    if match["code"] == "CAD" and re.fullmatch(r"(?:19|20)\d\d", match["number"]):
        return None  # a program and its year
    return _sum(match, context, BY_CODE[match["code"]])


def _after(match: re.Match[str], context: Context) -> str:
    """“5 €”, “50 USD”, “5,50 €”."""
    unit = match["unit"]
    number = match["number"]
    if match["decimals"]:
        number = f"{number.replace('.', '')}.{match['decimals']}"
    return _say_sum(
        number, _magnitude(match["scale"]), BY_CODE.get(unit) or BY_SIGN[unit], context.region
    )


def _coins(match: re.Match[str], context: Context) -> str | None:
    """“50p”, “99¢”, “a 10p coin”."""
    currency = POUND if match["unit"] == "p" else EURO
    said = amount(match["number"], context.region)
    one = said.is_one or (currency is EURO and describes(match, context))
    unit = currency.cent if one else currency.cents
    if said.is_fraction:
        return f"{said.words} {unit}".replace("a half", "half a")
    if match["each"]:
        return f"{said.words} {unit} {_EACH[match['each']]}"
    return f"{said.words}{'-' if describes(match, context) else ' '}{unit}"


def _parts_of_cents(match: re.Match[str], context: Context) -> str:
    """“$1.73½” is “one dollar and seventy-three and a half cents”."""
    currency, region = BY_SIGN[match["sign"]], context.region
    whole = number_of(match["whole"])
    cents = f"{amount(match['cents'].lstrip('0') + match['part'], region).words} {currency.cents}"
    if not whole:
        return cents
    unit = currency.one if whole == 1 else currency.many
    return f"{say_number(match['whole'], region)} {unit} and {cents}"


def _fiver(match: re.Match[str], _: Context) -> str:
    """“a £5er” is a fiver, “a £10er” a tenner."""
    return "fiver" if match["number"] == "5" else "tenner"


def _notes(match: re.Match[str], context: Context) -> str:
    """“$20s” are twenties, “$1,000s” thousands of dollars."""
    said = say_number(match["number"], context.region)
    if not said.startswith("one "):
        return plural(said)
    currency = BY_SIGN[match["sign"]]
    of = "" if context.word_after(match.end()) == "of" else f" of {currency.many}"
    return f"{plural(said.removeprefix('one '))}{of}"


def _spaced(match: re.Match[str], context: Context) -> str:
    number = say_number(re.sub(r"\s", ",", match["number"]), context.region)
    return f"{number} {BY_SIGN[match['sign']].many}"


_FIRST = rf"(?P<number>{NUMBER})(?P<scale>{_MAGNITUDE})?"
_NOTE = r"[1-9]0{1,6}|[1-9]0{0,2}(?:,000){1,2}|5"
_NO_MORE = r"(?!\w|[.,]\d)"

RULES: tuple[Rule, ...] = (
    rule(
        "money",
        r"(?P<sign>[$€£])(?P<whole>\d{1,3}(?:,\d{3}){1,3}|\d{1,6})\.(?P<cents>\d\d)(?P<part>[½¼¾])",
        _parts_of_cents,
    ),
    # “€250 000”, as the rest of Europe prints it.
    rule(
        "money",
        r"(?P<sign>[$€£])\s?(?P<number>[1-9]\d{0,2}(?:[ \u00a0]\d{3})+)(?!\w|[.,]\d|[ ]\d)",
        _spaced,
    ),
    # “€3,50”, “€1.250,00”: so, too.
    rule(
        "money",
        r"(?<![\w$€£])(?P<unit>[$€£])\s?(?P<number>\d{1,3}(?:\.\d{3})*),(?P<decimals>\d\d)(?P<scale>(?!))?"
        r"(?!\w|[.,]\d)",
        _after,
    ),
    rule("money", r"£(?P<number>5|10)er(?=s?\b)", _fiver),
    rule("money", rf"(?P<sign>[$£€])(?P<number>{_NOTE})['’]?s(?!\w)", _notes),
    rule(
        "money",
        rf"""(?<![\w$£€])(?P<minus>[-−+](?=[A-Z$£€¥₹]))?(?P<sign>{_SIGN})\s?(?P<after>[-−](?=[\d.]))?{_FIRST}
        (?:{_DASH}(?P<again>{_SIGN})?(?P<last>{NUMBER})(?P<scale2>{_MAGNITUDE})?)?
        {_NO_MORE}(?:\s(?P<code>USD|AUD|CAD|NZD|HKD|SGD)\b)?{_PER}""",
        _by_sign,
    ),
    rule(
        "money",
        rf"""(?<!\w)(?P<minus>(?!))?(?P<code>{_CODE})\s?{_FIRST}
        (?:{_DASH}(?P<last>{NUMBER})(?P<scale2>{_MAGNITUDE})?)?{_NO_MORE}{_PER}""",
        _by_code,
    ),
    rule(
        "money",
        r"""(?<![\w.,/])(?P<number>\d{1,12}),(?P<decimals>\d\d)(?P<scale>(?!))?\s?
        (?P<unit>€|EUR\b)""",
        _after,
    ),
    rule(
        "money",
        rf"""(?<![\w.,/])(?P<number>{NUMBER})(?P<decimals>(?!))?(?P<scale>{_MAGNITUDE})?\s?
        (?P<unit>[€₽₹₪](?![\d\w])|(?:{_CODE})\b)""",
        _after,
    ),
    rule(
        "money",
        rf"(?<![\w.,/])(?P<number>\d{{0,2}}[½¼¾]|\d{{1,2}}(?:\.\d{{1,2}}(?=\s?[¢p]\s?/))?)(?P<unit>\s?¢|p)(?!\w){_PER}",
        _coins,
    ),
)
