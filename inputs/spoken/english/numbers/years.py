"""English years: “nineteen fourteen to eighteen”, “the nineteen nineties”, “forty-four BC”.

Four digits without a comma are a year unless something near says that they count things.
"""

from __future__ import annotations

import re

from audiomill.inputs.spoken.english.numbers.numbers import cardinal, digits, paired, plural, year
from audiomill.inputs.spoken.english.numbers.year_words import (
    COUNTED,
    ERA_SUFFIXES,
    EVENTS,
    MORE,
    NO_PLURALS,
    POSSESSIVES,
    QUANTIFIERS,
    TELL_YEARS,
    UNITS,
)
from audiomill.inputs.spoken.rules import NEAR, Context, Rule, rule

_MORE_THAN = re.compile(
    r"\b(?:(?:more|fewer|less|greater|up|least|most)\s(?:than|to)?\s?|(?:population|total|sum|crew"
    r"|crowd|capacity|audience|force|maximum|minimum|average)\sof\s)\Z",
    re.IGNORECASE,
)
# What is named after its year: “the Treaty of 1839 binds”, “the winter of 1812 kills”.
_NAMED = re.compile(
    r"\b(?:[A-Z][a-z]+|election|treaty|act|law|revolution|rebellion|war|peace|crisis|panic|census"
    r"|spring|summer|autumn|fall|winter|season|year|campaign|convention|constitution|tariff"
    r"|compromise|charter|epidemic|famine|expedition)\sof\s\Z|\bcensus\sfor\s\Z"
)
# A year whatever follows: “in early April of 1897 people”, “as early as 1645 inhabitants”.
_SURE = re.compile(
    r"\b(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|spring|summer|autumn|winter)\sof\s\Z|\bas\s(?:early|late|far\sback|long\sago)\sas\s\Z"
    r"|\b(?:pre|post|mid)-\Z",
    re.IGNORECASE,
)
_LIMIT = re.compile(r"\b(?:up\sto|(?:until|till|since|by)\sat\s(?:least|most|latest))\s\Z")
# “the steep-roofed 1816 warehouses”, “these 1950 sightings”: hardly ever so many.
_OF_YEAR = re.compile(
    r"\b(?:(?:the|its|his|her|their|our|my|these|those)\s"
    r"(?!(?:remaining|other|first|last|next|total|same|full|whole|entire|only)\s)[a-z-]{1,20}"
    r"|these|those)\s\Z"
)
_GROWN_TO = re.compile(
    r"\b(?:grew|grow[ns]?|rose|risen|rises?|increas\w{1,3}|jump\w{0,3}|climb\w{0,3}|went|goes|fell|fallen"
    r"|drop\w{0,4}|declin\w{1,3}|decreas\w{1,3}|rang\w{1,3}|reduc\w{1,3}|expand\w{0,3}|var(?:y|ies|ied))"
    r"\s(?:[\w-]{1,20}\s){0,4}from\s\d{1,3}\s(?:[a-z]{1,20}\s)?to\s\Z"
)
_FROM = re.compile(r"\bfrom\s\Z")
_TO_LESS = re.compile(r"\s(?:[a-z]{1,20}\s)?to\s\d{1,3}(?![\w,-]|\.\d|\sB\.?C)")
_NOW = re.compile(r"\b[Ii]t(?:['’]s|\s(?:is|was))\s(?:almost|nearly)\s\Z")  # “it's almost 2024”
_ENDS = re.compile(r"[,.;:!?)—–-]|\Z")
_OF_THEM = re.compile(r"\sof\s(?:the|them|these|those|us|his|her|its|our|their|my)\b")
# “1869 or 1870”, but “1500 or 1600 men”.
_OR_YEAR = re.compile(
    r"\sor\s(?:in\s)?(?P<other>(?:1[1-9]|20)\d\d|['’]\d\d)(?![\w,-]|\.\d|\s\w+s\b)"
)
_SUFFIX = re.compile(r"-([a-z]+)")
_NUMBERED = frozenset(
    ("order", "law", "act", "resolution", "bulletin", "notice", "no.", "circular")
)
# “the 150- and 187-page books”, not “in 187- or so”.
_SUSPENDED = re.compile(r"\s(?:and|or|to)\s(?:an?\s)?\w+-[A-Za-z]")
_SUBJECTS = frozenset(("he", "she", "it", "we", "they", "you", "the", "a", "an", "and", "there"))
_LIVED = {"c": "circa", "ca": "circa", "b": "born", "d": "died", "fl": "flourished"}
_BEFORE_CHRIST = r"B\.?\s?C\.?(?:\s?E\b\.?)?|C\.?\s?E\b\.?"
_ERA_AFTER = rf"(?P<era>(?:{_BEFORE_CHRIST}|A\.?\s?D\b\.?))(?!\w)"

