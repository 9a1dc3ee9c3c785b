"""Laws and courts: “5 & 6 Geo. V, c. 12”, “13 Car. II”, “136 S. Ct. 1823”.

Source: The Bluebook (21st ed.), tables T1 and T2, for the names of reporters and statutes.
"""

from __future__ import annotations

import re

from audiomill.inputs.languages.en.numbers import cardinal, ordinal
from audiomill.inputs.spoken.roman import roman_value
from audiomill.inputs.spoken.rules import Context, Rule, always, any_of, rule

_MONARCHS = {
    **dict.fromkeys(("Geo", "George"), "George"),
    **dict.fromkeys(("Vict", "Vic"), "Victoria"),
    **dict.fromkeys(("Will", "Wm", "Gul", "W"), "William"),
    **dict.fromkeys(("Eliz",), "Elizabeth"),
    **dict.fromkeys(("Edw", "Ed"), "Edward"),
    **dict.fromkeys(("Hen", "Henry"), "Henry"),
    **dict.fromkeys(("Car", "Chas"), "Charles"),
    **dict.fromkeys(("Jac", "Jas"), "James"),
    **dict.fromkeys(("Ric", "Rich"), "Richard"),
    **dict.fromkeys(("Ann", "Anne"), "Anne"),
    **dict.fromkeys(("Phil", "Ph"), "Philip"),
    **dict.fromkeys(
        ("W. and M", "W. & M", "Wm. and M", "Will. and M", "Will. and Mary", "Wm. and Mary"),
        "William and Mary",
    ),
}


def _statute(match: re.Match[str], context: Context) -> str | None:
    """“five and six George the Fifth, chapter twelve”: a British law by the years of a reign."""
    region = context.region
    number = roman_value(match["roman"] or "") or int(match["number"] or 0)
    if match["monarch"] == "W" and not number:
        return None  # watts
    monarch = _MONARCHS[match["monarch"]] + (f" the {ordinal(number).title()}" if number else "")
    years = " and ".join(cardinal(int(one), region) for one in re.findall(r"\d+", match["years"]))
    session = f", session {cardinal(int(match['session']), region)}" if match["session"] else ""
    return f"{years} {monarch}{session}, chapter {cardinal(int(match['chapter']), region)}"


def _regnal_year(match: re.Match[str], context: Context) -> str | None:
    """“thirteen Charles the Second”, for “13 Car. II.”."""
    number = roman_value(match["roman"])
    if not number or match["monarch"] == "W":
        return None
    years = " and ".join(
        cardinal(int(one), context.region) for one in re.findall(r"\d+", match["years"])
    )
    return f"{years} {_MONARCHS[match['monarch']]} the {ordinal(number).title()}"


_ANY_MONARCH = any_of(_MONARCHS)
_YEARS = r"(?<![\w.,])(?P<years>\d{1,2}(?:\s?(?:&|and|[–-])\s?\d{1,2})?)"

RULES: tuple[Rule, ...] = (
    rule(
        "statute",
        rf"""{_YEARS}\s
        (?P<monarch>{_ANY_MONARCH})\.?
        (?:\s(?:(?P<roman>[IVX]{{1,4}})|(?P<number>\d))(?![\w])\.?)?
        ,?(?:\s(?:sess|st)\.?\s(?P<session>\d),?)?\s(?:c|ch|cap|chap)\.?\s(?P<chapter>\d{{1,3}})(?!\w)""",
        _statute,
    ),
    rule(
        "reference", r"Pub\.[ \u00a0]?L\.(?=[ \u00a0](?:Nos?\.[ \u00a0])?\d)", always("Public Law")
    ),
    rule("reference", r"S\.[ \u00a0]?Ct\.(?=[ \u00a0]\d)", always("Supreme Court")),
    rule(
        "statute",
        rf"{_YEARS}\s(?P<monarch>{_ANY_MONARCH})\.\s(?P<roman>[IVX]{{1,4}})(?!\w)",
        _regnal_year,
    ),
)
