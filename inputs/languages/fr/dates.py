"""French hours and months: “dix-sept heures trente”, “cinq heures dix-sept minutes”."""

from __future__ import annotations

import re

from audiomill.inputs.languages.fr.language import FRENCH, cardinal
from audiomill.inputs.spoken.european import calendar, counting
from audiomill.inputs.spoken.rules import Context, rule

_IN_A_YEAR = re.compile(
    r"\b(?:[eE]n|an|année|vers|depuis|de|janvier|février|mars|avril|mai|juin|juillet|août|septembre"
    r"|octobre|novembre|décembre)[ \u00a0]\Z"
)


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


def _hidden_year(match: re.Match[str], context: Context) -> str | None:
    """“mille huit cent soixante et quelques” for “186…”."""
    known = match["known"]
    digits = match[0][len(known) :]
    if len(known) == 2 and not (
        digits.startswith("*") or _IN_A_YEAR.search(context.text, 0, match.start())
    ):
        return None
    return f"{cardinal(int(known.ljust(4, '0')), context.region)} et quelques"


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
    hour_marks=rf"{counting.SPACE}?[hH]{counting.SPACE}?|:",
    time_words="heures|[hH]|min|mn",
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
# A year whose last digits an author hides: “mai 186…”, “en 18**”.
HIDDEN_YEAR = rule(
    "year",
    r"(?<![\w.,/–-])(?P<known>1[5-9]\d?)"
    r"(?:…|\.{2,4}|\.(?=,)|\*{1,2}|[–—-](?=[.,;:)»]|[ ][a-zà-ÿ]|\Z))"
    r"(?!\d|\s(?:à|et|ou)\s\d)",
    _hidden_year,
)
# “24 h/24”, “7j/7”
ALWAYS = rule(
    "time",
    r"""(?P<count>24|7)[ \u00a0]?(?P<unit>h|j|jours|heures)[ \u00a0]?(?:/|sur)[ \u00a0]?
    (?P<of>24|7)(?!\w)""",
    lambda match, context: (
        f"{cardinal(int(match['count']), context.region)}"
        f" {'heures' if match['unit'][0] == 'h' else 'jours'}"
        f" sur {cardinal(int(match['of']), context.region)}"
    ),
)
# “6 h. ½”
HALF_HOUR = rule(
    "time",
    r"(?P<hour>\d{1,2})[ \u00a0]?h(?:eures?|\.)?[ \u00a0]?(?:½|1/2)",
    lambda match, context: f"{_time(int(match['hour']), 0, context.region)} et demie",
)
