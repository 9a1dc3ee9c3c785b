"""German numbers in words, ordinals and small parts: “3fach”, “der 25.”, “1/20”."""

from __future__ import annotations

import re

from audiomill.inputs.languages.de.declaration import ABBREVIATIONS
from audiomill.inputs.languages.de.language import GERMAN, KNOWN_NOUNS, cardinal, gender_of
from audiomill.inputs.languages.de.ordinals import (
    declined,
    ending_of,
    inflected,
    value_of,
)
from audiomill.inputs.spoken.rules import Context, Rule, rule

_UNIT = (
    r"jährig|tägig|wöchig|monatig|stündig|minütig|köpfig|teilig|seitig|stellig|stöckig|prozentig"
)
_NUMBER = r"(?:\d{1,3}|[IVX]{1,6})"


def _compound(match: re.Match[str], context: Context) -> str:
    number = int(match["number"])
    said = "ein" if number == 1 else cardinal(number, context.region)
    word = match["word"]
    return (said + word.lower()).capitalize() if word[0].isupper() else said + word


def _small_part(match: re.Match[str], context: Context) -> str | None:
    """“ein Zwanzigstel”: the ordinal without its last letters, and “el”."""
    above, below = int(match["above"]), int(match["below"])
    if context.word_before(match.start()).lower() in GERMAN.labels or above >= below:
        return None
    return f"{cardinal(above, context.region, 'n')} {inflected(below, 'l').capitalize()}"


def _enumerated(match: re.Match[str], _: Context) -> str | None:
    number = int(match["number"])
    return inflected(number, match["ending"]) if number else None


def _ordinal(match: re.Match[str], context: Context) -> str | None:
    numbers = [value_of(match[part]) for part in ("first", "last") if match[part]]
    noun = context.word_after(match.end())
    noun = (
        noun.capitalize() if noun.isupper() and len(noun) > len("FC ") else noun
    )  # “21. BIS 40. TAUSEND”
    gender = KNOWN_NOUNS.get(noun, "")
    if not gender and not declined(context, match.start()):
        return None
    ending = ending_of(context, match.start(), gender or gender_of(noun) or "m")
    if gender == "m" and context.word_before(match.start()) == "der":
        ending = ""  # “heute ist Juli der 25. Tag”: no dative
    said = [inflected(number, ending) for number in numbers if number]
    if len(said) < len(numbers):
        return None
    letter = len(match["first"]) == 1 and match["first"].isalpha()
    if letter and not noun[:1].isupper():
        return None  # “die hübsche X. und”
    if noun[:1].isupper() and noun.lower() in ABBREVIATIONS.starters and not match["last"]:
        return f"{said[0]}."  # “des 11. Die Mutter”
    joint = (match["joint"] or "").lower()
    return f" {'bis' if joint in '-–' else joint} ".join(said)


RULES: tuple[Rule, ...] = (
    # “im 80° der Breite”
    rule(
        "ordinal",
        r"""(?P<number>\d{1,3})°(?![ ]?(?:[CFR]\b|\d))
        (?:(?<=\b[Ii]m[ ]\d°)|(?<=\b[Ii]m[ ]\d\d°)|(?<=\b[Dd]e[mn][ ]\d\d°))""",
        lambda match, _context: f"{inflected(int(match['number']), 'n')} Grad",
    ),
    # “1/20 davon”, “3/16 Zoll”
    rule(
        "fraction",
        r"""(?<![\w/.,-])(?P<above>1(?=/(?:1[1-9]|[2-9]\d|100|1000)\b)
        |[2-9]\d?(?=/(?:16|20|32|50|64|100|1000)\b))/(?P<below>\d{2,4})(?![\w/]|[.,-]\d)""",
        _small_part,
    ),
    rule(
        "compound",
        r"(?P<number>\d{1,3})[ ]?%-?ig(?P<ending>(?:e[nrsm]?)?)(?!\w)",
        lambda match, context: (
            f"{'ein' if match['number'] == '1' else cardinal(int(match['number']), context.region)}"
            f"prozentig{match['ending']}"
        ),
    ),
    rule(
        "compound",
        rf"(?P<number>\d{{1,4}})-?(?P<word>(?:mal|fach|Jährig|{_UNIT})[a-zäöüß]*)(?![^\W_])",
        _compound,
    ),
    # “den 4ten April”, as it was printed before 1900.
    rule(
        "ordinal",
        r"(?P<number>\d{1,4})[ ]?s?te(?P<ending>[nrsm]?)(?![^\W_])(?=[ ,.;:)]|\Z)",
        _enumerated,
    ),
    # “2., verbesserte Auflage”: the ending is that of the adjective.
    rule(
        "ordinal",
        r"(?P<number>\d{1,2})\.(?=,\s[a-zäöüß]{2,20}?e(?P<ending>[nrsm]?)\s)",
        _enumerated,
    ),
    rule(
        "ordinal",
        rf"(?P<first>{_NUMBER})\.(?:\s?(?P<joint>und|oder|bis|BIS|/|[-–])\s?(?P<last>{_NUMBER})\.)?(?!\d)(?=\s|[,;:)])",
        _ordinal,
    ),
)
