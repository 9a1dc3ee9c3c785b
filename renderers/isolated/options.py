"""The options of an engine that has an environment of its own."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from audiomill.renderers.engine.options import EngineOptions, NamedOptions, Settings
from audiomill.renderers.host.devices import hides_every_gpu


@dataclass(frozen=True, slots=True)
class IsolatedOptions(NamedOptions):
    """Options of an engine that has an environment of its own."""

    # A folder with the model, or a repository of the Hugging Face hub. "": the engine's own.
    model: str = ""
    # An interpreter that has the engine's packages. None: that of `audiomill engines install`.
    python: Path | None = None
    device: str = "auto"  # every GPU; or cpu, cuda, cuda:1, cuda:0,cuda:1
    # Rows that the engine speaks together, if it can. 0: one on a CPU, several on a GPU.
    batch: int = 0
    row_timeout_s: float = 300.0  # and 2 s for each character, after which an engine hangs
    settings: Settings = ()  # of the engine itself

    def seeing_gpus(self, visible: str | None) -> Self:
        """Workers count only those that are visible."""
        if self.device != "auto" or visible is None:
            return self
        n_gpus = 0 if hides_every_gpu(visible) else len(visible.split(","))
        return replace(self, device=",".join(f"cuda:{number}" for number in range(n_gpus)) or "cpu")

    def on_worker(self, here: EngineOptions) -> Self:
        """What the engine itself is set to. The rest is the machine's."""
        return replace(here.of(self.blank()), settings=self.settings)

    def benchmark_target(self) -> str:
        """The device."""
        return self.device
