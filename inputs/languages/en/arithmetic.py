"""English signs of arithmetic: “minus three”, “five times”, “three by four”, “is less than”.

A rule here says the sign only, where it can: the rules of quantities and units say the numbers. “<”
and “>” are also steps of a menu, and types in programs.
"""

from __future__ import annotations

import re

from audiomill.inputs.languages.declaration import words
from audiomill.inputs.languages.en.numbers import cardinal
from audiomill.inputs.languages.en.quantities import AMOUNT, say_amount
from audiomill.inputs.spoken.rules import NEAR, Context, Rule, always, rule

_SAID = {
    "+": "plus",
    "±": "plus or minus",
    "~": "about",
    "∼": "about",
    "≈": "approximately",
    "-": "minus",
    "−": "minus",
    "–": "minus",
    "‑": "minus",
    "∓": "minus or plus",
}
# A product, not the sides of something: “3 × 4 = 12”, “3 × 10⁸”.
_PRODUCT = re.compile(r"\s?[x×]\s?[\d.,]+(?:(?:\s?[x×]\s?[\d.,]+){0,3}\s?=|[⁰¹²³⁴-⁹⁻^])")
# Who is “ten x” is not “ten times”.
_NOT_TIMES = words(
    """
    engineer engineers developer developers programmer programmers program return
    """
)


def _sign(match: re.Match[str], _context: Context) -> str:
    return f"{_SAID[match['sign']]} "


def _between(match: re.Match[str], context: Context) -> str:
    """“by” between the sides of something, “times” between the numbers of a product."""
    sides = f"{say_amount(match['first'], context.region)}"
    sign = "times" if _PRODUCT.match(context.text, match.end("first")) else "by"
    return f"{sides} {sign} "


def _times(match: re.Match[str], context: Context) -> str | None:
    if context.word_after(match.end()) in _NOT_TIMES:
        return f"{say_amount(match['amount'], context.region)} x"
    times = "time" if match["amount"] == "1" else "times"
    return f"{say_amount(match['amount'], context.region)} {times}"


def _times_range(match: re.Match[str], context: Context) -> str:
    """“three to fifty times” for “3x-50x” and “3-50x”."""
    first, last = (say_amount(match[one], context.region) for one in ("first", "amount"))
    return f"{first} to {last} times"


def _four_by_four(match: re.Match[str], _context: Context) -> str:
    first, second = (cardinal(int(number)) for number in re.findall(r"\d+", match[0]))
    return f"{first} by {second}"


_NUMBER = r"(?=\.?\d)"
_SIDE = rf"(?P<first>{AMOUNT})"


_TYPE = re.compile(r"\w\w<[\w<>&',.*| \[\]]+\Z")  # of a program: “Weak<Node>”
_OPERAND = re.compile(r"\s?(?:(?!(?:or|and|to)\b)[\w(−-]|\.\d)")
# Words after which a comparison needs no verb: “takes > 10 min”.
_BEFORE_MORE = words(
    """
    is are was were takes took at with for by of in if has have
    """
)
_MENU_BEFORE = re.compile(r"[A-Za-z)]{3}\s\Z")
_CHOICE = re.compile(r"\s([A-Za-z])[a-z]{2}")
_MENUS = re.compile(r"\b(?:[Pp]references|[Ss]ettings|[Oo]ptions|[Mm]enu)\b")
_OPERANDS = re.compile(r"[\w)²³'’%.]\s?\Z")


def _compare(match: re.Match[str], context: Context) -> str:
    """“<” between two values; elsewhere it is left over from a quotation or a tag."""
    text, start, end = context.text, match.start(), match.end()
    if match[0] == ">" and _TYPE.search(text, max(0, start - NEAR), start):
        return " "
    if match[0] == ">" and _is_menu(text, start, end):
        return " then "
    before = text[max(0, start - 3) : start]
    between = _OPERANDS.search(before) and _OPERAND.match(text, end)
    if not between:
        return _operator(match) if match["equal"] else " "
    if not match["equal"] and context.word_before(start) in _BEFORE_MORE:
        return f"{'less' if match['sign'] == '<' else 'more'} than "
    return f" is{_operator(match)}"


