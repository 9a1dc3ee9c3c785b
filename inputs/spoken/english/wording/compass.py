"""Points of the compass by their letters: “10 miles N. of the town”, “3 mi. NW”, “N.E. by E.”.

Letters are a direction after a distance, after what blows or points, and before “of” or “by” and
another point; elsewhere they are parts of addresses, initials, or labels.
"""

from __future__ import annotations

import re

from audiomill.inputs.spoken.rules import NEAR, Context, Rule, rule

_WORDS = {"N": "north", "S": "south", "E": "east", "W": "west"}
_POINTS = r"(?:[NS]\.?[NS]\.?[EW]|[EW]\.?[NS]\.?[EW]|[NS]\.?[EW]|[NSEW])"
_STOP = r"(?:\.(?!\s[A-Z][a-z]))?"  # a capital letter begins another sentence
_DISTANCE = re.compile(
    r"\d[\s\u00a0](?:miles?|mi|km|kilomet(?:er|re)s?|m|leagues?|yards?|yds?|feet|ft)\.?[\s\u00a0]\Z"
    r"|\b(?:miles|leagues|yards)\s\Z"
)
_BLOWING = re.compile(
    r"\b(?:[Ww]inds?|[Gg]ales?|[Bb]reezes?|[Ss]teered|[Ss]teering|[Cc]ourse|[Bb]earing)"
    r"(?:\s(?:is|was|from|at|the|to|still|now|about|due|of)){0,2}[\s,]\Z"
)
_TOWARDS = re.compile(r"\b(?:to|from|towards?|the|on|runs?|lies|between)\s\Z")
_IN_WORDS = re.compile(r"[a-z,]\s\Z")


def _spoken(letters: str) -> str:
    """“northwest” for NW, “north-northwest” for NNW."""
    names = [_WORDS[letter] for letter in letters if letter.isalpha()]
    return names[0] + "-" + "".join(names[1:]) if len(names) > 2 else "".join(names)


def _direction(match: re.Match[str], context: Context) -> str | None:
    near = context.text[max(0, match.start() - NEAR) : match.start()]
    is_of = context.text.startswith(" of ", match.end()) and (
        len(match["point"].replace(".", "")) > 1 or _IN_WORDS.search(near)
    )
    join = match["join"]
    is_pair = join == "by" or bool(join and _TOWARDS.search(near))
    if not (is_pair or is_of or _DISTANCE.search(near) or _BLOWING.search(near)):
        return None
    return _spoken(match["point"]) + (f" {join} {_spoken(match['second'])}" if join else "")


RULES: tuple[Rule, ...] = (
    rule(
        "abbreviation",
        rf"(?<![\w.])(?P<point>{_POINTS})(?![\w'’]){_STOP}"
        rf"(?:\s(?P<join>by|(?<=\.\s)(?:and|or|to))\s(?P<second>{_POINTS})(?![\w'’]){_STOP})?",
        _direction,
    ),
)
