"""French: its words, and how its numbers are read.

Numerals are by num2words in standard French. Its Swiss and Belgian forms are not used: they have
“deux cents un” and “un millions”. Its ordinals are not used either: they have “quatre-vingtsième”.
Both are made here. Style: Lexique des règles typographiques en usage à l'Imprimerie nationale.
"""

from __future__ import annotations

import re

from audiomill.inputs.languages.declaration import words
from audiomill.inputs.languages.fr.words import (
    CURRENCIES,
    FEMININE,
    NOT_COUNTED,
    PORTIONS,
    SCALES,
    SHORT_SCALES,
    SYMBOLS,
)
from audiomill.inputs.spoken.european.language import Gender, LanguageWords, ScriptureWords
from audiomill.inputs.spoken.european.number_words import numeral

SCRIPTURE = ScriptureWords(
    books=words(
        """
        Genèse Exode Lévitique Nombres Deutéronome Josué Juges Samuel Rois Chroniques Job
        Psaume Psaumes Proverbes Ecclésiaste Isaïe Ésaïe Jérémie Ézéchiel Daniel Osée Joël
        Amos Jonas Michée Zacharie Malachie Matthieu Marc Luc Jean Actes Romains Corinthiens
        Galates Éphésiens Philippiens Colossiens Thessaloniciens Timothée Tite Hébreux
        Jacques Pierre Apocalypse
        """
    ),
    short={
        "Gn": "Genèse",
        "Ex": "Exode",
        "Dt": "Deutéronome",
        "Ps": "Psaume",
        "Is": "Isaïe",
        "Mt": "Matthieu",
        "Mc": "Marc",
        "Lc": "Luc",
        "Jn": "Jean",
        "Ac": "Actes",
        "Rm": "Romains",
        "Co": "Corinthiens",
        "Ga": "Galates",
        "Ép": "Éphésiens",
        "Ap": "Apocalypse",
        "He": "Hébreux",
    },
    firsts=("premier", "deuxième", "troisième"),
    first_letters=("première", "deuxième", "troisième"),
    histories=words("Samuel Rois Chroniques"),
)


_REGIONAL = {"CH", "BE"}
_TEENS = {
    "dix": "",
    "onze": " et un",
    "douze": "-deux",
    "treize": "-trois",
    "quatorze": "-quatre",
    "quinze": "-cinq",
    "seize": "-six",
}
_SEVENTIES = re.compile(
    r"(?P<tens>soixante|quatre-vingt)(?:-| et )"
    r"(?P<teen>dix(?!-)|onze|douze|treize|quatorze|quinze|seize|dix-(?=sept|huit|neuf))"
)
_FEMININE_ENDS = (
    "tion",
    "aison",
    "tude",
    "sion",
    "ée",
    "ette",
    "elle",
    "esse",
    "ance",
    "ence",
    "ité",
    "ure",
    "euse",
)


def cardinal(number: int, region: str, gender: Gender = "") -> str:
    """“quatre-vingt-dix-sept”; in Switzerland and Belgium “nonante-sept”; “vingt et une” (f)."""
    words = numeral(number, "fr")
    if region in _REGIONAL:
        words = _SEVENTIES.sub(_seventy, words)
    if region == "CH":
        words = re.sub(r"quatre-vingts?-un\b", "huitante et un", words)
        words = re.sub(r"quatre-vingts?", "huitante", words)
    return f"{words}e" if gender == "f" and re.search(r"\bun$", words) else words


def _seventy(match: re.Match[str]) -> str:
    tens = "septante" if match["tens"] == "soixante" else "nonante"
    return f"{tens}-" if match["teen"] == "dix-" else tens + _TEENS[match["teen"]]


def ordinal(number: int, region: str, gender: Gender = "m") -> str:
    """“premier”, “première”, “vingt et unième”, “quatre-vingtième”."""
    if number == 1:
        return "première" if gender == "f" else "premier"
    words = re.sub(r"(vingt|cent|million|milliard)s$", r"\1", cardinal(number, region))
    if words.endswith(("cinq", "neuf")):
        return f"{words[:-1]}quième" if words.endswith("q") else f"{words[:-1]}vième"
    return f"{words.removesuffix('e')}ième"


def gender_of(noun: str) -> Gender:
    """“f” for a noun that is feminine, by a list or its ending; "" for others."""
    singular = noun.removesuffix("s")
    return (
        "f" if singular in FEMININE or noun in FEMININE or singular.endswith(_FEMININE_ENDS) else ""
    )


_PARTS = dict(enumerate(["cinquième", "sixième", "septième", "huitième", "neuvième", "dixième"], 5))
FRENCH = LanguageWords(
    code="fr",
    region="FR",
    comma="virgule",
    dot="point",
    minus="moins",
    to="à",
    percent="pour cent",
    permille="pour mille",
    pages=("page", "pages"),
    by="sur",
    per="par",
    once="une fois",
    times="{} fois",
    parts={n: (word, f"{word}s") for n, word in _PARTS.items()},
    fractions={
        "½": "un demi",
        "⅓": "un tiers",
        "⅔": "deux tiers",
        "¼": "un quart",
        "¾": "trois quarts",
    },
    halves={"": "un demi", "f": "une demi"},
    mixed_fractions={"½": "{} et demi", "¼": "{} un quart", "¾": "{} trois quarts"},
    scales=SCALES,
    short_scales=SHORT_SCALES,
    link="d'",
    cents="{money} {number}",
    currencies=CURRENCIES,
    symbols=SYMBOLS,
    slash="barre oblique",
    hyphen="tiret",
    number="numéro",
    underscore="tiret bas",
    power="puissance",
    powers={"2": "au carré", "3": "au cube"},
    cardinal=cardinal,
    year=cardinal,
    gender=gender_of,
    plural="s",
    portions=PORTIONS,
    not_counted=NOT_COUNTED,
    labels=frozenset(("phase", "étape", "niveau")),
    feminine_units=frozenset(("lb", "lbs", "oz")),
    point_regions=frozenset({"CH"}),
    units={
        "gr": "mass-gram",
        "Ko": "digital-kilobyte",
        "Mo": "digital-megabyte",
        "Go": "digital-gigabyte",
        "To": "digital-terabyte",
        "º": "angle-degree",  # “-40º”, with the sign of ordinals
    },
    scripture=SCRIPTURE,
    numbered_in_chapters=frozenset(("figure", "tableau", "exemple", "listing")),
    knows_feminine_only=True,
    is_singular_below_two=True,
    out_of="sur",
    links_hundredths=False,
    named_products={"4x4": "quatre-quatre"},  # a car
    has_hyphenated_articles=True,
    word_domains=frozenset(("de",)),
)
