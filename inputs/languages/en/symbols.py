"""English words for signs that no other rule took, so that none of them reaches an engine.

Left to the engine: full stops, commas, colons, quotation marks, brackets, dashes, ellipses.
Names of letters and signs follow the Unicode Character Database where people have none.
"""

from __future__ import annotations

import re
import unicodedata

from audiomill.inputs.languages.en import arithmetic
from audiomill.inputs.languages.en.identifiers import HUMP, say_name
from audiomill.inputs.languages.en.numbers import SUBSCRIPTS
from audiomill.inputs.languages.en.web import say_humps
from audiomill.inputs.spoken.rules import Context, Rule, always, rule

_LEFT = frozenset("–—‒―‐‑…«»‹›„‟‚‛“”‘’\"'()[].,;:!?-¡¿")
# Between words, or before or after one.
_WORDS = {
    "&": "and",
    "@": "at",
    "%": "percent",
    "‰": "per mille",
    "+": "plus",
    "±": "plus or minus",
    "∓": "minus or plus",
    "−": "minus",
    "×": "times",
    "÷": "divided by",
    "⋅": "times",
    "=": "equals",
    "≠": "is not equal to",
    "≡": "is identical to",
    "≈": "is approximately",
    "≃": "is approximately",
    "≅": "is congruent to",
    "≤": "is less than or equal to",
    "≥": "is greater than or equal to",
    "≪": "is much less than",
    "≫": "is much greater than",
    "∝": "is proportional to",
    "√": "the square root of",
    "∛": "the cube root of",
    "∞": "infinity",
    "∑": "the sum of",
    "∏": "the product of",
    "∫": "the integral of",
    "∂": "partial",
    "∇": "nabla",
    "∆": "delta",
    "∀": "for all",
    "∃": "there is",
    "∈": "in",
    "∉": "not in",
    "⊂": "is a subset of",
    "⊆": "is a subset of",
    "∪": "union",
    "∩": "intersection",
    "∅": "the empty set",
    "∧": "and",
    "∨": "or",
    "¬": "not",
    "∴": "therefore",
    "∵": "because",
    "→": "to",
    "⟶": "to",
    "➔": "to",
    "➜": "to",
    "←": "from",
    "↔": "and back to",
    "⇒": "implies",
    "⇔": "if and only if",
    "↑": "up",
    "↓": "down",
    "°": "degrees",
    "℃": "degrees Celsius",
    "℉": "degrees Fahrenheit",
    "′": "prime",
    "″": "double prime",
    "©": "copyright",
    "§": "section",
    "№": "number",
    "℅": "care of",
    "♯": "sharp",
    "♭": "flat",
    "♮": "natural",
    "$": "dollars",
    "€": "euros",
    "£": "pounds",
    "¥": "yen",
    "₹": "rupees",
    "¢": "cents",
    "₽": "rubles",
    "₩": "won",
    "₪": "shekels",
    "₿": "bitcoin",
}
_GREEK_NAMES = """
    alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma
    sigma tau upsilon phi chi psi omega
"""
_GREEK = dict(zip("αβγδεζηθικλμνξοπρςστυφχψω", _GREEK_NAMES.split(), strict=True)) | {
    "ϕ": "phi",
    "ϑ": "theta",
    "ϵ": "epsilon",
    "µ": "mu",
}
_LATIN_LOOKS = dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX", strict=True))
# Elements that only format what they stand around, and are left over in plain text.
_FORMATTING = (
    "a|b|i|u|s|p|g|q|br|hr|em|tt|sc|small|big|strong|sup|sub|font|span|center|pre|blockquote"
    "|h[1-6]|pb"
)
_KEYS = {"esc": "escape"}
_SILENT_CATEGORIES = frozenset(("Cn", "Co", "Cc", "Cf", "Cs", "Sk", "Me", "So", "Po", "Pc", "Pd"))


def greek(letter: str) -> str:
    """“alpha” for “α”, “capital delta” is said “delta” too."""
    return _GREEK.get(letter.lower(), "")


