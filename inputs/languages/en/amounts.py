"""The number before a unit or of a sum of money: “1,250.5”, “2½”, “3 million”, “5–10”.

Style: The Chicago Manual of Style (17th ed.), 9.16 and 9.60, for ranges and large sums.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from audiomill.inputs.languages.en.numbers import digits
from audiomill.inputs.languages.en.quantities import say_number

_FRACTIONS = {
    "½": "a half",
    "⅓": "a third",
    "⅔": "two-thirds",
    "¼": "a quarter",
    "¾": "three-quarters",
    "⅛": "an eighth",
    "⅜": "three-eighths",
    "⅝": "five-eighths",
    "⅞": "seven-eighths",
}
_FRACTION = f"[{''.join(_FRACTIONS)}]"
_TEENS = {11: "eleven", 13: "thirteen", 15: "fifteen"}
_STROKE = {
    **dict(zip(("1/2", "1/3", "2/3", "1/4", "3/4"), _FRACTIONS.values(), strict=False)),
    **{f"{n}/8": f"{word}-eighths" for n, word in ((3, "three"), (5, "five"), (7, "seven"))},
    "1/8": "an eighth",
    "1/5": "a fifth",
    "1/16": "a sixteenth",
    **{f"{n}/16": f"{digits(str(n)) if n < 10 else _TEENS[n]}-sixteenths" for n in range(3, 16, 2)},
}
_STROKES = "|".join(_STROKE)
_WITH_STROKE = re.compile(rf"(?:(?P<whole>\d{{1,3}})[ -])?(?P<fraction>{_STROKES})")
# Not inside a longer number or word.
ALONE = r"(?<![\w.,/:])"
_WHOLE = r"(?:\d{1,3}(?:(?:,\d\d){0,6},\d{3})++|\d{1,15}+)"
_PARTS = rf"(?:\d{{1,3}}[ -])?(?:{_STROKES})(?!/)"
_DECIMAL = rf"{_WHOLE}(?:\.\d{{1,12}}+|{_FRACTION})?|\.\d{{1,12}}+"
NUMBER = rf"(?:{_PARTS}|{_DECIMAL}|{_FRACTION})(?![\d⁄])"
# As the rest of Europe prints decimals; only before a unit, where nothing else is meant.
COMMA_DECIMAL = r"\d{1,3},\d{1,2}(?![\d,])"
# Between two amounts.
SIGN = r"(?P<sign>\s?[–—×±]\s?|-|\sx\s|(?<=\d)x(?=\d))"
# Inside a sentence, the full stop belongs to the unit before it.
STOP = r"(?:\.(?=\s?[,;:)]|\s[a-z(]|-[a-z]))?"
MAGNITUDES = {
    **dict.fromkeys(("k", "K", "thousand"), "thousand"),
    **dict.fromkeys(("m", "M", "mn", "mln", "million"), "million"),
    **dict.fromkeys(("b", "B", "bn", "bln", "billion"), "billion"),
    **dict.fromkeys(("T", "tn", "trn", "trillion"), "trillion"),
    **dict.fromkeys(("hundred", "crore", "lakh"), ""),
}
_BETWEEN = {"x": "by", "×": "by", "±": "plus or minus"}


@dataclass(frozen=True, slots=True)
class Amount:
    """What is said for a number, and whether one thing or several are counted."""

    words: str
    is_one: bool
    is_fraction: bool = False  # a fraction alone: “half a mile”, “a quarter of a mile”


def amount(text: str, region: str) -> Amount:
    """What is said for a text which `NUMBER` matches."""
    if stroke := _WITH_STROKE.fullmatch(text):
        said = _STROKE[stroke["fraction"]]
        if not stroke["whole"]:
            return Amount(said, is_one=True, is_fraction=True)
        return Amount(f"{say_number(stroke['whole'], region)} and {said}", is_one=False)
    if text in _FRACTIONS:
        return Amount(_FRACTIONS[text], is_one=True, is_fraction=True)
    if text[-1] in _FRACTIONS:
        whole = say_number(text[:-1], region)
        return Amount(f"{whole} and {_FRACTIONS[text[-1]]}", is_one=False)
    if re.fullmatch(COMMA_DECIMAL, text):
        text = text.replace(",", ".")
    whole, _, decimals = text.partition(".")
    said = say_number(whole, region) if whole else "zero"
    if decimals:
        return Amount(f"{said} point {digits(decimals)}", is_one=False)
    return Amount(said, is_one=said == "one")


def between(sign: str) -> str:
    """The word for the sign between two amounts: “to” for a dash, “by” for a cross."""
    return _BETWEEN.get(sign.strip().lower(), "to")


def amount_or_range(match: re.Match[str], region: str) -> Amount:
    """What is said before the unit: “five”, “five to ten”, “one point five million”."""
    first = amount(match["number"], region)
    scale = f" {match['scale']}" if match["scale"] else ""
    if not match["last"]:
        return Amount(first.words + scale, first.is_one and not scale, first.is_fraction)
    last = amount(match["last"], region)
    return Amount(f"{first.words} {between(match['sign'])} {last.words}{scale}", is_one=False)


def part_of(fraction: str, unit: str) -> str:
    """“half a mile”, “three-quarters of an inch”."""
    article = "an" if unit[0] in "aeio" or unit.startswith("hour") else "a"
    if fraction == "a half":
        return f"half {article} {unit}"
    return f"{fraction} of {article} {unit}"
