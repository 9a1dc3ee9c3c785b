"""What a device could do at most, measured: matrix products and copies. Knows no model.

What a model makes of a device is told as a share of this, so it is measured in the same run, with
the same library. The best of several tries counts: a ceiling is what nothing disturbed. Threads
that share a product wait for each other wherever something else runs, so on a CPU it is what one
thread computes in its own time, for as many as PyTorch takes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from functools import partial

import torch
from torch import Tensor, nn

from renderers.kokoro.loading import lack_of, set_precision
from renderers.kokoro.packed import PackedLinear, can_pack
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
    # A GPU's clock is that of the current one.
    with torch.cuda.device(device) if device.type == "cuda" else nullcontext():
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
            dtype = torch.bfloat16 if precision == "bf16" else torch.float32
            yield f"{precision}_flops", partial(matrix_flops, device, dtype)
    yield "copy_bytes_per_s", lambda: copy_bytes_per_s(device)


def matrix_flops(device: torch.device, dtype: torch.dtype, size: int = 0) -> float:
    """FLOP/s of a product of two square matrices, (size, size) each."""
    size = size or MATRIX[device.type]
    left, right = (torch.randn(size, size, device=device, dtype=dtype) for _ in range(2))
    product = _product(left, right)
    timed = _on_gpu_s if device.type == "cuda" else _of_thread_s
    with _alone(device) as n_threads:
        return n_threads * 2 * size**3 / _least(lambda: timed(product))


def copy_bytes_per_s(device: torch.device, n_bytes: int = 0) -> float:
    """B/s of a copy within the device; each byte is read once and written once."""
    n_bytes = n_bytes or COPY_BYTES[device.type]
    source = torch.ones(n_bytes, dtype=torch.uint8, device=device)
    target = torch.zeros_like(source)
    timed = _on_gpu_s if device.type == "cuda" else _on_cpu_s
    return 2 * n_bytes / _least(lambda: timed(lambda: target.copy_(source)))


def _product(left: Tensor, right: Tensor) -> Callable[[], Tensor]:
    """Multiplies; on a CPU by oneDNN where it is there, as MKL is half as fast on some."""
    if left.device.type == "cpu" and can_pack(left.dtype):
        linear = nn.Linear(*right.shape, bias=False)
        linear.weight = nn.Parameter(right, requires_grad=False)
        return partial(PackedLinear(linear), left)
    return partial(torch.mm, left, right, out=torch.empty_like(left))


@contextmanager
def _alone(device: torch.device) -> Generator[int]:
    """One thread at work in PyTorch; yields how many there would be, on a GPU 1."""
    n_threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield 1 if device.type == "cuda" else n_threads
    finally:
        torch.set_num_threads(n_threads)


def _least(once: Callable[[], float]) -> float:
    return min([once() for _ in range(WARM_UPS + TRIES)][WARM_UPS:])


def _of_thread_s(work: Callable[[], Tensor]) -> float:
    began = time.thread_time()
    work()
    return time.thread_time() - began


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
