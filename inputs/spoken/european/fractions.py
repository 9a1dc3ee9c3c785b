"""Fractions in European languages: “trois huitièmes”, “dix-huit et demi”, “un sur mille”.

Recipes take parts of what they measure: “un quart de tasse”, “deux cuillères à soupe et demie”.
"""

from __future__ import annotations

import re

from audiomill.inputs.spoken.european.counting import (
    END,
    SPACE,
    Counting,
    alternatives,
    linked,
    lowered_word_before,
)
from audiomill.inputs.spoken.european.language import LanguageWords, Portion
from audiomill.inputs.spoken.rules import Context, Rule, dense_rule, rule

SIGNS = {"1/2": "½", "1/3": "⅓", "2/3": "⅔", "1/4": "¼", "3/4": "¾"}
# Signs of parts that have no words of their own.
_SMALL_PARTS = {
    **dict(zip("⅕⅖⅗⅘", ("1/5", "2/5", "3/5", "4/5"), strict=True)),
    **dict(zip("⅙⅚⅛⅜⅝⅞", ("1/6", "5/6", "1/8", "3/8", "5/8", "7/8"), strict=True)),
}
_SMALL_SIGN = rf"(?:(?P<whole>\d{{1,6}})\s?)?(?P<sign>[{''.join(_SMALL_PARTS)}])(?![^\W_])"
_NOUN = (  # “Jahre”, “Mill.”, “£”
    r"(?:(?!(?!Mrd)[^\W\d_aeiouäöüyAEIOUÄÖÜ]{{3,6}}\.)(?P<noun>[^\W\d_]{{3,20}})(?:(?<=\bMi[ol])\.|(?<=\bMill)\.|(?<=\bMrd)\.)?|(?P<money>[£$€]))"
)
_SIGN = rf"(?P<whole>\d{{{{1,6}}}})?\s?(?P<sign>[{{}}])(?:[ \u00a0]{_NOUN})?(?![^\W_])"
_PRINTED = (
    r"(?<![\d/.,-])(?:(?P<whole>\d{1,4})[ \u00a0-])?(?P<simple>[1-9]/(?:10|[2-9]))"
    r"(?![\d/]|[.,-]\d|[^\W_])"
)
_OF_MANY = (
    r"(?<![\d/.,-])(?P<above>1|(?:1?\d|20)(?=/20)|(?<=[(])\d{2,3}(?=/\d{3}[)]))"
    r"/(?P<below>20|[1-9]\d{0,2}[ .]?000|[1-9]\d\d(?<=00)|\d{3}(?=[)]))"
    rf"(?![\d/]|[.,-]\d|{SPACE}?(?:s|mm)\b){END}"
)

_OF_TEN = 10
_MARK = (
    r"(?<![\d/.,-])(?P<points>\d{1,2},\d{1,2})/(?P<highest>5|10|20|100)"
    r"(?![\d/]|[.,-]\d|[^\W_])"
)
_OF = re.compile(r"\s(?:d[eauio']|d’|della?|delle|dos|das|des)")
PART = r"[½⅓⅔¼¾⅕⅙⅛]|1/[2-9]|2/3|3/4"
_WHOLE = rf"(?P<whole>\d{{1,2}})(?:{SPACE}(?:(?:et|y|e){SPACE})?|(?=[½⅓⅔¼¾⅕⅙⅛]))"


# “2 ¹/2 Millionen”, “2¹/4 graus”: as “½” is said
_RAISED = r"(?:(?P<whole>[1-9]\d{0,3})[ ]?)?(?P<above>[¹²³])/(?P<below>[234])(?![\w/]|[.,]\d)"
_SIGNS_OF_RAISED = {"¹2": "½", "¹3": "⅓", "²3": "⅔", "¹4": "¼", "³4": "¾"}


