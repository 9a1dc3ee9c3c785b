"""French hours and months: “dix-sept heures trente”, “cinq heures dix-sept minutes”."""

from __future__ import annotations

import re

from audiomill.inputs.spoken.european import calendar, counting
from audiomill.inputs.spoken.european.french.language import FRENCH, cardinal
from audiomill.inputs.spoken.rules import Context, rule


def _time(hour: int, minute: int, region: str) -> str:
    hours = f"{cardinal(hour, region, 'f')} {'heures' if hour > 1 else 'heure'}"
    return f"{hours} {cardinal(minute, region, 'f')}" if minute else hours


def _lasting(match: re.Match[str], context: Context) -> str:
    """“cinq heures dix-sept minutes trente-quatre secondes” for “5 h. 17 m. 34 s.”."""
    parts = (("hours", "heure"), ("minutes", "minute"), ("seconds", "seconde"))
    counts = [(int(match[name]), noun) for name, noun in parts if match[name]]
    return " ".join(
        f"{cardinal(count, context.region, 'f')} {noun}{'s' if count > 1 else ''}"
        for count, noun in counts
    )


def _first(_printed: str, _region: str) -> str:
    return "premier"


CALENDAR = calendar.Calendar(
    language=FRENCH,
    short_months={
        "janv": 1,
        "févr": 2,
        "fév": 2,
        "avr": 4,
        "juil": 7,
        "sept": 9,
        "oct": 10,
        "nov": 11,
        "déc": 12,
    },
    of="",
    first=_first,
    hour_marks=rf"{counting.SPACE}?h{counting.SPACE}?|:",
    time_words="heures|h|min|mn",
    before_times=frozenset(),
    hours="",
    time=_time,
)
# “5 h. 17 m. 34 s.”
LASTING = rule(
    "time",
    r"""(?P<hours>\d{1,2})[ ]?h\.?[ ](?P<minutes>[0-5]?\d)[ ]?m(?:in)?\b\.?
    (?:[ ](?P<seconds>[0-5]?\d)[ ]?s\b)?""",
    _lasting,
)
