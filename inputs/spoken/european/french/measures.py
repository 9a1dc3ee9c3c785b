"""French shares, sums and amounts of recipes: “10 p. 100”, “3 fr. 50”, “2 c. à s.”, “th. 6”."""

from __future__ import annotations

import re

from audiomill.inputs.languages.abbreviations import words
from audiomill.inputs.spoken.european.french.language import FRENCH, cardinal
from audiomill.inputs.spoken.rules import Context, Rule, rule

_SPOONS = {"s": "soupe", "c": "café", "soupe": "soupe", "café": "café"}
_BEFORE_ONE = frozenset(("une", "la", "chaque", "par", "demi"))
_HALVES = {"½": "une demi", "1/2": "une demi", "¼": "un quart de", "1/4": "un quart de"}
_NUMBER_WORDS = words(
    """
    un deux trois quatre cinq six sept huit neuf dix douze quinze vingt trente quarante cinquante
    soixante quatre-vingts quatre-vingt-dix demi
    """
)
_COUNTED = {"pers": ("personne", "personnes"), "mn": ("minute", "minutes")}


def _share(match: re.Match[str], context: Context) -> str | None:
    """“pour cent” for “p. 100”, after a number."""
    before = context.text[: match.start()].rstrip()
    counted = before[-1:].isdigit() or before[-1:] in "½¼¾"
    if not counted and context.word_before(match.start()).lower() not in _NUMBER_WORDS:
        return None
    return "pour mille" if match[0].endswith("000") else "pour cent"


def _percent(match: re.Match[str], context: Context) -> str | None:
    number = FRENCH.read(match["number"], context.region)
    share = "pour mille" if match["thousand"] else "pour cent"
    return number and f"{FRENCH.say(number, context.region)} {share}"


def _francs(match: re.Match[str], context: Context) -> str:
    """“trois francs cinquante” for “3 fr. 50”."""
    francs = int(re.sub(r"\D", "", match["francs"]))
    said = f"{cardinal(francs, context.region)} franc{'s' if francs > 1 else ''}"
    centimes = match["centimes"]
    return f"{said} {cardinal(int(centimes), context.region)}" if centimes else said


def _spoons(match: re.Match[str], context: Context) -> str:
    """“deux cuillères à soupe” for “2 c. à s.”."""
    count = match["count"] or ""
    said = _HALVES.get(count) or (
        cardinal(int(count), context.region, "f") if count.isdecimal() else count
    )
    before = context.word_before(match.start()).lower()
    one = count in _HALVES or count == "1" or (not count and before in _BEFORE_ONE)
    joint = "-" if said.endswith("demi") else " "
    noun = f"cuillère{'' if one else 's'} à {_SPOONS[match['kind'].rstrip('.')]}"
    return f"{said}{joint}{noun}".strip()


def _counted(match: re.Match[str], context: Context) -> str:
    one, many = _COUNTED[match["noun"]]
    number = int(match["number"])
    noun = one if number == 1 else many
    return f"{cardinal(number, context.region, 'f')} {noun}"


_S = "[ \u00a0\u202f]"
MEASURES: tuple[Rule, ...] = (
    rule(
        "percent",
        rf"(?<![\d/.,-])(?P<number>\d{{1,3}}(?:,\d{{1,3}})?){_S}?(?P<zeros>0/0(?P<thousand>0)?)(?!\d|/)",
        _percent,
    ),
    rule(
        "percent",
        rf"p\.{_S}?(?:100|1[ .\u00a0]?000|cent)(?![\w.,]\d|\w)|p\.{_S}?c\.(?![ ]?\d)",
        _share,
    ),
    rule(
        "money",
        rf"(?<![\d.,/])(?P<francs>\d{{1,3}}(?:[ .,\u00a0\u202f]\d{{3}}){{1,3}}|\d{{1,7}}){_S}?frs?"
        rf"(?:\.(?={_S}(?:[a-zà-ÿ(]|\d\d(?!\d))|[,;:)])|\b)(?:{_S}(?P<centimes>\d\d)(?![\w,.]\d|\w))?",
        _francs,
    ),
    # “20, 000 francs”, as some print it.
    rule(
        "number",
        r"(?<![\d.,/])\d{1,3},[ ]000(?![\d,])",
        lambda match, context: cardinal(int(re.sub(r"\D", "", match[0])), context.region),
    ),
    rule(
        "unit",
        rf"(?:(?<![\w.,/])(?P<count>\d{{1,2}}|½|1/2|¼|1/4){_S})?c\.?{_S}?à{_S}?(?P<kind>soupe|café|[sc](?:\.|(?!\w)))",
        _spoons,
    ),
    rule(
        "unit",
        rf"(?<![\w.,/-])(?P<number>\d{{1,3}}){_S}(?P<noun>pers|mn)\b(?:\.(?={_S}?[a-z,;:)]))?",
        _counted,
    ),
    rule("unit", rf"[tT]h\.(?={_S}?\d)", lambda _match, _context: "thermostat"),
)
