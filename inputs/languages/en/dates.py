"""English dates: “May 4, 1914”, “4 May”, “3–5 June 1944”, “Mon., Oct. 3”, “1914-05-04”.

Style: The Chicago Manual of Style (17th ed.), 6.38 and 9.31 to 9.35, for the United States;
New Hart's Rules, 11.5, elsewhere. Numbers of years and days: ISO 8601-1:2019.
"""

from __future__ import annotations

import re

from audiomill.inputs.languages.declaration import words
from audiomill.inputs.languages.en.numbers import cardinal, ordinal, paired, year
from audiomill.inputs.languages.en.times import clock
from audiomill.inputs.spoken.roman import roman_value
from audiomill.inputs.spoken.rules import Context, Rule, rule

MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September"),
    *("October", "November", "December"),
)
_LAST_OF_THIS_CENTURY = 39  # two digits up to it are a year of this century, others of the last
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_FULL = "|".join((*MONTHS, *(month.upper() for month in MONTHS)))
_SHORT = r"(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec|JAN|FEB|AUG|SEPT|OCT|NOV|DEC)\b\.?"
_MONTH = rf"(?:(?:{_FULL})\b|{_SHORT})"
_DAY = r"(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th|(?<=[23])d)?(?![\w%°$£€/:]|[.:]\d|,\d{1,3}(?!\d))"
# A round number before a plural is a count: “On May 4, 1500 people came”.
_YEAR = (
    r"(?:(?:1\d|20)\d\d[–-]\d\d?(?!\w|[.,:/–-]\d)"  # “January 1659–60”, of two calendars
    r"|(?:1\d|20)\d\d(?!\w|[.,:/]\d|-\d)(?!(?<=00)\s(?:people|men|women|[a-z]{3,}s)\b)"
    r"|['’‘]\d\d(?!\w))"
)
_DASH = r"\s?(?:–|—|-|−)\s?"
_GAP = r"\s"
# “May 4 and 5” is two days if the year or a break follows.
_AND = rf"(?:{_GAP}(?:and|to|or|through|&){_GAP})(?={_DAY}(?:,?\s{_YEAR}|[,.;:)]|\Z))"
_AND_DAY = rf"(?:{_GAP}(?:and|to|or|through|&){_GAP})(?={_DAY}\s(?:of\s)?{_MONTH})"
# Words after which “5 May” or “5 June” is a number and a name.
_NUMBERED = words(
    """
    chapter page part book volume table figure section number no. aged age room line act scene step
    question at verse
    """
)
_DETERMINERS = words(
    """
    the a an this that each every his her its our their my your last next no another happy dear
    annual
    """
)
_PREPOSITIONS = words(
    """
    on from to by until till since dated of before after between
    """
)
_COUNTED = frozenset(
    ("people", "men", "women", "children", "miles", "times", "more", "of", "hours", "days", "or")
)
_VERSIONS = frozenset(("version", "v.", "release", "build", "section", "firmware"))


def _month_name(text: str) -> str:
    """The name of a month for its name or its abbreviation."""
    begun = text[:3].title()
    return next(month for month in MONTHS if month.startswith(begun))


def _day(text: str) -> str:
    return ordinal(int(text.rstrip("stndrh")))


def _year_words(text: str, region: str) -> str:
    """The words for “1914”, “'44”, “'05” and “1659–60”."""
    if len(text) == 4:
        return year(int(text), region)
    if text[0].isdecimal():
        second = text[5:]
        said = cardinal(int(second)) if len(second) == 1 else _year_words(f"'{second}", region)
        return f"{year(int(text[:4]), region)} to {said}"
    number = int(text.lstrip("'’‘"))
    if number == 0:
        return "two thousand"
    return f"{'oh ' if number < 10 else ''}{cardinal(number)}"


def _say_date(day: str, month: str, year_text: str | None, context: Context, at: int) -> str:
    """The words for a date in figures, as its region says it.

    `at` is where it begins: after “the” no second “the” is said.
    """
    if context.region == "US":
        said = f"{month} {ordinal(int(day))}"
    else:
        said = f"{_the(context, at)}{ordinal(int(day))} of {month}"
    if not year_text:
        return said
    # A year such as “20” would be taken for another number.
    teens = len(year_text.lstrip("'")) == 2 and 10 <= int(year_text[-2:]) <= _LAST_OF_THIS_CENTURY
    year_text = f"20{year_text[-2:]}" if teens else year_text
    return f"{said}, {_year_words(year_text, context.region)}"


def _the(context: Context, at: int) -> str:
    return "" if context.word_before(at).lower() in _DETERMINERS else "the "


def _with_year(said: str, text: str | None, region: str) -> str:
    return f"{said}, {_year_words(text, region)}" if text else said


def _joined(sign: str) -> str:
    word = sign.strip()
    return {"&": "and", "and": "and", "or": "or", "through": "through"}.get(word, "to")


