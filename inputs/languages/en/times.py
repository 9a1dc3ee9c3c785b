"""English times of day: “10:05”, “9 a.m.”, “at 9.20”, “0600 hours”, “UTC+2”; “2:03:15” may last.

Style: The Chicago Manual of Style (17th ed.), 9.37 to 9.40; New Hart's Rules, 11.3. The letters
of “a.m.” are said as “AM”, which every engine spells.
"""

from __future__ import annotations

import re

from audiomill.inputs.languages.declaration import words
from audiomill.inputs.languages.en.numbers import cardinal, digits
from audiomill.inputs.languages.en.unit_names import spelled_in
from audiomill.inputs.spoken.rules import Context, Rule, rule

_DASH = r"\s?(?:–|—|-|−)\s?"
_HALF = r"(?:\s?(?:[aApP]\.\s?[mM]\.|[aApP]\.?[mM]\b))"
_END = r"(?![\w/%]|[.,:]\d)"
_HOUR, _MINUTE = r"(?:[01]?\d|2[0-4])", r"[0-5]\d"
_NOT_TIMES = re.compile(
    r"\b(?:ratio|score[ds]?|odds|scale|aspect|margin|mix|split|chapter|verses?|"
    r"vol\.|won|lost|beat|drew|draw|tie|tied)\b[^.;]*\Z",
    re.IGNORECASE,
)
_LASTING = re.compile(
    r"\b(?:time of|time was|in|ran|runs|lasted|lasts|took|takes|clocked|record of|duration|for|"
    r"length|running time|finished|within|under|over|after|of|\[|at the)[\s:]*\Z|\[\Z",
    re.IGNORECASE,
)
_OPEN_ON = re.compile(
    r"\b(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6}|[Dd]aily|[Ww]eek(?:day|end)s)\.?[,:]?\s"
    r"(?:from\s)?\Z"
)
_PARTS = ("hour", "minute", "second")
# Words after a time with a full stop, as in “at 10.30 on Monday”.
_AFTER_TIME = words(
    """
    another my all both some everyone everybody everything nobody on in the and that when to he she
    they we it sharp this tomorrow every or for but with from until precisely as each there i last
    next yesterday train bus prompt till punctually
    """
)
# Words after “about 9.20” that make it a time and no quantity.
_AFTER_LOOSE_TIME = words(
    """
    when on that this the he she they we i tomorrow yesterday sharp
    """
)
_PART_OF_DAY = re.compile(
    r"\s(?:in\sthe\s(?:morning|afternoon|evening)|at\snight|on\s(?:an?\s)?(?:Mon|Tues|Wednes|Thurs|Fri"
    r"|Satur|Sun)day)\b"
)
# “from 10.30 to 11 p.m.”, “between 10.30 and noon”
_ONE_OF_TWO = re.compile(
    rf"\s(?:to|and|or|till|until)\s(?:{_HOUR}(?:[.:]{_MINUTE})?(?:{_HALF}|\so['’]clock\b)"
    r"|(?:noon|midnight)\b)"
)
# “They came about 9.20.”
_MOVED = re.compile(
    r"\b(?:came|arrived?s?|left|started?|began|departed|returned|sailed|met|woke)\s"
    r"(?:[a-z]+\s){0,2}(?:about|around|before|after)\s\Z"
)
_STRIKES = re.compile(r"\s(?:came|comes|struck|strikes|o['’]?\s?clock)\b")
# What else tells of times of day in a text, so that “about 5.30, and” is one.
_OTHER_TIME = re.compile(
    r"\b\d{1,2}(?:[.:]\d\d)?\s?[ap]\.?\s?m\b|\bo['’]clock|\b[Aa]t\s\d{1,2}\.[0-5]\d\b|\btrains?\b"
    r"|\bquarter\s(?:past|to)\b|\bhalf[- ]past\b|\b(?:morning|afternoon|evening|to-?night)\b",
    re.IGNORECASE,
)
_TIME_NEAR = 160
_TRAIN = re.compile(r"['’]s\b|\s(?:up|down|came|comes|goes|left|leaves|was|had|steam(?:ed|ing)?)\b")
_FROM_STATION = re.compile(r"\s(?:at|from|to|out)\s(?:the\s)?[A-Z]")
_CATCH = re.compile(
    r"\b(?:by|to|catch|caught|make|missed|miss|on|for|took|take|off)\sthe\s\Z", re.IGNORECASE
)
_ENDS = re.compile(r"[.,;:!?…”’\"—–)-]*(?:\s|\Z)")
_LOOSE = frozenset(("about", "by", "before", "after", "since", "from", "the", "past", "around"))
_IT_IS = frozenset(("it's", "it’s", "is", "was", "nearly", "almost"))
_NO_AMOUNT = frozenset(("train", "bus", "express", "boat", "ferry", "flight", "tram", "mail", "up"))
_AT = frozenset(("at", "by", "until", "till", "before", "after", "since", "from", "about", "the"))


