"""The tags of everything in an English text that is no word: marks, signs and numbers. Pure.

misaki knows a mark by its tag, not by its looks: quotes must be told to open or to close, and an
apostrophe must not be taken for one.
"""

from __future__ import annotations

from collections.abc import Sequence

_OPENING, _STRAIGHT, _APOSTROPHES = "“‘", "\"'", "'’"
_QUOTES = frozenset("\"“”'‘’")
_MONEY = frozenset("$£€")
# Words that begin with an apostrophe in place of letters: 'tis, 'em, '90s.
_CUT_SHORT = frozenset(
    {"tis", "twas", "twere", "twill", "em", "cause", "til", "till", "bout", "neath", "n", "cos"}
)
# By the first character, as all of a mark's characters are alike or a face.
_SIGNS = {
    **dict.fromkeys("([{", "-LRB-"),
    **dict.fromkeys(")]}", "-RRB-"),
    **dict.fromkeys(".!?", "."),
    **dict.fromkeys(":;…—–-", ":"),
    **dict.fromkeys(_QUOTES, "''"),
    **dict.fromkeys("*_", "NFP"),
    ",": ",",
    "&": "CC",
    "@": "IN",
    "%": "NN",
}


def tag_marks(words: Sequence[str], spaces: Sequence[bool]) -> list[str]:
    """A tag for each word that is a mark, a sign or a number; "" for all others.

    `spaces` says whether white space follows the word.
    """
    open_quotes: list[str] = []
    tags: list[str] = []
    for at, word in enumerate(words):
        before = at == 0 or spaces[at - 1] or tags[at - 1] in {"``", "-LRB-", ":"}
        after = spaces[at] or at + 1 == len(words)
        if word in _QUOTES:
            opens = before and not after
            tags.append(_quote(words, at, open_quotes, opens=opens))
        else:
            tags.append(_mark(words, at, is_apart=before and after))
    return tags


def _quote(words: Sequence[str], at: int, open_quotes: list[str], *, opens: bool) -> str:
    """An opening or closing quote, or POS for an apostrophe; keeps `open_quotes` up to date."""
    quote = words[at]
    if quote in _APOSTROPHES and opens and _is_cut_short(words[at + 1].lower()):
        return "POS"
    if quote in _OPENING or (quote in _STRAIGHT and opens):
        open_quotes.append(quote)
        return "``"
    if quote in _APOSTROPHES and not _closes(words, at, open_quotes):
        return "POS"
    if open_quotes:
        open_quotes.pop()
    return "''"


def _is_cut_short(word: str) -> bool:
    return word in _CUT_SHORT or word[:1].isdigit()


def _closes(words: Sequence[str], at: int, open_quotes: Sequence[str]) -> bool:
    """Whether an apostrophe ends a quotation; that of “the dogs’ day” does not."""
    if not open_quotes or open_quotes[-1] not in "'‘":
        return False
    owns = at > 0 and words[at - 1].lower().endswith("s") and words[at + 1 : at + 2] != []
    later = any(word in _APOSTROPHES for word in words[at + 1 :])
    return not (owns and later and words[at + 1][:1].islower())


def _mark(words: Sequence[str], at: int, *, is_apart: bool) -> str:
    word = words[at]
    if word[-1] in _MONEY:
        return "$" if _is_amount(words[at + 1 : at + 2]) else "NN"
    if any(map(str.isdigit, word)) and not word[0].isalpha():
        return "CD"
    if any(map(str.isalnum, word)):
        return ""
    if word == "-":
        return ":" if is_apart else "HYPH"
    if word.startswith(".."):
        return ":"
    return _SIGNS.get(word[0], "SYM")


def _is_amount(following: Sequence[str]) -> bool:
    return bool(following) and following[0].lstrip(".-")[:1].isdigit()
