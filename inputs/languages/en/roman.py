"""Roman numerals in English, where what stands beside them shows that they are numerals.

    Chapter XIV ─▶ Chapter fourteen      XIX century ─▶ nineteenth century
    MCMXIV      ─▶ nineteen fourteen     pp. xii–xv  ─▶ pages twelve to fifteen

Names of kings and popes are in `regnal`.
"""

from __future__ import annotations

import re

from audiomill.inputs.languages.declaration import words
from audiomill.inputs.languages.en.numbers import cardinal, ordinal, year
from audiomill.inputs.model.book import BlockKind
from audiomill.inputs.spoken.roman import roman_value
from audiomill.inputs.spoken.rules import ROMAN, Context, Rule, rule

# What is numbered with Roman numerals.
NAMED = (
    *("chapter", "part", "book", "volume", "act", "scene", "canto", "section", "article", "page"),
    *("appendix", "figure", "table", "letter", "stave", "war", "apollo", "gemini", "bowl"),
    *("type", "phase", "class", "stage", "title", "mark", "grade", "level", "division"),
    *("schedule", "psalm", "sonnet", "hymn", "ode", "stanza", "tome", "episode", "lesson"),
    *("lecture", "plate", "exhibit", "saturn", "amendment", "category", "number", "opus", "fit"),
    *("fable", "epistle", "day", "night", "adventure", "idyll", "preface", "proposition"),
    *("theorem", "annex", "group", "region", "zone", "year"),
)
_ABBREVIATED = {
    "vol": "volume",
    "vol.": "volume",
    "ch.": "chapter",
    "chap": "chapter",
    "chap.": "chapter",
    "pt.": "part",
    "bk.": "book",
    "sec.": "section",
    "sect.": "section",
    "art.": "article",
    "fig.": "figure",
    "no.": "number",
    "mk": "mark",
    "mk.": "mark",
    "op.": "opus",
    "sc.": "scene",
    "app.": "appendix",
    "p.": "page",
    "pl.": "plate",
    "pp.": "pages",
    "vols.": "volumes",
    "nos.": "numbers",
    "chs.": "chapters",
}
# Their numbers may be long, and C and L may be numbers too.
LONG = frozenset(("chapter", "canto", "psalm", "sonnet", "letter", "bowl", "hymn", "chap", "ch"))
# These are lettered as well: Type X, Exhibit X.
_LETTERED = words(
    """
    type class exhibit phase group figure table zone region category year
    """
)
# Ordinals stand before these.
ORDERED = r"[Cc]entury|[Cc]enturies|CENTURY|c\.|[Ll]egion|Olympiad|[Dd]ynasty|Congress"
# After these verbs “I” is a pronoun: “the Book I read”.
VERBS_OF_I = words(
    """
    am have had did do wrote read know think could would should must might will shall saw like love
    need want said told found met gave took made got went came used played never always also often
    once just still only can cannot sent swear vow say see feel go come call hear hold pray beg ask
    leave mean stand give take
    """
)
# Two letters and more that are read as letters or words.
_NOT_NUMERALS = words(
    """
    IV XX XXX XI MI CD DC CV MC MD DM DI LI CI CM MM CC XL DIV DIX MIX LIV DX VC MIL CL VI LV LX CLI
    CX
    """
)
# First words of sentences and titles, which are no surnames.
FIRST_WORDS = words(
    """
    The A An In On Of How What Why When Where Which At It He She They We You His Her Their This That
    These My Our Your To From By For And But Or If As So There With After Before No Not Another Some
    All One Then
    """
)


CAPITALS = r"[IVXLCDM]{1,15}"
_NUMERAL_END = r"(?!\w|['’](?:m|ve|d|ll|t)\b)"
_EACH = re.compile(r"(?<!\w)(?:[IVXLCDM]+|[ivxlcdm]+)(?!\w)")
_SOME_YEAR = frozenset(("new", "last", "next", "this", "that", "each", "every", "one", "whole"))
_INITIAL = re.compile(r"\.\s?[A-Z]\.")
# Letters in an index, and abbreviations.
_NOT_ALONE = frozenset(("C", "D", "L", "M", "CV", "CI", "CC"))


def _named(match: re.Match[str], context: Context) -> str | None:
    """“Chapter fourteen”, “Volume four”; the word is written out if it is short."""
    if not _fits(match, context):
        return None
    said = _each_said(match["list"], context)
    return said and f"{_written_out(match['word'])} {said}"


