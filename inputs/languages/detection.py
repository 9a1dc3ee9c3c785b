"""The language that a text shows: by its script, and of languages in Latin letters by small words.

Pages and letters often name none, or that of the program that made them.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from audiomill.inputs.book import LanguageSource
from audiomill.inputs.languages.codes import primary_subtag
from audiomill.inputs.languages.scripts import (
    LANGUAGES_BY_SCRIPT,
    is_mostly_latin,
    language_by_script,
)
from audiomill.inputs.languages.small_words import LIKE_LANGUAGES, SMALL_WORDS

DEFAULT = "en"
_ALIKE = (  # told apart too badly to doubt what a source declares
    *LIKE_LANGUAGES,
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
_MIN_HINTS = 3  # different small words of another language, in a text that is too short to tell
_MIN_HINTS_OF_LONG = 10  # in a longer one, which names and numbers fill
_MIN_DIFFERENT = 5  # small words: a loop of code or a table has one of them, but often
_LEAST_SHARE = 0.08  # of the words, that are small words of the language
_LEAD = 2.5  # times as many as of English, or of any other language if it is English itself
_LEAD_ABROAD = 1.7  # as of the others: Spanish and Catalan share many, and neither is English

_WORD = re.compile(r"[^\W\d_]+")
_ADDRESS = re.compile(r"\b(?:https?://|www\.)\S+")
_GROUPS = {
    language: next((group for group in LIKE_LANGUAGES if language in group), frozenset((language,)))
    for language in SMALL_WORDS
}
# A word that several languages have tells less of each; like languages count once.
_N_GROUPS = Counter(
    word
    for group in set(_GROUPS.values())
    for word in frozenset[str]().union(*(SMALL_WORDS[language] for language in group))
)


def language_of_text(text: str) -> str:
    """The BCP 47 tag of the language that a text is certainly in; "" if that is not clear."""
    sample = _sample(text)
    letters = "".join(_WORD.findall(sample))
    if len(letters) < _MIN_LETTERS:
        return ""
    return language_by_script(sample, letters) or _by_small_words(sample)


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
    is_known = primary_subtag(declared) in {*SMALL_WORDS, *LANGUAGES_BY_SCRIPT}
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
    words = Counter(word.lower() for word in _WORD.findall(sample))
    hint = _hint(words)
    if not hint:
        return ()
    why = "is too short to show it" if words.total() < _MIN_WORDS else "does not show it for sure"
    return (
        f"it names no language, and {why}; it is read as “{DEFAULT}”. If it is in"
        f" “{hint}”, give --set language={hint}",
    )


def _hint(words: Counter[str]) -> str:
    """The language of which a text has some small words, and hardly any English ones."""
    least = _MIN_HINTS if words.total() < _MIN_WORDS else _MIN_HINTS_OF_LONG
    n_different = {
        language: sum(word in words for word in small) for language, small in SMALL_WORDS.items()
    }
    best = max(n_different, key=lambda one: (n_different[one], _score(words, one)))
    is_other = n_different[best] >= max(least, _LEAD * n_different[DEFAULT])
    return best if is_other else ""


def are_close(one: str, other: str) -> bool:
    """True for the same language, and for languages that are told apart badly here."""
    primary = {primary_subtag(one), primary_subtag(other)}
    return len(primary) == 1 or any(primary <= group for group in _ALIKE)


def _by_small_words(text: str) -> str:
    words = Counter(word.lower() for word in _WORD.findall(text))
    n_words = words.total()
    if n_words < _MIN_WORDS:
        return ""
    shares = {language: _score(words, language) / n_words for language in SMALL_WORDS}
    best = max(shares, key=shares.__getitem__)
    rivals = {one: share for one, share in shares.items() if one not in _GROUPS[best]}
    lead = _LEAD if best == DEFAULT else _LEAD_ABROAD
    least = max(lead * max(rivals.values()), _LEAD * rivals.get(DEFAULT, 0.0))
    n_different = sum(word in words for word in SMALL_WORDS[best])
    is_clear = shares[best] >= max(_LEAST_SHARE, least) and n_different >= _MIN_DIFFERENT
    return best if is_clear else ""


def _score(words: Counter[str], language: str) -> float:
    return sum(words[word] / _N_GROUPS[word] for word in SMALL_WORDS[language])
