"""Pounds, shillings and pence, as Britain counted until 1971: “£12 3s. 4d.”, “10/6d”, “5 gns”.

Twelve pence were a shilling, and twenty shillings a pound. Style: New Hart's Rules, 11.6.
"""

from __future__ import annotations

import re
from functools import lru_cache

from audiomill.inputs.languages.declaration import words
from audiomill.inputs.languages.en.amounts import STOP
from audiomill.inputs.languages.en.durations import has_durations
from audiomill.inputs.languages.en.numbers import ONES, cardinal
from audiomill.inputs.languages.en.quantities import say_number
from audiomill.inputs.model.book import BlockKind
from audiomill.inputs.spoken.rules import Context, Rule, rule

_HALVES = {"½": "halfpenny", "¼": "farthing", "¾": "three farthings"}
_PARTS = {"1/2": "½", "1/4": "¼", "3/4": "¾"}
# Words before several numbers or seconds, and words before a decade: “both 8s”, “in his 20s”.
_BEFORE_PLURALS = frozenset(("in", "all", "both"))
_BEFORE_DECADES = words(
    """
    the their his her my your our early late mid low high upper lower
    """
)
_IN_A_DECADE = re.compile(rf"\bin\s(?:{'|'.join(_BEFORE_DECADES)})\s\Z", re.IGNORECASE)
_GOES_ON = re.compile(r"\s?[,;:)!?]|\s[a-z(]")
_SUMS_OF_MONEY = re.compile(
    r"(?<![\w./])\d{1,2}s\.,?\s?(?:and\s)?\d{1,2}d\b|£\s?\d[\d,]*\s\d{1,2}s\b|£\d"
)
_SPENT = re.compile(
    r"\b(?:cost|costs|paid|pay|pays|price|worth|gave|given|give|spent)\b[^.;]*\Z"
    r"|\b(?:commission|fine|sum|fee|rent|reward|wages|payment|fare|loan|debt)\sof\s\Z",
    re.IGNORECASE,
)
_LISTED = re.compile(r"[A-Za-z]{3},\s\Z")  # “Lives of Men, T. Waller, 7s.”, in a list of books
_AT_END = re.compile(r"[\s.]{0,4}\Z")
_PAYING = frozenset(("cost", "costs", "paid", "pay", "pays", "price", "worth", "charged", "charge"))


def pence(text: str, region: str = "GB") -> str:
    """“sixpence”, “a penny”, “fourpence halfpenny”, for a number of old pence."""
    if text == "1½":
        return "three halfpence"
    part = _HALVES.get(text[-1], "")
    number = int(text.rstrip("½¼¾") or 0)
    if not number:
        return part if text == "¾" else f"a {part}"
    if number == 1:
        said = "a penny"
    elif number < 12:
        said = f"{ONES[number]}pence"
    else:
        said = f"{cardinal(number, region)} pence"
    return f"{said} {part}".strip()


def _counted(text: str, one: str, many: str, region: str) -> str:
    text = text.lstrip("0") or "0"  # “£4 01s.”
    return f"{say_number(text, region)} {one if text == '1' else many}"


def _sum(match: re.Match[str], context: Context) -> str:
    """“twelve pounds, three shillings and fourpence”."""
    region = context.region
    parts = list[str]()
    if match["pounds"]:
        parts.append(_counted(match["pounds"], "pound", "pounds", region))
    if match["shillings"] and match["shillings"] != "0":
        parts.append(_counted(match["shillings"], "shilling", "shillings", region))
    if match["pence"] and match["pence"] not in ("0", "-", "–"):
        parts.append(pence(match["pence"], region))
    if len(parts) < 2:
        return parts[0] if parts else "nothing"
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def _ledger_sum(match: re.Match[str], context: Context) -> str:
    said = _sum(match, context)
    return f"{said} {_HALVES[_PARTS[match['part']]]}" if match["part"] else said


def _table_sum(match: re.Match[str], context: Context) -> str | None:
    """“one pound and twelve shillings”; times have two digits."""
    is_time = len(match["shillings"]) == len(match["pence"]) == 2
    return None if is_time or context.kind is not BlockKind.TABLE else _sum(match, context)


