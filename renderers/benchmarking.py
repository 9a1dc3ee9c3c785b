"""What a benchmark sees of an engine: turns, and what each made. Knows no engine and no clock.

lines ─▶ Trial.steps ─▶ Turn.speak ─▶ Made        all lines are spoken once, none twice
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class BenchLine:
    """A segment to be spoken: phonemes or spoken text, as the engine takes it."""

    said: str
    n_chars: int  # of the spoken text that it stands for


@dataclass(frozen=True, slots=True)
class StepStats:
    """What came of a turn. Places are what the engine pads: frames, or rows where it pads none."""

    n_samples: int
    real: int = 0  # places that were speech
    computed: int = 0  # places that were computed, padding included
    n_batches: int = 0  # that they were computed in
    budget: int = 0  # places that a batch may have had at most; 0: each row by itself


@dataclass(frozen=True, slots=True)
class BenchStep:
    """What an engine does in one go. `lines` (their places in the text) are finished with it."""

    lines: tuple[int, ...]
    run: Callable[[], StepStats]


class BenchEngine(Protocol):
    """An engine, loaded and ready to be measured."""

    @property
    def sample_rate(self) -> int:
        """Of what it makes, in Hz."""
        ...

    def facts(self) -> Mapping[str, object]:
        """What it runs on, for the report: device, threads, GPU, versions, weights."""
        ...

    def steps(self, lines: Sequence[BenchLine], batch_frames: int) -> Sequence[BenchStep]:
        """How `lines` are spoken, in the order in which the engine takes them.

        `batch_frames` is the batch budget, 0 for the engine's own choice.
        """
        ...

    def rest(self) -> None:
        """Leave to others what memory of the device is only kept for later."""
        ...

    def forget_gpu_peak(self) -> None:
        """Count the peak of GPU memory from now on."""
        ...

    def gpu_peak_bytes(self) -> int | None:
        """The most GPU memory since then; None where no GPU is used."""
        ...
