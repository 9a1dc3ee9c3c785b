"""English numbers with a dash or a colon between them: ranges, scores, votes, odds, ratios.

A range's rule says “five to” and leaves the second number, with its unit, to other rules.
"""

from __future__ import annotations

import re

from audiomill.inputs.languages.declaration import words
from audiomill.inputs.languages.en.counted_years import UNITS
from audiomill.inputs.languages.en.numbers import cardinal, year
from audiomill.inputs.languages.en.quantities import number_of, say_amount
from audiomill.inputs.languages.en.roman import FIRST_WORDS
from audiomill.inputs.spoken.rules import Context, Rule, always, rule

_SCORED = re.compile(
    r"\b(?:w[io]ns?|winning|los[et]s?|losing|lost|dr[ae]ws?|drawing|beat(?:s|en|ing)?|le[ad]ds?|led"
    r"|leading|trail(?:s|ed|ing)?|tied|ahead|behind|defeat(?:s|ed|ing)?|score(?:\sis|\swas)?|went"
    r"|thrashed|crushed|routed|finished|ended|(?:up|down)(?=\s(?:by\s)?\Z))\b[^.!?]{0,30}\Z",
    re.I,
)
_PLACES = re.compile(
    r"\b(?:articles|sections|clauses|paragraphs|chapters|pages|lines|verses|nos\.|pp\.)\s\Z", re.I
)
_AFTER_SCORES = words(
    """
    defeat win victory draw loss lead tie scoreline score deficit triumph thrashing drubbing
    aggregate rout home away
    """
)
_VOTED = re.compile(r"\b(?:voted|ruled|(?:votes?|majority|margin|ruling)\s(?:of|by))\s\Z")
_AFTER_VOTES = frozenset(("vote", "votes", "decision", "ruling", "majority", "verdict", "split"))
_AFTER_ODDS = frozenset(("odds", "favourite", "favorite", "outsider", "shot", "chance", "longshot"))
# Before a number with a hyphen that names and does not count: a case, a law, a bill.
_NAMED = re.compile(
    r"\b(?:[Cc]ases?|[Dd]ockets?|[Bb]ills?|Pub\.\sL\.|L\.|[Rr]ules?|Res\.|Act|Laws?|HB|SB|HR)"
    r"(?:\s[Nn]os?\.)?\s\Z"
)
_SINGULAR = re.compile(
    r"\b(?:[Ss]ection|[Aa]rticle|[Cc]hapter|[Tt]itle|[Ss]ec\.|[Aa]rt\.|[Cc]lause)\s\Z"
)
_FAR = 5  # times as much as the first number is a second one that ends no range, if it is not round
_PAGES = frozenset(("pages", "pp.", "lines", "verses", "ll.", "vv."))
_BRACKETED = re.compile(r"\(\d+[–-]\d+[);,]")  # “p. 352 (224-5)”
_RATIOS = frozenset(("ratio", "ratios", "scale", "odds", "mixture", "aspect"))


_CITED = re.compile(r"(1[78]\d\d|19\d\d|20[0-3]\d):(\d{1,4})")  # a year and a page
_MORE_VERSES = re.compile(r"(?:,\s\d{1,3}){1,4}[;)]|;\s\d{1,3}:\d")  # “(3:5, 11, 12)”


# “36:”, “12(3–4):”, “(2009):”.
_VOLUME = re.compile(
    r"(?:(?<![\w.:])\d{1,4}(?:\s?\(\d{1,3}(?:[–/-]\d{1,3})?\))?"
    r"|\((?:1[5-9]|20)\d\d[a-z]?\)):\s?\Z"
)
# One thing, whose number has that of its chapter before it: “Listing 20-25”.
_NUMBERED = frozenset(
    ("listing", "figure", "fig", "fig.", "table", "example", "exhibit", "diagram", "report")
)


def _range(match: re.Match[str], context: Context) -> str | None:
    first, last = match["first"], match["last"]
    before = context.word_before(match.start()).lower()
    if _value(first) >= _value(last) and before != "from":
        return None
    if match["dash"] in "-‑" and before not in _PAGES and _is_mark(first, last):
        return None
    near = context.text_before(match.start())
    numbered = before in _NUMBERED or _is_name(first, last, near)
    if match["dash"] in "-‑" and before not in _PAGES and numbered:
        return f"{say_amount(first, context.region)} dash "
    between = before == "between"
    return f"{say_amount(first, context.region)} {'and' if between else 'to'} "


