"""The date of a publication as its language writes it, so that the spoken form can say it."""

from __future__ import annotations

import re
from datetime import date

_ISO = re.compile(r"(?P<year>\d{4})(?:-(?P<month>\d\d)(?:-(?P<day>\d\d))?)?(?![\d-])")


def written_date(iso_date: str, language: str) -> str:
    """“March 2, 2026” of “2026-03-02”, “March 2026” of “2026-03”; a year alone, or "", stays.

    A language that is not known writes English dates. The forms are those of Unicode's CLDR.
    """
    from babel import Locale, UnknownLocaleError  # which takes a while to import
    from babel.dates import format_date, format_skeleton

    written = _ISO.match(iso_date.strip())
    if written is None:
        return ""
    if not written["month"]:
        return written["year"]
    try:
        day = date(int(written["year"]), int(written["month"]), int(written["day"] or 1))
    except ValueError:  # there is no such day
        return ""
    try:
        locale = Locale.parse(language, sep="-")
    except (UnknownLocaleError, ValueError):
        locale = Locale("en")
    if written["day"]:
        return format_date(day, "long", locale=locale)
    return format_skeleton("yMMMM", day, locale=locale)
