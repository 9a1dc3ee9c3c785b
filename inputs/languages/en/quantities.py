"""English numbers as they stand in a text: cardinals, ordinals, decimals, rounded numbers.

Other modules say what a number is (a year, a fraction, a code); what none of them takes is a
quantity.
"""

from __future__ import annotations

import re

from audiomill.inputs.languages.declaration import words
from audiomill.inputs.languages.en.numbers import MAX_DIGITS, cardinal, digits, ordinal, plural
from audiomill.inputs.spoken.rules import Context, Rule, always, rule

# What separates thousands: commas, apostrophes, spaces that do not break.
_SEPARATORS = ",'’\u00a0\u2009\u202f"
_GROUPED = rf"\d{{1,3}}(?:[{_SEPARATORS}]\d{{3}}){{1,12}}"
# A number with or without separators, at its end: neither a decimal nor a longer number follows.
WHOLE = rf"(?P<whole>{_GROUPED}|\d++)(?![,.]?\d)"
# A number with or without decimals.
AMOUNT = rf"(?:{_GROUPED}|\d{{1,12}})(?:\.\d{{1,12}})?(?![,.]?\d)"
# Digits without separators from here on are a mark, not a quantity, unless they are round.
_MARK_DIGITS = 10
_NOT_DIGITS = re.compile(r"\D")
_SCALES = {"k": "thousand", "K": "thousand", "m": "million", "M": "million", "mn": "million"} | {
    "mil": "million",
    "B": "billion",
    "bn": "billion",
    "tn": "trillion",
    "T": "trillion",
}
_COUNTED = (
    r"(?:active|daily|monthly|new|more|other|registered|paying)?\s?"
    r"(?:people|men|women|children|inhabitants|residents|users|followers|subscribers|views|copies"
    r"|downloads|workers|jobs|homes|readers|listeners|viewers|visitors|voters|members|customers"
    r"|students|words|steps|years|records|documents|lines|rows|parameters|tokens|a\s(?:year|month))"
)

# After a number with spaces: what it counts, in the plural.
_MANY_THINGS = (
    r"\s(?:of\s(?:the|these|them|those|which)\b|(?:[a-z]{2,20}\s)?(?:men|women|people|children"
    r"|(?!is\b|was\b|as\b|has\b)[a-z]+s\b))"
)
_BEFORE_RACE = words("a my his her our their first second last ran run running parkrun")
_AFTER_RACE = words("and at but for from in last next on or today together under with yesterday")
_NUMBERED = words(
    """
    chapter page pages table figure group number room section part year day unit line lines note
    verse item and or to at
    """
)
_AFTER_D = (
    r"(?:Army|Artillery|Battalion|Brigade|Cavalry|Congress|Corps|Division|Infantry|Marines"
    r"|Lieut(?:enants?)?|Lt|Bn|Div|Regts?|Regiments?|Squadron|[Ee]dition|Street|St|Avenue|Ave|day|movement|verse|stanza|degree|parallel|year|century|page|letter|birthday|chapter|section|[Ee]dit\.|ed\.)(?!\w)"
)
_AFTER_ORDINAL = re.compile(r"\d(?:st|nd|rd|th|d)(?:,|,?\s(?:and|or|to))(?:\sthe)?\s\Z")


def number_of(text: str) -> int:
    """The value of digits with separators."""
    return int(_NOT_DIGITS.sub("", text))


def say_number(text: str, region: str) -> str:
    """The cardinal for digits with separators; digit by digit if they are only a mark.

    Marks begin with a zero, are long and not round, or are longer than any cardinal.
    """
    plain = _NOT_DIGITS.sub("", text)
    if len(plain) == 3 and plain.startswith("00") and plain != "000":
        return f"double oh {digits(plain[2])}"
    is_mark = plain == text and len(plain) >= _MARK_DIGITS and not plain.endswith("000000")
    if is_mark or len(plain) > MAX_DIGITS or (len(plain) > 1 and plain.startswith("0")):
        return digits(plain)
    return cardinal(int(plain), region)


def say_amount(text: str, region: str) -> str:
    """A number with or without decimals: “three point one four”, “point five”."""
    whole, _, decimals = text.partition(".")
    if not decimals:
        return say_number(whole, region)
    said = f"{say_number(whole, region)} " if whole else ""
    return f"{said}point {digits(decimals)}"


def _apart(said: str, context: Context, end: int) -> str:
    """`said`, and a space if a letter follows: “ten km”, not “tenkm”."""
    return f"{said} " if context.text[end : end + 1].isalpha() else said


