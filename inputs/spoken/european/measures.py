"""Percentages, units, angles and lengths of time in European languages.

“treinta kilómetros por hora”, “cuarenta grados norte”
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal

from audiomill.inputs.languages.declaration import words
from audiomill.inputs.spoken.european import durations, fractions, number_words
from audiomill.inputs.spoken.european.counting import (
    COUNT,
    END,
    SPACE,
    Counting,
    alternatives,
    is_joined,
    is_of_ages,
    is_of_law,
    lowered_word_before,
)
from audiomill.inputs.spoken.european.language import Gender, LanguageWords, Number, Portion
from audiomill.inputs.spoken.european.number_words import UNITS
from audiomill.inputs.spoken.rules import Context, Rule, dense_rule, rule

_UNIT_END = r"(?![^\W_]|['’](?=[^\W_]))"  # not “1834 l'intention”, “art. 1 l'820”
_UNIT_STOP = r"(?:\.(?=[ \u00a0][a-zà-ÿ]))?"  # “80 cm. de profondeur”
_VERB_AFTER = re.compile(
    r" (?!di |de |do |da |d['’]|y |e |a |o |et |und |Land)[a-zà-ù]+[oaie](?![^\W_])"
)  # “l'HTML 2 ha dato”
_PERIODS = (
    "heure|jour|semaine|mois|an|Stunde|Tag|Woche|Monat|Jahr|hora|día|semana|mes|año|ora|giorno"
    "|settimana|mese|anno|dia|mês|ano"
)
_OLD_DECIMALS = (
    r"(?<![\w.,])(?P<whole>\d{1,4})(?P<unit>m|kg|g|l)[.]?,[ ]?(?P<part>\d{1,3})"
    r"(?![\d.,]*\d|[^\W_])"
)
# “20 €/mes”, “30 mil/ano”, “24 horas/día”.
_EACH = (
    r"/(?=(?:mes|mês|mese|mois|Monat|dia|día|giorno|jour|Tag|an|ano|año|anno|Jahr|hora|ora|heure"
    r"|Stunde|semana|settimana|semaine|Woche|noche|notte|noite|nuit|Nacht|persona|pessoa|personne"
    r"|Person|habitante|abitante|habitant|Einwohner|minuto|minute|Minute|kg|km|mq|m2|m²|MWh|kWh)\b)"
)
_INVERSE = "[cmnµd]?m|k?g|h|L|min|mol|s"  # “870 cm-1” of a spectrum
_COUNTED_BEFORE = re.compile(
    r"\d[^\s/]*(?: mil(?:a|hões|lones|ioni)?| Mio\.?)?(?: ?[^\W\d_€$£]{1,15}| ?[€$£])?\Z"
)
_NETWORK = re.compile(
    r"\b(?:re[dt]e?s?|cobertura|copertura|couverture|réseaux?|conexi[óo]n|conex(?:ão|ões)|connessione"
    r"|connexion|internet|tecnolog[íi]as?|se[gñ]n?ale?s?|sinal|m[óo]dem|router|dados|datos|dati|Netz"
    r"|celular|móvil|mobile|em|en|in)\s(?:\w+\s)?\Z",
    re.IGNORECASE,
)
_PERCENT = rf"{COUNT}{SPACE}?(?P<sign>[%‰])"
_ROUNDED = re.compile(r"(?P<whole>\d{1,2}),(?P<decimals>000)")  # “96,000 %”
_PAGES = rf"{COUNT}{SPACE}(?:pp?|p[áa]gg?s?)\.(?!{SPACE}?(?:m\.|\d|[ivxlcIVXLC]+\b)|\w)"
_PARTS = "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
_UNIT_ALONE = (
    rf"(?:(?<=\bpor[ ])|(?<=\bper[ ])|(?<=\bpar[ ]))(?P<unit>[kdcm]?m[23²³]|kg|km|kWh){END}"
)


def inner_units(language: LanguageWords) -> tuple[Rule, ...]:
    """The rules for units between digits: “1m19,32s”, “0m,053”."""
    measures = _Measured(language)
    return (
        *durations.rules(language),
        rule("unit", _OLD_DECIMALS, measures.old_decimals),
    )


def rules(language: LanguageWords) -> tuple[Rule, ...]:
    """The rules for percentages and units, in the order in which they are tried."""
    units = alternatives({**UNITS, **language.units})
    # “½ l”, “3/8 l”
    part = (
        rf"(?<![\d/.,-])(?:(?P<whole>\d{{1,3}})(?:{SPACE}|(?=[{_PARTS}])))?"
        rf"(?P<simple>[1-3]/[2-4]|[1-7]/[568]|[{_PARTS}]){SPACE}?(?P<unit>{units}){END}"
    )
    measures = _Measured(language)
    return (
        dense_rule("percent", _PERCENT, measures.percent),
        dense_rule("unit", part, measures.part_of_unit),
        dense_rule("unit", _PAGES, measures.pages),
        dense_rule(
            "unit",
            rf"{COUNT}{SPACE}?(?P<unit>{_INVERSE})(?:[-−–]1|⁻¹)(?!\d)",
            measures.inverse,
        ),
        dense_rule("unit", _counted(units), measures.unit),
        rule("unit", _UNIT_ALONE, measures.unit_alone),
        dense_rule("sign", _EACH, measures.each),
    )


def _counted(units: str) -> str:
    """The pattern of a number and a unit, and what that is measured against: “80 mg/100 ml”."""
    return (
        rf"{COUNT}(?P<gap>{SPACE}?)(?P<unit>{units})"
        rf"(?:(?:/|{SPACE}/{SPACE}(?=10?0?0?\D))(?:(?P<n_below>\d{{1,4}}){SPACE}?)?(?P<below>{units}){END})?"
        rf"(?:/(?:(?P<least>{units})|(?P<period>{_PERIODS})){END})?{_UNIT_END}{_UNIT_STOP}"
    )


class _Measured(Counting):
    """What is said for percentages, units and lengths of time in one language."""

    def percent(self, match: re.Match[str], context: Context) -> str | None:
        """“veinte por ciento”."""
        language = self.language
        word = language.percent if match["sign"] == "%" else language.permille
        rounded = _ROUNDED.fullmatch(match["first"])
        if rounded and match["last"] is None and context.region not in language.point_regions:
            number = Number(rounded["whole"], rounded["decimals"])
            return f"{self.minus(match)}{language.say(number, context.region)} {word}"
        return self.count(match, context, "m", word)

    def unit(self, match: re.Match[str], context: Context) -> str | None:
        """“treinta kilómetros por hora”."""
        number = self.last(match, context)
        if number is None or _is_no_unit(match, context):
            return None
        if match["unit"] == "º" and len(number.whole) > 3:
            return self.count(match, context, "m", "")  # “o 10.001º exemplo”
        name = self._name(match["unit"], number.value, context.region)
        gender = self._gender_of_unit(match["unit"], name)
        return self.count(match, context, gender, name + self._against(match, context.region))

    def pages(self, match: re.Match[str], context: Context) -> str | None:
        """“duzentas e oito páginas”."""
        number = self.last(match, context)
        one, many = self.language.pages
        if number is None or number.decimals:
            return None
        return self.count(match, context, "f", one if number.value == 1 else many)

    def inverse(self, match: re.Match[str], context: Context) -> str | None:
        """“mil por segundo” for “1000 s-1”."""
        noun = f"{self.language.per} {self._name_of_one(match['unit'], context.region)}"
        return self.count(match, context, "m", noun)

    def unit_alone(self, match: re.Match[str], context: Context) -> str | None:
        """“por kilómetro cuadrado”, without a number."""
        return self._name_of_one(match["unit"], context.region) if match["unit"] in UNITS else None

    def each(self, match: re.Match[str], context: Context) -> str | None:
        """“por” for the stroke of “30 mil/ano”, where an amount stands before it."""
        near = context.text_before(match.start())
        return f" {self.language.per} " if _COUNTED_BEFORE.search(near) else None

    def part_of_unit(self, match: re.Match[str], context: Context) -> str | None:
        """“un quarto di litro”, “mezzo litro”, “un litro e mezzo”."""
        language = self.language
        one = self._name_of_one(match["unit"], context.region)
        many = self._name(match["unit"], Decimal(2), context.region)
        portion = Portion(one, many, self._gender_of_unit(match["unit"], one))
        return fractions.say_portion(
            language, match["whole"], match["simple"], portion, context.region
        )

    def old_decimals(self, match: re.Match[str], context: Context) -> str:
        """“zero vírgula zero cinco três metros” for “0m,053”, as it was printed before 1930."""
        language, region = self.language, context.region
        number = Number(match["whole"], match["part"])
        count = max(number.value, Decimal(2))
        name = number_words.unit_name(UNITS[match["unit"]], count, language.code, region)
        return f"{language.say(number, region)} {name}"

    def _gender_of_unit(self, printed: str, name: str) -> Gender:
        feminine = printed in self.language.feminine_units
        return "f" if feminine else self.language.gender(name.split()[0]) or "m"

    def _name(self, printed: str, count: Decimal, region: str) -> str:
        """The name of a unit after a number of `count`."""
        words = self.language.unit_words.get(printed)
        if words:
            return words[0] if count == 1 else words[1]
        unit = self.language.units.get(printed) or UNITS[printed]
        return number_words.unit_name(unit, count, self.language.code, region)

    def _name_of_one(self, printed: str, region: str) -> str:
        return self._name(printed, Decimal(1), region)

    def _against(self, match: re.Match[str], region: str) -> str:
        """“ por hora”: what a unit is measured against, after a space."""
        names = (
            match["below"] and self._below(match["below"], match["n_below"], region),
            match["period"],
            match["least"] and self._name_of_one(match["least"], region),
        )
        return "".join(f" {self.language.per} {name}" for name in names if name)

    def _below(self, printed: str, count: str | None, region: str) -> str:
        """“litre”, or “cent millilitres” for a count, in “80 mg/100 ml”."""
        if count is None:
            return self._name_of_one(printed, region)
        name = self._name(printed, Decimal(count), region)
        gender = self.language.gender(name.split()[0]) or "m"
        return f"{self.language.say_whole(count, region, gender)} {name}"


def _is_no_unit(match: re.Match[str], context: Context) -> bool:
    """Whether what looks like a unit is the hour of a day, a verb, or the letter of a number."""
    if match["unit"] == "h" and "." in match["first"]:  # an hour, not a duration
        return True
    if match["unit"] == "g" and not match["gap"] and _is_network(match, context):
        return True
    if match["unit"] == "ha" and _VERB_AFTER.match(context.text, match.end()):
        return True
    return _is_letter(match, context)


def _is_network(match: re.Match[str], context: Context) -> bool:
    """Whether “4g” is a generation of telephones."""
    near = context.text_before(match.start())
    return match["first"] in {"2", "3", "4", "5", "6"} and _NETWORK.search(near) is not None


def _is_letter(match: re.Match[str], context: Context) -> bool:
    """Whether a letter after digits is a part of a law's number, and no unit."""
    if match["unit"] == "s" and not match["gap"] and is_of_ages(match, context):
        return True  # “en sus 20s”
    if not match["gap"] and is_joined(match, context):
        return True
    if match["unit"] in {"l", "L"} and re.match(r"\.\s\d", context.text[match.end() :][:3]):
        return True  # “art. 70 l. 633”: a law
    gap = match["gap"] and match["unit"] != "V"  # “Art. 4 V v. 21.4.”: a regulation
    if (
        gap
        or len(match["unit"]) > 1
        or not match["unit"].isalpha()
        or match["below"]
        or "," in match["first"]
    ):
        return False
    return is_of_law(match, context)


_ANGLE = (
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


def angles(language: LanguageWords, sides: Mapping[str, str]) -> tuple[Rule, ...]:
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
            _counted_unit(language, unit, Number(str(int(whole)), decimals or ""), context.region)
            for unit, whole, decimals in parts
            if whole
        ]
        return " ".join((*said, sides[match["side"]])) if match["side"] else " ".join(said)

    return (dense_rule("unit", _ANGLE, say),)


def _counted_unit(language: LanguageWords, unit: str, number: Number, region: str) -> str:
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