_OF_A_YEAR = frozenset(("in", "million", "billion", "trillion", "constant"))
_NEAR_YEARS = 12
_FOUND = frozenset(("Supernova", "supernova", "SN", "Nova", "Comet", "Asteroid", "asteroid"))


def _year(match: re.Match[str], context: Context) -> str | None:
    number = int(match["year"])
    if _is_count(match, context):
        return _hundreds(number, context, match)
    if number < 1100 and not _is_told(match, context):
        return None
    return year(number, context.region)


def _hundreds(number: int, context: Context, match: re.Match[str]) -> str | None:
    """“fifteen hundred hours”, a time of day or a count; “an eighteen hundred-page book”."""
    is_hours = context.word_after(match.end()) == "hours"
    after_an = context.word_before(match.start()).lower() == "an"
    if number % 100 == 0 and number <= 1900 and (is_hours or after_an):
        return f"{cardinal(number // 100)} hundred"
    return None


def _is_told(match: re.Match[str], context: Context) -> bool:
    """True if what stands before the number makes it a year."""
    start = match.start()
    before = context.word_before(start).lower().rstrip(".")
    in_brackets = context.text[max(0, start - 1) : start] in ("(", "[")
    tells = before in TELL_YEARS or before in {"of", "by", "from", "to", "and", "the"}
    return tells or in_brackets or context.text[match.end() :].startswith(" and all that")


def _is_count(match: re.Match[str], context: Context) -> bool:
    """True if the number counts things, from the words on both sides of it."""
    end = match.end()
    before = context.word_before(match.start()).lower().rstrip(".")
    after = context.word_after(end)
    if suffix := _SUFFIX.match(context.text, end):
        return suffix[1] not in ERA_SUFFIXES
    if _is_surely_year(match, context):
        return False
    if _is_of_change(match, context):
        return True
    if after == "dollars" and before in _OF_A_YEAR:
        return False  # “a billion 2020 dollars”
    if after in UNITS:
        return True
    tells = before in TELL_YEARS
    if tells or not after.islower():
        return not tells and _is_amount(match, context, before)
    if _is_one_of_two(match, context):
        return False
    if after in COUNTED or (after in MORE and after != before):
        return True
    if _is_plural(after):
        return _counts_plural(match, context)
    return _is_amount(match, context, before)


def _is_of_change(match: re.Match[str], context: Context) -> bool:
    """True for “grew from 285 to 1975” and “from 1975 to 285”, which are no years."""
    start, end = match.span()
    return bool(
        _GROWN_TO.search(context.text, max(0, start - NEAR), start)
        or (
            _FROM.search(context.text, max(0, start - NEAR), start)
            and _TO_LESS.match(context.text, end)
        )
    )


def _is_surely_year(match: re.Match[str], context: Context) -> bool:
    number, start = int(match["year"]), match.start()
    near = context.text[max(0, start - NEAR) : start]
    if _SURE.search(near):
        return number > 1100
    if number % 100 == 0 or number < 1500 or context.word_after(match.end()) in UNITS:
        return False
    if _LIMIT.search(near):
        return not context.word_after(match.end()).islower() or bool(
            _ENDS.match(context.text, match.end())
        )
    return bool(_OF_YEAR.search(near)) and (number % 10 > 0 or near.endswith(("these ", "those ")))


def _is_one_of_two(match: re.Match[str], context: Context) -> bool:
    """True before “or 1870”; two round numbers count things more often."""
    other = _OR_YEAR.match(context.text, match.end())
    return other is not None and not match["year"][-1] == other["other"][-1] == "0"


def _is_plural(word: str) -> bool:
    no_plural = word in NO_PLURALS or word.endswith(("ss", "us", "is", "'s", "’s"))
    return word.endswith("s") and not no_plural


def _counts_plural(match: re.Match[str], context: Context) -> bool:
    """True if a plural is counted: “of 1844 votes”, but “by 1844 cities”, “the 1844 elections”."""
    number, start = int(match["year"]), match.start()
    before = context.word_before(start).lower().rstrip(".")
    after = context.word_after(match.end())
    if before in {"by", "from", "to", "and"}:
        return number % 10 == 0 and after not in EVENTS
    if before in POSSESSIVES or before.endswith(("'s", "’s")):
        return number % 100 == 0 and after not in EVENTS
    is_named = before in {"of", "for"} and _NAMED.search(context.text, max(0, start - NEAR), start)
    return not is_named and (after not in EVENTS or before == "of")


