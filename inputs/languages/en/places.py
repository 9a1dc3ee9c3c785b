"""Places in English: states and postal codes, points of the compass.

    IL 62704, SW1A 1AA          a state in full, and a code sign by sign
    10 miles N. of the town     a direction after a distance, after what blows or points, and before
                                “of” or “by” and another point; elsewhere a letter is a part of an
                                address, an initial, or a label

Sources: The Chicago Manual of Style (17th ed.), 10.27; USPS Publication 28, appendix B; BS 7666 for
the United Kingdom; Canada Post.
"""

from __future__ import annotations

import re

from audiomill.inputs.languages.en.codes import letters_and_digits
from audiomill.inputs.languages.en.numbers import digits
from audiomill.inputs.spoken.rules import Context, Rule, rule

STATES = {
    "Ala.": "Alabama",
    "Ariz.": "Arizona",
    "Ark.": "Arkansas",
    "Cal.": "California",
    "Calif.": "California",
    "Colo.": "Colorado",
    "Conn.": "Connecticut",
    "Del.": "Delaware",
    "Fla.": "Florida",
    "Ga.": "Georgia",
    "Ill.": "Illinois",
    "Ind.": "Indiana",
    "Kan.": "Kansas",
    "Kans.": "Kansas",
    "Ky.": "Kentucky",
    "La.": "Louisiana",
    "Mass.": "Massachusetts",
    "Md.": "Maryland",
    "Me.": "Maine",
    "Mich.": "Michigan",
    "Minn.": "Minnesota",
    "Miss.": "Mississippi",
    "Mo.": "Missouri",
    "Mont.": "Montana",
    "Neb.": "Nebraska",
    "Nev.": "Nevada",
    "Okla.": "Oklahoma",
    "Ont.": "Ontario",
    "Ore.": "Oregon",
    "Pa.": "Pennsylvania",
    "Penn.": "Pennsylvania",
    "Que.": "Quebec",
    "Tenn.": "Tennessee",
    "Tex.": "Texas",
    "Va.": "Virginia",
    "Vt.": "Vermont",
    "Wash.": "Washington",
    "Wis.": "Wisconsin",
    "Wyo.": "Wyoming",
    "N.C.": "North Carolina",
    "S.C.": "South Carolina",
    "N.D.": "North Dakota",
    "S.D.": "South Dakota",
    "N.H.": "New Hampshire",
    "N.J.": "New Jersey",
    "N.M.": "New Mexico",
    "N.Y.": "New York",
    "R.I.": "Rhode Island",
    "W.Va.": "West Virginia",
    "W. Va.": "West Virginia",
}
# Codes of the United States Postal Service. Source: USPS Publication 28, appendix B.
POSTAL = {
    "AL": "Alabama",
    "AK": "Alaska",
    "AZ": "Arizona",
    "AR": "Arkansas",
    "CA": "California",
    "CO": "Colorado",
    "CT": "Connecticut",
    "DE": "Delaware",
    "FL": "Florida",
    "GA": "Georgia",
    "ID": "Idaho",
    "IL": "Illinois",
    "IN": "Indiana",
    "IA": "Iowa",
    "KS": "Kansas",
    "KY": "Kentucky",
    "LA": "Louisiana",
    "MD": "Maryland",
    "MA": "Massachusetts",
    "MI": "Michigan",
    "MN": "Minnesota",
    "MS": "Mississippi",
    "MO": "Missouri",
    "MT": "Montana",
    "NE": "Nebraska",
    "NV": "Nevada",
    "NH": "New Hampshire",
    "NJ": "New Jersey",
    "NM": "New Mexico",
    "NY": "New York",
    "NC": "North Carolina",
    "ND": "North Dakota",
    "OR": "Oregon",
    "PA": "Pennsylvania",
    "RI": "Rhode Island",
    "SC": "South Carolina",
    "SD": "South Dakota",
    "TN": "Tennessee",
    "TX": "Texas",
    "UT": "Utah",
    "VT": "Vermont",
    "VA": "Virginia",
    "WA": "Washington",
    "WV": "West Virginia",
    "WI": "Wisconsin",
    "WY": "Wyoming",
    "DC": "D C",
    "HI": "Hawaii",
    "ME": "Maine",
    "OH": "Ohio",
    "OK": "Oklahoma",
    "PR": "Puerto Rico",
}
# Codes that stand for something else, too: without a ZIP code they are no states.
AMBIGUOUS = frozenset(("HI", "MD", "ME", "OH", "OK", "PR"))


_SHORT = {**STATES, "D.C.": "D C"}
_NAMES = sorted({name.rsplit(" ", 1)[-1] for name in POSTAL.values()})
_STATES = "|".join((*map(re.escape, _SHORT), *POSTAL, *_NAMES))


def _zip(match: re.Match[str], _: Context) -> str:
    """“Illinois six two seven oh four”."""
    state = match["state"]
    more = f", {digits(match['more'], 'oh')}" if match["more"] else ""
    return f"{_SHORT.get(state) or POSTAL.get(state, state)} {digits(match['zip'], 'oh')}{more}"


def _postcode(match: re.Match[str], _: Context) -> str:
    """“SW one A, one AA”."""
    return f"{letters_and_digits(match['first'])}, {letters_and_digits(match['second'])}"


POSTCODES: tuple[Rule, ...] = (
    rule(
        "postcode",
        rf"""(?P<state>{_STATES}),?\s(?P<zip>\d{{5}})(?:-(?P<more>\d{{4}}))?
        (?![\w-]|[.,]\d|\s(?:people|men|women|[a-z]{{3,}}s)\b)""",
        _zip,
    ),
    rule("postcode", r"(?P<first>[A-Z]{1,2}\d[A-Z\d]?)\s(?P<second>\d[A-Z]{2})(?!\w)", _postcode),
    rule("postcode", r"(?P<first>[A-Z]\d[A-Z])\s(?P<second>\d[A-Z]\d)(?!\w)", _postcode),
)


SIDES = {"N": "north", "S": "south", "E": "east", "W": "west"}
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
    names = [SIDES[letter] for letter in letters if letter.isalpha()]
    return names[0] + "-" + "".join(names[1:]) if len(names) > 2 else "".join(names)


def _direction(match: re.Match[str], context: Context) -> str | None:
    near = context.text_before(match.start())
    is_of = context.text.startswith(" of ", match.end()) and (
        len(match["point"].replace(".", "")) > 1 or _IN_WORDS.search(near)
    )
    join = match["join"]
    is_pair = join == "by" or bool(join and _TOWARDS.search(near))
    if not (is_pair or is_of or _DISTANCE.search(near) or _BLOWING.search(near)):
        return None
    return _spoken(match["point"]) + (f" {join} {_spoken(match['second'])}" if join else "")


COMPASS: tuple[Rule, ...] = (
    rule(
        "abbreviation",
        rf"(?<![\w.])(?P<point>{_POINTS})(?![\w'’]){_STOP}"
        rf"(?:\s(?P<join>by|(?<=\.\s)(?:and|or|to))\s(?P<second>{_POINTS})(?![\w'’]){_STOP})?",
        _direction,
    ),
)
