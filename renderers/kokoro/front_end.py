"""The part of an engine that Kokoro's engines share: text to phonemes, voices, limits. No torch.

    request ─▶ phonemes (child processes, ahead of the model) ─▶ parts of at most 510 ─▶ a model

Files are looked for when something depends on them, so listing voices needs none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from pathlib import Path

from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.engine.protocol import Batch, EngineLimits, Request, Voice
from audiomill.renderers.host.cores import usable_cores
from audiomill.renderers.kokoro.g2p.cache import PhonemeCache
from audiomill.renderers.kokoro.g2p.languages import Language
from audiomill.renderers.kokoro.g2p.phonemes import Phonemes
from audiomill.renderers.kokoro.g2p.pronunciations import annotated, kokoro_phonemes
from audiomill.renderers.kokoro.g2p.requirements import Alphabet, warnings_of
from audiomill.renderers.kokoro.g2p.workers import G2PPool
from audiomill.renderers.kokoro.model.config import EXACT_BITS
from audiomill.renderers.kokoro.weights.mixes import parse_mix
from audiomill.renderers.kokoro.weights.releases import RUN_ON_VOICES
from audiomill.renderers.kokoro.weights.voices import VoiceTable

SPEEDS = (0.25, 4.0)


@dataclass(frozen=True, slots=True)
class G2POptions:
    """How texts become phonemes: with which processes and which cache."""

    workers: int  # processes
    cache: Path | None  # a file; None: no cache


class KokoroFrontEnd:
    """Text, phonemes and voices of one model, without the model itself."""

    def __init__(
        self, table: VoiceTable, alphabet: Callable[[], Alphabet], options: G2POptions
    ) -> None:
        """`alphabet` is called when phonemes are needed first: it may have to read files."""
        self.table = table
        self._read_alphabet = alphabet
        self._options = options

    def in_language(self, voice: str, language: str) -> str:
        """The same speaker with the pronunciation of `language`: "af_heart@fr-FR".

        Raises UnknownVoice, EngineMissing.
        """
        mix = self.table.resolve(voice).in_language(language)
        self._g2p.fingerprint(mix.language)
        return str(mix)

    def fingerprint(self, voice: str) -> str:
        """Everything that decides the phonemes of a text. Raises UnknownVoice, EngineMissing."""
        return self._g2p.fingerprint(language_of_mix(voice))

    def warnings(self, voices: Sequence[str]) -> tuple[str, ...]:
        """Warnings for the user about the pronunciation of these voices."""
        return tuple(one for voice in voices for one in warnings_of(language_of_mix(voice)))

    def prefetch(self, requests: Sequence[Request]) -> None:
        """Start converting the texts of later requests to phonemes, in the background."""
        by_language = groupby(requests, key=lambda request: language_of_mix(request.voice))
        for language, group in by_language:
            texts = [annotated(one.spoken, one.pronunciations).text for one in group]
            self._g2p.prefetch(language, texts)

    def own_phonemes(self, phonemes: str, voice: str) -> str:
        """Phonemes as the model takes them. Raises UnknownPhoneme, UnknownVoice, WeightsUnfit."""
        return kokoro_phonemes(phonemes, language_of_mix(voice), self._alphabet.vocab)

    def known_words(self, words: Sequence[str], voice: str) -> frozenset[str] | None:
        """Those of `words` that misaki's English dictionaries have; None in other languages."""
        code = language_of_mix(voice).code
        if code not in "ab":
            return None
        from audiomill.renderers.kokoro.g2p.pronunciations import known_words

        return known_words(words, british=code == "b")

    def phonemes(self, texts: Sequence[str], voice: str) -> Sequence[str]:
        """The phonemes of each text. Raises UnknownVoice, EngineMissing."""
        language = language_of_mix(voice)
        self._g2p.prefetch(language, texts)
        return [self._g2p.phonemes(language, text).text for text in texts]

    def phonemes_of(self, request: Request) -> Phonemes:
        """The phonemes that the model gets. Raises UnknownVoice, EngineMissing."""
        text = annotated(request.spoken, request.pronunciations)
        return text.of_spoken(self._g2p.phonemes(language_of_mix(request.voice), text.text))

    def model_input(self, request: Request) -> str:
        """The phonemes of a request as the model gets them, found by a process of its own."""
        self.prefetch([request])
        return self.phonemes_of(request).text

    @cached_property
    def _alphabet(self) -> Alphabet:
        return self._read_alphabet()

    @cached_property
    def _g2p(self) -> G2PPool:
        return G2PPool(self._options.workers, self._alphabet, PhonemeCache(self._options.cache))


