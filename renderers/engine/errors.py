"""What goes wrong with an engine or with the store of its audio.

Imports no engine, and no NumPy: a child process that speaks starts twice as fast without it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from audiomill.renderers.engine.protocol import Rendered


class RenderError(Exception):
    """Rendering failed. The message says what is wrong and what to do.

    RenderError
    ├── UnknownEngine   no engine of that name
    ├── UnknownVoice    the engine has no such voice or language
    ├── EngineMissing   the engine's library or weights are not installed
    ├── WeightsUnfit    the weights are damaged, incomplete or of another model
    ├── VoiceUnfit      a cloned voice's folder or recording has a fault (`reference_voices/`)
    └── EngineFailed    the engine failed while rendering, or returned invalid output
        ├── PartlyRendered  some requests of a batch failed
        └── EngineUnavailable   it cannot speak at all for now, whatever the text
    """


class UnknownEngine(RenderError):
    """No engine of that name."""


class UnknownVoice(RenderError):
    """The engine has no such voice or language."""


class EngineMissing(RenderError):
    """The engine's library or weights are not installed."""


class WeightsUnfit(RenderError):
    """The weights are damaged, incomplete or of another model."""


class EngineFailed(RenderError):
    """The engine failed while rendering, or returned invalid output."""


class EngineUnavailable(EngineFailed):
    """Whatever the text, the engine cannot speak for now: no answer, no valid key, no credit."""


class PartlyRendered(EngineFailed):
    """Some requests of a batch failed. `done`: what the others became, by their keys."""

    def __init__(self, reason: str, done: Mapping[str, Rendered]) -> None:
        super().__init__(reason)
        self.done = done

    def __reduce__(self) -> tuple[type[EngineFailed], tuple[str]]:
        """Another process gets the reason only: what is done was stored in this one."""
        return EngineFailed, (str(self),)


class UnknownPhoneme(ValueError):
    """The engine has no sound for a phoneme. The message is the phoneme."""


class StoreError(Exception):
    """The shard store cannot keep audio (disk full, no permission, bucket gone)."""


def first_line(error: BaseException) -> str:
    """The first line of an error's message, or its class name if the message is empty."""
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def reason_of(error: BaseException) -> str:
    """`first_line` without a full stop at its end, for use inside a sentence."""
    return first_line(error).rstrip(".")
