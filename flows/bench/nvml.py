"""What NVIDIA's management library says of the driver and its GPUs, without PyTorch.

Source: NVML's API reference, "Device Queries", "System Queries". Nothing here raises: where there
is no such library, there is nothing to tell.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

NAME_BYTES = 96  # NVML_DEVICE_NAME_V2_BUFFER_SIZE


@dataclass(frozen=True, slots=True)
class Nvidia:
    """What is there. `gpus` are names with their memory, in MiB, in NVML's order."""

    driver: str | None = None
    gpus: tuple[str, ...] = ()


class _Memory(ctypes.Structure):
    _fields_ = (
        ("total", ctypes.c_ulonglong),
        ("free", ctypes.c_ulonglong),
        ("used", ctypes.c_ulonglong),
    )


def nvidia() -> Nvidia:
    """Driver and GPUs of this machine, all of them."""
    try:
        return told_by(ctypes.CDLL("libnvidia-ml.so.1"))
    except (OSError, AttributeError):
        return Nvidia()


def told_by(nvml: Any) -> Nvidia:
    """What a library says. Raises AttributeError for one that lacks what is asked."""
    if nvml.nvmlInit_v2():
        return Nvidia()
    said, count = ctypes.create_string_buffer(NAME_BYTES), ctypes.c_uint()
    driver = None if nvml.nvmlSystemGetDriverVersion(said, len(said)) else _text(said)
    if nvml.nvmlDeviceGetCount_v2(ctypes.byref(count)):
        return Nvidia(driver)
    return Nvidia(driver, tuple(_gpu(nvml, index) for index in range(count.value)))


def _gpu(nvml: Any, index: int) -> str:
    handle, memory = ctypes.c_void_p(), _Memory()
    name = ctypes.create_string_buffer(NAME_BYTES)
    failed = (
        nvml.nvmlDeviceGetHandleByIndex_v2(index, ctypes.byref(handle))
        or nvml.nvmlDeviceGetName(handle, name, len(name))
        or nvml.nvmlDeviceGetMemoryInfo(handle, ctypes.byref(memory))
    )
    return "unknown" if failed else f"{_text(name)}, {memory.total >> 20} MiB"


def _text(said: Any) -> str:
    return said.value.decode(errors="replace")
