"""German days and hours: “am dritten Mai”, “neunzehn Uhr dreißig”. Years are in `years.py`."""

from __future__ import annotations

import re
from math import gcd

from audiomill.inputs.languages.de.declaration import ABBREVIATIONS
from audiomill.inputs.languages.de.language import GENDERS, cardinal, year
from audiomill.inputs.languages.de.ordinals import declined, ending_of, inflected
from audiomill.inputs.spoken.european import calendar, number_words
from audiomill.inputs.spoken.european.counting import SPACE, alternatives
from audiomill.inputs.spoken.rules import Context, dense_rule, rule

# As books before 1900 print them.
_OLD_MONTHS = {
    "Jenner": 1,
    "Merz": 3,
    "May": 5,
    "Junius": 6,
    "Julius": 7,
    "October": 10,
    "December": 12,
}
_SHORT_MONTHS = {
    "Jänner": 1,
    "Feber": 2,
    **dict.fromkeys(("Jan", "Jän", "Jänn", "Jenn"), 1),
    "Feb": 2,
    "Febr": 2,
    "Mrz": 3,
    "Apr": 4,
    "Jun": 6,
    "Jul": 7,
    "Aug": 8,
    "Sep": 9,
    **dict.fromkeys(("Sept", "Septbr", "Sptbr"), 9),
    **dict.fromkeys(("Okt", "Oct", "Oktbr", "Octbr"), 10),
    **dict.fromkeys(("Nov", "Novbr"), 11),
    **dict.fromkeys(("Dez", "Dec", "Dezbr", "Decbr"), 12),
}
_DAYS = {
    "Mo": "Montag",
    "Di": "Dienstag",
    "Mi": "Mittwoch",
    "Do": "Donnerstag",
    "Fr": "Freitag",
    "Sa": "Samstag",
    "So": "Sonntag",
}
_BEGIN_ENTRIES = frozenset(
    (*_DAYS.values(), "Sonnabend", "Vm", "Nm", "Vormittag", "Nachmittag", "früh")
)
_PARTS = frozenset((2, 3, 4, 5, 8))  # “7/8 Liter”
_FIRST_NAMES = frozenset(("Joh.", "Chr.", "Wilh.", "Karl", "Carl", "G.", "J.", "K.", "C.", "H."))
_SHORT_DAY = rf"(?:{'|'.join(_DAYS)})"
_DAY_BEFORE = re.compile(
    rf"\b(?:[Aa]m|[Bb]is|[Aa]b|[Vv]om|jeden|{_SHORT_DAY}\.?(?:\s?[–-]|,|\sund|\soder)|[Jj]eden)\s?\Z"
)
# “vom 24. November 1848 und 17. August 1849”
_CHAIN = 48
_CHAINED = re.compile(
    r"\b(?:[Vv]o[mn]|[Zz]wischen|[Aa]m|[Zz]um|[Dd]e[mn]|[Bb]eim|[Ss]eit|[Bb]is)[ ]\d\d?\."
    r"(?:\d\d?\.|[^.;:()]){0,32}(?:,|,?[ ](?:und|oder|bis(?:[ ]zum)?))[ ]\Z"
)
_VAGUE = re.compile(r"\b(?:Ende|Anfang|Mitte)[ ][A-Z][a-zä]+[ ](?:und|oder|bis)[ ]\Z")
_UNTIL = re.compile(r"(?:\A|[\n;/(][ ]?)\d\d?\.[ ](?:bis|und)[ ]\Z")
_LISTED = re.compile(r"\.[ ]\d{1,2}\.")  # “Vers. 4. 9. 25. 26.”
_MORE_ORDINALS = re.compile(r"[ ]\d{1,2}[ ]und[ ]\d")  # “der 5. 6. 7 und 8ten”
_WEEKDAY_BEFORE = re.compile(r"(?:tag|woch|abend|\b(?:Mo|Di|Mi|Do|Fr|Sa|So)\.?),[ ]\Z")
_BORN_OR_DIED = re.compile(r"(?:[(;,–][ ]?\*|†|\b(?:geb|gest)\.)[ ]?\Z")
_SATURDAY = re.compile(r"\b(?:Mo|Do|Fr|Sa)\.?(?:\s?[–-]|,|\sund)\s?\Z")
_DAY_AFTER = re.compile(
    rf"\s?(?:[–-]|,|und|bis|oder)\s?{_SHORT_DAY}\b|,?\s(?:\d{{1,2}}(?::|\.(?!(?:1[3-9]|[2-9]\d|00)(?!\d)))|den\s\d)|\s(?:Abend|Morgen)\b"
)


