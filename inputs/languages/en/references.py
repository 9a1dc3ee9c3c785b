"""References to numbered parts: “No. 7”, “pp. 4–9”, “vols. I–III”, “fig. 3a”, “§ 5”, “2nd ed.”.

Abbreviations: The Chicago Manual of Style (17th ed.), 10.42.
"""

from __future__ import annotations

import re

from audiomill.inputs.languages.declaration import words
from audiomill.inputs.languages.en.declaration import ABBREVIATIONS, MANY_PARTS
from audiomill.inputs.languages.en.numbers import cardinal, digits, ordinal, paired, plural
from audiomill.inputs.languages.en.quantities import say_number
from audiomill.inputs.languages.en.roman import VERBS_OF_I
from audiomill.inputs.spoken.roman import roman_value
from audiomill.inputs.spoken.rules import Context, Rule, any_of, rule

# Only in lower case: a capital is the initial of a name.
_LETTERS = frozenset(("p", "l", "v", "n", "ll", "vv", "nn", "st", "sts", "sc", "ex", "pl"))
# Those that are no other word without their full stop.
_WITHOUT_STOP = ("pp", "vol", "vols", "fig", "figs", "para", "paras", "chs", "nos")
# Only with a capital, as in an address.
_ADDRESS = frozenset(("apt", "apts", "ste", "rm", "rms", "rte", "rtes", "rt", "hwy"))
# Words of their own, which may end a sentence: “He loves art. 3 people came.”
_WORDS_TOO = words(
    """
    art arts app apps fig figs tab tabs ex sec sect secs par pars op pt pts col l ch p bk chap chaps
    prop props cor def defs div divs ser
    """
)
_COUNTED_PARTS = {
    "pp": ("page", "pages"),
    "vol": ("volume", "volumes"),
    "vols": ("volume", "volumes"),
    "yrs": ("year", "years"),
    "mos": ("month", "months"),
}
# Sizes of books, by the leaves into which a sheet is folded.
_FORMATS = {
    "4to": "quarto",
    "8vo": "octavo",
    "12mo": "duodecimo",
    "16mo": "sixteenmo",
    "24mo": "twenty-fourmo",
    "32mo": "thirty-twomo",
}
_ANSWERS = frozenset(("is", "was", "said", "says", "answered", "replied", "say", "mean", "means"))
# Lower-case words after “no. 7” that begin no counted thing.
_AFTER_NUMBER = frozenset(
    (
        *("of", "in", "on", "at", "and", "or", "is", "was", "to", "for", "by", "with", "has"),
        *("had"),
        *("from", "as", "will", "would", "could", "can", "did", "does", "may", "opened", "stood"),
        *("above", "below", "where", "which", "when", "but", "that", "again", "if", "there", "the"),
        *("shows", "says", "describes", "explains", "lists", "contains", "deals", "gives"),
        *("states"),
        *("begins", "ends", "covers", "remains", "stands", "opens", "runs", "provides"),
    )
)


_MIN_LABEL_DIGITS = 5  # of a number that is read digit by digit: “File No. 121017”
_PLURAL = re.compile(r"\d{1,4}s")  # “the No. 13s”
_NUMBER = r"\d{1,3}(?:,\d{3})+|\d{1,9}(?:\.\d{1,4}){0,3}[a-zA-Z]?"
_ITEM = (
    rf"(?:{_NUMBER}|[IVXLC]+|(?!cls?\.\s?\d)[ivxlc]+|[A-Z])(?!\w|[.,]\d|:\d|['’](?:ll|m|ve|d)\b)"
)
_DASH = r"\s?[–—-]\s?"
_RANGE = rf"(?:\({_ITEM}\)|{_ITEM}(?:{_DASH}{_ITEM})?)"
_LIST = rf"{_RANGE}(?:(?:,\s(?:and\s)?|\s(?:and|or|to|&)\s){_RANGE}){{0,8}}"
_INITIALS = re.compile(r"[A-Z]\.\s?[A-Z]")  # of a colonel
# “§ 29-101.2”: the section of a title of a code, and no range.
_CODE_SECTION = re.compile(r"\b(\d{1,2})-(\d{3,5}(?:\.\d+)?[a-z]?|\d+\.\d+[a-z]?)\b")
# “No. 74-144”: the 144th case of 1974, and one number.
_DOCKET = re.compile(r"\A(\d{2,4})-(\d{2,6})\Z")
_SHORT_LAST = re.compile(
    r"(?<![\w.,])(?P<first>\d{2,4})(?P<dash>\s?[–—-]\s?)(?P<last>\d{1,3})(?![\w.])"
)
_WORDS = re.compile(r"[\w.]*\w(?:,\d{3})*|[–—~-]|&|[,()]")


