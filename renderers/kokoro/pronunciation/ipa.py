"""IPA as Kokoro takes it: one sign for a diphthong or an affricate, and its kind of English. Pure.

    ˈwʊstər  ─▶  wˈʊstəɹ          dʒeɪn  ─▶  ʤAn

What is written in Kokoro's way already stays. Sources: E2M of misaki/espeak.py, 0.9.4, and
misaki's EN_PHONES.md.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache

from audiomill.renderers.base import UnknownPhoneme
from audiomill.renderers.kokoro.g2p.pieces import known_phonemes
from audiomill.renderers.kokoro.languages import Language

_ANY = {"dʒ": "ʤ", "tʃ": "ʧ", "g": "ɡ", ":": "ː", "‿": "", ".": "", "\u032f": ""}
# Without a tie these are two sounds.
_TIES = (("ts", "ʦ"), ("dz", "ʣ"), ("tɕ", "ʨ"), ("dʑ", "ʥ"))
_TIE = "\u0361"
_ENGLISH = {
    "eɪ": "A",
    "aɪ": "I",
    "ɔɪ": "Y",
    "aʊ": "W",
    "r": "ɹ",
    "ɫ": "l",
    "e": "ɛ",
    "o": "ɔ",
    "a": "æ",
    "ʍ": "w",
    "ɝ": "ɜɹ",
    "ɚ": "əɹ",
    "ʔ": "t",
    "ɾ": "T",
    "ɬ": "l",
    "l\u0329": "ᵊl",
    "n\u0329": "ᵊn",
    "m\u0329": "ᵊm",
    "\u0303": "",
    "ʰ": "",
    "ʲ": "j",
}
_AMERICAN = _ENGLISH | {
    "oʊ": "O",
    "əʊ": "O",
    "ɜːɹ": "ɜɹ",
    "ɜːr": "ɜɹ",
    "ɜː": "ɜɹ",
    "ɒ": "ɑ",
    "ː": "",
    ":": "",
    "eə": "ɛɹ",
    "eəɹ": "ɛɹ",
    "eər": "ɛɹ",
    "ɪə": "iə",
}
_BRITISH = _ENGLISH | {"oʊ": "Q", "əʊ": "Q", "eə": "ɛː", "iə": "ɪə"}


# IPA sets a stress mark before its syllable, Kokoro before its vowel.
_VOWELS = "aeiouyøœɐɑɒæɔəɘɵɛɜɝɚɪʊʌɨʉɯɤᵊᵻAIOQWY"
_STRESS = re.compile(rf"([ˈˌ])([^\sˈˌ{_VOWELS}]+)(?=[{_VOWELS}])")


def kokoro_phonemes(phonemes: str, language: Language, vocab: frozenset[str]) -> str:
    """`phonemes` as the model takes them in a language, with single spaces.

    Raises UnknownPhoneme for one that the model has no sign for.
    """
    rewrite = _rewriting(language.code)
    table = _table(language.code)
    decomposed = unicodedata.normalize("NFD", phonemes).replace("c\u0327", "ç")
    decomposed = decomposed.replace("\u035c", _TIE)
    for sounds, affricate in _TIES:
        decomposed = decomposed.replace(_TIE.join(sounds), affricate)
    decomposed = decomposed.replace(_TIE, "")
    said = rewrite.sub(lambda match: table[match[0]], decomposed)
    composed = _STRESS.sub(r"\2\1", unicodedata.normalize("NFC", said))
    for sign in composed:
        parts = unicodedata.normalize("NFD", sign)
        if sign not in vocab and not vocab.issuperset(parts):
            raise UnknownPhoneme(sign)
    return " ".join(known_phonemes(composed, vocab).split())


@lru_cache(maxsize=16)
def _table(code: str) -> Mapping[str, str]:
    of_language = {"a": _AMERICAN, "b": _BRITISH}.get(code, {})
    return {**_ANY, **of_language}


@lru_cache(maxsize=16)
def _rewriting(code: str) -> re.Pattern[str]:
    """Matches what the table of a language has, the longest first."""
    signs = sorted(_table(code), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, signs)))
