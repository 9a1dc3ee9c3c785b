"""The rules of Italian. Monarchs, centuries and chapters are ordinals."""

from __future__ import annotations

import re
from decimal import Decimal

from audiomill.inputs.languages.it import old_books
from audiomill.inputs.languages.it.declaration import ABBREVIATIONS
from audiomill.inputs.languages.it.language import ITALIAN, PLACES, cardinal, gender_of, ordinal
from audiomill.inputs.spoken.european import (
    amounts,
    calendar,
    codes,
    durations,
    fractions,
    names,
    number_words,
    scripture,
    text,
)
from audiomill.inputs.spoken.european.language import Gender, european_grammar
from audiomill.inputs.spoken.european.measures import angles, is_angle
from audiomill.inputs.spoken.european.number_words import UNITS
from audiomill.inputs.spoken.rules import Context, Rule, always, rule

_BEFORE_ORDINALS = frozenset(("la", "il", "della", "del", "alla", "al", "nella", "nel", "dalla"))
_VERB = re.compile(
    r"(?:ebbe|ebbero|erà|irà|arà|ava|eva|iva|ò|ì|è|viene|sono|deve|può"
    r"|corrisponde|indica|significa|rappresenta|equivale|contiene|include|mostra|prevede|riguarda"
    r"|recita|stabilisce|dispone|vale|diventa|resta|rimane)$"
)
# “25° Nord”, “30° Celsius”; other capitals are of names: “25° Anno”, “3° Reggimento”.
_NO_NOUNS = frozenset(("Nord", "Sud", "Est", "Ovest", "Celsius", "Fahrenheit", "Réaumur", "Kelvin"))
_SERIES_OF_MARKED = re.compile(r"\s(?:e|o)\s\d{1,3}°\s[a-z]{3}")
_DASH = re.compile(r"\s?[-–—]+\s")  # “1a - che …”: a point of a list
_VOWELS = "aeiouàèéìòù"
_NEEDS_UNO = re.compile(r"s[^aeiou]|z|gn|ps|pn|x|y")
_CENTURY = r"secolo|sec\.|secc\.|millennio|capitolo|canto|volume|atto|libro|congresso|anniversario"
_CENTURY_F = r"Guerra|guerra|Repubblica|edizione|parte|scena|legislatura|giornata"


def _time(hour: int, minute: int, region: str) -> str:
    said = "una" if hour == 1 else cardinal(hour, region)
    said = "mezzanotte" if hour == 0 and not minute else said
    if not minute:
        return said
    return f"{said} e {cardinal(minute, region)}"


def _first(_printed: str, _region: str) -> str:
    return "primo"


def _numbered(name: str, number: int, _region: str, gender: Gender) -> str:
    return f"{name} {ordinal(number, gender)}"


def _century(number: int, _highest: int, _region: str) -> str:
    return ordinal(number)


def _marked(match: re.Match[str], context: Context) -> str | None:
    number, mark = int(match["number"]), match["mark"]
    noun = context.word_after(match.end())
    if mark == "a" and noun == "EDIZIONE":  # other capitals are no nouns for sure
        noun = noun.lower()
    if mark == "°" and noun[:1].isupper() and noun not in _NO_NOUNS:
        noun = noun.lower()
    if mark == "°" and _SERIES_OF_MARKED.match(context.text, match.end()):
        return ordinal(number)  # “al 1° e 2° piano”
    if mark == "º" and is_angle(match, context, noun if gender_of(noun) else ""):
        return None
    before = context.word_before(match.start()).lower()
    if mark == "°" and noun == "gradi":
        return cardinal(number, context.region)  # “360° gradi”: said once
    if mark == "°" and before in {"a", "di"} and number in {90, 180, 270, 360}:
        return None  # “a 360°”: a turn
    if mark == "°" and noun == "di":
        return "primo"
    if mark == "°" and not gender_of(noun) and "." not in match[0]:
        return None
    # “7a edizione”; but “il 3 a 2”, “5a” of a list.
    listed = not context.text[: match.start()].strip() and _DASH.match(context.text, match.end())
    is_ordinal = bool(listed) or before in _BEFORE_ORDINALS or noun == "ed"
    is_ordinal = is_ordinal or (mark in "ao" and before in PLACES)
    if mark in "ao" and not is_ordinal and gender_of(noun) != ("f" if mark == "a" else "m"):
        return None
    return ordinal(number, "f" if mark in "ªa" else "m") if number else None


