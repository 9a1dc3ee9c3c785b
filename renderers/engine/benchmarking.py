"""The interface between benchmarks and engines. Knows no engine and measures no time.

lines ─▶ BenchEngine.steps ─▶ BenchStep.run ─▶ StepStats        each line is rendered exactly once

A benchmark measures any engine from the text, as renders use it. One whose model is also measured
alone, from the model's own input, has a `BenchModel`, which its declaration names.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Protocol, Self

from audiomill.renderers.engine.errors import EngineMissing
from audiomill.renderers.engine.options import OwnOptions

# Spoken text of a segment to the engine's input: the text itself, or phonemes in one or more rows.
ToRows = Callable[[str], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Device:
    """A device that engines run on."""

    name: str
    unsupported: Mapping[str, str]  # precisions that the device lacks, with the reason


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


@dataclass(frozen=True)
class BenchModel(ABC):
    """The model of an engine, to be measured alone. It is pickled for child processes.

    Nothing is loaded before a method needs it: `--help` asks for the precisions.
    """

    options: OwnOptions  # of the engine that opens it
    precisions: ClassVar[Sequence[str]]  # all that a device may have, the exact one first
    # Words of the corpus that are spoken by default, by `kind_of` device: some minutes of work.
    words: ClassVar[Mapping[str, int]]
    # Packages on which its figures depend, besides those whose versions all results have.
    packages: ClassVar[Sequence[str]] = ()

    @property
    def prepared(self) -> PreparedCorpus | None:
        """The corpus as its input; None: it is made of the text each time."""
        return None

    @property
    def tuning(self) -> Tuning | None:
        """What `--tune` chooses among; None: there is nothing to choose."""
        return None

    def check(self) -> None:
        """Raise EngineMissing without the packages that even random weights need."""
        return

    @abstractmethod
    def device(self, name: str) -> Device:
        """The device of this name, which may be "auto". Raises EngineMissing."""

    def with_random_weights(self, folder: Path) -> Self:  # noqa: ARG002
        """With weights of the real size, made in a folder. Raises EngineMissing, OSError."""
        raise EngineMissing("This engine has no random weights.")

    @abstractmethod
    def variant(self, device: str, precision: str, batch_frames: int = 0) -> Self:
        """On one device, in one precision. `batch_frames` is the batch budget of a render."""

    @abstractmethod
    def open(self, voice: str) -> BenchEngine:
        """Load it. Raises EngineMissing, WeightsUnfit, UnknownVoice."""

    def memory(self) -> DeviceMemory | None:
        """Its device, while a render uses it in this process; None if that cannot be asked."""
        return None

    @abstractmethod
    def to_rows(self, voice: str) -> ToRows:
        """What turns text into its input. Loads that now. Raises EngineMissing, WeightsUnfit."""


@dataclass(frozen=True, slots=True)
class PreparedCorpus:
    """The benchmark's corpus as a model's input, in a file that is the same on every machine."""

    path: Path
    to_rows: Callable[[str], ToRows]  # of a voice, for the official model, without its weights
    fingerprint: Callable[[str], str]  # of what makes the input for a voice


@dataclass(frozen=True, slots=True)
class Choice:
    """Values that replace an engine's defaults, by the names of its settings."""

    auto_precision: str | None = None
    batch_frames: int = 0
    workers: int = -1


@dataclass(frozen=True, slots=True)
class MeasuredChoice:
    """A choice, and how it was found."""

    choice: Choice
    device: str  # "cpu", "cuda", "cuda:1"
    date: str  # UTC, ISO 8601
    speed: float  # seconds of audio per second with this choice, when it was made
    default_speed: float  # the same with the defaults
    weights: str  # a SHA-256 in hexadecimal, or "random"


@dataclass(frozen=True)
class Tuning(ABC):
    """What tuning chooses among, and where an engine looks for the choice."""

    path: Path  # of the file with the choice
    # Those whose difference nobody hears. `auto` is the first that the device has.
    precisions: ClassVar[Sequence[str]]
    # Batch budgets by `kind_of` device. 0, the engine's own choice, is first.
    budgets: ClassVar[Mapping[str, Sequence[int]]]

    @abstractmethod
    def default_workers(self) -> int:
        """Processes that make the model's input, by default."""

    @abstractmethod
    def content(self, measured: MeasuredChoice) -> bytes:
        """What the file is to hold."""


def kind_of(device: str) -> str:
    """The kind of a device: cpu or cuda."""
    return "cpu" if device == "cpu" else "cuda"