def _weekday(match: re.Match[str], context: Context) -> str | None:
    """“Freitag” for “Fr.” after “am” or beside another day; else it is a lady."""
    if match[0] == "So":  # “So, so!” is no Sunday
        near = context.text_before(match.start())
        return "Sonntag" if _SATURDAY.search(near) else None
    beside = _DAY_AFTER.match(context.text, match.end()) or _DAY_BEFORE.search(
        context.text_before(match.start())
    )
    if not beside and match[0] == "Fr." and context.word_before(match.start()) in _FIRST_NAMES:
        return "Friedrich"
    return _DAYS[match["day"]] if beside else None


def _time(match: re.Match[str], context: Context) -> str | None:
    if match["mark"] == "." and not match["unit"]:
        return None
    hour, minute = int(match["hour"]), int(match["minute"])
    said = f"{cardinal(hour, context.region, 'm')} Uhr"
    said = f"{said} {cardinal(minute, context.region)}" if minute else said
    if not int(match["second"] or 0):
        return said
    seconds = cardinal(int(match["second"]), context.region, "f")
    return f"{said} und {seconds} Sekunde{'' if seconds == 'eine' else 'n'}"


def _lasting(match: re.Match[str], context: Context) -> str:
    """“vier Minuten und zwanzig Sekunden” for “4:20 Minuten”."""
    units = ("Stunde", "Minute") if match["unit"][0] in "hS" else ("Minute", "Sekunde")
    counts = (int(match["whole"]), int(match["part"]))
    said = [
        f"{cardinal(count, context.region, 'f')} {unit}{'' if count == 1 else 'n'}"
        for count, unit in zip(counts, units, strict=True)
        if count or unit is units[0]
    ]
    return " und ".join(said)


def _months(region: str = "") -> tuple[str, ...]:
    return number_words.months("de", "AT" if region == "AT" else "")


def _month(printed: str, region: str) -> str:
    short = _OLD_MONTHS.get(printed) or _SHORT_MONTHS.get(printed)
    if short is None or printed in {"Jänner", "Feber"}:
        return printed
    return _months(region)[short - 1]


def _ending(match: re.Match[str], context: Context) -> str:
    """What follows “dritte” in a date: “am dritten Mai”, also after “*” and “†”."""
    if _BORN_OR_DIED.search(context.text_before(match.start())):
        return "n"
    if context.search_before(_VAGUE, match.start()):
        return "n"
    if context.search_before(_CHAINED, match.start(), _CHAIN):
        return "n"
    if context.search_before(_UNTIL, match.start()):
        return "r"  # “2. bis 30. April” at the beginning of a line
    if context.word_before(match.start()) == "der":
        return ""  # “Sonntag der 5. Mai”: a month is masculine
    return ending_of(context, match.start(), "m")


def _first_day(match: re.Match[str], context: Context) -> str:
    """The first of two days: “ersten bis”, “erster bis” without a preposition."""
    before = context.word_before(match.start()).lower()
    ending = "n" if before in {"von", "zwischen"} else _ending(match, context)
    return inflected(int(match["day"]), ending)


def _lived(match: re.Match[str], _: Context) -> str:
    """“geboren am”, “gestorben um”: the star and the cross before a day or a year."""
    said = "geboren" if match["sign"] in {"*", "geb."} else "gestorben"
    return f"{said} am " if match["day"] else f"{said} "


def _date(match: re.Match[str], context: Context) -> str:
    ending = _ending(match, context)
    month = match["month"] or match["short"]
    said = f"{inflected(int(match['day']), ending)} {_month(month, context.region)}"
    return f"{said} {year(int(match['year']), context.region)}" if match["year"] else said


def _numeric_date(match: re.Match[str], context: Context) -> str | None:
    parts = calendar.date_parts(match, context)
    if match["mark"] == "/" or _LISTED.match(context.text, match.end()):
        return None
    day, month, printed_year = parts
    ending = _ending(match, context)
    said = year(int(printed_year), context.region)
    return f"{inflected(day, ending)} {_months(context.region)[month - 1]} {said}"