def _pence_alone(match: re.Match[str], context: Context) -> str | None:
    """“6d.”; but in the United States “3d” is “third” in citations."""
    if has_durations(context.text):
        return None
    text = match["pence"]
    ordinal_like = text[-1] in "23" and text not in ("12", "13")
    stop = match["stop"] or context.text.startswith(".", match.end())
    if ordinal_like and not (stop and (context.region != "US" or _is_price(match, context))):
        return None
    return pence(text, context.region)


def _is_price(match: re.Match[str], context: Context) -> bool:
    """“Average cost, 3d. each”; a “3d” is more often the third in the United States."""
    near = context.text_before(match.start())
    return bool(_COSTS.search(near) or _EACH.match(context.text, match.end()))


def _shillings_alone(match: re.Match[str], context: Context) -> str | None:
    """“5s. a week”, “cost 12s.”, but not “in the 20s.”, “two 8s.” or “in 12s. and”.

    Where the sentence goes on, the full stop is that of an abbreviation, which a decade has not.
    """
    number = int(match["shillings"])
    before = context.word_before(match.start()).lower()
    near = context.text_before(match.start())
    if before in _BEFORE_PLURALS or before in ONES[2:10] or _IN_A_DECADE.search(near):
        return None
    if not _GOES_ON.match(context.text, match.end()):
        is_last = _AT_END.match(context.text, match.end()) and _LISTED.search(near)
        sums = is_last or _SPENT.search(near) or _has_sums(context.text)
        decade = 10 < number < 100 and number % 10 == 0
        if (context.region == "US" and not sums) or (decade and before in _BEFORE_DECADES):
            return None
    return _counted(match["shillings"], "shilling", "shillings", context.region)


@lru_cache(maxsize=8)
def _has_sums(text: str) -> bool:
    return _SUMS_OF_MONEY.search(text) is not None


def _slashed(match: re.Match[str], context: Context) -> str | None:
    """“7/6” after a word that tells a price, “10/-” and “10/6d.” anywhere."""
    clear = match["pence"] in ("-", "–") or match["d"] or _NET.match(context.text, match.end())
    if not clear and context.word_before(match.start()).lower() not in _PAYING:
        near = context.text_before(match.start())
        if not (_BOUND.search(near) or _PRICED.search(near)):
            return None
    return _sum(match, context)


def _pounds(match: re.Match[str], context: Context) -> str | None:
    """“8000l. a year”, “100 l.,”: pounds; but “5 l. of water” are liters."""
    following = _GOES_ON.match(context.text, match.end())
    if not following or _LIQUID.match(context.text, match.end()):
        return None
    return _counted(match["pounds"], "pound", "pounds", context.region)


def _guineas(match: re.Match[str], context: Context) -> str:
    return _counted(match["guineas"], "guinea", "guineas", context.region)


_LIBRA_AFTER = re.compile(
    r"\s(?:a|per|every)[\s-](?:year|annum|month|week|day|quarter|head|piece)\b|\ssterling\b"
    r"|\sin\s(?:gold|cash|money|notes|silver)\b"
)
_LIBRA_BEFORE = re.compile(
    r"\b(?:(?:sum|income|fortune|salary|pension|price|rent|legacy|loan|annuity|debt)s?\sof"
    r"|(?:paid|pay|owed?|owes|costs?|worth|spent|lent|borrowed|earned|received)(?:\s(?:him|her"
    r"|them|me|us))?)\s(?:(?:about|nearly|over|only|some|at\sleast|more\sthan)\s)?\Z"
)
_LIQUID = re.compile(r"\s(?:of\s[a-z]|water|milk|wine|beer|petrol|juice|bottle|per\b)")
_PENCE = r"(?P<pence>\d{1,2}[½¼¾]?|[½¼¾])"
_D = rf"\s?d\b{STOP}"
_S = r"\s?s(?:\b\.?)"


_NET = re.compile(r"\snet\b", re.IGNORECASE)
_PRICED = re.compile(r"\bpriced?\s(?:is|was|of|at|only|about)\s\Z", re.IGNORECASE)
# What a list of books says before a price: “Cloth, 1/6 each”, “Crown 8vo, 3/6”.
_BOUND = re.compile(r"\b(?:cloth|sewed|gilt|\d{1,2}mo|[48]vo),?\s\Z", re.IGNORECASE)
_COSTS = re.compile(
    r"\b(?:costs?|price|worth|paid|pays?|charged?),?\s(?:[a-z ]{1,20},?\s)?\Z", re.I
)
_EACH = re.compile(r"\.?\s(?:each|apiece|per|when|a\s(?:piece|pound|week|day|dozen|quart|pint))\b")


