"""The interface between benchmarks and engines. Knows no engine and measures no time.

lines ─▶ BenchEngine.steps ─▶ BenchStep.run ─▶ StepStats        each line is rendered exactly once
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class BenchLine:
    """A segment to render: phonemes or spoken text, whichever the engine takes."""

    text: str
    n_chars: int  # of the spoken text behind `text`


@dataclass(frozen=True, slots=True)
class StepStats:
    """Statistics of a step. Its unit is what the engine pads: frames, or rows without padding."""

    n_samples: int
    real: int = 0  # units of speech
    computed: int = 0  # units computed, including padding
    n_batches: int = 0  # number of batches that they were computed in
    budget: int = 0  # most units allowed in a batch; 0: each row by itself


@dataclass(frozen=True, slots=True)
class BenchStep:
    """Work that an engine does in one call. It finishes `lines` (indices into the text)."""

    lines: tuple[int, ...]
    run: Callable[[], StepStats]


class DeviceMemory(Protocol):
    """The device that an engine runs on, and the peak of its memory."""

    def facts(self) -> Mapping[str, object]:
        """Its environment, for the report: device, threads, GPU, versions, weights."""
        ...

    def reset_gpu_peak(self) -> None:
        """Reset the peak of GPU memory."""
        ...

    def gpu_peak_bytes(self) -> int | None:
        """The peak of GPU memory since the last reset; None if no GPU is used."""
        ...


class BenchEngine(DeviceMemory, Protocol):
    """An engine that is loaded and ready to be measured."""

    @property
    def sample_rate(self) -> int:
        """In Hz, of its audio."""
        ...

    def steps(self, lines: Sequence[BenchLine], batch_frames: int) -> Sequence[BenchStep]:
        """The steps that render `lines`, in the engine's own order.

        `batch_frames` is the batch budget; 0: the engine's own choice.
        """
        ...

    def release_cached_memory(self) -> None:
        """Release cached device memory that is not in use."""
        ...
