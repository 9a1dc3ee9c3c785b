"""The value of a Roman numeral."""

from __future__ import annotations

import re

# Also the older forms with four signs in a row: IIII on a clock, MDCCCCX on a title page.
_NUMERAL = re.compile(
    r"(?P<thousands>M{0,4})(?P<hundreds>CM|CD|D?C{0,4})(?P<tens>XC|XL|L?X{0,4})(?P<ones>IX|IV|V?I{0,4})"
)
_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}


def roman_value(text: str) -> int | None:
    """The value of a numeral in capitals or small letters; None if `text` is none."""
    numeral = text.upper()
    if not numeral or not _NUMERAL.fullmatch(numeral):
        return None
    values = [_VALUES[letter] for letter in numeral]
    pairs = zip(values, [*values[1:], 0], strict=True)
    return sum(-value if value < following else value for value, following in pairs)
