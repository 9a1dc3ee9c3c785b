"""Whether four digits in English are a year or count something: “in 1844”, “1844 votes”.

Words on both sides tell.
"""

from __future__ import annotations

import re

from audiomill.inputs.languages.declaration import words
from audiomill.inputs.spoken.rules import Context

# Words before a year.
TELL_YEARS = words(
    """
    in since until till before after during circa year between spring summer autumn fall winter
    early late mid throughout january february march april may june july august september october
    november december easter christmas michaelmas c ca b d fl
    """
)
_POSSESSIVES = frozenset(("the", "that", "this", "his", "her", "its", "our", "their", "my", "your"))
# Words before a count.
_QUANTIFIERS = words(
    """
    nearly almost some roughly approximately exactly another these those all precisely numbering
    numbered totalling totaling totalled totaled over additional
    """
)
# Words in "s" after a year that are no plurals.
NO_PLURALS = words(
    """
    was is has as does this thus his us yes always its perhaps sees marks brings begins ends remains
    comes passes gives finds opens means makes stands belongs towards besides afterwards onwards
    changes shows starts closes appears seems presents looks sounds feels holds becomes represents
    includes contains lies provides continues proves follows saves takes goes says improves adds
    supports allows gets introduces requires offers celebrates delivers lets keeps wants creates
    applies defines establishes prohibits specifies helps versus series sometimes nevertheless
    whereas across unless
    """
)
# Plurals that a year may stand before: “the 1844 elections”.
EVENTS = words(
    """
    elections riots games championships floods fires protests talks accords reforms hearings
    revolutions uprisings finals primaries storms playoffs strikes bombings attacks olympics trials
    wars campaigns negotiations celebrations wildfires hurricanes standards regulations exports
    imports prices levels figures estimates budgets revenues statistics
    """
)
# What is counted even where a year may stand: “in 1500 words”.
UNITS = words(
    """
    words miles feet foot metres meters yards inches kilometres kilometers acres hectares degrees
    pounds dollars euros francs guineas shillings crowns cents pence percent per tons tonnes grams
    kilograms litres liters gallons calories watts volts volumes pages lines copies years days weeks
    months hours minutes seconds times fathoms leagues bushels barrels knots horsepower km kg mm cm
    ft mph lb lbs characters bytes
    """
)
# Plurals without "s".
COUNTED = frozenset(
    ("men", "women", "people", "children", "sheep", "cattle", "oxen", "horse", "troops", "souls")
)
_MORE = words(
    """
    more other others different additional extra square cubic odd such metric nautical dead wounded
    strong armed or
    """
)
# After a hyphen these belong to a year: “a 1960-style kitchen”.
_ERA_SUFFIXES = frozenset(("style", "era", "vintage", "model", "built", "born", "present", "set"))
_MORE_THAN = re.compile(
    r"\b(?:(?:more|fewer|less|greater|up|least|most)\s(?:than|to)?\s?|(?:population|total|sum|crew"
    r"|crowd|capacity|audience|force|maximum|minimum|average)\sof\s)\Z",
    re.IGNORECASE,
)
# What is named after its year: “the Treaty of 1839 binds”, “the winter of 1812 kills”.
_NAMED = re.compile(
    r"\b(?:[A-Z][a-z]+|election|treaty|act|law|revolution|rebellion|war|peace|crisis|panic|census"
    r"|spring|summer|autumn|fall|winter|season|year|campaign|convention|constitution|tariff"
    r"|compromise|charter|epidemic|famine|expedition)\sof\s\Z|\bcensus\sfor\s\Z"
)
# A year whatever follows: “in early April of 1897 people”, “as early as 1645 inhabitants”.
_SURE = re.compile(
    r"\b(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|spring|summer|autumn|winter)\sof\s\Z|\bas\s(?:early|late|far\sback|long\sago)\sas\s\Z"
    r"|\b(?:pre|post|mid)-\Z",
    re.IGNORECASE,
)
_LIMIT = re.compile(r"\b(?:up\sto|(?:until|till|since|by)\sat\s(?:least|most|latest))\s\Z")
# “the steep-roofed 1816 warehouses”, “these 1950 sightings”: hardly ever so many.
_OF_YEAR = re.compile(
    r"\b(?:(?:the|its|his|her|their|our|my|these|those)\s"
    r"(?!(?:remaining|other|first|last|next|total|same|full|whole|entire|only)\s)[a-z-]{1,20}"
    r"|these|those)\s\Z"
)
_GROWN_TO = re.compile(
    r"\b(?:grew|grow[ns]?|rose|risen|rises?|increas\w{1,3}|jump\w{0,3}|climb\w{0,3}|went|goes|fell|fallen"
    r"|drop\w{0,4}|declin\w{1,3}|decreas\w{1,3}|rang\w{1,3}|reduc\w{1,3}|expand\w{0,3}|var(?:y|ies|ied))"
    r"\s(?:[\w-]{1,20}\s){0,4}from\s\d{1,3}\s(?:[a-z]{1,20}\s)?to\s\Z"
)
_FROM = re.compile(r"\bfrom\s\Z")
_TO_LESS = re.compile(r"\s(?:[a-z]{1,20}\s)?to\s\d{1,3}(?![\w,-]|\.\d|\sB\.?C)")
_NOW = re.compile(r"\b[Ii]t(?:['’]s|\s(?:is|was))\s(?:almost|nearly)\s\Z")  # “it's almost 2024”
_ENDS = re.compile(r"[,.;:!?)—–-]|\Z")
_OF_THEM = re.compile(r"\sof\s(?:the|them|these|those|us|his|her|its|our|their|my)\b")
# “1869 or 1870”, but “1500 or 1600 men”.
_OR_YEAR = re.compile(
    r"\sor\s(?:in\s)?(?P<other>(?:1[1-9]|20)\d\d|['’]\d\d)(?![\w,-]|\.\d|\s\w+s\b)"
)
_SUFFIX = re.compile(r"-([a-z]+)")
_OF_A_YEAR = frozenset(("in", "million", "billion", "trillion", "constant"))
_NEAR_YEARS = 12