def _is_amount(match: re.Match[str], context: Context, before: str) -> bool:
    """True after “some” or “more than”, and before “of them”."""
    start, end = match.span()
    near = context.text[max(0, start - NEAR) : start]
    if _NOW.search(near) and not context.word_after(end).islower():
        return False
    is_part = before not in TELL_YEARS and bool(_OF_THEM.match(context.text, end))
    return is_part or before in QUANTIFIERS or bool(_MORE_THAN.search(near))


def _lettered(match: re.Match[str], context: Context) -> str | None:
    """“twenty twelve B”: one of several works of a year; a star or comet found in it."""
    letter = match["letter"]
    if letter[0].isupper() and context.word_before(match.start()) not in _FOUND:
        return None
    return f"{year(int(match['year']), context.region)} {letter.upper()}"


def _far_year(match: re.Match[str], context: Context) -> str | None:
    """A year of less than four digits, or far ahead, only where a word says so."""
    number = int(match["year"])
    before = context.word_before(match.start()).lower()
    if before == "year":
        return paired(number, context.region) if number < 1000 else year(number, context.region)
    after = context.word_after(match.end())
    told = before in {"in", "since", "until"} and (not after.islower() or after in _SUBJECTS)
    if 2100 <= number < 3000 and (told or (before == "by" and not after)):
        return year(number, context.region)
    return None


def _years(match: re.Match[str], context: Context) -> str | None:
    """“nineteen fourteen to eighteen”: the second year as it is printed, whole or in part."""
    first, short = int(match["first"]), match["last"]
    last = int(str(first)[: 4 - len(short)] + short)
    if len(short) == 2 and short == "00":
        last += 100
    # “Order 2010-2” is a number of a year.
    if len(short) == 1 and context.word_before(match.start()).lower() in _NUMBERED:
        return None
    if last <= first or (len(short) == 4 and _counts_things(first, last, match.end(), context)):
        return None
    between = context.word_before(match.start()).lower() == "between"
    second = _second_year(first, last, short, context.region)
    return f"{year(first, context.region)} {'and' if between else 'to'} {second}"


def _counts_things(first: int, last: int, end: int, context: Context) -> bool:
    """Whether a range counts: “1500–2000 copies”, but not “a letter of 1769–1770 reads”."""
    after = context.word_after(end)
    is_near = last - first <= _NEAR_YEARS and after not in UNITS and after not in COUNTED
    return not is_near and is_counted(end, context)


def is_counted(end: int, context: Context) -> bool:
    """True if what stands at `end` is counted: a unit, people, a plural."""
    after = context.word_after(end)
    return after in UNITS or after in COUNTED or (after.islower() and _is_plural(after))


def _second_year(first: int, last: int, short: str, region: str) -> str:
    if len(short) == 4 or first // 10 == 200 or last % 100 == 0:
        return year(last, region)
    rest = last % 100
    return f"{'oh ' if rest < 10 else ''}{cardinal(rest)}"


def _lived(match: re.Match[str], _context: Context) -> str:
    """“circa ”, “born ”: other rules say the year or the years."""
    return f"{_LIVED[match['word']]} "


def _before_christ(match: re.Match[str], context: Context) -> str:
    return f"{_old_year(match['year'], context)} {_letters(match['era'])}"


def _after_christ(match: re.Match[str], context: Context) -> str:
    said = _old_year(match["year"], context)
    if last := match["last"]:
        is_short = len(last) == len("02") and last.startswith("0")
        said += f" to {digits(last, zero='oh') if is_short else _old_year(last, context)}"
    return f"{_letters(match['era'])} {said}"


def _to_before_christ(match: re.Match[str], context: Context) -> str:
    return f"{_old_year(match['year'], context)} to "


def _old_year(text: str, context: Context) -> str:
    number = int(text.replace(",", ""))
    if "," in text or number > 9999:
        return cardinal(number, context.region)
    return paired(number, context.region) if number < 1000 else year(number, context.region)


def _letters(era: str) -> str:
    """“AD” and not “A D”, where a voice would say the article."""
    return "".join(letter for letter in era.upper() if letter.isalpha())


