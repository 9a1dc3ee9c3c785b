"""Numbers and what they count in European languages: what the rules of all topics share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Set

from audiomill.inputs.spoken.european.language import NUMBER, Gender, LanguageWords, Number
from audiomill.inputs.spoken.rules import Context, any_of

SPACE = r"[ \u00a0\u202f\u2009]"
MINUS = r"(?=(?P<minus>(?<![\w.,)\]-])[-−–](?=\d)|))(?P=minus)"  # empty without one
# One number or a range of them.
COUNT = rf"{MINUS}(?P<first>{NUMBER})(?:{SPACE}?[-–]{SPACE}?(?P<last>{NUMBER}))?"
END = r"(?![^\W_])"
MILLION = 1_000_000
# After these a letter belongs to the number of a part: “§ 64g”, “bis 184l”.
_LETTERED = re.compile(
    r"(?:§§?|\b(?:Art(?:ikels?|icles?|ículos?|icoli?|igos?)?|Absatz|Abs|Nummer|Nr|Anlage|Ziffer|art"
    r"(?:icles?|ículos?|icoli?|igos?)?)\b\.?)(?:[^.;]|\b[LRDA]\.(?=[ ]?(?:\d|\Z))){0,80}\Z"
)
_LONGEST_LETTERED = 90
_NAMES_A_NUMBER = re.compile(r"[^\W\d_a-zß-öø-ÿ][-‑]\Z")  # “SHA-1s”, not “diário-11h”
# Words for millions, after which a noun is linked: “deux millions d'habitants”.
_MILLIONS = re.compile(
    r"(?:milli(?:on|ard)s?|milhão|milhões|trilhão|trilhões|bilhão|bilhões|millón|millones|milion[ei]|miliard[oi])\Z"
)
_LINKED = ("de ", "di ", "d'", "del ")
# Before most words with h French elides: “d'hommes”, but “de haricots”.
_ELIDES = re.compile(
    r"[aeiouàâéèêîôœ]|h(?!a(?:ch|i|lt|mea|mst|nche|ndicap|ngar|nnet|r(?:eng|ico|pe|nais)|s(?:ard|e)|ut|vre)"
    r"|éros|érisson|ernie|ibou|olland|omard|ongr|onte|ors|ouille|uguenot|uit|ussard)",
    re.IGNORECASE,
)
# Numbers alone in tables, whose marks other numbers explain: “; 1,234;”, “; 1.177;”.
_THOUSANDS = re.compile(r"[1-9]\d{0,2},\d{3}")
_POINTED = re.compile(r"[1-9]\d{0,2}\.\d{3}")
_CELL_BEGINS = re.compile(r"(?:;|\n|\A)[ ]?(?:[„\"$][ ]?)?\Z")
_CELL_ENDS = re.compile(r"[.—–-]{0,2}[ ]?(?:[;\n]|\Z)")
_COMMA_DECIMALS = re.compile(r"\d,\d{1,2}(?!\d)|\d,\d{4}|(?<!\d)0,\d")
_POINT_DECIMALS = re.compile(r"(?<![\d.])0\.\d{2,4}(?![\d.])")
_NEAR_CELLS = 200  # characters of a table that tell its marks
_OF_AGES = frozenset(
    ("los", "sus", "seus", "os", "mis", "meus", "anos", "años", "anni", "années", "décadas")
)


def alternatives(texts: Iterable[str]) -> str:
    """A pattern for any of `texts`, the longest first, with any or no space where one is."""
    return any_of(texts).replace(r"\ ", rf"{SPACE}?")


def lowered_word_before(match: re.Match[str], context: Context) -> str:
    """The word before a match, in small letters."""
    return context.word_before(match.start()).lower()


def counted_noun(language: LanguageWords, number: str, noun: str) -> str:
    """A number in words and its noun: “un'ora” in Italian."""
    if language.elided_one and noun[:1] in tuple("aeiou") and number == language.elided_one[0]:
        return f"{language.elided_one[1]}{noun}"
    shares = (f"{word} " for word in (language.percent, language.permille, language.per))
    if _MILLIONS.search(number) and noun and not f"{noun} ".startswith((*_LINKED, *shares)):
        return f"{number} {linked(language, noun)}"
    return f"{number} {noun}".strip()


def linked(language: LanguageWords, noun: str) -> str:
    """The noun after millions or a part: “de dólares”, “d'euros”."""
    if language.link != "d'":
        return f"{language.link}{noun}"
    return f"d'{noun}" if _ELIDES.match(noun) else f"de {noun}"


def is_one(number: Number) -> bool:
    """Whether exactly one thing is counted."""
    return not number.decimals.strip("0") and int(number.whole) == 1


