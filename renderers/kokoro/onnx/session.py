"""Runs rows in ONNX Runtime on the CPU: each on one core, several of them side by side.

    rows ─▶ one model with the noise of each row's seed, whose calls share the weights ─▶ samples

A session with one thread for each call needs a quarter less processor time than one that divides
each operation among two. So a row is computed in the same way whatever else is, and its samples
are the same alone, in any batch, and after a resume.

The graph takes one row: its text encoder has no mask, its durations are made a vector without a
batch, and its instance norms take their means over the whole length, padding included.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audiomill.renderers.base import EngineFailed, Samples, WeightsUnfit
from audiomill.renderers.host.cores import usable_cores
from audiomill.renderers.host.hardware import ram_bytes
from audiomill.renderers.kokoro.config import SAMPLE_RATE
from audiomill.renderers.kokoro.onnx.graph import KokoroGraph
from audiomill.renderers.kokoro.rows import RowAudio
from audiomill.renderers.onnx.fields import TensorType
from audiomill.renderers.onnx.sessions import DTYPES, RunFailed, SeededModel
from audiomill.renderers.onnx.stages import GraphUnfit

# A row takes 22 MB for a second of its audio; the longest that is planned has some 33 s.
ROW_BYTES = 750 << 20
SHARE_OF_RAM = 0.5
NO_MEMORY = ("bad allocation", "bad_alloc", "Failed to allocate memory")


@dataclass(frozen=True, slots=True)
class OnnxRow:
    """One row: tokens, the style for their number (1, 256), the speed, and the noise's seed."""

    tokens: tuple[int, ...]
    style: NDArray[np.float32]
    speed: float
    seed: int


class OnnxRunner:
    """Runs one model. Several threads may use it."""

    def __init__(self, graph: KokoroGraph, file: Path, n_threads: int) -> None:
        """`file` is the model's. Raises WeightsUnfit."""
        self._graph, self._file = graph, file
        outputs = [name for name in (graph.audio, graph.durations) if name]
        try:
            self._model = SeededModel(graph.model, outputs)
        except GraphUnfit as error:
            raise WeightsUnfit(f"{file} cannot be used by ONNX Runtime: {error}") from error
        self._pool = ThreadPoolExecutor(n_threads, "kokoro-onnx")

    def run(self, rows: Sequence[OnnxRow]) -> list[RowAudio]:
        """Audio of all `rows`, in their order. Raises EngineFailed."""
        started = [self._pool.submit(self._row, row) for row in rows]
        try:
            return [one.result() for one in started]
        finally:
            for one in started:
                one.cancel()

    def _row(self, row: OnnxRow) -> RowAudio:
        try:
            outputs = self._model.run(self._inputs(row), row.seed)
        except RunFailed as error:
            raise self._failed(error) from error
        samples = outputs[0].reshape(-1).astype(np.float32, copy=False)
        if not np.isfinite(samples).all():
            raise EngineFailed(
                f"{self._file} speaks samples that are not numbers. Models in float16 do so for"
                " some texts: set kokoro_onnx.precision to float32."
            )
        durations = outputs[1].reshape(-1) if self._graph.durations else None
        return _row_audio(samples, durations, len(row.tokens))

    def _inputs(self, row: OnnxRow) -> Mapping[str, NDArray[Any]]:
        graph = self._graph
        speed = np.array([row.speed]).astype(_dtype(graph.speed.dtype))
        if speed[0] != row.speed and speed.dtype.kind == "i":
            raise EngineFailed(f"{self._file} speaks at whole speeds only, not at {row.speed}.")
        return {
            graph.tokens.name: np.array([row.tokens], _dtype(graph.tokens.dtype)),
            graph.style.name: row.style.astype(_dtype(graph.style.dtype), copy=False),
            graph.speed.name: speed,
        }

    def _failed(self, error: RunFailed) -> EngineFailed:
        message = str(error)
        if any(words in message for words in NO_MEMORY):
            return EngineFailed(
                "There is no memory left for a segment. Set kokoro_onnx.threads to a lower number."
            )
        return EngineFailed(f"ONNX Runtime failed with {self._file}: {message}")


def default_threads() -> int:
    """Rows side by side: one for each core, if they fit into half of the memory."""
    n_fit = int(SHARE_OF_RAM * (ram_bytes() or 0)) // ROW_BYTES
    return max(1, min(usable_cores(), n_fit))


def _dtype(number: int) -> type[np.generic]:
    return DTYPES.get(TensorType(number), np.float32)


def _row_audio(samples: Samples, durations: NDArray[np.int64] | None, n_tokens: int) -> RowAudio:
    """A row's audio. Durations that do not fit it are none: they were recognised wrongly."""
    n_frames = 0 if durations is None else int(durations.sum())
    if durations is None or durations.size != n_tokens or n_frames < 1 or samples.size % n_frames:
        return RowAudio(samples, (), 0.0)
    frame_s = samples.size // n_frames / SAMPLE_RATE
    return RowAudio(samples, tuple(map(int, durations)), frame_s)
