"""The model on one device of this process, which may be the process of one GPU.

    RowRequest ─▶ Row: with the style of its voice ─▶ Runner ─▶ RowAudio

Rows are sent by the name of their voice, so that a process whose rows others run needs no PyTorch.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

import torch
from torch import Tensor

from audiomill.renderers.engine.errors import EngineFailed, reason_of
from audiomill.renderers.kokoro.inference.gpu_process import RowResult, StartRows
from audiomill.renderers.kokoro.inference.rows import RowAudio, RowRequest
from audiomill.renderers.kokoro.inference.runner import Row, Runner
from audiomill.renderers.kokoro.loading import chosen_device, load_runner
from audiomill.renderers.kokoro.model.config import KokoroConfig
from audiomill.renderers.kokoro.model.model import Utterance
from audiomill.renderers.kokoro.options import KokoroOptions
from audiomill.renderers.kokoro.weights.checkpoint import load_voice
from audiomill.renderers.kokoro.weights.releases import release_named
from audiomill.renderers.kokoro.weights.voices import KokoroVoices


class VoicePacks:
    """The packs of voices and mixes, each loaded once. One thread at a time may use it."""

    def __init__(self, options: KokoroOptions) -> None:
        self._voices = KokoroVoices(options.weights, release_named(options.release))
        self._packs: dict[str, Tensor] = {}

    def row(self, request: RowRequest) -> Row:
        """The row in its voice. Raises UnknownVoice, EngineMissing, WeightsUnfit.

        A pack, (510, 1, 2 * style_dim), has a style for each number of phonemes.
        """
        tokens, voice, speed, seed = request
        n_phonemes = len(tokens) - 2  # without those at the edges
        return Row(Utterance(tokens, self._pack(voice)[n_phonemes - 1, 0], speed), seed)

    def _pack(self, voice: str) -> Tensor:
        if voice not in self._packs:
            self._packs[voice] = load_voice(self._voices, voice)
        return self._packs[voice]


class SingleDevice:
    """Runs rows on one device, in this process. Any thread may use it."""

    def __init__(self, runner: Runner, packs: VoicePacks, device: str) -> None:
        self._runner, self._packs, self._device = runner, packs, device
        self._lock = Lock()

    def run(self, rows: Sequence[RowRequest]) -> list[RowAudio]:
        """Audio of all `rows`, in order. Raises EngineFailed, and what `VoicePacks` raises."""
        with _device_errors(self._device):
            with self._lock:
                pending = self._runner.start([self._packs.row(row) for row in rows])
            # Without the lock: the next batch can start while these samples are copied.
            return [row.finished() for row in pending]


def open_here(weights: Path, config: KokoroConfig, options: KokoroOptions) -> SingleDevice:
    """Load the model in this process. Raises EngineMissing, EngineFailed, WeightsUnfit."""
    with _device_errors(options.device):
        runner = load_runner(weights, config, options)
    return SingleDevice(runner, VoicePacks(options), options.device)


@contextmanager
def _device_errors(device: str) -> Generator[None]:
    """Raise a GPU's own errors as EngineFailed; a CPU has none."""
    try:
        yield
    except RuntimeError as error:
        if device == "cpu":
            raise
        raise EngineFailed(
            f"Kokoro has failed on {device}: {reason_of(error)}. What is finished is kept: run the"
            " same command again. If that ends the same way, set kokoro.device to cpu."
        ) from error


def start_on(weights: Path, config: KokoroConfig, options: KokoroOptions) -> StartRows:
    """Load the model in a process that has this device only.

    Raises EngineMissing, EngineFailed, WeightsUnfit.
    """
    device = chosen_device(options.device)
    if device.type == "cuda":
        torch.cuda.set_device(device)  # for code that names no device
    runner, packs = load_runner(weights, config, options), VoicePacks(options)

    def start(requests: Sequence[RowRequest]) -> Callable[[], list[RowResult]]:
        pending = runner.start([packs.row(one) for one in requests])

        def finish() -> list[RowResult]:
            finished = [row.finished() for row in pending]
            return [(audio.samples, audio.durations, audio.frame_s) for audio in finished]

        return finish

    return start