def is_of_law(match: re.Match[str], context: Context) -> bool:
    """Whether an article or paragraph is named shortly before: “§ 64g”."""
    start = max(0, match.start() - _LONGEST_LETTERED)
    return bool(_LETTERED.search(context.text, start, match.start()))


def is_joined(match: re.Match[str], context: Context) -> bool:
    """Whether a hyphen joins the match to letters before it: “SHA-1s”."""
    return bool(context.search_before(_NAMES_A_NUMBER, match.start(), 2))


def is_of_ages(match: re.Match[str], context: Context) -> bool:
    """Whether years of a life or century are counted: “en sus 20s”."""
    return lowered_word_before(match, context) in _OF_AGES


def has_thousands(match: re.Match[str], context: Context, whole_things: Set[str]) -> bool:
    """Whether a comma stands before thousands: of what has no decimals, or in a table."""
    if not _THOUSANDS.fullmatch(match["first"]):
        return False
    if context.word_after(match.end()) in whole_things:
        return True
    return _is_alone(match, context) and not _COMMA_DECIMALS.search(_around(match, context))


def has_decimals(match: re.Match[str], context: Context) -> bool:
    """Whether a point stands before decimals: “; 1.177;” beside “; 0.034”."""
    pointed = _POINTED.fullmatch(match["first"]) and _is_alone(match, context)
    return bool(pointed and _POINT_DECIMALS.search(_around(match, context)))


def _is_alone(match: re.Match[str], context: Context) -> bool:
    """Whether nothing else is in the cell of a number."""
    text, start, end = context.text, match.start(), match.end()
    begins = _CELL_BEGINS.search(text, max(0, start - len("; „ ")), start)
    return bool(begins and _CELL_ENDS.match(text, end))


def _around(match: re.Match[str], context: Context) -> str:
    return context.text[max(0, match.start() - _NEAR_CELLS) : match.end() + _NEAR_CELLS]


class Counting:
    """How one language says what is counted. The topics of amounts build on it.

    The groups of a match are those of `COUNT`: “minus”, “first”, “last”.
    """

    def __init__(self, language: LanguageWords) -> None:
        self.language = language

    def count(
        self, match: re.Match[str], context: Context, gender: Gender, noun: str
    ) -> str | None:
        """The number or range of the match, and what it counts."""
        first = self._measured(match["first"], context.region)
        if first is None:
            return None
        one = match["last"] is not None and self._says_uno(first, gender)
        said = self.minus(match) + self.language.say(first, context.region, "" if one else gender)
        if match["last"] is None:
            return counted_noun(self.language, said, noun)
        if context.text[: match.start()].endswith("/"):
            return None  # “02/12 - 16h”: a day, then an hour
        last = self._measured(match["last"], context.region)
        if last is None or last.value <= first.value:
            return None
        end = self.language.say(last, context.region, gender)
        return f"{said} {self.language.to} {counted_noun(self.language, end, noun)}"

    def _says_uno(self, first: Number, gender: Gender) -> bool:
        """Whether a range begins with “uno” and not “un”: “uno a due minuti”."""
        return self.language.has_full_one_in_ranges and gender == "m" and is_one(first)

    def count_scaled(self, match: re.Match[str], context: Context, noun: str) -> str | None:
        """“deux millions d'euros”: the number, its group “scale”, and a noun with its link."""
        number = self.last(match, context)
        if number is None:
            return None
        printed = match["scale"]
        if printed == "mil" and match["first"] == "1" and match["last"] is None:
            return f"{self.minus(match)}mil {noun}".strip()  # nobody says the one
        scales = {**self.language.short_scales, **self.language.scales}
        one, many = scales[re.sub(r"\s", " ", printed)]
        few = number.value < 2 if self.language.is_singular_below_two else is_one(number)
        said = printed if printed in {one, many} else one if few else many
        gender = self.language.gender(one.split()[0]) or "m"
        return self.count(match, context, gender, f"{said} {noun}".strip())

    def last(self, match: re.Match[str], context: Context) -> Number | None:
        """The number next to what is counted, the end of a range; None if it is no number."""
        return self._measured(match["last"] or match["first"], context.region)

    def _measured(self, text: str, region: str) -> Number | None:
        """A number before what it counts: there a point is a decimal sign, as in “0.25 mg”."""
        # “01h” is one hour.
        text = text[1:] if re.fullmatch(r"0\d", text) else text
        number = self.language.read(text, region)
        if number is None and re.fullmatch(r"\d{1,4}\.\d{1,4}", text):
            whole, decimals = text.split(".")
            return Number(whole, decimals)
        return number

    def minus(self, match: re.Match[str]) -> str:
        """The word for the sign before the match, and a space; "" without a sign."""
        return f"{self.language.minus} " if match["minus"] else ""

    def linked(self, noun: str) -> str:
        """The noun after millions or a part."""
        return linked(self.language, noun)
