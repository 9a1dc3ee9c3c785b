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
from itertools import accumulate, groupby
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from audiomill.renderers.base import (
    Batch,
    EngineFailed,
    EngineLimits,
    Rendered,
    Request,
    Samples,
    Voice,
    WordTiming,
)
from audiomill.renderers.host.threads import usable_cores
from audiomill.renderers.kokoro.config import SAMPLE_RATE, KokoroConfig, read_config
from audiomill.renderers.kokoro.devices import has_gpu, n_devices
from audiomill.renderers.kokoro.g2p.cache import PhonemeCache
from audiomill.renderers.kokoro.g2p.phonemes import Phonemes, estimate, split
from audiomill.renderers.kokoro.g2p.requirements import Alphabet, warnings_of
from audiomill.renderers.kokoro.g2p.workers import G2PPool
from audiomill.renderers.kokoro.languages import Language
from audiomill.renderers.kokoro.weights.files import ModelFiles, find_files
from audiomill.renderers.kokoro.weights.releases import release_named
from audiomill.renderers.kokoro.weights.voices import KokoroVoices, parse_mix
from audiomill.renderers.options import KokoroOptions

# When each word sounds, from how long the model lets each phoneme last.


def word_timings(
    phonemes: Phonemes, durations: Sequence[int], frame_s: float, began_s: float
) -> Iterator[WordTiming]:
    """The timings of a row's words; its first sample is `began_s` into the segment.

    `durations` are in frames of `frame_s`, and two more than there are phonemes: the row's edges.
    """
    frames = [0, *accumulate(durations)]
    for word in phonemes.words:
        start_s = began_s + frame_s * frames[word.first + 1]
        end_s = began_s + frame_s * frames[word.last + 1]
        yield WordTiming(word.start, word.end, start_s, end_s)


def merge_split_words(timings: Sequence[WordTiming]) -> tuple[WordTiming, ...]:
    """Timings in order, a word that was cut between two rows made one again."""
    whole: list[WordTiming] = []
    for one in timings:
        if whole and (whole[-1].start, whole[-1].end) == (one.start, one.end):
            one = WordTiming(one.start, one.end, whole.pop().start_s, one.end_s)
        whole.append(one)
    return tuple(whole)


# What planning must know of Kokoro on this machine:

SPEEDS = (0.25, 4.0)
# Segments that the engine is given at a time. Padded batches are cut from them once it is known how
# long each will sound: enough to choose among, and a quarter of a gigabyte of samples. Where a core
# speaks one row at a time, few enough that little is lost when a run is stopped.
ROWS_PADDED, ROWS_ALONE = 256, 2 * usable_cores()
# Of audio in a window: sorted by length, so that what comes to the engine together is alike. A GPU
# is through with a padded one sooner than a CPU with the other.
WINDOW_PADDED_S, WINDOW_ALONE_S = 4800.0, 600.0
# Devices that one call of so many rows keeps busy while the next is made ready.
DEVICES_PER_CALL = 4


def limits_for(options: KokoroOptions) -> EngineLimits:
    """Kokoro's, as it runs with `options`."""
    pads = uses_padded_batches(options)
    return EngineLimits(
        max_length=400,
        max_rows=ROWS_PADDED if pads else ROWS_ALONE,
        chars_per_s=14.0,
        exact_bits=16,
        speeds=SPEEDS,
        length=estimated_phonemes,
        best_length=(100, 200),
        window_s=WINDOW_PADDED_S if pads else WINDOW_ALONE_S,
        n_at_once=concurrent_calls(n_devices(options.device)),
    )


def concurrent_calls(n_devices: int) -> int:
    """Calls under way that keep devices busy; several are shared out among all of them.

    While the last rows of one are spoken, those of another are there to go on with.
    """
    return 1 if n_devices == 1 else 1 + ceil(n_devices / DEVICES_PER_CALL)


def uses_padded_batches(options: KokoroOptions) -> bool:
    """Whether rows will be put into padded batches: on a GPU, or wherever that is asked for."""
    return has_gpu(options.device) or options.batch_frames > 0


def estimated_phonemes(spoken: str, voice: str) -> int:
    """About how many phonemes a text is in a voice."""
    return estimate(spoken, parse_mix(voice).language.tag)


if TYPE_CHECKING:
    from torch import Tensor

    from audiomill.renderers.kokoro.inference.multi_gpu import GpuPool, SingleDevice
    from audiomill.renderers.kokoro.inference.runner import RowAudio

SOUND_VERSION = 2  # raised by hand when the samples change though weights and phonemes do not
SILENCE_S = 0.050  # of silence for text that has no phonemes


