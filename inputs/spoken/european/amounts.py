"""Rules for amounts in European languages, in order; and those for plain numbers and ranges.

Money, measures, fractions and codes have files of their own.
"""

from __future__ import annotations

import re

from audiomill.inputs.spoken.european import (
    codes,
    fractions,
    measures,
    money,
    multiplication,
    number_words,
    powers,
)
from audiomill.inputs.spoken.european.counting import (
    COUNT,
    END,
    MINUS,
    SPACE,
    Counting,
    alternatives,
    counted_noun,
    has_decimals,
    has_thousands,
    lowered_word_before,
)
from audiomill.inputs.spoken.european.language import NUMBER, Gender, LanguageWords, Number
from audiomill.inputs.spoken.rules import Context, Rule, always, dense_rule, rule

_DAYS = frozenset(("dia", "día", "giorno", "dias", "días", "giorni"))
_ZERO_FILLED = re.compile(r"0[1-9]")
_IN_WORDS = re.compile(r"\s\([^\W\d_]{2,12}\)\s(?P<noun>[^\W\d_]+)")
_YEAR_DIGITS = 4
_YEAR = re.compile(r"\d{4}")  # not “em 08,8 segundos”
_TO_LINE = re.compile(r"\d\sà\s\Z")  # “linha 30 à 32”
_LATER_NOUN = re.compile(r"\s(?:(?:y|o|u|a|e|ou)\s\d[\d.]{0,9}|mil)\s(?P<noun>[^\W\d_]{2,30})")
_NUMBERED = re.compile(
    r"\b(?:[nN](?:[°ºo]|\.[°º]?)|Nr\.|n[uú]m(?:ero|\.))\s?\Z"
)  # “loi n° 64-1328”
_TELEPHONE = re.compile(r"\b[Tt]el[ée]f(?:\.|ono|on)?[ ]?:?[ ]\Z")  # “Teléf. 14-30”
_DASHED = re.compile(r"(?:\d|\w\s[A-ZÀ-Þ][^\W\d_]{2,})\s\Z")
# “la guerre de 14-18” is said without “à”.
_WARS = re.compile(
    r"\b(?:guerr[ae]|Krieg\w*|celle|poilus?|soldats|période|années|tranchées)\s(?:mondiale\s)?(?:de[l]?\s|di\s|von\s)?\Z"
)
_PAGES = re.compile(r"pp?\.|pg(?:s|g)?\.|p[aá]gg?s?\.|p[aá]gin[ae]s?|pages?|s\.|seiten?")
_RANGE = rf"(?<![-/]){COUNT}{END}(?![-–/:]\d)"
_SEASON = r"(?P<year>1\d{3}|20\d\d)/(?P<following>\d\d)(?![\w/])"
# “(- 1,25%)”, “(—19° la nuit)”
_BRACKETED_MINUS = (
    r"(?<=\()(?:[-−–][ ](?=\d+(?:[.,]\d+)?(?:[ ]?%)?\))|—[ ]?(?=\d+(?:[.,]\d+)?[ ]?°))"
)
_MILLIONS = (
    rf"{MINUS}(?P<first>(?<![\d.,])[1-9]\d{{0,2}}(?:[.,']\d{{3}}|{SPACE}\d{{3}}|\d{{3}})*"
    rf"(?:[.,']|{SPACE}|)000(?:[.,']|{SPACE}|)000){SPACE}(?P<noun>[^\W\d_]{{3,}}){END}"
)
_PLAIN = rf"{MINUS}(?P<first>{NUMBER}){END}"


def rules(language: LanguageWords) -> tuple[Rule, ...]:
    """The rules for amounts, in the order in which they are tried."""
    scaled = rf"{COUNT}{SPACE}?(?P<scale>{alternatives(language.scales)}){END}"
    numbers = _Numbers(language)
    return (
        fractions.raised(language),
        *fractions.of_portions(language),
        *powers.unit_products(language),
        *measures.inner_units(language),
        *powers.rules(language),
        *multiplication.rules(language),
        *money.rules(language),
        *measures.rules(language),
        dense_rule("scale", scaled, numbers.scaled),
        *fractions.signs(language),
        *codes.no_ranges(language),
        dense_rule("range", _RANGE, numbers.range),
        *codes.digit_groups(language),
        *fractions.printed(language),
        rule("season", _SEASON, numbers.seasons),
        *codes.versions(language),
        rule("sign", _BRACKETED_MINUS, always(f"{language.minus} ")),
        *_one_thousand(language),
        dense_rule("number", _MILLIONS, numbers.millions),
        dense_rule("number", _PLAIN, numbers.number),
    )


