"""German: its words, and how its numbers and years are read.

Numerals are by num2words, but for years (it says “eintausendeinhundert” for 1100) and with
“hundert”, “tausend” at the start, where it has “einhundert”. “hunderteinstausend” is corrected. It
does not know “ein”, “eine”.
Style: Duden, Die Grammatik, “Zahladjektive”; DIN 5008.
"""

from __future__ import annotations

import re

from audiomill.inputs.languages.de.words import CURRENCIES, GENDERS, SCALES, SHORT_SCALES, SYMBOLS
from audiomill.inputs.languages.declaration import words
from audiomill.inputs.spoken.european.language import Gender, LanguageWords, ScriptureWords
from audiomill.inputs.spoken.european.number_words import numeral

SCRIPTURE = ScriptureWords(
    books=words(
        """
        Genesis Exodus Levitikus Numeri Deuteronomium Josua Richter Samuel Könige Chronik
        Hiob Psalm Psalmen Sprüche Prediger Jesaja Jeremia Ezechiel Hesekiel Daniel Hosea
        Joel Amos Jona Micha Sacharja Maleachi Matthäus Markus Lukas Johannes
        Apostelgeschichte Römer Korinther Galater Epheser Philipper Kolosser Thessalonicher
        Timotheus Titus Hebräer Jakobus Petrus Offenbarung
        """
    ),
    short={
        "Gen": "Genesis",
        "Ex": "Exodus",
        "Jes": "Jesaja",
        "Jer": "Jeremia",
        "Ps": "Psalm",
        "Mt": "Matthäus",
        "Mk": "Markus",
        "Lk": "Lukas",
        "Joh": "Johannes",
        "Röm": "Römer",
        "Kor": "Korinther",
        "Gal": "Galater",
        "Eph": "Epheser",
        "Phil": "Philipper",
        "Apg": "Apostelgeschichte",
        "Hebr": "Hebräer",
        "Petr": "Petrus",
        "Offb": "Offenbarung",
    },
    firsts=("erster", "zweiter", "dritter"),
    first_letters=("erster", "zweiter", "dritter"),
    histories=words("Samuel Samuele Könige Chronik"),
)


_FEMININE_ENDS = ("ung", "heit", "keit", "schaft", "tion", "tät", "ik", "ei", "e", "in", "nacht")
_MASCULINE_ENDS = ("gedanke", "Gedanke", "name", "buchstabe", "Buchstabe", "ollege", "käse")
_NEUTER_ENDS = ("chen", "lein", "ment", "tum")
_PARTS = dict(enumerate(["Fünftel", "Sechstel", "Siebtel", "Achtel", "Neuntel", "Zehntel"], 5))


def cardinal(number: int, _region: str, gender: Gender = "") -> str:
    """“hunderteins”; one on its own is “eins”, before a noun “ein”, “eine”."""
    if number == 1 and gender:
        return "eine" if gender == "f" else "ein"
    words = numeral(number, "de").replace("einstausend", "eintausend")
    return re.sub(r"^ein(?=hundert|tausend)", "", words)


def year(number: int, region: str) -> str:
    """“achtzehnhundertsiebenundneunzig”, “zweitausendfünf”."""
    century, rest = divmod(number, 100)
    if not 11 <= century <= 19:
        return cardinal(number, region)
    return f"{cardinal(century, region)}hundert{cardinal(rest, region) if rest else ''}"


def gender_of(noun: str) -> Gender:
    """The gender of a noun, by a table or its end; "" for what is no noun."""
    if noun in GENDERS:
        return GENDERS[noun]
    if not noun[:1].isupper():
        return ""
    if noun.endswith(_NEUTER_ENDS):
        return "n"
    return "f" if noun.endswith(_FEMININE_ENDS) and not noun.endswith(_MASCULINE_ENDS) else "m"


GERMAN = LanguageWords(
    code="de",
    region="DE",
    comma="Komma",
    dot="Punkt",
    minus="minus",
    to="bis",
    percent="Prozent",
    permille="Promille",
    pages=("Seite", "Seiten"),
    by="mal",
    per="pro",
    once="einmal",
    times="{}mal",
    parts={n: (word, word) for n, word in _PARTS.items()},
    fractions={
        "½": "ein halb",
        "⅓": "ein Drittel",
        "⅔": "zwei Drittel",
        "¼": "ein Viertel",
        "¾": "drei Viertel",
    },
    halves={"": "ein halb", "m": "ein halber", "f": "eine halbe", "n": "ein halbes"},
    mixed_fractions={"½": "{}einhalb", "¼": "{} ein Viertel", "¾": "{} drei Viertel"},
    scales=SCALES,
    short_scales=SHORT_SCALES,
    link="",
    cents="{money} {number}",
    currencies=CURRENCIES,
    symbols=SYMBOLS,
    slash="Schrägstrich",
    hyphen="Bindestrich",
    number="Nummer",
    underscore="Unterstrich",
    power="hoch",
    cardinal=cardinal,
    year=year,
    whole_things=words(
        """
        Einwohner Einwohnern Menschen Mann Seelen Thaler Thalern Taler Gulden Personen
        Häuser Pferde Soldaten Exemplare Bände Fuß Fuss Köpfe Stimmen Juden Katholiken
        Protestanten
        """
    ),
    gender=gender_of,
    pair_decimals=0,
    # Before a number that counts nothing: “Absatz 1 Satz 2”.
    labels=words(
        "abs. absatz art. artikel nr. nummer satz s. seite kap. kapitel paragraf teil band bd."
        " ziffer ziff. klasse gruppe typ stufe zimmer raum gleis linie phase version"
    ),
    units={
        "gr": "mass-gram",
        "EL": "volume-tablespoon",
        "TL": "volume-teaspoon",
        "qm": "area-square-meter",
        "qkm": "area-square-kilometer",
        "cbm": "volume-cubic-meter",
    },
    point_regions=frozenset({"CH", "LI"}),
    scripture=SCRIPTURE,
    numbered_in_chapters=words("listing tabelle abbildung beispiel abb tab"),
    fractions_before_nouns=True,
    named_products={"1x1": "Einmaleins"},  # the times tables
    has_glued_notes=False,  # “den4.” is a date without its space
)
