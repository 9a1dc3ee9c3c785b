"""Numbers that count nothing in European languages: telephones, books, laws, versions, codes."""

from __future__ import annotations

import re
from itertools import pairwise

from audiomill.inputs.spoken.european import number_words
from audiomill.inputs.spoken.european.counting import END, MINUS, is_joined, is_of_ages, is_of_law
from audiomill.inputs.spoken.european.language import LanguageWords, Number
from audiomill.inputs.spoken.rules import NEAR, Context, Rule, rule

# Before the number of a telephone, with a few others between.
_BEFORE_TELEPHONE = re.compile(
    r"\b(?:[Tt]el(?:[eé]f(?:on(?:o|e|i)s?)?)?\b\.?|[Ff]ax|[Tt]él\.?|[Tt]éléphone)"
    r"(?:[ ](?:es|é|est|ist)|[^.;A-Za-z]){0,30}\Z"
)
_LAST_YEAR = 2100
_COUNTED_AFTER = re.compile(r"\s?(?:[a-zà-ÿ]{3,}s\b|mil|[mk]?[mg][23²³]?\b|h[al]\b|[€$%°])")
_LISTED = re.compile(
    r"(?:\b(?:pp?|p[aá]gs?|arts?|n[ºo]|lei|ley|entre|de|a|em|en)\b\.?|[-/$])\s?\Z", re.IGNORECASE
)
_ARTICLES = re.compile(r"\b(?:artt?|articoli|artículos|artigos)\b\.?\s\Z")
_TELEPHONE = r"(?<![\d-])\d{2,5}[-‑]\d{4}(?![-/]?\d)" + END
_LONG_TELEPHONE = rf"(?<![\d.,])\d{{7,11}}(?![\d.,]*\d){END}"
# “+57 318 312452”.
_ABROAD = r"\+(?:\d{1,3}(?:[ .-]\(?\d{1,8}\)?){2,6}(?![ .-]?\d)|\d{9,14}(?!\d))" + END
_BOOK = (
    r"(?P<name>ISBN(?:-1[03]|[ ][eE]-?[bB](?:ook|OOK))?:?[ ])(?P<number>\d[\d-]{8,16}[\dX])(?!\w)"
)
_PROGRAMMED = r"(?<![\w.,])[1-9]\d{0,2}(?:_\d{3})+(?!\w)"
_LAW = (
    r"(?<![-/,])(?<!(?<![LRDA])\.)\d{1,4}(?:-\d{1,3}){1,3}(?:,\d{1,4}(?:-\d{1,3}){1,3})*(?![-–/]\d)"
    + END
)
_GROUPS = (
    rf"(?:0\d{{1,2}}-\d{{3}}(?:\.\d\d){{2}}|\+?\d{{1,5}}(?:[-/]\d{{2,6}}){{2,}})(?![-/]?\d){END}"
)
_VERSION = r"(?P<letter>[vV])(?P<parts>\d{1,4}(?:\.\d{1,4})+)(?![\w]|\.\d)"
_DOTTED = (
    rf"{MINUS}(?P<parts>\d{{1,4}}(?:\.\d{{1,4}})+|\d{{1,3}}\.\d{{5,15}})(?P<letter>[a-z])?"
    rf"(?!,\d){END}"
)
_CODE = r"(?<=[^\W\d_])[-‑](?P<digits>\d{1,6})(?:(?P<joint>[-‑](?=[^\W\d_]))|(?![\w/-]|[.,:]\d))"
_PRICED = r"(?P<letters>[A-Z]{1,3})(?P<digits>[1-9]\d{0,2}(?:\.\d{3})+)(?![\w.,]*\d)" + END
_SET = r"(?:[67]/[0-7]|[0-5]/[67])"
_SETS = rf"(?<![\w/.,-]){_SET}(?:(?:,[ ]|[ ]|,?[ ](?:e|y|et)[ ]){_SET})+(?![\w/]|[.,-]\d)"
_POWER = (
    r"(?<![\w.,])(?P<number>\d{1,4}(?:[.,]\d{1,6})?)[eE]"
    r"(?P<sign>[-−+]?)(?P<power>\d{1,3})(?![\w-]|\.\d)"
)
# “2,4,6-trinitrotoluène”: places in a molecule.
_LOCANTS = (
    r"(?<![\d.,])(?P<digits>\d{1,2}(?:,\d{1,2}){1,5})[-‑](?=(?i:(?:di|tri|tetra|tétra|bis|cyclo)?"
    r"(?:m[eé]t|[eé]t|prop|but|pent|hex|hept|oct|non|dec|déc|chlor|clor|brom|fluor|iod|nitr|amin|hydro"
    r"|hidro|idro|ox|ph[eé]n|f[eé]n|benz|diol|triol|dien|dièn|dion|xyl|xil|naph|naft|dim|dib|dic"
    r"|din|trin|tric|trib|trim))[a-zà-ÿ]*)"
)
# “10,25,50,100”: a list without spaces, unless every comma separates thousands.
_LISTED_NUMBERS = r"(?<![\w.,-])\d{1,4}(?:,\d{1,4}){2,}(?![\w%‰€$-]|[.,]\d|[ ][%€$])"
_WITH_THOUSANDS = re.compile(r"[1-9]\d{0,2}(?:,\d{3})+")
_LETTERED = r"(?P<digits>\d{1,4})(?P<letter>[a-z])(?![^\W_])"


