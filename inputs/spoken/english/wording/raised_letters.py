"""Abbreviations with raised letters, as letters and books before 1800 have them: “y^e”, “M^r.”.

Typed editions print a raised letter after “^”. Only in a text that has such words; elsewhere
“^” is a power.
"""

from __future__ import annotations

import re
from functools import lru_cache

from audiomill.inputs.spoken.english.wording.tables import like
from audiomill.inputs.spoken.rules import Context, Rule, rule

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
_WORDS = {
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
    said = _WORDS.get(word.lower()) or (word if len(match["base"]) > 1 else None)
    return like(said, word) if said and _is_old(context.text) else None


_RAISED = r"(?P<base>[A-Za-z][a-z]{0,7})\^(?P<brace>\{)?(?P<raised>[a-z]{1,5})(?(brace)\})(?![\w}])"

RULES: tuple[Rule, ...] = (
    rule("title", rf"{_RAISED}(?:\.(?=\s[A-Z]))?", _title),
    rule("abbreviation", _RAISED, _word),
    # “m^{r}chant”
    rule(
        "abbreviation",
        r"(?P<base>[A-Za-z]{1,8})\^\{(?P<raised>[a-z]{1,5})\}(?P<rest>[a-z]{2,12})",
        _inside,
    ),
)
