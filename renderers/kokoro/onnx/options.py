"""The options of the engine kokoro-onnx."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, Self

from audiomill.renderers.engine.options import EngineOptions, OwnOptions, path_here
from audiomill.renderers.host.folders import cache_folder, expanded

OnnxPrecision = Literal["float32", "float16", "int8"]


@dataclass(frozen=True, slots=True)
class KokoroOnnxOptions(OwnOptions):
    """Options of the engine kokoro-onnx."""

    # A folder with the published files, or one model with a file of voices beside it. None: those
    # in the user's data folder, fetched on first use.
    model: Path | None = None
    # Which of the published models: kokoro-v1.0.onnx, .fp16.onnx or .int8.onnx. A model that is
    # named as a file is what it is.
    precision: OnnxPrecision = "float32"
    # Segments that are spoken side by side, each on one core; 0: as many as there are cores, and as
    # fit into memory.
    threads: int = 0
    # Processes that convert text to phonemes ahead of the model; 0: none, -1: by number of cores.
    workers: int = -1
    # A file that caches phonemes between runs; None: no cache.
    phonemes: Path | None = None

    def completed(self) -> Self:
        """With the paths of its files."""
        if self.threads < 0:
            raise ValueError(f"threads is {self.threads}; choose a number, or 0 for one a core")
        return replace(
            self,
            model=expanded(self.model) if self.model else None,
            phonemes=expanded(self.phonemes or cache_folder() / "phonemes.sqlite"),
        )

    def on_worker(self, here: EngineOptions) -> Self:
        """The precision, and the model if the machine has none of its own."""
        own = here.of(self.blank())
        return replace(own, precision=self.precision, model=path_here(self.model, own.model, None))
