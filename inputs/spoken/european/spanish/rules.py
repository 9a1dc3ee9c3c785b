"""The rules of Spanish.

Numerals are by num2words, which knows no gender and no short forms (“veintiuno mil”): both are made
here. Its ordinals from eleven on are not used: they have “décimoprimero”. Monarchs, centuries and
chapters are ordinals to ten, then cardinals. Style: Real Academia Española, Ortografía (2010) and
Diccionario panhispánico de dudas, “números” and “ordinales”.
"""

from __future__ import annotations

import re

from audiomill.inputs.languages.es import ABBREVIATIONS
from audiomill.inputs.spoken.european import (
    amounts,
    angles,
    calendar,
    codes,
    names,
    number_words,
    text,
)
from audiomill.inputs.spoken.european.language import Gender, LanguageWords, Number
from audiomill.inputs.spoken.european.number_words import numeral
from audiomill.inputs.spoken.european.spanish.words import (
    CURRENCIES,
    FEMININE,
    MASCULINE,
    NOT_COUNTED,
    PESO,
    PLACES,
    SCALES,
    SHORT_SCALES,
    SYMBOLS,
)
from audiomill.inputs.spoken.european.units import UNITS
from audiomill.inputs.spoken.rules import Context, Rule, rule

_ORDINALS = (
    *("", "primero", "segundo", "tercero", "cuarto", "quinto", "sexto", "séptimo", "octavo"),
    *("noveno", "décimo", "undécimo", "duodécimo", "decimotercero", "decimocuarto"),
    *("decimoquinto", "decimosexto", "decimoséptimo", "decimoctavo", "decimonoveno"),
)
_TENTHS = (
    *("", "", "vigésimo", "trigésimo", "cuadragésimo", "quincuagésimo", "sexagésimo"),
    *("septuagésimo", "octogésimo", "nonagésimo"),
)
_HUNDREDTHS = (
    *("", "centésimo", "ducentésimo", "tricentésimo", "cuadringentésimo", "quingentésimo"),
    *("sexcentésimo", "septingentésimo", "octingentésimo", "noningentésimo"),
)
# A decimal point is printed in Mexico, Central America and the Caribbean.
_POINT_REGIONS = frozenset(["MX", "GT", "HN", "NI", "PA", "PR", "DO", "SV", "CU", "US"])
_AMERICA = _POINT_REGIONS | frozenset(["AR", "BO", "CL", "CO", "CR", "EC", "PE", "PY", "UY", "VE"])
_PESO_REGIONS = ("MX", "AR", "CL", "CO", "CU", "DO", "UY")
_FEMININE_ENDS = ("a", "as", "ción", "ciones", "sión", "siones", "dad", "dades", "tud", "tudes")
_LAST_MILLIONS = re.compile(r"(?P<millions>.*ill(?:ón|ones))?(?P<rest>.*)")


def cardinal(number: int, _region: str, gender: Gender = "") -> str:
    """“veintiuno”; before a noun “veintiún” (m), “veintiuna” (f); “doscientas” (f)."""
    words = re.sub(r"veintiuno(?= )", "veintiún", numeral(number, "es"))
    words = re.sub(r"\buno(?= (?:mil|\w+ill))", "un", words)
    if gender == "f":
        parts = _LAST_MILLIONS.fullmatch(words)
        millions, rest = (parts["millions"] or "", parts["rest"]) if parts else ("", words)
        return millions + re.sub(r"uno$", "una", rest.replace("ientos", "ientas"))
    if gender:
        words = re.sub(r"veintiuno$", "veintiún", words)
        words = re.sub(r"\buno$", "un", words)
    return words


def ordinal(number: int, gender: Gender = "m") -> str | None:
    """“vigésimo primero”, “vigésima primera”, for 1 to 999."""
    if not 0 < number < 1000:
        return None
    hundreds, rest = divmod(number, 100)
    tens, ones = divmod(rest, 10)
    tenths = _ORDINALS[rest] if rest < len(_ORDINALS) else f"{_TENTHS[tens]} {_ORDINALS[ones]}"
    said = f"{_HUNDREDTHS[hundreds]} {tenths}".strip()
    return re.sub(r"o\b", "a", said) if gender == "f" else said


def _old_decimal(match: re.Match[str], context: Context) -> str:
    number = Number(match["whole"], match["part"])
    said = SPANISH.say(number, context.region)
    if not match["unit"]:
        return said
    name = number_words.unit_name(UNITS[match["unit"]], number.value, "es", context.region)
    return f"{said} {name}"


