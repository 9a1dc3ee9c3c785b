"""English words for a month of a year in digits: “2026-05”, as ISO 8601 has it."""

from __future__ import annotations

import re

from audiomill.inputs.spoken.english.numbers.numbers import year
from audiomill.inputs.spoken.english.references.dates import MONTHS
from audiomill.inputs.spoken.rules import Context, Rule, rule


def _month(match: re.Match[str], context: Context) -> str | None:
    """“May twenty twenty-six”; but “2004-05” may be a season, and “2010-12” three years."""
    first, month = int(match["year"]), int(match["month"])
    if month > first % 100:
        return None
    return f"{MONTHS[month - 1]} {year(first, context.region)}"


RULES: tuple[Rule, ...] = (
    rule(
        "date",
        r"(?<![\w/.–-])(?P<year>20\d\d)-(?P<month>0[1-9]|1[0-2])(?![\w–/-]|[.,:]\d)",
        _month,
    ),
)
