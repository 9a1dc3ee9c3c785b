"""The Kokoro engine: requests in, audio and word timings out. Knows no store.

    request ─▶ phonemes ─▶ rows of at most 510 ─▶ model ─▶ rows joined ─▶ samples, timings
               (child processes,                  (padded batches, on one device or several)
                ahead of the model)

Everything is loaded as late as possible. Files are looked for when something depends on them;
PyTorch and the weights are loaded by the first `render`, or beside other work by the first
`prefetch`: by the processes of GPUs, and here only for a CPU. So listing voices needs no files, and
a run that finds every shard in the store needs no PyTorch.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from math import ceil
from typing import TYPE_CHECKING

from audiomill.renderers.engine.protocol import Batch, EngineLimits, Rendered, Request
from audiomill.renderers.host.cores import usable_cores
from audiomill.renderers.host.devices import has_gpu, n_devices
from audiomill.renderers.host.waiting import UNATTENDED, Waiter
from audiomill.renderers.kokoro.front_end import (
    G2POptions,
    KokoroFrontEnd,
    WithFrontEnd,
    check_speeds,
    kokoro_limits,
    n_workers,
)
from audiomill.renderers.kokoro.g2p.phonemes import Phonemes, from_string, split
from audiomill.renderers.kokoro.g2p.requirements import Alphabet
from audiomill.renderers.kokoro.inference.rows import joined, row_request
from audiomill.renderers.kokoro.model.config import SAMPLE_RATE, KokoroConfig, read_config
from audiomill.renderers.kokoro.options import KokoroOptions
from audiomill.renderers.kokoro.weights.files import ModelFiles, find_files
from audiomill.renderers.kokoro.weights.releases import release_named
from audiomill.renderers.kokoro.weights.voices import KokoroVoices

if TYPE_CHECKING:
    from audiomill.renderers.kokoro.multi_gpu import GpuPool
    from audiomill.renderers.kokoro.single_device import SingleDevice

SOUND_VERSION = 2  # raised by hand when samples change although weights and phonemes do not
# Segments of one `render` call. With padding, batches are formed from them once their durations are
# known: enough to choose from, and a quarter of a gigabyte of samples. Without padding, each core
# renders one row at a time: few, so that little is lost when a run is stopped.
ROWS_PADDED, ROWS_ALONE = 256, 2 * usable_cores()
# Audio in a window. A window is sorted by length, so that the segments of one call are alike. A GPU
# finishes its longer window sooner than a CPU its shorter one.
WINDOW_PADDED_S, WINDOW_ALONE_S = 4800.0, 600.0
# Devices that one call of ROWS_PADDED rows keeps busy while the next call is prepared.
DEVICES_PER_CALL = 4


class KokoroRenderer(WithFrontEnd):
    """Kokoro-82M. Batching never changes the audio.

    On a CPU it is bit-identical, as each row is rendered by itself unless `batch_frames` is set. In
    padded batches it is the same within rounding.
    """

    name = "kokoro"
    title = "Kokoro"
    sample_rate = SAMPLE_RATE

    def __init__(self, options: KokoroOptions) -> None:
        """Raises EngineMissing if the release is unknown or the folder of weights is missing."""
        self._options = options
        self._release = release_named(options.release)
        self._voices = KokoroVoices(options.weights, self._release)
        self._text = KokoroFrontEnd(self._voices.table, self._alphabet, _g2p_options(options))
        self._load_lock = threading.Lock()
        self._loads_ahead = False
        self.limits = limits_for(options)

    def fingerprint(self, voice: str) -> str:
        """Everything besides text and speed that decides the sound of `voice`.

        These are a version of this code, the precision, the weights, the voice's packs and the
        pronunciation. Raises UnknownVoice, EngineMissing, WeightsUnfit.
        """
        pronunciation = self._text.fingerprint(voice)
        voices = self._voices.fingerprint(voice)
        # A named precision has its own keys. "auto" has one key, whatever it resolves to, so shards
        # of different machines may be mixed.
        precision = "" if self._options.precision == "auto" else f" {self._options.precision}"
        sound = f"kokoro sound {SOUND_VERSION}{precision}"
        return f"{sound} {self._files.fingerprint} {voices} {pronunciation}"

    def warnings(self, voices: Sequence[str]) -> tuple[str, ...]:
        """Warnings for the user about weights and pronunciation."""
        warnings: list[str] = []
        if not self._files.is_official:
            warnings.append(
                f"Kokoro speaks with weights that are not official: {self._files.weights}."
            )
        warnings += self._text.warnings(voices)
        return tuple(dict.fromkeys(warnings))

    def load_ahead(self) -> None:
        """Start loading the model in the background."""
        if not self._loads_ahead:
            self._loads_ahead = True
            loader = ThreadPoolExecutor(1, "kokoro-load")
            loader.submit(self._loaded)  # `render` meets the same error
            loader.shutdown(wait=False)

    def prefetch(self, requests: Sequence[Request]) -> None:
        """Start loading the model, and converting the texts to phonemes, in the background."""
        if requests:
            self.load_ahead()
        super().prefetch(requests)

    def render(self, batch: Batch, waiter: Waiter = UNATTENDED) -> list[Rendered]:  # noqa: ARG002
        """Render each request of `batch`, in order.

        Raises UnknownVoice, EngineMissing, WeightsUnfit, EngineFailed.
        """
        self._text.prefetch(batch.requests)
        return self._render(batch, self._text.phonemes_of)

    def render_phonemes(self, batch: Batch) -> list[Rendered]:
        """Render requests whose `spoken` is phonemes, as misaki writes them, instead of text.

        Word timings are those of the parts between spaces. Raises UnknownVoice, WeightsUnfit,
        EngineMissing; EngineFailed if the model has no token for a character.
        """
        return self._render(batch, lambda request: from_string(request.spoken, self._config.vocab))

    def _render(self, batch: Batch, phonemes_of: Callable[[Request], Phonemes]) -> list[Rendered]:
        check_speeds(batch)
        limit = self._config.max_phonemes
        model = self._loaded()  # on first use, while other processes find phonemes
        parts_of_each = [split(phonemes_of(request), limit) for request in batch.requests]
        rows = [
            row_request(part.text, self._config.vocab, request, number)
            for request, parts in zip(batch.requests, parts_of_each, strict=True)
            for number, part in enumerate(parts)
            if part.text
        ]
        audio = iter(model.run(rows))
        return [joined(parts, audio) for parts in parts_of_each]

    def _loaded(self) -> SingleDevice | GpuPool:
        with self._load_lock:
            return self._model

    @cached_property
    def _files(self) -> ModelFiles:
        return find_files(self._options.weights, self._release)

    @cached_property
    def _config(self) -> KokoroConfig:
        return read_config(self._files.config)

    def _alphabet(self) -> Alphabet:
        return Alphabet(frozenset(self._config.vocab), self._options.release)

    @cached_property
    def _model(self) -> SingleDevice | GpuPool:
        from audiomill.renderers.kokoro.multi_gpu import GpuPool, open_devices

        model = open_devices(self._files.weights, self._config, self._options)
        if isinstance(model, GpuPool):  # whose threads would keep it, and the memory of GPUs
            weakref.finalize(self, model.drop)
        return model


def limits_for(options: KokoroOptions) -> EngineLimits:
    """The limits of Kokoro with `options`, found without loading PyTorch."""
    pads = uses_padded_batches(options)
    return kokoro_limits(
        max_rows=ROWS_PADDED if pads else ROWS_ALONE,
        window_s=WINDOW_PADDED_S if pads else WINDOW_ALONE_S,
        n_at_once=concurrent_calls(n_processes(options)),
        shares_audio=n_processes(options) > 0,
    )


def concurrent_calls(n_processes: int) -> int:
    """Concurrent `render` calls that keep so many devices with a process of their own busy.

    The rows of all calls are shared among all devices. While the last rows of one call are being
    rendered, or its audio is handed on, devices take rows of another.
    """
    return 1 + ceil(n_processes / DEVICES_PER_CALL)


def n_processes(options: KokoroOptions) -> int:
    """An estimate of the devices that have a process of their own: all but a CPU alone."""
    n = n_devices(options.device)
    return n if n > 1 or has_gpu(options.device) else 0


def uses_padded_batches(options: KokoroOptions) -> bool:
    """True if rows are rendered in padded batches: on a GPU, or if `batch_frames` is set."""
    return has_gpu(options.device) or options.batch_frames > 0


def _g2p_options(options: KokoroOptions) -> G2POptions:
    workers = n_workers(options.workers, n_devices(options.device))
    return G2POptions(workers, options.phonemes)