# “435 congresistas”: persons of any gender, but not “listas”.
_PERSONS = re.compile(
    r"(?!(?:l|v|p|rev|entrev|conqu|ar)istas?\Z)\w*(?:ist|naut|crat|tlet|coleg)as?"
)


def _gender(noun: str) -> Gender:
    if not noun.islower() or noun in NOT_COUNTED:
        return ""
    if noun in FEMININE:
        return "f"
    if noun in MASCULINE or noun.removesuffix("s") in MASCULINE:
        return "m"
    return "f" if noun.endswith(_FEMININE_ENDS) and not _PERSONS.fullmatch(noun) else "m"


def _year(number: int, region: str) -> str:
    return cardinal(number, region)


def _time(hour: int, minute: int, region: str) -> str:
    said = cardinal(hour, region, "f")
    if not minute:
        return said if hour not in {0} else "cero horas"
    if hour and hour <= 12 and minute <= 30:
        return f"{said} y { {15: 'cuarto', 30: 'media'}.get(minute) or cardinal(minute, region) }"
    return f"{said} {'cero ' if minute < 10 else ''}{cardinal(minute, region)}"


def _first(printed: str, region: str) -> str:
    return "primero" if region in _AMERICA or not printed.isdecimal() else "uno"


def _numbered(name: str, number: int, region: str, gender: Gender) -> str:
    counted = number > 10 or name.lower() == "fase"
    said = cardinal(number, region) if counted else ordinal(number, gender)
    return f"{name} {said}"


def _marked(match: re.Match[str], context: Context) -> str | None:
    mark = (match["mark"] or "o").replace("°", "º")
    said = ordinal(int(match["number"]), "f" if mark[0] in "aª" else "m")
    following = context.text[match.end() : match.end() + 1].isspace()
    noun = context.word_after(match.end()) if following else ""
    counted = noun if noun.islower() and _gender(noun) else ""
    if mark == "º" and _is_angle(match, context, counted):
        return None
    if "°" in match[0] and int(match["number"]) > 100:
        return None
    if said and mark == "º" and noun.islower() and _gender(noun) == "m":
        return re.sub(r"(prim|terc)ero$", r"\1er", said)  # “tercer año”
    if said and (mark.startswith("er") or mark == "ᵉʳ"):
        return said.removesuffix("o") if said.endswith(("primero", "tercero")) else None
    return f"{said}s" if said and mark.endswith("s") else said


def _is_angle(match: re.Match[str], context: Context, noun: str) -> bool:
    """Whether degrees are printed as an ordinal: “a 305º”, “de 45º”."""
    law = context.word_before(match.start()).lower().startswith("art")
    return angles.is_angle(match, context, noun) or (
        int(match["number"]) > 100 and not noun and not law
    )


def _lettered(match: re.Match[str], context: Context) -> str | None:
    """“segundo” for “2do”: the ordinal, and its last letters."""
    gender: Gender = "f" if match["mark"].removesuffix("s").endswith("a") else "m"
    said = ordinal(int(match["number"]), gender)
    if not said:
        return None
    said += "s" if match["mark"].endswith("s") else ""
    noun = context.word_after(match.end())
    if not said.endswith(match["mark"]):
        return None
    short = gender == "m" and noun.islower() and _gender(noun) == "m"
    return re.sub(r"(prim|terc)ero$", r"\1er", said) if short else said


def _leading(match: re.Match[str], _: Context) -> str | None:
    number = names.roman_value(match["numeral"])
    said = ordinal(number, "f") if number else None
    return f"{match['lead'] or ''}{said}" if said else None


def _century(number: int, region: str) -> str:
    return f"{ordinal(number)}" if number <= 10 else cardinal(number, region)