def _fits(match: re.Match[str], context: Context) -> bool:
    """True if letters after a word are its number, and no letter or pronoun."""
    word, numeral = match["word"].lower().rstrip("."), match["roman"]
    if match["word"] in ("No.", "no.") and match["list"] == "I":
        return False  # “No. I speak now”
    if word == "war" and match["list"] == "I":
        return _is_world_war(match, context)  # “after the war I went”
    if word == "year" and context.word_before(match.start()).lower() in _SOME_YEAR:
        return match["list"] != "I"  # “in the New Year I miss them”
    if match["list"] == "I":
        follows = context.word_after(match.end())
        if match["word"].islower() or follows in VERBS_OF_I:
            return False
    if match["word"] == "P." and _INITIAL.match(context.text, match.end()):
        return False  # “signed P. V. B.”
    if match["word"] == "letter" and len(numeral) == 1:
        return False  # “the letter X”
    if match["word"] == "Art." and context.word_after(match.end()).endswith("ed"):
        return match["list"] != "I"  # “to Art. I shaved”
    if word in LONG:
        return numeral not in {"D", "M"}
    if numeral.upper() in {"C", "D", "L", "M"} or (numeral == "X" and word in _LETTERED):
        return False
    value = roman_value(numeral)
    return value is not None and (value < 90 or (value < 400 and len(numeral) > 2))


def _is_world_war(match: re.Match[str], context: Context) -> bool:
    before = context.word_before(match.start()).lower()
    return before == "world"


def _each_said(text: str, context: Context) -> str | None:
    """A list or range of numerals in words; None if one of them is no numeral."""
    if any(roman_value(numeral) is None for numeral in _EACH.findall(text)):
        return None
    words = re.sub(r"\s?[–-]\s?", " to ", text).replace(" & ", " and ")
    return _EACH.sub(lambda one: cardinal(roman_value(one[0]) or 0, context.region), words)


def _written_out(word: str) -> str:
    whole = _ABBREVIATED.get(word.lower())
    if whole is None:
        return word
    if word[0].islower():
        return whole
    return whole.capitalize() if not word.rstrip(".").isupper() or len(word) < 3 else whole.upper()


def _ordered(match: re.Match[str], context: Context) -> str | None:
    """“nineteenth century”; “nineteenth and twentieth centuries”."""
    values = [roman_value(numeral) for numeral in (match["roman"], match["second"]) if numeral]
    if None in values:
        return None
    return " and ".join(ordinal(value or 0, context.region) for value in values)


def _suffixed(match: re.Match[str], context: Context) -> str | None:
    """“fourteenth” for “XIVth”, but nothing for “Ind” of Indians."""
    value = roman_value(match["roman"])
    if not value or value >= 100:
        return None
    last = 0 if value // 10 == 1 else value % 10
    fits = match["suffix"] == {1: "st", 2: "nd", 3: "rd"}.get(last, "th")
    return ordinal(value, context.region) if fits else None


def _roman_year(match: re.Match[str], context: Context) -> str | None:
    value = roman_value(match["roman"])
    return year(value, context.region) if value and 1400 <= value < 2100 else None


def _alone(match: re.Match[str], context: Context) -> str | None:
    """A numeral that is a whole heading or paragraph."""
    numeral = match["roman"]
    value = roman_value(numeral)
    if context.text[: match.start()].strip() or numeral in _NOT_ALONE:
        return None
    return cardinal(value, context.region) if value and value < 200 else None


def _leading(match: re.Match[str], context: Context) -> str | None:
    """The numeral at the start of “XIV. The Mill”, but no initial: “V. Woolf”."""
    numeral, follows = match["roman"], context.word_after(match.end("mark"))
    value = roman_value(numeral)
    if context.text[: match.start()].strip() or not value or value >= 200:
        return None
    in_heading = context.kind is BlockKind.HEADING
    if numeral in _NOT_ALONE or (not match["mark"] and numeral in _NOT_NUMERALS):
        return None
    initial = len(numeral) == 1 and match["mark"] == "." and follows not in FIRST_WORDS
    if initial and (not in_heading or numeral != "I" or len(follows) < 3):
        return None
    dashed = context.text[match.end() :].lstrip().startswith(("–", "—", "--"))
    titled = len(numeral) > 1 and follows.istitle()
    if not match["mark"] and not (in_heading and (dashed or titled)):
        begins = numeral in ("II", "III") and follows in FIRST_WORDS
        return cardinal(value) + "." if begins else None
    return cardinal(value, context.region) + match["mark"]


def _small_alone(match: re.Match[str], context: Context) -> str | None:
    """“(iv)” anywhere, “iv.” at the start of a text."""
    value, start = roman_value(match["roman"]), match.start()
    opens = context.text[start - 1 : start] == "("
    at_start = not context.text[:start].strip("( \n\t")
    before = context.text[: start - 1].rstrip()[-1:] if opens else ""
    if not value or not (at_start or (opens and (len(match[0]) > 1 or before in ";:,."))):
        return None
    return cardinal(value, context.region)


def _small(match: re.Match[str], context: Context) -> str | None:
    """“scene three”, “page fourteen”, from small letters after such a word."""
    before = context.word_before(match.start()).lower().rstrip(".")
    return _each_said(match[0], context) if before in NAMED or before.rstrip("s") in NAMED else None


