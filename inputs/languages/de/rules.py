"""The rules of German. Those of some topics have files of their own."""

from __future__ import annotations

import re

from audiomill.inputs.languages.de import counted, dates, old_books, persons, recipes, years
from audiomill.inputs.languages.de.declaration import ABBREVIATIONS
from audiomill.inputs.languages.de.language import (
    CITIES,
    CURRENCIES,
    GERMAN,
    PLACES,
    cardinal,
    gender_of,
)
from audiomill.inputs.languages.de.ordinals import (
    ONE_ACCUSATIVE,
    ONE_DATIVE,
    adjective_ending,
    so_called,
)
from audiomill.inputs.languages.de.persons import monarch
from audiomill.inputs.spoken.european import amounts, names, scripture, text
from audiomill.inputs.spoken.european.counting import SPACE, alternatives
from audiomill.inputs.spoken.european.language import european_grammar
from audiomill.inputs.spoken.european.measures import angles
from audiomill.inputs.spoken.rules import Context, Rule, always, rule

_DIGIT_AFTER = re.compile(r"[ \u00a0]\d")
_CALLED = re.compile(r"(?:Tel(?:efon)?|Fax|Mobil|Handy|Ruf(?:nummer)?|Hotline)\b[^;\d]{0,12}\Z")
_SHORTEST_TELEPHONE = 7
_PERIODS = {"Min": "Minute", "Std": "Stunde", "Sek": "Sekunde"}
_WHICH = {"v": "vorigen", "d": "dieses"}
_OF_PERIOD = {"M": "Monats", "J": "Jahres"}
_LAWS = "GG|BGB|StGB|HGB|ZPO|StPO|SGB|AO|VwGO|AktG|EStG|UStG"
_NAME = rf"(?P<name>[^\W\d_]+)[ ](?P<numeral>{names.ROMAN})(?![^\W_])"


def _numbered(match: re.Match[str], context: Context) -> str | None:
    """“Band drei” for “Bd. III”."""
    number = names.roman_value(match["numeral"])
    letters = len(match["short"]) == 2 and len(match["numeral"]) == 1  # “S. M.”, His Majesty
    if not number or (letters and context.text.startswith(".", match.end())):
        return None
    if match["numeral"] in {"L", "C", "D", "M"} and _DIGIT_AFTER.match(context.text, match.end()):
        return None  # “ABl. Nr. L 265”: the letter of a series
    return f"{ABBREVIATIONS.before_number[match['short']]} {cardinal(number, context.region)}"


def _postcode(match: re.Match[str], context: Context) -> str:
    return GERMAN.say_digits(match["digits"], context.region)


def _street(match: re.Match[str], _: Context) -> str:
    return match["name"] + {"str": "straße", "pl": "platz"}[match["kind"]]


def _one(match: re.Match[str], context: Context) -> str | None:
    """“von einem Euro”, “für einen Euro”: one is inflected like an article. Not “um ein Uhr”."""
    noun, before = match["noun"], context.word_before(match.start()).lower()
    gender = gender_of(noun)
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


def _telephone(match: re.Match[str], context: Context) -> str | None:
    """Each digit, after a word for a telephone or with a stroke behind the code of a town."""
    near = context.text_before(match.start())
    if "/" not in match[0] and not _CALLED.search(near):
        return None
    groups = re.findall(r"\d+", match[0])
    if len("".join(groups)) < _SHORTEST_TELEPHONE:
        return None
    return ", ".join(GERMAN.say_digits(group, context.region) for group in groups)


def _place(match: re.Match[str], context: Context) -> str | None:
    number = names.roman_value(match["numeral"])
    if not number or match["name"] not in PLACES or match["numeral"] in {"C", "D", "M"}:
        return None  # “Anhang C”: a letter
    return f"{match['name']} {cardinal(number, context.region)}"


def _ratio(match: re.Match[str], context: Context) -> str:
    said = [
        cardinal(int(match[part].replace(".", "")), context.region) for part in ("first", "last")
    ]
    return " zu ".join(said)