def clock(hour: int, minute: int, half: str = "") -> str:
    """The words for a time of day; `half` is “AM”, “PM” or "".

    A full hour is “nine o'clock” up to twelve, and “eighteen hundred” after it.
    """
    if minute:
        said = f"{cardinal(hour)} {'oh ' if minute < 10 else ''}{cardinal(minute)}"
    elif half:
        said = cardinal(hour)
    elif hour == 0:
        return "midnight"
    else:
        said = f"{cardinal(hour)} " + ("hundred" if hour > 12 else "o'clock")
    return f"{said} {half}".rstrip()


def _half(text: str | None) -> str:
    """“AM” or “PM” for any way to print it."""
    return (text or "").replace(".", "").replace(" ", "").strip().upper()


def duration(hours: int, minutes: int, seconds: int) -> str:
    """“two hours, three minutes and fifteen seconds”, without the parts that are zero."""
    numbers = (hours, minutes, seconds)
    parts = [
        f"{cardinal(number)} {unit}{'' if number == 1 else 's'}"
        for number, unit in zip(numbers, _PARTS, strict=True)
        if number
    ]
    if len(parts) < 2:
        return parts[0] if parts else "zero seconds"
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def _side(match: re.Match[str], hour: str, minute: str, half: str) -> str:
    return clock(int(match[hour]), int(match[minute] or 0), half)


def _time(match: re.Match[str], context: Context) -> str | None:
    """“10:30”, “9:15 p.m.”, “10:00–11:30”, “12:00 noon”."""
    if context.search_before(_NOT_TIMES, match.start(), 80):
        return None
    named = match["named"]
    if named:
        return f"twelve {named}"
    half = _half(match["half"])
    if not match["hour2"]:
        return _side(match, "hour", "minute", half)
    first = _side(match, "hour", "minute", _half(match["half1"]) or (half and " ")).strip()
    return f"{first} to {_side(match, 'hour2', 'minute2', half)}"


def _hour(match: re.Match[str], context: Context) -> str | None:
    """“9 a.m.”, “7–9 pm”, “10.30 am”, and “5.5 p.m.” of old diaries, five minutes past."""
    verb = match["half"] == " am" and context.word_after(match.end()) == "I"
    if verb and context.word_before(match.start()).lower() not in _AT - {"the"}:
        return None
    half, half1 = _half(match["half"]), _half(match["half1"])
    last = clock(int(match["last"]), int(match["minute2"] or 0), half)
    if not match["first"]:
        return last
    first = clock(int(match["first"]), int(match["minute1"] or 0), half1 or " ")
    return f"{first.strip()} to {last}"


def _opening(match: re.Match[str], context: Context) -> str | None:
    """“nine to five” after a day: “Mon.–Fri. 9–5”, “daily 10–4”."""
    if not context.search_before(_OPEN_ON, match.start()):
        return None
    return f"{cardinal(int(match['first']))} to {cardinal(int(match['last']))}"