def no_ranges(language: LanguageWords) -> tuple[Rule, ...]:
    """The rules for telephones, books and laws, whose hyphens would be those of ranges else."""
    codes = _Codes(language)
    return (
        rule("list", _LISTED_NUMBERS, codes.listed_numbers),
        rule("digits", _TELEPHONE, codes.telephone),
        rule("digits", _BOOK, codes.book_number),
        rule("number", _PROGRAMMED, codes.programmed),
        rule("reference", _LAW, codes.of_law),
        rule("digits", _LONG_TELEPHONE, codes.long_telephone),
        rule("digits", _ABROAD, codes.separate_digits),
    )


def digit_groups(language: LanguageWords) -> tuple[Rule, ...]:
    """The rule for three or more groups of digits that are nothing else."""
    return (rule("digits", _GROUPS, _Codes(language).separate_digits),)


def versions(language: LanguageWords) -> tuple[Rule, ...]:
    """The rules for versions, sections, and digits next to letters."""
    codes = _Codes(language)
    return (
        rule("version", _VERSION, codes.version),
        rule("power", _POWER, codes.power),
        rule("code", _LOCANTS, codes.locants),
        rule("dotted", _DOTTED, codes.dotted),
        rule("code", _CODE, codes.code),
        rule("code", _PRICED, codes.priced),
        rule("lettered", _LETTERED, codes.lettered),
    )


def scores(language: LanguageWords) -> tuple[Rule, ...]:
    """The rule for the sets of a game of tennis, which are no fractions: “6/2, 1/6 e 7/6”."""
    return (rule("score", _SETS, _Codes(language).sets),)


def _is_reign(match: re.Match[str], context: Context, first: int, last: int) -> bool:
    """Whether years stand in brackets: “(978-1016)”."""
    in_brackets = context.text[: match.start()].endswith("(")
    in_brackets = in_brackets and context.text.startswith(")", match.end())
    return in_brackets and 0 < last - first < _LONGEST_REIGN


_LONGEST_REIGN = 100


