"""French shares, sums and amounts of recipes: “10 p. 100”, “3 fr. 50”, “2 c. à s.”, “th. 6”."""

from __future__ import annotations

import re

from audiomill.inputs.languages.declaration import words
from audiomill.inputs.languages.fr.language import FRENCH, cardinal
from audiomill.inputs.spoken.european import fractions
from audiomill.inputs.spoken.european.language import Portion
from audiomill.inputs.spoken.rules import Context, Rule, always, rule

_SPOONS = {"s": "soupe", "c": "café", "t": "thé"}
_BEFORE_ONE = frozenset(("une", "la", "chaque", "par", "demi"))
_NUMBER_WORDS = words(
    """
    un deux trois quatre cinq six sept huit neuf dix douze quinze vingt trente quarante cinquante
    soixante quatre-vingts quatre-vingt-dix demi
    """
)
_HEATED = re.compile(
    r"\b(?:[Ff]our|[Ff]umoir|[Cc]ui(?:re|sson|sez)|[EeRrPpGgBb](?:nfourne|éfroidi|réchauffe|rill|ôti|arbecue|BQ)\w*|[Tt]emp[ée]rature|°[CF])\b"
)
_COUNTED = {
    "Ma": ("million d'années", "millions d'années"),
    "Ga": ("milliard d'années", "milliards d'années"),
    "pts": ("point", "points"),
    "po": ("pouce", "pouces"),
    "mn": ("minute", "minutes"),
    "pers": ("personne", "personnes"),
}


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


def _spoons(match: re.Match[str], context: Context) -> str | None:
    """“deux cuillères à soupe” for “2 c. à s.”, “une cuillère à thé et demie” for “1 ½ c. à t.”."""
    kind = match["kind"].rstrip(".")
    kind = _SPOONS.get(kind, kind)
    if match["part"]:
        spoon = Portion(f"cuillère à {kind}", f"cuillères à {kind}", "f")
        return fractions.say_portion(FRENCH, match["whole"], match["part"], spoon, context.region)
    count = match["count"] or ""
    one = count == "1" or (not count and context.word_before(match.start()).lower() in _BEFORE_ONE)
    number = f"{cardinal(int(count), context.region, 'f')} " if count else ""
    return f"{number}cuillère{'' if one else 's'} à {kind}"


def _cups(match: re.Match[str], context: Context) -> str | None:
    """“une tasse” for “1 t.” before what is measured."""
    if match["part"]:
        cup = FRENCH.portions["tasse"]
        return fractions.say_portion(FRENCH, match["whole"], match["part"], cup, context.region)
    count = int(match["count"])
    return f"{cardinal(count, context.region, 'f')} tasse{'s' if count > 1 else ''}"


def _fahrenheit(match: re.Match[str], context: Context) -> str | None:
    """“trois cent cinquante degrés Fahrenheit”, where something is cooked or heated."""
    if not _HEATED.search(context.text):
        return None
    return f"{cardinal(int(match['number']), context.region)} degrés Fahrenheit"


def _counted(match: re.Match[str], context: Context) -> str | None:
    one, many = _COUNTED[match["noun"]]
    number = FRENCH.read(match["number"], context.region)
    if number is None:
        return None
    noun = one if number.value < _PLURAL else many
    minus = f"{FRENCH.minus} " if match["minus"] else ""
    return f"{minus}{FRENCH.say(number, context.region, FRENCH.gender(one))} {noun}"


_PLURAL = 2  # from so many on a noun is in its plural
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
        rf"(?:(?<![\w.,/-])(?:(?:(?P<whole>\d{{1,2}}){_S}?)?(?P<part>{fractions.PART})|(?P<count>\d{{1,2}})){_S}(?:de{_S})?)?"
        rf"c\.?{_S}?à{_S}?(?P<kind>soupe|café|thé|table|[sct](?:\.|(?!\w)))",
        _spoons,
    ),
    # “1/2 cc de sel”, “2 cs d'huile”: spoons, and no cubic centimeters.
    rule(
        "unit",
        rf"(?<![\w.,/-])(?:(?:(?P<whole>\d{{1,2}}){_S}?)?(?P<part>{fractions.PART})|(?P<count>[1-9]))"
        rf"{_S}?c(?P<kind>[cs])(?={_S}d[e'’])",
        _spoons,
    ),
    rule(
        "unit",
        rf"(?<![\w.,/])(?:(?P<minus>[-−–])|(?<![-−–]))(?P<number>\d{{1,3}}(?:,\d{{1,2}})?){_S}(?P<noun>pers|mn|Ma|Ga|pts|po)\b(?:\.(?={_S}?[a-z,;:)]))?",
        _counted,
    ),
    # Cups of the recipes of Canada; tonnes have no full stop.
    rule(
        "unit",
        rf"(?<![\w.,/-])(?:(?:(?P<whole>\d{{1,2}}){_S}?)?(?P<part>{fractions.PART})|(?P<count>[1-6]))"
        rf"{_S}(?:t\.(?={_S}d[e'’])|(?<=\d/\d{_S})t\b(?={_S}(?:d[e'’]|\()))",
        _cups,
    ),
    # “au four à 350 F”.
    rule("unit", rf"(?P<number>\d{{2,3}}){_S}?F(?![\w€])", _fahrenheit),
    # “à 450 C, conduit”.
    rule(
        "unit",
        r"(?:(?<=\bà[ ])|(?<=\bde[ ])|(?<=\bet[ ]))(?P<number>\d{2,4})[ ]C"
        rf"(?=[,.;:)][ ]|{_S}[a-zàé])",
        lambda match, context: f"{cardinal(int(match['number']), context.region)} degrés Celsius",
    ),
    rule("unit", rf"[tT]h\.(?={_S}?\d)", always("thermostat")),
)
