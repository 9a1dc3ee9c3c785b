"""Postal codes: “IL 62704”, “SW1A 1AA”, “K1A 0B1”, with the state of an American one in full.

Formats: USPS Publication 28, appendix B; BS 7666 for the United Kingdom; Canada Post.
"""

from __future__ import annotations

import re

from audiomill.inputs.spoken.english.numbers.numbers import digits
from audiomill.inputs.spoken.english.references.codes import letters_and_digits
from audiomill.inputs.spoken.english.references.states import POSTAL, STATES
from audiomill.inputs.spoken.rules import Context, Rule, rule

_SHORT = {**STATES, "D.C.": "D C"}
_NAMES = sorted({name.rsplit(" ", 1)[-1] for name in POSTAL.values()})
_STATES = "|".join((*map(re.escape, _SHORT), *POSTAL, *_NAMES))


def _zip(match: re.Match[str], context: Context) -> str:  # noqa: ARG001
    """“Illinois six two seven oh four”."""
    state = match["state"]
    more = f", {digits(match['more'], 'oh')}" if match["more"] else ""
    return f"{_SHORT.get(state) or POSTAL.get(state, state)} {digits(match['zip'], 'oh')}{more}"


def _postcode(match: re.Match[str], context: Context) -> str:  # noqa: ARG001
    """“SW one A, one AA”."""
    return f"{letters_and_digits(match['first'])}, {letters_and_digits(match['second'])}"


RULES: tuple[Rule, ...] = (
    rule(
        "postcode",
        rf"""(?P<state>{_STATES}),?\s(?P<zip>\d{{5}})(?:-(?P<more>\d{{4}}))?
        (?![\w-]|[.,]\d|\s(?:people|men|women|[a-z]{{3,}}s)\b)""",
        _zip,
    ),
    rule("postcode", r"(?P<first>[A-Z]{1,2}\d[A-Z\d]?)\s(?P<second>\d[A-Z]{2})(?!\w)", _postcode),
    rule("postcode", r"(?P<first>[A-Z]\d[A-Z])\s(?P<second>\d[A-Z]\d)(?!\w)", _postcode),
)
