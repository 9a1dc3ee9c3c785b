"""Degrees, minutes and seconds of an angle, feet and inches: “45° 30′ N”, “6'2"”, “5′10″”.

Style: The Chicago Manual of Style (17th ed.), 9.18 and 10.37. A height is said as “six foot two”.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache

from audiomill.inputs.languages.declaration import words
from audiomill.inputs.languages.en.amounts import STOP, amount
from audiomill.inputs.languages.en.places import SIDES
from audiomill.inputs.languages.en.unit_signs import describes
from audiomill.inputs.spoken.rules import Context, Rule, rule

# After these an amount counts; before another noun it is part of the noun.
_AFTER_MANY = words(
    """
    long wide high thick deep tall in of by x from apart and or to above below at on away off with
    for across between longer shorter wider taller more less than is was are were diameter
    """
)
_HEAT = re.compile(
    r"\b(?:oven|bak(?:e|ed|ing)|heat(?:ed)?|preheat|roast|temperature|degrees)\b", re.I
)
_LONG = re.compile(r"\s(?:long|wide|high|deep|tall|thick|across|apart)\b")
_LASTING = re.compile(
    r"\b(?:took|takes?|last(?:s|ed)?|for|after|within|every|bake|boil|simmer|cook)"
    r"(?:\s(?:about|another|only))?\s\Z"
)
_QUOTED = re.compile(r"(?<!\w)['‘]")
_NUMBER = r"\d{1,3}(?:\.\d{1,8})?[½¼¾]?"


def _counted(number: str, unit: str, region: str) -> str:
    said = amount(number, region)
    return f"{said.words} {unit}{'' if said.is_one else 's'}"


def _angle(match: re.Match[str], context: Context) -> str:
    """“forty-five degrees thirty minutes north”."""
    region = context.region
    parts = [_counted(match["degrees"], "degree", region)]
    if match["minutes"]:
        parts.append(_counted(match["minutes"], "minute", region))
    if match["seconds"]:
        parts.append(_counted(match["seconds"], "second", region))
    if match["point"]:
        parts.append(SIDES[match["point"]])
    minus = "minus " if match["minus"] else ""
    return minus + " ".join(parts)


def _decimal_degrees(match: re.Match[str], context: Context) -> str:
    """“59°.54”, as it was printed before 1900."""
    return _counted(f"{match['degrees']}.{match['part']}", "degree", context.region)


def _scaled(match: re.Match[str], context: Context) -> str | None:
    if not _HEAT.search(context.text):
        return None
    scale = {"C": "Celsius", "F": "Fahrenheit"}[match["scale"].upper()]
    return f"{amount(match['degrees'], context.region).words} degrees {scale}"


def _height(match: re.Match[str], context: Context) -> str:
    """“six foot two”."""
    feet = amount(match["feet"], context.region).words
    return f"{feet} foot {amount(match['inches'], context.region).words}"


def _room(match: re.Match[str], context: Context) -> str:
    """“10' x 12'” is “ten feet by twelve feet”."""
    sides = (amount(side, context.region) for side in re.findall(r"\d+", match[0]))
    return " by ".join(f"{side.words} {'foot' if side.is_one else 'feet'}" for side in sides)


def _of_arc(match: re.Match[str], context: Context) -> str:
    """“ten minutes” for “10′ of arc”, “of latitude”."""
    said = amount(match["number"], context.region)
    unit = "minute" if match["sign"] == "′" else "second"
    return f"{said.words} {unit}{'' if said.is_one else 's'}"


def _prime(match: re.Match[str], context: Context) -> str:
    """“6′” is six feet, “5″” five inches."""
    said = amount(match["number"], context.region)
    one, many = ("foot", "feet") if match["sign"] == "′" else ("inch", "inches")
    if describes(match, context):
        return f"{said.words}-{one}"
    return f"{said.words} {one if said.is_one else many}"


def _feet_or_minutes(match: re.Match[str], context: Context) -> str | None:
    """“twenty feet” for “20' high”, “twenty minutes” for “took 20'”."""
    near = context.text_before(match.start())
    if _LONG.match(context.text, match.end()):
        one, many = "foot", "feet"
    elif _LASTING.search(near) and not _QUOTED.search(near):
        one, many = "minute", "minutes"
    else:
        return None
    said = amount(match["number"], context.region)
    return f"{said.words} {one if said.is_one else many}"


def _strand_end(match: re.Match[str], context: Context) -> str:
    """“five prime”: an end of a strand of DNA or RNA."""
    return f"{amount(match['number'], context.region).words} prime"


def _quoted_inches(match: re.Match[str], context: Context) -> str | None:
    """“two-inch pieces” for “2" pieces”: where no quotation is open that the sign can close."""
    if bisect_left(_straight_marks(context.text), match.start()) % 2:
        return None
    said = amount(match["number"], context.region)
    after = context.word_after(match.end())
    if after and after not in _AFTER_MANY:
        return f"{said.words.removeprefix('a ')}-inch"
    return f"{said.words} inch{'' if said.is_one else 'es'}"


