"""Whether letters after a number are a unit: “5 m”, but not “5m people” or “5 A students”."""

from __future__ import annotations

import re

from audiomill.inputs.languages.declaration import words
from audiomill.inputs.languages.en.unit_names import SINGLE
from audiomill.inputs.spoken.rules import Context

_ARTICLES = frozenset(("a", "an", "another", "each", "every", "one"))
# Words after a quantity that it does not describe: “a 5 km of road”.
_NO_THINGS = words(
    """
    a an and or per in for to on at of off from is was by as if but that when each more less with
    which away long tall wide high deep thick after before above below than were are the apart
    across into under over
    """
)
# “a 20cm/8in tin”: the same in other units.
_OTHER_MEASURE = r"\d[\d.,]{0,6}[ -]?(?:cm|mm|km|mi|m|ft|in|yd|kg|g|lbs?|oz|ml|L|l)"
_OTHER_MEASURE_AFTER = re.compile(rf"\s?/\s?{_OTHER_MEASURE}\b")
_OTHER_MEASURE_BEFORE = re.compile(rf"(?<![\w.,]){_OTHER_MEASURE}\s?/\s?\Z")
NO_PLURALS = frozenset(("across", "was", "is", "as", "has", "does", "towards", "less", "plus"))
PEOPLE = frozenset(("people", "men", "women", "children"))
_ENDS_PHRASE = re.compile(r"[,;:!?)”\"]|\.?\Z|\.\s[A-Z]")
_LENGTH_AFTER = re.compile(
    r"\s(?:wide|tall|long|deep|high|thick|across|square|apart)(?=\W*\Z|[.,;:)]|\s(?:and|or|by|x)\b)"
    r"|\s?[x×]\s?\d|\sby\s\d|-[a-z]"
)
_LENGTH_BEFORE = re.compile(
    r"\b(?:inch(?:es)?|ft|feet|foot|tall|wide|width|height|length|diameter|measur\w*|by|rain|snow)\b",
    re.IGNORECASE,
)
_AFTER_IN = words("all any each every his her its one our some that the their this total your")
_OF_ONE = re.compile(r"-(?:\d|one\b)")  # “a 4-in-1 tool”
_SECONDS_BEFORE = words(
    """
    in for after within about every lasts lasted took takes take only just than timeout latency
    duration default wait waits waited sleep sleeps
    """
)
# “more than 1s, 2s and 4s”
_LISTED_SECONDS = re.compile(
    rf"\b(?:{'|'.join(sorted(_SECONDS_BEFORE))})\s(?:\d{{1,3}}s,?\s(?:and\s|or\s)?){{1,4}}\Z"
)
# “Default: 0s”, “a timeout of 20s”
_SET_TO_SECONDS = re.compile(
    r"\b(?:[Dd]efault|delay|duration|interval|latency|period|[Tt]imeout|TTL|ttl)s?"
    r"(?::\s|\s?=\s?|\sof\s|\sis\s)\Z"
)
_SECONDS_AFTER = frozenset(("ago", "delay", "interval", "later", "pause", "timeout", "window"))
_DECADES_BEFORE = frozenset(("the", "his", "her", "their", "my", "early", "late", "mid"))
# Before seconds too, where the number is no decade: “was 27s”.
_LOOSE_SECONDS_BEFORE = frozenset(("was", "is", "to", "of", "by", "from"))
# What has to be near a capital letter that is a unit.
_NEAR = {
    "A": r"current|fuse|amp|volt|circuit|battery|draws?|electric|rated|charger",
    "N": r"force|newton|weigh|pull|push|thrust|tension",
    "F": r"oven|bak(?:e|ing)|roast|preheat|heat|temperature|degree|boil|cook|fever|thermometer"
    r"|chill|freez",
    "J": r"energy|work|heat|joule|releas|absorb",
    "K": r"temperature|kelvin|degree|cool|heat|warm|cold|superconduct|melt|boil|near",
}
_NEAR_PATTERNS = {
    letter: re.compile(rf"\b(?:{words})", re.IGNORECASE) for letter, words in _NEAR.items()
}
_THINGS = {
    "A": frozenset(("fuse", "current", "circuit", "breaker", "charger", "supply", "plug", "load")),
    "N": frozenset(("force",)),
}


