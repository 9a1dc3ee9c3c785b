"""Rules for days and hours in the four Romance languages, and decades with an apostrophe."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from audiomill.inputs.spoken.european import number_words
from audiomill.inputs.spoken.european.amounts import SPACE, alternatives
from audiomill.inputs.spoken.european.language import LanguageWords
from audiomill.inputs.spoken.rules import Context, Rule

_MONTHS = 12
NUMERIC_DATE = (
    r"(?:(?P<day>0?[1-9]|[12]\d|3[01])(?P<mark>[./-])(?:(?<=\.)[ \u00a0])?"
    r"(?P<month>0?[1-9]|1[0-2])(?P=mark)"
    r"(?:(?<=\.)[ \u00a0])?"
    r"(?P<year>\d{4}|\d\d)|(?P<iso_year>\d{4})(?P<iso_mark>[-/])(?P<iso_month>0[1-9]|1[0-2])"
    r"(?P=iso_mark)(?P<iso_day>0[1-9]|[12]\d|3[01]))(?![\w/]|[.,-]\d)"
)
SHORT_YEAR = r"(?<!\w)['’‘](?P<digits>\d\d|[1-9]00)(?!['’\d])(?![^\W_])"


@dataclass(frozen=True, slots=True)
class Calendar:
    """How a language prints and says days and hours."""

    language: LanguageWords
    short_months: Mapping[str, int]
    of: str  # between day, month and year: “de”; "" where there is nothing
    first: Callable[[str, str], str]  # the first of a month as printed, in a region
    hour_marks: str  # a pattern between hours and minutes
    time_words: str  # a pattern after a time, which is part of it
    before_times: frozenset[str]  # words before a time that is printed with a full stop
    hours: str  # said after full hours, if a word for them is printed
    time: Callable[[int, int, str], str]  # what is said for hours and minutes


def rules(calendar: Calendar) -> tuple[Rule, ...]:
    """The rules for days and hours, in the order in which they are tried."""
    full = alternatives(month_numbers(calendar.language.code))
    months = rf"(?P<month>(?:{full})\b|(?:{alternatives(calendar.short_months)})\b(?P<stop>\.)?)"
    day = r"(?P<day>1er|1\.?[ ]?[º°ᵒ]|0?[1-9]|[12]\d|3[01])"
    of = rf"{SPACE}(?:{calendar.of}{SPACE})?" if calendar.of else SPACE
    year_of = rf"{SPACE}(?:{calendar.of}l?{SPACE})?" if calendar.of else SPACE
    dated = rf"{day}{of}{months}(?:{year_of}(?P<year>\d{{4}})(?![\d.,]\d))?(?!\w)"
    hour = r"(?P<hour>[01]?\d|2[0-4])"
    clock = (
        rf"{hour}(?P<mark>{calendar.hour_marks})(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?"
        rf"(?![\w:]|[.,]\d)(?:{SPACE}?(?P<unit>{calendar.time_words})(?![^\W_]))?"
    )
    said = _Said(calendar)
    return (
        Rule("date", re.compile(dated, re.IGNORECASE), said.date),
        Rule("date", re.compile(rf"(?<![\d./^~=@-]){NUMERIC_DATE}"), said.numeric_date),
        Rule("time", re.compile(clock), said.time),
        Rule("year", re.compile(SHORT_YEAR), said.short_year),
    )


def month_numbers(code: str) -> dict[str, int]:
    """The names of the months in a language, from 1."""
    return {name.lower(): number for number, name in enumerate(number_words.months(code), 1)}


def date_parts(match: re.Match[str], context: Context) -> tuple[int, int, str]:
    """Day, month and year of `NUMERIC_DATE`. In the United States the month comes first."""
    day, month = match["day"] or match["iso_day"], match["month"] or match["iso_month"]
    if context.region in {"US", "PR"} and not match["iso_year"] and int(day) <= _MONTHS:
        day, month = month, day
    return int(day), int(month), match["year"] or match["iso_year"]


class _Said:
    """What is said for the matches of `rules` in one language."""

    def __init__(self, calendar: Calendar) -> None:
        self._calendar = calendar
        self._language = calendar.language
        self._months = {**month_numbers(calendar.language.code), **calendar.short_months}

    def date(self, match: re.Match[str], context: Context) -> str:
        number = self._months[re.sub(r"\s+", " ", match["month"].lower().rstrip("."))]
        printed = match["month"]
        full = number_words.months(self._language.code)[number - 1]
        month = printed if printed.lower() == full else full
        return self._joined(match["day"], month, match["year"], context.region)

    def numeric_date(self, match: re.Match[str], context: Context) -> str:
        day, month, year = date_parts(match, context)
        name = number_words.months(self._language.code)[month - 1]
        return self._joined(str(day), name, year, context.region)

    def _joined(self, day: str, month: str, year: str | None, region: str) -> str:
        digits = re.match(r"\d+(?!\.?[ ]?[º°ᵒe])", day)
        number = int(digits[0]) if digits else 1
        first = self._calendar.first(day, region)
        said = [self._language.cardinal(number, region, "") if number > 1 else first, month]
        if year:
            said.append(self._language.year(int(year), region))
        return (f" {self._calendar.of} " if self._calendar.of else " ").join(said)

    def time(self, match: re.Match[str], context: Context) -> str | None:
        tells = context.word_before(match.start()).lower() in self._calendar.before_times
        if match["mark"] == "." and not tells and not match["unit"]:
            return None
        minute = int(match["minute"])
        said = self._calendar.time(int(match["hour"]), minute, context.region)
        hours = self._calendar.hours if match["unit"] and not minute else ""
        seconds = self._seconds(match["second"], context.region)
        return f"{said} {hours}".strip() + seconds

    def _seconds(self, printed: str | None, region: str) -> str:
        if not int(printed or 0):
            return ""
        language, count = self._language, int(printed or 0)
        name = number_words.unit_name("duration-second", Decimal(count), language.code, region)
        and_ = language.symbols["&"]
        return f" {and_} {language.cardinal(count, region, language.gender(name) or 'm')} {name}"

    def short_year(self, match: re.Match[str], context: Context) -> str:
        return self._language.say_whole(match["digits"], context.region)
