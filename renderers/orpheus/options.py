"""The options of Orpheus."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Self

from audiomill.renderers.engine.options import Between, EngineOptions, OwnOptions, path_here
from audiomill.renderers.host.folders import data_folder, expanded


@dataclass(frozen=True, slots=True)
class OrpheusOptions(OwnOptions):
    """Options of the Orpheus engine."""

    url: str = "http://127.0.0.1:8080"  # of llama-server
    key_variable: str = "LLAMA_API_KEY"  # of the environment, with what --api-key names
    # What keys name as the model. "": the file that the server has loaded, which is asked for.
    model: str = ""
    snac: Path | None = None  # a folder with config.json and pytorch_model.bin of SNAC at 24 kHz
    device: str = "cpu"  # of SNAC: cpu, cuda or cuda:1
    voices: tuple[str, ...] = ()  # of a model of one's own: "anna", or "anna:de"
    temperature: Annotated[float, Between(0, 2)] = 0.6
    top_p: Annotated[float, Between(0, 1)] = 0.9
    repeat_penalty: Annotated[float, Between(1, 2)] = 1.1

    def completed(self) -> Self:
        """With the folder of SNAC."""
        snac = expanded(self.snac) if self.snac else data_folder() / "snac_24khz"
        return replace(self, snac=snac)

    def on_worker(self, here: EngineOptions) -> Self:
        """All but SNAC's folder and device, which are the machine's."""
        usual = self.blank().completed()
        own = here.of(usual)
        snac = path_here(self.snac, own.snac, usual.snac)
        return replace(self, snac=snac, device=own.device)
