"""French: its words, and how its numbers are read.

Numerals are by num2words in standard French. Its Swiss and Belgian forms are not used: they have
“deux cents un” and “un millions”. Its ordinals are not used either: they have “quatre-vingtsième”.
Both are made here. Style: Lexique des règles typographiques en usage à l'Imprimerie nationale.
"""

from __future__ import annotations

import re

from audiomill.inputs.languages.declaration import words
from audiomill.inputs.spoken.european.language import (
    CurrencyWords,
    Gender,
    LanguageWords,
    ScriptureWords,
    portions,
)
from audiomill.inputs.spoken.european.number_words import numeral

_EURO = CurrencyWords("euro", "euros", "centime", "centimes")
_FRANC = CurrencyWords("franc", "francs", "centime", "centimes")
_DOLLAR = CurrencyWords("dollar", "dollars", "cent", "cents")
_POUND = CurrencyWords("livre", "livres", "penny", "pence", "f")
CURRENCIES = {
    "€": _EURO,
    "EUR": _EURO,
    "euro": _EURO,
    "euros": _EURO,
    "M€": CurrencyWords("million d'euros", "millions d'euros"),
    **dict.fromkeys(
        ("Md€", "Mds€", "Mrd€", "G€"), CurrencyWords("milliard d'euros", "milliards d'euros")
    ),
    **dict.fromkeys(("ME", "MEUR"), CurrencyWords("million d'euros", "millions d'euros")),
    **dict.fromkeys(("ct", "cts"), CurrencyWords("centime", "centimes")),
    "k€": CurrencyWords("millier d'euros", "mille euros"),
    "K€": CurrencyWords("millier d'euros", "mille euros"),
    "MF": CurrencyWords("million de francs", "millions de francs"),
    "F": _FRANC,
    "FF": _FRANC,
    "Fr.": _FRANC,
    "francs": _FRANC,
    "$": _DOLLAR,
    **dict.fromkeys(("US$", "USD$"), _DOLLAR),
    "US $": _DOLLAR,
    "$ US": _DOLLAR,
    "USD": CurrencyWords("dollar américain", "dollars américains", "cent", "cents"),
    "dollars": _DOLLAR,
    "£": _POUND,
    "¥": CurrencyWords("yen", "yens"),
}
SCALES = {
    "million": ("million", "millions"),
    "millions": ("million", "millions"),
    "milliard": ("milliard", "milliards"),
    "milliards": ("milliard", "milliards"),
    "Mio": ("million", "millions"),
    "Mrd": ("milliard", "milliards"),
    "Md": ("milliard", "milliards"),
    "Mds": ("milliard", "milliards"),
}
# As English prints them: “$5bn”.
SHORT_SCALES = {
    **dict.fromkeys(("m", "M", "mn"), ("million", "millions")),
    **dict.fromkeys(("bn", "b", "B"), ("milliard", "milliards")),
}
SYMBOLS = {
    "&": "et",
    "%": "pour cent",
    "@": "arobase",
    "+": "plus",
    "=": "égale",
    **dict.fromkeys(("≥", ">="), "supérieur ou égal à"),
    **dict.fromkeys(("≤", "<="), "inférieur ou égal à"),
    "≠": "différent de",
    "×": "fois",
    "÷": "divisé par",
    "<": "inférieur à",
    ">": "supérieur à",
    "±": "plus ou moins",
    "≈": "environ",
    "§": "paragraphe",
}
FEMININE = words(
    """
    heure minute seconde année page femme fois personne semaine nuit ville maison voix étape lettre
    partie chose raison tonne place pièce ligne carte porte fille mère sœur île rue famille
    bouteille feuille table chaise fenêtre chambre langue phrase syllabe arme vie mort fleur couleur
    douleur guerre bataille victoire défaite école église banque lampe tasse goutte dent main jambe
    bête vache poule tête onde branche marche plante feuille demi-heure note
    """
)
PLACES: dict[str, Gender] = {
    **dict.fromkeys(
        ("chapitre", "livre", "tome", "volume", "acte", "titre", "article", "chant", "an"), "m"
    ),
    **dict.fromkeys(("partie", "scène", "planche", "figure", "annexe", "section", "strophe"), "f"),
    **dict.fromkeys(("pape", "type", "phase", "stade", "niveau", "vatican", "tableau"), "m"),
}
# Words that end as plurals do.
NOT_COUNTED = words(
    """
    dans sous sans plus moins mais vers pas après dès lors alors jamais toujours puis depuis hors
    très ces ses les des leurs nous vous ils elles tous toutes dont certes environs autres ailleurs
    """
)
# Of which recipes take parts: “1 1/2 …”.
PORTIONS = portions(
    """
    tasse tasses cuillère cuillères cuillerée cuillerées cuiller cuillers livre livres once onces
    boîte boîtes botte bottes gousse gousses bouteille bouteilles tranche tranches pomme pommes
    orange oranges carotte carottes courgette courgettes aubergine aubergines échalote échalotes
    tomate tomates baguette baguettes tablette tablettes brique briques conserve conserves
    noix noix pinte pintes heure heures minute minutes journée journées finale finales
    """,
    """
    verre verres litre litres décilitre décilitres bol bols paquet paquets sachet sachets
    bouquet bouquets citron citrons oignon oignons poivron poivrons concombre concombres chou choux
    pot pots cube cubes rouleau rouleaux ananas ananas melon melons avocat avocats
    poulet poulets pain pains kilo kilos gramme grammes jaune jaunes blanc blancs céleri céleris
    """,
)


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
