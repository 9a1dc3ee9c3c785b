"""English years: “nineteen fourteen to eighteen”, “the nineteen nineties”, “forty-four BC”.

Four digits without a comma are a year unless something near says that they count things.
"""

from __future__ import annotations

import re

from audiomill.inputs.languages.en.counted_years import (
    counts_things,
    is_count,
    is_counted,
    is_marked_year,
)
from audiomill.inputs.languages.en.numbers import cardinal, digits, paired, plural, year
from audiomill.inputs.spoken.rules import Context, Rule, always, rule

_NUMBERED = frozenset(
    ("order", "law", "act", "resolution", "bulletin", "notice", "no.", "circular")
)
# “the 150- and 187-page books”, not “in 187- or so”.
_SUSPENDED = re.compile(r"\s(?:and|or|to)\s(?:an?\s)?\w+-[A-Za-z]")
_SUBJECTS = frozenset(("he", "she", "it", "we", "they", "you", "the", "a", "an", "and", "there"))
_LIVED = {"c": "circa", "ca": "circa", "b": "born", "d": "died", "fl": "flourished"}
_BEFORE_CHRIST = r"B\.?\s?C\.?(?:\s?E\b\.?)?|C\.?\s?E\b\.?"
_ERA_AFTER = rf"(?P<era>(?:{_BEFORE_CHRIST}|A\.?\s?D\b\.?))(?!\w)"
_FOUND = frozenset(("Supernova", "supernova", "SN", "Nova", "Comet", "Asteroid", "asteroid"))


def _year(match: re.Match[str], context: Context) -> str | None:
    number = int(match["year"])
    if is_count(match, context):
        return _hundreds(number, context, match)
    if number < 1100 and not is_marked_year(match, context):
        return None
    return year(number, context.region)


def _hundreds(number: int, context: Context, match: re.Match[str]) -> str | None:
    """“fifteen hundred hours”, a time of day or a count; “an eighteen hundred-page book”."""
    is_hours = context.word_after(match.end()) == "hours"
    after_an = context.word_before(match.start()).lower() == "an"
    if number % 100 == 0 and number <= 1900 and (is_hours or after_an):
        return f"{cardinal(number // 100)} hundred"
    return None


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
    is_dated = before in {"in", "since", "until"} and (not after.islower() or after in _SUBJECTS)
    if 2100 <= number < 3000 and (is_dated or (before == "by" and not after)):
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
    if last <= first or (len(short) == 4 and counts_things(first, last, match.end(), context)):
        return None
    between = context.word_before(match.start()).lower() == "between"
    second = _second_year(first, last, short, context.region)
    return f"{year(first, context.region)} {'and' if between else 'to'} {second}"


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
    rule("decade", r"(?<=\ds)\s?[–-]\s?(?=['’]?\d{2,4}s\b)", always(" to ")),
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
