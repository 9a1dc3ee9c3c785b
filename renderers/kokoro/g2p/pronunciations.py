"""Pronunciations of a person's: IPA as Kokoro takes it, and texts with phonemes in them.

    spoken   I saw Worcester, again.            [6, 15) is said by wˈʊstəɹ
    text     I saw ⟨Worcester|wˈʊstəɹ⟩, again.

The three signs are Unicode's for annotations, which no spoken text has.

IPA gets one sign for a diphthong or an affricate, and Kokoro's kind of English:

    ˈwʊstər  ─▶  wˈʊstəɹ          dʒeɪn  ─▶  ʤAn

What is written in Kokoro's way already stays. Sources: E2M of misaki/espeak.py, 0.9.4, and
misaki's EN_PHONES.md.
"""

from __future__ import annotations

import re
import unicodedata
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from audiomill.inputs.model.book import Pronunciation
from audiomill.renderers.engine.errors import UnknownPhoneme
from audiomill.renderers.kokoro.g2p.languages import Language
from audiomill.renderers.kokoro.g2p.phonemes import Phonemes
from audiomill.renderers.kokoro.g2p.pieces import Piece, known_phonemes
from audiomill.renderers.kokoro.g2p.requirements import TEXT_ERRORS
from audiomill.renderers.speech.alignment import split_words

_ANCHOR, _SEPARATOR, _END = "\ufff9", "\ufffa", "\ufffb"
_ANNOTATION = re.compile(f"{_ANCHOR}([^{_SEPARATOR}]+){_SEPARATOR}([^{_END}]+){_END}")
_WORD = re.compile(r"\S+")

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


@dataclass(frozen=True, slots=True)
class AnnotatedText:
    """A spoken text with phonemes in it. `places` are (start in `text`, pronunciation)."""

    text: str
    places: tuple[tuple[int, Pronunciation], ...] = ()

    def of_spoken(self, phonemes: Phonemes) -> Phonemes:
        """The phonemes of the text, with positions in the spoken text."""
        if not self.places:
            return phonemes
        return replace(
            phonemes,
            words=tuple(
                replace(one, start=self._original(one.start), end=self._original(one.end))
                for one in phonemes.words
            ),
            remarks=tuple(
                replace(one, start=self._original(one.start), end=self._original(one.end))
                for one in phonemes.remarks
            ),
        )

    def _original(self, position: int) -> int:
        """The position in the spoken text; one in an annotation is where its words begin or end."""
        shift = 0
        for start, one in self.places:
            if position <= start:
                break
            end = start + _length(one)
            if position < end:
                return min(one.end, max(one.start, one.start + position - start - len(_ANCHOR)))
            shift = one.end - end
        return position + shift


def annotated(spoken: str, pronunciations: Sequence[Pronunciation]) -> AnnotatedText:
    """`spoken` with the phonemes of `pronunciations` in it, each after its words."""
    text, at, places = "", 0, list[tuple[int, Pronunciation]]()
    for one in pronunciations:
        text += spoken[at : one.start]
        places.append((len(text), one))
        words = spoken[one.start : one.end]
        text += f"{_ANCHOR}{words}{_SEPARATOR}{one.phonemes}{_END}"
        at = one.end
    return AnnotatedText(text + spoken[at:], tuple(places))


def annotated_words(text: str) -> Iterator[Sequence[Piece]]:
    """The phonemes of each annotation of `text`: of each word, if there are as many."""
    for match in _ANNOTATION.finditer(text):
        words = [*_WORD.finditer(match[1])]
        phonemes = split_words(match[2])
        if len(words) != len(phonemes):
            yield [Piece(*match.span(), match[2])]
        else:
            spans = [(match.start(1) + word.start(), match.start(1) + word.end()) for word in words]
            # The first and the last word have the signs at the edges.
            spans[0] = match.start(), spans[0][1]
            spans[-1] = spans[-1][0], match.end()
            yield [Piece(*span, part) for span, part in zip(spans, phonemes, strict=True)]


def _length(one: Pronunciation) -> int:
    """The characters of an annotation."""
    signs = len(_ANCHOR) + len(_SEPARATOR) + len(_END)
    return signs + one.end - one.start + len(one.phonemes)


def known_words(words: Iterable[str], *, british: bool) -> frozenset[str]:
    """The words that the dictionaries have, as they are or without -s, -ed, -ing.

    Loads misaki, which takes seconds.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # deprecations in the libraries
        from misaki import en

        lexicon = en.Lexicon(british)
    context = en.TokenContext()

    def is_known(word: str) -> bool:
        try:
            return lexicon.get_word(word, "NN", None, context)[0] is not None
        except TEXT_ERRORS:
            return False

    plain = ((word, word.replace("’", "'").split("-")) for word in words)
    return frozenset(word for word, parts in plain if all(map(is_known, filter(None, parts))))


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