def _one_thousand(language: LanguageWords) -> tuple[Rule, ...]:
    """The rule for “1 mil pessoas”, where nobody says the one."""
    thousand = language.bare_thousand
    if not thousand:
        return ()
    one = rf"(?<![\d.,])1{SPACE}{thousand}{END}"
    return (rule("number", one, always(thousand)),)


class _Numbers(Counting):
    """What is said in one language for numbers that nothing but a noun follows."""

    def __init__(self, language: LanguageWords) -> None:
        super().__init__(language)
        months = alternatives(number_words.months(language.code))
        # “08, 09 e 10 de abril”
        self._more_days = re.compile(
            rf"(?:,\s\d\d)*,?\s(?:e|y|et|a|ao|al|au)\s\d\d\s(?:de\s|d[’'])?(?:{months})\b",
            re.IGNORECASE,
        )

    def scaled(self, match: re.Match[str], context: Context) -> str | None:
        """“deux millions”."""
        return self.count_scaled(match, context, "")

    def range(self, match: re.Match[str], context: Context) -> str | None:
        """“mille neuf cent quarante à quarante-neuf” for “1940-9”."""
        first, last = match["first"], match["last"]
        if last is None or match["minus"] or not (first.isdecimal() and last.isdecimal()):
            return None
        if len(first) <= 2 and len(last) == _YEAR_DIGITS and re.search(r"\s[-–]\s", match[0]):
            return None  # “quaderno 13 - 2010”: a number, and its year
        near = context.text_before(match.start())
        if _TELEPHONE.search(near):
            return f"{self.language.say_whole(first, context.region)} " + self.language.say_whole(
                last, context.region
            )
        if "-" in match[0] and len(last) > 2 and _NUMBERED.search(near):
            return None
        earlier = lowered_word_before(match, context).rstrip(".")
        if "-" in match[0] and earlier in self.language.numbered_in_chapters:
            return None  # “Tabelle 3-4”: the fourth of chapter 3
        if _WARS.search(near) and len(first) == len(last) == 2:
            return " ".join(self.language.say_whole(one, context.region) for one in (first, last))
        paged = _PAGES.fullmatch(lowered_word_before(match, context)) is not None
        end = last if _is_before_christ(match, context) else None
        end = end or _end_of_range(first, last, paged=paged)
        if end is None:
            return None
        years = _are_years(first, end)
        gender = "" if years else self.language.counted(last, context.word_after(match.end()))
        one = self._says_uno(Number(first), gender)
        said = [
            self._year_or_number(first, context, "" if one else gender),
            self._year_or_number(end, context, gender),
        ]
        return f" {self.language.to} ".join(said)

    def _year_or_number(self, text: str, context: Context, gender: Gender) -> str:
        if len(text) == _YEAR_DIGITS and not gender:
            return self.language.year(int(text), context.region)
        return self.language.say_whole(text, context.region, gender)

    def seasons(self, match: re.Match[str], context: Context) -> str | None:
        """“1944/45”: a winter or a school year."""
        first, following = int(match["year"]), match["following"]
        if (first + 1) % 10 ** len(following) != int(following):
            return None
        year = self.language.year(first, context.region)
        return f"{year} {self.language.say_whole(following, context.region)}"

    def millions(self, match: re.Match[str], context: Context) -> str | None:
        """“deux millions d'habitants”: whole millions are linked to their noun."""
        language, noun = self.language, match["noun"]
        number = language.read(match["first"], context.region)
        counted = noun.islower() and noun not in language.not_counted
        plural = noun.endswith(language.plural_ends)
        if not counted or not plural or not number or number.decimals or not language.link:
            return None
        if not language.knows_feminine_only and not language.gender(noun):
            return None
        said = language.say(number, context.region)
        return f"{self.minus(match)}{counted_noun(language, said, noun)}"

    def number(self, match: re.Match[str], context: Context) -> str | None:
        """“deux cents”, “doscientas”: with the gender of its noun, or as a year."""
        number = self.language.read(match["first"], context.region)
        if number is None:
            return None
        if has_decimals(match, context):
            whole, decimals = match["first"].split(".")
            number = Number(whole, decimals, ".")  # “; 1.177;” beside “0.034”
        is_year = lowered_word_before(match, context) in self.language.tell_years
        if _YEAR.fullmatch(match["first"]) and is_year:
            return self.language.year(int(number.whole), context.region)
        if has_thousands(match, context, self.language.whole_things):
            number = Number(number.whole + number.decimals)  # “7,285 braças”, in an old book
        if number.decimals == "00" and number.whole != "0":
            number = Number(number.whole)  # “1.311.700,00 francos”, “La busca, 4,00”
        if _is_day(match["first"], lowered_word_before(match, context)) or (
            _ZERO_FILLED.fullmatch(match["first"]) and self._is_counted(match, context)
        ):
            number = Number(match["first"].lstrip("0"))
        said = self.language.say(number, context.region, self._gender(match, context))
        return self._dash(match, context) + said

    def _gender(self, match: re.Match[str], context: Context) -> Gender:
        """The gender of what a number counts."""
        before = lowered_word_before(match, context)
        if context.text[: match.start()].rstrip().endswith("§"):
            return ""
        if before in self.language.feminine_articles:
            return "f"  # “das 400 maiores”
        if before in self.language.before_days:
            return ""  # “al amanecer del 21 vimos”: a day
        # “200 y 300 personas”, “2 mil pessoas”: the noun comes later.
        later = _LATER_NOUN.match(context.text, match.end())
        noun = later["noun"] if later else context.word_after(match.end())
        counted = self.language.counted(match["first"], noun, before)
        hour = len(match["first"]) <= 2 and before in self.language.before_hours  # not “à 1830”
        if match["first"] != "1" and context.search_before(_TO_LINE, match.start(), 4):
            hour = False
        return "f" if not counted and hour else counted

    def _is_counted(self, match: re.Match[str], context: Context) -> bool:
        """Whether a noun or a number in words follows: “05 (cinco) dias”, “03 horas”."""
        if self._more_days.match(context.text, match.end()):
            return True
        spelled = _IN_WORDS.match(context.text, match.end())
        noun = spelled["noun"] if spelled else context.word_after(match.end())
        drops = self.language.drops_filling_zeros
        return drops and len(noun) > 2 and noun.endswith(("s", "i", "e")) and noun.islower()

    def _dash(self, match: re.Match[str], context: Context) -> str:
        """A minus; a pause after a number or a name: “27 -13 deles”, “Covid -19”."""
        before = context.text_before(match.start())
        heat = context.word_after(match.end()).startswith("gra")
        if match["minus"] and not heat and _DASHED.search(before):
            return ""
        return self.minus(match)