def _ordinal(match: re.Match[str], context: Context) -> str:
    said = ordinal(number_of(match["number"]), context.region)
    return plural(said) if match["plural"] else said


def _spaced_ordinal(match: re.Match[str], context: Context) -> str:
    return f" {_ordinal(match, context)}"


def _decimal(match: re.Match[str], context: Context) -> str:
    return _apart(say_amount(match[0], context.region), context, match.end())


def _cardinal(match: re.Match[str], context: Context) -> str:
    return _apart(say_number(match[0], context.region), context, match.end())


def _counts_of(match: re.Match[str], _context: Context) -> str:
    """“hundreds of”, “thousands of”."""
    return {"10": "tens", "100": "hundreds", "1000": "thousands"}[match["number"].replace(",", "")]


def _plural(match: re.Match[str], context: Context) -> str:
    return plural(say_number(match["number"], context.region))


def _listed_ordinal(match: re.Match[str], context: Context) -> str | None:
    """“second” for “2d” after another ordinal; elsewhere it is two pence, or two dimensions."""
    near = context.text_before(match.start())
    return _ordinal(match, context) if _AFTER_ORDINAL.search(near) else None


def _rounded(match: re.Match[str], context: Context) -> str:
    return f"{say_amount(match['amount'], context.region)} {_SCALES[match['scale']]}"


def _rounded_range(match: re.Match[str], context: Context) -> str | None:
    """“ten thousand to one hundred thousand”; but “4K–8K” are sizes of pictures."""
    amounts = match["amount"], match["second"]
    if match["scale"] == "K" == match["scale2"] and max(map(len, amounts)) == 1:
        return None
    first, second = (say_amount(amount, context.region) for amount in amounts)
    return f"{first} {_SCALES[match['scale']]} to {second} {_SCALES[match['scale2']]}"


def _rounded_result(match: re.Match[str], context: Context) -> str | None:
    """“4.2 million” in “42k x 100 = 4.2M”; without thousands before, it may be a concentration."""
    near = context.text_before(match.start())
    return _rounded(match, context) if re.search(r"\dk\b", near) else None


def _race(match: re.Match[str], context: Context) -> str:
    return f"{say_number(match['number'], context.region)} K"


def _race_run(match: re.Match[str], context: Context) -> str | None:
    """“a 10k in under an hour”; “a 10k loan” is of thousands."""
    before = context.word_before(match.start()).lower()
    after = context.word_after(match.end())
    if before not in _BEFORE_RACE or (after and after not in _AFTER_RACE):
        return None
    return _race(match, context)


def _spaced(match: re.Match[str], context: Context) -> str | None:
    """“1 400 men”, but not “in group 1 400 men”."""
    earlier = context.word_before(match.start()).lower()
    if earlier in _NUMBERED or re.search(r"\d\s?\Z", context.text[: match.start()][-2:]):
        return None
    return say_number(match[0].replace(" ", "\u00a0"), context.region)


def _programmed(match: re.Match[str], context: Context) -> str:
    """“one thousand” for “1_000”, as programs have it."""
    return say_number(match[0].replace("_", ""), context.region)


