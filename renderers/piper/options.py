"""The options of Piper, and of its HTTP server."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Literal, Self

from audiomill.renderers.engine.options import (
    SAMPLE_RATES,
    Between,
    EngineOptions,
    OwnOptions,
    path_here,
)
from audiomill.renderers.host.folders import data_folder, expanded

SPEEDS = (0.25, 4.0)  # of a voice, in this process and at a server


@dataclass(frozen=True, slots=True)
class PiperOptions(OwnOptions):
    """Options of the Piper engine."""

    # A folder with voices, `NAME.onnx` and `NAME.onnx.json`, at any depth. None: no voices.
    voices: Path | None = None
    # Of all its audio, in Hz. Voices of another rate are resampled.
    sample_rate: Literal[16_000, 22_050, 24_000, 44_100, 48_000] = 22_050
    # How much the sound and the pace vary. None: as each voice's config says, mostly 0.667 and 0.8.
    noise_scale: Annotated[float | None, Between(0, 2)] = None
    noise_w_scale: Annotated[float | None, Between(0, 2)] = None

    def completed(self) -> Self:
        """With the folder of voices."""
        voices = expanded(self.voices) if self.voices else data_folder() / "piper"
        return replace(self, voices=voices)

    def on_worker(self, here: EngineOptions) -> Self:
        """All but the folder of voices, which is the machine's if it has one of its own."""
        usual = self.blank().completed()
        own = here.of(usual)
        return replace(self, voices=path_here(self.voices, own.voices, usual.voices))


@dataclass(frozen=True, slots=True)
class PiperServerOptions(OwnOptions):
    """Piper's HTTP server."""

    url: str = "http://127.0.0.1:5000"
    # Of all audio, in Hz. Voices of another rate are resampled.
    sample_rate: Annotated[int, Between(*SAMPLE_RATES)] = 22_050