def _item(text: str, region: str) -> str:
    """The words for “7”, “3a”, “3.2”, “II”, “xii” or “B”."""
    if text[0].isdecimal():
        letter = text[-1].upper() if text[-1].isalpha() else ""
        if "," not in text and len(text) >= _MIN_LABEL_DIGITS and text.isdecimal():
            return digits(text)
        parts = text.replace(",", "").rstrip(text[-1] if letter else "").split(".")
        said = " point ".join(_whole(part, region) for part in parts)
        return f"{said} {letter}".strip()
    value = roman_value(text)
    is_letter = text.upper() in ("C", "D", "L", "M")
    return cardinal(value, region) if value and not is_letter else text.upper()


def _whole(text: str, region: str) -> str:
    return digits(text) if text.startswith("0") and len(text) > 1 else cardinal(int(text), region)


def _whole_range(match: re.Match[str]) -> str:
    """“129–140” for “129–40”: the digits that both numbers share are printed once."""
    first, last = match["first"], match["last"]
    if len(last) >= len(first):
        return match[0]
    whole = first[: len(first) - len(last)] + last
    return f"{first}{match['dash']}{whole if int(whole) > int(first) else last}"


def _listed(text: str, region: str) -> str:
    """The words for a list of items and ranges."""
    said = ""
    for part in _WORDS.findall(_SHORT_LAST.sub(_whole_range, text)):
        if part == ",":
            said += ","
        elif part == "~":
            said += " dash"
        elif part in ("–", "—", "-"):
            said += " to"
        elif part in ("and", "or", "to", "&"):
            said += " and" if part == "&" else f" {part}"
        elif part not in "()":
            said += f" {_item(part, region)}"
    return said.strip()


def _counts(context: Context, start: int, end: int) -> bool:
    """Whether “no. 7” may be the answer “no”, and a number of things after it."""
    following = context.word_after(end)
    earlier = context.word_before(start).lower()
    if not (context.starts_sentence(start) or earlier in _ANSWERS):
        return False
    return following.islower() and following not in _AFTER_NUMBER


def _begins_another(match: re.Match[str], context: Context) -> bool:
    """Whether a new sentence begins at the number: “art. 3 people”, “in the app. I like it”."""
    following = context.word_after(match.end())
    if not following.islower():
        return False
    if match["items"] == "I" and following in VERBS_OF_I:
        return True
    if match["items"] in ("I", "A"):
        return following not in _AFTER_NUMBER
    plural = following.endswith("s") and following not in _AFTER_NUMBER
    return plural or following in ("people", "men", "women")


def _capital_like(text: str, said: str) -> str:
    return said.capitalize() if text[0].isupper() else said


_DATE_GOES_ON = re.compile(r"/\d{1,2}/\d{2}")


def _reference(match: re.Match[str], context: Context) -> str | None:
    printed = match["part"]
    short = printed.lower()
    if short in _LETTERS and printed != short:
        return None
    if short in _ADDRESS and not printed[0].isupper():
        return None
    if short == "app" and _DATE_GOES_ON.match(context.text, match.end()):
        return None  # “approved 4/23/2013”
    if short == "v" and context.word_before(match.start())[:1].isupper():
        return None
    if short in ("no", "num") and _counts(context, match.start(), match.end()):
        return None
    if printed == "Col" and _INITIALS.match(context.text, match.start("items")):
        return None
    if printed.isupper() and len(printed) > 1 and re.fullmatch("[A-Z]", match["items"]):
        return None  # “COL. L. THOMAS”
    if short in _WORDS_TOO and _begins_another(match, context):
        return None
    if not _is_item(match["items"], short):
        return None
    onwards = " and following" if match["onwards"] else ""
    items = _DOCKET.sub(r"\1~\2", match["items"]) if short in ("no", "num") else match["items"]
    name = _capital_like(printed, ABBREVIATIONS.before_number[short])
    if short == "no" and _PLURAL.fullmatch(items):
        return f"{name} {plural(cardinal(int(items[:-1]), context.region))}"
    return f"{name} {_listed(items, context.region)}{onwards}"


def _is_item(items: str, short: str) -> bool:
    """Whether what follows is a number or, for a part that has letters, a capital letter."""
    first = items.lstrip("(")[0]
    if first.isdecimal():
        return True
    roman = re.match(r"[A-Za-z]+", items.lstrip("("))
    is_roman = bool(roman and roman_value(roman[0]) and roman[0] not in ("c", "d", "l", "m"))
    if short in ("app", "apps", "apt", "ex", "fig", "figs", "pt", "sec", "tab", "col", "rm"):
        return is_roman or first.isupper()
    if short == "no":
        return is_roman and len(roman[0]) > 1 if roman else False
    return is_roman and short not in ("l", "n")


def _section(match: re.Match[str], context: Context) -> str:
    name = {"§": "section", "¶": "paragraph"}[match["part"][0]]
    name += "s" if len(match["part"]) == 2 else ""
    if re.fullmatch(r"1[89]\d[1-9]", match["items"]):  # “section nineteen eighty-three”
        return f"{name} {paired(int(match['items']))}"
    items = _CODE_SECTION.sub(r"\1~\2", match["items"])
    return f"{name} {_listed(items, context.region)}"