def _month_first(match: re.Match[str], context: Context) -> str | None:
    """“May 4, 1914”, “May 4–6”, “May 30 – June 2”."""
    following = context.word_after(match.end())
    begins = not context.word_before(match.start())
    if following in _COUNTED and begins and match["month"] in ("May", "March"):
        return None
    the = "" if context.region == "US" else _the(context, match.start())
    said = _with_year(
        f"{_month_name(match['month'])} {the}{_day(match['day'])}", match["year1"], context.region
    )
    if match["last"]:
        other = f"{_month_name(match['month2'])} " if match["month2"] else ""
        said += f" {_joined(match['join'])} {other}{the}{_day(match['last'])}"
    return _with_year(said, match["year"], context.region)


def _day_first(match: re.Match[str], context: Context) -> str | None:
    """“4 May 1914”, “4th of May”, “3–5 June 1944”, “30 May – 2 June”."""
    earlier = context.word_before(match.start()).lower()
    if earlier in _NUMBERED:
        return None
    bare = match["of"] and earlier not in _PREPOSITIONS
    said = ("" if bare else _the(context, match.start())) + _day(match["day"])
    if match["month1"]:
        said += f" of {_month_name(match['month1'])}"
    said = _with_year(said, match["year1"], context.region)
    if match["last"]:
        said += f" {_joined(match['join'])} the {_day(match['last'])}"
    said += f" of {_month_name(match['month'])}"
    return _with_year(said, match["year"], context.region)


def _month_year(match: re.Match[str], context: Context) -> str | None:
    if match["month"] in ("May", "March") and context.word_after(match.end()) in _COUNTED:
        return None
    said = _year_words(match["year"], context.region)
    first = f"{_month_name(match['first'])} to " if match["first"] else ""
    return f"{first}{_month_name(match['month'])} {said}"


def _weekday(match: re.Match[str], _: Context) -> str:
    begun = match["weekday"][:3]
    return next(day for day in _DAYS if day.startswith(begun))


def _weekdays(match: re.Match[str], _: Context) -> str:
    """“Monday to Friday”, “Saturday and Sunday”."""
    first, last = (
        next(day for day in _DAYS if day.startswith(match[name][:3])) for name in ("first", "last")
    )
    return f"{first} {'and' if '&' in match['join'] else 'to'} {last}"


def _months(match: re.Match[str], _: Context) -> str:
    """“January to March”, without a year."""
    return f"{_month_name(match['first'])} to {_month_name(match['last'])}"


def _roman_month(match: re.Match[str], context: Context) -> str:
    """“6-VIII-1906”."""
    month = MONTHS[(roman_value(match["month"]) or 1) - 1]
    return _say_date(match["day"], month, match["year"], context, match.start())


def _iso(match: re.Match[str], context: Context) -> str | None:
    month = int(match["month"])
    if not 1 <= month <= 12:
        return None
    said = _say_date(match["day"], MONTHS[month - 1], match["year"], context, match.start())
    return f"{said}{_time_of(match)}"


def _time_of(match: re.Match[str]) -> str:
    """The time of “1914-05-04T10:30Z”; "" if it has none."""
    if not match["hour"]:
        return ""
    zone = " UTC" if match["zone"] else ""
    return f", {clock(int(match['hour']), int(match['minute']))}{zone}"


def _numeric(match: re.Match[str], context: Context) -> str | None:
    """“5/4/1914”: the month first in the United States, unless it cannot be a month."""
    if context.word_before(match.start()).lower() in _VERSIONS:
        return None
    first, second = int(match["first"]), int(match["second"])
    month_first = context.region == "US" and match["sign"] != "."
    month, day = (first, second) if month_first else (second, first)
    if month > 12:
        month, day = day, month
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    text = match["year"] if len(match["year"]) == 4 else f"'{match['year']}"
    return _say_date(str(day), MONTHS[month - 1], text, context, match.start())


def _short_month(match: re.Match[str], context: Context) -> str | None:
    """“01-Feb-02”, as programs print it."""
    text = match["year"] if len(match["year"]) == 4 else f"'{match['year']}"
    if not 1 <= int(match["day"]) <= 31:
        return None
    return _say_date(
        str(int(match["day"])), _month_name(match["month"]), text, context, match.start()
    )


def _known(match: re.Match[str], context: Context) -> str | None:
    """“24/7” and “9/11”, which are neither dates nor fractions."""
    if context.word_after(match.end()) == "of":
        return None
    return " ".join(cardinal(int(part)) for part in match[0].split("/"))


_HOURS = r"\d\d?(?::\d\d)?\s?(?:[ap]\.?m\b|[–-]\s?\d\d?(?![\d/-]))"
_WEEKDAY = r"(?:Mon|Tues?|Weds?|Thu(?:rs?)?|Fri|Sat|Sun)"


