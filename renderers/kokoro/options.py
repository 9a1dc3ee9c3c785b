"""The options of the engines kokoro, kokoro-onnx and paradee. Loads no PyTorch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

from audiomill.renderers.engine.options import EngineOptions, OwnOptions, path_here
from audiomill.renderers.host.devices import check_device_names, hides_every_gpu
from audiomill.renderers.host.folders import cache_folder, expanded
from audiomill.renderers.kokoro.model.precision import Precision

if TYPE_CHECKING:
    from audiomill.renderers.kokoro.tuning import TuningStatus

OnnxPrecision = Literal["float32", "float16", "int8"]


@dataclass(frozen=True, slots=True)
class KokoroOptions(OwnOptions):
    """Options of the Kokoro engine."""

    # A folder with config.json, the checkpoint and voices/. None: the official files in the Hugging
    # Face cache, downloaded on first use.
    weights: Path | None = None
    release: str = "v1.0"  # or v1.1-zh
    device: str = "auto"  # every GPU; or cpu, cuda, cuda:1, cuda:0,cuda:1
    # How the device multiplies: in full float32, in tf32 (mantissas rounded to ten bits), in bf16
    # (seven bits) or in fp16 (ten bits, up to 65,504). Sums, phases and statistics are always
    # float32. auto: the fastest without an audible difference. A CPU has float32, and bf16 where
    # that is faster.
    precision: Literal["auto", "float32", "tf32", "bf16", "fp16"] = "auto"
    # What auto means on this machine, if a benchmark has measured it; changes no key. None: the
    # default of auto, as above.
    auto_precision: Precision | None = None
    # Most frames of 25 ms in one decoder batch, including padding; 0: what fits into memory. On a
    # CPU, 0 decodes each row by itself, which is fastest there.
    batch_frames: int = 0
    # Processes that convert text to phonemes ahead of the model; 0: none, -1: by number of cores.
    workers: int = -1
    # A file that caches phonemes between runs; None: no cache.
    phonemes: Path | None = None

    @classmethod
    def defaults_here(cls, chosen: Mapping[str, Any]) -> Mapping[str, Any]:
        """What `audiomill bench --tune` has found, if it applies to this machine."""
        from audiomill.renderers.kokoro.tuning import tuned_defaults, tuned_file

        return tuned_defaults(tuned_file(), chosen)

    def completed(self) -> Self:
        """With the paths of its files."""
        check_device_names(self.device)
        return replace(
            self,
            weights=expanded(self.weights) if self.weights else None,
            phonemes=expanded(self.phonemes or cache_folder() / "phonemes.sqlite"),
        )

    def seeing_gpus(self, visible: str | None) -> Self:
        """Planning counts the machine's GPUs, but PyTorch uses visible ones only."""
        has_no_gpu = self.device == "auto" and hides_every_gpu(visible)
        return replace(self, device="cpu") if has_no_gpu else self

    def on_device(self, device: str) -> Self:
        """The only GPU that the process sees, or the CPU."""
        return replace(self, device="cuda:0" if device.startswith("cuda") else device)

    def on_worker(self, here: EngineOptions) -> Self:
        """Weights are those that the machine is set up with, or at the path that the run names."""
        own = here.of(self.blank())
        return replace(
            own,
            release=self.release,
            precision=self.precision,
            weights=path_here(self.weights, own.weights, None),
        )

    def benchmark_target(self) -> str:
        """The device."""
        return self.device

    def warnings(self) -> Sequence[str]:
        """Why the tuned values do not apply here."""
        ignored = self._tuning().ignored
        return (ignored,) if ignored else ()

    def facts(self) -> Mapping[str, str]:
        """The tuned values."""
        return {"tuned": self._tuning().words(asdict(self))}

    def _tuning(self) -> TuningStatus:
        from audiomill.renderers.kokoro.tuning import tuned_file, tuning_status

        return tuning_status(tuned_file(), asdict(self))


@dataclass(frozen=True, slots=True)
class OnnxOptions(OwnOptions):
    """Options of each engine that runs rows side by side in ONNX Runtime."""

    # Segments that are spoken side by side, each on one core; 0: as many as there are cores, and as
    # fit into memory.
    threads: int = 0
    # Processes that convert text to phonemes ahead of the model; 0: none, -1: by number of cores.
    workers: int = -1
    # A file that caches phonemes between runs; None: no cache.
    phonemes: Path | None = None

    def _with_cache(self) -> Self:
        """With the path of the cache. Raises ValueError for a wrong number of threads."""
        if self.threads < 0:
            raise ValueError(f"threads is {self.threads}; choose a number, or 0 for one a core")
        return replace(self, phonemes=expanded(self.phonemes or cache_folder() / "phonemes.sqlite"))


@dataclass(frozen=True, slots=True)
class KokoroOnnxOptions(OnnxOptions):
    """Options of the engine kokoro-onnx."""

    # A folder with the published files, or one model with a file of voices beside it. None: those
    # in the user's data folder, fetched on first use.
    model: Path | None = None
    # Which of the published models: kokoro-v1.0.onnx, .fp16.onnx or .int8.onnx. A model that is
    # named as a file is what it is.
    precision: OnnxPrecision = "float32"

    def completed(self) -> Self:
        """With the paths of its files."""
        own = self._with_cache()
        return replace(own, model=expanded(own.model) if own.model else None)

    def on_worker(self, here: EngineOptions) -> Self:
        """The precision, and the model if the machine has none of its own."""
        own = here.of(self.blank())
        return replace(own, precision=self.precision, model=path_here(self.model, own.model, None))


@dataclass(frozen=True, slots=True)
class ParadeeOptions(OnnxOptions):
    """Options of the engine paradee."""

    # A folder with a folder for each voice, which holds its model. None: the published ones in the
    # Hugging Face cache, downloaded on first use.
    models: Path | None = None
    # Which model of a voice: model_int8.onnx or model.onnx.
    precision: Literal["int8", "float32"] = "int8"

    def completed(self) -> Self:
        """With the paths of its files."""
        own = self._with_cache()
        return replace(own, models=expanded(own.models) if own.models else None)

    def on_worker(self, here: EngineOptions) -> Self:
        """The precision, and the models if the machine has none of its own."""
        own = here.of(self.blank())
        return replace(
            own, precision=self.precision, models=path_here(self.models, own.models, None)
        )