class _Codes:
    """What is said in one language for numbers that count nothing."""

    def __init__(self, language: LanguageWords) -> None:
        self._language = language
        self._months = frozenset(one.lower() for one in number_words.months(language.code))

    def telephone(self, match: re.Match[str], context: Context) -> str | None:
        """“231-5346”, and any number after “tel.”."""
        first, last = re.split("[-‑]", match[0])
        if _is_reign(match, context, int(first), int(last)):
            return None
        if self._is_local(first, last) and not _COUNTED_AFTER.match(context.text, match.end()):
            near = context.text_before(match.start())
            return None if _LISTED.search(near) else self.separate_digits(match, context)
        if len(first) != 3 and not _BEFORE_TELEPHONE.search(context.text, 0, match.start()):
            return None
        return self.separate_digits(match, context)

    def _is_local(self, first: str, last: str) -> bool:
        """Whether “3120-5535” is a telephone of America: its parts are no years."""
        american = self._language.has_short_telephones and len(first) in {4, 5}
        return american and max(int(first), int(last)) > _LAST_YEAR

    def long_telephone(self, match: re.Match[str], context: Context) -> str | None:
        """Each digit of seven or more after a word for a telephone."""
        start = max(0, match.start() - NEAR)
        if not _BEFORE_TELEPHONE.search(context.text, start, match.start()):
            return None
        return self._language.say_digits(match[0], context.region)

    def separate_digits(self, match: re.Match[str], context: Context) -> str:
        """A telephone number or another number that counts nothing: its digits in groups."""
        groups = re.findall(r"\d+", match[0])
        near = context.text_before(match.start())
        listed = "/" in match[0] and (_ARTICLES.search(near) or _are_points(groups))
        listed = listed or (  # “11-18-25 maggio”
            context.word_after(match.end()).lower() in self._months
            and all(0 < int(one) < 32 for one in groups)
        )
        listed = listed or all(re.fullmatch(r"(?:1\d|20)\d\d", one) for one in groups)  # years
        listed = listed or all(re.fullmatch(r"[1-9]00", one) for one in groups)  # centuries
        dated = "/" in match[0]  # “C5-0004/1999”: a document, and its year
        return ", ".join(
            self._language.say_whole(group, context.region)
            if listed or (dated and re.fullmatch(r"19\d\d|20[0-3]\d", group))
            else self._language.say_digits(group, context.region)
            for group in groups
        )

    def sets(self, match: re.Match[str], context: Context) -> str:
        """“seis dois, um seis e sete seis”."""

        def said(one: re.Match[str]) -> str:
            return " ".join(self._language.say_whole(n, context.region) for n in one[0].split("/"))

        return re.sub(r"\d/\d", said, match[0])

    def book_number(self, match: re.Match[str], context: Context) -> str:
        """“ISBN”, and each digit."""
        digits = self._language.say_digits(re.sub(r"[^\d]", "", match["number"]), context.region)
        return f"{match['name'].rstrip()} {digits}{' X' if match['number'].endswith('X') else ''}"

    def listed_numbers(self, match: re.Match[str], context: Context) -> str | None:
        """“dez, vinte e cinco, cinquenta” for “10,25,50”."""
        if _WITH_THOUSANDS.fullmatch(match[0]):
            return None
        numbers = match[0].split(",")
        return ", ".join(self._language.say_whole(one, context.region) for one in numbers)

    def programmed(self, match: re.Match[str], context: Context) -> str:
        """“tausend” for “1_000”, as programs have it."""
        return self._language.say_whole(match[0].replace("_", ""), context.region)

    def of_law(self, match: re.Match[str], context: Context) -> str | None:
        """“21 tiret 28” of a French code, “1030 trattino 1” of any law: no range."""
        parts = re.split("[-,]", match[0])
        if not is_of_law(match, context):
            return None
        if not self._language.has_hyphenated_articles and len(parts[-1]) >= len(parts[0]):
            return None
        numbers = (one.split("-") for one in match[0].split(","))
        return ", ".join(self._join(one, self._language.hyphen, context.region) for one in numbers)

    def version(self, match: re.Match[str], context: Context) -> str:
        """“v un point zéro point un”."""
        parts = match["parts"].split(".")
        return f"{match['letter']} {self._join(parts, self._language.dot, context.region)}"

    def power(self, match: re.Match[str], context: Context) -> str:
        """“uno e menos tres” for “1e-3”, as programmers say it."""
        language, region = self._language, context.region
        whole, _, part = match["number"].replace(".", ",").partition(",")
        sign = f"{language.minus} " if match["sign"] in "-−" and match["sign"] else ""
        power = language.say_whole(match["power"], region)
        return f"{language.say(Number(whole, part), region)} e {sign}{power}"

    def dotted(self, match: re.Match[str], context: Context) -> str | None:
        """“tres punto tres punto uno”: the number of a section or version."""
        letter = match["letter"] or ""
        if not letter and self._language.read(match["parts"], context.region):
            return None
        parts = match["parts"].split(".")
        if len(parts) == 2 and len(parts[1]) > 2:  # “-1.5607” of a program: decimals
            digits = self._language.say_digits(parts[1], context.region)
            whole = self._language.say_whole(parts[0], context.region)
            said = f"{whole} {self._language.dot} {digits}"
        else:
            said = self._join(parts, self._language.dot, context.region)
        minus = f"{self._language.minus} " if match["minus"] else ""
        return f"{minus}{said} {letter}".strip()

    def code(self, match: re.Match[str], context: Context) -> str:
        """“SHA-1”: a number that a hyphen joins to letters."""
        said = self._language.say_whole(match["digits"], context.region)
        return f" {said} " if match["joint"] else f" {said}"

    def priced(self, match: re.Match[str], context: Context) -> str | None:
        """“M dois mil” for “M2.000”: letters before a number with separators."""
        number = self._language.read(match["digits"], context.region)
        return number and f"{match['letters']} {self._language.say(number, context.region)}"

    def locants(self, match: re.Match[str], context: Context) -> str:
        """“deux, quatre, six ” before the name of a molecule."""
        numbers = match["digits"].split(",")
        return ", ".join(self._language.say_whole(one, context.region) for one in numbers) + " "

    def lettered(self, match: re.Match[str], context: Context) -> str:
        """“tres a”; “vinte e nove” for “B-29s”."""
        said = self._language.say_whole(match["digits"], context.region)
        plural = match["letter"] == "s" and (
            is_joined(match, context) or is_of_ages(match, context)
        )
        return said if plural else f"{said} {match['letter']}"

    def _join(self, parts: list[str], joint: str, region: str) -> str:
        """Numbers with a word between them: “un point deux”."""
        return f" {joint} ".join(self._language.say_whole(part, region) for part in parts)


def _are_points(groups: list[str]) -> bool:
    """Whether numbers are those of a form's points: “15/17/18/19”."""
    numbers = [int(group) for group in groups]
    short = all(len(group) < 3 and not group.startswith("0") for group in groups)
    return short and len(groups) > 3 and all(a < b for a, b in pairwise(numbers))
