"""Reads the dates of listings and letters: those of RFC 3339 and ISO 8601, and those of mail.

Sources: RFC 3339; W3C Note “Date and Time Formats”; RFC 5322, 3.3.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone
from email.utils import parsedate_tz

_YEAR_OR_MONTH = re.compile(r"\d{4}(?:-\d{2})?")
_LONGEST = 80  # characters
# What programs write for a date that they do not know.
_NO_DATES = frozenset((datetime(1, 1, 1, tzinfo=UTC), datetime(1970, 1, 1, tzinfo=UTC)))


def utc_of(text: str) -> datetime | None:
    """The moment that a date names, in UTC; None if it names none.

    A date without a zone is taken as UTC, one without a time as midnight.
    """
    text = text.strip()
    if not 4 <= len(text) <= _LONGEST:
        return None
    try:
        found = _iso(text) or _of_mail(text)
        moment = found and found.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return None if moment in _NO_DATES else moment


def _iso(text: str) -> datetime | None:
    if _YEAR_OR_MONTH.fullmatch(text):
        text += "-01-01"[len(text) - 4 :]
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _of_mail(text: str) -> datetime | None:
    """Raises ValueError for a date that no calendar has."""
    parts = parsedate_tz(text)
    if parts is None:
        return None
    zone = timezone(timedelta(seconds=parts[9] or 0))
    return datetime(*parts[:6], tzinfo=zone)
