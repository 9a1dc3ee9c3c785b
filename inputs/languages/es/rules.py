"""The rules of Spanish.

Monarchs, centuries and chapters are ordinals to ten, then cardinals. The ordinals of num2words from
eleven on are not used: it has “décimoprimero”. Style: Diccionario panhispánico de dudas,
“ordinales”.
"""

from __future__ import annotations

import re

from audiomill.inputs.languages.es.declaration import ABBREVIATIONS
from audiomill.inputs.languages.es.language import (
    PLACES,
    POINT_REGIONS,
    SPANISH,
    cardinal,
    gender_of,
)
from audiomill.inputs.spoken.european import (
    amounts,
    calendar,
    codes,
    durations,
    names,
    number_words,
    scripture,
    text,
)
from audiomill.inputs.spoken.european.language import Gender, Number, european_grammar
from audiomill.inputs.spoken.european.measures import angles, is_angle
from audiomill.inputs.spoken.european.number_words import UNITS
from audiomill.inputs.spoken.rules import Context, Rule, always, rule

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
_BEFORE_YEARS = frozenset(("de", "en", "año", "hacia", "por", "desde", "hasta"))
_AFTER_DEGREES = frozenset(("bajo", "sobre", "centígrados", "Réaumur", "Reaumur"))
_PERSON = re.compile(r"[A-ZÁÉÍÓÚÑ][a-záéíóúñ]+(?:[ ][a-záéíóúñ]+)?|[A-ZÁÉÍÓÚÑ]{3,}")
_MEASURED = (
    r"k?m\b|cm\b|mm\b|kg\b|g\b|l\b|t\b|s\b|h\b|(?:kiló|centí|milí)?metro|(?:kilo|mili)?gramo"
    r"|litro|segundo|grado|millon|millón|mil\b|por[ ]ciento|tonelada|hectárea"
)
# “el pueblo de V...”, “el marqués de V.”: a name that is not told
_HIDDEN_PLACE = re.compile(
    r"\b(?:pueblo|villa|ciudad|aldea|lugar|calle|provincia|duque|conde|condesa|marqu[ée]s|marquesa)"
    r"[ ]de[ ]\Z",
    re.IGNORECASE,
)
_PIUS_THE_NINTH = 9
_AMERICA = POINT_REGIONS | frozenset(["AR", "BO", "CL", "CO", "CR", "EC", "PE", "PY", "UY", "VE"])


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
    if name in {"Pío", "Pio"} and number == _PIUS_THE_NINTH:
        return f"{name} nono"  # so is this pope called
    counted = number > 10 or name.lower() == "fase"
    said = cardinal(number, region) if counted else ordinal(number, gender)
    return f"{name} {said}"


def _hidden_year(match: re.Match[str], context: Context) -> str | None:
    """“mil ochocientos setenta y tantos” for “187…”."""
    known, hidden = match["known"], match["hidden"]
    if hidden[0] != "*" and context.word_before(match.start()).lower() not in _BEFORE_YEARS:
        return None
    return f"{cardinal(int(known.ljust(4, '0')), context.region)} y tantos"


def _you(match: re.Match[str], context: Context) -> str | None:
    before = context.word_before(match.start()).lower()
    if context.search_before(_HIDDEN_PLACE, match.start()):
        return None
    if before in PLACES or before in {"el", "al", "del", "la"}:
        return None  # “capítulo V.”, “al V. padre”
    return "usted" if match["who"] == "V" else "ustedes"


def _person(match: re.Match[str], context: Context) -> str | None:
    """“Hombre segundo” for “Hombre 2°”, who speaks in a play."""
    line = context.text_before(match.start()).rpartition("\n")[2].strip()
    return ordinal(int(match["number"])) if _PERSON.fullmatch(line) else None


def _thousands(match: re.Match[str], context: Context) -> str:
    """“dieciocho mil quinientos” for “18,500”, as it was printed before 1900 and in America."""
    noun = context.word_after(match.end())
    gender = gender_of(noun) if noun.endswith("s") else ""
    return cardinal(int(match[0].replace(",", "")), context.region, gender)


def _marked(match: re.Match[str], context: Context) -> str | None:
    mark = (match["mark"] or "o").replace("°", "º")
    said = ordinal(int(match["number"]), "f" if mark[0] in "aª" else "m")
    following = context.text[match.end() : match.end() + 1].isspace()
    noun = context.word_after(match.end()) if following else ""
    counted = noun if noun.islower() and gender_of(noun) else ""
    if mark == "º" and _is_angle(match, context, counted):
        return None
    if "°" in match[0] and (int(match["number"]) > 100 or noun in _AFTER_DEGREES):
        return None
    if said and mark == "º" and noun.islower() and gender_of(noun) == "m":
        return re.sub(r"(prim|terc)ero$", r"\1er", said)  # “tercer año”
    if said and (mark.startswith("er") or mark == "ᵉʳ"):
        return said.removesuffix("o") if said.endswith(("primero", "tercero")) else None
    return f"{said}s" if said and mark.endswith("s") else said


def _is_angle(match: re.Match[str], context: Context, noun: str) -> bool:
    """Whether degrees are printed as an ordinal: “a 305º”, “de 45º”."""
    law = context.word_before(match.start()).lower().startswith("art")
    return is_angle(match, context, noun) or (int(match["number"]) > 100 and not noun and not law)


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
    short = gender == "m" and noun.islower() and gender_of(noun) == "m"
    return re.sub(r"(prim|terc)ero$", r"\1er", said) if short else said


