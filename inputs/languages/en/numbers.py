"""English words for numbers: cardinals, ordinals, years, single digits.

Style: The Chicago Manual of Style (17th ed.), 9.2 to 9.7, for the United States; elsewhere with an
"and" after hundreds, as in New Hart's Rules, 11.1.
"""

from __future__ import annotations

ONES = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    "nineteen",
)
TENS = (
    *("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"),
)  # fmt: skip
SCALES = (
    *("", "thousand", "million", "billion", "trillion", "quadrillion", "quintillion"),
    *("sextillion", "septillion", "octillion", "nonillion", "decillion"),
)
_ORDINALS = {
    "one": "first",
    "two": "second",
    "three": "third",
    "five": "fifth",
    "eight": "eighth",
    "nine": "ninth",
    "twelve": "twelfth",
}
# Numbers with more digits are read digit by digit.
MAX_DIGITS = 3 * len(SCALES)
# Lowered and raised signs as plain ones.
SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉₊₋", "0123456789+-")
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿ−", "0123456789+-()n-")
# In a formula, numbers with more digits are read digit by digit.
_MAX_CARDINAL_DIGITS = 6


def cardinal(number: int, region: str = "US") -> str:
    """“one hundred five”; outside the United States “one hundred and five”.

    `number` must be at least 0 and have at most `MAX_DIGITS` digits.
    """
    if number < 1000:
        return _below_1000(number, region)
    groups = list[str]()
    rest, scale = number, 0
    while rest:
        rest, group = divmod(rest, 1000)
        if group:
            groups.insert(0, f"{_below_1000(group, region)} {SCALES[scale]}".strip())
        scale += 1
    last = number % 1000
    if 0 < last < 100 and region != "US":
        groups.insert(-1, "and")
    return " ".join(groups)


def _below_1000(number: int, region: str) -> str:
    hundreds, rest = divmod(number, 100)
    if not hundreds:
        return _below_100(rest)
    said = f"{ONES[hundreds]} hundred"
    if not rest:
        return said
    return f"{said} {'' if region == 'US' else 'and '}{_below_100(rest)}"


def _below_100(number: int) -> str:
    if number < len(ONES):
        return ONES[number]
    tens, ones = divmod(number, 10)
    return TENS[tens] + (f"-{ONES[ones]}" if ones else "")


def ordinal(number: int, region: str = "US") -> str:
    """“twenty-first”, for the numbers of `cardinal`."""
    return _ordinal_of(cardinal(number, region))


def _ordinal_of(words: str) -> str:
    """The ordinal of a number in words: “twenty-one” becomes “twenty-first”."""
    last = words.replace("-", " ").rsplit(" ", 1)[-1]
    stem = words[: len(words) - len(last)]
    if last in _ORDINALS:
        return stem + _ORDINALS[last]
    return stem + (f"{last[:-1]}ieth" if last.endswith("y") else f"{last}th")


def year(number: int, region: str = "US") -> str:
    """“eighteen ninety-seven”, “nineteen oh five”, “two thousand one”, for 1 to 9999."""
    if number < 1000 or 2000 <= number < 2010:
        return cardinal(number, region)
    return paired(number, region)


def digits(text: str, zero: str = "zero") -> str:
    """“one two zero” for the digits of `text`; everything else in it is left out."""
    return " ".join(zero if one == "0" else ONES[int(one)] for one in text if one.isdecimal())


def plural(words: str) -> str:
    """The plural of a number in words: “nineties”, “sixes”."""
    if words.endswith("y"):
        return f"{words[:-1]}ies"
    return words + ("es" if words.endswith(("x", "s")) else "s")


def paired(number: int, region: str = "US") -> str:
    """“one oh one”, “two thirty-seven”, “fourteen oh eight”: rooms, flights, houses, models."""
    hundreds, rest = divmod(number, 100)
    if not hundreds or (rest == 0 and hundreds % 10 == 0):
        return cardinal(number, region)
    if rest == 0:
        return f"{cardinal(hundreds)} hundred"
    return f"{cardinal(hundreds)} {'oh ' if rest < 10 else ''}{cardinal(rest)}"


def cardinal_or_digits(text: str, region: str) -> str:
    """The words for a number in a formula; a long one digit by digit."""
    plain = text.replace(",", "")
    return cardinal(int(plain), region) if len(plain) <= _MAX_CARDINAL_DIGITS else digits(plain)