def _stamp(match: re.Match[str], context: Context) -> str:
    """“elfter Mai zweitausendzwanzig, vierzehn Uhr acht”."""
    month = _months(context.region)[int(match["month"]) - 1]
    day = inflected(int(match["day"]), _ending(match, context))
    minute = f" {cardinal(int(match['minute']), context.region)}" if int(match["minute"]) else ""
    hour = cardinal(int(match["hour"]), context.region, "m")
    return f"{day} {month} {year(int(match['year']), context.region)}, {hour} Uhr{minute}"


def _short_date(match: re.Match[str], context: Context) -> str | None:
    if _MORE_ORDINALS.match(context.text, match.end()):
        return None
    padded = match["day"][0] == "0" and len(match["month"]) == 2
    dated = padded or _WEEKDAY_BEFORE.search(context.text[: match.start()][-14:])
    if declined(context, match.start()) != "n":
        if not dated:
            return None
        months = _months(context.region)
        return f"{inflected(int(match['day']), 'r')} {months[int(match['month']) - 1]}"
    return f"{inflected(int(match['day']), 'n')} {_months(context.region)[int(match['month']) - 1]}"


def _diary_day(match: re.Match[str], context: Context) -> str | None:
    day, month, following = int(match["day"]), int(match["month"]), match["next"]
    begins_entry = following.lower() in ABBREVIATIONS.starters or following in _BEGIN_ENTRIES
    is_part = day < month and gcd(day, month) == 1 and (month in _PARTS or following in GENDERS)
    if is_part and not begins_entry:
        return None
    return f"{inflected(day, 'r')} {_months(context.region)[month - 1]}"