def _leading(match: re.Match[str], _: Context) -> str | None:
    number = names.roman_value(match["numeral"])
    if not number:
        return None
    return f"{match['lead'] or ''}{ordinal(number, 'f' if match['feminine'] else 'm')}"


def _one(match: re.Match[str], context: Context) -> str | None:
    noun = match["noun"]
    if not ITALIAN.counted("1", "anno", context.word_before(match.start())):
        return None  # “al punto 1 lettera c”, “dell'art. 1 ultimo comma”
    gender = gender_of(noun)
    if not gender or _VERB.search(noun):
        return None
    if gender == "f":
        return f"un'{noun}" if noun[0] in _VOWELS else f"una {noun}"
    return f"{'uno' if _NEEDS_UNO.match(noun) else 'un'} {noun}"


def _elided(match: re.Match[str], context: Context) -> str:
    """“dall'aprile duemilaotto” for “dal 04/2008”."""
    month = number_words.months("it")[int(match["month"]) - 1]
    article = match["article"] if match["article"][0] in "Ii" else f"{match['article']}l"
    article = {"il": "l", "Il": "L"}.get(article, article)
    return f"{article}'{month} {cardinal(int(match['year']), context.region)}"


_CALENDAR = calendar.Calendar(
    language=ITALIAN,
    short_months={
        "gen": 1,
        "feb": 2,
        "mar": 3,
        "apr": 4,
        "mag": 5,
        "giu": 6,
        "lug": 7,
        "ago": 8,
        "sett": 9,
        "set": 9,
        "ott": 10,
        "nov": 11,
        "dic": 12,
    },
    of="",
    first=_first,
    hour_marks=r"[:.h]",
    time_words=r"ore|h",
    before_times=frozenset(("ore", "alle", "dalle", "le")),
    hours="",
    time=_time,
)
_ARTICLE = re.compile(
    r"\b(?:artt?\.|articol[oi])\s?\d{1,4}(?:[ -](?:bis|ter|quater|quinquies))?,?\s?\Z",
    re.IGNORECASE,
)


def _paragraph(match: re.Match[str], context: Context) -> str:
    """“comma” behind the number of an article, “capitolo” elsewhere."""
    before = context.text_before(match.start())
    word = "comma" if _ARTICLE.search(before) else "capitolo"
    return word + " " * (match["joined"] is not None)