def _uniform_section(match: re.Match[str], context: Context) -> str:
    """“section twenty-eight, nine dash four hundred seven”, for “§ 28:9-407”: a uniform code."""
    title, article, section = (
        _item(match[n], context.region) for n in ("title", "article", "last")
    )
    name = "sections" if len(match["part"]) == 2 else "section"
    return f"{name} {title}, {article} dash {section}"


def _numero(match: re.Match[str], context: Context) -> str:
    return f"number {_listed(match['items'], context.region)}"


def _hash(match: re.Match[str], context: Context) -> str:
    """“#1” is “number one”; a long one is read digit by digit."""
    text = match["number"]
    if match["last"]:
        last = cardinal(int(match["last"]), context.region)
        return f"numbers {cardinal(int(text), context.region)} to {last}"
    plain = text.replace(",", "")
    long = (len(plain) > 4 and "," not in text) or plain.startswith("0")
    return f"number {digits(plain) if long else cardinal(int(plain), context.region)}"


def _counted_part(match: re.Match[str], context: Context) -> str:
    """“687 pp.” and “3 vols.”, where the number comes first."""
    one, several = _COUNTED_PARTS[match["part"].lower()]
    number = match["number"]
    return f"{say_number(number, context.region)} {one if number == '1' else several}"


def _format(match: re.Match[str], _: Context) -> str:
    return _FORMATS[match[0]]


def _edition(match: re.Match[str], context: Context) -> str:
    revised = "revised " if match["revised"] else ""
    return f"{ordinal(int(match['number']), context.region)} {revised}edition"


def _any_case(words: list[str]) -> str:
    """The words in lower case, with a first capital, and in capitals."""
    capitals = (word.upper() for word in words if len(word) > 1)
    return any_of([*words, *(word.capitalize() for word in words), *capitals])


_ONE = _any_case([short for short in ABBREVIATIONS.before_number if short not in MANY_PARTS])
_SEVERAL = _any_case(sorted(MANY_PARTS))
_BARE_ONE = _any_case([short for short in _WITHOUT_STOP if short not in MANY_PARTS])
_BARE_SEVERAL = _any_case([short for short in _WITHOUT_STOP if short in MANY_PARTS])
# “p.12”, but not the letters of “p.l.c.”.
_SPACE = r"(?:\s|(?=[\d(]))"
_ONWARDS = r"(?P<onwards>\s?ff?\b\.?)?"

RULES: tuple[Rule, ...] = (
    # “[p115]”: where a page of the source begins.
    rule(
        "reference",
        r"(?<=\[)p{1,2}(?=(?P<items>\d{1,4}(?:[–-]\d{1,4})?)\])(?P=items)",
        lambda match, context: f"page {_listed(match['items'], context.region)}",
    ),
    rule(
        "reference",
        r"(?P<part>Qtr)s?\.?\s?(?P<items>[1-4])(?!\w)",
        lambda match, context: f"quarter {_listed(match['items'], context.region)}",
    ),
    rule(
        "edition",
        r"(?P<number>\d{1,3})(?:st|nd|rd|th|d)\s(?P<revised>rev\.\s)?edn?\b\.?",
        _edition,
    ),
    rule(
        "reference",
        rf"(?<![\w.])(?P<part>(?:{_SEVERAL})(?=\.)|{_BARE_SEVERAL})\b\.?{_SPACE}(?P<items>{_LIST}){_ONWARDS}",
        _reference,
    ),
    rule(
        "reference",
        rf"(?<![\w.])(?P<part>(?:{_ONE})(?=\.)|{_BARE_ONE})\b\.?{_SPACE}(?P<items>{_RANGE}){_ONWARDS}",
        _reference,
    ),
    rule(
        "reference",
        rf"(?<![\w.,])(?P<number>\d{{1,3}}(?:,\d{{3}})+|\d{{1,5}})\s(?P<part>{any_of(_COUNTED_PARTS)}|Vols?)\.",
        _counted_part,
    ),
    rule("format", rf"(?:{any_of(_FORMATS)})(?!\w)", _format),
    rule(
        "reference",
        r"(?P<part>§§?)\s?(?P<title>\d{1,2}):(?P<article>\d{1,2}[A-Z]?)-(?P<last>\d{3,4})(?![\w-])",
        _uniform_section,
    ),
    rule("reference", rf"(?P<part>§§?|¶¶?)\s?(?P<items>{_LIST})", _section),
    rule("reference", rf"№\s?(?P<items>{_RANGE})", _numero),
    rule(
        "number",
        r"""(?<![\w&#/])\#\s?(?P<number>\d{1,3}(?:,\d{3})+|\d{1,9})
        (?:[–-]\#?(?P<last>\d{1,4}))?(?![\w]|[.,]\d)""",
        _hash,
    ),
)