class WithFrontEnd:
    """The methods of an engine in which its model has no part. `_text` is its front end."""

    _text: KokoroFrontEnd

    def voices(self) -> Sequence[Voice]:
        """The voices of the model's folder, or those that are published if it has none."""
        return self._text.table.voices

    def default_voice(self, language: str) -> str:
        """The default voice for text in `language` (BCP 47). Raises UnknownVoice."""
        return self._text.table.for_language(language)

    def known_voice(self, name: str) -> str:
        """The canonical form of a voice or a mix, which goes into keys. Raises UnknownVoice."""
        return str(self._text.table.resolve(name))

    def display_name(self, voice: str) -> str:
        """The names of the voices in a mix: "Bella + Sky". Raises UnknownVoice."""
        return self._text.table.display_name(voice)

    def in_language(self, voice: str, language: str) -> str:
        """The same speaker with the pronunciation of `language`: "af_heart@fr-FR".

        Raises UnknownVoice, EngineMissing.
        """
        return self._text.in_language(voice, language)

    def prefetch(self, requests: Sequence[Request]) -> None:
        """Start converting the texts of later requests to phonemes, in the background."""
        self._text.prefetch(requests)

    def normalized_text(self, spoken: str) -> str:
        """The text, unchanged."""
        return spoken

    def own_phonemes(self, phonemes: str, voice: str) -> str:
        """Phonemes as the model takes them. Raises UnknownPhoneme, UnknownVoice, WeightsUnfit."""
        return self._text.own_phonemes(phonemes, voice)

    def model_input(self, request: Request) -> str:
        """The phonemes that the model gets. Raises UnknownVoice, EngineMissing."""
        return self._text.model_input(request)

    def known_words(self, words: Sequence[str], voice: str) -> frozenset[str] | None:
        """Those of `words` that misaki's English dictionaries have; None in other languages."""
        return self._text.known_words(words, voice)

    def phonemes(self, texts: Sequence[str], voice: str) -> Sequence[str]:
        """The phonemes of each text. Raises UnknownVoice, EngineMissing."""
        return self._text.phonemes(texts, voice)


def kokoro_limits(
    *, max_rows: int, window_s: float, n_at_once: int, shares_audio: bool = False
) -> EngineLimits:
    """The limits of the model, whatever runs it."""
    return EngineLimits(
        max_length=400,
        max_rows=max_rows,
        chars_per_s=14.0,
        exact_bits=EXACT_BITS,
        speeds=SPEEDS,
        length=estimated_phonemes,
        best_length=(100, 200),
        joins_sentences=joins_sentences,
        window_s=window_s,
        n_at_once=n_at_once,
        shares_audio=shares_audio,
    )


def check_speeds(batch: Batch) -> None:
    """Raise EngineFailed for a speed that Kokoro cannot speak at."""
    slowest, fastest = SPEEDS
    for request in batch.requests:
        if not slowest <= request.speed <= fastest:
            raise EngineFailed(
                f"Kokoro speaks at speeds from {slowest} to {fastest}, not {request.speed}."
            )


def estimated_phonemes(spoken: str, voice: str) -> int:
    """An estimate of the number of phonemes of a text. Raises UnknownVoice."""
    return parse_mix(voice).language.estimated_phonemes(spoken)


def joins_sentences(voice: str) -> bool:
    """True if more than half of a voice or a mix is of `RUN_ON_VOICES`. Raises UnknownVoice."""
    mix = parse_mix(voice)
    return 2 * sum(abs(weight) for name, weight in mix.weights if name in RUN_ON_VOICES) > mix.total


def language_of_mix(voice: str) -> Language:
    """The language of a voice or a mix of voices. Raises UnknownVoice."""
    return parse_mix(voice).language


def n_workers(wanted: int, n_devices: int = 1) -> int:
    """Child processes for phonemes: so many as are wanted, or if negative, the default."""
    return default_workers(n_devices) if wanted < 0 else wanted


def default_workers(n_devices: int = 1) -> int:
    """Child processes for phonemes, by default: up to 8 per device and half of the cores.

    One keeps ahead of a model on a CPU; a GPU needs several.
    """
    return min(8 * n_devices, max(1, usable_cores() // 2))
