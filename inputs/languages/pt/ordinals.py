"""Portuguese ordinals: “sétimo”, “vigésima primeira”, “artigo quinhentos e oitenta”."""

from __future__ import annotations

import re

from audiomill.inputs.languages.declaration import words
from audiomill.inputs.languages.pt.language import cardinal, gender_of
from audiomill.inputs.spoken.european.language import Gender
from audiomill.inputs.spoken.european.measures import is_angle
from audiomill.inputs.spoken.european.number_words import ordinal_numeral
from audiomill.inputs.spoken.rules import Context

_HEAT = re.compile(
    r"temperatura|grau|calor|frio|term[óôo]metro|latitude|longitude|[âa]ngulo|inclina"
    r"|\d\sa\s\Z",
    re.IGNORECASE,
)
_HEAT_AFTER = re.compile(r"\s(?:à sombra|ao sol|de latitude|de temperatura|Celsius|cent[íi]grad)")
_LETTERED = words(
    """
    página sala casa nota figura fig. tabela tab. item anexo alínea
    """
)
_DEGREES = frozenset(("°", "º", "o"))
# “do título 3° do Regimento”, “no 4°”: ordinals, though no noun follows.
_BEFORE_PLACES = words(
    """
    título titulo capítulo capitulo artigo art. livro tomo § parágrafo volume ato acto quadro o do
    no ao pelo em
    """
)


# “artigo 580.º” is said with a cardinal: nobody says the ordinals of hundreds.
_CARDINAL_ARTICLES = 100
_ARTICLES = re.compile(
    r"\b[Aa]rt(?:igos?|s?\.)\s(?:\d{1,4}\.?[ºo°]?(?:-[A-Z])?,?\s(?:(?:e|a|ou)\s)?){0,6}\Z"
)
_FEMININE_BEFORE = frozenset(("da", "na", "sua", "pela", "uma", "esta", "essa", "nossa", "minha"))


def ordinal(number: int, gender: Gender = "m") -> str:
    """“vigésimo primeiro”, “vigésima primeira”."""
    said = ordinal_numeral(number, "pt")
    return re.sub(r"o\b", "a", said) if gender == "f" else said


def marked(match: re.Match[str], context: Context) -> str | None:
    """What is said for digits and the sign of an ordinal; None if they are none."""
    number = int(match["number"])
    near = context.text_before(match.start())
    if match["mark"] == "a" and context.word_before(match.start()).lower() in _LETTERED:
        return None  # “figura 5a,”
    noun = context.word_after(match.end())
    noun = noun if gender_of(noun) else ""
    heat = _HEAT.search(near) and not noun
    heat = heat or _HEAT_AFTER.match(context.text, match.end())
    if heat and number > 9 and match["mark"] in _DEGREES:
        return f"{cardinal(number, context.region)} graus"
    if not number or (match["mark"] == "°" and _HEAT.search(near)):
        return None
    before = context.word_before(match.start()).lower()
    placed = match.groupdict().get("place") and "." not in match[0]  # “1.°.” is always a place
    if match["mark"] == "°" and placed and before not in _BEFORE_PLACES:
        return None
    if match["mark"] == "º" and "." not in match[0] and is_angle(match, context, noun):
        return None
    if number >= _CARDINAL_ARTICLES and _ARTICLES.search(context.text, 0, match.start()):
        return cardinal(number, context.region)
    misprinted = before in _FEMININE_BEFORE and gender_of(noun) == "f"  # “sua 2º loja”
    said = ordinal(number, "f" if misprinted or match["mark"][0] in "aª" else "m")
    return re.sub(r"(?<=[oa])\b", "s", said) if match["mark"].endswith("s") else said
