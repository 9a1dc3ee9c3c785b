"""Files that take PyTorch to make: random weights, ONNX models. In a `Worker` that is then dropped.

So the process that is measured never held what making them took.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from flows.bench.passes import Tell
from flows.bench.variants import Device
from renderers.options import PRECISIONS, KokoroOptions


class Maker:
    """Makes files in `folder`."""

    def __init__(self, folder: Path, tell: Tell) -> None:  # noqa: ARG002
        self._folder = folder

    def device(self, name: str) -> Device:
        """The device that a name stands for, "auto" among them. Raises EngineMissing."""
        from renderers.kokoro.loading import chosen_device, lack_of

        device = chosen_device(name)
        lacks = {one: lack for one in PRECISIONS if (lack := lack_of(one, device))}
        return Device(str(device), lacks)

    def ceilings(self, name: str) -> Mapping[str, float]:
        """See `ceilings`. Raises EngineMissing."""
        from renderers.kokoro.ceilings import ceilings
        from renderers.kokoro.loading import chosen_device

        return ceilings(chosen_device(name))

    def random_model(self, voices: Sequence[str]) -> Path:
        """A folder of Kokoro's files with random weights. Raises OSError."""
        from renderers.kokoro.random_weights import write_random_model

        place = self._folder / "random-weights"
        place.mkdir()
        write_random_model(place, voices)
        return place

    def onnx_models(self, options: KokoroOptions) -> dict[str, Path]:
        """Upstream's model for ONNX Runtime, by precision. Raises EngineMissing, WeightsUnfit."""
        from renderers.kokoro.bench_onnx import export, quantise

        models = {name: self._folder / f"{name}.onnx" for name in ("float32", "int8")}
        export(options, models["float32"])
        quantise(models["float32"], models["int8"])
        return models
