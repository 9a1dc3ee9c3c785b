"""English parts of a whole: fractions, mixed numbers, percentages, basis points.

Spelling of “percent” and “per cent”: Merriam-Webster for the United States, Oxford elsewhere.
"""

from __future__ import annotations

import re
import unicodedata

from audiomill.inputs.languages.en.numbers import cardinal, ordinal, plural
from audiomill.inputs.languages.en.quantities import AMOUNT, say_amount
from audiomill.inputs.spoken.rules import Context, Rule, always, rule

_VULGAR = "¼½¾⅐-⅞↉"
_SLASHES = "/\u2044\u2215"
# Denominators that people say as fractions; 5/17 is more often something else.
_DENOMINATORS = frozenset((*range(2, 13), 15, 16, 20, 25, 32, 50, 64, 100, 128, 1000, 10000))
_MUSIC = frozenset(
    ("time", "beat", "rhythm", "meter", "metre", "signature", "waltz", "march", "bar", "bars")
)
# After these words, two numbers with a stroke are a date.
_BEFORE_DATES = frozenset(("on", "dated", "until", "till", "since", "due", "expires"))
_RATED = re.compile(
    r"\b(?:rat(?:ed|es?|ing)|scor(?:e|ed|es|ing)|g[ai]ve[ns]?|g[eo]ts?|earn(?:s|ed))"
    r"(?:\s[^\W\d_]{1,12}){0,2}\s\Z",
    re.IGNORECASE,
)
_GRADE = re.compile(r"[A-Z]-\Z|\b[Pp]hases?\s\Z")  # of pay, of work: “GS-11/12”
_HALF = {2: ("half", "halves"), 4: ("quarter", "quarters")}


def _say_fraction(above: int, below: int, region: str) -> str:
    """“one half”, “three quarters”, “seven sixteenths”."""
    one, many = _HALF.get(below) or _parts(below, region)
    return f"{cardinal(above, region)} {one if above == 1 else many}"


def _parts(below: int, region: str) -> tuple[str, str]:
    one = ordinal(below, region).removeprefix("one ")  # hundredth, not one hundredth
    return one, plural(one)


def _joined(said: str) -> str:
    """A fraction before a hyphen: “half-inch”, “three-quarter-inch”."""
    words = said if " and " in said else said.removeprefix("one ")
    return words.removesuffix("s").replace(" ", "-")


def _say_parts(whole: str, above: int, below: int, match: re.Match[str], context: Context) -> str:
    """A fraction or mixed number as the words after it ask for."""
    said = _say_fraction(above, below, context.region)
    rest = context.text[match.end() : match.end() + 8]
    if whole:
        said = f"{say_amount(whole, context.region)} and {_with_article(said)}"
    if re.match(r"-[^\W\d_]", rest):
        return _joined(said)
    if not whole and re.match(r"\s(?:an?|the|my|his|her|its|our|their)\b", rest):
        return said.removeprefix("one ") if below == 2 else f"{said} of"
    return said


def _with_article(said: str) -> str:
    """“a half” in “two and a half”."""
    article = "an" if said == "one eighth" else "a"
    return f"{article} {said.removeprefix('one ')}" if said.startswith("one ") else said


def _vulgar(match: re.Match[str], context: Context) -> str | None:
    above, slash, below = unicodedata.normalize("NFKC", match["vulgar"]).partition("\u2044")
    if not slash or not below:
        return None
    return _say_parts(match["whole"] or "", int(above), int(below), match, context)


def _fraction(match: re.Match[str], context: Context) -> str | None:
    above, below = int(match["above"]), int(match["below"])
    whole, before = match["whole"] or "", context.word_before(match.start()).lower()
    after = context.word_after(match.end())
    if context.search_before(_GRADE, match.start(), 8):
        return f"{cardinal(above)} {cardinal(below)}"
    if above >= below or below not in _DENOMINATORS or before in _BEFORE_DATES:
        return None
    if not whole and after in _MUSIC:
        return None
    return _say_parts(whole, above, below, match, context)


def _raised(match: re.Match[str], context: Context) -> str | None:
    """A fraction that is set as one on the page: “^64/87”, “¹/352”."""
    above = int(unicodedata.normalize("NFKC", match["above"]))
    below = int(unicodedata.normalize("NFKC", match["below"]))
    if above >= below:
        return None
    if match["below"].isascii():
        return _say_fraction(above, below, context.region)
    return _say_parts(match["whole"] or "", above, below, match, context)


