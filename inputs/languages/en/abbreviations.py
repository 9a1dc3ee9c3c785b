"""English abbreviations that are said in full whatever stands beside them, and those of Latin.

Spoken forms follow The Chicago Manual of Style (17th ed.), chapter 10, and New Hart's Rules,
chapter 10, which print British ones without full stops. Latin is said as people read it aloud:
“for example” for e.g., but “et cetera” for etc.
"""

from __future__ import annotations

import re
from functools import lru_cache

from audiomill.inputs.languages.declaration import words
from audiomill.inputs.languages.en.declaration import ABBREVIATIONS, AFTER_TIME, CAPITALIZED
from audiomill.inputs.languages.en.letters import like, spell
from audiomill.inputs.languages.en.numbers import ordinal
from audiomill.inputs.languages.en.places import SIDES
from audiomill.inputs.languages.en.roman import FIRST_WORDS
from audiomill.inputs.model.book import BlockKind
from audiomill.inputs.spoken.roman import roman_value
from audiomill.inputs.spoken.rules import Context, Rule, always, any_of, rule

_TELL_TIME = words(
    """
    in on last next this since by until till of every early late mid from to before after during
    each
    """
)
_WITHOUT_STOP = {
    "etc": "et cetera",
    "eg": "for example",
    "ie": "that is",
    "vs": "versus",
    "viz": "namely",
    "cf": "compare",
    "aka": "also known as",
    "Esq": "Esquire",
    "Ltd": "Limited",
}
_LATIN = {
    "eg": "for example",
    "ie": "that is",
    "aka": "also known as",
    "qv": "which see",
    "nb": "N B",
    "ps": "P S",
    "pps": "P P S",
}
# “Part V. Complaints” has a number, and “vitamin C. It” a letter.
_NUMBERED = words(
    """
    part chapter book act scene volume vol section article canto plate figure table appendix class
    type plan grade vitamin exhibit group ward schedule rule note page level stage phase title
    point line curve angle panel option choice player letter variable firm block team side step
    """
)
# Letters that stand for things in the same text: “of good B, and more of A. It”.
_GOODS = re.compile(r"\b(?:good|goods|product|firm|country|person|player)s?\s[A-Z]\b(?!\.)")
# “as simple as A, B, C. They know”, “to N. and E. The sky”
_LISTED = re.compile(r"\b[A-Z](?:,|\.?\s(?:and|or))\s\Z")
_OLD_SPELLING = re.compile(
    r"\b(?:v[npt][a-z]+|[hg](?:a|i)ue|l[oi]ue|selfe|eu(?:er|ery)|ouer|woulde|shoulde|doth|vp|goe|doe)\b"
)
_PHRASES = {
    "al": "al",
    "seq": "seq",
    "op cit": "op cit",
    "loc cit": "loc cit",
}
_OLD_MONTHS = {
    "7": "September",
    "8": "October",
    "9": "November",
    "10": "December",
}
_MONTHS_MEANT = {"inst": "instant", "ult": "ultimo", "prox": "proximo"}
_DEGREES = {
    "ph.d": "P H D",
    "d.phil": "D Phil",
    "m.sc": "M S C",
    "b.sc": "B S C",
    "ed.d": "E D D",
    "d.litt": "D Litt",
    "litt.d": "Litt D",
    "ll.b": "L L B",
    "ll.d": "L L D",
    "b.ed": "B Ed",
    "m.ed": "M Ed",
    "psy.d": "P S Y D",
}

_COMPARED = re.compile(r"\s(?:[“‘\"'(\[A-Z\d]|(?:the|an?|also|pp?|above|below|my|his|our)\b)")
_SURNAME = re.compile(r"[\s\u00a0][A-Z](?:[a-z]|\.)")
_MEASURES = {"lat": "latitude", "long": "longitude"}
_LATITUDE = re.compile(r"\blat(?:itude|\.)", re.IGNORECASE)
_CENTURY_ORDINAL = re.compile(r"(?<!\w)(?:1?\dth|20th|21st|1st|2nd|3rd)[\s\u00a0-]\Z")


def _with_stop(match: re.Match[str], context: Context) -> str | None:
    short = match["short"]
    said = ABBREVIATIONS.always.get(short.lower())
    if short.lower() == "viz" and context.text_before(match.start(), 1) == "-":
        return None  # “Kedro-Viz.”, a program
    if said is None or (short.lower() in CAPITALIZED and short.islower()):
        return None
    return None if short[1:] != short[1:].lower() else like(said, short)


def _time(match: re.Match[str], context: Context) -> str | None:
    before = context.word_before(match.start()).lower()
    return AFTER_TIME[match["short"]] if before in _TELL_TIME else None