@lru_cache(maxsize=8)
def _straight_marks(text: str) -> tuple[int, ...]:
    """Where straight quotation marks open and close, in turn, without those of inches."""
    marks = list[int]()
    for match in re.finditer(r'"', text):
        at = match.start()
        if len(marks) % 2 or not text[max(0, at - 1) : at].isdigit():
            marks.append(at)
    return tuple(marks)


_MINUTES = rf"\s?(?P<minutes>{_NUMBER})\s?[′'’](?!\w*[a-z])"
_SECONDS = rf"(?:\s?(?P<seconds>{_NUMBER})\s?(?:[″\"”]|''|′′|’’))?"
_POINT = rf"(?:\s?(?P<point>[NSEW])(?![\w.]\w|\w){STOP})"
_BEFORE = r"(?<![\w.,])(?P<minus>[-−])?"

_STRAND = (
    r"[\s-](?:(?:and\s\d['′ʹ’]\s|to\s\d['′ʹ’]|-\s?OH|OH\b|UTR|cap\b|end|carbon|phosphate|hydroxyl"
    r"|exon|splic|untranslated|overhang|terminus|direction|poly))"
)

RULES: tuple[Rule, ...] = (
    rule(
        "angle",
        rf"{_BEFORE}(?P<degrees>{_NUMBER})(?:\s?[°º]|o(?=\s\d)){_MINUTES}{_SECONDS}{_POINT}?",
        _angle,
    ),
    rule(
        "angle",
        rf"{_BEFORE}(?P<degrees>{_NUMBER})\s?[°º](?P<minutes>)(?P<seconds>){_POINT}",
        _angle,
    ),
    rule(
        "angle",
        r"(?<![\w.,])(?P<degrees>\d{1,3})[°º]\.(?P<part>\d{1,4})(?![\w.]\w|\w)",
        _decimal_degrees,
    ),
    # “bake at 180C”: where the text is about heat.
    rule("angle", r"(?<![\w.,-])(?P<degrees>\d{2,3})(?P<scale>[CFcf])(?![\w-])", _scaled),
    rule(
        "height",
        r"""(?<![\w.,])(?P<feet>\d{1,2})\s?[′'’]\s?
        (?P<inches>(?:1[01]|\d)(?:\.\d|[½¼¾])?)\s?(?:[″"”]|''|′′|’’)(?!\w)""",
        _height,
    ),
    rule(
        "height", r"(?<![\w.,'’‘])(?P<feet>[4-7])['’](?P<inches>1[01]|\d)(?![\w'’]|[.,]\d)", _height
    ),
    rule(
        "prime",
        r"(?<![\w.,])\d{1,3}[′'’](?:\s?[x×]\s?\d{1,3}[′'’]){1,2}(?![\w'’])",
        _room,
    ),
    rule("prime", r"(?<![\w.,'’‘(-])(?P<number>\d{1,3})['’](?![\w'’])", _feet_or_minutes),
    rule(
        "prime",
        rf"(?<![\w.,])(?P<number>[1-5])['′ʹ’](?:(?<=[ACGTU]{{2}}-\d.)|(?=-[ACGTU]{{2}}|{_STRAND}))",
        _strand_end,
    ),
    rule(
        "angle",
        r"""(?<![\w.,])(?P<number>\d{1,2}(?:\.\d{1,4})?)(?P<sign>[′″])
        (?=\s(?:of\s(?:arc|latitude|longitude)|arc)\b)""",
        _of_arc,
    ),
    rule(
        "prime", r"(?<![\w.,])(?P<number>\d{1,4}(?:\.\d{1,4})?[½¼¾]?)(?P<sign>[′″])(?!\w)", _prime
    ),
    rule(
        "prime",
        r"""(?<![\w.,/$£€-])(?P<number>\d{1,3}(?:\.\d{1,4})?[½¼¾]?|[½¼¾⅓⅔⅛⅜⅝⅞])"(?=[\x20\u00a0](?:[a-z]{3}|x\s?\d|[(])|[)])""",
        _quoted_inches,
    ),
)