FULL_MONTHS = "|".join(_months())
_LONG_MONTHS = alternatives((*_months(), *_OLD_MONTHS))
MONTHS = alternatives((*_months(), *_OLD_MONTHS, *_SHORT_MONTHS))
WEEKDAYS = (
    rule(
        "abbreviation",
        rf"(?P<first>{'|'.join(_DAYS)})\b\.?[ ]?[–-][ ]?(?P<last>{'|'.join(_DAYS)})\b\.?(?![\w-])",
        lambda match, _context: f"{_DAYS[match['first']]} bis {_DAYS[match['last']]}",
    ),
    rule("abbreviation", rf"(?P<day>{'|'.join(_DAYS)})\b\.?(?![\w-])", _weekday),
)
# “9-5 Uhr” goes on in the afternoon.
OPENING_HOURS = rule(
    "range",
    r"(?<![\w.,:/-])(?P<first>\d{1,2})[ ]?[-–][ ]?(?P<last>\d{1,2})(?=[ ]Uhr\b)",
    lambda match, context: (
        f"{cardinal(int(match['first']), context.region)} bis"
        f" {cardinal(int(match['last']), context.region, 'm' if match['last'] == '1' else '')}"
    ),
)
# “(* 12. Mai 1900 in Wien; † 1950)”
LIVED = rule(
    "sign",
    r"""(?P<sign>(?:(?<=[(;,–])|(?<=[(;,–][ ]))\*|†|(?:geb|gest)\.(?=[ ]\d\d?\.))[ ]?
    (?=(?P<day>[0-3]?\d\.[ ]?(?:[A-ZJ]|\d))|1\d{3}(?!\d)|um[ ]\d|vor[ ]\d|nach[ ]\d)""",
    _lived,
)
# “8h–12h”
HOURS = rule(
    "time",
    r"(?P<first>\d{1,2})[ ]?h[ ]?[-–][ ]?(?P<last>\d{1,2})[ ]?h(?!\w)",
    lambda match, context: (
        f"{cardinal(int(match['first']), context.region)} bis"
        f" {cardinal(int(match['last']), context.region, 'm')} Uhr"
    ),
)
# “um 14 h”, “von 8 h bis 12 h”; but “nach 14 h” can tell how long.
FULL_HOUR = rule(
    "time",
    r"""(?:(?<=\b[uU]m[ ])|(?<=\b[aA]b[ ])|(?<=\b[gG]egen[ ])|(?<=\b[kK]urz[ ]vor[ ])
    |(?<=\b[kK]urz[ ]nach[ ])|(?<=spätestens[ ])|(?<=\d[ ]h[ ]bis[ ])
    |(?=\d\d?[ ]?h[ ]bis[ ]\d\d?[ ]?h\b)(?<=\b[vV]on[ ]))
    (?P<hour>[01]?\d|2[0-4])[ \u00a0]?h(?!\w)
    (?![ ](?:[^\W\d_]+[ ])?(?:verl|verk|erh|reduz|vers|lang|läng))""",
    lambda match, context: f"{cardinal(int(match['hour']), context.region, 'm')} Uhr",
)
# “4:20 Minuten” and “1:15 Std.” are no hours of a day.
LASTING = rule(
    "time",
    r"""(?P<whole>\d{1,3}):(?P<part>[0-5]\d)[ \u00a0]
    (?P<unit>Minuten|Min\b\.?|Stunden|Std\b\.?)(?!\w)""",
    _lasting,
)
DATES = (
    # “von 1. bis 3. Mai”, as it is printed in Austria; “2. bis 30. April Aufenthalt”
    rule(
        "date",
        rf"""(?<![\d.])(?P<day>0?[1-9]|[12]\d|3[01])\.
        (?=[ ](?:bis[ ](?:zum[ ])?|und[ ])\d\d?\.[ ]?(?:{MONTHS})\b)""",
        _first_day,
    ),
    dense_rule(
        "date",
        rf"(?P<day>0?[1-9]|[12]\d|3[01])(?:\.{SPACE}?|{SPACE}(?=(?:{_LONG_MONTHS})\b"
        rf"|(?:{alternatives(_SHORT_MONTHS)})\.))"
        rf"(?:(?P<month>{_LONG_MONTHS})(?![^\W_])(?:\.(?={SPACE}\d))?"
        rf"|(?P<short>{alternatives(_SHORT_MONTHS)})(?![^\W_])"
        # Its full stop, but not one that ends the sentence, too.
        rf"(?:\.(?={SPACE}?\d|{SPACE}[(a-zäöü]|[,;:)]))?)"
        rf"(?:{SPACE}?(?<=[\s.])(?P<year>\d{{4}})(?![\d.,]\d))?(?!\d)",
        _date,
    ),
    dense_rule("date", calendar.STAMP, _stamp),
    dense_rule("date", rf"(?<![\d./-]){calendar.NUMERIC_DATE}", _numeric_date),
    rule(
        "date", r"(?P<day>0?[1-9]|[12]\d|3[01])\.[ ]?(?P<month>0?[1-9]|1[0-2])\.(?!\d)", _short_date
    ),
    # “vom 07.11 18:00 bis 09.11”, without the second full stop.
    rule(
        "date",
        r"""(?:(?<=\b[aA]m[ ])|(?<=\b[vV]om[ ])|(?<=\b[aA]b[ ])|(?<=\b[bB]is[ ])|(?<=\b[zZ]um[ ])
        |(?<=\b[dD]en[ ])|(?<=\b[dD]em[ ]))(?P<day>0[1-9]|[12]\d|3[01])\.(?P<month>0[1-9]|1[0-2])
        (?![\w/%€°]|[.,:-]\d|[ \u00a0](?:[%€°]|Uhr|h\b|Euro|Prozent|LTS))""",
        lambda match, context: (
            f"{inflected(int(match['day']), 'n')}"
            f" {_months(context.region)[int(match['month']) - 1]}"
        ),
    ),
    rule(
        "time",
        r"(?P<hour>[01]?\d|2[0-4])(?P<mark>[:.h])(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?(?!(?!h\b)\w|:|[.,]\d)(?P<unit>\s?Uhr\b|\s?h\b)?",
        _time,
    ),
)
# “4/1 Mittwoch”, “9/12 Vm.”, “28/9 Las Briefe”: a day of a diary; but “1/2 Zwiebel”.
DIARY_DAY = rule(
    "date",
    r"(?<![\s\S])(?P<day>[12]?\d|3[01])/(?P<month>1[0-2]|[1-9])(?=[ ](?P<next>[A-ZÄÖÜ]\w*|früh\b))",
    _diary_day,
)
