"""English durations: “1h 20m”, “13h. 3m. 26.15s.”, “timeout=30s”, “7d” beside “12h”."""

from __future__ import annotations

import re
from functools import lru_cache

from audiomill.inputs.languages.en.numbers import cardinal, digits
from audiomill.inputs.languages.en.quantities import number_of, say_amount
from audiomill.inputs.languages.en.times import clock, duration
from audiomill.inputs.spoken.rules import Context, Rule, rule

_BEFORE_CLOCK = frozenset(("at", "from", "to", "until", "till", "before", "since", "around"))
_CLOCK = re.compile(r"(?:[01]?\d|2[0-3])h[0-5]\d")

_SHORT_DURATION = re.compile(r"(?<![\w£.])\d{1,3}(?:ms|[hw])(?![\w.])")


@lru_cache(maxsize=16)
def has_durations(text: str) -> bool:
    """Whether a text has “2h” or “30ms”: beside these, “7d” is no sum of money.

    It is asked at each number of a text, which may be long.
    """
    return bool(_SHORT_DURATION.search(text))


def _lasting(match: re.Match[str], context: Context) -> str:
    """“1h 20m”, “1h20”, “20m 30s”; but “at 18h30” is a time of day."""
    if context.word_before(match.start()).lower() in _BEFORE_CLOCK and _CLOCK.fullmatch(match[0]):
        return clock(int(match["hours"]), int(match["minutes"]))
    hours, minutes, seconds = (
        number_of(text or "0")
        for text in (match["hours"], match["minutes"] or match["only"], match["seconds"])
    )
    parts = duration(hours, minutes, seconds)
    return parts.replace(",", "").replace(" and ", " ")


def _right_ascension(match: re.Match[str], _: Context) -> str:
    """“thirteen hours three minutes twenty-six point one five seconds”."""
    said = f"{_counted(match['hours'], 'hour')} {_counted(match['minutes'], 'minute')}"
    if match["part"]:
        return f"{said} {cardinal(int(match['seconds']))} point {digits(match['part'])} seconds"
    return f"{said} {_counted(match['seconds'], 'second')}" if match["seconds"] else said


def _counted(number: str, unit: str) -> str:
    return f"{cardinal(int(number))} {unit}{'' if int(number) == 1 else 's'}"


def _measured(match: re.Match[str], context: Context) -> str:
    """“zero minutes six point two seconds” for “0m6.2s”, as a program measures."""
    minutes = number_of(match["minutes"])
    said = f"{cardinal(minutes)} minute{'' if minutes == 1 else 's'} "
    return f"{said}{say_amount(match['seconds'], context.region)} seconds"


def _set(match: re.Match[str], _: Context) -> str:
    """“five minutes” for "5m", as settings and queries have it."""
    number = number_of(match["number"])
    unit = {"s": "second", "m": "minute", "h": "hour", "d": "day"}[match["unit"]]
    return f"{cardinal(number)} {unit}{'' if number == 1 else 's'}"


def _among_durations(match: re.Match[str], context: Context) -> str | None:
    """“seven days” for “7d” beside “12h”; alone it is sevenpence."""
    if not has_durations(context.text):
        return None
    number = number_of(match["number"])
    unit = {"d": "day", "w": "week"}[match["unit"]]
    return f"{cardinal(number)} {unit}{'' if number == 1 else 's'}"


RULES: tuple[Rule, ...] = (
    # “13h. 3m. 26.15s.”, as astronomers print it.
    rule(
        "duration",
        r"""(?<![\w:.,/-])(?P<hours>\d{1,2})\s?h\.,?\s(?P<minutes>\d{1,2})\s?m\b
        (?:\.?,?\s(?P<seconds>\d{1,2})(?:[.,](?P<part>\d{1,4}))?\s?s\b(?P<stop>\.(?=\s?[a-z,;)]))?|\.(?=\s[a-z]))?""",
        _right_ascension,
    ),
    rule(
        "duration",
        r"""(?<![\w:.,/-])(?:(?P<hours>\d{1,3})\s?h\s?(?P<minutes>[0-5]?\d)(?:\s?m(?:in)?(?=\s?\d{1,2}\s?s\b|\W|\Z))?
        |(?P<only>[0-5]?\d)\s?m(?=\s?[0-5]?\d\s?s))
        (?:\s?(?P<seconds>[0-5]?\d)\s?s)?(?![\w/])""",
        _lasting,
    ),
    rule(
        "duration",
        r"""(?:(?<=\btook\s)|(?<=\btakes\s)|(?<=\btimeout\s)|(?<=\btimeout\sof\s)|(?<=\bwaits\s)|(?<=\bwait\s)
        |(?=\d{1,3}m(?:\s(?:ago|later|timeouts?|intervals?)\b|,\s\d{1,3}[hsd]\b)))(?<![\w.,:])
        (?P<number>\d{1,3})(?P<unit>m)(?!\w)""",
        _set,
    ),
    rule(
        "duration",
        r"(?<![\w.,:£$])(?P<number>\d{1,3})(?P<unit>[dw])(?![\w’']|\.\w|\s\d)",
        _among_durations,
    ),
    # “timeout=30s”; but “length=5m” are meters.
    rule(
        "duration",
        r"""(?<=[\w\"']=)(?:(?<=[eylt\"']=)|(?!\d{1,5}m\b))(?P<number>\d{1,5})(?P<unit>s|m|h)(?!\w)""",
        _set,
    ),
    rule("duration", r"(?P<minutes>\d{1,3})m(?P<seconds>\d{1,2}\.\d{1,3})s(?!\w)", _measured),
    rule(
        "duration",
        r"(?<=[\"\[])(?P<number>\d{1,4})(?P<unit>[smhd])(?=[\"\]])",
        _set,
    ),
)
