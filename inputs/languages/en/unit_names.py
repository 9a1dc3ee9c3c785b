"""The units that English texts abbreviate, and their words.

Symbols: the SI Brochure (9th ed., BIPM), NIST Special Publication 811 for units outside the SI,
IEC 80000-13 for data.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Unit:
    """The words for one and for several of a unit, as they are spelled in the United States."""

    one: str
    many: str


def _regular(names: dict[str, str]) -> dict[str, Unit]:
    return {
        symbol: Unit(name, name + ("" if name.endswith("z") else "s"))
        for name, symbols in names.items()
        for symbol in symbols.split()
    }


_PREFIXES = {
    "p": "pico",
    "n": "nano",
    "µ": "micro",
    "μ": "micro",
    "u": "micro",
    "m": "milli",
    "c": "centi",
    "d": "deci",
    "h": "hecto",
    "k": "kilo",
    "M": "mega",
    "G": "giga",
    "T": "tera",
    "P": "peta",
}
# Which prefixes are usual with which unit. One that has no meaning in texts is another word.
_PREFIXED = {
    ("m", "meter"): "n µ μ m c d k",
    ("g", "gram"): "n µ μ m k",
    ("s", "second"): "p n µ μ m",
    ("l", "liter"): "µ μ m c d h",
    ("L", "liter"): "µ μ m c d",
    ("A", "amp"): "µ μ m k",
    ("V", "volt"): "µ μ m k M",
    ("W", "watt"): "µ μ m k M G T",
    ("Wh", "watt-hour"): "m k M G T",
    ("Ah", "amp-hour"): "m k",
    ("J", "joule"): "m k M G",
    ("N", "newton"): "m k M",
    ("Hz", "hertz"): "m k M G T",
    ("Pa", "pascal"): "h k M G",
    ("Ω", "ohm"): "m",
    ("F", "farad"): "p n µ μ m",
    ("eV", "electronvolt"): "m k M G T",
    ("mol", "mole"): "n µ μ m k",
    ("Sv", "sievert"): "µ μ m",
    ("Gy", "gray"): "m",
    ("Bq", "becquerel"): "k M G",
    ("cal", "calorie"): "k",
    ("B", "byte"): "k K M G T P",
    ("b", "bit"): "k K M G T",
    ("bit", "bit"): "k M G",
    ("bps", "bit per second"): "k K M G T",
    ("t", "ton"): "k M",
    ("bar", "bar"): "m",
}


def _prefixed() -> dict[str, Unit]:
    found = dict[str, Unit]()
    for (symbol, name), prefixes in _PREFIXED.items():
        for prefix in prefixes.split():
            said = _PREFIXES.get(prefix, "kilo") + name
            many = said.replace("bit per", "bits per") if " per " in said else f"{said}s"
            found[prefix + symbol] = Unit(said, many if name != "hertz" else said)
    return found


# Units of two or more letters that no other word looks like.
CLEAR: dict[str, Unit] = {
    **_prefixed(),
    **_regular(
        {
            "mole": "mol",
            "hertz": "Hz",
            "pascal": "Pa",
            "watt-hour": "Wh",
            "amp-hour": "Ah",
            "electronvolt": "eV",
            "ohm": "Ω",
            "sievert": "Sv",
            "becquerel": "Bq",
            "kibibyte": "KiB",
            "mebibyte": "MiB",
            "gibibyte": "GiB",
            "tebibyte": "TiB",
            "pixel": "px",
            "decibel": "dB dBA",
            "lumen": "lm",
            "atmosphere": "atm",
            "hectare": "ha",
            "yard": "yd yds",
            "mile": "mi",
            "ounce": "oz ozs",
            "fluid ounce": "fl_oz",
            "pound": "lb lbs",
            "gallon": "gal gals",
            "quart": "qt qts",
            "teaspoon": "tsp tsps",
            "tablespoon": "tbsp tbsps tbs",
            "knot": "kt kts kn",
            "light-year": "ly",
            "acre": "ac",
            "minute": "min mins",
            "hour": "hr hrs",
            "second": "sec secs",
            "week": "wk wks",
            "month": "mos",
            "year": "yr yrs",
            "calorie": "cal",
        }
    ),
    # Of files, though a small b is a bit.
    "kb": Unit("kilobyte", "kilobytes"),
    "kb/s": Unit("kilobit per second", "kilobits per second"),
    "kΩ": Unit("kilohm", "kilohms"),
    "MΩ": Unit("megohm", "megohms"),
    "ft": Unit("foot", "feet"),
    "ins": Unit("inch", "inches"),
    "cwt": Unit("hundredweight", "hundredweight"),
    "hp": Unit("horsepower", "horsepower"),
    "bhp": Unit("brake horsepower", "brake horsepower"),
    "cc": Unit("CC", "CC"),
    "lx": Unit("lux", "lux"),
    "mmHg": Unit("millimeter of mercury", "millimeters of mercury"),
    "mph": Unit("mile per hour", "miles per hour"),
    "kph": Unit("kilometer per hour", "kilometers per hour"),
    "kmh": Unit("kilometer per hour", "kilometers per hour"),
    "mpg": Unit("mile per gallon", "miles per gallon"),
    "rpm": Unit("revolution per minute", "revolutions per minute"),
    "bpm": Unit("beat per minute", "beats per minute"),
    "wpm": Unit("word per minute", "words per minute"),
    "fps": Unit("frame per second", "frames per second"),
    "dpi": Unit("dot per inch", "dots per inch"),
    "ppi": Unit("pixel per inch", "pixels per inch"),
    "psi": Unit("pound per square inch", "pounds per square inch"),
    "ppm": Unit("part per million", "parts per million"),
    "ppb": Unit("part per billion", "parts per billion"),
    "°C": Unit("degree Celsius", "degrees Celsius"),
    "°F": Unit("degree Fahrenheit", "degrees Fahrenheit"),
    "°K": Unit("degree Kelvin", "degrees Kelvin"),
    "°": Unit("degree", "degrees"),
    "deg": Unit("degree", "degrees"),
}
# Single letters, which are units only where nothing makes them something else.
SINGLE: dict[str, Unit] = {
    "m": Unit("meter", "meters"),
    "g": Unit("gram", "grams"),
    "h": Unit("hour", "hours"),
    "s": Unit("second", "seconds"),
    "l": Unit("liter", "liters"),
    "L": Unit("liter", "liters"),
    "t": Unit("ton", "tons"),
    "A": Unit("amp", "amps"),
    "V": Unit("volt", "volts"),
    "v": Unit("volt", "volts"),
    "W": Unit("watt", "watts"),
    "F": Unit("degree Fahrenheit", "degrees Fahrenheit"),
    "J": Unit("joule", "joules"),
    "N": Unit("newton", "newtons"),
    "K": Unit("kelvin", "kelvins"),
    "in": Unit("inch", "inches"),
    "st": Unit("stone", "stone"),
    "pt": Unit("pint", "pints"),
    "pts": Unit("pint", "pints"),
}
# As they are often printed, though ISO 80000 has a small k.
_CAPITAL_K = {
    f"K{one[1:]}": unit for one, unit in CLEAR.items() if one in ("km", "kg", "kmh", "kph")
}
UNITS = {**CLEAR, **SINGLE, **_CAPITAL_K}


def spelled_in(words: str, region: str) -> str:
    """The words as the region spells them: “meters”, outside the United States “metres”."""
    if region == "US":
        return words
    british = words.replace("meter", "metre").replace("liter", "litre")
    return british.replace("ton", "tonne", 1) if british in ("ton", "tons") else british