def _indian(match: re.Match[str], context: Context) -> str:
    """“one lakh fifty thousand”, as numbers with two digits between commas are read in India."""
    number = number_of(match[0])
    if context.region != "IN" or number >= 10**9:
        return cardinal(number, context.region)
    parts = ((number // 10**7, "crore"), (number // 10**5 % 100, "lakh"), (number % 10**5, ""))
    said = (f"{cardinal(part, context.region)} {scale}".strip() for part, scale in parts if part)
    return " ".join(said)


def _chain(match: re.Match[str], context: Context) -> str:
    return " point ".join(say_number(part, context.region) for part in match[0].split("."))


RULES: tuple[Rule, ...] = (
    rule("counts", r"(?P<number>10|100|1,?000)['’]?s(?=\sof\b)", _counts_of),
    rule(
        "ordinal",
        r"(?P<number>\d{1,3}(?:,\d{3}){1,4}|\d{1,12})(?:st|nd|rd|th)(?P<plural>s)?\b",
        _ordinal,
    ),
    rule(
        "ordinal",
        r"(?P<number>\d{1,3}(?:,\d{3}){1,4}|\d{1,12})(?:ST|ND|RD|TH)(?P<plural>S)?\b",
        _ordinal,
    ),
    rule("ordinal", r"(?P<number>1)er(?P<plural>)\b", _ordinal),  # in French
    # American regiments and streets: the 3d Infantry, 42d Street; and in a list: the 1st and 2d.
    rule("ordinal", r"(?P<number>\d{1,2})(?:st|n?d|r?d|th)(?P<plural>)(?=ly\b)", _ordinal),
    rule("ordinal", rf"(?P<number>\d{{0,2}}[23])d(?P<plural>)(?=\s{_AFTER_D})", _ordinal),
    # A day of the month: “on the 3d.”
    rule(
        "ordinal",
        r"(?<=\bthe\s)(?P<number>[23]|[123][23])d(?P<plural>)(?=[.,;:)]|\s(?:of|inst|ult|prox)\b|\s?\Z)",
        _ordinal,
    ),
    rule("ordinal", r"(?P<number>\d{0,2}[23])d(?P<plural>)(?!\w)", _listed_ordinal),
    # Series of reports of law: “866 A.2d 788”.
    rule("ordinal", r"(?<=[A-Z]\.)(?P<number>[23])d(?P<plural>)(?=\s\d)", _spaced_ordinal),
    rule("ordinal", r"(?<=st|nd|rd|th)\s?[–-]\s?(?=\d{1,4}(?:st|nd|rd|th)\b)", always(" to ")),
    rule(
        "rounded",
        rf"(?P<amount>{AMOUNT})(?P<scale>[kKMB]|bn)\s?[–-]\s?(?P<second>{AMOUNT})(?P<scale2>[kKMB]|bn)"
        r"(?![\w/²])",
        _rounded_range,
    ),
    rule("rounded", rf"(?<==\s)(?P<amount>{AMOUNT})(?P<scale>[MB])\b", _rounded_result),
    # 10k, 1.2bn people; “5M” and “3m” only where people or things are counted.
    rule("rounded", rf"(?P<amount>{AMOUNT})\s?(?P<scale>mil|[bmt]n)\b", _rounded),
    # A race: “a 5k run”, “her first 10k”.
    rule("race", r"(?P<number>\d{1,2})[kK](?=\s(?:runs?|races?|walks?|swims?)\b)", _race),
    rule("race", r"(?P<number>5|10|15)[kK](?!\w|[./]\d)", _race_run),
    rule("rounded", rf"(?P<amount>{AMOUNT})(?P<scale>k)(?![\w/²])", _rounded),
    rule("rounded", rf"(?P<amount>{AMOUNT})\s?(?P<scale>[KkMmBT])(?=[\s-]{_COUNTED}\b)", _rounded),
    rule("plural", r"(?P<number>\d{1,4})['’]?s\b", _plural),
    # A space that breaks separates thousands only in round numbers: 10 000, 1 500 000.
    rule(
        "cardinal", r"[1-9]\d{0,2}(?:\x20\d{3}){0,3}\x20000(?!\x20?[\d.,]\d|\x20\d|\d)", _cardinal
    ),
    rule("cardinal", rf"[1-9]\d{{0,2}}(?:\x20\d{{3}}){{1,3}}(?={_MANY_THINGS})", _spaced),
    rule("cardinal", r"[1-9]\d{0,2}(?:_\d{3})+(?!\w)", _programmed),
    rule("cardinal", r"\d{1,2}(?:,\d{2}){1,4},\d{3}(?![,.]?\d)", _indian),
    # “1.428,000”: a misprint of a comma, or the other way round.
    rule("cardinal", r"[1-9]\d{0,2}(?:\.\d{3}){1,3},000(?![,.]?\d)", _cardinal),
    rule("decimal", rf"(?:{_GROUPED}|\d{{1,40}})?(?<!\d\.)\.\d{{1,99}}(?!\.?\d)", _decimal),
    # “1,8 meters”, as the rest of Europe prints it.
    rule(
        "decimal",
        r"(?P<whole>\d{1,3}),(?P<part>\d{1,2})(?=\s(?:kilo|centi|milli)?(?:met(?:er|re)|gram|lit(?:er|re))s?\b)",
        lambda match, context: (
            f"{cardinal(int(match['whole']), context.region)} point {digits(match['part'])}"
        ),
    ),
    rule("chain", r"\d{1,9}(?:\.\d{1,9}){2,8}(?!\.?\d)", _chain),
    rule("cardinal", WHOLE, _cardinal),
    rule("cardinal", r"\d++", _cardinal),
)
