"""German years: “achtzehnhundertvierzig”, “die neunziger Jahre”, “achtzehnhundert und etwas”."""

from __future__ import annotations

import re

from audiomill.inputs.languages.de.declaration import ABBREVIATIONS
from audiomill.inputs.languages.de.language import CITIES, CURRENCIES, TELL_YEARS, cardinal, year
from audiomill.inputs.languages.declaration import words
from audiomill.inputs.spoken.european import calendar
from audiomill.inputs.spoken.european.counting import SPACE, alternatives
from audiomill.inputs.spoken.european.number_words import UNITS
from audiomill.inputs.spoken.rules import Context, dense_rule, rule

_CITY = re.compile(rf"(?:{CITIES}|Wien|Zürich|Basel|Bern|Graz|Prag|Paris|London|Rom)")
# “wurde 1782 Monopol”: what is counted would have “wurden”
_VERBS_OF_ONE = words("wurde ward starb erschien begann entstand trat kehrte ging kam reiste zog")
_PARTS_OF_YEAR = frozenset(("I", "II", "III", "S"))  # “Amtsblatt 1940 I S. 3”
# “1125 km”, “1500 fl.”; but “1848 s. unten”
_UNITS = alternatives(
    one for one in (*UNITS, *CURRENCIES) if one[0].isalpha() and (len(one) > 1 or one in {"m", "g"})
)


def _year(match: re.Match[str], context: Context) -> str | None:
    before = context.word_before(match.start())
    city = before.capitalize() if before.isupper() else before  # “HAMBURG 1910 GEBRÜDER”
    tells = before.lower() in TELL_YEARS or _CITY.fullmatch(city)  # “Berlin 1913 Erste Auflage”
    tells = tells or before in _VERBS_OF_ONE
    noun = context.word_after(match.end())
    tells = tells or noun in _PARTS_OF_YEAR or _is_entry(match, context)
    if noun[:1].isupper() and not tells and noun.lower() not in ABBREVIATIONS.starters:
        return None
    return year(int(match[0]), context.region)


def _is_entry(match: re.Match[str], context: Context) -> bool:
    """Whether a line of a chronicle begins with the year: “1352 Ludwig bestätigt es”."""
    line = context.text[: match.start()].rpartition("\n")[2]
    return not line.strip() and not match[0].endswith("00")


def _hidden_year(match: re.Match[str], context: Context) -> str | None:
    """“achtzehnhundertvierzig und etwas” for “184–”, “achtzehnhundert und etwas” for “18**”."""
    decade, hidden = match["decade"], match["hidden"].strip()
    tells = context.word_before(match.start()).lower() in TELL_YEARS
    if (len(decade) == 2 and hidden[0] != "*" and not (tells and hidden[0] in ".…")) or (
        hidden[0] in ".…" and not tells
    ):
        return None
    return f"{year(int(decade.ljust(4, '0')), context.region)} und etwas"


def _decade(match: re.Match[str], context: Context) -> str:
    return (
        f"{year(int(match['number']), context.region)}er{(match['ending'] or '').replace('-', ' ')}"
    )


# A year whose last digit an author hides: “im Mai 184–.”
HIDDEN_YEAR = rule(
    "year",
    r"(?<![\w.,/–-])(?P<decade>1[5-9]\d?)"
    r"""(?P<hidden>…|\.{2,4}|[ ]\.[ ]\.(?=[ ])|\*{1,2}
    |[–—-](?=[.,;:)«]|\s[a-zäöü]|\Z)(?!\s(?:bis|und|oder)\s\d))(?!\d)""",
    _hidden_year,
)
DECADE = rule("decade", r"['’]?(?P<number>\d{1,4})er(?P<ending>n|-Jahren?)?(?![^\W_])", _decade)
YEARS = (
    dense_rule(
        "year",
        calendar.SHORT_YEAR,
        lambda match, context: cardinal(int(match["digits"]), context.region),
    ),
    rule(
        "year",
        rf"""1[1-9]\d\d(?![\w%‰]|[.,/]\d|\s?[-–]\s?\d|[ ]?[€$£%°]
        |{SPACE}(?:{_UNITS})(?![^\W_]|\.[ ]?[A-ZÄÖÜ]\.))""",
        _year,
    ),
)