def _with_stop(match: re.Match[str], context: Context) -> str | None:
    """“at 10.30”, “about 9.20 when”, “the 8.15 train”: a full stop is usual in Britain."""
    if _is_other_time(match, context):
        return clock(int(match["hour"]), int(match["minute"]))
    following = context.word_after(match.end()).lower()
    ends = not following or not context.text[match.end() : match.end() + 1].isspace()
    earlier = context.word_before(match.start()).lower()
    if earlier in ("at", "until", "till"):
        tells = ends or following in _AFTER_TIME
    elif earlier in _LOOSE and int(match["minute"]) % 5 == 0:
        tells = following in (_NO_AMOUNT if earlier == "the" else _AFTER_LOOSE_TIME) or bool(
            _PART_OF_DAY.match(context.text, match.end())
            or (ends and context.search_before(_MOVED, match.start()))
        )
    else:
        tells = earlier in _IT_IS and bool(_PART_OF_DAY.match(context.text, match.end()))
    return clock(int(match["hour"]), int(match["minute"])) if tells else None


def _is_other_time(match: re.Match[str], context: Context) -> bool:
    """“when 10.15 came”, “the 9.15 up”, “about 5.30, and” in a text with other times."""
    text, start, end = context.text, match.start(), match.end()
    if _STRIKES.match(text, end) or _ONE_OF_TWO.match(text, end):
        return True
    earlier = context.word_before(start).lower()
    ends = not text[end : end + 1].isspace() and bool(_ENDS.match(text, end))
    if earlier == "the":
        catches = context.search_before(_CATCH, start) and (ends or _FROM_STATION.match(text, end))
        return bool(_TRAIN.match(text, end) or catches)
    follows_time_word = earlier in _LOOSE | _IT_IS | {"now", "between", "say", "when"}
    if (
        not follows_time_word
        or int(match["minute"]) % 5
        or not (ends or context.word_after(end) in ("or", "and"))
    ):
        return False
    near = text[max(0, start - _TIME_NEAR) : end + _TIME_NEAR]
    return bool(_OTHER_TIME.search(near))


def _with_seconds(match: re.Match[str], context: Context) -> str:
    """“18:45:30” of the clock, and “2:03:15” for a run or a film."""
    hour, minute, second = int(match["hour"]), int(match["minute"]), int(match["second"])
    half = _half(match["half"])
    lasts = context.search_before(_LASTING, match.start()) or match["hour"] == "00"
    if not half and (lasts or len(match["hour"]) == 1):
        return duration(hour, minute, second)
    said = clock(hour, minute, " ").strip() if minute else clock(hour, minute)
    seconds = f"and {cardinal(second)} second{'' if second == 1 else 's'}" if second else ""
    return f"{said} {seconds} {half}".strip().replace("  ", " ")


def _tenths(match: re.Match[str], _: Context) -> str:
    """“3:59.4”, a time of a race."""
    minute, second = int(match["minute"]), int(match["second"])
    oh = "oh " if second < 10 else ""
    return f"{cardinal(minute)} {oh}{cardinal(second)} point {digits(match['part'])}"


def _military(match: re.Match[str], context: Context) -> str | None:
    """“0600 hours”, but not “1500 hours of work”."""
    text = match["time"]
    earlier = context.word_before(match.start()).lower()
    if context.word_after(match.end()) == "of" or (text[0] != "0" and earlier not in _AT):
        return None
    hour, minute = int(text[:2]), int(text[2:])
    said = f"{'oh ' if 0 < hour < 10 else ''}{cardinal(hour)}"
    if not minute:
        return f"{said} hundred hours"
    return f"{said} {'oh ' if minute < 10 else ''}{cardinal(minute)} hours"