def _greek(match: re.Match[str], context: Context) -> str | None:
    """“alpha”; but a capital in an English word is a slip for the Latin one it looks like."""
    after = context.text[match.end() : match.end() + 2]
    if match["letter"] in _LATIN_LOOKS and len(after) > 1 and after.isascii() and after.isalpha():
        return _LATIN_LOOKS[match["letter"]]
    said = greek(match["letter"])
    if not said:
        return None
    return f"{said} " if match["joined"] or match["next"] is not None else said


def _space(text: str, at: int) -> str:
    """The space after a word; none before the punctuation at `at`."""
    return "" if text[at : at + 1] in tuple(",.;:!?)”’") else " "


def _sign(match: re.Match[str], context: Context) -> str | None:
    sign = match[0]
    if sign in _LEFT:
        return sign
    if sign in _WORDS:
        return f" {_WORDS[sign]}{_space(context.text, match.end())}"
    category = unicodedata.category(sign)
    if category.startswith(("M", "L", "N")):
        return None
    if category in _SILENT_CATEGORIES:
        return " "
    return f" {unicodedata.name(sign, '').lower()} " if category == "Sm" else " "


def _root(match: re.Match[str], context: Context) -> str:
    power = "cube" if match[0] == "∛" else "square"
    the = "" if context.word_before(match.start()).lower() == "the" else "the "
    return f" {the}{power} root of "


def _key(match: re.Match[str], context: Context) -> str:
    """“tab” for “<TAB>”."""
    key = match["key"].lower()
    return f" {_KEYS.get(key, key)}{_space(context.text, match.end())}"


def _placeholder(match: re.Match[str], context: Context) -> str:
    """“user” for “<user>”, what a reader is to put in; also an element: “a <div> tag”."""
    said = " ".join(
        say_humps(one) if HUMP.search(one) else say_name(one)
        for one in match["name"].translate(SUBSCRIPTS).split()
    )
    return f" {said}{_space(context.text, match.end())}"


def _mark(match: re.Match[str], _: Context) -> str:
    return " " if match[1] in "|_{}~" else ""


