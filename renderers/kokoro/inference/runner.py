"""Rows of phonemes spoken in as few batches as memory allows. Knows no text and no files.

    rows ─▶ read, by phonemes ─▶ intone, by frames ─▶ decode, by frames ─▶ samples, in rows' order
            padded               padded               packed, or padded with the step before

On a CPU a batch gains nothing, so each row is spoken by itself, on one core, several side by side,
unless batches are asked for: nothing is padding, and a row's samples are the same to the last bit
whatever it is rendered with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import torch
from torch import Tensor

from audiomill.renderers.base import EngineFailed, Request, Samples
from audiomill.renderers.kokoro.config import SAMPLE_RATE, KokoroConfig
from audiomill.renderers.kokoro.inference.batching import (
    OVERHEAD_FRAMES,
    OVERHEAD_INTONED,
    OVERHEAD_TOKENS,
    BatchPolicy,
    PackedBatches,
    PaddedBatches,
)
from audiomill.renderers.kokoro.inference.streams import HostCopy, Streams, TorchThreadPool
from audiomill.renderers.kokoro.model.model import EncodedText, Kokoro, Prosody, Utterance
from audiomill.renderers.kokoro.model.source import seed_of

# Rows through one step of the model, in batches that fit.

T = TypeVar("T")
Indices = Sequence[int]
# In the words of PyTorch's allocator for CPUs, of the driver, and of its libraries.
NO_MEMORY = (
    *("DefaultCPUAllocator", "CUDA error: out of memory", "Triton Error [CUDA]: out of memory"),
    *("CUBLAS_STATUS_ALLOC_FAILED", "CUDNN_STATUS_ALLOC_FAILED"),
)


class MapFn(Protocol):
    """Like `map`."""

    def __call__(
        self, work: Callable[[Indices], list[T]], batches: Iterable[Indices], /
    ) -> Iterator[list[T]]:
        """What `work` makes of each batch, in their order, perhaps several at a time."""
        ...


class BatchedStage:
    """One step on one device. It takes on less after it has run out of memory."""

    def __init__(self, device: torch.device, budget: int, cut: BatchPolicy, spread: MapFn) -> None:
        """`budget`: places that a batch has room for, as `cut` counts; `spread` is like `map`."""
        self.budget = budget
        self._device, self.cut, self._spread = device, cut, spread

    def run(self, lengths: Sequence[int], work: Callable[[Indices], list[T]]) -> list[T]:
        """What `work` makes of each row, in the rows' order.

        Where memory runs out, what is not done yet is cut anew, to batches of half the size. Raises
        EngineFailed if there is no room for a single row.
        """
        done: dict[int, T] = {}
        while len(done) < len(lengths):
            left = [index for index in range(len(lengths)) if index not in done]
            batches = self._batches(lengths, left)
            made = self._spread(work, batches)
            for batch in batches:
                try:
                    done.update(zip(batch, next(made), strict=True))
                except (RuntimeError, MemoryError) as error:
                    if not is_out_of_memory(error):
                        raise
                    self._take_on_less([lengths[index] for index in batch], error)
                    break
        return [done[index] for index in range(len(lengths))]

    def _batches(self, lengths: Sequence[int], left: Sequence[int]) -> list[Indices]:
        batches = self.cut.batches([lengths[index] for index in left], self.budget)
        return [[left[place] for place in batch] for batch in batches]

    def _take_on_less(self, lengths: Sequence[int], error: Exception) -> None:
        """Half of what has just failed, which may be far less than the budget."""
        if len(lengths) == 1:
            raise EngineFailed(_no_room(self._device)) from error
        self.budget = self.cut.places(lengths) // 2


def is_out_of_memory(error: Exception) -> bool:
    """Whether that is what PyTorch or NumPy has met; not all that may tell of it have a type."""
    kinds = (torch.OutOfMemoryError, MemoryError)
    return isinstance(error, kinds) or any(words in str(error) for words in NO_MEMORY)


def _no_room(device: torch.device) -> str:
    way_out = (
        "have fewer of them spoken at a time: OMP_NUM_THREADS=1"
        if device.type == "cpu"
        else "set kokoro.device to cpu"
    )
    return (
        f"{device} has no memory left for a single segment. Give it less other work, or {way_out}."
    )


SHARE_OF_MEMORY = 0.6  # of what is free on the device; the rest is for kernels and their workspaces
# A phoneme takes far less than a frame, in the first step and in memory.
FRAMES_PER_TOKEN = 2
# Frames of a batch that is intoned, for one that is decoded: it takes a fraction of the memory.
INTONED = 4
# Of a batch that is not padded, however much memory there is: seven minutes of audio keep a GPU
# busy, and the batch before is carried to the host meanwhile.
PACKED_FRAMES = 16_384


@dataclass(frozen=True, slots=True)
class Row:
    """One row: what the model is given, and the seed of its noise."""

    utterance: Utterance
    seed: int


@dataclass(frozen=True, slots=True)
class RowAudio:
    """One row's samples, and how many frames each of its tokens lasts."""

    samples: Samples
    durations: tuple[int, ...]
    frame_s: float


@dataclass(frozen=True, slots=True)
class PendingRow:
    """One row that is being spoken."""

    landing: HostCopy
    row: int  # of the landing
    durations: tuple[int, ...]
    frame_samples: int

    def finished(self) -> RowAudio:
        """The row, once it is spoken."""
        samples = self.landing.row(self.row, sum(self.durations) * self.frame_samples)
        return RowAudio(samples, self.durations, self.frame_samples / SAMPLE_RATE)