def _value(text: str) -> float:
    return float(text.replace(",", ""))


def _is_mark(first: str, last: str) -> bool:
    """True for 555-0199 and the like: three digits or more, and not round."""
    long = min(len(first), len(last)) > 2 and "," not in first + last
    return last.startswith("0") or (long and not (first.endswith("0") and last.endswith("0")))


def _is_name(first: str, last: str, near: str) -> bool:
    """True for “Case 22-506”, “Section 2-316”, “Pub. L. 89-791”: not for “chapters 2-5”."""
    is_far = _value(last) >= _FAR * max(_value(first), 1)
    is_round = last.endswith(("0", "5")) and "." not in last
    return bool(_NAMED.search(near) or _SINGULAR.search(near)) or (
        is_far and not is_round and len(last) > 2 and "," not in last and "." not in first
    )


def _loose_to(match: re.Match[str], context: Context) -> str | None:
    before = re.search(r"(?<![\w.,])(\d{1,4})\Z", context.text[: match.start() - 1])
    return "to " if before and int(before[1]) < int(match["last"]) else None


def _short_range(match: re.Match[str], context: Context) -> str | None:
    """Pages 234–38: the second number gets the digits that it shares with the first."""
    first, last = match["first"], match["last"]
    whole = int(first[: len(first) - len(last)] + last)
    in_brackets = len(first) > 2 and _BRACKETED.match(context.text, match.start() - 1)
    known = context.word_before(match.start()).lower() in _PAGES or in_brackets
    if not known or whole <= int(first):
        return None
    return f"{say_amount(first, context.region)} to {cardinal(whole, context.region)}"


def _pages_of_volume(match: re.Match[str], context: Context) -> str | None:
    """“three hundred three to three hundred twelve” after “36:”."""
    if not context.search_before(_VOLUME, match.start()):
        return None
    first, last = match["first"], match["last"]
    whole = first[: max(0, len(first) - len(last))] + last
    if int(whole) <= int(first):
        return None
    return f"{say_amount(first, context.region)} to {cardinal(int(whole), context.region)}"


def _score(match: re.Match[str], context: Context) -> str | None:
    first, last = int(match["first"]), int(match["last"])
    after = context.word_after(match.end()).lower()
    near = context.text_before(match.start())
    if after in _AFTER_VOTES or _VOTED.search(near):
        return f"{cardinal(first)} to {cardinal(last)}"
    counts = first < last and (after.endswith("s") or after in UNITS)
    scored = bool(_SCORED.search(near)) and not counts and not _PLACES.search(near)
    if after.split("-")[0] not in _AFTER_SCORES and not scored:
        return None
    return _say_score(first, last, context.region)


def _say_score(first: int, last: int, region: str) -> str:
    """“three to one” in the United States, “three one”, “two nil” and “one all” elsewhere."""
    if region == "US":
        nothing = "nothing" if first != last else "zero"
        return f"{cardinal(first) if first else nothing} to {cardinal(last) if last else nothing}"
    if first == last:
        return f"{cardinal(first)} all" if first else "nil nil"
    return f"{cardinal(first) if first else 'nil'} {cardinal(last) if last else 'nil'}"


def _odds(match: re.Match[str], context: Context) -> str | None:
    before = context.text_before(match.start())
    after = context.word_after(match.end()).lower()
    if after not in _AFTER_ODDS and not re.search(r"\bodds\s(?:are|of|at|were)\s\Z", before):
        return None
    return f"{cardinal(number_of(match['first']))} to {cardinal(number_of(match['last']))}"


def _shares(match: re.Match[str], _context: Context) -> str | None:
    """“fifty-fifty”, “sixty-forty”; also “twenty-twenty”."""
    first, last = int(match["first"]), int(match["last"])
    is_range = first < last and match["mark"] in "–-"
    if is_range or (first != last and first + last != 100):
        return None
    return f"{cardinal(first)}-{cardinal(last)}"


def _row(match: re.Match[str], _context: Context) -> str:
    """“four four two”: single digits in a row."""
    return " ".join(cardinal(int(one)) for one in re.findall(r"\d", match[0]))