def describes(match: re.Match[str], context: Context) -> bool:
    """Whether the quantity describes what follows it: “a 20 km walk”, “3 mm-thick”."""
    end = match.end()
    if re.compile(r"-[a-z]").match(context.text, end):
        return True
    other = _OTHER_MEASURE_AFTER.match(context.text, end)
    following = context.word_after(other.end() if other else end)
    groups = match.groupdict()
    if groups.get("unit") == "yr" and following.islower() and following.endswith("s"):
        return following not in NO_PLURALS  # “5 yr. terms”
    is_thing = following.islower() and following not in _NO_THINGS
    if groups.get("unit") == "in" and groups.get("gap") == "":
        return is_thing  # “4in nails”
    before = context.search_before(_OTHER_MEASURE_BEFORE, match.start())
    earlier = context.word_before(before.start() if before else match.start()).lower()
    if earlier in ("a", "an") and not before and _ENDS_PHRASE.match(context.text, end):
        return True  # “a 9mm.”
    return earlier in _ARTICLES and is_thing


def is_unit(match: re.Match[str], context: Context) -> bool:
    """Whether the symbol of a match is a unit and not a word, a name or a grade."""
    symbol = match["unit"]
    if symbol == "ha":
        return context.word_after(match.end()) != "ha"
    if symbol not in SINGLE or match["power"] or match["below"] or match["times"]:
        return True
    if symbol == "in":
        return bool(match["kind"]) or _is_inch(match, context)
    if symbol in ("pt", "pts"):
        return context.word_after(match.end()) == "of"
    if match["kind"]:
        return False
    if context.follows_name(match.start()):  # “World War 2 m”
        return False
    if symbol == "st":
        return context.region != "US" and match["gap"] != "-" and match["number"][-1] != "1"
    if symbol.isupper() and symbol != "L":
        return _is_capital(symbol, match, context)
    return _is_small(symbol, match, context)


def _is_inch(match: re.Match[str], context: Context) -> bool:
    """“5 in. of rain” and “5 in wide”, but not “5 in the room”."""
    text, end = context.text, match.end()
    if match["gap"] == "-" and _OF_ONE.match(text, end):
        return False
    if match["gap"] == "-" or match["stop"] or _LENGTH_AFTER.match(text, end):
        return True
    if (
        not match["gap"]
        and len(match["number"]) < 3
        and re.compile(r"\s(?:of\s|[a-z]{3})").match(text, end)
    ):
        return context.word_after(end) not in _AFTER_IN  # “4in nails”
    if re.compile(r"\s+\w").match(text, end):
        return False  # “5 in ten”, “1,000 in 100 hours”
    exact = not match["number"].replace(",", "").isdecimal() or bool(match["last"])
    return exact or context.search_before(_LENGTH_BEFORE, match.start()) is not None


def _is_capital(symbol: str, match: re.Match[str], context: Context) -> bool:
    text, end = context.text, match.end()
    following = context.word_after(end)
    if (following and not following.islower()) or re.compile(r"\.?\s\d").match(text, end):
        return False
    if symbol in ("V", "W"):
        return following not in ("is", "was", "students")
    if symbol == "K" and not match["gap"]:
        return False
    if following in _THINGS.get(symbol, ()):
        return True
    near = _NEAR_PATTERNS[symbol]
    return bool(context.search_before(near, match.start()) or near.search(text, end, end + 25))


def _is_small(symbol: str, match: re.Match[str], context: Context) -> bool:
    following = context.word_after(match.end())
    if symbol == "m":
        plural = following.islower() and following.endswith("s") and following not in NO_PLURALS
        return not plural and following not in PEOPLE
    if symbol == "v":  # “a 5v supply”, but not “Ps. 5 v. 3”
        return not match["gap"] and not match["stop"]
    if symbol == "s" and not match["gap"]:
        return _is_seconds(match["number"], match, context)
    return True


def _is_seconds(number: str, match: re.Match[str], context: Context) -> bool:
    """Whether “5s” lasts, and is neither several fives nor a decade."""
    if re.fullmatch(r"1\d\d0|20\d0", number):
        return False  # “in 1340s”: a decade
    before = context.word_before(match.start()).lower()
    loose = len(number) < 3 and number[-1] != "0" and before in _LOOSE_SECONDS_BEFORE
    exact = not number.isdecimal()
    about = context.text[: match.start()][-1:] == "~" and context.word_after(match.end()) != "of"
    near = context.text_before(match.start())
    listed = _LISTED_SECONDS.search(near) or _SET_TO_SECONDS.search(near)
    goes_on = context.word_after(match.end()).lower() in _SECONDS_AFTER
    lasts = bool(listed) or (goes_on and before not in _DECADES_BEFORE)
    return exact or loose or about or lasts or before in _SECONDS_BEFORE
