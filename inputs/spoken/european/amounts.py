"""Rules for amounts in European languages: money, percentages, units, fractions, plain numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from itertools import pairwise

from audiomill.inputs.spoken.european import number_words
from audiomill.inputs.spoken.european.language import (
    NUMBER,
    CurrencyWords,
    Gender,
    LanguageWords,
    Number,
)
from audiomill.inputs.spoken.european.units import UNITS
from audiomill.inputs.spoken.rules import NEAR, Context, Rule, rule

SPACE = r"[ \u00a0\u202f\u2009]"
_MINUS = r"(?P<minus>(?<![\w.,)\]-])[-−–](?=\d))?+"
# One number or a range of them.
_COUNT = rf"{_MINUS}(?P<first>{NUMBER})(?:{SPACE}?[-–]{SPACE}?(?P<last>{NUMBER}))?"
_END = r"(?![^\W_])"
_UNIT_END = r"(?![^\W_]|['’](?=[^\W_]))"  # not “1834 l'intention”, “art. 1 l'820”
# After these a letter belongs to the number of a part: “§ 64g”, “bis 184l”.
_VERB_AFTER = re.compile(
    r" (?!di |de |do |da |d['’]|y |e |a |o |et |und |Land)[a-zà-ù]+[oaie](?![^\W_])"
)  # “l'HTML 2 ha dato”
_LETTERED = re.compile(
    r"(?:§§?|\b(?:Art(?:ikels?|icles?|ículos?|icoli?|igos?)?|Absatz|Abs|Nummer|Nr|Anlage|Ziffer|art"
    r"(?:icles?|ículos?|icoli?|igos?)?)\b\.?)(?:[^.;]|\b[LRDA]\.(?=[ ]?(?:\d|\Z))){0,80}\Z"
)
_FRACTION = (
    r"(?P<whole>\d{{1,6}})?\s?(?P<sign>[{}])(?:[ \u00a0](?P<noun>[^\W\d_]{{3,20}}))?(?![^\W_])"
)
_SIMPLE = {"1/2": "½", "1/3": "⅓", "2/3": "⅔", "1/4": "¼", "3/4": "¾"}
_LATER_NOUN = re.compile(r"\s(?:(?:y|o|u|a|e|ou)\s\d[\d.]{0,9}|mil)\s(?P<noun>[^\W\d_]{2,30})")
_NUMBERED = re.compile(
    r"\b(?:[nN](?:[°ºo]|\.[°º]?)|Nr\.|n[uú]m(?:ero|\.))\s?\Z"
)  # “loi n° 64-1328”
_OF_AGES = frozenset(("los", "sus", "seus", "os", "mis", "meus"))
_DASHED = re.compile(r"(?:\d|\w\s[A-ZÀ-Þ][^\W\d_]{2,})\s\Z")
_PAGES = re.compile(r"pp?\.|pg(?:s|g)?\.|p[aá]gg?s?\.|p[aá]gin[ae]s?|pages?|s\.|seiten?")
_NAMES_A_NUMBER = re.compile(r"[^\W\d_][-‑]\Z")  # “SHA-1s”
# Before the number of a telephone, with a few others between.
_TELEPHONE = re.compile(
    r"\b(?:[Tt]el(?:[eé]f(?:on(?:o|e|i)s?)?)?\b\.?|[Ff]ax|[Tt]él\.?|[Tt]éléphone)"
    r"(?:[ ](?:es|é|est|ist)|[^.;A-Za-z]){0,30}\Z"
)
_PERIODS = (
    "heure|jour|semaine|mois|an|Stunde|Tag|Woche|Monat|Jahr|hora|día|semana|mes|año|ora|giorno"
    "|settimana|mese|anno|dia|mês|ano"
)
_MILLION = 1_000_000
# “2h 6m 12s”, “1h30min”, “1m19,32s”; “10 m” alone are meters.
_AFTER_MINUTES = "|".join(
    rf"(?<=h{gap}{digits}{minute})"
    for gap in ("", "[ ]")
    for digits in (r"\d", r"\d\d")
    for minute in ("m", "min")
)
_LASTING = (
    r"(?:(?P<hours>\d{1,3})h[ ]?)?(?P<minutes>\d{1,2})(?:min|m)"
    rf"(?:[ ]?(?P<seconds>[0-5]?\d(?:[.,]\d{{1,3}})?)s|{_AFTER_MINUTES})"
)
_EUROS = frozenset(("€", "EUR", "euro", "euros"))
_CODES = "CHF|EUR|USD|GBP|JPY|BRL|MXN|CAD|AUD|SEK|NOK|DKK|PLN|ARS"


def alternatives(texts: Iterable[str]) -> str:
    """A pattern for any of `texts`, the longest first, with any or no space where one is."""
    longest = sorted(texts, key=len, reverse=True)
    return "|".join(re.escape(text).replace(r"\ ", rf"{SPACE}?") for text in longest)


def rules(language: LanguageWords) -> tuple[Rule, ...]:
    """The rules for amounts, in the order in which they are tried."""
    signs = alternatives(language.currencies)
    scales = alternatives(language.scales)
    units = alternatives({**UNITS, **language.units})
    scale = rf"(?:{SPACE}?(?P<scale>{scales})(?![^\W_]))?+"
    sign = rf"(?P<sign>{signs}|{_CODES})"
    after = rf"{_COUNT}{scale}(?:{SPACE}?(?:d[e'’]{SPACE}?)?){sign}{_END}(?!(?<=[$£€]){SPACE}?\d)"
    # A letter on its own before a number is something else: F 16.
    leading = alternatives(one for one in language.currencies if len(one) > 1 or not one.isalpha())
    before = rf"(?P<sign>(?<![^\W\d_])(?:{leading}|{_CODES})){SPACE}?{_COUNT}{scale}{_END}"
    amounts = _Amounts(language)
    return (
        rule("time", rf"{_LASTING}{_END}", amounts.lap),
        rule(
            "unit",
            r"""(?<![\w.,])(?P<whole>\d{1,4})(?P<unit>m|kg|g|l)[.]?,[ ]?(?P<part>\d{1,3})
            (?![\d.,]*\d|[^\W_])""",
            amounts.old_decimals,
        ),
        Rule("money", re.compile(after), amounts.money),
        Rule(
            "money",
            re.compile(rf"{before}{SPACE}(?P<thousands>mila|mil)(?![^\W_])"),
            amounts.thousands,
        ),
        Rule(
            "money",
            re.compile(
                rf"\${SPACE}?{_COUNT}{scale}{_END}(?={SPACE}(?:de{SPACE})?(?:pesos|soles|bol[íi]vares|reais|euros))"
            ),
            amounts.signed,
        ),
        Rule("money", re.compile(before), amounts.money),
        Rule("percent", re.compile(rf"{_COUNT}{SPACE}?(?P<sign>[%‰])"), amounts.percent),
        Rule(
            "unit",
            re.compile(
                rf"(?<![\d/.,-])(?P<simple>[1-3]/[2-4]|[½⅓⅔¼¾]){SPACE}?(?P<unit>{units}){_END}"
            ),
            amounts.part_of_unit,
        ),
        Rule(
            "unit",
            re.compile(
                rf"{_COUNT}(?P<gap>{SPACE}?)(?P<unit>{units})"
                rf"(?:(?:/|{SPACE}/{SPACE}(?=\d))(?:(?P<n_below>\d{{1,4}}){SPACE}?)?(?P<below>{units}){_END})?"
                rf"(?:/(?:(?P<least>{units})|(?P<period>{_PERIODS})){_END})?{_UNIT_END}"
            ),
            amounts.unit,
        ),
        rule(
            "unit",
            rf"(?:(?<=\bpor[ ])|(?<=\bper[ ])|(?<=\bpar[ ]))(?P<unit>[kdcm]?m[23²³]){_END}",
            amounts.unit_alone,
        ),
        Rule("scale", re.compile(rf"{_COUNT}{SPACE}?(?P<scale>{scales}){_END}"), amounts.scaled),
        rule("fraction", _FRACTION.format("".join(language.fractions)), amounts.mixed),
        rule("digits", r"(?<![\d-])\d{2,5}[-‑]\d{4}(?![-/]?\d)" + _END, amounts.telephone),
        rule(
            "digits",
            r"(?P<name>ISBN(?:-1[03])?:?[ ])(?P<number>\d[\d-]{8,16}[\dX])(?!\w)",
            amounts.book_number,
        ),
        rule(
            "reference",
            r"(?<![-/.,])\d{1,4}(?:-\d{1,3}){1,3}(?:,\d{1,4}(?:-\d{1,3}){1,3})*(?![-–/]\d)" + _END,
            amounts.of_law,
        ),
        rule("digits", rf"(?<![\d.,])\d{{7,11}}(?![\d.,]*\d){_END}", amounts.long_telephone),
        # “+57 318 312452”.
        rule(
            "digits",
            r"\+\d{1,3}(?:[ .-]\(?\d{1,8}\)?){2,6}(?![ .-]?\d)" + _END,
            amounts.separate_digits,
        ),
        Rule("range", re.compile(rf"(?<![-/]){_COUNT}{_END}(?![-–/]\d)"), amounts.range),
        rule(
            "digits",
            rf"\+?\d{{1,5}}(?:[-/]\d{{2,6}}){{2,}}(?![-/]?\d){_END}",
            amounts.separate_digits,
        ),
        rule(
            "fraction",
            r"""(?<![\d/.,-])(?:(?P<whole>\d{1,4})[ \u00a0-])?(?P<simple>[1-9]/(?:10|[2-9]))
            (?![\d/]|[.,-]\d|[^\W_])""",
            amounts.simple,
        ),
        rule("season", r"(?P<year>1\d{3}|20\d\d)/(?P<following>\d\d)(?![\w/])", amounts.seasons),
        rule(
            "version",
            r"(?P<letter>[vV])(?P<parts>\d{1,4}(?:\.\d{1,4})+)(?![\w]|\.\d)",
            amounts.version,
        ),
        rule(
            "dotted",
            rf"(?P<parts>\d{{1,4}}(?:\.\d{{1,4}})+)(?P<letter>[a-z])?(?!,\d){_END}",
            amounts.dotted,
        ),
        rule(
            "code",
            r"(?<=[^\W\d_])[-‑](?P<digits>\d{1,6})(?:(?P<joint>[-‑](?=[^\W\d_]))|(?![\w/-]|[.,:]\d))",
            amounts.code,
        ),
        rule(
            "code",
            r"(?P<letters>[A-Z]{1,3})(?P<digits>[1-9]\d{0,2}(?:\.\d{3})+)(?![\w.,]*\d)" + _END,
            amounts.priced,
        ),
        rule("lettered", r"(?P<digits>\d{1,4})(?P<letter>[a-z])(?![^\W_])", amounts.lettered),
        Rule("number", re.compile(rf"{_MINUS}(?P<first>{NUMBER}){_END}"), amounts.number),
    )


def of_many(language: LanguageWords, of: str) -> Rule:
    """The rule for one of so many: “un sur mille” for “1/1000”."""

    def say(match: re.Match[str], context: Context) -> str:
        below = re.sub(r"\D", "", match["below"])
        said = (language.say_whole(part, context.region) for part in (match["above"], below))
        return f" {of} ".join(said)

    pattern = (
        r"(?<![\d/.,-])(?P<above>1|(?:1?\d|20)(?=/20)|(?<=[(])\d{2,3}(?=/\d{3}[)]))"
        r"/(?P<below>20|[1-9]\d{0,2}[ .]?000|[1-9]\d\d(?<=00)|\d{3}(?=[)]))"
        rf"(?![\d/]|[.,-]\d|{SPACE}?(?:s|mm)\b){_END}"
    )
    return Rule("fraction", re.compile(pattern), say)


class _Amounts:
    """What is said for the matches of `rules` in one language."""

    def __init__(self, language: LanguageWords) -> None:
        self._language = language

    def money(self, match: re.Match[str], context: Context) -> str | None:
        number = self._last(match, context)
        if number is None:
            return None
        euros = match["sign"] in _EUROS and match.start("sign") > match.start("first")
        if (
            len(number.decimals) == 3
            and len(number.whole) <= 3
            and match["scale"] is None
            and not euros  # “1,335 euros” the liter
        ):
            number = Number(number.whole + number.decimals)  # “$ 18,186”
            if match["last"] is None:
                currency = self._currency(match["sign"], number, context.region)
                said = self._language.say(number, context.region, currency.gender)
                return f"{self._minus(match)}{said} {currency.many}"
        scale = match["scale"]
        currency = self._currency(match["sign"], number, context.region)
        if scale is None and match["last"] is None and len(number.decimals) == 2 and currency.cents:
            return self._minus(match) + self._with_cents(number, currency, context.region)
        one = _is_one(number) and scale is None
        noun = currency.one if one else currency.many
        if scale is not None:
            return self._say_scaled(match, context, self._linked(noun))
        if not number.decimals and number.value >= _MILLION and not number.value % _MILLION:
            noun = self._linked(noun)
        return self._count(match, context, currency.gender, noun)

    def signed(self, match: re.Match[str], context: Context) -> str | None:
        """“doce mil quinientos” for “$ 12.500” before “pesos”, which the sign stands for."""
        if match["scale"]:
            return self._say_scaled(match, context, "")
        number = self._last(match, context)
        if number is None:
            return None
        millions = not number.decimals and number.value >= _MILLION
        gender = "m" if not millions or context.word_after(match.end()) != "de" else ""
        return self._count(match, context, gender, "")

    def thousands(self, match: re.Match[str], context: Context) -> str | None:
        """“doscientos mil pesos” for “$ 200 mil”."""
        number = self._last(match, context)
        if number is None or match["scale"]:
            return None
        currency = self._currency(match["sign"], number, context.region)
        noun = f"{match['thousands']} {currency.many}"
        return self._count(match, context, currency.gender, noun)

    def _linked(self, noun: str) -> str:
        """The noun after millions: “de dólares”, “d'euros”."""
        link = "d'" if self._language.link == "d'" and noun[0].lower() in "aeiou" else ""
        return f"{link or self._plain_link()}{noun}"

    def _plain_link(self) -> str:
        link = self._language.link
        return "de " if link == "d'" else link

    def _with_cents(self, number: Number, currency: CurrencyWords, region: str) -> str:
        language, cents = self._language, int(number.decimals)
        whole = Number(number.whole)
        noun = currency.one if _is_one(whole) else currency.many
        money = f"{language.say(whole, region, currency.gender)} {noun}"
        if not cents:
            return money
        name = currency.cent if cents == 1 else currency.cents
        counted = language.cardinal(cents, region, language.gender(name) or "m")
        if not int(number.whole):
            return f"{counted} {name}"
        bare = language.cardinal(cents, region, "")
        return language.cents.format(money=money, number=bare, cents=f"{counted} {name}")

    def _currency(self, sign: str, number: Number, region: str) -> CurrencyWords:
        local = self._language.regional_currencies.get(region, {})
        known = local.get(sign) or self._language.currencies.get(sign)
        if known:
            return known
        code = self._language.code
        one = number_words.currency_name(sign, Decimal(1), code, region)
        many = number_words.currency_name(sign, max(number.value, Decimal(2)), code, region)
        return CurrencyWords(one, many, gender=self._language.gender(one.split()[0]) or "m")

    def percent(self, match: re.Match[str], context: Context) -> str | None:
        language = self._language
        word = language.percent if match["sign"] == "%" else language.permille
        return self._count(match, context, "m", word)

    def unit(self, match: re.Match[str], context: Context) -> str | None:
        number, code = self._last(match, context), self._language.code
        if number is None or self._is_lettered(match, context):
            return None
        if match["unit"] == "h" and "." in match["first"]:  # an hour, not a duration
            return None
        if match["unit"] == "ha" and _VERB_AFTER.match(context.text, match.end()):
            return None
        words = self._language.unit_words.get(match["unit"])
        unit = self._language.units.get(match["unit"]) or UNITS[match["unit"]]
        name = number_words.unit_name(unit, number.value, code, context.region)
        if words:
            name = words[0] if number.value == 1 else words[1]
        gender = self._language.gender(name.split()[0]) or "m"
        if below := match["below"]:
            name += f" {self._language.per} {self._below(below, match['n_below'], context.region)}"
        if period := match["period"]:
            name += f" {self._language.per} {period}"
        if least := match["least"]:
            name += f" {self._language.per} {self._unit_name(least, context.region)}"
        return self._count(match, context, gender, name)

    def unit_alone(self, match: re.Match[str], context: Context) -> str | None:
        """“por kilómetro cuadrado”, without a number."""
        return self._unit_name(match["unit"], context.region) if match["unit"] in UNITS else None

    def old_decimals(self, match: re.Match[str], context: Context) -> str:
        """“zero vírgula zero cinco três metros” for “0m,053”, as it was printed before 1930."""
        language = self._language
        number = Number(match["whole"], match["part"])
        unit = UNITS[match["unit"]]
        name = number_words.unit_name(
            unit, max(number.value, Decimal(2)), language.code, context.region
        )
        return f"{language.say(number, context.region)} {name}"

    def _unit_name(self, printed: str, region: str) -> str:
        """The name of one of a unit."""
        language = self._language
        words = language.unit_words.get(printed)
        unit = language.units.get(printed) or UNITS[printed]
        one = Decimal(1)
        return words[0] if words else number_words.unit_name(unit, one, language.code, region)

    def _below(self, printed: str, count: str | None, region: str) -> str:
        """“litre”, or “cent millilitres” for a count, in “80 mg/100 ml”."""
        if count is None:
            return self._unit_name(printed, region)
        words = self._language.unit_words.get(printed)
        unit = self._language.units.get(printed) or UNITS[printed]
        many = number_words.unit_name(unit, Decimal(count), self._language.code, region)
        name = words[1] if words else many
        gender = self._language.gender(name.split()[0]) or "m"
        return f"{self._language.say_whole(count, region, gender)} {name}"

    def _is_lettered(self, match: re.Match[str], context: Context) -> bool:
        """Whether a letter after digits is a part of a law's number, and no unit."""
        if match["unit"] == "s" and not match["gap"] and _before(match, context) in _OF_AGES:
            return True  # “en sus 20s”
        if not match["gap"] and _NAMES_A_NUMBER.search(context.text, 0, match.start()):
            return True
        if match["unit"] in {"l", "L"} and re.match(r"\.\s\d", context.text[match.end() :][:3]):
            return True  # “art. 70 l. 633”: a law
        gap = match["gap"] and match["unit"] != "V"  # “Art. 4 V v. 21.4.”: a regulation
        if gap or len(match["unit"]) > 1 or match["below"] or "," in match["first"]:
            return False
        return bool(_LETTERED.search(context.text, max(0, match.start() - 90), match.start()))

    def part_of_unit(self, match: re.Match[str], context: Context) -> str | None:
        """“un quarto di litro”, “mezzo litro”."""
        language, sign = self._language, _SIMPLE.get(match["simple"], match["simple"])
        if sign not in language.fractions:
            return None
        name = self._unit_name(match["unit"], context.region)
        if sign == "½":
            gender = language.gender(name.split()[0])
            return f"{language.halves.get(gender, language.halves[''])} {name}"
        link = "d'" if language.link == "d'" and name[0] in "aeiouhé" else self._plain_link()
        return f"{language.fractions[sign]} {link}{name}"

    def scaled(self, match: re.Match[str], context: Context) -> str | None:
        return self._say_scaled(match, context, "")

    def _say_scaled(self, match: re.Match[str], context: Context, noun: str) -> str | None:
        number = self._last(match, context)
        if number is None:
            return None
        one, many = self._language.scales[re.sub(r"\s", " ", match["scale"])]
        printed = match["scale"]
        few = number.value < 2 if self._language.code in {"fr", "pt"} else _is_one(number)
        said = printed if printed in {one, many} else one if few else many
        gender = self._language.gender(one.split()[0]) or "m"
        return self._count(match, context, gender, f"{said} {noun}".strip())

    def mixed(self, match: re.Match[str], context: Context) -> str | None:
        language, region = self._language, context.region
        sign, noun = match["sign"], match["noun"] or ""
        gender = language.gender(noun)
        if match["whole"] is None:
            half = language.halves.get(gender, language.halves[""])
            return f"{half if sign == '½' else language.fractions[sign]} {noun}".strip()
        template = language.mixed_fractions.get(sign)
        if template is None:
            return None
        gender = language.counted(match["whole"], noun) if noun else gender
        number = language.say_whole(match["whole"], region, gender or "m")
        counts = gender or (language.code == "fr" and noun.endswith("s"))
        if language.code == "de" or not counts:
            return f"{template.format(number)} {noun}".strip()
        said = template.format(f"{number} {noun}")
        return _feminine_half(said) if gender == "f" and sign == "½" else said

    def simple(self, match: re.Match[str], context: Context) -> str | None:
        """“trois huitièmes”, “dix-huit et demi”."""
        language, printed = self._language, match["simple"]
        above, below = map(int, printed.split("/"))
        if above >= below or _before(match, context) in language.labels:
            return None
        sign = _SIMPLE.get(printed, "")
        number = language.say_whole(match["whole"], context.region) if match["whole"] else ""
        if number and sign in language.mixed_fractions:
            return language.mixed_fractions[sign].format(number)
        said = language.fractions.get(sign)
        if not said:
            if below not in language.parts:
                return None
            one, many = language.parts[below]
            gender = language.gender(one) or "m"
            said = (
                f"{language.cardinal(above, context.region, gender)} {many if above > 1 else one}"
            )
        joint = f" {language.symbols['&']} " if language.code != "de" else " "
        return f"{number}{joint}{said}" if number else said

    def range(self, match: re.Match[str], context: Context) -> str | None:
        last = match["last"]
        if last is None or match["minus"]:
            return None
        first, second = match["first"], last
        if not (first.isdecimal() and second.isdecimal()):
            return None
        near = context.text[max(0, match.start() - NEAR) : match.start()]
        if "-" in match[0] and len(second) > 2 and _NUMBERED.search(near):
            return None
        if len(second) < len(first):
            paged = len(first) == 3 and _PAGES.fullmatch(_before(match, context))
            whole = first[: -len(second)] + second
            if int(whole) <= int(first) or not (paged or (len(first) == 4 and len(second) < 3)):
                return None
            second = whole if paged else whole[2:]
        elif int(second) <= int(first):
            return None
        gender = self._language.counted(last, context.word_after(match.end()))
        year = len(first) == 4 and not gender
        said = [
            self._year_or_number(text, context, gender if not year else "")
            for text in (first, second)
        ]
        return f"{said[0]} {self._language.to} {said[1]}"

    def _year_or_number(self, text: str, context: Context, gender: Gender) -> str:
        if len(text) == 4 and not gender:
            return self._language.year(int(text), context.region)
        return self._language.say_whole(text, context.region, gender)

    def seasons(self, match: re.Match[str], context: Context) -> str | None:
        """“1944/45”: a winter or a school year."""
        first, following = int(match["year"]), match["following"]
        if (first + 1) % 10 ** len(following) != int(following):
            return None
        year = self._language.year(first, context.region)
        return f"{year} {self._language.say_whole(following, context.region)}"

    def separate_digits(self, match: re.Match[str], context: Context) -> str:
        """A telephone number or another number that counts nothing: its digits in groups."""
        groups = re.findall(r"\d+", match[0])
        near = context.text[max(0, match.start() - NEAR) : match.start()]
        listed = re.search(r"\b(?:artt?|articoli|artículos|artigos)\b\.?\s\Z", near)
        if "/" in match[0] and (listed or _are_points(groups)):
            return ", ".join(self._language.say_whole(group, context.region) for group in groups)
        return ", ".join(self._language.say_digits(group, context.region) for group in groups)

    def of_law(self, match: re.Match[str], context: Context) -> str | None:
        """“21 tiret 28” of a French code, “1030 trattino 1” of any law: no range."""
        parts = re.split("[-,]", match[0])
        if not _LETTERED.search(context.text, max(0, match.start() - 90), match.start()):
            return None
        if self._language.code != "fr" and len(parts[-1]) >= len(parts[0]):
            return None
        hyphen = f" {self._language.hyphen} "
        numbers = (one.split("-") for one in match[0].split(","))
        return ", ".join(
            hyphen.join(self._language.say_whole(part, context.region) for part in number)
            for number in numbers
        )

    def long_telephone(self, match: re.Match[str], context: Context) -> str | None:
        if not _TELEPHONE.search(context.text, max(0, match.start() - NEAR), match.start()):
            return None
        return self._language.say_digits(match[0], context.region)

    def lap(self, match: re.Match[str], context: Context) -> str | None:
        """“um minuto dezanove vírgula trinta e dois segundos” for “1m19,32s”."""
        language, region = self._language, context.region
        whole, _, part = (match["seconds"] or "0").replace(".", ",").partition(",")
        seconds = Number(str(int(whole)), part)
        said = [
            self._timed(Number(str(int(match[name]))), name.removesuffix("s"), region)
            for name in ("hours", "minutes")
            if match[name]
        ]
        if match["seconds"]:
            said.append(self._timed(seconds, "second", region))
        and_ = f" {language.symbols['&']} " if not match["seconds"] else " "
        return and_.join(said)

    def _timed(self, number: Number, unit: str, region: str) -> str:
        """“três minutos”."""
        language = self._language
        name = number_words.unit_name(f"duration-{unit}", number.value, language.code, region)
        return f"{language.say(number, region, language.gender(name) or 'm')} {name}"

    def telephone(self, match: re.Match[str], context: Context) -> str | None:
        """“231-5346”, and any number after “tel.”."""
        first, _ = re.split("[-‑]", match[0])
        if len(first) != 3 and not _TELEPHONE.search(context.text, 0, match.start()):
            return None
        return self.separate_digits(match, context)

    def book_number(self, match: re.Match[str], context: Context) -> str:
        digits = self._language.say_digits(re.sub(r"[^\d]", "", match["number"]), context.region)
        return f"{match['name'].rstrip()} {digits}{' X' if match['number'].endswith('X') else ''}"

    def dotted(self, match: re.Match[str], context: Context) -> str | None:
        letter = match["letter"] or ""
        if not letter and self._language.read(match["parts"], context.region):
            return None
        parts = match["parts"].split(".")
        said = [self._language.say_whole(part, context.region) for part in parts]
        return f"{f' {self._language.dot} '.join(said)} {letter}".strip()

    def code(self, match: re.Match[str], context: Context) -> str:
        """“SHA-1”: a number that a hyphen joins to letters."""
        said = self._language.say_whole(match["digits"], context.region)
        return f" {said} " if match["joint"] else f" {said}"

    def priced(self, match: re.Match[str], context: Context) -> str | None:
        """“M dois mil” for “M2.000”: letters before a number with separators."""
        number = self._language.read(match["digits"], context.region)
        return number and f"{match['letters']} {self._language.say(number, context.region)}"

    def version(self, match: re.Match[str], context: Context) -> str:
        """“v un point zéro point un”."""
        parts = match["parts"].split(".")
        said = f" {self._language.dot} ".join(
            self._language.say_whole(part, context.region) for part in parts
        )
        return f"{match['letter']} {said}"

    def lettered(self, match: re.Match[str], context: Context) -> str:
        said = self._language.say_whole(match["digits"], context.region)
        named = _NAMES_A_NUMBER.search(context.text, 0, match.start())
        plural = match["letter"] == "s" and (named or _before(match, context) in _OF_AGES)
        return said if plural else f"{said} {match['letter']}"

    def number(self, match: re.Match[str], context: Context) -> str | None:
        language, region = self._language, context.region
        number = language.read(match["first"], region)
        if number is None:
            return None
        before = _before(match, context)
        if len(match["first"]) == 4 and before in language.tell_years:
            return language.year(int(number.whole), region)
        # “200 y 300 personas”, “2 mil pessoas”: the noun comes later.
        later = _LATER_NOUN.match(context.text, match.end())
        noun = later["noun"] if later else context.word_after(match.end())
        counted = language.counted(match["first"], noun, before)
        if not counted and before in language.before_hours:
            counted = "f"
        if number.decimals == "00" and re.search(r"\D", match["first"][:-3]):
            number = Number(number.whole)  # “1.311.700,00 francos”
        return self._dash(match, context) + language.say(number, region, counted)

    def _count(
        self, match: re.Match[str], context: Context, gender: Gender, noun: str
    ) -> str | None:
        """The number or range of the match, and what it counts."""
        if match["last"] is not None and context.text[: match.start()].endswith("/"):
            return None  # “02/12 - 16h”: a day, then an hour
        language, region = self._language, context.region
        first = self._measured(match["first"], region)
        if first is None:
            return None
        said = self._minus(match) + language.say(first, region, gender)
        if match["last"] is not None:
            last = self._measured(match["last"], region)
            if last is None or last.value <= first.value:
                return None
            said = f"{said} {language.to} {language.say(last, region, gender)}"
        return f"{said} {noun}".strip()

    def _last(self, match: re.Match[str], context: Context) -> Number | None:
        return self._measured(match["last"] or match["first"], context.region)

    def _measured(self, text: str, region: str) -> Number | None:
        """A number before what it counts: there a point is a decimal sign, as in “0.25 mg”."""
        number = self._language.read(text, region)
        if number is None and re.fullmatch(r"\d{1,4}\.\d{1,4}", text):
            whole, decimals = text.split(".")
            return Number(whole, decimals)
        return number

    def _minus(self, match: re.Match[str]) -> str:
        return f"{self._language.minus} " if match["minus"] else ""

    def _dash(self, match: re.Match[str], context: Context) -> str:
        """A minus; a pause after a number or a name: “27 -13 deles”, “Covid -19”."""
        before = context.text[max(0, match.start() - NEAR) : match.start()]
        heat = context.word_after(match.end()).startswith("gra")
        if match["minus"] and not heat and _DASHED.search(before):
            return ""
        return self._minus(match)


def _feminine_half(said: str) -> str:
    return f"{said[:-1]}a" if said.endswith("o") else f"{said}e"


def _are_points(groups: list[str]) -> bool:
    """Whether numbers are those of a form's points: “15/17/18/19”."""
    numbers = [int(group) for group in groups]
    short = all(len(group) < 3 and not group.startswith("0") for group in groups)
    return short and len(groups) > 3 and all(a < b for a, b in pairwise(numbers))


def _before(match: re.Match[str], context: Context) -> str:
    return context.word_before(match.start()).lower()


def _is_one(number: Number) -> bool:
    return not number.decimals.strip("0") and int(number.whole) == 1
