"""German: its words, and how its numbers and years are read.

Numerals are by num2words, but for years (it says “eintausendeinhundert” for 1100) and with
“hundert”, “tausend” at the start, where it has “einhundert”. “hunderteinstausend” is corrected. It
does not know “ein”, “eine”.
Style: Duden, Die Grammatik, “Zahladjektive”; DIN 5008.
"""

from __future__ import annotations

import re

from audiomill.inputs.languages.declaration import words
from audiomill.inputs.spoken.european.language import (
    CurrencyWords,
    Gender,
    LanguageWords,
    ScriptureWords,
)
from audiomill.inputs.spoken.european.number_words import numeral

_EURO = CurrencyWords("Euro", "Euro", "Cent", "Cent")
_DOLLAR = CurrencyWords("Dollar", "Dollar", "Cent", "Cent")
_FRANC = CurrencyWords("Franken", "Franken", "Rappen", "Rappen")
_MARK = CurrencyWords("Mark", "Mark", "Pfennig", "Pfennig", "f")
CURRENCIES = {
    "€": _EURO,
    "EUR": _EURO,
    "Euro": _EURO,
    "$": _DOLLAR,
    **dict.fromkeys(("US$", "USD$"), _DOLLAR),
    "Dollar": _DOLLAR,
    "USD": CurrencyWords("US-Dollar", "US-Dollar", "Cent", "Cent"),
    "£": CurrencyWords("Pfund", "Pfund", "Penny", "Pence", "n"),
    "¥": CurrencyWords("Yen", "Yen"),
    "CHF": _FRANC,
    "Fr.": _FRANC,
    "sFr.": _FRANC,
    "Franken": _FRANC,
    "DM": CurrencyWords("D-Mark", "D-Mark", "Pfennig", "Pfennig", "f"),
    "Mark": _MARK,
    **dict.fromkeys(("Mk.", "Mk", "Mrk."), _MARK),
    **dict.fromkeys(("Pf.", "Pfg."), CurrencyWords("Pfennig", "Pfennig")),
    **dict.fromkeys(("Thlr.", "Tlr.", "Thaler", "Taler"), CurrencyWords("Taler", "Taler")),
    **dict.fromkeys(("Rthlr.", "Rtlr."), CurrencyWords("Reichstaler", "Reichstaler")),
    **dict.fromkeys(("Sgr.", "Silbergr."), CurrencyWords("Silbergroschen", "Silbergroschen")),
    **dict.fromkeys(("fl.", "Fl."), CurrencyWords("Gulden", "Gulden")),
    **dict.fromkeys(("T€", "T €", "TEUR"), CurrencyWords("tausend Euro", "tausend Euro")),
    "RM": CurrencyWords("Reichsmark", "Reichsmark", "Pfennig", "Pfennig", "f"),
}
SCALES = {
    "Mio.": ("Million", "Millionen"),
    "Mio": ("Million", "Millionen"),
    "Million": ("Million", "Millionen"),
    "Millionen": ("Million", "Millionen"),
    **dict.fromkeys(("Mill.", "Mill"), ("Million", "Millionen")),
    "Mrd.": ("Milliarde", "Milliarden"),
    "Mrd": ("Milliarde", "Milliarden"),
    "Milliarde": ("Milliarde", "Milliarden"),
    "Milliarden": ("Milliarde", "Milliarden"),
    "Tsd.": ("tausend", "tausend"),
}
# As English prints them: “$5bn”.
SHORT_SCALES = {
    **dict.fromkeys(("m", "M", "mn"), ("Million", "Millionen")),
    **dict.fromkeys(("bn", "b", "B"), ("Milliarde", "Milliarden")),
}
SYMBOLS = {
    "&": "und",
    "%": "Prozent",
    "@": "at",
    "+": "plus",
    "=": "gleich",
    "×": "mal",
    "÷": "geteilt durch",
    "<": "kleiner als",
    ">": "größer als",
    "±": "plus minus",
    "≈": "ungefähr",
    "℔": "Pfund",
    "§§": "Paragrafen",
    "§": "Paragraf",
}
TELL_YEARS = words(
    """
    im in jahr jahre jahren jahres seit von bis um anno ab vor nach und sommer herbst winter
    frühjahr frühling ende anfang mitte januar februar märz april mai juni juli august september
    oktober november dezember jänner
    """
)
# Nouns that follow an ordinal without an article, as in a heading.
KNOWN_NOUNS: dict[str, Gender] = {
    **dict.fromkeys(
        words(
            """
            Akt Band Teil Tag Stock Weltkrieg Geburtstag Platz Abschnitt Satz Gesang Aufzug Auftritt
            Schritt Brief Bezirk Versuch Abend FC SC Preis Rang Spieltag
            """
        ),
        "m",
    ),
    **dict.fromkeys(
        words(
            """
            Auflage Szene Klasse Etage Woche Stunde Ausgabe Runde Strophe Person Liga Stufe Aufl
            Bundesliga Halbzeit Minute Mannschaft
            """
        ),
        "f",
    ),
    **dict.fromkeys(
        words(
            """
            Kapitel Jahrhundert Jh Jahrtausend Tausend Buch Bild Obergeschoss Semester Mal
            """
        ),
        "n",
    ),
}
GENDERS: dict[str, Gender] = {
    **KNOWN_NOUNS,
    **dict.fromkeys(
        words(
            """
            Jahr Kilo Kilogramm Gramm Pfund Prozent Grad Kind Haus Stück Glas Zimmer Auge Ende
            Gebäude Megabyte Gigabyte Uhr Drittel Viertel Ei Brot Blatt Huhn Messer Buch Dutzend
            """
        ),
        "n",
    ),
    **dict.fromkeys(
        words(
            """
            Name Junge Löwe Affe Hase Käse Kunde Zeuge Erbe Bote Glaube Wille Funke Friede Haufe
            Same Riese Rabe Neffe Ochse Falke Bube Knabe Experte Gatte Sklave Genosse Pate Franzose
            Russe Türke Pole Däne Schwede Chinese Brite Grieche Deutsche Beamte Insasse Laie
            Gefährte Gote Drache Nerv Bär Franken Termin Stein Wein Schein Verein Delfin Meter Liter
            """
        ),
        "m",
    ),
    **dict.fromkeys(
        words(
            """
            Stunde Minute Sekunde Woche Tonne Frau Stadt Nacht Tochter Mutter Schwester Mark Million
            Milliarde Person Hand Tür Wand Uhrzeit Kuh Zahl Maus Bank Zwiebel Kartoffel Paprika
            Zucchini Avocado Mango Semmel Gurke Handvoll Schachtel Flasche Muskatnuss Wurzel Nuss
            Birne Stange
            """
        ),
        "f",
    ),
}
PLACES = words(
    """
    Kapitel Teil Band Akt Buch Szene Abschnitt Anhang Artikel Tafel Aufzug Gesang Phase Stufe Typ
    Klasse Kategorie Satz Heft
    """
)
# Printed after a postcode. Source: the cities of over 100,000 inhabitants.
CITIES = (
    "Aachen|Augsburg|Bamberg|Bayreuth|Bergisch|Berlin|Bielefeld|Bochum|Bonn|Bottrop|Brandenburg"
    "|Braunschweig|Bremen|Bremerhaven|Celle|Chemnitz|Cottbus|Darmstadt|Dessau|Dortmund|Dresden"
    "|Duisburg|Düsseldorf|Erfurt|Erlangen|Essen|Flensburg|Frankfurt|Freiburg|Fulda|Fürth"
    "|Gelsenkirchen|Gera|Gießen|Göttingen|Gütersloh|Hagen|Halle|Hamburg|Hamm|Hanau|Hannover"
    "|Heidelberg|Heilbronn|Herne|Hildesheim|Ingolstadt|Jena|Kaiserslautern|Karlsruhe|Kassel|Kiel"
    "|Koblenz|Köln|Konstanz|Krefeld|Leipzig|Leverkusen|Lübeck|Ludwigsburg|Ludwigshafen|Lüneburg"
    "|Magdeburg|Mainz|Mannheim|Marburg|Moers|Mönchengladbach|Mülheim|München|Münster|Neuss"
    "|Nürnberg|Oberhausen|Offenbach|Oldenburg|Osnabrück|Paderborn|Passau|Pforzheim|Potsdam"
    "|Recklinghausen|Regensburg|Remscheid|Reutlingen|Rosenheim|Rostock|Saarbrücken|Salzgitter"
    "|Schwerin|Siegen|Solingen|Stralsund|Stuttgart|Trier|Tübingen|Ulm|Villingen|Weimar|Wiesbaden"
    "|Wilhelmshaven|Witten|Wolfsburg|Worms|Wuppertal|Würzburg|Zwickau"
)


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