def _sequel(match: re.Match[str], context: Context) -> str | None:
    """“Rocky two”, “Vatican two”: a numeral of two letters or more after a name."""
    numeral, before = match["roman"], context.word_before(match.start())
    value = roman_value(numeral)
    if not value or value > 39 or numeral in _NOT_NUMERALS:
        return None
    named = before[:1].isupper() and before[1:].islower() and before not in FIRST_WORDS
    return cardinal(value) if named else None


def _numbered_name(match: re.Match[str], context: Context) -> str | None:
    """“Alain the Second”, whose number has a full stop: “Alain II. returned”."""
    before, value = context.word_before(match.start()), roman_value(match["roman"])
    is_name = before[:1].isupper() and before[1:].islower() and len(before) > 2
    if not value or not is_name or before in FIRST_WORDS:
        return None
    return f"the {ordinal(value).capitalize()}"


def _eleven(match: re.Match[str], context: Context) -> str | None:
    """A cricket or rugby team: “the first eleven”."""
    teams = {"first", "second", "third", "fourth", "school", "playing", "starting", "house"}
    if context.word_before(match.start()).lower() not in teams:
        return None
    return cardinal(roman_value(match[0]) or 0)


def _corps(match: re.Match[str], context: Context) -> str | None:
    return _each_said(match["list"], context)


def _chapter(match: re.Match[str], context: Context) -> str | None:
    """“chapter forty-seven” for “c. xlvii”."""
    said = _each_said(match["list"], context)
    return said and f"chapter {said}"


def _character(match: re.Match[str], _context: Context) -> str:
    """Numerals with characters of their own, such as Ⅳ."""
    return cardinal((ord(match[0]) - 0x2160) % 16 + 1)  # Ⅰ to Ⅻ, then ⅰ to ⅻ


_WORD = "|".join((*NAMED, *(re.escape(short) for short in _ABBREVIATED)))
_PLURALS = "|".join(f"{word}s" for word in NAMED) + "|appendices|classes|vols\\.|nos\\.|chs\\."
_LIST = rf"{CAPITALS}(?:(?:,\s|\s?[–-]\s?|,?\s(?:and|or|to|&)\s){CAPITALS}){{1,8}}"

RULES: tuple[Rule, ...] = (
    rule(ROMAN, rf"(?P<roman>{CAPITALS})(?=[.:)]?\s*\Z)", _alone),
    rule(ROMAN, rf"(?P<roman>{CAPITALS})(?P<mark>[.:)]?)(?=\s?(?:[–—]|--)\s?\S|\s)", _leading),
    rule(
        ROMAN,
        rf"(?P<word>{_PLURALS})\s?(?P<list>(?=(?P<roman>{CAPITALS})){_LIST}){_NUMERAL_END}",
        _named,
        re.IGNORECASE,
    ),
    rule(
        ROMAN,
        rf"(?P<word>{_WORD})[\s\u00a0](?P<list>(?P<roman>{CAPITALS})(?:[–-]{CAPITALS})?){_NUMERAL_END}",
        _named,
        re.IGNORECASE,
    ),
    rule(ROMAN, r"(?P<roman>[IVXLC]{1,8})(?P<suffix>th|st|nd|rd)\b", _suffixed),
    rule(
        ROMAN,
        rf"(?P<roman>[IVXLC]{{1,8}})\.?(?:\s(?:and|or)\s(?P<second>[IVXLC]{{1,8}}))?(?=[\s-](?:{ORDERED})\b)",
        _ordered,
    ),
    rule(
        ROMAN,
        r"(?P<list>[IVXL]{1,8}(?:\sand\s[IVXL]{1,8})?)(?=\s(?:[A-Z][a-z]{1,15}\s)?Corps\b)",
        _corps,
    ),
    rule(ROMAN, rf"(?P<roman>[MDCLXVI]{{4,15}}){_NUMERAL_END}", _roman_year),
    rule(
        ROMAN,
        r"(?P<word>pp?\.|pages?)\s?(?P<list>(?P<roman>[ivxlc]{1,8})(?:[–-][ivxlc]{1,8})?)(?!\w|\.\w)",
        _named,
    ),
    rule(
        ROMAN, r"(?P<word>c\.)\s(?P<list>(?P<roman>[ivxl]{2,8}))(?!\w)(?:\.(?=\s[a-z]))?", _chapter
    ),
    rule(ROMAN, r"[ivxl]{1,8}(?:[–-][ivxl]{1,8})?(?!\w|['’])", _small),
    rule(ROMAN, r"(?P<roman>[ivx]{1,8})(?=\)|\.\s)", _small_alone),
    rule(ROMAN, r"(?:XI|XV)(?!\w)", _eleven),
    rule(ROMAN, r"(?P<roman>[IVX]{2,8})\.(?=[,;]|\s[a-z])", _numbered_name),
    rule(ROMAN, rf"(?P<roman>[IVX]{{2,8}}){_NUMERAL_END}", _sequel),
    rule(ROMAN, r"[Ⅰ-Ⅻⅰ-ⅻ](?!\w)", _character),
)