def _month_of_year(match: re.Match[str], context: Context) -> str | None:
    """“May twenty twenty-six”; but “2004-05” may be a season, and “2010-12” three years."""
    first, month = int(match["year"]), int(match["month"])
    if month > first % 100:
        return None
    return f"{MONTHS[month - 1]} {year(first, context.region)}"


def _old_month(match: re.Match[str], context: Context) -> str | None:
    """“September twenty-eighth, AD three sixty-five”."""
    number = int(match["year"])
    if not match["day"] and context.word_before(match.start()).lower() in {"from", "between"}:
        return None  # years
    said = paired(number, context.region) if number < 1000 else year(number, context.region)
    day = f" {ordinal(int(match['day']))}" if match["day"] else ""
    return f"{MONTHS[int(match['month']) - 1]}{day}, {match['era'].replace('.', '')} {said}"


RULES: tuple[Rule, ...] = (
    rule(
        "weekday",
        rf"(?P<weekday>{_WEEKDAY})\b\.?(?=,?\s(?:{_MONTH}\s{_DAY}|{_DAY}\s{_MONTH}|\d\d?/\d|{_HOURS}))",
        _weekday,
    ),
    rule(
        "weekday",
        rf"(?P<first>{_WEEKDAY})\b\.?(?P<join>\s?[–&-]\s?)(?P<last>{_WEEKDAY})\b\.?(?![\w-])",
        _weekdays,
    ),
    rule(
        "date",
        r"""(?<!/)(?P<year>[12]\d{3})(?P<mark>[-/])(?P<month>\d\d)(?P=mark)(?P<day>0[1-9]|[12]\d|3[01])
        (?:[T\s](?P<hour>[01]\d|2[0-3]):(?P<minute>[0-5]\d)(?::[0-5]\d(?:\.\d{1,9})?)?(?P<zone>Z)?)?
        (?![\w-]|[/:]\S)""",
        _iso,
    ),
    rule(
        "date",
        r"""(?<![\w/.,-])(?P<day>0?[1-9]|[12]\d|3[01])(?P<mark>[–/.-])
        (?P<month>I{1,3}|I?V|VI{1,3}|I?X|XI{1,2})(?P=mark)(?P<year>1\d{3}|20\d\d)(?![\w/]|[.,-]\d)""",
        _roman_month,
    ),
    rule("named", r"(?<![\d/.])(?:24/7|9/11)(?![\w/]|\.\d)", _known),
    rule(
        "date",
        r"""(?<![\w./-])(?P<first>\d{1,2})(?P<sign>[/.-])(?P<second>\d{1,2})(?P=sign)
        (?P<year>(?:1\d|20)\d\d|(?<=/)\d\d)(?![\w/]|[.,-]\d)""",
        _numeric,
    ),
    *(
        rule("date", rf"(?<![\w.,/-]){order}(?![\w-])", _short_month)
        for order in (
            rf"(?P<day>\d{{1,2}})-(?P<month>{_MONTH})-(?P<year>\d{{4}}|\d\d)",
            rf"(?P<year>\d{{4}})-(?P<month>{_MONTH})-(?P<day>\d\d?)",
        )
    ),
    rule(
        "date",
        rf"""(?<![\w.,/])(?P<day>{_DAY})
        (?:(?:{_GAP}(?P<month1>{_MONTH})(?:,?\s(?P<year1>{_YEAR}))?)?
            (?P<join>{_DASH}|{_AND_DAY})(?P<last>{_DAY}))?
        (?:{_GAP}(?P<of>of\s)?|-)(?P<month>{_MONTH})(?![\w-])(?:,?\s(?P<year>{_YEAR}))?""",
        _day_first,
    ),
    rule(
        "date",
        rf"""(?P<month>{_MONTH})\s(?P<day>{_DAY})(?:,?\s(?P<year1>{_YEAR})(?={_DASH}{_MONTH}))?
        (?:(?P<join>{_DASH}|{_AND})(?:(?P<month2>{_MONTH})\s)?(?P<last>{_DAY}))?
        (?:(?:,?\s|,)(?P<year>{_YEAR}))?""",
        _month_first,
    ),
    rule(
        "date",
        rf"(?:(?P<first>{_MONTH}){_DASH})?(?P<month>{_MONTH}),?\s(?P<year>{_YEAR})",
        _month_year,
    ),
    rule("date", rf"(?P<first>{_MONTH})[–-](?P<last>{_MONTH})(?![\w–-]|\s\d)", _months),
    rule(
        "date",
        r"(?<![\w/.–-])(?P<year>20\d\d)-(?P<month>0[1-9]|1[0-2])(?![\w–/-]|[.,:]\d)",
        _month_of_year,
    ),
    rule(
        "date",
        r"(?P<era>A\.?D\.?)\s(?P<year>\d{3,4})-(?P<month>0[1-9]|1[0-2])(?:-(?P<day>[0-3]\d))?(?![\w–/-])",
        _old_month,
    ),
)
