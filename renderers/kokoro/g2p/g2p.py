"""Text to phonemes (grapheme to phoneme, G2P) for every language of Kokoro: the way in.

    spoken ─▶ fold ─▶ reader of the language ─▶ pieces ─▶ Phonemes
              signs the voice can read           what the model knows, remarks on the rest

misaki, spaCy and espeak-ng are loaded by `open_g2p`, which takes seconds, and not before.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from typing import Protocol

from audiomill.renderers.base import first_line
from audiomill.renderers.kokoro.g2p.normalisation import fold
from audiomill.renderers.kokoro.g2p.phonemes import Phonemes
from audiomill.renderers.kokoro.g2p.pieces import Assembly, Piece, known
from audiomill.renderers.kokoro.g2p.requirements import Alphabet, cannot_read, is_tagged, require
from audiomill.renderers.kokoro.g2p.scripts import EUROPEAN, HINDI, Scripts
from audiomill.renderers.kokoro.languages import Language

ESPEAK_VOICES = {"e": "es", "f": "fr-fr", "h": "hi", "i": "it", "p": "pt-br"}
# misaki's way to say how a word sounds: [word](/phonemes/). It is meant if it holds a sign that
# nobody writes by chance; all else in brackets is text.
_GIVEN = re.compile(r"\[([^\[\]]+)\]\(/([^/()\n]+)/\)")
# Characters that are read at once: time grows with their square, for some texts with their cube.
LONGEST, LONGEST_UNSPACED = 600, 200
_MARKS = re.compile(r"[.!?…;:,]+[\"”’)]*\s|[。！？；：、，]")
_SPACES = re.compile(r"\s")
_TELLING = frozenset("ˈˌːəɪʊɛɔɑʌæɹʃʒðθŋɡɾᵊᵻ")


class Reader(Protocol):
    """One language's way from folded text to pieces."""

    scripts: Scripts

    def pieces(self, text: str) -> Iterator[Piece]:
        """What is said for each word, mark and space of `text`, in order."""
        ...


class G2P:
    """Reads one language for one model. Not for several threads at once."""

    def __init__(self, alphabet: Alphabet, reader: Reader) -> None:
        self._vocab = alphabet.vocab
        self._reader = reader

    def phonemes(self, spoken: str) -> Phonemes:
        """How `spoken` is said. Takes any text; what cannot be said is left out and remarked."""
        assembly = Assembly(spoken, self._vocab)
        at = 0
        for given in _GIVEN.finditer(spoken):
            if self._is_meant(given[2]):
                self._read(assembly, at, given.start())
                assembly.add(given.start(), given.end(), given[2])
                at = given.end()
        self._read(assembly, at, len(spoken))
        return assembly.finished()

    def _is_meant(self, given: str) -> bool:
        is_known = len(known(given, self._vocab)) >= len(given)
        return is_known and not _TELLING.isdisjoint(given)

    def _read(self, assembly: Assembly, first: int, last: int) -> None:
        longest = LONGEST if self._reader.scripts.spaced else LONGEST_UNSPACED
        for start, end in stretches(assembly.spoken, first, last, longest):
            self._read_stretch(assembly, start, end)

    def _read_stretch(self, assembly: Assembly, first: int, last: int) -> None:
        text = assembly.spoken[first:last]
        if text[:1].isspace():
            assembly.add(first, first + 1, " ")
        folded = fold(text, self._reader.scripts)
        assembly.add_all(self._reader.pieces(folded.text), folded, first)
        if text[-1:].isspace():
            assembly.add(last - 1, last, " ")


def stretches(text: str, first: int, last: int, longest: int) -> Iterator[tuple[int, int]]:
    """Cut characters [first, last) into `longest` at most: at marks, or else at spaces."""
    while last - first > longest:
        limit = first + longest
        ends = [place.end() for place in _MARKS.finditer(text, first, limit)]
        ends = ends or [place.end() for place in _SPACES.finditer(text, first, limit)]
        yield first, (ends or [limit])[-1]
        first = (ends or [limit])[-1]
    yield first, last


def open_g2p(language: Language, alphabet: Alphabet) -> G2P:
    """Load what reads a language: seconds, and some 300 MB for English. Raises EngineMissing."""
    require(language)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # theirs, about what is deprecated
        try:
            return G2P(alphabet, _reader(language, alphabet))
        except (ImportError, OSError, RuntimeError) as error:
            raise cannot_read(language, first_line(error)) from error


def _reader(language: Language, alphabet: Alphabet) -> Reader:
    if language.code in ESPEAK_VOICES:
        from audiomill.renderers.kokoro.g2p.espeak import EspeakG2P

        scripts = HINDI if language.code == "h" else EUROPEAN
        return EspeakG2P(ESPEAK_VOICES[language.code], scripts)
    if language.code == "j":
        from audiomill.renderers.kokoro.g2p.japanese import JapaneseG2P

        return JapaneseG2P(_Embedded().say)
    if language.code == "z":
        from audiomill.renderers.kokoro.g2p.chinese import ChineseG2P

        return ChineseG2P(alphabet.release, _Embedded().pieces)
    from audiomill.renderers.kokoro.g2p.english import EnglishG2P

    return EnglishG2P(british=language.code == "b", tagged=is_tagged())


class _Embedded:
    """English inside other languages, loaded when its first word is met."""

    def __init__(self) -> None:
        self._reader: Reader | None = None

    def pieces(self, text: str) -> Iterator[Piece]:
        if self._reader is None:
            from audiomill.renderers.kokoro.g2p.english import EnglishG2P

            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self._reader = EnglishG2P(british=False, tagged=is_tagged())
        folded = fold(text, self._reader.scripts)
        for piece in self._reader.pieces(folded.text):
            start, end = folded.starts[piece.start], folded.ends[piece.end - 1]
            yield Piece(start, max(end, start + 1), piece.phonemes)

    def say(self, text: str) -> str:
        return "".join(piece.phonemes for piece in self.pieces(text)).strip()
