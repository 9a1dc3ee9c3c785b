"""The rules of French.

Numerals are by num2words in standard French. Its Swiss and Belgian forms are not used: they have
“deux cents un” and “un millions”. Its ordinals are not used either: they have “quatre-vingtsième”.
Both are made here. Style: Lexique des règles typographiques en usage à l'Imprimerie nationale.
"""

from __future__ import annotations

import re

from audiomill.inputs.languages.fr import ABBREVIATIONS
from audiomill.inputs.spoken.european import (
    amounts,
    angles,
    calendar,
    codes,
    counting,
    fractions,
    names,
    text,
)
from audiomill.inputs.spoken.european.french.words import (
    CURRENCIES,
    FEMININE,
    PLACES,
    SCALES,
    SHORT_SCALES,
    SYMBOLS,
)
from audiomill.inputs.spoken.european.language import Gender, LanguageWords
from audiomill.inputs.spoken.european.number_words import numeral
from audiomill.inputs.spoken.rules import Context, Rule, rule

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


_LISTED = (
    *("primo", "secundo", "tertio", "quarto", "quinto", "sexto", "septimo", "octavo", "nono"),
    "decimo",
)
_FORMATS = {"2": "folio", "4": "quarto", "8": "octavo"}
_DEGREE_UNIT = re.compile(
    r"\s?(?:C\b|F\b|Celsius|de (?:latitude|longitude|froid|chaleur)|[NSEO]\b)"
)
_DEGREES = frozenset(("celsius", "c", "de", "nord", "sud", "est", "ouest"))


_COUNTED_ON = frozenset(("type", "phase", "stade", "niveau"))  # “le diabète de type I”
_ERAS = frozenset(("avant", "après", "av.", "apr.", "ap.", "depuis"))


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


def _gender(noun: str) -> Gender:
    singular = noun.removesuffix("s")
    return (
        "f" if singular in FEMININE or noun in FEMININE or singular.endswith(_FEMININE_ENDS) else ""
    )


def _year(number: int, region: str) -> str:
    return cardinal(number, region)


def _time(hour: int, minute: int, region: str) -> str:
    hours = f"{cardinal(hour, region, 'f')} {'heures' if hour > 1 else 'heure'}"
    return f"{hours} {cardinal(minute, region, 'f')}" if minute else hours


def _lasting(match: re.Match[str], context: Context) -> str:
    """“cinq heures dix-sept minutes trente-quatre secondes” for “5 h. 17 m. 34 s.”."""
    parts = (("hours", "heure"), ("minutes", "minute"), ("seconds", "seconde"))
    counts = [(int(match[name]), noun) for name, noun in parts if match[name]]
    return " ".join(
        f"{cardinal(count, context.region, 'f')} {noun}{'s' if count > 1 else ''}"
        for count, noun in counts
    )


def _height(match: re.Match[str], context: Context) -> str:
    """“un mètre cinquante” for “1 m. 50”."""
    meters, rest = int(match["meters"]), int(match["rest"])
    zero = "zéro " if rest < 10 else ""
    noun = "mètres" if meters > 1 else "mètre"
    return f"{cardinal(meters, context.region)} {noun} {zero}{cardinal(rest, context.region)}"


def _first(_printed: str, _region: str) -> str:
    return "premier"


def _monarch(name: str, number: int, region: str, gender: Gender) -> str:
    return f"{name} {ordinal(1, region, gender) if number == 1 else cardinal(number, region)}"


def _place(word: str, number: int, region: str, gender: Gender) -> str:
    masculine_first = number == 1 and gender == "m" and word.lower() not in _COUNTED_ON
    return f"{word} {'premier' if masculine_first else cardinal(number, region)}"


def _marked(match: re.Match[str], context: Context) -> str | None:
    number = int(match["number"]) if match["number"] else names.roman_value(match["numeral"])
    mark = match["mark"].lower()
    if not number or ((mark in {"er", "re", "ère"}) and number != 1):
        return None
    if mark in {"nd", "nde"}:
        said = {"nd": "second", "nde": "seconde"}[mark] if number == 2 else None
    else:
        noun = context.word_after(match.end())
        feminine = mark in {"re", "ère"} or _gender(noun) == "f"
        said = ordinal(number, context.region, "f" if feminine else "m")
    if said is None:
        return None
    return f"{match['lead'] or ''}{said}{match['plural'] or ''}"


