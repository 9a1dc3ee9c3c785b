"""How German ordinals are inflected: “am dritten Mai”, “der dritte Mai”, “dritter Mai”.

An ordinal before a noun is an adjective: weak after an article, else strong. Which case a noun is
in is told by the article or preposition before it. Source: Duden, Die Grammatik, “Flexion des
Adjektivs”. num2words knows only “dritte”.
"""

from __future__ import annotations

import re

from audiomill.inputs.languages.de.language import cardinal, gender_of
from audiomill.inputs.languages.declaration import words
from audiomill.inputs.spoken.european import names
from audiomill.inputs.spoken.european.language import Gender
from audiomill.inputs.spoken.european.number_words import ordinal_numeral
from audiomill.inputs.spoken.rules import NEAR, Context

# Words after which an ordinal ends in “n”, and in “e”.
_WEAK_N = words(
    """
    am vom v. d. d zum zur im beim dem den des diesem diesen jenem jenen jedem jeden einem einen
    einer meinem meinen meiner seinem seinen seiner ihrem ihren ihrer unserem unseren unserer keinem
    keinen deinem deinen deiner unterm überm
    """
)
_WEAK_E = words(
    """
    der die das ins ans aufs fürs dieser diese dieses jener jene jenes jeder jede jedes eine meine
    seine ihre unsere deine keine
    """
)
_MIXED = frozenset(["ein", "mein", "sein", "ihr", "unser", "dein", "kein"])
_DATIVES = words(
    """
    in an auf mit von zu bei aus nach seit vor unter über neben während
    """
)
# Before “1 Euro”: where the number is an article. “in 1 Stunde” is a time, which has the dative.
ONE_DATIVE = frozenset(
    ["mit", "von", "bei", "aus", "nach", "seit", "vor", "in", "ab", "außer", "binnen", "innerhalb"]
)
ONE_ACCUSATIVE = frozenset(
    ["für", "um", "ohne", "gegen", "durch", "kostet", "kostete", "kosten", "zahlt", "zahlte"]
)
# Before a date without an article: “ab drittem Mai” is printed, but “ab dritten Mai” is said.
_BEFORE_DATES = frozenset(
    ["gegen", "um", "bis", "ab", "seit", "nach", "vor", "ende", "anfang", "mitte"]
)
# Words that begin a sentence before “der 5.”, and are no noun.
_NO_NOUNS = words(
    """
    schon auch heute gestern morgen aber doch erst dann denn noch selbst sogar bereits endlich
    jetzt weil wenn dass daß damit darauf hier dort sonst also kaum gerade
    """
)
_WEAK_ARTICLE = re.compile(r"\b(?:[Dd]as|[Dd]ie|[Dd]er|[Dd]ieses?|[Dd]ieser)\s[a-zäöüß]+e\s\Z")
# “den ältesten griech. Bauten”: adjectives side by side end alike.
_PARALLEL = re.compile(
    r"\b(?i:d(?:er|en|em|es|as|ie|iese[rsnm]?)|im|am|vom|beim|zu[mr]|in|mit|von|aus"
    r"|[msk]?ein(?:e[rsnm]?)?|ihre[rsnm]?)\s[a-zäöüß]{2,}(?P<ending>e[nrsm]?)\s\Z"
)
_STRONG = {"m": "r", "f": "", "n": "s", "": "r"}
_STRONG_DATIVE = {"m": "m", "f": "r", "n": "m", "": "m"}


def inflected(number: int, ending: str) -> str:
    """“dritte” and an ending: "", "n", "r", "s" or "m"."""
    century, rest = divmod(number, 100)
    if 11 <= century <= 19 and rest:  # “im 1801ten Jahre”
        return f"{cardinal(century, '')}hundert{inflected(rest, ending)}"
    said = ordinal_numeral(number, "de")
    if number >= 100 and said.startswith(("einhundert", "eintausend")):
        said = said.removeprefix("ein")
    return said + ending


def declined(context: Context, at: int) -> str | None:
    """The weak ending after an article before `at`: "n" or "e"; None if there is no article."""
    before = context.word_before(at).lower()
    if before in _WEAK_N:
        return "n"
    if before.endswith("e") and _WEAK_ARTICLE.search(context.text_before(at)):
        return "e"  # “das kurze 112. Kapitel”
    if before == "der":
        return "n" if _governed(context, at) else "e"
    return "e" if before in _WEAK_E else None


def ending_of(context: Context, at: int, gender: Gender) -> str:
    """What follows “dritte” for an ordinal at `at` before a noun of a gender."""
    weak = declined(context, at)
    if weak:
        return "" if weak == "e" else weak
    parallel = context.search_before(_PARALLEL, at)
    if parallel:
        return parallel["ending"][1:]  # “in der alten 2. Klasse”
    before = context.word_before(at).lower()
    if before in _BEFORE_DATES:
        return "n"
    if before in _DATIVES:
        return _STRONG_DATIVE[gender]
    return _STRONG[gender]


def so_called(match: re.Match[str], context: Context) -> str:
    """“sogenannte”, inflected as far as an article or the noun tells it."""
    return f"{match[0][0]}ogenannt{adjective_ending(match, context)}"


def adjective_ending(match: re.Match[str], context: Context) -> str:
    """What an adjective ends in before the noun after a match: “e”, “en”, “er”, “es”, “em”."""
    noun = context.word_after(match.end())
    parallel = context.search_before(_PARALLEL, match.start())
    if parallel:
        return parallel["ending"]
    if context.text[max(0, match.start() - 2) : match.start() - 1].isdigit():
        return "e"  # “71,5 engl. Zoll”
    before = context.word_before(match.start()).lower()
    ending = declined(context, match.start())
    if (
        ending is None
        and noun.endswith(("en", "er", "ern"))
        and not (before.startswith("ein") or before in _MIXED)
    ):
        ending = "n" if before in _DATIVES else ""  # of many: “sogenannte Kinder”
    elif ending == "e" and before == "die" and noun.endswith(("en", "er")):
        ending = "n"
    elif ending is None:
        gender = gender_of(noun)
        ending = ending_of(context, match.start(), gender) if gender else ""
    return f"e{(ending or '').removeprefix('e')}"


_NUMERAL = re.compile(r"[IVX]+\.(?=[ ]?[,;.:!?)]|[ ][a-zäöü]|\Z)")


def _governed(context: Context, at: int) -> bool:
    """Whether “der” before `at` is a dative or genitive: after a preposition or a noun."""
    article = context.text.rfind("er", max(0, at - NEAR), at) - 1
    before = context.word_before(article)
    if before in names.MEN or _NUMERAL.match(context.text, at):  # “Murad der II.”
        return False
    noun = before[:1].isupper() and len(before) > 3 and before.lower() not in _NO_NOUNS
    return before.lower() in _DATIVES or noun


def value_of(printed: str) -> int | None:
    """The number that is printed in digits or as a Roman numeral; None for zero."""
    return int(printed) or None if printed.isdecimal() else names.roman_value(printed)
