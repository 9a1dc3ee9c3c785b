"""English telephone numbers: “oh two oh, …”, “one, eight hundred, Flowers”, “nine one one”.

Groups of digits are said with a comma between them, for a pause, and a zero is “oh”. Format: ITU-T
E.123.
"""

from __future__ import annotations

import re

from audiomill.inputs.languages.en.numbers import digits
from audiomill.inputs.spoken.rules import Context, Rule, rule

_CALL = re.compile(
    r"\b(?:call\w*|phones?|phoned|telephone|tel\.?|dial\w*|fax|mobile|cell|text|ring|rang|hotline|"
    r"number)\b[^.;!?]*\Z|\btel\.\s?\Z",
    re.IGNORECASE,
)
_DIALLED = re.compile(
    r"\b(?:call(?:s|ed|ing)?|phon(?:e|ed|ing)|dial(?:s|led|ling|ed|ing)?|ring|rang)\s\Z",
    re.IGNORECASE,
)
_EMERGENCY = frozenset(("call", "calls", "caller", "operator", "operators", "dispatcher"))


def _phone(match: re.Match[str], _: Context) -> str:
    groups = re.findall(r"\d+", match["number"])
    said = ", ".join("eight hundred" if one == "800" else digits(one, "oh") for one in groups)
    plus = "plus " if match["number"].startswith("+") else ""
    extension = f", extension {digits(match['ext'], 'oh')}" if match["ext"] else ""
    return f"{plus}{said}{extension}"


def _short_phone(match: re.Match[str], context: Context) -> str | None:
    """“555-1234”, and other numbers like it after a word that tells a telephone."""
    if match["number"].startswith("555") or context.search_before(_CALL, match.start()):
        return _phone(match, context)
    return None


def _spelled_phone(match: re.Match[str], _context: Context) -> str:
    """“1-800-FLOWERS”: the word is what people remember."""
    words = ", ".join(part.title() for part in match["word"].split("-"))
    first = "one, " if match["first"] else ""
    area = "eight hundred" if match["area"] == "800" else digits(match["area"], "oh")
    return f"{first}{area}, {words}"


def _emergency(match: re.Match[str], context: Context) -> str | None:
    """“nine one one”, after a word that tells a call."""
    called = context.word_after(match.end()).lower() in _EMERGENCY
    return (
        digits(match["number"])
        if called or context.search_before(_DIALLED, match.start())
        else None
    )


_EXTENSION = r"(?:,?\s(?:ext\.?|extension|x)\s?(?P<ext>\d{1,6}))?"
_END = r"(?!\w|[.,/-]\d)"
_START = r"(?<![\w.,/+-])"

RULES: tuple[Rule, ...] = (
    rule(
        "telephone",
        rf"""(?<![\w.,/-])(?P<number>(?:\+?1[\s.-])?\((?:[2-9]\d\d)\)\s?\d{{3}}[\s.-]\d{{4}}){_END}
        {_EXTENSION}""",
        _phone,
    ),
    rule(
        "telephone",
        rf"{_START}(?P<number>(?:1[\s.-])?[2-9]\d\d(?:(?P<sign>[.-])\d{{3}}(?P=sign)|\s\d{{3}}-)\d{{4}}){_END}{_EXTENSION}",
        _phone,
    ),
    rule(
        "telephone",
        rf"""(?<![\w+])(?P<number>\+\d{{1,3}}(?:[\s.-]\(?\d{{1,8}}\)?){{2,6}}|\+\d{{10,14}}
        |\(?0\d{{2,4}}\)?[\s-]\d{{3,4}}[\s-]\d{{3,4}}|\(?0\d{{3,4}}\)?[\s-]\d{{6}}){_END}{_EXTENSION}""",
        _phone,
    ),
    rule(
        "telephone",
        rf"{_START}(?P<first>1-)?(?P<area>8(?:00|88|77|66|55|44|33))-(?P<word>[A-Z]{{2,10}}(?:-[A-Z]{{2,10}}){{0,2}})(?![\w-])",
        _spelled_phone,
    ),
    rule("telephone", rf"{_START}(?P<number>911|999|112|000|411){_END}", _emergency),
    rule("telephone", rf"{_START}(?P<number>[2-9]\d\d-\d{{4}}){_END}{_EXTENSION}", _short_phone),
)
