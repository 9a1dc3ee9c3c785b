"""The language that a text shows: by its script, and of languages in Latin letters by stop words.

Pages and letters often name none, or that of the program that made them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from math import inf

from audiomill.inputs.languages.codes import primary_subtag
from audiomill.inputs.languages.scripts import (
    CLOSE_LANGUAGES,
    LANGUAGES_BY_SCRIPT,
    STOP_WORDS,
    is_mostly_latin,
    language_by_script,
)
from audiomill.inputs.model.book import LanguageSource

DEFAULT = "en"
_CONFUSABLE = (  # told apart too badly to doubt what a source declares
    *CLOSE_LANGUAGES,
    frozenset(("nb", "nn", "no", "da", "sv", "is")),
    frozenset(("pt", "gl", "es", "ca", "it", "la")),
    frozenset(("ru", "uk", "be", "bg", "mk", "sr", "kk", "ky", "tt", "ba", "mn", "tg", "uz", "cv")),
    frozenset(("hr", "sl", "sr", "bs")),
    frozenset(("fi", "et")),
    frozenset(("ga", "gd")),
    frozenset(("id", "ms")),
    frozenset(("tr", "az")),
    frozenset(("nl", "af", "fy")),
    frozenset(("zh", "ja", "yue")),
    frozenset(("ar", "fa", "ur", "ps")),
    frozenset(("he", "yi")),
    frozenset(("hi", "mr", "ne")),
)
# A long text is read here and there: a preface or an appendix may be in another language.
_N_SAMPLES = 12
_SAMPLE_CHARACTERS = 2_000
_MIN_LETTERS = 10
_MIN_WORDS = 40
_MIN_HINTS = 3  # different stop words of another language, in a text that is (nearly) too short
_MIN_HINTS_OF_LONG = 10  # in a longer one, which names and numbers fill
_LEAD_OF_HINTS = 0.4  # of the lead that a language needs over English
_MIN_ACCENTED = 4  # different words with accents
_LEAST_SHARE_ACCENTED = 0.05
_MIN_DIFFERENT = 5  # stop words: a loop of code or a table has one of them, but often
_LEAST_SHARE = 0.08  # of the words, that are stop words of the language
_LEAD = 2.5  # times as many as of any other language, for English
_LEAD_ABROAD = 1.7  # as of the others: Spanish and Catalan share many, and neither is English
# Times as many as of English, both without the words that they share (“as”, “do”, “no”): pages
# about programs have English names and quotations.
_LEAD_OVER_ENGLISH = 1.5
# A text of headings, names and numbers has fewer stop words, but then many different ones.
_LEAST_SHARE_OF_LISTS = 0.03
_MIN_DIFFERENT_OF_LISTS = 12
_LEAD_OF_LISTS = 4
_FEW_WORDS = 20  # of a short text, which shows no English at all
_MIN_DIFFERENT_OF_FEW = 6
_MOST_OF_A_LETTER = 0.03  # of the words: “K1, K2” is no Czech

_WORD = re.compile(r"[^\W\d_]+")
_CONSONANTS = frozenset("bcdfghjklmnpqrstvwxz")
_ADDRESS = re.compile(r"\b(?:https?://|www\.)\S+")
_GROUPS = {
    language: next(
        (group for group in CLOSE_LANGUAGES if language in group), frozenset((language,))
    )
    for language in STOP_WORDS
}
# A word that several languages have tells less of each; close languages count once.
_N_GROUPS = Counter(
    word
    for group in set(_GROUPS.values())
    for word in frozenset[str]().union(*(STOP_WORDS[language] for language in group))
)


def language_of_text(text: str) -> str:
    """The BCP 47 tag of the language that a text is certainly in; "" if that is not clear."""
    sample = _sample(text)
    letters = "".join(_WORD.findall(sample))
    if len(letters) < _MIN_LETTERS:
        return ""
    return language_by_script(sample, letters) or _by_stop_words(sample)


def _sample(text: str) -> str:
    """Stretches from all over a long text, without the addresses of links."""
    if len(text) <= _N_SAMPLES * _SAMPLE_CHARACTERS:
        return _ADDRESS.sub(" ", text)
    step = (len(text) - _SAMPLE_CHARACTERS) // (_N_SAMPLES - 1)
    starts = (step * n for n in range(_N_SAMPLES))
    stretches = (text[start : start + _SAMPLE_CHARACTERS] for start in starts)
    return _ADDRESS.sub(" ", "\n".join(stretches))


@dataclass(frozen=True, slots=True)
class SourceLanguage:
    """The language in which a source is read (BCP 47), how it is known, and warnings."""

    tag: str
    source: LanguageSource
    warnings: tuple[str, ...] = ()


def language_of_source(declared: str, text: str) -> SourceLanguage:
    """The language in which a source is read. What it declares always wins.

    A text in a language that is not known here looks like one that is.
    `declared` is a BCP 47 tag, or "" if it names none.
    """
    shown = language_of_text(text)
    if not declared and shown:
        return SourceLanguage(shown, LanguageSource.DETECTED, _note(shown))
    if not declared:
        return SourceLanguage(DEFAULT, LanguageSource.DEFAULT, _doubt(text))
    is_known = primary_subtag(declared) in {*STOP_WORDS, *LANGUAGES_BY_SCRIPT}
    if not shown or not is_known or are_close(declared, shown):
        return SourceLanguage(declared, LanguageSource.DECLARED)
    warning = (
        f"it says that it is in “{declared}”, but its text looks like “{shown}”; it is read as"
        f" “{declared}”. If that is wrong, give --set language={shown}"
    )
    return SourceLanguage(declared, LanguageSource.DECLARED, (warning,))


def _note(shown: str) -> tuple[str, ...]:
    """A note on a source that names no language, unless it is in the usual one."""
    if shown == DEFAULT:
        return ()
    return (f"it names no language; it is read as “{shown}”, which its text shows",)


def _doubt(text: str) -> tuple[str, ...]:
    """A warning for a text that shows no language for sure, unless it looks like the usual one."""
    sample = _sample(text)
    letters = "".join(_WORD.findall(sample))
    if len(letters) >= _MIN_LETTERS and not is_mostly_latin(letters):
        return (
            f"it names no language, and its letters show none; it is read as “{DEFAULT}”. If that"
            " is wrong, give --set language=…",
        )
    words = _counted(sample)
    hint = _hint(words)
    if not hint:
        return ()
    why = "is too short to show it" if words.total() < _MIN_WORDS else "does not show it for sure"
    return (
        f"it names no language, and {why}; it is read as “{DEFAULT}”. If it is in"
        f" “{hint}”, give --set language={hint}",
    )


def _hint(words: Counter[str]) -> str:
    """The language of which a text has some stop words, and hardly any English ones."""
    least = _MIN_HINTS if words.total() < 2 * _MIN_WORDS else _MIN_HINTS_OF_LONG
    n_different = {
        language: sum(word in words for word in own) for language, own in STOP_WORDS.items()
    }
    best = max(n_different, key=lambda one: (n_different[one], _score(words, one)))
    if n_different[best] >= max(least, _LEAD * n_different[DEFAULT]):
        return best
    return _second(words)


def _second(words: Counter[str]) -> str:
    """The language of which a text has nearly as much as of English, or more."""
    others = STOP_WORDS.keys() - {DEFAULT}
    best = max(others, key=lambda one: (_score(words, one), one))
    foreign = STOP_WORDS[best] - STOP_WORDS[DEFAULT]
    many = sum(word in words for word in foreign) >= _MIN_HINTS_OF_LONG
    if many and _lead_over_english(words, best) >= _LEAD_OF_HINTS:
        return best
    return best if _has_accents(words) and any(word in words for word in foreign) else ""


def _has_accents(words: Counter[str]) -> bool:
    """Whether a text has many words with letters that English has not: “Instalación”, “součást”."""
    accented = [word for word in words if not word.isascii()]
    share = sum(words[word] for word in accented) / max(words.total(), 1)
    return len(accented) >= _MIN_ACCENTED and share >= _LEAST_SHARE_ACCENTED


def are_close(one: str, other: str) -> bool:
    """True for the same language, and for languages that are told apart badly here."""
    primary = {primary_subtag(one), primary_subtag(other)}
    return len(primary) == 1 or any(primary <= group for group in _CONFUSABLE)


def _by_stop_words(text: str) -> str:
    words = _counted(text)
    if words.total() < _FEW_WORDS:
        return ""
    shares = {language: _score(words, language) / words.total() for language in STOP_WORDS}
    best = max(shares, key=shares.__getitem__)
    lead = min(_lead_over_english(words, best), _lead_over_others(shares, best))
    return best if _is_clear(words, best, shares[best], lead) else ""


def _counted(text: str) -> Counter[str]:
    words = Counter(word.lower() for word in _WORD.findall(text))
    most = int(_MOST_OF_A_LETTER * words.total()) + 1
    for letter in _CONSONANTS & words.keys():
        words[letter] = min(words[letter], most)
    return words


def _lead_over_others(shares: Mapping[str, float], best: str) -> float:
    """How clearly a language is told from all but English, where 1 is enough."""
    rivals = (one for one in shares if one not in _GROUPS[best] and one != DEFAULT)
    least = (_LEAD if best == DEFAULT else _LEAD_ABROAD) * max(shares[one] for one in rivals)
    return shares[best] / least if least else inf


def _lead_over_english(words: Counter[str], best: str) -> float:
    """How clearly a language is told from English, where 1 is enough."""
    if best == DEFAULT:
        return inf
    own, english = STOP_WORDS[best], STOP_WORDS[DEFAULT]
    foreign = sum(words[word] / _N_GROUPS[word] for word in own - english)
    least = _LEAD_OVER_ENGLISH * sum(words[word] / _N_GROUPS[word] for word in english - own)
    return foreign / least if least else inf


def _is_clear(words: Counter[str], best: str, share: float, lead: float) -> bool:
    n_different = sum(word in words for word in STOP_WORDS[best])
    if words.total() < _MIN_WORDS:
        no_english = not any(word in words for word in STOP_WORDS[DEFAULT] - STOP_WORDS[best])
        is_sure = best != DEFAULT and no_english and n_different >= _MIN_DIFFERENT_OF_FEW
        return is_sure and share >= _LEAST_SHARE and lead >= 1
    if share >= _LEAST_SHARE:
        return lead >= 1 and n_different >= _MIN_DIFFERENT
    many = n_different >= _MIN_DIFFERENT_OF_LISTS
    return many and share >= _LEAST_SHARE_OF_LISTS and lead >= _LEAD_OF_LISTS


def _score(words: Counter[str], language: str) -> float:
    return sum(words[word] / _N_GROUPS[word] for word in STOP_WORDS[language])