RULES: tuple[Rule, ...] = (
    # An engine says “dot” before a word that follows at once.
    rule("ellipsis", r"\.(?:[\x20\u00a0]?\.){2,3}(?=[^\W_])", always("… ")),
    rule("colon", r":(?=\d)(?<=\d:)", always(", ")),
    rule("dash", r"(?<!-)-{2,3}(?!-)(?=\s?\S)", always("—")),
    # “x == y”; elsewhere such signs are marks around a heading.
    rule(
        "sign",
        r"""={2,3}(?=[\s\u00a0][\w('"“‘])
        (?:(?<=[\w)\]][\s\u00a0]==)|(?<=[\w)\]][\s\u00a0]===))""",
        always(" equals "),
    ),
    # Stars, rules and the like that only divide; and pairs that mark words in plain text.
    rule("ornament", r"(?:[*_~=+#|•·◦∙`^\\-]\ ?){3,}|[⋮⋯⋰⋱]", always(" ")),
    rule("arrow", r"(?:<?[-=]{1,3}>)(?=\s|\w)", always(" to ")),
    *arithmetic.TYPES,
    # Those that a text about pages is about: “such as <p>, <b>”.
    rule(
        "placeholder",
        rf"<(?P<name>{_FORMATTING})>(?=[,;)]|\.?\s(?:tags?|elements?)\b)",
        _placeholder,
    ),
    rule("markup", rf"</?(?i:{_FORMATTING})\s?/?>|</[a-zA-Z][\w-]{{0,30}}>", always(" ")),
    rule("sign", r"=~(?=[\s,.;)]|\Z)(?<=\s=~)", always(" equals tilde ")),
    rule(
        "ornament",
        r"[=<>{}*~-]*(?:=[=<>{}*~-]+|[<>]{2}|[{}][*=]+)[=<>{}*~-]*(?![\w=])(?<![\w=]==)(?<!\w\s[=<>]=)",
        always(" "),
    ),
    rule("ornament", r"={2,6}", always(" ")),
    # A single accent in the place of an apostrophe; else that of stress: “Midē´wiwin”.
    rule("apostrophe", r"[´`](?=(?:t|s|d|m|re|ve|ll)\b)(?<=[^\W\d_][´`])", always("'")),
    rule("apostrophe", r"´(?=[A-ZÀ-Þ])(?<=\b[DdLlO]´)", always("'")),
    rule("mark", r"´(?<=[^\W\d_]´)", always("")),
    rule("mark", r"&(?<=\w\(&)(?=[a-z])", always("")),  # “Decode(&payload)” of a program
    rule("mark", r"÷(?:\s?÷)+", always(" ")),  # of music or a rule
    rule("mark", r"\$(?=[a-z]{2})(?<![\w)]\$)", always("")),
    rule("sign", r"\$(?=[\s.,;:)]|\Z)(?<=\ba[ ]\$)", always("dollar sign")),
    # Variables and commands of a shell: “$PATH”, “${HOME}”, “"$(ls)"”; “$CAD” is money.
    rule(
        "mark",
        r"\$(?=\{?(?!(?:USD?|CAD?|AUD?|NZD?|HKD?|SGD?|MXN)\b)[A-Z_]{3})(?<![\w)]\$)",
        always(""),
    ),
    rule("mark", r"\$(?=\([a-z])(?<=[\"=]\$)", always("")),
    rule("key", r"<(?P<key>T(?:AB|ab)|E(?:NTER|nter)|E(?:SC|sc)|S(?:PACE|pace))>", _key),
    rule("placeholder", r"<(?P<name>[a-zA-Z][\w-]{0,30})[ ]?/?>(?![<>])", _placeholder),
    rule(
        "placeholder",
        r"(?<!\w)<(?P<name>[a-zA-Z][\w-]{0,30}(?:[ ][a-z][\w-]{0,30}){1,2})>",
        _placeholder,
    ),
    rule("heart", r"<3(?=[\s\u00a0.,!?)]|\Z)(?<![\d)]\s<3)", always("love")),
    rule("star", r"\*(?<=Sgr[ ]A\*)|\*(?<=Sagittarius[ ]A\*)", always(" star")),
    *arithmetic.COMPARISONS,
    rule("sign", r"%(?<=[ ]%)(?=[ ](?:[A-Za-z]|\d+)\b)(?<=\b[A-Za-z][ ]%)", always(" mod ")),
    rule("root", r"[√∛]", _root),
    rule(
        "approximately",
        r"[~∼≈](?=[\s\u00a0]?[$£€]?\d)(?<!\w[~∼≈])(?<!\w\s[≈∼])",
        always("about "),
    ),
    rule(
        "greek",
        r"(?P<letter>[Α-Ωα-ωϑϕϵµ])(?![Α-Ωα-ωά-ώἀ-῾\u0301])(?P<joined>-(?=[^\W_]))?(?P<next>(?=[^\W_]))?",
        _greek,
    ),
    # A page of the book that a text was typed from.
    rule("mark", r"(?<![\w)}=\\])\{\d{1,4}\}(?![\w({^])", always("")),
    rule("hyphen", r"[‐‑⁃]", always("-")),
    rule("slash", r"/(?=[^\W_])(?<=\w/)|/", always(" ")),
    rule("sharp", r"\#(?!\w)(?<=[A-G]\#)(?<!\w[A-G]\#)", always(" sharp")),
    rule("mark", r"\#(?=[a-z])(?<=[a-z]\#)", always(" ")),  # “Array#first”
    rule("number sign", r"\#(?=\d)(?<=[^\W_]\#)", always(" number ")),
    rule("number sign", r"\#(?=\d)", always("number ")),
    rule("mark", r"([*†‡¶®™℠•·^`\\_{}|~#])\1*+", _mark),
    rule("superscript", r"[⁰-⁹¹²³₀-₉ⁿ⁺⁻]++(?<=[^\w]\S)", always("")),
    rule("sign", r"[^\w\s]", _sign),
)