def _operator(match: re.Match[str]) -> str:
    than = "less" if match["sign"] == "<" else "greater"
    return f" {than} than {'or equal to ' if match['equal'] else ''}"


def _is_menu(text: str, start: int, end: int) -> bool:
    """Whether it leads from one choice to the next: “File > Open”, “preferences > security”."""
    if not _MENU_BEFORE.search(text, max(0, start - NEAR), start):
        return False
    choice = _CHOICE.match(text, end)
    in_menu = _MENUS.search(text, max(0, start - NEAR), start)
    return choice is not None and (choice[1].isupper() or in_menu is not None)


COMPARISONS: tuple[Rule, ...] = (
    rule("comparison", r"(?P<sign>[<>])(?P<equal>=)?", _compare),
    rule("comparison", r"!=", always(" is not equal to ")),
)

RULES: tuple[Rule, ...] = (
    # A telephone number with its country's code is not a sum: +44 20 …
    rule("sign", rf"(?<![\w.)])(?P<sign>\+)(?!\d{{1,3}}[\s(-]\(?\d)(?!\d{{8}}){_NUMBER}", _sign),
    rule("sign", r"(?<=\d)\+(?![\w+=(])(?!\s[\d(])", always(" plus")),
    # Between two values ≈ is a relation, which `symbols.py` says.
    rule("sign", rf"(?P<sign>[±∓~∼]|(?<!\b\w[ ])≈)\s?{_NUMBER}", _sign),
    rule("sign", rf"(?<![\w.)\]%])(?P<sign>−){_NUMBER}", _sign),
    rule("sign", rf"(?:(?<=[\s(\[“\"])|(?<![\s\S]))(?P<sign>[-‑]){_NUMBER}", _sign),
    rule(
        "sign", r"(?:(?<=[\s(])|(?<![\s\S]))(?P<sign>–)(?=\d{1,3}(?:\.\d+)?\s?(?:[°%]|deg))", _sign
    ),
    # A cell of a table: “–13.8”.
    rule("sign", r"(?<![\s\S])(?P<sign>–)(?=[$£€]?\d+(?:[.,]\d+)*\s?%?\Z)", _sign),
    rule(
        "dimensions",
        r"\dx\d(?![\w.,]{0,9}\d)(?=s\b|-|\b)(?!\s?(?:mm|cm|m|km|in|ft)\b)",
        _four_by_four,
    ),
    rule("dimensions", rf"{_SIDE}\s?[x×]\s?{_NUMBER}", _between),
    rule("dimensions", r"(?<=\d)\s?×\s?(?=\d)", always(" by ")),
    # 5x faster, 3×; but 3x + 2 is a sum with an unknown, and 2x4 a plank.
    rule("times", rf"(?P<amount>{AMOUNT})\s?×(?!\s?\d)(?!\w)", _times),
    rule(
        "times", rf"(?P<first>{AMOUNT})[x×]?\s?[-–]\s?(?P<amount>{AMOUNT})[x×](?!\w)", _times_range
    ),
    rule("times", rf"(?P<amount>{AMOUNT})x(?!\w)(?!\s?[+=−–*/^<>(-]\s?[\w(])", _times),
)
# Before the rules of tags and placeholders, which may look like the type of a program.
TYPES: tuple[Rule, ...] = (
    # “Weak<Node>”, a type in a program.
    rule(
        "mark", r"<(?=(?:[A-Z][a-z]|[&']|[C-HJ-OQRTV-Z]>)[\w<>&',\ ]{0,60})(?<=\w\w<)", always(" ")
    ),
    rule("mark", r"<(?=[\w][\w&',.*| \[\]]{0,50}>)(?<=[a-z]\w<)", always(" ")),
)
