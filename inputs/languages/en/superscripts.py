"""What English prints raised: letters of old abbreviations, and numbers of notes.

y^e, M^r.                            the, Mister; only in a text that has such words, as typed
                                     editions of books before 1800; elsewhere “^” is a power
an end[1], an end², an end.3 But     nobody says the number
"""

from __future__ import annotations

import re
from functools import lru_cache

from audiomill.inputs.languages.declaration import words
from audiomill.inputs.languages.en.declaration import ABBREVIATIONS
from audiomill.inputs.languages.en.letters import like
from audiomill.inputs.spoken.rules import Context, Rule, always, rule

_TITLES = {
    "mr": "Mister",
    "mrs": "Missus",
    "dr": "Doctor",
    "st": "Saint",
    "sr": "Sir",
    "capt": "Captain",
    "col": "Colonel",
    "genl": "General",
    "lieut": "Lieutenant",
    "gov": "Governor",
    "govr": "Governor",
}
_OLD_WORDS = {
    "ye": "the",
    "yt": "that",
    "ym": "them",
    "yn": "then",
    "yr": "your",
    "yu": "thou",
    "ys": "this",
    "or": "our",
    "wt": "what",
    "wch": "which",
    "wth": "with",
    "wn": "when",
    "sd": "said",
    "ld": "Lord",
    "worp": "worship",
    "worpp": "worship",
    "septembr": "September",
    "octobr": "October",
    "novembr": "November",
    "decembr": "December",
    "revd": "Reverend",
    "esqr": "Esquire",
    "honbl": "honorable",
    "honble": "honorable",
    "matie": "majesty",
    "maty": "majesty",
    "majtie": "majesty",
    "majty": "majesty",
    "wm": "William",
    "jno": "John",
    "thos": "Thomas",
    "richd": "Richard",
    "robt": "Robert",
    "edwd": "Edward",
    "saml": "Samuel",
    "jas": "James",
    "geo": "George",
    "benj": "Benjamin",
    "chas": "Charles",
}
_OLD = re.compile(
    r"(?<!\w)(?:[Yy]\^\{?[etr]\b|[MSD]\^\{?rs?\b|[Ww]\^\{?(?:ch|th)\b|[Gg]ov\^\{?r\b)"
)


@lru_cache(maxsize=8)
def _is_old(text: str) -> bool:
    return _OLD.search(text) is not None


def _title(match: re.Match[str], context: Context) -> str | None:
    said = _TITLES.get((match["base"] + match["raised"]).lower())
    return said if said and _is_old(context.text) else None


def _inside(match: re.Match[str], context: Context) -> str | None:
    word = match["base"] + match["raised"] + match["rest"]
    return word if _is_old(context.text) else None


def _word(match: re.Match[str], context: Context) -> str | None:
    word = match["base"] + match["raised"]
    said = _OLD_WORDS.get(word.lower()) or (word if len(match["base"]) > 1 else None)
    return like(said, word) if said and _is_old(context.text) else None


_RAISED = r"(?P<base>[A-Za-z][a-z]{0,7})\^(?P<brace>\{)?(?P<raised>[a-z]{1,5})(?(brace)\})(?![\w}])"

RAISED_LETTERS: tuple[Rule, ...] = (
    rule("title", rf"{_RAISED}(?:\.(?=\s[A-Z]))?", _title),
    rule("abbreviation", _RAISED, _word),
    # “m^{r}chant”
    rule(
        "abbreviation",
        r"(?P<base>[A-Za-z]{1,8})\^\{(?P<raised>[a-z]{1,5})\}(?P<rest>[a-z]{2,12})",
        _inside,
    ),
)


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
    found = context.search_before(_WORD, match.start(), 32)
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


NOTES: tuple[Rule, ...] = (
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
