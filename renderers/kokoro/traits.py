"""What planning must know of Kokoro on this machine: lengths, rows, windows. Loads nothing."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from renderers.base import EngineTraits
from renderers.cores import usable_cores
from renderers.kokoro.estimate import estimate
from renderers.kokoro.mixing import parse_mix
from renderers.options import KokoroOptions

SPEEDS = (0.25, 4.0)
# Of NVIDIA's driver, of Windows' to Linux guests, of AMD's.
GPU_DEVICES = ("nvidia[0-9]*", "dxg", "kfd")
# Segments that the engine is given at a time. Padded batches are cut from them once it is known how
# long each will sound: enough to choose among, and a quarter of a gigabyte of samples. Where a core
# speaks one row at a time, few enough that little is lost when a run is stopped.
ROWS_PADDED, ROWS_ALONE = 256, 2 * usable_cores()
# Of audio in a window: sorted by length, so that what comes to the engine together is alike. A GPU
# is through with a padded one sooner than a CPU with the other.
WINDOW_PADDED_S, WINDOW_ALONE_S = 4800.0, 600.0


def traits_for(options: KokoroOptions) -> EngineTraits:
    """Kokoro's, as it runs with `options`."""
    pads = is_padding(options)
    return EngineTraits(
        max_length=400,
        max_rows=ROWS_PADDED if pads else ROWS_ALONE,
        chars_per_s=14.0,
        exact_bits=16,
        speeds=SPEEDS,
        length=length,
        best_length=(100, 200),
        window_s=WINDOW_PADDED_S if pads else WINDOW_ALONE_S,
    )


def is_padding(options: KokoroOptions) -> bool:
    """Whether rows will be put into padded batches: on a GPU, or wherever that is asked for."""
    on_gpu = options.device.startswith("cuda") or (options.device == "auto" and has_gpu())
    return on_gpu or options.batch_frames > 0


def has_gpu(devices: Path = Path("/dev")) -> bool:
    """Whether there is a GPU and a PyTorch that is built for one; without loading that."""
    return any(any(devices.glob(name)) for name in GPU_DEVICES) and not is_cpu_build()


def is_cpu_build() -> bool:
    """Whether PyTorch is one without any GPU's libraries, or none is installed."""
    try:
        return version("torch").endswith("+cpu")
    except PackageNotFoundError:
        return True


def length(spoken: str, voice: str) -> int:
    """About how many phonemes a text is in a voice."""
    return estimate(spoken, parse_mix(voice).language.tag)
