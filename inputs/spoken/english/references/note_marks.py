"""Numbers of notes in English, which nobody says: “an end[1]”, “an end²”, “an end.3 But”."""

from __future__ import annotations

import re

from audiomill.inputs.languages.abbreviations import words
from audiomill.inputs.languages.en.declaration import ABBREVIATIONS
from audiomill.inputs.spoken.english.wording.tables import always
from audiomill.inputs.spoken.rules import Context, Rule, rule

_SQUARE = "(?:[kcdm]m|ft|yd|mi|in)[²³]"  # no number of a note
# Words before a full stop and a number that is theirs: “sec.4 The”, “Matt.5 And”.
_NUMBERED = words(
    """
    sect subsect part page verse note item line book case file node version table figure number
    question canto lecture plate act scene gen exod matt mark luke john rom cor gal eph phil col
    thess tim tit heb jas pet rev psal prov isa jer ezek dan hist epist lect schol theor obs exp
    exper tom cap lib tract ques dist min max temp dial eleg
    """
)
_WORD = re.compile(r"(?<![\w.])([^\W\d_]{3,24})[.!?,;:][”\"’]?\Z")


def _after_word(match: re.Match[str], _: Context) -> str:
    return match["word"]


def _after_stop(match: re.Match[str], context: Context) -> str | None:
    """Nothing for the number in “the end.12 Then”, which has no space before it."""
    found = _WORD.search(context.text, max(0, match.start() - 32), match.start())
    word = found[1].lower() if found else "sect"
    return None if word in _NUMBERED or _is_abbreviated(word) else ""


def _is_abbreviated(word: str) -> bool:
    of_text = ABBREVIATIONS
    return (
        word in of_text.always
        or word in of_text.before_number
        or word in of_text.never_end
        or word in of_text.number_follows
        or word.capitalize() in of_text.before_name
    )


RULES: tuple[Rule, ...] = (
    # “to offer,-104- it”: the number of a page, where it was typed into the text.
    rule(
        "note",
        r"(?:(?<=[a-z,.;:!?])|(?<=[a-z,.;:!?]\s))-\d{1,4}-(?=[\s.,;]|\Z)(?!\s(?:and|or|to)\b)",
        always(""),
    ),
    rule(
        "note",
        rf"(?!{_SQUARE})(?P<word>[^\W\d_]{{2,40}}?)[¹²³⁰⁴-⁹]{{1,3}}(?![^\W_])",
        _after_word,
    ),
    rule(
        "note", r"(?<=[^\s(]{2})\[(?:\d{1,3}(?:[,–-]\ ?\d{1,3}){0,4}|\d{1,4}:\d{1,2})\]", always("")
    ),
    rule(
        "note",
        r"(?:(?<=[a-z][.!?])|(?<=[a-z][.!?][”\"’]))\d{1,3}(?=\s+[\"“‘]?[A-Z]|\s*\Z)",
        _after_stop,
    ),
    rule(
        "note",
        r"(?:(?<=[a-z][,;:])|(?<=[a-z][,;:][”\"’]))\d{1,3}(?=\s+[\"“‘(]?[A-Za-z])",
        _after_stop,
    ),
)
