"""Dates and hours in the four Romance languages, and dates in digits in all European languages.

“el cinco de marzo”, “huit heures trente”; “5.3.2024”, “2024-03-05”, “’98”.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from audiomill.inputs.spoken.european import number_words
from audiomill.inputs.spoken.european.counting import SPACE, alternatives
from audiomill.inputs.spoken.european.language import LanguageWords
from audiomill.inputs.spoken.roman import roman_value
from audiomill.inputs.spoken.rules import Context, Rule, dense_rule

MONTHS = 12
NUMERIC_DATE = (
    r"(?:(?P<day>0?[1-9]|[12]\d|3[01])(?P<mark>[./-])(?:(?<=\.)[ \u00a0])?"
    r"(?P<month>0?[1-9]|1[0-2])(?P=mark)"
    r"(?:(?<=\.)[ \u00a0])?"
    r"(?P<year>\d{4}|\d\d)|(?P<iso_year>\d{4})(?P<iso_mark>[-/])(?P<iso_month>0[1-9]|1[0-2])"
    r"(?P=iso_mark)(?P<iso_day>0[1-9]|[12]\d|3[01]))(?![\w/]|[.,-]\d)"
)
# “2020-05-11T14:08:32Z”, as programs write it: seconds and zone are not said.
STAMP = (
    r"(?<![\w./-])(?P<year>\d{4})-(?P<month>0[1-9]|1[0-2])-(?P<day>0[1-9]|[12]\d|3[01])"
    r"T(?P<hour>[01]\d|2[0-4]):(?P<minute>[0-5]\d)(?::[0-5]\d(?:[.,]\d{1,9})?)?"
    r"(?:Z|[-+]\d\d:?\d\d)?(?!\w)"
)
SHORT_YEAR = r"(?<!\w)['’‘](?P<digits>\d\d|[1-9]00)(?!['’\d])(?![^\W_])"

_SECTION = re.compile(
    r"§|secci[óo]n|sezione|se[cç][çc]ão|sección|cap[íi]tulo|capitolo|par[áa]grafo|paragrafo|punto"
    r"|ponto|comma|versi[óo]n|versione|versão|apartado|tabla|tabella|tabela|figura|nota|art\.?"
    r"|art[íi]culo|artigo|articolo|item|ítem|regla|regola|norma|subitem|vedi|lettera|n\.[ºo]?|nº"
)
_TO_NINE = re.compile(r"[1-9]\.[1-9]\.")
_HEADS = re.compile(r"\.?\s[^\W\d_]")


def _month_numbers(code: str) -> dict[str, int]:
    """The names of the months in a language, from 1."""
    return {name.lower(): number for number, name in enumerate(number_words.months(code), 1)}


def date_parts(match: re.Match[str], context: Context) -> tuple[int, int, str]:
    """Day, month and year of `NUMERIC_DATE`. In the United States the month comes first."""
    day, month = match["day"] or match["iso_day"], match["month"] or match["iso_month"]
    if context.region in {"US", "PR"} and not match["iso_year"] and int(day) <= MONTHS:
        day, month = month, day
    return int(day), int(month), match["year"] or match["iso_year"]


def _is_section(match: re.Match[str], context: Context) -> bool:
    """Whether “2.2.33” numbers a part of a text: after a word for one, or at its very start."""
    before = context.word_before(match.start()).lower()
    first = not context.text[: match.start()].strip() and _HEADS.match(context.text, match.end())
    return bool(first and _TO_NINE.match(match[0])) or _SECTION.fullmatch(before) is not None


# “del 5/10 al 17/12”, “quarta-feira (12/11)”: no fraction.
_DAY_AND_MONTH = (
    r"(?<![\d/.,-])(?P<day>0?[1-9]|[12]\d|3[01])(?P<gap>[ ]?)/(?P=gap)(?P<month>0?[1-9]|1[0-2])"
    r"(?![\w/]|[.,-]\d)"
)
# “quinta-feira (22.04)”, where hours have an “h”.
_POINTED_DAY = (
    r"(?<![\d/.,-])(?P<day>0?[1-9]|[12]\d|3[01])\.(?P<month>0[1-9]|1[0-2])"
    r"(?![\w/%€]|[.,-]\d|[ ](?:horas?|h|%|€)\b)"
)
# “1 º / 07”, as some print it.
_FIRST_AND_MONTH = r"(?<![\d/.,-])1[ ]?[º°][ ]?/[ ]?(?P<month>0?[1-9]|1[0-2])(?![\w/]|[.,-]\d)"
# “14032017”: a date without signs.
_BARE_DATE = (
    r"(?<![\w.,/$€-])(?P<day>0[1-9]|[12]\d|3[01])(?P<month>0[1-9]|1[0-2])(?P<year>(?:19|20)\d\d)"
    r"(?![\w/$€%-]|[.,]\d)"
)
_BEFORE_BARE_DATE = re.compile(
    r"\b(?:em|de|desde|até|dia|data|el|del|hasta|fecha|il|del|dal|le|du|date|jour|giorno)\s\Z",
    re.IGNORECASE,
)
# “segunda-feira (05)”.
_DAY_OF_WEEK = r"(?<=\()0(?P<day>[1-9])(?=\))"
# “6-VIII-1906”.
_ROMAN_MONTH = (
    r"(?<![\w/.,-])(?P<day>0?[1-9]|[12]\d|3[01])(?P<mark>[-–/.])[ ]?"
    r"(?P<month>I{1,3}|I?V|VI{1,3}|I?X|XI{1,2})"
    r"(?P=mark)[ ]?(?P<year>1\d{3}|20\d\d)(?![\w/]|[.,-]\d)"
)
_DATED = re.compile(
    r"\b(?:feira|sábado|domingo|segunda|terça|quarta|quinta|sexta|hoje|ontem|amanhã"
    r"|lunes|martes|miércoles|jueves|viernes|hoy|ayer|mañana|lunedì|martedì|mercoledì|giovedì"
    r"|venerdì|sabato|domenica|oggi|ieri|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)"
    r"[\s,]*\(?\s?\Z|\b(?:días?|dias?|giorno|fecha|data|jour)\s?\(?\Z",
    re.IGNORECASE,
)
_BEFORE_DAY = re.compile(
    r"\b(?:de|em|para|até|desde|del|el|il|al|dal|du|le|au|hasta|fino al|ontem|hoje)\s\Z",
    re.IGNORECASE,
)
# “25/02 – …”: an entry of a list of days.
_ENTRY = re.compile(r"\s?[-–—:]\s[^\W\d_]")
# “30 e 31/08”.
_EARLIER_DAY = re.compile(r"(?<![\d/.,])(?P<day>\d{1,2})(?:,|[ ](?:e|y|a|al|et|au))[ ]\Z")
_TO_DATE = re.compile(r"\b(?P<day>\d{1,2})/(?P<month>\d{1,2})\s(?:[aà]|al|até|hasta|e|y|au)\s\Z")
_DATE_FOLLOWS = re.compile(
    r"\s(?:[aà]|al|até|hasta|au)\s(?P<day>\d{1,2})/(?P<month>\d{1,2})(?![\w/])"
)
_RARE_PARTS = 9  # so many and more are seldom below a fraction's stroke
_LAST_OF_THIS_CENTURY = 27  # two digits up to it are a year of this century
# “alle 20,30”, “a las 10,30 horas”: a comma stands in a time only where nothing is measured.
_AFTER_COMMA = (
    rf"(?={SPACE}?(?:horas|ore|hs?\b)|{SPACE}(?:y|e|ed|a|al|alle|às|hasta|até|fino)\b"
    rf"|{SPACE}(?:de la|da|della|del|di|do)\b|{SPACE}(?:tarde|mañana|noche)\b"
    r"|[;:)!?»”\"]|[.,](?!\d)|\s[-–—]|\Z)"
)
_PART_OF_DAY = re.compile(
    r"\s(?:(?:de\sla|da|di|del|della)\s)?"
    r"(?:tarde|mañana|noche|madrugada|manhã|noite|mattina|mattino|pomeriggio|sera|notte)\b"
)
_HOURS = (
    rf"(?P<hour>[01]?\d|2[0-4]){SPACE}?[hH]{SPACE}?(?P<minute>[0-5]\d)?{SPACE}?[-–/]{SPACE}?"
    rf"(?P<last_hour>[01]?\d|2[0-4]){SPACE}?[hH]{SPACE}?(?P<last_minute>[0-5]\d)?(?![\w/])"
)
_POINTED_HOURS = (  # “10.00-12.00”
    r"(?<![\d.,/-])(?P<hour>[01]?\d|2[0-4])\.(?P<minute>[0-5][05])[ ]?[-–][ ]?"
    r"(?P<last_hour>[01]?\d|2[0-4])\.(?P<last_minute>[0-5][05])(?![\w/-]|[.,]\d|[ ]?[%€])"
)
_MONTH_OF_YEAR = (
    r"(?<![\w./,°º-])(?P<month>0[1-9]|1[0-2])(?:-|(?<=0\d)/)(?P<year>(?:19|20)\d\d)"
    r"(?![\w/-]|[.,]\d)"
)
_LAW = re.compile(r"[nN]\w{0,2}\.|[Nn]um\w*|[Ll](?:egge|oi|ey|ei)|\w+r[eé]t\w?|art\w*\.?|.*\.")
_YEARS = r"(?<![\w-])(?P<year>(?:1[5-9]|20)\d\d)(?P<later>(?:[-/]\d\d){2,6})(?![-/]?\d|\w)"
_DECADE = r"(?P<digits>(?:1[5-9]|20)?\d0)['’]s(?!\w)"  # “clairement 90's”


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
    has_pointed_days: bool = False  # “quinta-feira (22.04)”; else that is a time


def rules(calendar: Calendar) -> tuple[Rule, ...]:
    """The rules for days and hours, in the order in which they are tried."""
    full = alternatives(_month_numbers(calendar.language.code))
    months = rf"(?P<month>(?:{full})\b|(?:{alternatives(calendar.short_months)})\b(?P<stop>\.)?)"
    day = r"(?P<day>1er|1\.?[ ]?[º°ᵒ]|0?[1-9]|[12]\d|3[01])"
    of = rf"{SPACE}(?:{calendar.of}{SPACE})?" if calendar.of else SPACE
    year_of = rf"{SPACE}(?:{calendar.of}l?{SPACE})?" if calendar.of else SPACE
    dated = rf"{day}{of}{months}(?:{year_of}(?P<year>\d{{4}})(?![\d.,]\d))?(?!\w)"
    hour = r"(?P<hour>[01]?\d|2[0-4])"
    clock = (
        rf"{hour}(?P<mark>{calendar.hour_marks}|,(?=\d\d{_AFTER_COMMA}))(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?"
        rf"(?!:\d|[.,]\d)(?:{SPACE}?(?P<unit>{calendar.time_words})(?![^\W_])|(?!\w))"
    )
    said = _Said(calendar)
    return (
        dense_rule("date", dated, said.date, re.IGNORECASE),
        dense_rule("date", STAMP, said.stamp),
        dense_rule("date", rf"(?<![\d./^~=@-]){NUMERIC_DATE}", said.numeric_date),
        dense_rule("date", _ROMAN_MONTH, said.roman_month),
        dense_rule("date", _FIRST_AND_MONTH, said.first_and_month),
        dense_rule("date", _BARE_DATE, said.bare_date),
        dense_rule("date", _DAY_OF_WEEK, said.day_of_week),
        dense_rule("date", _DAY_AND_MONTH, said.day_and_month),
        dense_rule("date", _POINTED_DAY, said.pointed_day),
        dense_rule("date", _MONTH_OF_YEAR, said.month_of_year),
        dense_rule("year", _YEARS, said.years),
        dense_rule("time", _HOURS, said.hours),
        dense_rule("time", _POINTED_HOURS, said.hours),
        dense_rule("time", clock, said.time),
        dense_rule("decade", _DECADE, said.short_year),
        dense_rule("year", SHORT_YEAR, said.short_year),
    )


def _is_no_fraction(match: re.Match[str]) -> bool:
    """“17/12” is none, and tenths are rarely printed so."""
    day, month = int(match["day"]), int(match["month"])
    return day > month or month >= _RARE_PARTS


class _Said:
    """What is said for the matches of `rules` in one language."""

    def __init__(self, calendar: Calendar) -> None:
        self._calendar = calendar
        self._language = calendar.language
        self._months = {**_month_numbers(calendar.language.code), **calendar.short_months}

    def date(self, match: re.Match[str], context: Context) -> str:
        number = self._months[re.sub(r"\s+", " ", match["month"].lower().rstrip("."))]
        printed = match["month"]
        full = self._month(number)
        month = printed if printed.lower() == full else full
        return self._joined(match["day"], month, match["year"], context.region)

    def numeric_date(self, match: re.Match[str], context: Context) -> str | None:
        day, month, year = date_parts(match, context)
        if match["mark"] == "." and len(year) == 2 and _is_section(match, context):
            return None
        return self._joined(str(day), self._month(month), year, context.region)

    def stamp(self, match: re.Match[str], context: Context) -> str:
        """“onze mai deux mille vingt, quatorze heures huit”."""
        date = self._on_day(match, int(match["month"]), match["year"], context.region)
        time = self._calendar.time(int(match["hour"]), int(match["minute"]), context.region)
        return f"{date}, {time}"

    def roman_month(self, match: re.Match[str], context: Context) -> str:
        month = roman_value(match["month"]) or 1
        return self._on_day(match, month, match["year"], context.region)

    def day_and_month(self, match: re.Match[str], context: Context) -> str | None:
        """“cinco de octubre”, where a word or another date shows that it is no fraction."""
        earlier = context.text_before(match.start())
        other = _DATE_FOLLOWS.match(context.text, match.end()) or _TO_DATE.search(earlier)
        of_two = other and (_is_no_fraction(match) or _is_no_fraction(other))
        later = int(match["day"]) > MONTHS and context.text.startswith(")", match.end())
        filled = "0" in {match["day"][0], match["month"][0]} and _BEFORE_DAY.search(earlier)
        after_day = _EARLIER_DAY.search(earlier)
        goes_on = (
            after_day and int(after_day["day"]) < int(match["day"]) and match["month"][0] == "0"
        )
        entry = match["month"][0] == "0" and not context.text[: match.start()].strip()
        entry = entry and _ENTRY.match(context.text, match.end())
        late = int(match["day"]) > MONTHS and _BEFORE_DAY.search(earlier)
        if not (of_two or later or late or filled or goes_on or entry or _DATED.search(earlier)):
            return None
        return self._on_day(match, int(match["month"]), None, context.region)

    def pointed_day(self, match: re.Match[str], context: Context) -> str | None:
        """“vinte e dois de abril” for “22.04” after a word for a day."""
        earlier = context.text_before(match.start())
        if not self._calendar.has_pointed_days or not _DATED.search(earlier):
            return None
        return self._on_day(match, int(match["month"]), None, context.region)

    def first_and_month(self, match: re.Match[str], context: Context) -> str:
        """“primeiro de julho” for “1 º / 07”."""
        return self._joined("1º", self._month(int(match["month"])), None, context.region)

    def bare_date(self, match: re.Match[str], context: Context) -> str | None:
        """“catorze de março de dois mil e dezassete” for “14032017” after “em”."""
        earlier = context.text_before(match.start())
        counted = self._language.counted(match[0], context.word_after(match.end()))
        if counted or not _BEFORE_BARE_DATE.search(earlier):
            return None
        return self._on_day(match, int(match["month"]), match["year"], context.region)

    def day_of_week(self, match: re.Match[str], context: Context) -> str | None:
        """“cinco” for “(05)” after a day of the week."""
        if not _DATED.search(context.text_before(match.start())):
            return None
        if match["day"] == "1":
            return self._calendar.first("1", context.region)
        return self._language.cardinal(int(match["day"]), context.region, "")

    def month_of_year(self, match: re.Match[str], context: Context) -> str | None:
        """“septembre 2008” for “09-2008”."""
        if _LAW.fullmatch(context.word_before(match.start())):
            return None
        month = self._month(int(match["month"]))
        year = self._language.year(int(match["year"]), context.region)
        return (f" {self._calendar.of} " if self._calendar.of else " ").join((month, year))

    def years(self, match: re.Match[str], context: Context) -> str | None:
        """“1994-95-96”: years one after another."""
        first, later = int(match["year"]), re.findall(r"\d\d", match["later"])
        if [(first + at) % 100 for at in range(1, len(later) + 1)] != [*map(int, later)]:
            return None
        said = [self._language.say_whole(year, context.region) for year in later]
        return ", ".join([self._language.year(first, context.region), *said])

    def _month(self, number: int) -> str:
        return number_words.months(self._language.code)[number - 1]

    def _on_day(self, match: re.Match[str], month: int, year: str | None, region: str) -> str:
        return self._joined(str(int(match["day"])), self._month(month), year, region)

    def _joined(self, day: str, month: str, year: str | None, region: str) -> str:
        digits = re.match(r"\d+(?!\.?[ ]?[º°ᵒe])", day)
        number = int(digits[0]) if digits else 1
        first = self._calendar.first(day, region)
        said = [self._language.cardinal(number, region, "") if number > 1 else first, month]
        if year:
            this_century = len(year) == 2 and int(year) <= _LAST_OF_THIS_CENTURY
            number = int(year) + (2000 if this_century else 0)
            said.append(self._language.year(number, region))
        return (f" {self._calendar.of} " if self._calendar.of else " ").join(said)

    def time(self, match: re.Match[str], context: Context) -> str | None:
        tells = context.word_before(match.start()).lower() in self._calendar.before_times
        tells = tells or _PART_OF_DAY.match(context.text, match.end()) is not None
        if match["mark"] in ".," and not tells and (match["mark"] == "," or not match["unit"]):
            return None
        if match["unit"] in {"m", "min"} and not tells:
            return None  # “1h30min”: how long it lasts
        minute = int(match["minute"])
        said = self._calendar.time(int(match["hour"]), minute, context.region)
        hours = self._calendar.hours if match["unit"] and not minute else ""
        seconds = self._seconds(match["second"], context.region)
        return f"{said} {hours}".strip() + seconds

    def hours(self, match: re.Match[str], context: Context) -> str:
        """“huit heures à douze heures trente” for “8h-12h30”."""
        ends = (
            self._calendar.time(int(match[hour]), int(match[minute] or 0), context.region)
            for hour, minute in (("hour", "minute"), ("last_hour", "last_minute"))
        )
        return f" {self._language.to} ".join(ends)

    def _seconds(self, printed: str | None, region: str) -> str:
        if not int(printed or 0):
            return ""
        language, count = self._language, int(printed or 0)
        name = number_words.unit_name("duration-second", Decimal(count), language.code, region)
        and_ = language.symbols["&"]
        return f" {and_} {language.cardinal(count, region, language.gender(name) or 'm')} {name}"

    def short_year(self, match: re.Match[str], context: Context) -> str:
        return self._language.say_whole(match["digits"], context.region)
