"""The child that turns texts into phonemes, with Piper's own code and the espeak-ng in its wheel.

Some texts make espeak-ng overwrite the stack, so it runs in no process that has anything to lose.

Some words may be given as phonemes:

    text       I saw [[ˈwʊstər]], again. Yes.
    parts      "I saw "   ˈwʊstər   ", again. Yes."
    sentences  aɪ sˈɔː ˈwʊstər, ɐɡˈɛn.   jˈɛs.

The package's own join (`PiperVoice.phonemize`, 1.8.0) drops marks after phonemes, and puts phonemes
at the beginning of a sentence to the end of the one before.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from json import loads
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from audiomill.renderers.engine.errors import EngineMissing, RenderError, WeightsUnfit, first_line
from audiomill.renderers.engine.text_child import serve_texts
from audiomill.renderers.espeak.child import MAX_GROWTH_BYTES, silence_c_library
from audiomill.renderers.piper.words import PAUSING, has_own_phonemes
from audiomill.renderers.speech.timing import word_spans

_CODES = re.compile(r"\[\[(.*?)\]\]")
MARKS = ".,:;!?"  # signs that are phonemes, too
_ENDS = ".!?"  # those of sentences

Phonemize = Callable[[str], Sequence[Sequence[str]]]


def phonemes_of(text: str, phonemize: Phonemize) -> tuple[tuple[str, ...], ...]:
    """The phonemes of each sentence. `phonemize` has them for text without any in brackets."""
    first, *rest = _CODES.split(text)
    sentences = _Sentences()
    sentences.add_text(phonemize(first))
    before = first
    for codes, after in zip(rest[::2], rest[1::2], strict=True):
        sentences.add_codes(codes, has_space=before[-1:].isspace())
        signs = re.split(r"\w", after, maxsplit=1)[0]
        mark = next((one for one in signs if one in MARKS), "")
        sentences.add_mark(mark, has_space=any(map(str.isspace, signs)))
        sentences.add_text(phonemize(after) if after.strip() else ())
        before = after
    return sentences.done()


class _Sentences:
    """Sentences of phonemes, of which the last may still go on."""

    def __init__(self) -> None:
        self._sentences: list[list[str]] = []

    def add_text(self, read: Sequence[Sequence[str]]) -> None:
        """Add sentences, the first of which may go on with the one before."""
        for number, sentence in enumerate(one for one in read if one):
            if number or not self._goes_on():
                self._sentences.append([])
            self._sentences[-1].extend(sentence)

    def add_codes(self, phonemes: str, *, has_space: bool) -> None:
        """Add the phonemes of a word."""
        if not self._goes_on():
            self._sentences.append([])
        elif has_space:
            self._add_space()
        self._sentences[-1].extend(phonemes.strip())

    def add_mark(self, mark: str, *, has_space: bool) -> None:
        """Add the sign after a word; "" if there is none."""
        self._sentences[-1].extend(mark)
        if has_space and self._goes_on():
            self._add_space()

    def done(self) -> tuple[tuple[str, ...], ...]:
        """The sentences that have phonemes, without spaces at their ends."""
        trimmed = (tuple(one[:-1] if one[-1:] == [" "] else one) for one in self._sentences)
        return tuple(one for one in trimmed if one)

    def _add_space(self) -> None:
        if self._sentences[-1][-1:] != [" "]:
            self._sentences[-1].append(" ")

    def _goes_on(self) -> bool:
        return bool(self._sentences) and self._sentences[-1][-1:] not in ([one] for one in _ENDS)


@dataclass(frozen=True, slots=True)
class PhonemeText:
    """A text's phonemes, sentence by sentence as espeak-ng divides them.

    `alone` has the phonemes of each word said alone, joined, where the words of the phonemes are
    not those of the text.
    """

    sentences: tuple[tuple[str, ...], ...]
    alone: tuple[str, ...] = ()


def read_texts(pipe: Connection) -> None:
    """In the child: answer every `(config, text)` that comes with a PhonemeText."""
    silence_c_library()
    logging.disable()  # a warning for each phoneme that a voice lacks

    def prepare(tasks: Sequence[tuple[Path, str]]) -> None:
        """Read a letter: what fails then, the text is not to blame for."""
        _phonemes(_reader(tasks[0][0]), "a")

    serve_texts(pipe, prepare, phoneme_text, MAX_GROWTH_BYTES)


def phoneme_text(config: Path, text: str) -> PhonemeText:
    """The phonemes of `text` for the voice with this config. Raises RenderError."""
    reader = _reader(config)
    sentences = _phonemes(reader, text)
    words = [_with_brackets(text, start, end) for start, end in word_spans(text)]
    if has_own_phonemes(sentences, words):
        return PhonemeText(sentences)
    return PhonemeText(sentences, tuple(_alone(config, word) for word in words))


def _with_brackets(text: str, start: int, end: int) -> str:
    """A word, in its brackets if it is phonemes: they are no part of the word."""
    is_phonemes = text[max(0, start - 2) : start] == "[["
    return f"[[{text[start:end]}]]" if is_phonemes else text[start:end]


@lru_cache(maxsize=8)
def _reader(config: Path) -> Any:
    """A PiperVoice that has no model: only its phonemes are asked for. Raises RenderError."""
    try:
        piper = import_module("piper")
        piper_config = import_module("piper.config")
        values = loads(config.read_text("utf-8"))
        return piper.PiperVoice(session=None, config=piper_config.PiperConfig.from_dict(values))
    except ImportError as error:
        raise EngineMissing(f"Piper cannot be loaded: {first_line(error)}.") from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise WeightsUnfit(f"{config} is not the config of a Piper voice: {error!r}.") from error


def _phonemes(reader: Any, text: str) -> tuple[tuple[str, ...], ...]:
    try:
        return phonemes_of(text, reader.phonemize)
    except ImportError as error:
        raise EngineMissing(
            f"The language of this Piper voice needs a package: {first_line(error)}."
        ) from error
    except RuntimeError as error:  # its espeak-ng has no such voice
        raise _unreadable(reader, error) from error


def _unreadable(reader: Any, error: Exception) -> RenderError:
    return WeightsUnfit(
        f"Piper's espeak-ng cannot read for {reader.config.espeak_voice!r}, which the config of"
        f" this voice names: {first_line(error)}."
    )


@lru_cache(maxsize=4096)
def _alone(config: Path, word: str) -> str:
    sentences = _phonemes(_reader(config), word)
    sounds = [one for sentence in sentences for one in sentence if one not in PAUSING]
    return "".join(sounds)
