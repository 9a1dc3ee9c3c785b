"""Numerals (num2words), and names of months, units and currencies (Babel, from CLDR).

Both libraries lack types, and are imported when a word is first needed, since they take time to
load. What num2words gets wrong is corrected by the languages; each says what.
"""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache
from typing import Any

_FIGURES = re.compile(r"[\d.,'’\s\u00a0\u202f]+")
_MAX_COUNT = 20  # the forms of all larger numbers are the same; French has "de" after millions
UNITS = {
    "km": "length-kilometer",
    "Km": "length-kilometer",
    "m": "length-meter",
    "dm": "length-decimeter",
    "cm": "length-centimeter",
    "mm": "length-millimeter",
    "µm": "length-micrometer",
    "nm": "length-nanometer",
    "km2": "area-square-kilometer",
    "m2": "area-square-meter",
    "cm2": "area-square-centimeter",
    "m3": "volume-cubic-meter",
    "cm3": "volume-cubic-centimeter",
    "km²": "area-square-kilometer",
    "m²": "area-square-meter",
    "cm²": "area-square-centimeter",
    "cc": "volume-cubic-centimeter",
    "ha": "area-hectare",
    "km³": "volume-cubic-kilometer",
    "m³": "volume-cubic-meter",
    "cm³": "volume-cubic-centimeter",
    "l": "volume-liter",
    "L": "volume-liter",
    # With a space, as some programs print it.
    "km ²": "area-square-kilometer",
    "m ²": "area-square-meter",
    "m ³": "volume-cubic-meter",
    "hl": "volume-hectoliter",
    "dl": "volume-deciliter",
    "cl": "volume-centiliter",
    "ml": "volume-milliliter",
    "dL": "volume-deciliter",
    "cL": "volume-centiliter",
    "mL": "volume-milliliter",
    "kg": "mass-kilogram",
    "Kg": "mass-kilogram",
    "g": "mass-gram",
    "mg": "mass-milligram",
    "t": "mass-tonne",
    "mol": "concentr-mole",
    "oz": "mass-ounce",
    **dict.fromkeys(("lb", "lbs"), "mass-pound"),
    "° C": "temperature-celsius",
    "°C": "temperature-celsius",
    "º C": "temperature-celsius",
    "ºC": "temperature-celsius",
    **dict.fromkeys(("°F", "° F", "ºF", "º F"), "temperature-fahrenheit"),
    "°": "angle-degree",
    "km/h": "speed-kilometer-per-hour",
    **dict.fromkeys(("µg", "μg"), "mass-microgram"),
    **dict.fromkeys(("Ω", "\u2126"), "electric-ohm"),
    "mA": "electric-milliampere",
    "Nm": "torque-newton-meter",
    "kPa": "pressure-kilopascal",
    "MPa": "pressure-megapascal",
    "mbar": "pressure-millibar",
    "µs": "duration-microsecond",
    "mW": "power-milliwatt",
    "eV": "energy-electronvolt",
    **dict.fromkeys(("m/s²", "m/s2"), "acceleration-meter-per-square-second"),
    "m/s": "speed-meter-per-second",
    "h": "duration-hour",
    "min": "duration-minute",
    "mph": "speed-mile-per-hour",
    "s": "duration-second",
    "ms": "duration-millisecond",
    "W": "power-watt",
    "kW": "power-kilowatt",
    "MW": "power-megawatt",
    "GW": "power-gigawatt",
    "kWh": "energy-kilowatt-hour",
    "V": "electric-volt",
    "Hz": "frequency-hertz",
    "kHz": "frequency-kilohertz",
    "MHz": "frequency-megahertz",
    "GHz": "frequency-gigahertz",
    "kB": "digital-kilobyte",
    "KB": "digital-kilobyte",
    "MB": "digital-megabyte",
    "px": "graphics-pixel",
    "GB": "digital-gigabyte",
    "TB": "digital-terabyte",
    "hPa": "pressure-hectopascal",
    "kcal": "energy-kilocalorie",
    **dict.fromkeys(("kJ", "KJ"), "energy-kilojoule"),
}


@lru_cache(maxsize=4096)
def numeral(number: int, language: str) -> str:
    """The cardinal by num2words, for example of “pt_BR”."""
    from num2words import num2words

    return str(num2words(number, lang=language))


@lru_cache(maxsize=1024)
def ordinal_numeral(number: int, language: str) -> str:
    """The ordinal by num2words, in its masculine or only form."""
    from num2words import num2words

    return str(num2words(number, lang=language, to="ordinal"))


@lru_cache(maxsize=64)
def _locale(language: str, region: str) -> Any:
    from babel import Locale, UnknownLocaleError

    try:
        return Locale(language, territory=region or None)
    except UnknownLocaleError:
        return Locale(language)


@lru_cache(maxsize=64)
def months(language: str, region: str = "") -> tuple[str, ...]:
    """The names of the months within a date, from January."""
    names = _locale(language, region).months["format"]["wide"]
    return tuple(str(names[month]) for month in range(1, 13))


@lru_cache(maxsize=1024)
def unit_name(unit: str, count: Decimal, language: str, region: str) -> str:
    """“Kilometer”, “kilomètres par heure”: a unit of CLDR after a number of `count`."""
    from babel.units import format_unit

    count = min(abs(count), Decimal(_MAX_COUNT))
    said = format_unit(count, unit, "long", locale=_locale(language, region))
    return _FIGURES.sub(" ", said).strip()


@lru_cache(maxsize=1024)
def currency_name(code: str, count: Decimal, language: str, region: str) -> str:
    """“Schweizer Franken”, “francs suisses”: a currency by its code of ISO 4217."""
    from babel.numbers import get_currency_name

    count = min(abs(count), Decimal(_MAX_COUNT))
    return get_currency_name(code, count, _locale(language, region))
