"""English words for a month of a year in digits: “2026-05”, “AD 365-09-28”: ISO 8601."""

from __future__ import annotations

import re

from audiomill.inputs.spoken.english.numbers.numbers import ordinal, paired, year
from audiomill.inputs.spoken.english.references.dates import MONTHS
from audiomill.inputs.spoken.rules import Context, Rule, rule


def _month(match: re.Match[str], context: Context) -> str | None:
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
        "date",
        r"(?<![\w/.–-])(?P<year>20\d\d)-(?P<month>0[1-9]|1[0-2])(?![\w–/-]|[.,:]\d)",
        _month,
    ),
    rule(
        "date",
        r"(?P<era>A\.?D\.?)\s(?P<year>\d{3,4})-(?P<month>0[1-9]|1[0-2])(?:-(?P<day>[0-3]\d))?(?![\w–/-])",
        _old_month,
    ),
)