def _decade(match: re.Match[str], context: Context) -> str:
    return plural(year(int(match["decade"]), context.region))


def _short_decade(match: re.Match[str], context: Context) -> str:
    return plural(cardinal(int(match["tens"]), context.region))


def _to_decade(_match: re.Match[str], _context: Context) -> str:
    return " to "


def _unknown_year(match: re.Match[str], context: Context) -> str | None:
    """“eighteen seventy-something” for “187-”, whose last digit an author hides."""
    if _SUSPENDED.match(context.text, match.end()):
        return None
    decade = int(match["decade"] + "0")
    said = year(decade, context.region)
    return f"{said}-something" if decade % 100 else f"{said} something"


def _short_year(match: re.Match[str], context: Context) -> str | None:
    """“the summer of sixty-nine”, “oh eight”; but not a count after a quotation mark."""
    if is_counted(match.end(), context):
        return None
    short = match["short"]
    return digits(short, zero="oh") if short.startswith("0") else cardinal(int(short))


_OLD = r"(?P<year>\d{1,3}(?:,\d{3})|\d{1,5})"
_YEAR = r"(?P<year>1\d{3}|20\d\d)(?![,.]?\d)(?!\w)(?!\s?[%‰°×])"
_DASH = r"(?:[–-](?:['’‘](?=\d\d))?|\s[–-]\s(?=\d{4}))"
_FIRST = r"(?<![$£€¥\d.,/-])(?P<first>1[1-9]\d\d|10[1-9]\d|20\d\d)"

# Before the ranges of other numbers.
RANGES: tuple[Rule, ...] = (
    rule("years", rf"{_OLD}\s?[–-]\s?(?=\d{{1,5}}\s?(?:B\.?\s?C|A\.\s?D)\b)", _to_before_christ),
    rule("year", rf"{_OLD}\s?{_ERA_AFTER}", _before_christ),
    rule(
        "year",
        r"(?P<era>A\.?\s?D\.?|C\.E\.|a\.d\.)\s?(?P<year>\d{1,4})(?!\w|[.,:]\d)"
        r"(?:\s?[–-]\s?(?P<last>\d{1,4})(?![\w]|[.,:]\d))?",
        _after_christ,
    ),
    rule(
        "years",
        rf"{_FIRST}{_DASH}(?P<last>1\d{{3}}|20\d\d|\d\d?)(?![\w–-]|[.,:]\d)",
        _years,
    ),
    # “1000-1030.—History”, in the margin of a chronicle.
    rule(
        "years",
        r"\A(?P<first>[3-9]\d\d|1\d{3})[–-](?P<last>[3-9]\d\d|1\d{3})(?=\.?[—–-])",
        lambda match, context: (
            f"{_old_year(match['first'], context)} to {_old_year(match['last'], context)}"
        ),
    ),
    rule("years", rf"{_FIRST}/(?P<last>\d\d)(?![\w–/-]|[.,:]\d)", _years),
)
RULES: tuple[Rule, ...] = (
    # “(Lee 2012b)”, “Supernova 1987A”.
    rule("year", r"(?P<year>(?:1[89]|20)\d\d)(?P<letter>[a-d]|[A-Z]{1,2}\d?)(?!\w)", _lettered),
    rule("decade", r"(?P<decade>1[1-9]\d0|10[1-9]0|20\d0)['’]?s\b", _decade),
    rule("decade", r"['’‘]?(?P<tens>[2-9]0)['’]?s\b", _short_decade),
    rule("decade", r"(?<=\ds)\s?[–-]\s?(?=['’]?\d{2,4}s\b)", _to_decade),
    rule("year", r"(?P<word>ca?)\.\s?(?=\d{3,4}(?!\d))", _lived),
    rule("year", r"(?P<word>b|d|fl)\.\s?(?=(?:ca?\.\s?)?(?:1\d{3}|20\d\d)(?!\w|[,.]\d))", _lived),
    rule(
        "year",
        r"(?<![$£€¥\w.,/–-])(?P<decade>1[5-9]\d)[–—-](?=[\s,.;:)]|\Z)(?!\s\d)",
        _unknown_year,
    ),
    rule("year", rf"(?<![$£€¥#№])(?<!\d[.,]){_YEAR}", _year),
    rule("year", r"(?P<year>[1-9]\d{2,3})(?![,.]?\d)(?!\w)", _far_year),
    rule("year", r"(?<!\w)['’‘](?P<short>\d\d)(?![\w'’])", _short_year),
)
