"""Spanish: its words, and how its numbers are read.

Numerals are by num2words, which knows no gender and no short forms (“veintiuno mil”): both are made
here. Style: Real Academia Española, Ortografía (2010) and Diccionario panhispánico de dudas,
“números”.
"""

from __future__ import annotations

import re

from audiomill.inputs.languages.declaration import words
from audiomill.inputs.languages.es.words import (
    CURRENCIES,
    FEMININE,
    MASCULINE,
    NOT_COUNTED,
    PESO,
    PORTIONS,
    SCALES,
    SHORT_SCALES,
    SYMBOLS,
)
from audiomill.inputs.spoken.european.language import (
    Gender,
    LanguageWords,
    NounGenders,
    ScriptureWords,
)
from audiomill.inputs.spoken.european.number_words import numeral

SCRIPTURE = ScriptureWords(
    books=words(
        """
        Génesis Éxodo Levítico Números Deuteronomio Josué Jueces Samuel Reyes Crónicas Job
        Salmo Salmos Proverbios Eclesiastés Isaías Jeremías Ezequiel Daniel Oseas Joel Amós
        Jonás Miqueas Zacarías Malaquías Mateo Marcos Lucas Juan Hechos Romanos Corintios
        Gálatas Efesios Filipenses Colosenses Tesalonicenses Timoteo Tito Hebreos Santiago
        Pedro Apocalipsis
        """
    ),
    short={
        "Gn": "Génesis",
        "Ex": "Éxodo",
        "Dt": "Deuteronomio",
        "Sal": "Salmo",
        "Is": "Isaías",
        "Mt": "Mateo",
        "Mc": "Marcos",
        "Lc": "Lucas",
        "Jn": "Juan",
        "Hch": "Hechos",
        "Rm": "Romanos",
        "Cor": "Corintios",
        "Ap": "Apocalipsis",
        "Heb": "Hebreos",
    },
    firsts=("primero", "segundo", "tercero"),
    first_letters=("primera", "segunda", "tercera"),
    histories=words("Samuel Reyes Crónicas"),
)


# A decimal point is printed in Mexico, Central America and the Caribbean.
POINT_REGIONS = frozenset(["MX", "GT", "HN", "NI", "PA", "PR", "DO", "SV", "CU", "US"])
_PESO_REGIONS = ("MX", "AR", "CL", "CO", "CU", "DO", "UY")
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


gender_of = NounGenders(
    feminine_ends=("a", "as", "ción", "ciones", "sión", "siones", "dad", "dades", "tud", "tudes"),
    feminine=FEMININE,
    masculine=MASCULINE,
    not_counted=NOT_COUNTED,
    # “435 congresistas”: persons of any gender, but not “listas”.
    persons=re.compile(
        r"(?!(?:l|v|p|rev|entrev|conqu|ar)istas?\Z)\w*(?:ist|naut|crat|tlet|coleg)as?"
    ),
).of

_PARTS = dict(enumerate(["quinto", "sexto", "séptimo", "octavo", "noveno", "décimo"], 5))
SPANISH = LanguageWords(
    code="es",
    region="ES",
    comma="coma",
    dot="punto",
    minus="menos",
    to="a",
    percent="por ciento",
    permille="por mil",
    pages=("página", "páginas"),
    by="por",
    per="por",
    once="una vez",
    times="{} veces",
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
    year=cardinal,
    labels=words(
        """
        página número capítulo grupo tipo día nivel sala línea habitación casa tomo nota fase etapa
        paso parte
        """
    ),
    gender=gender_of,
    plural="s",
    portions=PORTIONS,
    before_hours=frozenset(("la", "las")),
    units={
        "gr": "mass-gram",
        **dict.fromkeys(("kms", "kms."), "length-kilometer"),
        **dict.fromkeys(("mts", "mts."), "length-meter"),
        **dict.fromkeys(("grs", "grs.", "gr."), "mass-gram"),
        "º": "angle-degree",
        "CV": "power-horsepower",
    },
    unit_words={"CV": ("caballo", "caballos")},
    tell_years=frozenset(("en", "desde", "hasta", "hacia", "año", "entre")),
    regional_currencies={region: {"$": PESO} for region in _PESO_REGIONS},
    point_regions=POINT_REGIONS,
    scripture=SCRIPTURE,
    raises_ordinal_marks=True,
    numbered_in_chapters=frozenset(("figura", "tabla", "ejemplo", "listado")),
    feminine_articles=frozenset(("las", "unas", "otras", "estas", "esas", "todas")),
    before_days=frozenset(("el", "del", "al")),  # what is counted has “los”
    bare_thousand="mil",
    drops_filling_zeros=True,
    has_full_one_in_ranges=True,
    out_of="sobre",
    has_short_telephones=True,
    word_domains=frozenset(("de",)),
    apostrophe_millions=True,
    thousands_scale="millones",
)