def _without_stop(match: re.Match[str], context: Context) -> str | None:
    if match["short"] == "cf" and not _COMPARED.match(context.text, match.end()):
        return None  # the command: “cf push”
    if match["short"] == "viz" and context.text_before(match.start(), 2).rstrip()[-1:].isalnum():
        return None  # a command: “linkerd viz stat”
    if match["short"] == "vs" and _is_old_spelling(context.text):
        return "us"
    return _WITHOUT_STOP[match["short"]]


@lru_cache(maxsize=8)
def _is_old_spelling(text: str) -> bool:
    """True for “He woulde make vs laugh”: before 1650, u was printed as v where a word begins."""
    return _OLD_SPELLING.search(text) is not None


def _latin(match: re.Match[str], context: Context) -> str | None:
    """“for example”, but not in “E. G. Norton”, a name with initials."""
    letters = "".join(filter(str.isalpha, match[0]))
    is_spaced = letters.isupper() and any(map(str.isspace, match[0].strip()))
    if is_spaced and _SURNAME.match(context.text, match.end()):
        return None
    said = _LATIN.get(letters.lower())
    return None if said is None else like(said, letters)


def _phrase(match: re.Match[str], _: Context) -> str:
    return _PHRASES[" ".join(match[0].lower().rstrip(".").replace(".", " ").split())]


def _degree(match: re.Match[str], _: Context) -> str:
    return _DEGREES[match["degree"].lower().replace(" ", "")] + ("'s" if match["s"] else "")


def _month_meant(match: re.Match[str], context: Context) -> str:
    """“the 7th inst.”, of this month: in letters of business."""
    number = int(match["number"])
    return f"{ordinal(number, context.region)} {_MONTHS_MEANT[match['short']]}"


def _century(match: re.Match[str], context: Context) -> str | None:
    """“the 19th c.”, also “19th-c. prints”."""
    near = context.text_before(match.start())
    return "century" if _CENTURY_ORDINAL.search(near) else None


_GERMAN_TITLES = frozenset(("Herr", "Herrn", "Frau", "Fräulein", "Graf", "Freiherr", "Baron"))


def _versus(match: re.Match[str], context: Context) -> str | None:
    before = context.word_before(match.start())
    if before in _GERMAN_TITLES:
        return "von"
    if len(before) > 1 and roman_value(before):
        return None  # “Justinus XXI v.”, a chapter
    return "versus" if before[:1].isupper() or before in {"al", "al."} else None


def _established(match: re.Match[str], _: Context) -> str:
    return like("established" if match["year"] else "estimated", match[0])


def _latitude(match: re.Match[str], context: Context) -> str | None:
    """“lat. 45”; “long. 12” only beside a latitude or before degrees."""
    short = match["short"].lower()
    near = context.text_before(match.start())
    if short == "long" and not (match["degrees"] or _LATITUDE.search(near)):
        return None
    return like({"lat": "latitude", "long": "longitude"}[short], match[0])


def _compass_latitude(match: re.Match[str], _: Context) -> str:
    """“north latitude” for “N. lat.”, also of “N. or S. lat.”."""
    second = f" {match['join']} {SIDES[match['second']]}" if match["second"] else ""
    measure = match["whole"] or _MEASURES[match["short"].lower()]
    return f"{SIDES[match['point']]}{second} {measure}"


def _extension(match: re.Match[str], _: Context) -> str:
    return like("extension", match[0])


def _dotted(match: re.Match[str], _: Context) -> str:
    end = match["end"] or ""
    return spell(match["letters"]) + ("'s" if end else "")


def _initials(match: re.Match[str], context: Context) -> str | None:
    """“J R R” before a name; neither “So did I.” nor “A.” before an item."""
    alone = len(match[0]) == 2
    if alone and match[0] == "I." and not context.word_before(match.start())[:1].isupper():
        return None
    if alone and context.word_before(match.start()).lower() in _NUMBERED:
        return None
    near = context.text_before(match.start())
    if alone and _LISTED.search(near) and context.word_after(match.end()) in FIRST_WORDS:
        return None
    if alone and _asks(match, context):
        return None
    if alone and _has_lettered_goods(context.text):
        return None
    if alone and not match.start() and context.kind in {BlockKind.HEADING, BlockKind.LIST_ITEM}:
        return None
    # “of London, E. C. On Monday”: not of a name.
    if match[0] == "O. K.":
        return "O K"
    is_name = alone or context.word_after(match.end()) not in FIRST_WORDS
    return spell(match[0]) + (" " if is_name else "")


