"""Runs the model on rows of phonemes, in as few batches as memory allows. Knows no text, no files.

    rows ─▶ encode text ─▶ predict prosody ─▶ decode ─▶ samples, in the rows' order
            by phonemes    by frames          by frames
            padded         padded             packed, or padded together with prosody

On a CPU a batch gains nothing. So each row is computed by itself, on one core, several rows side by
side, unless batches are set. Then nothing is padding, and a row's samples are bit-identical
whatever other rows it is rendered with. Cores that have no row help with the blocks of another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import torch
from torch import Tensor

from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.engine.protocol import Request
from audiomill.renderers.kokoro.inference.batching import (
    OVERHEAD_FRAMES,
    OVERHEAD_LSTM,
    BatchPolicy,
    PackedBatches,
    PaddedBatches,
)
from audiomill.renderers.kokoro.inference.rows import RowAudio, seed_of, tokens_of
from audiomill.renderers.kokoro.inference.streams import HostCopy, Streams, TorchThreadPool
from audiomill.renderers.kokoro.model.config import SAMPLE_RATE, KokoroConfig
from audiomill.renderers.kokoro.model.model import EncodedText, Kokoro, Prosody, Utterance

T = TypeVar("T")
Indices = Sequence[int]
# Messages of PyTorch's allocator for CPUs, of the driver, of Triton, of cuBLAS and of cuDNN.
NO_MEMORY = (
    *("DefaultCPUAllocator", "CUDA error: out of memory", "Triton Error [CUDA]: out of memory"),
    *("CUBLAS_STATUS_ALLOC_FAILED", "CUDNN_STATUS_ALLOC_FAILED"),
)
SHARE_OF_MEMORY = 0.6  # of what is free on the device; the rest is for kernels and their workspaces
# Places of a batch of text or prosody for each frame of one of the decoder. In fp16 the decoder
# takes 190 KB a frame; text takes 30 KB a token and prosody 40 KB a frame.
LSTM_PLACES = 2
# The most frames of an unpadded batch, however much memory there is: 14 minutes of audio keep a GPU
# busy, in 6.5 GB, and the batch before is copied to the host meanwhile.
PACKED_FRAMES = 32_768


class MapFn(Protocol):
    """Like `map`."""

    def __call__(
        self, function: Callable[[Indices], list[T]], batches: Iterable[Indices], /
    ) -> Iterator[list[T]]:
        """`function` of each batch, in their order, perhaps several at a time."""
        ...


class BatchedStage:
    """One stage of the model on one device. Its batches shrink after a lack of memory."""

    def __init__(
        self, device: torch.device, budget: int, policy: BatchPolicy, map_batches: MapFn
    ) -> None:
        """`budget`: the most places of a batch, as `policy` counts them."""
        self.budget = budget
        self._device, self.policy, self._map = device, policy, map_batches

    def run(self, lengths: Sequence[int], function: Callable[[Indices], list[T]]) -> list[T]:
        """Results of all rows, in their order. `function` computes those of one batch.

        When memory runs out, the remaining rows are batched again, at half the size. Raises
        EngineFailed if there is no room for a single row.
        """
        done: dict[int, T] = {}
        while len(done) < len(lengths):
            left = [index for index in range(len(lengths)) if index not in done]
            batches = self._batches(lengths, left)
            results = self._map(function, batches)
            for batch in batches:
                try:
                    done.update(zip(batch, next(results), strict=True))
                except (RuntimeError, MemoryError) as error:
                    if not is_out_of_memory(error):
                        raise
                    self._halve_budget([lengths[index] for index in batch], error)
                    break
        return [done[index] for index in range(len(lengths))]

    def _batches(self, lengths: Sequence[int], left: Sequence[int]) -> list[Indices]:
        batches = self.policy.batches([lengths[index] for index in left], self.budget)
        return [[left[place] for place in batch] for batch in batches]

    def _halve_budget(self, lengths: Sequence[int], error: Exception) -> None:
        """Halve what has just failed, which may be far less than the budget."""
        if len(lengths) == 1:
            raise EngineFailed(_no_room(self._device)) from error
        self.budget = self.policy.places(lengths) // 2


def is_out_of_memory(error: Exception) -> bool:
    """True for a lack of memory in PyTorch or NumPy. Some libraries have only a message for it."""
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


@dataclass(frozen=True, slots=True)
class Row:
    """One row: the model's input, and the seed of its noise."""

    utterance: Utterance
    seed: int


@dataclass(frozen=True, slots=True)
class PendingRow:
    """One row that is being computed."""

    copy: HostCopy
    row: int  # of the copy
    durations: tuple[int, ...]
    frame_samples: int

    def finished(self) -> RowAudio:
        """Wait for the row and return its audio."""
        samples = self.copy.row(self.row, sum(self.durations) * self.frame_samples)
        return RowAudio(samples, self.durations, self.frame_samples / SAMPLE_RATE)


