"""Times work on a device: a GPU's by its own clock, a CPU's by the host's."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

import torch

from benchmarks.rivals.roofline import on_gpu_s

LEAST_RUNS, MOST_RUNS = 5, 40
WARM_UPS = 2


def wait_for(device: torch.device) -> None:
    """Wait until the device has done what it was given."""
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def host_s(work: Callable[[], object], device: torch.device) -> float:
    """Seconds of one run on the host's clock, until the device is done."""
    wait_for(device)
    begun_s = time.perf_counter()
    work()
    wait_for(device)
    return time.perf_counter() - begun_s


def device_s(work: Callable[[], object], device: torch.device, least_s: float = 0.15) -> float:
    """The median seconds of runs that take `least_s` together; on a CPU of one run."""
    if device.type != "cuda":
        return host_s(work, device)
    for _ in range(WARM_UPS):
        work()
    torch.cuda.synchronize(device)
    times_s: list[float] = []
    while len(times_s) < LEAST_RUNS or (sum(times_s) < least_s and len(times_s) < MOST_RUNS):
        times_s.append(on_gpu_s(work))
    return median(times_s)


def peak_mib(device: torch.device) -> float | None:
    """The most memory of tensors since `reset_peak`; None on a CPU."""
    return torch.cuda.max_memory_allocated(device) / 2**20 if device.type == "cuda" else None


def reset_peak(device: torch.device) -> None:
    """Begin anew to watch the memory."""
    if device.type == "cuda":
        torch.cuda.reset_peak_memory_stats(device)


def free_memory(device: torch.device) -> None:
    """Return cached memory to the device."""
    if device.type == "cuda":
        torch.cuda.empty_cache()