def _leading(match: re.Match[str], _: Context) -> str | None:
    number = names.roman_value(match["numeral"])
    said = ordinal(number, "f") if number else None
    return f"{match['lead'] or ''}{said}" if said else None


def _century(number: int, _highest: int, region: str) -> str:
    return f"{ordinal(number)}" if number <= 10 else cardinal(number, region)


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
    hour_marks=r"[:.h]",
    time_words=r"horas|hs?\b\.?",
    before_times=frozenset(("las", "la")),
    hours="horas",
    time=_time,
)
_RULES: tuple[Rule, ...] = (
    *scripture.rules(SPANISH),
    # “22'6 km”: a decimal sign of before 2010.
    rule(
        "number",
        r"""(?<![\w.,'’])(?P<whole>\d{1,4})['’´](?P<part>\d{1,2})
        (?:[ \u00a0]?(?P<unit>km|cm|mm|m|kg|g)\b|(?=[ \u00a0]?(?:%|[a-zñ]))
        |(?<=\d\d)(?=[.;:,»]))(?!\d)""",
        _old_decimal,
    ),
    # “(V. M. Ferey)”: see his book.
    rule("abbreviation", r"(?<=\()V\.[ ](?=M\.?[ ][A-ZÁÉÍÓÚ])", always("véase ")),
    # not “C. 300 gramos”
    rule("abbreviation", r"c\.(?=[ ]\d)", always("circa")),
    # “un 40 p.%”
    rule(
        "percent",
        r"(?P<number>\d{1,3})[ ]p\.[ ]?%",
        lambda match, context: f"{cardinal(int(match['number']), context.region)} por ciento",
    ),
    # “un 30 por 100”
    rule("percent", r"(?<=\d[ ]por[ ])100(?!\d|[.,]\d)", always("ciento")),
    # “y” is “e” before the sound of an i.
    rule("sign", r"&(?=\s?(?:[IiÍí]|[Hh][ií]))", always(" e ")),
    # “en 187…”, “mayo de 18**”
    rule(
        "year",
        r"""(?<![\w.,/–-])(?P<known>1[5-9]\d?)
        (?P<hidden>…|\.{2,5}|\*{1,2}|[–—-](?=[.,;:)»]|\Z))(?!\d)""",
        _hidden_year,
    ),
    # “á V.”, “¿Conoce V. a…?”
    rule(
        "abbreviation",
        r"""(?<![\w.])(?P<who>VV?)\.(?=[,;:!?)]|[ ]?\.\.|[ ][a-záéíóúñ¿¡(—-]|[»”]?\Z)
        (?:(?<=[a-záéíóúñ][ ]V\.)|(?<=[a-záéíóúñ][ ]VV\.)|(?<=[¿¡—«(]V\.)|(?<=[¿¡—«(]VV\.))""",
        _you,
    ),
    names.series(("siglos", "Siglos", "ss."), r"y|al?|o", "siglos", _century),
    names.sessions(cardinal),
    names.articles(cardinal),
    *names.rules(names.Numbered(_numbered, PLACES, _numbered, ABBREVIATIONS.before_number)),
    *text.rules(SPANISH, ABBREVIATIONS),
    rule(
        "ordinal",
        r"(?P<lead>[^\W\d_]+\s)?(?P<numeral>[IVX]{1,4})(?=\sGuerra|\sRepública|\sInternacional\b)",
        _leading,
    ),
    *angles(SPANISH, {"N": "norte", "S": "sur", "E": "este", "O": "oeste", "W": "oeste"}),
    *codes.scores(SPANISH),
    durations.lasting(
        SPANISH,
        r"dur(?:ó|a|an|aron|ará|aba)|tard(?:ó|a|aron)|(?:duración|tiempo) de|casi|apenas"
        r"|(?:película|partido|vuelo|prueba|viaje) de",
        "duración|película|partido|prueba|vuelo|viaje|espera|retraso",
    ),
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
        r"""(?P<number>\d{1,3})(?:\.|[ ](?=[ºª]|°[ ][A-ZÁÉÍÓÚ][a-zá-ú]))?
        (?P<mark>ers?|[ºª]s?(?!\s?C\b)|ᵉʳ|°(?=\s[a-zá-ú]{3}|\s(?!Cel|Cent|Fahr)[A-ZÁÉÍÓÚ][a-zá-ú]{3})|(?<=\.)[oa]s?)(?![^\W_])""",
        _marked,
    ),
    rule("ordinal", r"(?P<number>\d{1,2})(?P<mark>[a-z]{2,3}s?)(?![^\W_])", _lettered),
    # “3° He revisado los libros”: a point of a list.
    rule(
        "ordinal",
        r"(?<![\s\S])(?P<number>[1-9]|1\d)°(?=[ ][A-ZÁÉÍÓÚ¿¡«—-](?!\.))",
        lambda match, _context: ordinal(int(match["number"])),
    ),
    rule("ordinal", r"(?P<number>[1-9])°(?=[.:,;)]|\s?[(—–-]|\s*\Z)", _person),
    rule(
        "number",
        rf"(?<![\w.,$€£])[1-9]\d{{1,2}},\d{{3}}(?![\w.,%‰°º]*[\d%‰°º]|[ ](?:[%‰°º€$]|{_MEASURED}))",
        _thousands,
    ),
    # “4,500 pies”
    rule(
        "number",
        rf"(?<![\w.,$€£])[1-9],[1-9]00(?=[ ](?!{_MEASURED}|veces|euros)[a-záéíóúñ]{{2,}}s\b)",
        _thousands,
    ),
    *amounts.rules(SPANISH),
    *text.signs(SPANISH),
)
GRAMMAR = european_grammar(SPANISH, _RULES)