_PARTS = dict(enumerate(["quinto", "sexto", "séptimo", "octavo", "noveno", "décimo"], 5))
SPANISH = LanguageWords(
    code="es",
    comma="coma",
    dot="punto",
    minus="menos",
    to="a",
    percent="por ciento",
    permille="por mil",
    per="por",
    parts={n: (word, f"{word}s") for n, word in _PARTS.items()},
    fractions={
        "½": "medio",
        "⅓": "un tercio",
        "⅔": "dos tercios",
        "¼": "un cuarto",
        "¾": "tres cuartos",
    },
    halves={"": "medio", "f": "media"},
    mixed_fractions={"½": "{} y medio", "¼": "{} y cuarto", "¾": "{} y tres cuartos"},
    scales=SCALES,
    short_scales=SHORT_SCALES,
    link="de ",
    cents="{money} con {number}",
    currencies=CURRENCIES,
    symbols=SYMBOLS,
    slash="barra",
    hyphen="guion",
    number="número",
    underscore="guion bajo",
    power="elevado a",
    powers={"2": "al cuadrado", "3": "al cubo"},
    cardinal=cardinal,
    year=_year,
    labels=frozenset(
        [
            "página",
            "número",
            "capítulo",
            "grupo",
            "tipo",
            "día",
            "nivel",
            "sala",
            "línea",
            "habitación",
            "casa",
            "tomo",
            "nota",
        ]
    ),
    gender=_gender,
    plural="s",
    before_hours=frozenset(("la", "las")),
    units={
        **dict.fromkeys(("kms", "kms."), "length-kilometer"),
        **dict.fromkeys(("mts", "mts."), "length-meter"),
        **dict.fromkeys(("grs", "grs.", "gr."), "mass-gram"),
        "º": "angle-degree",
        "CV": "power-horsepower",
    },
    unit_words={"CV": ("caballo", "caballos")},
    tell_years=frozenset(("en", "desde", "hasta", "hacia", "año", "entre")),
    regional_currencies={region: {"$": PESO} for region in _PESO_REGIONS},
    point_regions=_POINT_REGIONS,
)
_CALENDAR = calendar.Calendar(
    language=SPANISH,
    short_months={
        "setiembre": 9,
        "ene": 1,
        "feb": 2,
        "abr": 4,
        "jun": 6,
        "jul": 7,
        "ago": 8,
        "sept": 9,
        "oct": 10,
        "nov": 11,
        "dic": 12,
    },
    of="de",
    first=_first,
    hour_marks=r"[:.]",
    time_words=r"horas|hs?\b\.?",
    before_times=frozenset(("las", "la")),
    hours="horas",
    time=_time,
)
RULES: tuple[Rule, ...] = (
    # “22'6 km”: a decimal sign of before 2010.
    rule(
        "number",
        r"""(?<![\w.,'’])(?P<whole>\d{1,4})['’´](?P<part>\d{1,2})
        (?:[ \u00a0]?(?P<unit>km|cm|mm|m|kg|g)\b|(?=[ \u00a0]?(?:%|[a-zñ])))(?!\d)""",
        _old_decimal,
    ),
    # “y” is “e” before the sound of an i.
    rule("sign", r"&(?=\s?(?:[IiÍí]|[Hh][ií]))", lambda _match, _context: " e "),
    names.series(("siglos", "Siglos", "ss."), r"y|al?|o", "siglos", _century),
    *names.rules(names.Numbered(_numbered, PLACES, _numbered, ABBREVIATIONS.before_number)),
    *text.rules(SPANISH, ABBREVIATIONS),
    rule(
        "ordinal",
        r"(?P<lead>[^\W\d_]+\s)?(?P<numeral>[IVX]{1,4})(?=\sGuerra|\sRepública|\sInternacional\b)",
        _leading,
    ),
    *angles.rules(SPANISH, {"N": "norte", "S": "sur", "E": "este", "O": "oeste", "W": "oeste"}),
    *codes.scores(SPANISH),
    *calendar.rules(_CALENDAR),
    # “2a. edición”, “Artículo 1o.-”, “artículo 6o primero”, as in Mexico.
    rule(
        "ordinal",
        r"""(?P<number>\d{1,3})(?:(?P<mark>[oa])(?:\.(?=\s[a-zá-ú]|[-–—,;:)])|(?=\.\s[A-ZÁ-Ú]|\.\Z))
        |(?P<plain>o)(?![^\W_]))""",
        _marked,
    ),
    rule(
        "ordinal",
        r"""(?P<number>\d{1,3})(?:\.|[ ](?=[ºª]))?
        (?P<mark>ers?|[ºª]s?(?!\s?C\b)|ᵉʳ|°(?=\s[a-zá-ú]{3})|(?<=\.)[oa]s?)(?![^\W_])""",
        _marked,
    ),
    rule("ordinal", r"(?P<number>\d{1,2})(?P<mark>[a-z]{2,3}s?)(?![^\W_])", _lettered),
    *amounts.rules(SPANISH),
    *text.signs(SPANISH),
)