class Runner:
    """A model, and how much it may take on at a time. One thread at a time."""

    def __init__(self, model: Kokoro, batch_frames: int = 0) -> None:
        """`batch_frames`: frames of a batch, padding included; 0: what the device has room for."""
        self._model = model
        self._streams = Streams(model.device)
        self._spread: MapFn = TorchThreadPool().map if model.device.type == "cpu" else map
        self.batch_frames = batch_frames or frames_that_fit(model)

    @property
    def batch_frames(self) -> int:
        """Frames of a batch at most: less than was asked for once memory has run out."""
        return self._speaking.budget

    @batch_frames.setter
    def batch_frames(self, n_frames: int) -> None:
        packs = self._model.decoder.packs
        self._reading = self._step(n_frames // FRAMES_PER_TOKEN, PaddedBatches(OVERHEAD_TOKENS))
        self._intoning = self._step(INTONED * n_frames, PaddedBatches(OVERHEAD_INTONED))
        self._speaking = self._step(
            n_frames, PackedBatches() if packs else PaddedBatches(OVERHEAD_FRAMES)
        )

    @property
    def policy(self) -> BatchPolicy:
        """How rows are put together that are decoded together."""
        return self._speaking.cut

    def run(self, rows: Sequence[Row]) -> list[RowAudio]:
        """All `rows`, in their order. Raises EngineFailed."""
        return [one.finished() for one in self.start(rows)]

    def start(self, rows: Sequence[Row]) -> list[PendingRow]:
        """All `rows`, in their order, some perhaps still being spoken. Raises EngineFailed."""
        with self._streams.here():
            return self._begun(rows)

    def _begun(self, rows: Sequence[Row]) -> list[PendingRow]:
        with self._streams.ahead():
            readings = self._reading.run(
                [len(row.utterance.tokens) for row in rows],
                lambda batch: self._model.encode_text([rows[index].utterance for index in batch]),
            )
        seeds, frames = [row.seed for row in rows], [one.n_frames for one in readings]
        if not self._model.decoder.packs:
            self._streams.hand_over(_tensors(readings))
            return self._speaking.run(
                frames, lambda batch: self._spoken(_at(readings, batch), _at(seeds, batch))
            )
        with self._streams.ahead():
            intoned = self._intoning.run(
                frames, lambda batch: self._model.predict_prosody(_at(readings, batch))
            )
        self._streams.hand_over(_tensors(readings))
        self._streams.hand_over(curve for one in intoned for curve in (one.f0, one.energy))
        return self._speaking.run(
            frames, lambda batch: self._decoded(_at(intoned, batch), _at(seeds, batch))
        )

    def _step(self, budget: int, cut: BatchPolicy) -> BatchedStage:
        return BatchedStage(self._model.device, budget, cut, self._spread)

    def _spoken(self, readings: Sequence[EncodedText], seeds: Sequence[int]) -> list[PendingRow]:
        return self._coming(
            readings, self._model.speak_padded(readings, self._noise(readings, seeds))
        )

    def _decoded(self, rows: Sequence[Prosody], seeds: Sequence[int]) -> list[PendingRow]:
        readings = [one.reading for one in rows]
        return self._coming(readings, self._model.decode(rows, self._noise(readings, seeds)))

    def _noise(self, readings: Sequence[EncodedText], seeds: Sequence[int]) -> Tensor:
        step = self._model.config.samples_per_frame
        n_samples = max(one.n_frames for one in readings) * step
        return self._model.decoder.noise(seeds, n_samples, self._model.device)

    def _coming(self, readings: Sequence[EncodedText], audio: Tensor) -> list[PendingRow]:
        landing, step = self._streams.land(audio), self._model.config.samples_per_frame
        return [PendingRow(landing, row, one.durations, step) for row, one in enumerate(readings)]


def frames_that_fit(model: Kokoro) -> int:
    """The frames of a batch that a device has room for; 0 on a CPU: each row by itself."""
    if model.device.type != "cuda":
        return 0
    free, _ = torch.cuda.mem_get_info(model.device)
    fit = int(SHARE_OF_MEMORY * free) // model.decoder.bytes_per_frame
    return min(fit, PACKED_FRAMES) if model.decoder.packs else fit


def _at(values: Sequence[T], indices: Sequence[int]) -> list[T]:
    return [values[index] for index in indices]


def _tensors(readings: Sequence[EncodedText]) -> Iterator[Tensor]:
    for one in readings:
        yield from (one.style, one.for_prosody, one.for_decoder)


# A string of phonemes as a row that a model can speak.

EDGE = 0  # the token before the first phoneme and after the last


def row_of(
    phonemes: str, pack: Tensor, config: KokoroConfig, request: Request, number: int = 0
) -> Row:
    """The part with this number of `request`, 1 to 510 phonemes.

    A voice's `pack`, (510, 1, 2 * style_dim), holds a style for each number of phonemes.
    """
    tokens = (EDGE, *(config.vocab[phoneme] for phoneme in phonemes), EDGE)
    style = pack[len(phonemes) - 1, 0]
    return Row(Utterance(tokens, style, request.speed), seed_of(request.key, number))
