"""English words for “<” and “>”: comparisons, steps of a menu, types in programs."""

from __future__ import annotations

import re

from audiomill.inputs.spoken.english.wording.tables import always
from audiomill.inputs.spoken.rules import NEAR, Context, Rule, rule

_TYPE = re.compile(r"\w\w<[\w<>&',.*| \[\]]+\Z")  # of a program: “Weak<Node>”
_OPERAND = re.compile(r"\s?(?:(?!(?:or|and|to)\b)[\w(−-]|\.\d)")
# Words after which a comparison needs no verb: “takes > 10 min”.
_BEFORE_MORE = frozenset(
    (
        *("is", "are", "was", "were", "takes", "took", "at", "with", "for", "by", "of", "in", "if"),
        *("has", "have"),
    )
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


# Before the rules of tags and placeholders, which may look like the type of a program.
TYPES: tuple[Rule, ...] = (
    # “Weak<Node>”, a type in a program.
    rule(
        "mark", r"<(?=(?:[A-Z][a-z]|[&']|[C-HJ-OQRTV-Z]>)[\w<>&',\ ]{0,60})(?<=\w\w<)", always(" ")
    ),
    rule("mark", r"<(?=[\w][\w&',.*| \[\]]{0,50}>)(?<=[a-z]\w<)", always(" ")),
)
RULES: tuple[Rule, ...] = (
    rule("comparison", r"(?P<sign>[<>])(?P<equal>=)?", _compare),
    rule("comparison", r"!=", always(" is not equal to ")),
)