def _clear_libra(match: re.Match[str], context: Context) -> str | None:
    """“L400 a year”, “a sum of L400”; but “L400” alone is a code."""
    before = context.text_before(match.start())
    is_sum = _LIBRA_AFTER.match(context.text, match.end()) or _LIBRA_BEFORE.search(before)
    return _libra(match, context) if is_sum else None


def _libra(match: re.Match[str], context: Context) -> str:
    return _counted(match["pounds"], "pound", "pounds", context.region)


RULES: tuple[Rule, ...] = (
    # Where the printer had no £: “L100,000”, “L 5,000”, “L400 a year”.
    rule("money", r"L\.?\s?(?P<pounds>\d{1,7})(?!\w|[,.]\d)", _clear_libra),
    rule("money", r"L\.?\s?(?P<pounds>\d{1,3}(?:,\d{3})+)(?![\w,]\d)", _libra),
    rule("money", r"L\.?\s?(?P<pounds>\d{1,7})(?=,?\s\d{1,2}s\.)", _libra),
    rule(
        "shillings",
        rf"""£\s?(?P<pounds>\d{{1,3}}(?:,\d{{3}})+|\d{{1,7}}),?\s(?P<shillings>[01]?\d){_S}
        (?:,?\s?(?:and\s)?{_PENCE}{_D})?(?!\w)""",
        _sum,
    ),
    # “£ 1,514,962:17:4 1/2”, as ledgers had it.
    rule(
        "shillings",
        r"""£\s?(?P<pounds>\d{1,3}(?:,\d{3})+|\d{1,7}):(?P<shillings>[01]?\d)(?:s\b\.?)?
        (?::(?P<pence>1[01]|\d)(?:\s(?P<part>1/2|1/4|3/4))?(?:d\b\.?)?)?(?![\w:/])""",
        _ledger_sum,
    ),
    # “1:12:0”, in a table of sums.
    rule(
        "shillings",
        r"(?<![\w:.])(?P<pounds>\d{1,4}):(?P<shillings>1?\d):(?P<pence>1[01]|\d)(?![\w:.])",
        _table_sum,
    ),
    rule("shillings", rf"£\s?(?P<pounds>\d{{1,7}}),?(?P<shillings>)\s{_PENCE}{_D}(?!\w)", _sum),
    rule(
        "shillings",
        r"£(?P<pounds>\d{1,7})/(?P<shillings>1?\d)/(?P<pence>1[01]|\d)(?![\w/]|\.\d)d?",
        _sum,
    ),
    rule(
        "shillings",
        rf"(?<![\w./])(?P<pounds>)(?P<shillings>\d{{1,3}}){_S},?\s?(?:and\s)?{_PENCE}{_D}(?!\w)",
        _sum,
    ),
    rule(
        "shillings",
        rf"""(?<![\w./])(?P<pounds>\d{{1,5}})\s?l\.,?\s(?P<shillings>[01]?\d){_S}
        (?:,?\s?(?:and\s)?{_PENCE}{_D})?(?!\w)""",
        _sum,
    ),
    rule(
        "shillings",
        r"""(?<![\w./])(?P<pounds>)(?P<shillings>\d{1,2})/
        (?P<pence>-(?!\d)|–(?!\d)|(?:1[01]|\d)[½¼¾]?)(?P<d>d\b"""
        + STOP
        + r""")?(?![\w/]|\.\d)""",
        _slashed,
    ),
    rule(
        "money",
        r"(?<![\w./])(?P<pounds>\d{1,3}(?:,\d{3})+|\d{1,7})(?:\s?l\.(?!\w)|l\s\.(?=\s?[,;])|(?<=\d{3})L\.(?=\s[a-z]))",
        _pounds,
    ),
    rule("shillings", r"(?<![\w./])(?P<shillings>\d{1,3})s(?=\.)(?!\.\w)" + STOP, _shillings_alone),
    rule(
        "pence",
        r"(?<![\w./)])(?P<pence>(?!0)\d{1,2}[½¼¾]?|[½¼¾])d\b(?P<stop>" + STOP + ")",
        _pence_alone,
    ),
    rule("guineas", r"(?<![\w./])(?P<guineas>\d{1,3}(?:,\d{3})+|\d{1,6})\s?gns\b\.?", _guineas),
)
