"""The one interface every engine has. Knows no engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from audiomill.inputs.segmentation.spoken_form import n_characters

# What goes into an engine and what comes out.

Samples = NDArray[np.float32]  # mono, shape [n_samples], full scale is ±1


@dataclass(frozen=True, slots=True)
class WordTiming:
    """When a word of the spoken text sounds: characters [start, end) of `Request.spoken`."""

    start: int
    end: int
    start_s: float
    end_s: float


@dataclass(frozen=True, slots=True)
class Remark:
    """What became of characters [start, end) of `Request.spoken` that could not simply be said."""

    start: int
    end: int
    words: str  # "spelled out", "left out"


@dataclass(frozen=True, slots=True)
class Request:
    """All that decides the sound of one segment. `key` is the hash of the rest; see `keys.py`."""

    key: str
    spoken: str
    voice: str
    speed: float


@dataclass(frozen=True, slots=True)
class Batch:
    """Requests of like length that an engine renders together. Never empty."""

    requests: tuple[Request, ...]


@dataclass(frozen=True, slots=True)
class Window:
    """A run of batches that one task renders: ten minutes of audio or more. Never empty."""

    index: int
    batches: tuple[Batch, ...]
    estimated_s: float  # of audio


@dataclass(frozen=True, slots=True)
class Rendered:
    """One request's audio, fresh from the engine."""

    samples: Samples
    timings: tuple[WordTiming, ...] = ()
    remarks: tuple[Remark, ...] = ()


@dataclass(frozen=True, slots=True)
class AudioShard:
    """One segment's audio at rest, without the samples themselves."""

    key: str
    n_samples: int
    sample_rate: int
    timings: tuple[WordTiming, ...] = ()
    remarks: tuple[Remark, ...] = ()


class RenderError(Exception):
    """Rendering failed. The message says what is wrong and what to do.

    RenderError
    ├── UnknownEngine   no engine of that name
    ├── UnknownVoice    the engine has no such voice or language
    ├── EngineMissing   the engine's library or weights are not installed
    ├── WeightsUnfit    weights are there, but damaged, partial or of another model
    └── EngineFailed    the engine ran and broke, or returned what cannot be right
    """


class UnknownEngine(RenderError):
    """No engine of that name."""


class UnknownVoice(RenderError):
    """The engine has no such voice or language."""


class EngineMissing(RenderError):
    """The engine's library or weights are not installed."""


class WeightsUnfit(RenderError):
    """Weights are there, but damaged, partial or of another model."""


class EngineFailed(RenderError):
    """The engine ran and broke, or returned what cannot be right."""


class StoreError(Exception):
    """The shard store cannot keep audio (disk full, no permission, bucket gone)."""


@dataclass(frozen=True, slots=True)
class Voice:
    """A voice that can be asked for by `name`."""

    name: str
    language: str  # BCP 47
    gender: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True)
class EngineLimits:
    """What planning must know of an engine. Lengths are in its own units, as `length` counts."""

    max_length: int  # a longer text is split before it gets here
    max_rows: int  # of a batch
    chars_per_s: float  # of speech at speed 1, for estimates
    exact_bits: int  # PCM bits that hold its output exactly, or well enough: 16 or 24
    speeds: tuple[float, float]  # the slowest and the fastest it speaks; 1 is its own pace
    # How long a spoken text is in a voice: exactly or nearly, never raising for a voice it has. The
    # length of a text is at most that of its parts, with 1 for each space between them.
    length: Callable[[str, str], int] = n_characters
    best_length: tuple[int, int] | None = None  # (least, most) of what it says well, if it matters
    window_s: float = 600.0  # of audio, that batches are formed within; more: batches more alike
    n_at_once: int = 1  # calls of `render` that keep it busy


class Renderer(Protocol):
    """An engine, loaded and ready. One per process; `render` may be called from any thread."""

    @property
    def name(self) -> str:
        """What `--engine` calls it."""
        ...

    @property
    def sample_rate(self) -> int:
        """Of everything it renders, in Hz."""
        ...

    @property
    def limits(self) -> EngineLimits:
        """What planning must know."""
        ...

    def voices(self) -> Sequence[Voice]:
        """All voices, sorted by name."""
        ...

    def default_voice(self, language: str) -> str:
        """The voice for text in `language` (BCP 47) when none is asked for.

        Raises UnknownVoice if the engine does not speak it.
        """
        ...

    def known_voice(self, name: str) -> str:
        """A voice's name, written in the one way that keys are made of. Raises UnknownVoice."""
        ...

    def warnings(self, voices: Sequence[str]) -> Sequence[str]:
        """What whoever listens to these voices must be told, once a run."""
        ...

    def prefetch(self, requests: Sequence[Request]) -> None:
        """These will be asked for soon: begin what can be done ahead. Returns at once."""
        ...

    def fingerprint(self, voice: str) -> str:
        """Everything but the request that decides the sound: engine, version, weights, voice.

        A voice that speaks in several languages has one fingerprint, and what it is given decides
        alone: see `keys.py`. Raises UnknownVoice.
        """
        ...

    def render(self, batch: Batch) -> list[Rendered]:
        """One `Rendered` for each request, in their order.

        What a request sounds like depends on that request only. Raises RenderError.
        """
        ...


# Why something has failed, in few words.


def first_line(error: BaseException) -> str:
    """Of what an error says; what it is, where it says nothing."""
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def reason_of(error: BaseException) -> str:
    """The same for the middle of a sentence, without the stop that may be at its end."""
    return first_line(error).rstrip(".")