def _are_years(first: str, last: str) -> bool:
    """Whether “1914–1918” stands before what happened then: what is counted is rounded."""
    is_century = all(re.fullmatch(r"1[1-9]\d\d|20[0-4]\d", one) for one in (first, last))
    return is_century and (int(first) % 50 > 0 or int(last) % 50 > 0)


def _is_before_christ(match: re.Match[str], context: Context) -> bool:
    """Whether years are counted down in brackets: “(398-361)”."""
    text, first, last = context.text, match["first"], match["last"]
    in_brackets = text[: match.start()].endswith("(") and text.startswith(")", match.end())
    return in_brackets and 1 < len(last) <= len(first) < _YEAR_DIGITS and int(last) < int(first)


def _is_day(printed: str, before: str) -> bool:
    """Whether a zero only fills up the number of a day: “dia 07”."""
    return len(printed) == 2 and printed[0] == "0" != printed[1] and before in _DAYS


def _end_of_range(first: str, last: str, *, paged: bool) -> str | None:
    """The end of a range as it is said: “135” for pages 129–35; None if it is no range."""
    if len(last) >= len(first):
        return last if int(last) > int(first) else None
    whole = first[: -len(last)] + last
    if int(whole) <= int(first):
        return None
    if (paged and len(first) == 3) or whole[2:].startswith("0"):
        return whole  # “2003-04”: two thousand and four
    return whole[2:] if len(first) == _YEAR_DIGITS and len(last) < 3 else None
