"""The rules of German. How ordinals are inflected is in `ordinals.py`.

Numerals are by num2words, but for years (it says “eintausendeinhundert” for 1100) and with
“hundert”, “tausend” at the start, where it has “einhundert”. “hunderteinstausend” is corrected. It
does not know “ein”, “eine”.
Style: Duden, Die Grammatik, “Zahladjektive”; DIN 5008.
"""

from __future__ import annotations

import re

from audiomill.inputs.languages.abbreviations import words
from audiomill.inputs.languages.de import ABBREVIATIONS
from audiomill.inputs.spoken.european import amounts, calendar, counting, names, number_words, text
from audiomill.inputs.spoken.european.german.names import monarch
from audiomill.inputs.spoken.european.german.ordinals import (
    ONE_ACCUSATIVE,
    ONE_DATIVE,
    declined,
    ending_of,
    inflected,
)
from audiomill.inputs.spoken.european.german.words import (
    CURRENCIES,
    GENDERS,
    KNOWN_NOUNS,
    PLACES,
    SCALES,
    SYMBOLS,
    TELL_YEARS,
)
from audiomill.inputs.spoken.european.language import Gender, LanguageWords
from audiomill.inputs.spoken.european.number_words import numeral
from audiomill.inputs.spoken.rules import NEAR, Context, Rule, rule