class Runner:
    """Runs one model on rows. One thread at a time may use it."""

    def __init__(
        self, model: Kokoro, batch_frames: int = 0, threads: TorchThreadPool | None = None
    ) -> None:
        """`batch_frames`: the most frames of a batch, padding included; 0: as many as fit.

        `threads` compute the batches of a CPU; None: some of its own.
        """
        self._model = model
        self._streams = Streams(model.device)
        is_cpu = model.device.type == "cpu"
        self._map: MapFn = (threads or TorchThreadPool()).map if is_cpu else map
        self.batch_frames = batch_frames or frames_that_fit(model)

    @property
    def batch_frames(self) -> int:
        """The most frames of a batch: fewer than were set once memory has run out."""
        return self._decoding.budget

    @batch_frames.setter
    def batch_frames(self, n_frames: int) -> None:
        packs = self._model.decoder.is_packed
        self._encoding, self._prosody = (
            self._stage(LSTM_PLACES * n_frames, PaddedBatches(OVERHEAD_LSTM)) for _ in range(2)
        )
        self._decoding = self._stage(
            n_frames, PackedBatches() if packs else PaddedBatches(OVERHEAD_FRAMES)
        )

    @property
    def policy(self) -> BatchPolicy:
        """How rows are grouped for the decoder."""
        return self._decoding.policy

    def run(self, rows: Sequence[Row]) -> list[RowAudio]:
        """Audio of all `rows`, in their order. Raises EngineFailed."""
        return [row.finished() for row in self.start(rows)]

    def start(self, rows: Sequence[Row]) -> list[PendingRow]:
        """All `rows`, in their order; a GPU may still compute some. Raises EngineFailed."""
        with self._streams.device():
            return self._start(rows)

    def _start(self, rows: Sequence[Row]) -> list[PendingRow]:
        with self._streams.ahead():
            texts = self._encoding.run(
                [len(row.utterance.tokens) for row in rows],
                lambda batch: self._model.encode_text([rows[index].utterance for index in batch]),
            )
        seeds, frames = [row.seed for row in rows], [text.n_frames for text in texts]
        if not self._model.decoder.is_packed:
            self._streams.hand_over(_tensors(texts))
            return self._decoding.run(
                frames, lambda batch: self._speak_padded(_at(texts, batch), _at(seeds, batch))
            )
        with self._streams.ahead():
            prosodies = self._prosody.run(
                frames, lambda batch: self._model.predict_prosody(_at(texts, batch))
            )
        self._streams.hand_over(_tensors(texts))
        self._streams.hand_over(curve for one in prosodies for curve in (one.f0, one.energy))
        return self._decoding.run(
            frames, lambda batch: self._decode(_at(prosodies, batch), _at(seeds, batch))
        )

    def _stage(self, budget: int, policy: BatchPolicy) -> BatchedStage:
        return BatchedStage(self._model.device, budget, policy, self._map)

    def _speak_padded(self, texts: Sequence[EncodedText], seeds: Sequence[int]) -> list[PendingRow]:
        return self._pending(texts, self._model.speak_padded(texts, self._noise(texts, seeds)))

    def _decode(self, prosodies: Sequence[Prosody], seeds: Sequence[int]) -> list[PendingRow]:
        texts = [one.text for one in prosodies]
        return self._pending(texts, self._model.decode(prosodies, self._noise(texts, seeds)))

    def _noise(self, texts: Sequence[EncodedText], seeds: Sequence[int]) -> Tensor:
        n_frames = max(text.n_frames for text in texts)
        n_samples = n_frames * self._model.config.samples_per_frame
        return self._model.decoder.noise(seeds, n_samples, self._model.device)

    def _pending(self, texts: Sequence[EncodedText], audio: Tensor) -> list[PendingRow]:
        copy, frame_samples = (
            self._streams.copy_to_host(audio),
            self._model.config.samples_per_frame,
        )
        return [
            PendingRow(copy, row, text.durations, frame_samples) for row, text in enumerate(texts)
        ]


def frames_that_fit(model: Kokoro) -> int:
    """The most frames of a batch that fit on the device; 0 on a CPU: each row by itself."""
    if model.device.type != "cuda":
        return 0
    free, _ = torch.cuda.mem_get_info(model.device)
    fit = int(SHARE_OF_MEMORY * free) // model.decoder.bytes_per_frame
    return min(fit, PACKED_FRAMES) if model.decoder.is_packed else fit


def _at(values: Sequence[T], indices: Sequence[int]) -> list[T]:
    return [values[index] for index in indices]


def _tensors(texts: Sequence[EncodedText]) -> Iterator[Tensor]:
    for text in texts:
        yield from (text.style, text.for_prosody, text.for_decoder)


def row_of(
    phonemes: str, pack: Tensor, config: KokoroConfig, request: Request, number: int = 0
) -> Row:
    """A row of 1 to 510 `phonemes`, which are the part with this number of `request`.

    A voice's `pack`, (510, 1, 2 * style_dim), has a style for each number of phonemes.
    """
    tokens = tokens_of(phonemes, config.vocab)
    style = pack[len(phonemes) - 1, 0]
    return Row(Utterance(tokens, style, request.speed), seed_of(request.key, number))
