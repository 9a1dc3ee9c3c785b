"""Describes the machine: hardware, versions of packages, load. Starts no process.

A property that cannot be found is None or left out; nothing here raises for it.
"""

from __future__ import annotations

import ctypes
import math
import os
import platform
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution, version
from itertools import groupby
from pathlib import Path
from typing import Any

from audiomill.renderers.host.cores import affinity, quota_cores, usable_cores

# Before and after those of engines, in the order in which results name them.
PACKAGES = ("audiomill", "torch", "numpy", "transformers")
LIBRARIES = ("onnxruntime", "onnx", "soundfile", "imageio-ffmpeg")
CPU_INFO = Path("/proc/cpuinfo")
BUSY_LOAD = 0.5  # for each usable core: with more, others are at work
NAME_BYTES = 96  # NVML_DEVICE_NAME_V2_BUFFER_SIZE
CUDA_VERSION = re.compile(r"^cuda\b.*=\s*['\"]([\d.]+)['\"]", re.MULTILINE)

Fingerprint = Mapping[str, str]  # the properties a tuned choice depends on, by name


@dataclass(frozen=True, slots=True)
class Machine:
    """The hardware without its GPUs, and the operating system."""

    cpu: str
    cores: int  # logical
    usable_cores: int  # that this process may run on
    affinity: str  # the numbers of these cores: 0-3,8
    quota_cores: float | None  # the quota of a container, where there is one
    ram_bytes: int | None
    system: str
    gpu_driver: str | None
    load_before: float | None  # mean of the minute before

    @property
    def is_busy(self) -> bool:
        """True if other programs were at work, which makes figures worse."""
        return (self.load_before or 0.0) > BUSY_LOAD * self.usable_cores


def this_machine() -> Machine:
    """This machine; to be called before anything is measured."""
    quota = quota_cores()
    return Machine(
        cpu=_cpu(),
        cores=os.cpu_count() or 1,
        usable_cores=usable_cores(),
        affinity=ranges(affinity()),
        quota_cores=quota if math.isfinite(quota) else None,
        ram_bytes=ram_bytes(),
        system=platform.platform(),
        gpu_driver=nvidia().driver,
        load_before=load(),
    )


def load() -> float | None:
    """The mean number of processes that wanted a core in the last minute."""
    try:
        return round(os.getloadavg()[0], 2)
    except OSError:
        return None


def versions(of_engines: Iterable[str] = ()) -> dict[str, str]:
    """Versions of Python and of those packages that are installed, with those of engines."""
    installed = {"python": platform.python_version()}
    for package in (*PACKAGES, *of_engines, *LIBRARIES):
        try:
            installed[package] = version(package)
        except PackageNotFoundError:
            continue
    return installed


def commit(root: Path) -> str | None:
    """The commit that is checked out at `root`; None if that is no git checkout."""
    folder = root / ".git"
    if worktree := re.match(r"gitdir: (.+)", _text(folder)):
        folder = root / worktree[1].strip()
    head = _text(folder / "HEAD").strip()
    if not head.startswith("ref: "):
        return head or None
    ref = head.removeprefix("ref: ")
    common = folder / (_text(folder / "commondir").strip() or ".")
    packed = re.search(rf"^(\w+) {re.escape(ref)}$", _text(common / "packed-refs"), re.MULTILINE)
    return _text(common / ref).strip() or (packed[1] if packed else None)


def ranges(numbers: Iterable[int]) -> str:
    """Numbers as runs: 0-3,8."""
    runs = groupby(enumerate(sorted(numbers)), key=lambda pair: pair[1] - pair[0])
    ends = [[number for _, number in run] for _, run in runs]
    return ",".join(f"{run[0]}-{run[-1]}" if run[1:] else str(run[0]) for run in ends)


def _cpu() -> str:
    return _cpu_info("model name") or platform.processor() or platform.machine()


def has_fast_bfloat16() -> bool:
    """True if the CPU multiplies in bfloat16 faster than in float32, as far as Linux tells.

    AMX does, and AMD's AVX512-BF16: a core of Zen 4 does 199 to 226 GFLOP/s in a convolution, and
    84 to 119 in float32. Intel's AVX512-BF16 takes twice as long (84 and 160), where a virtual
    machine hides AMX.
    """
    flags = _cpu_info("flags").split()
    is_amd = _cpu_info("vendor_id") == "AuthenticAMD"
    return "amx_bf16" in flags or (is_amd and "avx512_bf16" in flags)


def _cpu_info(name: str) -> str:
    """What Linux tells of the first core under this name, or ""."""
    line = re.search(rf"^{name}\s*:(.+)$", _text(CPU_INFO), re.MULTILINE)
    return line[1].strip() if line else ""


def ram_bytes() -> int | None:
    """The memory of this machine; None if it cannot be known."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError):
        return None


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", errors="replace")
    except OSError:
        return ""


@dataclass(frozen=True, slots=True)
class Nvidia:
    """NVIDIA's driver and GPUs. `gpus`: names with their memory in MiB, in NVML's order."""

    driver: str | None = None
    gpus: tuple[str, ...] = ()


class _Memory(ctypes.Structure):
    _fields_ = (
        ("total", ctypes.c_ulonglong),
        ("free", ctypes.c_ulonglong),
        ("used", ctypes.c_ulonglong),
    )


def nvidia() -> Nvidia:
    """Driver and all GPUs of this machine, from NVIDIA's management library, without PyTorch."""
    try:
        return nvidia_from(ctypes.CDLL("libnvidia-ml.so.1"))
    except (OSError, AttributeError):
        return Nvidia()


def nvidia_from(nvml: Any) -> Nvidia:
    """Driver and GPUs from NVML. Raises AttributeError for a library that lacks a function."""
    if nvml.nvmlInit_v2():
        return Nvidia()
    text, count = ctypes.create_string_buffer(NAME_BYTES), ctypes.c_uint()
    driver = None if nvml.nvmlSystemGetDriverVersion(text, len(text)) else _nvml_text(text)
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
    return "unknown" if failed else f"{_nvml_text(name)}, {memory.total >> 20} MiB"


def _nvml_text(buffer: Any) -> str:
    return buffer.value.decode(errors="replace")


@cache  # does not change while this process runs
def this_fingerprint() -> Fingerprint:
    """The fingerprint of this machine."""
    machine, gpu = this_machine(), nvidia()
    return {
        "CPU": machine.cpu,
        "usable cores": str(machine.usable_cores),
        "memory": f"{(machine.ram_bytes or 0) >> 20} MiB",
        "GPU": "; ".join(gpu.gpus) or "none",
        "driver": gpu.driver or "none",
        "torch": _version("torch"),
        "CUDA": _cuda(),
        "audiomill": _version("audiomill"),
    }


def changed(then: Fingerprint, now: Fingerprint) -> str:
    """The differences between two fingerprints, in words; "" if there are none."""
    names = dict.fromkeys((*now, *then))
    return "; ".join(
        f"{name} was {then.get(name, 'unknown')} and is {now.get(name, 'unknown')}"
        for name in names
        if then.get(name) != now.get(name)
    )


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "none"


def _cuda() -> str:
    """The CUDA version that PyTorch was built for; the name of its release may lack it."""
    try:
        text = str(distribution("torch").read_text("../torch/version.py"))
    except PackageNotFoundError:
        return "none"
    cuda = CUDA_VERSION.search(text)
    return cuda[1] if cuda else "none"