def raised(language: LanguageWords) -> Rule:
    """The rule for a fraction whose upper number alone is raised."""

    def said(match: re.Match[str], context: Context) -> str | None:
        sign = _SIGNS_OF_RAISED.get(match["above"] + match["below"])
        if sign is None:
            return None
        if not match["whole"]:
            return language.fractions[sign]
        mixed = language.mixed_fractions.get(sign, "{} " + language.fractions[sign])
        number = language.say_whole(match["whole"], context.region)
        return mixed.format(number)

    return dense_rule("fraction", _RAISED, said)


def signs(language: LanguageWords) -> tuple[Rule, ...]:
    """The rule for fractions that are one sign: “2½”."""
    fractions = _Fractions(language)
    return (
        rule("fraction", _SIGN.format("".join(language.fractions)), fractions.sign),
        rule("fraction", _SMALL_SIGN, fractions.small_sign),
    )


def printed(language: LanguageWords) -> tuple[Rule, ...]:
    """The rule for fractions of two numbers: “18 3/8”."""
    fractions = _Fractions(language)
    return (
        rule("fraction", _PRINTED, fractions.printed),
        rule("score", _MARK, fractions.mark),
    )


def of_many(language: LanguageWords, of: str) -> Rule:
    """The rule for one of so many: “un sur mille” for “1/1000”."""

    def say(match: re.Match[str], context: Context) -> str:
        below = re.sub(r"\D", "", match["below"])
        said = (language.say_whole(part, context.region) for part in (match["above"], below))
        return f" {of} ".join(said)

    return dense_rule("fraction", _OF_MANY, say)


def of_portions(language: LanguageWords) -> tuple[Rule, ...]:
    """The rule for a part of a portion; none in a language that names no portions."""
    if not language.portions:
        return ()
    nouns = alternatives(language.portions)
    printed = (
        rf"(?<![\d/.,-])(?:{_WHOLE})?(?P<part>{PART})"
        rf"{SPACE}(?:de[ ])?(?P<noun>{nouns}){END}"
    )

    after = (
        rf"(?<![\d/.,-])(?P<whole>\d{{1,2}}){SPACE}(?P<noun>{nouns}){SPACE}(?:(?:et|y|e){SPACE})?"
        rf"(?P<part>{PART})(?![\d/]|[.,-]\d|[^\W_])"
    )

    def say(match: re.Match[str], context: Context) -> str | None:
        portion = language.portions[match["noun"]]
        return say_portion(language, match["whole"], match["part"], portion, context.region)

    return tuple(dense_rule("fraction", one, say) for one in (printed, after))


def say_portion(
    language: LanguageWords, whole: str | None, part: str, portion: Portion, region: str
) -> str | None:
    """“un quart de tasse”, “une tasse et demie”; None if the part has no word."""
    part = _SMALL_PARTS.get(part, part)
    sign = SIGNS.get(part, part)
    name = language.fractions.get(sign) or _name_of_part(language, part)
    if name is None:
        return None
    if not whole:
        half = language.halves.get(portion.gender, language.halves[""])
        whole_of = linked(language, portion.one)
        return f"{half} {portion.one}" if sign == "½" else f"{name} {whole_of}"
    if language.fractions_before_nouns:  # “eineinhalb Liter”
        template = language.mixed_fractions.get(sign)
        number = language.say_whole(whole, region, "m")
        return f"{(template or f'{{}} {name}').format(number)} {portion.many}"
    noun = portion.one if int(whole) == 1 else portion.many
    counted = f"{language.say_whole(whole, region, portion.gender)} {noun}"
    if sign != "½":
        return f"{counted} {language.symbols['&']} {name}"
    said = language.mixed_fractions[sign].format(counted)
    return _feminine_half(said) if portion.gender == "f" else said


def _name_of_part(language: LanguageWords, part: str) -> str | None:
    """“un huitième”, “trois huitièmes”."""
    above, _, below = part.partition("/")
    names = language.parts.get(int(below or 0))
    if names is None or not 0 < int(above) < int(below):
        return None
    return f"{language.cardinal(int(above), '', 'm')} {names[above != '1']}"


