"""The one interface every engine has. Knows no engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from inputs.spoken import n_characters
from renderers.shard import Batch, Rendered, Request


@dataclass(frozen=True, slots=True)
class Voice:
    """A voice that can be asked for by `name`."""

    name: str
    language: str  # BCP 47
    gender: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True)
class EngineTraits:
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
    def traits(self) -> EngineTraits:
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

    def expect(self, requests: Sequence[Request]) -> None:
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