def _rating(match: re.Match[str], context: Context) -> str | None:
    """“eight out of ten”, “four point five out of five”."""
    text, below = match["above"], int(match["below"])
    is_noun = match["below"] == "10" and context.word_before(match.start()) in ("a", "an")
    following = context.word_after(match.end())
    rated = _RATED.search(context.text_before(match.start())) or (
        is_noun and following in ("", "and", "but", "for", "from")
    )
    if not (rated or "." in text or text == match["below"] == "10") or float(text) > below:
        return None
    return f"{say_amount(text, context.region)} out of {cardinal(below, context.region)}"


def _share(match: re.Match[str], context: Context) -> str | None:
    """“three out of ten tests”."""
    above, below = int(match["above"]), int(match["below"])
    if above > below or below < _LEAST_SHARED:
        return None
    return f"{cardinal(above, context.region)} out of {cardinal(below, context.region)}"


def _music(match: re.Match[str], context: Context) -> str | None:
    if context.word_after(match.end()) not in _MUSIC:
        return None
    return f"{cardinal(int(match['above']))} {cardinal(int(match['below']))}"


def _percent(match: re.Match[str], context: Context) -> str:
    percent = "percent" if context.region == "US" else "per cent"
    said = {"%": percent, "‰": "per mille", "‱": "basis points"}[match["sign"]]
    return f"{say_amount(match['amount'], context.region)} {said}"


def _percent_of_fraction(_match: re.Match[str], context: Context) -> str:
    return " percent" if context.region == "US" else " per cent"


def _basis_points(match: re.Match[str], context: Context) -> str | None:
    amount = match["amount"]
    number = float(amount.replace(",", ""))
    # More than these are bits per second.
    if number > 1000:
        return None
    return f"{say_amount(amount, context.region)} basis {'point' if number == 1 else 'points'}"


_LEAST_SHARED = 5  # “3/4 cups”, “2/3 points”
_SHARED = (
    r"(?:tests|checks|jobs|files|patients|respondents|participants|people|players|students|stars"
    r"|votes|attempts|episodes|games|matches|cases|women|men|children|questions|users|items)"
)
_AMOUNT = rf"(?P<amount>{AMOUNT}|\.\d{{1,12}})"
_ABOVE = rf"(?P<above>\d{{1,3}})[{_SLASHES}]"
_BELOW = rf"(?P<below>[1-9]\d{{0,4}})(?:ths?|rds?|nds?)?(?![\w%]|[{_SLASHES}.,:]\d|[{_SLASHES}]\w)"

RULES: tuple[Rule, ...] = (
    rule("fraction", rf"(?:(?P<whole>\d{{1,6}})[\s\u2009-]?)?(?P<vulgar>[{_VULGAR}])", _vulgar),
    rule(
        "fraction",
        rf"(?:\^(?=\d)|(?:(?P<whole>\d{{1,6}})\s?)?(?=[⁰¹²³⁴-⁹]))(?P<above>[\d⁰¹²³⁴-⁹]{{1,3}})[{_SLASHES}](?P<below>[0-9]{{1,4}}|[₀-₉]{{1,4}})(?!\w)",
        _raised,
    ),
    rule("percent", r"(?<=[¼-¾⅐-⅞])\s?%", _percent_of_fraction),
    rule("percent", r"(?<=%)\s?[–-]\s?(?=\d{1,3}(?:\.\d{1,4})?\s?%)", always(" to ")),
    rule("percent", rf"{_AMOUNT}\s?(?P<sign>[%‰‱])", _percent),
    rule("percent", rf"{_AMOUNT}\s?bps\b(?!/)", _basis_points),
    rule(
        "rating",
        rf"(?<!\d\s)(?P<above>\d{{1,4}})/(?P<below>\d{{1,4}})(?=\s{_SHARED}\b)",
        _share,
    ),
    rule("music", r"(?P<above>\d{1,2})/(?P<below>[248]|16)\b(?!/)", _music),
    rule(
        "rating",
        rf"(?P<above>\d{{1,3}}(?:\.\d{{1,2}}(?=/))?)[{_SLASHES}](?P<below>5|10|20|100)(?![\w%/]|[.,]\d)",
        _rating,
    ),
    rule(
        "fraction", rf"(?:(?P<whole>\d{{1,5}})[\s-])?(?<![{_SLASHES}]){_ABOVE}{_BELOW}", _fraction
    ),
)