def _asks(match: re.Match[str], context: Context) -> bool:
    """True for “Q. Should he be?” and “A. The”, the lines of a catechism."""
    line = context.text[match.start() :].partition("\n")[0] if match[0] == "Q." else ""
    begins = context.text_before(match.start(), 1) in {"", "\n"}
    answers = match[0] == "A." and context.word_after(match.end()) in FIRST_WORDS
    return begins and (answers or line.rstrip(' "”’)').endswith("?"))


@lru_cache(maxsize=8)
def _has_lettered_goods(text: str) -> bool:
    return _GOODS.search(text) is not None


RULES: tuple[Rule, ...] = (
    rule(
        "degree",
        rf"(?P<degree>{any_of(_DEGREES)}|(?:Ph|LL|Litt)\.[ ]D)(?:\.(?P<s>['’]?s(?!\w))?|(?!\w))",
        _degree,
        re.IGNORECASE,
    ),
    rule(
        "latin",
        r"(?:(?<=et[ \u00a0])(?:al|seq)|op\.\ ?cit|loc\.\ ?cit)\.",
        _phrase,
        re.IGNORECASE,
    ),
    rule(
        "abbreviation",
        r"(?P<number>\d{1,2})(?:st|nd|rd|th)\s(?P<short>inst|ult|prox)\b\.?",
        _month_meant,
    ),
    # “7ber”, “7bris”: September, as it was written before 1800.
    rule(
        "month",
        r"(?P<number>[7-9]|10)(?:ber|bris|bre)\b\.?",
        lambda match, _context: _OLD_MONTHS[match["number"]],
    ),
    rule("century", r"c\.(?=\s[^\s\d]|[,;:)]|\s?\Z)", _century),
    rule("circa", r"(?:ca|c)\.?[\s\u00a0]?(?=\d{3,4}(?!\d))", always("circa ")),
    rule(
        "latin",
        r"(?<![A-Z]\.[ ])(?:e\.\ ?g|i\.\ ?e|a\.\ ?k\.\ ?a|q\.\ ?v|n\.\ ?b|p\.\ ?p?\.?\ ?s)\.(?!\w)",
        _latin,
        re.IGNORECASE,
    ),
    rule("versus", r"v\.?(?=\s[“‘\"]?[A-Z])", _versus),
    rule("abbreviation", r"[Ee]st\.(?=\s(?:(?P<year>1[0-9]{3}|20\d\d)|[\da-z(£$€]))", _established),
    rule(
        "abbreviation",
        r"(?P<short>[Ll]at|[Ll]ong)\.(?=\s\d{1,3}(?:\.\d+)?(?P<degrees>\s?(?:°|º|deg)|\s[NSEW]\b)?)",
        _latitude,
    ),
    rule(
        "abbreviation",
        r"(?P<point>[NSEW])\.(?:\s(?P<join>or|and)\s(?P<second>[NSEW])\.)?\s(?:(?P<short>[Ll]at|[Ll]ong)\.(?!\w)|(?P<whole>[Ll]atitude|[Ll]ongitude)\b)",
        _compass_latitude,
    ),
    rule("abbreviation", r"(?:(?<=\bnorth\s)|(?<=\bsouth\s))lat\.", always("latitude")),
    rule("abbreviation", r"(?:(?<=\beast\s)|(?<=\bwest\s))long\.", always("longitude")),
    rule("abbreviation", r"s\.\s?s\.(?=\s[_\"“‘]?[A-Z][a-z])", always("S S")),  # of a ship
    rule("abbreviation", r"[Ee]xt\.(?=\s?\d)", _extension),
    rule("abbreviation", r"(?P<short>Jan|Mar|Jun|Jul|Sep|Wed|Sat|Sun)\.", _time),
    rule("abbreviation", r"(?P<short>[A-Za-zæ][a-z]{1,6})\.(?!\w)", _with_stop),
    rule("abbreviation", rf"(?P<short>{any_of(_WITHOUT_STOP)})(?![\w'’-])", _without_stop),
    rule(
        "abbreviation",
        r"[Rr]et(?:['’]?d)?\.(?=\))|(?<=[a-z],\s)Ret(?:['’]?d)?\.(?!\w)",
        always("retired"),
    ),
    rule("et cetera", r"&(?:c\.?|\sc\.|C\.?)(?!\w)(?<!\w&C)(?<!\w&C\.)", always("et cetera")),
    # “U.S.A.” and “J.R.R.”; a full stop after the last letter may be missing.
    rule(
        "initials",
        r"(?P<letters>[A-Z](?:\.[A-Z]){1,6})(?:\.?(?P<end>['’]?s)|\.|(?![\w.]))(?!\w)",
        _dotted,
    ),
    rule("initials", r"[A-Z]\.(?:[\s\u00a0]?[A-Z]\.){0,4}(?=[\s\u00a0]?[A-Z][\w'’])", _initials),
)
