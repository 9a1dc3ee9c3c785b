"""Engine options besides voice and speed. Plain frozen data; loads no engine.

No option is itself part of a shard's key. An option that changes the sound (other weights, lower
precision) is part of the engine's fingerprint, and so of the key.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

Precision = Literal["float32", "tf32", "bf16"]
PRECISIONS: tuple[Precision, ...] = get_args(Precision)


@dataclass(frozen=True, slots=True)
class KokoroOptions:
    """Options of the Kokoro engine."""

    # A folder with config.json, the checkpoint and voices/. None: the official files in the Hugging
    # Face cache, downloaded on first use.
    weights: Path | None = None
    release: str = "v1.0"  # or v1.1-zh
    device: str = "auto"  # every GPU; or cpu, cuda, cuda:1, cuda:0,cuda:1
    # How a GPU multiplies: in full float32, in tf32 (mantissas rounded to ten bits) or in bf16
    # (seven bits). Sums, phases and statistics are always float32. auto: the fastest without an
    # audible difference; float32 on a CPU.
    precision: Literal["auto", "float32", "tf32", "bf16"] = "auto"
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


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """The options of each engine that has any."""

    kokoro: KokoroOptions = field(default_factory=KokoroOptions)