def is_marked_year(match: re.Match[str], context: Context) -> bool:
    """True if what stands before the number makes it a year."""
    start = match.start()
    before = context.word_before(start).lower().rstrip(".")
    in_brackets = context.text_before(start, 1) in ("(", "[")
    tells = before in TELL_YEARS or before in {"of", "by", "from", "to", "and", "the"}
    return tells or in_brackets or context.text[match.end() :].startswith(" and all that")


def is_count(match: re.Match[str], context: Context) -> bool:
    """True if the number counts things, from the words on both sides of it."""
    end = match.end()
    before = context.word_before(match.start()).lower().rstrip(".")
    after = context.word_after(end)
    if suffix := _SUFFIX.match(context.text, end):
        return suffix[1] not in _ERA_SUFFIXES
    if _is_surely_year(match, context):
        return False
    if _is_of_change(match, context):
        return True
    if after == "dollars" and before in _OF_A_YEAR:
        return False  # “a billion 2020 dollars”
    if after in UNITS:
        return True
    tells = before in TELL_YEARS
    if tells or not after.islower():
        return not tells and _is_amount(match, context, before)
    if _is_one_of_two(match, context):
        return False
    if after in COUNTED or (after in _MORE and after != before):
        return True
    if _is_plural(after):
        return _counts_plural(match, context)
    return _is_amount(match, context, before)


def _is_of_change(match: re.Match[str], context: Context) -> bool:
    """True for “grew from 285 to 1975” and “from 1975 to 285”, which are no years."""
    start, end = match.span()
    return bool(
        context.search_before(_GROWN_TO, start)
        or (context.search_before(_FROM, start) and _TO_LESS.match(context.text, end))
    )


def _is_surely_year(match: re.Match[str], context: Context) -> bool:
    number, start = int(match["year"]), match.start()
    near = context.text_before(start)
    if _SURE.search(near):
        return number > 1100
    if number % 100 == 0 or number < 1500 or context.word_after(match.end()) in UNITS:
        return False
    if _LIMIT.search(near):
        return not context.word_after(match.end()).islower() or bool(
            _ENDS.match(context.text, match.end())
        )
    return bool(_OF_YEAR.search(near)) and (number % 10 > 0 or near.endswith(("these ", "those ")))


def _is_one_of_two(match: re.Match[str], context: Context) -> bool:
    """True before “or 1870”; two round numbers count things more often."""
    other = _OR_YEAR.match(context.text, match.end())
    return other is not None and not match["year"][-1] == other["other"][-1] == "0"


def _is_plural(word: str) -> bool:
    no_plural = word in NO_PLURALS or word.endswith(("ss", "us", "is", "'s", "’s"))
    return word.endswith("s") and not no_plural


def _counts_plural(match: re.Match[str], context: Context) -> bool:
    """True if a plural is counted: “of 1844 votes”, but “by 1844 cities”, “the 1844 elections”."""
    number, start = int(match["year"]), match.start()
    before = context.word_before(start).lower().rstrip(".")
    after = context.word_after(match.end())
    if before in {"by", "from", "to", "and"}:
        return number % 10 == 0 and after not in EVENTS
    if before in _POSSESSIVES or before.endswith(("'s", "’s")):
        return number % 100 == 0 and after not in EVENTS
    is_named = before in {"of", "for"} and context.search_before(_NAMED, start)
    return not is_named and (after not in EVENTS or before == "of")


def _is_amount(match: re.Match[str], context: Context, before: str) -> bool:
    """True after “some” or “more than”, and before “of them”."""
    start, end = match.span()
    near = context.text_before(start)
    if _NOW.search(near) and not context.word_after(end).islower():
        return False
    is_part = before not in TELL_YEARS and bool(_OF_THEM.match(context.text, end))
    return is_part or before in _QUANTIFIERS or bool(_MORE_THAN.search(near))


def counts_things(first: int, last: int, end: int, context: Context) -> bool:
    """Whether a range counts: “1500–2000 copies”, but not “a letter of 1769–1770 reads”."""
    after = context.word_after(end)
    is_near = last - first <= _NEAR_YEARS and after not in UNITS and after not in COUNTED
    return not is_near and is_counted(end, context)


def is_counted(end: int, context: Context) -> bool:
    """True if what stands at `end` is counted: a unit, people, a plural."""
    after = context.word_after(end)
    return after in UNITS or after in COUNTED or (after.islower() and _is_plural(after))