class _Fractions(Counting):
    """What is said for fractions in one language."""

    def sign(self, match: re.Match[str], context: Context) -> str | None:
        """“tres pulgadas y media”, “medio”."""
        sign, noun = match["sign"], self._noun(match)
        if match["whole"] is None:
            gender = self.language.gender(noun)
            half = self.language.halves.get(gender, self.language.halves[""])
            return f"{half if sign == '½' else self.language.fractions[sign]} {noun}".strip()
        template = self.language.mixed_fractions.get(sign)
        return None if template is None else self._mixed(match, context.region, template)

    def _noun(self, match: re.Match[str]) -> str:
        """What is counted: “Millionen” for “Mill.”, “Pfund” for “£”."""
        language, noun = self.language, match["noun"] or ""
        if match["money"]:
            currency = language.currencies.get(match["money"])
            return currency.many if currency and match["whole"] else match["money"]
        return language.scales[noun][1] if noun in language.scales else noun

    def _mixed(self, match: re.Match[str], region: str, template: str) -> str:
        language, noun = self.language, self._noun(match)
        gender = language.counted(match["whole"], noun) if noun else language.gender(noun)
        number = language.say_whole(match["whole"], region, gender or "m")
        counts = gender or (language.knows_feminine_only and noun.endswith("s"))
        if language.fractions_before_nouns or not counts:
            return f"{template.format(number)} {noun}".strip()
        said = template.format(f"{number} {noun}")
        return _feminine_half(said) if gender == "f" and match["sign"] == "½" else said

    def small_sign(self, match: re.Match[str], context: Context) -> str | None:
        """“drei Achtel”, “dos y un octavo”."""
        above, below = map(int, _SMALL_PARTS[match["sign"]].split("/"))
        said = self._parts(above, below, context.region)
        if not match["whole"] or not said:
            return said
        before_noun = self.language.fractions_before_nouns
        joint = "" if before_noun else f"{self.language.symbols['&']} "
        return f"{self.language.say_whole(match['whole'], context.region)} {joint}{said}"

    def printed(self, match: re.Match[str], context: Context) -> str | None:
        """“trois huitièmes”, “dix-huit et demi”."""
        language, sign = self.language, SIGNS.get(match["simple"], "")
        above, below = map(int, match["simple"].split("/"))
        near = context.text[max(0, match.start() - 2) : match.end() + 2]
        is_part = "=" in near or _OF.match(context.text, match.end()) is not None
        if below == _OF_TEN and language.out_of and not is_part:  # “une note de 8/10”
            said = (language.say_whole(str(one), context.region) for one in (above, below))
            return f" {language.out_of} ".join(said) if not match["whole"] else None
        if above >= below or lowered_word_before(match, context) in language.labels:
            return None
        number = language.say_whole(match["whole"], context.region) if match["whole"] else ""
        before_noun = language.fractions_before_nouns
        gender = language.gender(context.word_after(match.end())) if before_noun else ""
        if sign == "½" and not number and gender:  # “eine halbe Gurke”
            return language.halves[gender]
        if number and sign in language.mixed_fractions:
            return language.mixed_fractions[sign].format(number)
        said = language.fractions.get(sign) or self._parts(above, below, context.region)
        joint = " " if before_noun else f" {language.symbols['&']} "
        return f"{number}{joint}{said}" if number and said else said

    def mark(self, match: re.Match[str], context: Context) -> str | None:
        """“trois virgule cinq sur cinq”, as a school or a film is marked."""
        language = self.language
        points = language.read(match["points"], context.region)
        if points is None or not language.out_of:
            return None
        highest = language.say_whole(match["highest"], context.region)
        return f"{language.say(points, context.region)} {language.out_of} {highest}"

    def _parts(self, above: int, below: int, region: str) -> str | None:
        """“trois huitièmes”; None if there is no word for so small a part."""
        if below not in self.language.parts:
            return None
        one, many = self.language.parts[below]
        gender = self.language.gender(one) or "m"
        return f"{self.language.cardinal(above, region, gender)} {many if above > 1 else one}"


def _feminine_half(said: str) -> str:
    """“una taza y media”, “une tasse et demie”, for the same with a masculine half."""
    return f"{said[:-1]}a" if said.endswith("o") else f"{said}e"
