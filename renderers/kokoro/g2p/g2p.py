"""Text to phonemes (grapheme to phoneme, G2P) for every language of Kokoro: the entry point.

    spoken text ─▶ fold ─▶ G2P of the language ─▶ pieces ─▶ Phonemes
           characters that                     phonemes of the model,
           the G2P can read                    remarks on the rest

Importing this module loads no G2P library. `open_g2p` loads misaki, spaCy and espeak-ng, which
takes seconds.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Sequence
from typing import Protocol

from audiomill.inputs.lexicons.entries import NOTATION, PHONETIC_SIGNS
from audiomill.renderers.engine.errors import first_line
from audiomill.renderers.kokoro.g2p.languages import Language
from audiomill.renderers.kokoro.g2p.normalisation import fold
from audiomill.renderers.kokoro.g2p.phonemes import Phonemes
from audiomill.renderers.kokoro.g2p.pieces import PhonemeBuilder, Piece, known_phonemes
from audiomill.renderers.kokoro.g2p.pronunciations import annotated_words
from audiomill.renderers.kokoro.g2p.requirements import (
    Alphabet,
    cannot_read,
    has_english_model,
    require,
)
from audiomill.renderers.kokoro.g2p.scripts import EUROPEAN, HINDI, Scripts

# Characters that a language's G2P gets at once. Its time grows with their square, for some texts
# with their cube.
MAX_CHARACTERS, MAX_CHARACTERS_UNSPACED = 600, 200
_MARKS = re.compile(r"[.!?…;:,]+[\"”’)]*\s|[。！？；：、，]")
_SPACES = re.compile(r"\s")


class LanguageG2P(Protocol):
    """Converts folded text of one language to pieces."""

    scripts: Scripts

    def pieces(self, text: str) -> Iterator[Piece]:
        """The phonemes of each word, mark and space of `text`, in order."""
        ...


class G2P:
    """Converts text of one language to the phonemes of one model. Not thread-safe."""

    def __init__(self, alphabet: Alphabet, language_g2p: LanguageG2P) -> None:
        self._vocab = alphabet.vocab
        self._language_g2p = language_g2p

    def phonemes(self, spoken: str) -> Phonemes:
        """The phonemes of `spoken`, which may be any text.

        Text that cannot be said is left out, with a remark.
        """
        assembly = PhonemeBuilder(spoken, self._vocab)
        place = 0
        for start, parts in self._pronounced(spoken):
            self._convert(assembly, place, start)
            for part in parts:
                assembly.add(part.start, part.end, part.phonemes)
                place = part.end
        self._convert(assembly, place, len(spoken))
        return assembly.build()

    def _pronounced(self, spoken: str) -> Iterator[tuple[int, Sequence[Piece]]]:
        """The start of each pronunciation in the text, and the phonemes of its words.

        All other brackets are text.
        """
        found = {one[0].start: one for one in annotated_words(spoken)}
        for match in NOTATION.finditer(spoken):
            if self._is_known(match[2]) and not PHONETIC_SIGNS.isdisjoint(match[2]):
                found.setdefault(match.start(), [Piece(*match.span(), match[2])])
        for start in sorted(found):
            yield start, found[start]

    def _is_known(self, phonemes: str) -> bool:
        return len(known_phonemes(phonemes, self._vocab)) >= len(phonemes)

    def _convert(self, assembly: PhonemeBuilder, first: int, last: int) -> None:
        is_spaced = self._language_g2p.scripts.is_spaced
        max_characters = MAX_CHARACTERS if is_spaced else MAX_CHARACTERS_UNSPACED
        for start, end in split_text(assembly.spoken, first, last, max_characters):
            self._convert_part(assembly, start, end)

    def _convert_part(self, assembly: PhonemeBuilder, first: int, last: int) -> None:
        text = assembly.spoken[first:last]
        if text[:1].isspace():
            assembly.add(first, first + 1, " ")
        folded = fold(text, self._language_g2p.scripts)
        assembly.add_all(self._language_g2p.pieces(folded.text), folded, first)
        if text[-1:].isspace():
            assembly.add(last - 1, last, " ")


class _EmbeddedEnglish:
    """English words inside another language. Loads the English G2P at the first of them."""

    def __init__(self) -> None:
        self._language_g2p: LanguageG2P | None = None

    def pieces(self, text: str) -> Iterator[Piece]:
        if self._language_g2p is None:
            from audiomill.renderers.kokoro.g2p.english import EnglishG2P

            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # deprecations in the libraries
                self._language_g2p = EnglishG2P(british=False, has_model=has_english_model())
        folded = fold(text, self._language_g2p.scripts)
        for piece in self._language_g2p.pieces(folded.text):
            start, end = folded.starts[piece.start], folded.ends[piece.end - 1]
            yield Piece(start, max(end, start + 1), piece.phonemes)

    def phonemes(self, text: str) -> str:
        return "".join(piece.phonemes for piece in self.pieces(text)).strip()


def open_g2p(language: Language, alphabet: Alphabet) -> G2P:
    """Load the G2P of a language: takes seconds, and about 300 MB for English.

    Raises EngineMissing if a package or its data is not installed.
    """
    require(language)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # deprecations in the libraries
        try:
            return G2P(alphabet, _open_language_g2p(language, alphabet))
        except (ImportError, OSError, RuntimeError) as error:
            raise cannot_read(language, first_line(error)) from error


def split_text(text: str, first: int, last: int, max_characters: int) -> Iterator[tuple[int, int]]:
    """Cut characters [first, last) into spans of at most `max_characters`.

    Each cut is after the last mark that fits, or else the last space, or else at the limit.
    """
    while last - first > max_characters:
        limit = first + max_characters
        ends = [match.end() for match in _MARKS.finditer(text, first, limit)]
        ends = ends or [match.end() for match in _SPACES.finditer(text, first, limit)]
        end = (ends or [limit])[-1]
        yield first, end
        first = end
    yield first, last


def _open_language_g2p(language: Language, alphabet: Alphabet) -> LanguageG2P:
    if language.espeak_voice:
        from audiomill.renderers.kokoro.g2p.espeak import EspeakG2P

        scripts = HINDI if language.code == "h" else EUROPEAN
        return EspeakG2P(language.espeak_voice, scripts)
    if language.code == "j":
        from audiomill.renderers.kokoro.g2p.japanese import JapaneseG2P

        return JapaneseG2P(_EmbeddedEnglish().phonemes)
    if language.code == "z":
        from audiomill.renderers.kokoro.g2p.chinese import ChineseG2P

        return ChineseG2P(alphabet.release, _EmbeddedEnglish().pieces)
    from audiomill.renderers.kokoro.g2p.english import EnglishG2P

    return EnglishG2P(british=language.code == "b", has_model=has_english_model())