def _listed(match: re.Match[str], context: Context) -> str | None:
    """“primo”, “secundo”: the points of a list, not degrees."""
    after = context.word_after(match.end()).lower()
    if after in _DEGREES and (after != "de" or _DEGREE_UNIT.match(context.text, match.end())):
        return None
    return _LISTED[int(match["number"]) - 1]


def _pointed(match: re.Match[str], context: Context) -> str | None:
    """“au 10° de l'article 255”, “(1°, 2° et 3°)”."""
    if _DEGREE_UNIT.match(context.text, match.end()):
        return None
    number = int(match["number"])
    return _LISTED[number - 1] if number <= len(_LISTED) else cardinal(number, context.region)


def _francs(match: re.Match[str], context: Context) -> str:
    francs = cardinal(int(match["francs"]), context.region)
    noun = "franc" if match["francs"] in {"0", "1"} else "francs"
    return f"{francs} {noun} {cardinal(int(match['centimes']), context.region)}"


_PARTS = dict(enumerate(["cinquième", "sixième", "septième", "huitième", "neuvième", "dixième"], 5))
FRENCH = LanguageWords(
    code="fr",
    comma="virgule",
    dot="point",
    minus="moins",
    to="à",
    percent="pour cent",
    permille="pour mille",
    per="par",
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
    cardinal=cardinal,
    year=_year,
    gender=_gender,
    plural="s",
    point_regions=frozenset({"CH"}),
    units={
        "Ko": "digital-kilobyte",
        "Mo": "digital-megabyte",
        "Go": "digital-gigabyte",
        "To": "digital-terabyte",
    },
)
_CALENDAR = calendar.Calendar(
    language=FRENCH,
    short_months={
        "janv": 1,
        "févr": 2,
        "fév": 2,
        "avr": 4,
        "juil": 7,
        "sept": 9,
        "oct": 10,
        "nov": 11,
        "déc": 12,
    },
    of="",
    first=_first,
    hour_marks=rf"{counting.SPACE}?h{counting.SPACE}?|:",
    time_words="heures|h|min|mn",
    before_times=frozenset(),
    hours="",
    time=_time,
)
_MARK = (
    r"(?:(?<=\d)[ ](?=[èi]))?(?P<mark>ers?(?<!s)|re|ère|nde|nd|ième|ème|e|ᵉ)(?P<plural>s)?(?!\w)"
)
RULES: tuple[Rule, ...] = (
    rule("abbreviation", r"M\.(?=[ ]et[ ]M)", lambda _match, _context: "monsieur"),
    rule("abbreviation", r"(?<=[IVX]e[ \u00a0])s\.", lambda _match, _context: "siècle"),
    # Places and holidays: “St-Denis”, “la Ste-Anne”.
    rule("abbreviation", r"St\.?-(?=[^\W\d_a-zà-ÿ][a-zà-ÿ])", lambda _match, _context: "Saint-"),
    rule("abbreviation", r"Ste\.?-(?=[^\W\d_a-zà-ÿ][a-zà-ÿ])", lambda _match, _context: "Sainte-"),
    rule("abbreviation", r"(?<=par[ ])ex\.", lambda _match, _context: "exemple"),
    # “l'article L. 123-4” of a code of laws.
    # Sizes of books: “un in-4°”.
    rule(
        "format",
        r"in[-‑](?P<leaves>2|4|8|12|16|18)(?:[°ºo]|(?![\w-]|[.,]\d))",
        lambda match, context: (
            f"in-{_FORMATS.get(match['leaves']) or cardinal(int(match['leaves']), context.region)}"
        ),
    ),
    rule(
        "reference",
        r"(?<=[Aa]rticle[ ])(?P<number>\d{1,3})o(?!\w)",
        lambda match, context: cardinal(int(match["number"]), context.region),
    ),
    rule(
        "reference",
        r"(?<=[Aa]rticles[ ])(?P<first>\d{1,4}),(?P<last>\d{1,4})(?![\d-])",
        lambda match, context: ", ".join(
            cardinal(int(match[part]), context.region) for part in ("first", "last")
        ),
    ),
    # “1 m. 50” is a height.
    rule(
        "unit",
        r"""(?P<meters>\d{1,2})[ \u00a0]?m\.?[ \u00a0]?(?P<rest>\d\d)
        (?!\d|[.,]\d|[ ]?[a-z]?m\b|[ ]?%)""",
        _height,
    ),
    # “J.-C. Marchiani”: a person's initials.
    rule(
        "abbreviation",
        r"J\.-C\.(?=[ ][^\W\d_a-zß-öø-ÿ][a-zà-ÿ])",
        lambda match, context: (
            None if context.word_before(match.start()).lower() in _ERAS else match[0]
        ),
    ),
    # “la cote 76 F 2”
    rule(
        "code",
        r"(?P<number>\d{1,4})[ ](?P<series>F)(?=[ ]\d(?!\d))",
        lambda match, context: (
            f"{cardinal(int(match['number']), context.region)} {match['series']}"
        ),
    ),
    # “un score supérieur à-2,5”, “vers-365”
    rule(
        "sign",
        r"(?:(?<=\b[àÀ])|(?<=\b[vV]ers))[-−–](?=\d)",
        lambda _match, _context: " moins ",
    ),
    rule("code", r"[LRD]\.[ \u00a0]?(?=\d)", lambda match, _context: f"{match[0][0]} "),
    *names.rules(names.Numbered(_monarch, PLACES, _place, ABBREVIATIONS.before_number)),
    *text.rules(FRENCH, ABBREVIATIONS),
    *angles.rules(FRENCH, {"N": "nord", "S": "sud", "E": "est", "O": "ouest", "W": "ouest"}),
    *codes.scores(FRENCH),
    *calendar.rules(_CALENDAR),
    fractions.of_many(FRENCH, "sur"),
    # “XVIIIes.”
    rule(
        "century",
        r"(?P<numeral>[IVX]{1,6})es\.",
        lambda match, context: (
            f"{ordinal(number, context.region)} siècle"
            if (number := names.roman_value(match["numeral"]))
            else None
        ),
    ),
    rule("ordinal", rf"(?P<lead>)(?P<number>\d{{1,4}})(?P<numeral>){_MARK}", _marked),
    rule(
        "ordinal",
        rf"(?P<lead>[^\W\d_]+[ \u00a0])?(?P<number>)(?P<numeral>[IVX]{{1,6}})(?!es\.){_MARK}",
        _marked,
    ),
    rule(
        "ordinal",
        r"""(?:(?<![\s\S])|(?<=[«;:.,—–(][ \u00a0\u202f])|(?<=[—–(«])|(?<=\bet[ ]))
        (?P<number>10|[1-9])[°ºo∘]
        (?=[ \u00a0\u202f]["«“]?[ \u00a0\u202f]?(?:[^\W\d_]{2}|[àÀ][ ]|[^\W\d_]['’]))""",
        _listed,
    ),
    rule(
        "ordinal",
        r"""(?:(?<=\b[aAdD]u[ ])|(?<=\baux[ ])|(?<=\bdes[ ])
        |(?<=[(])(?=\d\d?[°º](?:[),]|[ ]et[ ]\d))
        |(?<=[°º],[ ])|(?<=[°º][ ]et[ ])|(?<=[°º][ ]à[ ]))(?P<number>[12]?\d)[°º]""",
        _pointed,
    ),
    # “du côté de la 10°”: a company, as some print it.
    rule(
        "ordinal",
        r"(?<=\b[Ll]a[ ])(?P<number>\d{1,3})[°º](?=[ ][^\W\d_]|[.,;!?])(?![ ](?:C\b|de[ ]l[ao]))",
        lambda match, context: ordinal(int(match["number"]), context.region, "f"),
    ),
    rule(
        "time",
        r"""(?P<hours>\d{1,2})[ ]?h\.?[ ](?P<minutes>[0-5]?\d)[ ]?m(?:in)?\b\.?
        (?:[ ](?P<seconds>[0-5]?\d)[ ]?s\b)?""",
        _lasting,
    ),
    rule(
        "money",
        r"(?P<francs>\d{1,5})[ \u00a0\u202f]?F[ \u00a0\u202f]?(?P<centimes>\d\d)(?![\w,.])",
        _francs,
    ),
    *amounts.rules(FRENCH),
    *text.signs(FRENCH),
)
