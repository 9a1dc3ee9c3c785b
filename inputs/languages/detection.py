"""The language that a text shows: by its script, and of languages in Latin letters by small words.

Pages and letters often name none, or that of the program that made them.
"""

from __future__ import annotations

import re
from collections import Counter

from audiomill.inputs.languages.codes import primary_subtag

DEFAULT = "en"
_ALIKE = (
    frozenset(("nb", "nn", "no", "da", "sv")),
    frozenset(("pt", "gl", "es", "ca")),
    frozenset(("ru", "uk", "be", "bg", "mk", "sr")),
    frozenset(("nl", "af", "fy")),
    frozenset(("zh", "ja", "yue")),
    frozenset(("ar", "fa", "ur")),
)
_MOST_CHARACTERS = 20_000
_MIN_LETTERS = 30
_MIN_WORDS = 40
_LEAST_SHARE = 0.08  # of the words, that are small words of the language
_LEAD = 2.5  # times as many as of any other language

_WORD = re.compile(r"[^\W\d_]+")
_SCRIPTS = {
    "ja": re.compile("[\u3040-\u30ff]"),
    "zh": re.compile("[\u3400-\u9fff]"),
    "ko": re.compile("[\uac00-\ud7af]"),
    "ru": re.compile("[\u0400-\u04ff]"),
    "ar": re.compile("[\u0600-\u06ff]"),
    "he": re.compile("[\u0590-\u05ff]"),
    "el": re.compile("[\u0370-\u03ff]"),
    "hi": re.compile("[\u0900-\u097f]"),
    "th": re.compile("[\u0e00-\u0e7f]"),
}
_KANA_SHARE = 0.1  # of the characters of Japanese
_SCRIPT_SHARE = 0.5
_VARIETIES = frozenset(("uk", "be", "fa"))  # of the scripts' main languages
_UKRAINIAN = re.compile("[іїєґ]", re.IGNORECASE)
_BELARUSIAN = re.compile("ў", re.IGNORECASE)
_RUSSIAN = re.compile("[ыэё]", re.IGNORECASE)
_PERSIAN = re.compile("[پچژگ]")
_ARABIC = re.compile("[ةى]")

_SMALL_WORDS = {
    language: frozenset(words.split())
    for language, words in {
        "en": "the and of to is was that it with as for are this be his her they which by from"
        " you we not"
        " have has were their an but he she at or",
        "de": "der die das und ist nicht mit den von zu sich auf für ein eine einen einer dem"
        " des als auch"
        " wird sind aus bei noch nach wie oder er sie wir ich im zum zur dass",
        "fr": "le la les des et est une un du pour dans que qui pas sur plus par au aux avec ce"
        " cette il"
        " elle nous vous sont ont être mais ou ses leur en de",
        "es": "el la los las de y que en un una por con para es del se su al como más pero sus"
        " le ha esta"
        " este son fue está hay muy también",
        "it": "il la di e che è un una per con non sono del della dei delle gli le si da al"
        " alla nel nella"
        " anche più come ma ha questo questa lo",
        "pt": "o a os as de e que em um uma para com não por mais do da dos das no na se como"
        " foi ao mas"
        " são também pelo pela ele ela seu sua",
        "nl": "de het een en van is dat op te in voor met zijn niet aan er om ook als bij maar"
        " wordt door"
        " naar uit nog over dan werd deze",
        "sv": "och att det som en på är av för med den till inte har de ett om var jag men så"
        " vi kan från",
        "da": "og at det som en på er af for med den til ikke har de et om var jeg men så vi"
        " kan fra",
        "nb": "og i det er som på en til av for at med ikke har et om var jeg men så vi kan fra"
        " ble",
        "ca": "el la els les de i que en un una per amb és no del al seu com més però a va ser",
        "pl": "i w na z że się nie do to jest o jak po co za od ale przez dla są tym czy oraz"
        " ich był",
    }.items()
}
# A word that several languages have tells less of each.
_N_LANGUAGES = Counter(word for small in _SMALL_WORDS.values() for word in small)


def language_of_text(text: str) -> str:
    """The BCP 47 tag of the language that a text is certainly in; "" if that is not clear."""
    start = text[:_MOST_CHARACTERS]
    letters = "".join(_WORD.findall(start))
    if len(letters) < _MIN_LETTERS:
        return ""
    return _by_script(letters) or _by_small_words(start)


def language_of_source(declared: str, text: str) -> tuple[str, tuple[str, ...]]:
    """(the language in which a source is read, warnings). What it declares always wins.

    Of others than those told apart here (Kazakh, Yiddish) a text looks like one that is.
    `declared` is a BCP 47 tag, or "" if it names none.
    """
    shown = language_of_text(text)
    if not declared:
        if shown in {"", DEFAULT}:
            return DEFAULT, ()
        return shown, (f"it names no language; it is read as “{shown}”, which its text shows",)
    is_known = primary_subtag(declared) in {*_SMALL_WORDS, *_SCRIPTS, *_VARIETIES}
    if not shown or not is_known or _are_close(declared, shown):
        return declared, ()
    return declared, (
        f"it says that it is in “{declared}”, but its text looks like “{shown}”; it is read as"
        f" “{declared}”. If that is wrong, give --set language={shown}",
    )


def _are_close(one: str, other: str) -> bool:
    """True for the same language, and for languages that small words tell badly apart."""
    primary = {primary_subtag(one), primary_subtag(other)}
    return len(primary) == 1 or any(primary <= group for group in _ALIKE)


def _by_script(letters: str) -> str:
    counts = {name: len(pattern.findall(letters)) for name, pattern in _SCRIPTS.items()}
    counts["ja"] += counts["zh"] if counts["ja"] >= _KANA_SHARE * len(letters) else 0
    name, n_found = max(counts.items(), key=lambda item: item[1])
    return _variety(name, letters) if n_found > _SCRIPT_SHARE * len(letters) else ""


def _variety(name: str, letters: str) -> str:
    """The language among those of a script; "" if others than the known ones may be meant."""
    if name == "ru":
        if _UKRAINIAN.search(letters):
            return "be" if _BELARUSIAN.search(letters) else "uk"
        return "ru" if _RUSSIAN.search(letters) else ""
    if name == "ar":
        return "fa" if _PERSIAN.search(letters) and not _ARABIC.search(letters) else "ar"
    return name


def _by_small_words(text: str) -> str:
    words = Counter(word.lower() for word in _WORD.findall(text))
    n_words = words.total()
    if n_words < _MIN_WORDS:
        return ""
    found = sorted(
        (sum(words[word] / _N_LANGUAGES[word] for word in small), language)
        for language, small in _SMALL_WORDS.items()
    )
    (second, _), (most, best) = found[-2:]
    is_clear = most >= _LEAST_SHARE * n_words and most >= _LEAD * second
    return best if is_clear else ""
