"""Angles and places on the globe in European languages: “cuarenta grados norte”."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal

from audiomill.inputs.languages.abbreviations import words
from audiomill.inputs.spoken.european import number_words
from audiomill.inputs.spoken.european.counting import SPACE, lowered_word_before
from audiomill.inputs.spoken.european.language import LanguageWords, Number
from audiomill.inputs.spoken.rules import Context, Rule

_PLACE = (
    rf"(?<![\w.,])(?P<degrees>\d{{1,3}}){SPACE}?[°º]{SPACE}?"
    rf"(?:(?P<minutes>[0-5]?\d)(?:[.,](?P<part>\d{{1,4}}))?{SPACE}?['’′´]{SPACE}?"
    rf"(?:(?P<seconds>[0-5]?\d)(?:[.,](?P<rest>\d{{1,4}}))?{SPACE}?(?:[\"”″]|['’′´]{{2}}){SPACE}?)?)?"
    r"(?P<side>[NSEWO]\b(?!['’]|\.\w))?"
)
# A side alone: “40° N”; but “2º O padre”, “el piso 3º E”.
_TELLS = re.compile(r"\d+[ ]?°[ ]?(?:[NS][^\w]?|[EOW][^\w\s]?)")
# Words before a turn or a heat: ordinals seldom stand there without a noun.
_BEFORE_ANGLES = words("a de di da hasta até fino unos uns circa cerca entre y")
_SIDES = frozenset(
    ("norte", "sur", "sul", "este", "leste", "oeste", "nord", "sud", "est", "ovest", "latitud")
)
_TURNS = frozenset((90, 180, 270, 360))  # “um vídeo 360º”
_OF_LAW = re.compile(r"art|n")  # “art. 180º”
_LEAST_ANGLE = 13  # “de 3º y 4º” are years of a school


def rules(language: LanguageWords, sides: Mapping[str, str]) -> tuple[Rule, ...]:
    """The rule for degrees with minutes, or with a side of the world."""

    def say(match: re.Match[str], context: Context) -> str | None:
        if not match["minutes"] and not match["side"]:
            return None  # “1° Ouvrir”
        if not match["minutes"] and not _TELLS.fullmatch(
            match[0] + context.text[match.end() :][:1]
        ):
            return None
        parts = (
            ("angle-degree", match["degrees"], ""),
            ("duration-minute", match["minutes"], match["part"]),
            ("duration-second", match["seconds"], match["rest"]),
        )
        said = [
            _counted(language, unit, Number(str(int(whole)), decimals or ""), context.region)
            for unit, whole, decimals in parts
            if whole
        ]
        return " ".join((*said, sides[match["side"]])) if match["side"] else " ".join(said)

    return (Rule("unit", re.compile(_PLACE), say),)


def _counted(language: LanguageWords, unit: str, number: Number, region: str) -> str:
    count = number.value if not number.decimals else max(number.value, Decimal(2))
    name = number_words.unit_name(unit, count, language.code, region)
    return f"{language.say(number, region, language.gender(name) or 'm')} {name}"


def is_angle(match: re.Match[str], context: Context, noun: str) -> bool:
    """Whether “45º” is a turn or a heat and no ordinal: “de 45º”, with no `noun` after it."""
    before = lowered_word_before(match, context)
    counted = noun and noun not in _SIDES
    if int(match["number"]) in _TURNS:
        return not counted and not _OF_LAW.match(before)
    return not counted and int(match["number"]) >= _LEAST_ANGLE and before in _BEFORE_ANGLES
