"""What the rules for European languages need to know of a language, and its grammar made of them.

Separators and spaces in numbers: the languages' data in CLDR; ISO 80000-1, 7.3.2.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from types import MappingProxyType
from typing import Literal

from audiomill.inputs.spoken import addresses
from audiomill.inputs.spoken.rules import Grammar, Rule, candidates

# Of the noun that is counted. "" counts nothing: “eins”, “uno”.
Gender = Literal["m", "f", "n", ""]

# A space within a number: not broken, thin, or plain where three digits follow.
_SPACE = "[ \u00a0\u202f\u2009]"
# “(?!…)” instead of a possessive repetition: those with lookarounds fail before Python 3.11.5.
_GROUP = rf"(?:[.,'’]|{_SPACE})\d{{3}}(?!\d)"
_GROUPS = rf"\d{{1,3}}(?:{_GROUP})+(?!{_GROUP})"
NUMBER = (
    rf"(?:(?<!\d){_GROUPS}(?!{_SPACE}\d\d(?!\d))(?:[.,]\d++)?+|\d++(?:[.,]\d++)?+)"
    r"(?![.,]?\d)"
)
_GROUPED = re.compile(rf"[1-9]\d{{0,2}}(?:(?P<mark>[.,'’]|{_SPACE})\d{{3}})(?:(?P=mark)\d{{3}})*")
# “120,000'000,000”: an apostrophe before the last six digits, as in much of Latin America.
_MILLIONS = re.compile(r"[1-9]\d{0,2}(?:[.,]\d{3})?['’]\d{3}[.,]\d{3}")
# “64.000,000” inhabitants
_MIXED = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+,000")
MAX_DIGITS = 15  # longer ones are said digit by digit


@dataclass(frozen=True, slots=True)
class Number:
    """A number as it is printed: digits before and after the decimal sign."""

    whole: str
    decimals: str = ""
    mark: str = ","

    @property
    def value(self) -> Decimal:
        """How many it counts."""
        return Decimal(f"{self.whole}.{self.decimals or 0}").normalize()


@dataclass(frozen=True, slots=True)
class CurrencyWords:
    """The words of a currency: “Euro”, “Euro”, “Cent”, “Cent”."""

    one: str
    many: str
    cent: str = ""
    cents: str = ""
    gender: Gender = "m"


@dataclass(frozen=True, slots=True)
class NounGenders:
    """The genders of nouns where endings tell most of them, as in Spanish and Portuguese."""

    feminine_ends: tuple[str, ...]
    feminine: frozenset[str]  # whatever their ending is
    masculine: frozenset[str]  # the same; in the singular or the plural
    not_counted: frozenset[str]
    persons: re.Pattern[str]  # of any gender: masculine, whatever their ending is

    def of(self, noun: str) -> Gender:
        """The gender of a noun in small letters, where its ending tells it; else ""."""
        if not noun.islower() or noun in self.not_counted:
            return ""
        if noun in self.feminine:
            return "f"
        if noun in self.masculine or noun.removesuffix("s") in self.masculine:
            return "m"
        is_feminine = noun.endswith(self.feminine_ends) and not self.persons.fullmatch(noun)
        return "f" if is_feminine else "m"


@dataclass(frozen=True, slots=True)
class Portion:
    """A noun of which recipes take parts: “tasse”, “tasses”."""

    one: str
    many: str
    gender: Gender


def portions(feminine: str, masculine: str) -> Mapping[str, Portion]:
    """Portions by both of their forms, from pairs of words: “tasse tasses verre verres”."""
    table = dict[str, Portion]()
    genders: tuple[tuple[str, Gender], ...] = ((feminine, "f"), (masculine, "m"))
    for text, gender in genders:
        words = text.split()
        for one, many in zip(words[::2], words[1::2], strict=True):
            table[one] = table[many] = Portion(one, many, gender)
    return table


@dataclass(frozen=True, slots=True)
class ScriptureWords:
    """The books of the Bible."""

    books: frozenset[str]
    short: Mapping[str, str]  # as printed: the book
    # Before a book of which there are several: the histories, and letters and all others.
    firsts: tuple[str, str, str]
    first_letters: tuple[str, str, str]
    histories: frozenset[str]  # books that take `firsts`


@dataclass(frozen=True, slots=True)
class LanguageWords:
    """The words and habits of a language."""

    code: str  # ISO 639-1
    region: str  # where a book names none: an ISO 3166 code
    comma: str  # the word for a decimal comma
    dot: str  # the word for a decimal point, and between parts of an address
    minus: str
    to: str  # between the ends of a range
    percent: str
    permille: str
    pages: tuple[str, str]  # for one, for many, after their number: “208 p.”
    by: str  # between the sides of a thing: “10 por 15 cm”
    per: str  # between a unit and what it is measured against
    once: str  # “1x pro Woche”
    times: str  # “2x”, where {} is the number: “{} Mal”
    fractions: Mapping[str, str]  # “¼”: “un quart”
    parts: Mapping[int, tuple[str, str]]  # one of so many parts, and several: “huitième”
    halves: Mapping[Gender, str]  # before a noun: “un demi”, “une demi”
    mixed_fractions: Mapping[str, str]  # “½”: “{} et demi”, where {} is the number and its noun
    scales: Mapping[str, tuple[str, str]]  # as printed: words for one, for many
    short_scales: Mapping[str, tuple[str, str]]  # the same, only in money: “$5bn”
    link: str  # between a scale and a noun: “millions d'euros”
    cents: str  # how an amount with cents is said, of {money}, {number} and {cents}
    currencies: Mapping[str, CurrencyWords]
    symbols: Mapping[str, str]
    slash: str
    hyphen: str
    number: str  # the word for “#” before digits
    underscore: str
    power: str  # between a number and the exponent: “hoch”
    # The cardinal in a region for a noun of a gender; the same for years.
    cardinal: Callable[[int, str, Gender], str]
    year: Callable[[int, str], str]
    # The gender of a counted noun; "" for words that are not counted, such as articles.
    gender: Callable[[str], Gender]
    # What is said for exponents that have a word: “au carré”.
    powers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    plural: str = ""  # the end of a noun that agrees with numbers above one
    whole_things: frozenset[str] = frozenset()  # what has no decimals: “8,958 Einwohner”
    not_counted: frozenset[str] = frozenset()  # words in a plural's form that are no nouns
    tell_years: frozenset[str] = frozenset()  # words before a year
    pair_decimals: int = 2  # so many decimals are said as one number
    units: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    # Units of which CLDR has longer names than are said, as printed: for one, for many.
    unit_words: Mapping[str, tuple[str, str]] = field(default_factory=lambda: MappingProxyType({}))
    # Currencies of signs that mean something else in a region.
    regional_currencies: Mapping[str, Mapping[str, CurrencyWords]] = field(
        default_factory=lambda: MappingProxyType({})
    )
    portions: Mapping[str, Portion] = field(default_factory=lambda: MappingProxyType({}))
    feminine_units: frozenset[str] = frozenset()  # whose names do not show it: “une livre”
    before_hours: frozenset[str] = frozenset()  # feminine articles: “às 2”, “a las 21”
    labels: frozenset[str] = frozenset()  # nouns before a number that counts nothing: “page 1”
    point_regions: frozenset[str] = frozenset()  # where 1,234.5 is printed
    scripture: ScriptureWords | None = None
    # What is numbered within its chapter: “Tabelle 3-4”, which is no range.
    numbered_in_chapters: frozenset[str] = frozenset()
    plural_ends: tuple[str, ...] = ("s",)  # of nouns after whole millions
    knows_feminine_only: bool = False  # `gender` is "" for masculine nouns, too
    feminine_articles: frozenset[str] = frozenset()  # before a number whose noun is left out
    before_days: frozenset[str] = frozenset()  # articles before the number of a day: “del 21”
    bare_thousand: str = ""  # the word for a thousand, before which one is not said: “mil”
    # “05 dias”: a zero that only fills up a number is not said before a noun.
    drops_filling_zeros: bool = False
    # “una”, and what is said for it and a space before a vowel: “un'”
    elided_one: tuple[str, str] | None = None
    has_full_one_in_ranges: bool = False  # “uno a due minuti”, not “un a due”
    is_singular_below_two: bool = False  # “1,5 million”
    fractions_before_nouns: bool = False  # “zweieinhalb Meter”, not “dos metros y medio”
    out_of: str = ""  # between a mark and the highest, “sur”; "": marks are said as printed
    links_hundredths: bool = True  # “quarenta e seis segundos e noventa e um”
    raises_ordinal_marks: bool = False  # “1.ᵒ”, which is “1.º”
    # What “x” is in a score, “6 x 1”; "": it only multiplies.
    score: str = ""
    named_products: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))  # “4x4”
    has_short_telephones: bool = False  # “3120-5535”: four or five digits, and four
    has_hyphenated_articles: bool = False  # “L. 121-21”: the number of an article of a law
    has_glued_notes: bool = True  # “essi82.”: a word, and the number of a note
    word_domains: frozenset[str] = frozenset()  # words that are also domains: “fin.de semana”
    apostrophe_millions: bool = False  # “120,000'000,000” is printed
    # The scale before which a comma separates thousands: “6,251 millones de pesos”.
    thousands_scale: str = ""

    def read(self, text: str, region: str) -> Number | None:
        """The number that is printed; None if it is none, as “1.5” where a comma is used."""
        sign = "." if region in self.point_regions else ","
        if self.apostrophe_millions and _MILLIONS.fullmatch(text):
            return Number(re.sub(r"\D", "", text))
        grouped = _GROUPED.fullmatch(text)
        if _MIXED.fullmatch(text) or (
            grouped and text.endswith(",000")
        ):  # an old or foreign book: no decimals are all zero
            return Number(re.sub(r"\D", "", text))
        if text.isdecimal() or (grouped and (grouped["mark"] != sign or text.count(sign) > 1)):
            return Number(re.sub(r"\D", "", text))
        return _decimal(text, sign)

    def counted(self, digits: str, noun: str, before: str = "") -> Gender:
        """The gender that `digits` take before `noun`, if it can be their noun."""
        if before.lower().replace("’", "'").rpartition("'")[2] in self.labels:
            return ""  # also “dell'art. 1”
        if len(noun) < 2:
            return ""  # “tavv. 1 b/n”
        return self.gender(noun) if digits == "1" or noun.endswith(self.plural) else ""

    def say_digits(self, digits: str, region: str) -> str:
        """Each digit on its own."""
        return " ".join(self.cardinal(int(digit), region, "") for digit in digits)

    def say_whole(self, digits: str, region: str, gender: Gender = "") -> str:
        """The cardinal; digit by digit where it is too long or begins with a zero."""
        if len(digits) > MAX_DIGITS or (len(digits) > 1 and digits.startswith("0")):
            return self.say_digits(digits, region)
        return self.cardinal(int(digits), region, gender)

    def say(self, number: Number, region: str, gender: Gender = "") -> str:
        """A number with its decimals."""
        if not number.decimals:
            return self.say_whole(number.whole, region, gender)
        whole = self.say_whole(number.whole.lstrip("0") or "0", region)  # “08,8 segundos”
        sign = self.comma if number.mark == "," else self.dot
        return f"{whole} {sign} {self._say_decimals(number.decimals, region)}"

    def _say_decimals(self, decimals: str, region: str) -> str:
        rest = decimals.lstrip("0")
        if not rest or len(decimals) > self.pair_decimals:
            return self.say_digits(decimals, region)
        zeros = decimals[: len(decimals) - len(rest)]
        return f"{self.say_digits(zeros, region)} {self.say_whole(rest, region)}".strip()


def _decimal(text: str, sign: str) -> Number | None:
    """The number before and after a decimal sign.

    A comma is one everywhere, unless it may separate thousands. A point is one only where it is the
    habit: elsewhere it stands between the parts of a section or version.
    """
    for mark in ",.":
        whole, found, decimals = text.rpartition(mark)
        grouped = _GROUPED.fullmatch(whole)
        if not found or not decimals.isdecimal():
            continue
        plain = whole.isdecimal() and (mark == sign or (mark == "," and len(decimals) != 3))
        if plain or (grouped and grouped["mark"] != mark):
            return Number(re.sub(r"\D", "", whole), decimals, mark)
    return None


# Plain-looking words that may be short for others: French prints no full stop after some.
_SHORTENED = (
    r"(?:M(?:mes?|lles?|gr|e)|Dr|Pr|Ste?|Cie|Vve|bd|[VX]es?|I(?:er|re)|k[gm]|mq)\b(?!\.)"
    r"|[nN][ ][°º]"
    r"|[VvSs](?= [Ee]xc?\.?\^?[aª])"
)
_AFTER_MARK = r"(?<=[ºª])\d"  # “n.º5”

# “la Gloria(93)”, “Castilla[15]”, “lobos, (18) imitando”
_NOTE = r"(?<=[a-zà-ÿ!?»”])\((?=\d)|\[(?= ?\d{1,3} ?\]|[pPsS])|(?<=[,.;?!…»”] )\((?=\d)"
_MULTIPLIED = r"(?<=\d[ \u00a0])x(?=[ \u00a0]\d)"  # “3 x 4”
_CANDIDATES = candidates((_SHORTENED,), (_AFTER_MARK, _NOTE, _MULTIPLIED))


def european_grammar(language: LanguageWords, rules: Sequence[Rule]) -> Grammar:
    """The grammar of a language: its rules, in order, and those for addresses after them."""
    return Grammar(
        (*rules, *addresses.RULES),
        _CANDIDATES,
        lambda number, region: language.cardinal(number, region, ""),
        region=language.region,
        raises_ordinal_marks=language.raises_ordinal_marks,
    )
