"""What “x” says between and after numbers in European languages: sides, scores, repetition.

“tausendvierundzwanzig mal siebenhundertachtundsechzig” for “1024x768”, “duas vezes” for “2x”.
"""

from __future__ import annotations

import re
from decimal import Decimal

from audiomill.inputs.languages.declaration import words
from audiomill.inputs.spoken.european import number_words
from audiomill.inputs.spoken.european.counting import is_of_law
from audiomill.inputs.spoken.european.language import LanguageWords
from audiomill.inputs.spoken.european.number_words import UNITS
from audiomill.inputs.spoken.rules import NEAR, Context, Rule, rule

_RELAY = r"4[ ]?[x×][ ]?(?P<length>100|200|400|800|1500)(?P<unit>[ ]?m(?![^\W_])|(?![\w]))"
# What shows that “x” multiplies; in Portuguese it stands in scores, too: “6 x 1”.
_MEASURED = re.compile(
    r"[ \u00a0]\d[\d.,]*[ \u00a0]?"
    r"(?:(?:[mcdk]?m|[km]?g|m?l|px|pixels?|metros?|polegadas|unid|R\$|reais)(?![^\W_])|[=x×*])"
)

_LENGTH_UNITS = (
    r"(?:[mcdk]?m|px|pixels?|mètres?|centimètres|metros?|centímetros|metri|centimetri|polegadas"
    r"|pulgadas|pollici|pouces|po|pieds|pés|pies|piedi)(?![^\W_])"
)
_SIDES = re.compile(
    rf"[ \u00a0](?:\d[\d.,]*[ \u00a0]?[x×][ \u00a0])?\d[\d.,]*[ \u00a0]?{_LENGTH_UNITS}"
)
# What has sides without a unit: “une grille 9 × 9”.
_SQUARED = re.compile(
    r"\b(?:grilles?|carrés?|damiers?|échiquiers?|plateaux?|matrices?|tableaux?"
    r"|cuadrículas?|cuadrados?|tableros?|matriz|matrizes|griglia|griglie|quadrat[oi]|scacchiera"
    r"|grades?|quadrados?|tabuleiros?)(?:[ ](?:de|di|da))?[ \u00a0]\d+[ \u00a0]?\Z",
    re.IGNORECASE,
)
# “10x15 cm”
_SIDE = (
    r"(?<![\d.,x])(?P<first>\d{1,4}(?:,\d{1,2})?)[x×](?P<last>\d{1,4}(?:,\d{1,2})?)"
    rf"(?P<gap>[ ]?)(?P<unit>{_LENGTH_UNITS})"
)

# “1024x768”; “3x1” is a score in Portuguese.
_JOINED = r"(?<![\w.,×-])(?P<first>[1-9]\d{0,3})(?P<sign>[x×])(?P<last>\d{1,4})(?![\w×/-]|[.,]\d)"
_MANY_DIGITS = 3
_LARGE = re.compile(r"[ ]\d{3}")  # “1920 x 1080” is no score
# “2x pro Woche”, but neither “2x + 3” nor “f(x) = 2x”.
_REPEATED = (
    r"(?<![\w.,/^-])(?:(?P<least>\d{1,3})[ ]?[-–][ ]?)?(?P<count>[1-9]\d{0,3})[x×]"
    r"(?=[.,;:!?)»”]|\s[^\W\d_]{2}|\Z)(?![.,]\d)"
)
_BEFORE_VERSIONS = words(
    """
    version versão versión versione familia família famille famiglia serie série a o la el le il die
    der the
    """
)
_ALGEBRA = re.compile(
    r"[=^√]|(?<!\w)(?<!\d[ ])[xy](?!\w)(?![ ]?\d)|[-−+*/(][ ]?\d+x\b(?=[ ]?[-−+*/^])"
)


def rules(language: LanguageWords) -> tuple[Rule, ...]:
    """The rules for numbers beside an “x”, which come before those for numbers."""
    times = _Times(language)
    return (
        rule("relay", _RELAY, times.relay),
        rule("times", _SIDE, times.side),
        rule("times", _JOINED, times.joined),
        rule("times", _REPEATED, times.repeated),
        # “3 x 4 cm”
        rule("times", r"(?:(?<=\d[ \u00a0])|(?<=\d))(?:x|×(?!10))(?=[ \u00a0]\d)", times.apart),
    )


class _Times:
    """What is said for “x” and “×” in one language."""

    def __init__(self, language: LanguageWords) -> None:
        self._language = language

    def relay(self, match: re.Match[str], context: Context) -> str:
        """“quatro por cem metros”."""
        language, region = self._language, context.region
        word = language.by if language.score else language.symbols["×"]
        number = language.say_whole(match["length"], region)
        meters = number_words.unit_name("length-meter", Decimal(2), language.code, region)
        said = f"{language.say_whole('4', region)} {word} {number}"
        return f"{said} {meters}" if match["unit"] else said

    def side(self, match: re.Match[str], context: Context) -> str | None:
        """“dez por quinze centímetros”."""
        language, region = self._language, context.region
        first, last = (language.read(match[name], region) for name in ("first", "last"))
        if first is None or last is None:
            return None
        sides = f" {language.by} ".join(language.say(one, region) for one in (first, last))
        unit = {**UNITS, **language.units}.get(match["unit"])
        count = max(last.value, Decimal(2))
        name = unit and number_words.unit_name(unit, count, language.code, region)
        return f"{sides} {name or match['unit']}"

    def joined(self, match: re.Match[str], context: Context) -> str:
        """“mil e vinte e quatro por setecentos e sessenta e oito”, “três a um”."""
        language = self._language
        if match[0] in language.named_products:
            return language.named_products[match[0]]
        numbers = (match["first"], match["last"])
        few = max(map(len, numbers)) < _MANY_DIGITS
        near = context.text[max(0, match.start() - NEAR) : match.start("sign")]
        word = language.by
        if context.text.startswith("=", match.end()) or (few and not _SQUARED.search(near)):
            is_score = language.score and match["sign"] == "x"
            word = language.score if is_score else language.symbols["×"]
        return f" {word} ".join(language.say_whole(one, context.region) for one in numbers)

    def repeated(self, match: re.Match[str], context: Context) -> str | None:
        """“duas vezes”."""
        language = self._language
        near = context.text[max(0, match.start() - NEAR) : match.end() + NEAR]
        before = context.word_before(match.start()).lower()
        if _ALGEBRA.search(near) or is_of_law(match, context) or before in _BEFORE_VERSIONS:
            return None
        if match["count"] == "1" and not match["least"]:
            return language.once
        gender = language.gender(language.once.split()[-1])
        said = language.say_whole(match["count"], context.region, gender)
        if match["least"]:
            least = language.say_whole(match["least"], context.region, gender)
            said = f"{least} {language.to} {said}"
        return language.times.format(said)

    def apart(self, match: re.Match[str], context: Context) -> str:
        """The word for the sign alone: “ por ”, “ vezes ”, “ a ” in a score."""
        language = self._language
        sides = _SIDES.match(context.text, match.end())
        is_side = sides and not context.text.startswith("=", sides.end())
        near = context.text_before(match.start())
        is_x = bool(language.score) and match[0] == "x"
        large = is_x and _LARGE.match(context.text, match.end())
        if is_side or large or _SQUARED.search(near):
            return f" {language.by} "
        is_score = is_x and not _MEASURED.match(context.text, match.end())
        return f" {language.score} " if is_score else f" {language.symbols['×']} "
