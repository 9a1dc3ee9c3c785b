"""The Kokoro engine: requests in, audio with the timing of each word out. Knows no store.

    request ─▶ phonemes ─▶ rows of at most 510 ─▶ speaker ─▶ rows joined ─▶ samples, timings
               (processes ahead)                 (padded batches, on one device or several)

Files are looked for when something depends on them, and PyTorch and the weights are loaded when
something is first spoken: listing voices needs no files, and a run that finds everything in the
store no PyTorch.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from renderers.base import Voice
from renderers.cores import usable_cores
from renderers.kokoro.config import SAMPLE_RATE, KokoroConfig, read_config
from renderers.kokoro.devices import n_devices
from renderers.kokoro.files import ModelFiles, find_files
from renderers.kokoro.g2p_pool import G2PPool
from renderers.kokoro.g2p_versions import Alphabet, warnings_of
from renderers.kokoro.languages import Language
from renderers.kokoro.mixing import parse_mix
from renderers.kokoro.official import release_named
from renderers.kokoro.phoneme_cache import PhonemeCache
from renderers.kokoro.phonemes import Phonemes
from renderers.kokoro.split import split
from renderers.kokoro.timing import joined, word_timings
from renderers.kokoro.traits import traits_for
from renderers.kokoro.voices import VoiceTable
from renderers.options import KokoroOptions
from renderers.shard import Batch, EngineFailed, Rendered, Request, Samples, WordTiming

if TYPE_CHECKING:
    from torch import Tensor

    from renderers.kokoro.speaker import Spoken
    from renderers.kokoro.speaking import Alone, CardPool

SOUND = 2  # raised by hand when the samples change though weights and phonemes do not
UNSPOKEN_S = 0.050  # of silence for text that has no phonemes


class KokoroRenderer:
    """Kokoro-82M, in batches in which padding cannot be heard."""

    name = "kokoro"
    sample_rate = SAMPLE_RATE

    def __init__(self, options: KokoroOptions) -> None:
        """Raises EngineMissing for a release or a folder that is not there."""
        self._options = options
        self._release = release_named(options.release)
        self._table = VoiceTable(options.weights, self._release)
        self._packs: dict[str, Tensor] = {}
        self._one_at_a_time = threading.Lock()
        self.traits = traits_for(options)

    def voices(self) -> Sequence[Voice]:
        """Those of the release, or of the folder that was named."""
        return self._table.voices

    def default_voice(self, language: str) -> str:
        """The voice for text in `language` (BCP 47). Raises UnknownVoice."""
        return self._table.for_language(language)

    def known_voice(self, name: str) -> str:
        """A voice or a mix, written in the one way that has a key. Raises UnknownVoice."""
        return str(self._table.choose(name))

    def fingerprint(self, voice: str) -> str:
        """Precision, weights, voice and pronunciation.

        Raises UnknownVoice, EngineMissing, WeightsUnfit.
        """
        pronunciation = self._g2p.fingerprint(language_of_mix(voice))
        voices = self._table.fingerprint(voice)
        # Who names a precision gets that one, and not what auto has made of it elsewhere.
        rounded = "" if self._options.precision == "auto" else f" {self._options.precision}"
        return f"kokoro sound {SOUND}{rounded} {self._files.fingerprint} {voices} {pronunciation}"

    def warnings(self, voices: Sequence[str]) -> tuple[str, ...]:
        """What its user must be told of weights and pronunciation."""
        told: list[str] = []
        if not self._files.is_official:
            told.append(f"Kokoro speaks with weights that are not official: {self._files.weights}.")
        for voice in voices:
            told += warnings_of(language_of_mix(voice))
        return tuple(dict.fromkeys(told))

    def expect(self, requests: Sequence[Request]) -> None:
        """Begin to turn what will be asked for into phonemes."""
        for language, own in groupby(requests, key=lambda one: language_of_mix(one.voice)):
            self._g2p.expect(language, [request.spoken for request in own])

    def render(self, batch: Batch) -> list[Rendered]:
        """See `Renderer`. Raises UnknownVoice, EngineMissing, WeightsUnfit, EngineFailed."""
        from renderers.kokoro.row import row_of

        self.expect(batch.requests)
        said = [self._said(request) for request in batch.requests]
        with self._one_at_a_time:
            rows = [
                row_of(part.text, self._pack(request.voice), self._config, request, number)
                for request, parts in zip(batch.requests, said, strict=True)
                for number, part in enumerate(parts)
                if part.text
            ]
            speaker = self._speaker  # made by the first who asks
        spoken = iter(speaker.speak(rows))
        return [_rendered(parts, spoken) for parts in said]

    def _said(self, request: Request) -> tuple[Phonemes, ...]:
        """The phonemes of a request, in parts that are rows."""
        slowest, fastest = self.traits.speeds
        if not slowest <= request.speed <= fastest:
            raise EngineFailed(
                f"Kokoro speaks at speeds from {slowest} to {fastest}, not {request.speed}."
            )
        said = self._g2p.phonemes(language_of_mix(request.voice), request.spoken)
        return split(said, self._config.max_phonemes)

    def _pack(self, voice: str) -> Tensor:
        from renderers.kokoro.packs import load_voice

        if voice not in self._packs:
            self._packs[voice] = load_voice(self._table, voice)
        return self._packs[voice]

    @cached_property
    def _files(self) -> ModelFiles:
        return find_files(self._options.weights, self._release)

    @cached_property
    def _config(self) -> KokoroConfig:
        return read_config(self._files.config)

    @cached_property
    def _g2p(self) -> G2PPool:
        options = self._options
        alphabet = Alphabet(frozenset(self._config.vocab), options.release)
        workers = by_cores(n_devices(options.device)) if options.workers < 0 else options.workers
        return G2PPool(workers, alphabet, PhonemeCache(options.phonemes))

    @cached_property
    def _speaker(self) -> Alone | CardPool:
        from renderers.kokoro.speaking import open_speaking

        return open_speaking(self._files.weights, self._config, self._options)


def language_of_mix(voice: str) -> Language:
    """The language that a voice or a mix of voices speaks. Raises UnknownVoice."""
    return parse_mix(voice).language


def by_cores(n_speaking: int = 1) -> int:
    """Processes for phonemes: one keeps ahead of a CPU's model, each GPU's takes several."""
    return min(8 * n_speaking, max(1, usable_cores() // 2))


def _rendered(parts: Sequence[Phonemes], spoken: Iterator[Spoken]) -> Rendered:
    """The rows of one request, one after the other."""
    remarks = tuple(remark for part in parts for remark in part.remarks)
    pieces: list[Samples] = []
    timings: list[WordTiming] = []
    for part in parts:
        if part.text:
            one = next(spoken)
            began_s = sum(piece.size for piece in pieces) / SAMPLE_RATE
            timings += word_timings(part, one.durations, one.frame_s, began_s)
            pieces.append(one.samples)
    if not pieces:
        return Rendered(np.zeros(round(UNSPOKEN_S * SAMPLE_RATE), np.float32), (), remarks)
    # A copy of what is one piece already would hold a batch in memory twice.
    samples = pieces[0] if len(pieces) == 1 else np.concatenate(pieces)
    return Rendered(samples, joined(timings), remarks)