_FEMININE_ENDS = ("ung", "heit", "keit", "schaft", "tion", "tät", "ik", "ei", "e", "in", "nacht")
_SHORT_MONTHS = {
    "Jänner": 1,
    "Feber": 2,
    "Jan": 1,
    "Feb": 2,
    "Mrz": 3,
    "Apr": 4,
    "Jun": 6,
    "Jul": 7,
    "Aug": 8,
    "Sep": 9,
    "Sept": 9,
    "Okt": 10,
    "Nov": 11,
    "Dez": 12,
}
_S = counting.SPACE
_DAYS = {
    "Mo": "Montag",
    "Di": "Dienstag",
    "Mi": "Mittwoch",
    "Do": "Donnerstag",
    "Fr": "Freitag",
    "Sa": "Samstag",
    "So": "Sonntag",
}
_FIRST_NAMES = frozenset(("Joh.", "Chr.", "Wilh.", "Karl", "Carl", "G.", "J.", "K.", "C.", "H."))
_SHORT_DAY = rf"(?:{'|'.join(_DAYS)})"
_DAY_BEFORE = re.compile(
    rf"\b(?:[Aa]m|[Bb]is|[Aa]b|[Vv]om|jeden|{_SHORT_DAY}\.?(?:\s?[–-]|,|\sund|\soder)|[Jj]eden)\s?\Z"
)
_SATURDAY = re.compile(r"\b(?:Mo|Do|Fr|Sa)\.?(?:\s?[–-]|,|\sund)\s?\Z")
_DAY_AFTER = re.compile(
    rf"\s?(?:[–-]|,|und|bis|oder)\s?{_SHORT_DAY}\b|,?\s(?:\d{{1,2}}[.:]|den\s\d)|\s(?:Abend|Morgen)\b"
)
# Printed after a postcode. Source: the cities of over 100,000 inhabitants.
_CITIES = (
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


_LAWS = "GG|BGB|StGB|HGB|ZPO|StPO|SGB|AO|VwGO|AktG|EStG|UStG"


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


def _gender(noun: str) -> Gender:
    if noun in GENDERS:
        return GENDERS[noun]
    if not noun[:1].isupper():
        return ""
    return "f" if noun.endswith(_FEMININE_ENDS) else "m"


def _year(match: re.Match[str], context: Context) -> str | None:
    tells = context.word_before(match.start()).lower() in TELL_YEARS
    noun = context.word_after(match.end())
    if noun[:1].isupper() and not tells:
        return None
    return year(int(match[0]), context.region)


def _decade(match: re.Match[str], context: Context) -> str:
    return (
        f"{year(int(match['number']), context.region)}er{(match['ending'] or '').replace('-', ' ')}"
    )


def _compound(match: re.Match[str], context: Context) -> str:
    number = int(match["number"])
    said = "ein" if number == 1 else cardinal(number, context.region)
    word = match["word"]
    return (said + word.lower()).capitalize() if word[0].isupper() else said + word


def _time(match: re.Match[str], context: Context) -> str | None:
    if match["mark"] == "." and not match["unit"]:
        return None
    hour, minute = int(match["hour"]), int(match["minute"])
    said = f"{cardinal(hour, context.region, 'm')} Uhr"
    said = f"{said} {cardinal(minute, context.region)}" if minute else said
    if not int(match["second"] or 0):
        return said
    seconds = cardinal(int(match["second"]), context.region, "f")
    return f"{said} und {seconds} Sekunde{'' if seconds == 'eine' else 'n'}"


def _ratio(match: re.Match[str], context: Context) -> str:
    said = [cardinal(int(match[part]), context.region) for part in ("first", "last")]
    return " zu ".join(said)


def _months(region: str = "") -> tuple[str, ...]:
    return number_words.months("de", "AT" if region == "AT" else "")


def _month(printed: str, region: str) -> str:
    short = _SHORT_MONTHS.get(printed)
    if short is None or printed in {"Jänner", "Feber"}:
        return printed
    return _months(region)[short - 1]


def _date(match: re.Match[str], context: Context) -> str:
    ending = ending_of(context, match.start(), "m")
    said = f"{inflected(int(match['day']), ending)} {_month(match['month'], context.region)}"
    return f"{said} {year(int(match['year']), context.region)}" if match["year"] else said


def _numeric_date(match: re.Match[str], context: Context) -> str | None:
    parts = calendar.date_parts(match, context)
    if match["mark"] == "/":
        return None
    day, month, printed_year = parts
    ending = ending_of(context, match.start(), "m")
    said = year(int(printed_year), context.region)
    return f"{inflected(day, ending)} {_months(context.region)[month - 1]} {said}"


def _short_date(match: re.Match[str], context: Context) -> str | None:
    if declined(context, match.start()) != "n":
        return None
    return f"{inflected(int(match['day']), 'n')} {_months(context.region)[int(match['month']) - 1]}"


def _ordinal(match: re.Match[str], context: Context) -> str | None:
    numbers = [_value(match[part]) for part in ("first", "last") if match[part]]
    noun = context.word_after(match.end())
    gender = KNOWN_NOUNS.get(noun, "")
    if not gender and not declined(context, match.start()):
        return None
    ending = ending_of(context, match.start(), gender or _gender(noun) or "m")
    said = [inflected(number, ending) for number in numbers if number]
    if len(said) < len(numbers):
        return None
    joint = match["joint"] or ""
    return f" {'bis' if joint in '-–' else joint} ".join(said)


def _enumerated(match: re.Match[str], _: Context) -> str | None:
    number = int(match["number"])
    return inflected(number, match["ending"]) if number else None


def _value(printed: str) -> int | None:
    return int(printed) or None if printed.isdecimal() else names.roman_value(printed)


def _place(match: re.Match[str], context: Context) -> str | None:
    number = names.roman_value(match["numeral"])
    if not number or match["name"] not in PLACES:
        return None
    return f"{match['name']} {cardinal(number, context.region)}"


def _holy(match: re.Match[str], context: Context) -> str:
    weak = declined(context, match.start())
    return {"n": "Heiligen", "e": "Heilige"}.get(weak or "", "Sankt")


def _one(match: re.Match[str], context: Context) -> str | None:
    """“von einem Euro”, “für einen Euro”: one is inflected like an article. Not “um ein Uhr”."""
    noun, before = match["noun"], context.word_before(match.start()).lower()
    gender = _gender(noun)
    if not gender or noun in {"Uhr", "Mio", "Mrd"}:
        return None
    if before in ONE_DATIVE:
        return "einer" if gender == "f" else "einem"
    if before in ONE_ACCUSATIVE and gender == "m":
        return "einen"
    return None


def _even_money(match: re.Match[str], context: Context) -> str:
    currency = CURRENCIES[match["sign"]]
    number = int(match["whole"])
    noun = currency.one if number == 1 else currency.many
    return f"{cardinal(number, context.region, currency.gender)} {noun}"


def _numbered(match: re.Match[str], context: Context) -> str | None:
    """“Band drei” for “Bd. III”."""
    number = names.roman_value(match["numeral"])
    letters = len(match["short"]) == 2 and len(match["numeral"]) == 1  # “S. M.”, His Majesty
    if not number or (letters and context.text.startswith(".", match.end())):
        return None
    return f"{ABBREVIATIONS.before_number[match['short']]} {cardinal(number, context.region)}"


def _postcode(match: re.Match[str], context: Context) -> str:
    return GERMAN.say_digits(match["digits"], context.region)


def _weekday(match: re.Match[str], context: Context) -> str | None:
    """“Freitag” for “Fr.” after “am” or beside another day; else it is a lady."""
    if match[0] == "So":  # “So, so!” is no Sunday
        near = context.text[max(0, match.start() - NEAR) : match.start()]
        return "Sonntag" if _SATURDAY.search(near) else None
    beside = _DAY_AFTER.match(context.text, match.end()) or _DAY_BEFORE.search(
        context.text[max(0, match.start() - NEAR) : match.start()]
    )
    if not beside and match[0] == "Fr." and context.word_before(match.start()) in _FIRST_NAMES:
        return "Friedrich"
    return _DAYS[match["day"]] if beside else None


def _lasting(match: re.Match[str], context: Context) -> str:
    """“vier Minuten und zwanzig Sekunden” for “4:20 Minuten”."""
    minutes, seconds = int(match["minutes"]), int(match["seconds"])
    said = f"{cardinal(minutes, context.region, 'f')} Minute{'' if minutes == 1 else 'n'}"
    if not seconds:
        return said
    noun = "Sekunde" if seconds == 1 else "Sekunden"
    return f"{said} und {cardinal(seconds, context.region, 'f')} {noun}"


def _street(match: re.Match[str], _: Context) -> str:
    return match["name"] + {"str": "straße", "pl": "platz"}[match["kind"]]


_PARTS = dict(enumerate(["Fünftel", "Sechstel", "Siebtel", "Achtel", "Neuntel", "Zehntel"], 5))
GERMAN = LanguageWords(
    code="de",
    comma="Komma",
    dot="Punkt",
    minus="minus",
    to="bis",
    percent="Prozent",
    permille="Promille",
    per="pro",
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
    link="",
    cents="{money} {number}",
    currencies=CURRENCIES,
    symbols=SYMBOLS,
    slash="Schrägstrich",
    hyphen="Bindestrich",
    number="Nummer",
    underscore="Unterstrich",
    cardinal=cardinal,
    year=year,
    gender=_gender,
    pair_decimals=0,
    # Before a number that counts nothing: “Absatz 1 Satz 2”.
    labels=words(
        "abs. absatz art. artikel nr. nummer satz s. seite kap. kapitel paragraf teil band bd."
        " ziffer ziff. klasse gruppe typ stufe zimmer raum gleis linie phase version"
    ),
    units={"EL": "volume-tablespoon", "TL": "volume-teaspoon"},
    point_regions=frozenset({"CH", "LI"}),
)
_FULL_MONTHS = "|".join(_months())
_MONTHS = counting.alternatives((*_months(), *_SHORT_MONTHS))
_UNIT = (
    r"jährig|tägig|wöchig|monatig|stündig|minütig|köpfig|teilig|seitig|stellig|stöckig|prozentig"
)
_NAME = rf"(?P<name>[^\W\d_]+){_S}(?P<numeral>{names.ROMAN})(?![^\W_])"
_NUMBER = r"(?:\d{1,3}|[IVX]{1,6})"
RULES: tuple[Rule, ...] = (
    rule(
        "abbreviation",
        rf"(?P<first>{'|'.join(_DAYS)})\b\.?[ ]?[–-][ ]?(?P<last>{'|'.join(_DAYS)})\b\.?(?![\w-])",
        lambda match, _context: f"{_DAYS[match['first']]} bis {_DAYS[match['last']]}",
    ),
    rule("abbreviation", rf"(?P<day>{'|'.join(_DAYS)})\b\.?(?![\w-])", _weekday),
    rule(
        "numeral",
        rf"(?P<short>{counting.alternatives(ABBREVIATIONS.before_number)}){_S}(?P<numeral>{names.ROMAN})(?![\w’'])",
        _numbered,
    ),
    # A year whose last digit an author hides: “im Mai 184–.”
    rule(
        "year",
        r"(?<![\w.,/–-])(?P<decade>1[5-9]\d)[–—-](?=[.,;:)«]|\s[a-zäöü]|\Z)(?!\s(?:bis|und|oder)\s\d)",
        lambda match, context: f"{year(int(match['decade'] + '0'), context.region)} und etwas",
    ),
    rule("postcode", rf"(?:D-)?(?P<digits>\d{{5}})(?={_S}(?:{_CITIES})\b)", _postcode),
    # Behind the number of a house: “Hauptstraße 9, 88299 …”.
    rule(
        "postcode",
        r"(?:(?<=\d,[ ])|(?<=\d[a-c],[ ]))(?P<digits>\d{5})(?=[ \u00a0][^\W\d_a-zäöü][a-zäöüß]+)",
        _postcode,
    ),
    # “Art. 2 Abs. 1 S. 1”: a sentence of a law.
    rule(
        "abbreviation",
        rf"(?:(?<=Abs\.[ ]\d[ ])|(?<=Absatz[ ]\d[ ]))S\.(?=[ ]\d)"
        rf"|S\.(?=[ ]\d{{1,2}}[ ](?:Nr\.[ ]\d+[ ])?(?:{_LAWS})\b)",
        lambda _match, _context: "Satz",
    ),
    # A chapter: “V. Fräulein Emma”.
    rule(
        "numeral",
        r"(?<![\s\S])V\.(?=[ ][A-ZÄÖÜ])",
        lambda _match, context: f"{cardinal(5, context.region).capitalize()}.",
    ),
    # “9-5 Uhr” goes on in the afternoon.
    rule(
        "range",
        r"(?<![\w.,:/-])(?P<first>\d{1,2})[ ]?[-–][ ]?(?P<last>\d{1,2})(?=[ ]Uhr\b)",
        lambda match, context: (
            f"{cardinal(int(match['first']), context.region)} bis"
            f" {cardinal(int(match['last']), context.region, 'm' if match['last'] == '1' else '')}"
        ),
    ),
    # A law “v. 25.3.2019”.
    rule("abbreviation", r"v\.(?=[ ]\d{1,2}\.[ ]?(?:\d|[A-ZJ]))", lambda _match, _context: "vom"),
    # “die Heil’gen.”: the end of a word.
    rule("abbreviation", r"(?<=['’])gen\.", lambda match, _context: match[0]),
    # “4:20 Minuten” is no hour.
    rule(
        "time",
        r"(?P<minutes>\d{1,3}):(?P<seconds>[0-5]\d)[ \u00a0](?:Minuten|Min\.)(?!\w)",
        _lasting,
    ),
    *text.rules(GERMAN, ABBREVIATIONS),
    rule(
        "number",
        r"1(?=[ \u00a0](?!(?:{_FULL_MONTHS})\b)(?P<noun>[^\W\d_a-zäöüß][a-zäöüß]+))",
        _one,
    ),
    rule("abbreviation", r"[Hh]l\.(?=[ ][^\W\d_a-zäöü])", _holy),
    # “5,– Euro”: no cents.
    rule(
        "money",
        r"(?P<whole>\d{1,6}),(?:–|—|--?)[ ]?(?P<sign>€|Euro|Mark|DM|Franken)(?!\w)",
        _even_money,
    ),
    rule("abbreviation", r"(?P<name>[^\W\d_]{2,20}?)(?P<kind>str|pl)\.(?=[ \u00a0]\d)", _street),
    rule("abbreviation", r"(?<=\d[ \u00a0])ff?\.", lambda _match, _context: "folgende"),
    rule("monarch", rf"{_NAME.replace(_S, '[ ]')}\.?", monarch),
    rule("numeral", _NAME.replace(_S, "[ ]"), _place),
    Rule(
        "date",
        re.compile(
            rf"(?P<day>0?[1-9]|[12]\d|3[01])(?:\.{_S}?|{_S}(?=(?:{_FULL_MONTHS})\b))(?P<month>{_MONTHS})(?![^\W_])(?:\.(?={_S}\d))?(?:{_S}(?P<year>\d{{4}})(?![\d.,]\d))?(?!\d)"
        ),
        _date,
    ),
    Rule("date", re.compile(rf"(?<![\d./-]){calendar.NUMERIC_DATE}"), _numeric_date),
    rule(
        "date", r"(?P<day>0?[1-9]|[12]\d|3[01])\.[ ]?(?P<month>0?[1-9]|1[0-2])\.(?!\d)", _short_date
    ),
    rule(
        "time",
        r"(?P<hour>[01]?\d|2[0-4])(?P<mark>[:.])(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?(?![\w:]|[.,]\d)(?P<unit>\s?Uhr\b|\s?h\b)?",
        _time,
    ),
    rule("ratio", r"(?P<first>\d{1,4}):(?P<last>\d{1,9})(?![\w:]|[.,]\d)", _ratio),
    rule("decade", r"['’]?(?P<number>\d{1,4})er(?P<ending>n|-Jahren?)?(?![^\W_])", _decade),
    rule(
        "compound",
        rf"(?P<number>\d{{1,4}})-?(?P<word>(?:mal|fach|Jährig|{_UNIT})[a-zäöüß]*)(?![^\W_])",
        _compound,
    ),
    # “2., verbesserte Auflage”: the ending is that of the adjective.
    rule(
        "ordinal",
        r"(?P<number>\d{1,2})\.(?=,\s[a-zäöüß]{2,20}?e(?P<ending>[nrsm]?)\s)",
        _enumerated,
    ),
    rule(
        "ordinal",
        rf"(?P<first>{_NUMBER})\.(?:\s?(?P<joint>und|oder|bis|/|[-–])\s?(?P<last>{_NUMBER})\.)?(?!\d)(?=\s|[,;:)])",
        _ordinal,
    ),
    Rule(
        "year",
        re.compile(calendar.SHORT_YEAR),
        lambda match, context: cardinal(int(match["digits"]), context.region),
    ),
    rule("year", r"1[1-9]\d\d(?![\w%‰]|[.,/]\d|\s?[-–]\s?\d|[ ]?[€$£%°])", _year),
    *amounts.rules(GERMAN),
    *text.signs(GERMAN),
)
