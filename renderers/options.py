"""What can be chosen of an engine beside voice and speed. Plain frozen data; loads nothing.

None of it is part of a sound's key by itself: where it changes the sound (other weights, less
precision), the engine's fingerprint says so.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

Precision = Literal["float32", "tf32", "bf16"]
PRECISIONS: tuple[Precision, ...] = get_args(Precision)


@dataclass(frozen=True, slots=True)
class KokoroOptions:
    """How Kokoro runs here."""

    # A folder with config.json, the checkpoint and voices/; None for the official files, from the
    # Hugging Face cache, fetched when they are first needed.
    weights: Path | None = None
    release: str = "v1.0"  # or v1.1-zh
    device: str = "auto"  # every GPU; or cpu, cuda, cuda:1, cuda:0,cuda:1
    # How a GPU multiplies: float32 as it is, tf32 rounded to ten bits, bf16 to seven. Sums, phases
    # and statistics are float32 always. auto: the fastest that nobody hears; float32 on a CPU.
    precision: Literal["auto", "float32", "tf32", "bf16"] = "auto"
    # What auto stands for here, where a benchmark has found it; it changes no key. None: see auto.
    auto_precision: Precision | None = None
    # Frames of 25 ms in one batch of the decoder at most, padding included; 0: what fits. On a CPU
    # 0 is each row by itself, which is best there.
    batch_frames: int = 0
    # Processes that turn text into phonemes ahead of the model; 0: none, -1: by the cores.
    workers: int = -1
    # A file that remembers phonemes between runs; None: nothing is remembered.
    phonemes: Path | None = None


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """For each engine that has any."""

    kokoro: KokoroOptions = field(default_factory=KokoroOptions)