_POSTCODES = (
    rule("postcode", rf"(?:D-)?(?P<digits>\d{{5}})(?={SPACE}(?:{CITIES})\b)", _postcode),
    # Behind the number of a house: “Hauptstraße 9, 88299 …”.
    rule(
        "postcode",
        r"(?:(?<=\d,[ ])|(?<=\d[a-c],[ ]))(?P<digits>\d{5})(?=[ \u00a0][^\W\d_a-zäöü][a-zäöüß]+)",
        _postcode,
    ),
)
_TELEPHONES = (
    rule(
        "digits",
        r"""(?<![\w.,/-])\(?0\d{1,4}\)?(?:[ ]?/[ ]?|[ ]|-)\d{2,9}(?:[ -]\d{1,6}){0,4}
        (?![\w/]|[.,-]\d)""",
        _telephone,
    ),
    # “rund um die Uhr”
    rule("time", r"24/7(?![\w/]|[.,]\d)", always("vierundzwanzig sieben")),
)
_LAWS_AND_HEADINGS = (
    # “Art. 2 Abs. 1 S. 1”: a sentence of a law.
    rule(
        "abbreviation",
        rf"(?:(?<=Abs\.[ ]\d[ ])|(?<=Absatz[ ]\d[ ]))S\.(?=[ ]\d)"
        rf"|S\.(?=[ ]\d{{1,2}}[ ](?:Nr\.[ ]\d+[ ])?(?:{_LAWS})\b)",
        always("Satz"),
    ),
    # A chapter: “V. Fräulein Emma”.
    rule(
        "numeral",
        r"(?<![\s\S])V\.(?=[ ][A-ZÄÖÜ])",
        lambda _match, context: f"{cardinal(5, context.region).capitalize()}.",
    ),
)
_LETTERS = (
    # “am 15. v. M.”: of the last month.
    rule(
        "abbreviation",
        r"(?<=\d\.[ ])(?P<which>[vd])\.[ ]?(?P<period>[MJ])\.",
        lambda match, _context: f"{_WHICH[match['which']]} {_OF_PERIOD[match['period']]}",
    ),
    # “P. 2” is a part of a Latin book, or a priest, and no page.
    rule("abbreviation", r"PP?\.(?=[ ](?:\d|[IVX]+\b))", lambda match, _context: match[0]),
    # A law “v. 25.3.2019”.
    rule("abbreviation", r"v\.(?=[ ]\d{1,2}\.[ ]?(?:\d|[A-ZJ]))", always("vom")),
    # “die Heil’gen.”, “den Wa- gen.”: the end of a word.
    rule("abbreviation", r"(?:(?<=['’])|(?<=-[ ]))gen\.", lambda match, _context: match[0]),
)
_BEFORE_NOUNS = (
    rule(
        "number",
        rf"1(?=[ \u00a0](?!(?:{dates.FULL_MONTHS})\b)(?P<noun>[^\W\d_a-zäöüß][a-zäöüß]+))",
        _one,
    ),
    # “5,– Euro”: no cents.
    rule(
        "money",
        r"(?P<whole>\d{1,6}),(?:–|—|--?)[ ]?(?P<sign>€|Euro|Mark|DM|Franken)(?!\w)",
        _even_money,
    ),
    rule("abbreviation", r"(?P<name>[^\W\d_]{2,20}?)(?P<kind>str|pl)\.(?=[ \u00a0]\d)", _street),
    # “1,24 Euro / Min.”
    rule(
        "unit",
        r"""/(?:(?<=(?:Euro|Cent)[ ]/)|(?<=(?:Euro|Cent)/)|(?<=€/)|(?<=€[ ]/))[ ]?
        (?P<period>Min|Std|Sek)\b\.?""",
        lambda match, _context: f" pro {_PERIODS[match['period']]}",
    ),
    rule("percent", r"(?<=\d[ \u00a0])v\.[ ]?H\.", always("vom Hundert")),
    rule("abbreviation", r"(?<=\d[ \u00a0])ff?\.", always("folgende")),
    rule("monarch", rf"{_NAME}\.?", monarch),
    rule("numeral", _NAME, _place),
)
_NATIONS = {
    "dt": "deutsch",
    "deutsch": "deutsch",
    "engl": "englisch",
    "frz": "französisch",
    "franz": "französisch",
    "französ": "französisch",
    "lat": "lateinisch",
    "latein": "lateinisch",
    "ital": "italienisch",
    "griech": "griechisch",
    "röm": "römisch",
    "russ": "russisch",
    "amerik": "amerikanisch",
    "span": "spanisch",
    "poln": "polnisch",
    "österr": "österreichisch",
    "oesterr": "österreichisch",
    "preuß": "preußisch",
    "preuss": "preußisch",
    "bayr": "bayrisch",
    "türk": "türkisch",
    "schwed": "schwedisch",
}
_RULES: tuple[Rule, ...] = (
    # “48 ital. Meilen”, “den griech. Göttern”; but “lat. amor”.
    rule(
        "abbreviation",
        rf"(?<![\w.-])(?P<nation>{'|'.join(_NATIONS)})\.(?=[ \u00a0][A-ZÄÖÜ][a-zäöüß]+)",
        lambda match, context: f"{_NATIONS[match['nation']]}{adjective_ending(match, context)}",
    ),
    rule(
        "abbreviation",
        r"(?P<letter>[Aa])llg\.(?=[ \u00a0][A-ZÄÖÜ][a-zäöüß]+)",
        lambda match, context: f"{match['letter']}llgemein{adjective_ending(match, context)}",
    ),
    rule("abbreviation", r"[Ss]og(?:en)?\.(?=[ \u00a0])", so_called),
    *scripture.rules(GERMAN),
    *old_books.RULES,
    *dates.WEEKDAYS,
    rule(
        "numeral",
        rf"(?P<short>{alternatives(ABBREVIATIONS.before_number)}){SPACE}(?P<numeral>{names.ROMAN})(?![\w’'])",
        _numbered,
    ),
    years.HIDDEN_YEAR,
    dates.DIARY_DAY,
    *_POSTCODES,
    *_TELEPHONES,
    persons.SPEAKER,
    *_LAWS_AND_HEADINGS,
    dates.OPENING_HOURS,
    dates.HOURS,
    dates.FULL_HOUR,
    dates.LIVED,
    *_LETTERS,
    persons.MAIDEN_NAME,
    *recipes.RECIPES,
    dates.LASTING,
    *text.rules(GERMAN, ABBREVIATIONS),
    persons.HOLY,
    *_BEFORE_NOUNS,
    *angles(GERMAN, {"N": "Nord", "S": "Süd", "E": "Ost", "O": "Ost", "W": "West"}),
    *dates.DATES,
    rule(
        "ratio",
        r"(?P<first>\d{1,4})(?:[ ]:[ ]|:)(?P<last>\d{1,3}(?:\.\d{3})+|\d{1,9})(?![\w:]|[.,]\d)",
        _ratio,
    ),
    years.DECADE,
    *counted.RULES,
    *years.YEARS,
    *amounts.rules(GERMAN),
    *text.signs(GERMAN),
)
GRAMMAR = european_grammar(GERMAN, _RULES)