# “il IX e il X secolo”: the first numeral is an ordinal too.
_SERIES = r"(?:(?:\s(?:e|ed|o|al)\s(?:il\s|l['’]|al\s|la\s)?|\s?[-–]\s?)[IVX]{1,6})?"
_LEAD = r"(?P<lead>[^\W\d_]+(?:\s|['’]))?"
_RULES: tuple[Rule, ...] = (
    *scripture.rules(ITALIAN),
    # “art. 70 l. 633/1941”, “c. 7”: what laws are made of; a year is a guess.
    rule(
        "abbreviation",
        r"""(?P<decree>[Dd]\.[ ]?)?[Ll]\.(?=[ ](?:\d{1,4}/\d{2,4}|\d{1,2}°?[ ]
        (?i:gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre)\b))""",
        lambda match, _context: "decreto legge" if match["decree"] else "legge",
    ),
    *old_books.RULES,
    # “Ed. Einaudi”: a publisher.
    rule("abbreviation", r"Ed\.(?=[ ][^\W\d_a-zß-öø-ÿ])", always("Edizioni")),
    rule("abbreviation", r"(?<=[\[(])v\.(?=[ ]\d)", always("vedi")),
    rule(
        "ordinal",
        r"(?P<number>\d{1,3})(?:-m|[ -]?esim)(?P<gender>[oa])(?!\w)",
        lambda match, _context: ordinal(
            int(match["number"]), "f" if match["gender"] == "a" else "m"
        ),
    ),
    # “al 35' il pareggio”, “(43')”: minutes of a game.
    rule(
        "ordinal",
        r"""(?:(?<=\b[Aa]l[ ])|(?<=\b[Dd]al[ ])|(?<=[(]))
        (?P<number>\d{1,3})['’](?P<next>(?=[^\W\d_]))?""",
        lambda match, _context: ordinal(int(match["number"])) + " " * (match["next"] is not None),
    ),
    rule(
        "abbreviation",
        r"c\.(?P<joined>(?=\d))?(?=[ ]?\d{1,2}(?![.,]?\d))",
        _paragraph,
    ),
    rule("abbreviation", r"(?<=[IVX][ ])sec\.", always("secolo")),
    names.series(("secoli", "secc."), r"e|ed|al?|o", "secoli", _century),
    rule("abbreviation", r"(?<=ad[ ])es\.|(?<=per[ ])es\.", always("esempio")),
    names.sessions(cardinal),
    names.articles(cardinal),
    *names.rules(names.Numbered(_numbered, PLACES, _numbered, ABBREVIATIONS.before_number)),
    *text.rules(ITALIAN, ABBREVIATIONS),
    rule(
        "ordinal",
        rf"{_LEAD}(?P<numeral>[IVX]{{1,6}})(?={_SERIES}\s(?i:(?:{_CENTURY})|(?P<feminine>{_CENTURY_F}))(?![^\W_]))",
        _leading,
    ),
    *angles(ITALIAN, {"N": "nord", "S": "sud", "E": "est", "O": "ovest", "W": "ovest"}),
    *codes.scores(ITALIAN),
    # “dal 04/2008”: before a vowel the article loses its own.
    rule(
        "date",
        r"""(?P<article>[DdNnAa](?:a|e)?l|[Ss]ul|[Ii]l)[ ]
        (?P<month>04|08|10)/(?P<year>(?:19|20)\d\d)(?![\w/])""",
        _elided,
    ),
    # “euro al mq”.
    rule(
        "unit",
        r"(?<=\bal[ ])(?P<unit>mq|mc|kg|km|kWh)(?!\w)",
        lambda match, context: number_words.unit_name(
            ITALIAN.units.get(match["unit"]) or UNITS[match["unit"]],
            Decimal(1),
            "it",
            context.region,
        ),
    ),
    durations.lasting(
        ITALIAN,
        r"dur(?:ò|a|ano|arono|erà|ava)|durat[ao](?: di)?|tempo di|quasi|appena"
        r"|(?:film|partita|gara|volo|viaggio) di",
        "durata|film|partita|gara|volo|viaggio|attesa|ritardo",
    ),
    *calendar.rules(_CALENDAR),
    fractions.of_many(ITALIAN, "su"),
    *old_books.SIGNS,
    # A degree sign before a noun is an ordinal; before °C or a full stop it is a temperature.
    rule(
        "ordinal",
        r"""(?P<number>\d{1,3})(?:\.|[ ](?=[ºª](?!\s?C\b)))?
        (?P<mark>[ºª]|(?<=\.)°|°(?=\s[^\W\d_]{3}|\s(?:e|o)\s\d{1,3}°\s[^\W\d_]{3})|(?<=\b1)°(?=\sdi\s)|(?<=\d)[ao]|(?<=\d\.)[ao])(?![^\W_])""",
        _marked,
    ),
    rule("one", r"1[ ](?P<noun>[a-zà-ù]{3,30})(?!\w)", _one),
    *amounts.rules(ITALIAN),
    *text.signs(ITALIAN),
)
GRAMMAR = european_grammar(ITALIAN, _RULES)