class KokoroRenderer:
    """Kokoro-82M, in batches in which padding cannot be heard."""

    name = "kokoro"
    sample_rate = SAMPLE_RATE

    def __init__(self, options: KokoroOptions) -> None:
        """Raises EngineMissing for a release or a folder that is not there."""
        self._options = options
        self._release = release_named(options.release)
        self._table = KokoroVoices(options.weights, self._release)
        self._packs: dict[str, Tensor] = {}
        self._one_at_a_time = threading.Lock()
        self.limits = limits_for(options)

    def voices(self) -> Sequence[Voice]:
        """Those of the release, or of the folder that was named."""
        return self._table.voices

    def default_voice(self, language: str) -> str:
        """The voice for text in `language` (BCP 47). Raises UnknownVoice."""
        return self._table.for_language(language)

    def known_voice(self, name: str) -> str:
        """A voice or a mix, written in the one way that has a key. Raises UnknownVoice."""
        return str(self._table.resolve(name))

    def fingerprint(self, voice: str) -> str:
        """Precision, weights, voice and pronunciation.

        Raises UnknownVoice, EngineMissing, WeightsUnfit.
        """
        pronunciation = self._g2p.fingerprint(language_of_mix(voice))
        voices = self._table.fingerprint(voice)
        # Who names a precision gets that one, and not what auto has made of it elsewhere.
        rounded = "" if self._options.precision == "auto" else f" {self._options.precision}"
        return f"kokoro sound {SOUND_VERSION}{rounded} {self._files.fingerprint} {voices} {pronunciation}"

    def warnings(self, voices: Sequence[str]) -> tuple[str, ...]:
        """What its user must be told of weights and pronunciation."""
        told: list[str] = []
        if not self._files.is_official:
            told.append(f"Kokoro speaks with weights that are not official: {self._files.weights}.")
        for voice in voices:
            told += warnings_of(language_of_mix(voice))
        return tuple(dict.fromkeys(told))

    def prefetch(self, requests: Sequence[Request]) -> None:
        """Begin to turn what will be asked for into phonemes."""
        for language, own in groupby(requests, key=lambda one: language_of_mix(one.voice)):
            self._g2p.prefetch(language, [request.spoken for request in own])

    def render(self, batch: Batch) -> list[Rendered]:
        """See `Renderer`. Raises UnknownVoice, EngineMissing, WeightsUnfit, EngineFailed."""
        from audiomill.renderers.kokoro.inference.runner import row_of

        self.prefetch(batch.requests)
        said = [self._said(request) for request in batch.requests]
        with self._one_at_a_time:
            rows = [
                row_of(part.text, self._pack(request.voice), self._config, request, number)
                for request, parts in zip(batch.requests, said, strict=True)
                for number, part in enumerate(parts)
                if part.text
            ]
            speaker = self._speaker  # made by the first who asks
        spoken = iter(speaker.run(rows))
        return [_rendered(parts, spoken) for parts in said]

    def _said(self, request: Request) -> tuple[Phonemes, ...]:
        """The phonemes of a request, in parts that are rows."""
        slowest, fastest = self.limits.speeds
        if not slowest <= request.speed <= fastest:
            raise EngineFailed(
                f"Kokoro speaks at speeds from {slowest} to {fastest}, not {request.speed}."
            )
        said = self._g2p.phonemes(language_of_mix(request.voice), request.spoken)
        return split(said, self._config.max_phonemes)

    def _pack(self, voice: str) -> Tensor:
        from audiomill.renderers.kokoro.weights.checkpoint import load_voice

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
    def _speaker(self) -> SingleDevice | GpuPool:
        from audiomill.renderers.kokoro.inference.multi_gpu import open_devices

        return open_devices(self._files.weights, self._config, self._options)


def language_of_mix(voice: str) -> Language:
    """The language that a voice or a mix of voices speaks. Raises UnknownVoice."""
    return parse_mix(voice).language


def by_cores(n_speaking: int = 1) -> int:
    """Processes for phonemes: one keeps ahead of a CPU's model, each GPU's takes several."""
    return min(8 * n_speaking, max(1, usable_cores() // 2))


def _rendered(parts: Sequence[Phonemes], spoken: Iterator[RowAudio]) -> Rendered:
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
        return Rendered(np.zeros(round(SILENCE_S * SAMPLE_RATE), np.float32), (), remarks)
    # A copy of what is one piece already would hold a batch in memory twice.
    samples = pieces[0] if len(pieces) == 1 else np.concatenate(pieces)
    return Rendered(samples, merge_split_words(timings), remarks)
