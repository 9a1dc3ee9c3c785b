"""English cups and spoons: “2 c. flour”, “1/4 t salt”, “1 T. sugar”."""

from __future__ import annotations

import re

from audiomill.inputs.languages.en.amounts import ALONE, NUMBER, SIGN, amount_or_range, part_of
from audiomill.inputs.spoken.rules import Context, Rule, rule

_KITCHEN = {"c": "cup", "C": "cup", "t": "teaspoon", "T": "tablespoon"}
_NOT_COOKED = frozenset(("a", "an", "apiece", "each", "per", "stamp", "stamps", "piece", "coin"))
_MAX_CUPS = 20


def _is_sum(number: str) -> bool:
    """Whether there are too many for cups: cents."""
    digits = re.match(r"\d+", number)
    return bool(digits) and int(digits[0]) > _MAX_CUPS


def _is_ingredient(match: re.Match[str], context: Context) -> bool:
    """Whether it begins a line of a list, or has a fraction: “1/4 t salt”."""
    if match["unit"] == "C":
        return False  # “4 C notes”
    begins = re.fullmatch(r"[\s*•–-]*", context.text_before(match.start()))
    return bool(begins or re.search(r"[/¼-¾⅐-⅞]", match["number"]))


def _cooking(match: re.Match[str], context: Context) -> str | None:
    """“two cups” for “2 c. flour”; “50 c. stamps” cost cents, “5 t. of coal” are tons."""
    if not match[0].endswith(".") and not _is_ingredient(match, context):
        return None
    following = context.word_after(match.end())
    heap = following == "of" and match["unit"] in "tT"
    if heap or following in _NOT_COOKED or _is_sum(match["number"]):
        return None
    count = amount_or_range(match, context.region)
    name = _KITCHEN[match["unit"]]
    if count.is_fraction:
        return part_of(count.words, name)
    return f"{count.words} {name}{'' if count.is_one else 's'}"


def _weighed(match: re.Match[str], context: Context) -> str | None:
    """“every pound” for “every lb.”, which has no number."""
    if context.word_before(match.start()).lower() not in _BEFORE_WEIGHT:
        return None
    return {"lb": "pound", "oz": "ounce"}[match["unit"]]


_BEFORE_WEIGHT = frozenset(("every", "each", "per", "the", "a", "an", "another"))

RULES: tuple[Rule, ...] = (
    rule(
        "unit",
        rf"""{ALONE}(?P<number>{NUMBER})(?:{SIGN}(?P<last>{NUMBER}))?(?P<scale>)\s?(?P<unit>[cCtT])
        (?:\.(?=\s[a-z(])|(?=\s[A-Za-z]{{2}}))""",
        _cooking,
    ),
    rule("unit", r"(?P<unit>lb|oz)\.(?!\w)", _weighed),
)