def _zone(match: re.Match[str], _: Context) -> str:
    sign = "plus" if match["sign"] == "+" else "minus"
    minutes = f" {cardinal(int(match['minutes']))}" if int(match["minutes"] or 0) else ""
    return f"{match['zone']} {sign} {cardinal(int(match['hours']))}{minutes}"


def _of_day(match: re.Match[str], _: Context) -> str:
    return clock(int(match["hour"]), int(match["minute"]))


def _pace(match: re.Match[str], context: Context) -> str:
    """“four thirty per mile”, as runners tell."""
    minute, second = int(match["minute"]), int(match["second"])
    said = clock(minute, second) if second else f"{cardinal(minute)} minutes"
    unit = "mile" if match["unit"] in ("mile", "mi") else "kilometer"
    return f"{said} per {spelled_in(unit, context.region)}"


RULES: tuple[Rule, ...] = (
    rule(
        "time",
        rf"(?<![\w:./])(?P<minute>\d{{1,2}}):(?P<second>{_MINUTE})\s?/\s?(?P<unit>mile|mi|km|k)(?!\w)",
        _pace,
    ),
    # “7.30 for 8pm”, of an invitation.
    rule(
        "time",
        rf"(?<![\w:./])(?P<hour>{_HOUR})\.(?P<minute>{_MINUTE})(?=\sfor\s\d{{1,2}}(?:\.\d\d)?\s?[ap]\.?m)",
        _of_day,
    ),
    rule(
        "time",
        rf"(?<![\w:./])(?P<hour>{_HOUR})-(?P<minute>{_MINUTE})(?=\s(?:train|express|mail|bus|boat)\b)",
        _of_day,
    ),
    rule(
        "zone",
        r"(?P<zone>UTC|GMT)\s?(?P<sign>[+−–-])\s?(?P<hours>\d{1,2})(?::?(?P<minutes>\d\d))?(?![\w:])",
        _zone,
    ),
    rule(
        "time",
        rf"""(?<![\w:./])(?P<hour>{_HOUR}):(?P<minute>{_MINUTE}):(?P<second>{_MINUTE}){_END}
        (?P<half>{_HALF})?""",
        _with_seconds,
    ),
    rule(
        "time",
        rf"(?<![\w:./])(?P<minute>\d{{1,2}}):(?P<second>{_MINUTE})\.(?P<part>\d{{1,3}})(?![\w:.])",
        _tenths,
    ),
    rule(
        "time",
        rf"""(?<![\w:./-])(?P<hour>{_HOUR}):(?P<minute>{_MINUTE})(?!\d|:\d|[.,]\d)
        (?:(?P<half1>{_HALF})?{_DASH}(?P<hour2>{_HOUR}):(?P<minute2>{_MINUTE})(?!\d|:\d))?
        (?:(?P<half>{_HALF})|\s(?P<named>(?<=12:00\s)(?:noon|midnight))|h\b)?(?![\w/%])""",
        _time,
    ),
    rule(
        "time",
        rf"""(?<![\w:./])(?<!(?<!-)-)(?:(?P<first>{_HOUR})(?:[.:](?P<minute1>{_MINUTE}))?(?P<half1>{_HALF})?
        {_DASH})?(?P<last>{_HOUR})(?:[.:](?P<minute2>{_MINUTE}|[1-9](?!\d)))?(?P<half>{_HALF})(?!\w)""",
        _hour,
    ),
    rule(
        "time",
        rf"(?<![\w:./-])(?P<first>{_HOUR}){_DASH}(?P<last>{_HOUR})(?![\w/%–-]|[.,:]\d)",
        _opening,
    ),
    rule(
        "time",
        rf"(?<![\w:./])(?<!(?<!-)-)(?P<hour>{_HOUR})\.(?P<minute>{_MINUTE}){_END}",
        _with_stop,
    ),
    rule(
        "time",
        r"(?<![\w:.,/-])(?P<time>(?:[01]\d|2[0-3])[0-5]\d)\s?(?:hours|hrs?\.?|h)(?!\w)",
        _military,
    ),
)
