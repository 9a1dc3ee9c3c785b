"""Persons in German: who speaks in a play, saints, maiden names."""

from __future__ import annotations

import re

from audiomill.inputs.languages.de.ordinals import declined, inflected, value_of
from audiomill.inputs.languages.de.words import MEN_WHO_SPEAK, WOMEN_WHO_SPEAK
from audiomill.inputs.spoken.rules import Context, rule

# What is no saint: “Hl. Geist”; with the ending of the adjective.
_HOLY = {
    **dict.fromkeys(("Geist", "Vater", "Stuhl", "Abend"), "r"),
    **dict.fromkeys(("Land", "Grab", "Kreuz"), "s"),
    **dict.fromkeys(("Schrift", "Messe", "Nacht", "Jungfrau", "Familie", "Stadt"), ""),
}
_SPEAKERS = "|".join(sorted(MEN_WHO_SPEAK | WOMEN_WHO_SPEAK))


def _speaker(match: re.Match[str], _: Context) -> str | None:
    number = value_of(match["number"])
    feminine = match["noun"].capitalize() in WOMEN_WHO_SPEAK
    return inflected(number, "" if feminine else "r").capitalize() if number else None


def _holy(match: re.Match[str], context: Context) -> str:
    weak = declined(context, match.start())
    strong = _HOLY.get(context.word_after(match.end()))
    if strong is not None and not weak:
        return f"Heilige{strong}"
    return {"n": "Heiligen", "e": "Heilige"}.get(weak or "", "Sankt")


# Who speaks in a play: “II. JUNGFER.”, “1. Soldat (lacht).”
SPEAKER = rule(
    "ordinal",
    rf"""(?<![\s\S])(?P<number>\d{{1,2}}|[IVX]{{1,5}})\.
    (?=[ ](?P<noun>{_SPEAKERS})\.?(?:[ ]?\(|:|,|\Z))""",
    _speaker,
    re.IGNORECASE,
)
# “Frau Meier, geb. Schulz”: a maiden name; but “geb. Berlin 1820”.
MAIDEN_NAME = rule(
    "abbreviation",
    r"""geb\.(?<!war[ ]geb\.)(?<!ist[ ]geb\.)(?=[ ]
        (?:v\.|von\b|(?!(?:Am|In|Um)\b)[A-ZÄÖÜ][a-zäöüß]+(?:[).;:]|,(?![ ]\d)|[ ](?!\d)|\Z)))""",
    lambda _match, _context: "geborene",
)

HOLY = rule("abbreviation", r"[Hh]l\.(?=[ ][^\W\d_a-zäöü])", _holy)