def _ratio(match: re.Match[str], context: Context) -> str | None:
    """“four to one”. Two digits after the colon may be a time, a capital before it a verse."""
    first, last = match["first"], match["last"]
    before, after = context.word_before(match.start()), context.word_after(match.end()).lower()
    cited = _CITED.fullmatch(match[0])
    if cited:
        return f"{year(int(cited[1]), context.region)}, {cardinal(int(cited[2]), context.region)}"
    if context.text[match.start() - 1 : match.start()] == "(" and _MORE_VERSES.match(
        context.text, match.end()
    ):
        return f"{cardinal(int(first))} {cardinal(int(last))}"
    named = before.lower() in _RATIOS or after in _RATIOS or _near_ratio(match, context)
    if not named and re.search(r"\w:\s", match[0]):
        return None  # “one in 4: 312 men”
    is_verse = before[:1].isupper() and before not in FIRST_WORDS
    if not named and (len(last) == 2 or is_verse):
        return None
    return f"{say_amount(first, context.region)} to {say_amount(last, context.region)}"


def _near_ratio(match: re.Match[str], context: Context) -> bool:
    near = context.text_before(match.start())
    far = context.text_before(match.start(), 80)
    return bool(
        re.search(r"\b(?:ratio|scale|odds)\s(?:of|is|was|about)\s\Z", near)
        or re.search(r"\bratios?\b[^.;:]*\(\Z", far)
    )


_ALONE = r"(?<![\w.,:/$£€¥–-])"
_NUMBER = r"\d{1,3}(?:,\d{3}){1,4}|\d{1,6}(?:\.\d{1,4})?"
_END = r"(?![\w–-]|[.,:/]\d)"
_RATIO = r"\d{1,3}(?:,\d{3}){1,3}|\d{1,6}"
_TO_ONE = r"\d{1,3}\.\d{1,2}(?=\s?:\s?1(?!\w|[.,:]\d))"  # “4.5:1”
_ONE_TO = r"(?<=\b1:)\d{1,3}\.\d{1,2}"  # “1:2.35”

# “40 -50 min”: before the units, which would say “minus”.
LOOSE_RULES: tuple[Rule, ...] = (
    rule(
        "range",
        r"-(?=(?P<last>\d{1,4})(?!\d|[.,]\d))(?<=\d[\x20\u00a0]-)",
        _loose_to,
    ),
)
RULES: tuple[Rule, ...] = (
    # “a 6-32 screw”: the gauge, and the threads of an inch.
    rule(
        "screw",
        rf"{_ALONE}(?P<first>\d{{1,2}})-(?P<last>\d\d)(?=\s(?:machine\s)?(?:screw|bolt|tap|nut)s?\b)",
        lambda match, _context: f"{cardinal(int(match['first']))} {cardinal(int(match['last']))}",
    ),
    rule("row", rf"{_ALONE}\d(?:[–-]\d){{2,4}}{_END}", _row),
    rule("score", rf"{_ALONE}(?P<first>\d{{1,3}})\s?[–-]\s?(?P<last>\d{{1,3}}){_END}", _score),
    rule("odds", rf"{_ALONE}(?P<first>\d{{1,4}})[–/-](?P<last>\d{{1,3}}){_END}", _odds),
    rule(
        "shares",
        rf"{_ALONE}(?P<first>\d\d)(?P<mark>[–/:-])(?P<last>\d\d)(?![\d/]|[.,:]\d|[–-]\d)",
        _shares,
    ),
    rule("range", r"(?<=[¼-¾⅐-⅞])\s?[–-]\s?(?=[\d¼-¾⅐-⅞])", always(" to ")),
    rule("pages", rf"{_ALONE}(?P<first>\d{{2,4}})[–-](?P<last>\d{{1,2}}){_END}", _short_range),
    rule(
        "range",
        rf"{_ALONE}(?P<first>{_NUMBER})[\u2009\u200a]?(?P<dash>[–‑-])[\u2009\u200a]?"
        rf"(?=(?P<last>{_NUMBER})(?![.,:/]?\d|[–-]\d))",
        _range,
    ),
    rule(
        "range",
        rf"{_ALONE}(?P<first>{_NUMBER})\s(?P<dash>–)\s(?=(?P<last>{_NUMBER}){_END})",
        _range,
    ),
    # “5~10 minutes”, “40 -50 min”.
    rule("range", r"~(?=\d)(?<=\d~)", always(" to ")),
    # “36:303–312”: a volume and its pages.
    rule(
        "pages",
        r"(?P<first>\d{1,5})[–-](?P<last>\d{1,5})(?![\w–-]|[.,:/]\d)",
        _pages_of_volume,
    ),
    rule(
        "ratio",
        rf"{_ALONE}(?P<first>{_TO_ONE}|{_RATIO})\s?:\s?(?P<last>{_ONE_TO}|{_RATIO}){_END}",
        _ratio,
    ),
)
