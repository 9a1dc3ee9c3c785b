"""What a device could do at most, measured: matrix products and copies. Knows no model.

What a model makes of a device is told as a share of this, so it is measured in the same run, with
the same library. The best of several tries counts: a ceiling is what nothing disturbed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping

import torch
from torch import Tensor

from renderers.kokoro.loading import lack_of, set_precision
from renderers.kokoro.step import is_out_of_memory
from renderers.options import PRECISIONS

MATRIX = {"cpu": 2048, "cuda": 8192}  # rows and columns: enough that starting it costs nothing
COPY_BYTES = {"cpu": 256 << 20, "cuda": 1 << 30}  # past any cache
TRIES, WARM_UPS = 6, 2


def ceilings(device: torch.device) -> Mapping[str, float]:
    """FLOP/s of matrix products as `<precision>_flops`, and B/s of a copy, read and written.

    What there is no memory for is left out. Leaves the precision of the process at float32.
    """
    found: dict[str, float] = {}
    for name, measure in _measures(device):
        try:
            found[name] = measure()
        except (RuntimeError, MemoryError) as error:
            if not is_out_of_memory(error):
                raise
    set_precision("float32")
    return found


def _measures(device: torch.device) -> Iterator[tuple[str, Callable[[], float]]]:
    for precision in PRECISIONS:
        if not lack_of(precision, device):
            set_precision(precision)
            yield f"{precision}_flops", lambda: matrix_flops(device, torch.float32)
    if device.type == "cuda":
        yield "bfloat16_flops", lambda: matrix_flops(device, torch.bfloat16)
    yield "copy_bytes_per_s", lambda: copy_bytes_per_s(device)


def matrix_flops(device: torch.device, dtype: torch.dtype, size: int = 0) -> float:
    """FLOP/s of a product of two square matrices, (size, size) each."""
    size = size or MATRIX[device.type]
    left, right = (torch.randn(size, size, device=device, dtype=dtype) for _ in range(2))
    out = torch.empty_like(left)
    return 2 * size**3 / best_s(lambda: torch.mm(left, right, out=out), device)


def copy_bytes_per_s(device: torch.device, n_bytes: int = 0) -> float:
    """B/s of a copy within the device; each byte is read once and written once."""
    n_bytes = n_bytes or COPY_BYTES[device.type]
    source = torch.ones(n_bytes, dtype=torch.uint8, device=device)
    target = torch.zeros_like(source)
    return 2 * n_bytes / best_s(lambda: target.copy_(source), device)


def best_s(work: Callable[[], Tensor], device: torch.device) -> float:
    """The least time that `work` takes, in seconds; a GPU's own clock times what runs on it."""
    once_s = _on_gpu_s if device.type == "cuda" else _on_cpu_s
    return min([once_s(work) for _ in range(WARM_UPS + TRIES)][WARM_UPS:])


def _on_cpu_s(work: Callable[[], Tensor]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _on_gpu_s(work: Callable[[], Tensor]) -> float:
    began, ended = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    began.record()
    work()
    ended.record()
    ended.synchronize()
    return began.elapsed_time(ended) / 1000
