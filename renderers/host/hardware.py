"""What a benchmark ran on: hardware, versions, how busy the machine was. Starts no process.

What cannot be found out is None or left out; nothing here raises for it.
"""

from __future__ import annotations

import ctypes
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

from audiomill.renderers.host.threads import usable_cores

# What NVIDIA's management library says of the driver and its GPUs, without PyTorch.

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
    driver = None if nvml.nvmlSystemGetDriverVersion(said, len(said)) else _nvml_text(said)
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


def _nvml_text(said: Any) -> str:
    return said.value.decode(errors="replace")


PACKAGES = (
    *("audiomill", "torch", "numpy", "transformers", "kokoro", "misaki", "spacy"),
    *("onnxruntime", "onnx", "soundfile", "imageio-ffmpeg"),
)
CPU_MAX = Path("/sys/fs/cgroup/cpu.max")  # see Linux's cgroup-v2, "CPU Interface Files"
BUSY = 0.5  # a load of more than that for each core before we begin


@dataclass(frozen=True, slots=True)
class Machine:
    """The hardware but for its GPU, and the system."""

    cpu: str
    cores: int  # logical
    usable_cores: int  # that this process may run on
    affinity: str  # which these are: 0-3,8
    quota_cores: float | None  # how many a container's quota comes to, where there is one
    ram_bytes: int | None
    system: str
    gpu_driver: str | None
    load_before: float | None  # of the last minute

    @property
    def is_busy(self) -> bool:
        """Whether others were at work, so that figures are worse than they could be."""
        return (self.load_before or 0.0) > BUSY * self.usable_cores


def this_machine() -> Machine:
    """Before anything is measured."""
    return Machine(
        cpu=_cpu(),
        cores=os.cpu_count() or 1,
        usable_cores=usable_cores(),
        affinity=ranges(_affinity()),
        quota_cores=quota_cores(_text(CPU_MAX)),
        ram_bytes=_ram_bytes(),
        system=platform.platform(),
        gpu_driver=nvidia().driver,
        load_before=load(),
    )


def load() -> float | None:
    """How many processes wanted a core in the last minute, on the average."""
    try:
        return round(os.getloadavg()[0], 2)
    except OSError:
        return None


def versions() -> dict[str, str]:
    """Python and the packages that matter, those that are here."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def commit(root: Path) -> str | None:
    """The commit that is checked out at `root`, if that is a git checkout."""
    folder = root / ".git"
    if pointed := re.match(r"gitdir: (.+)", _text(folder)):
        folder = root / pointed[1].strip()  # a worktree's
    head = _text(folder / "HEAD").strip()
    if not head.startswith("ref: "):
        return head or None
    ref = head.removeprefix("ref: ")
    common = folder / (_text(folder / "commondir").strip() or ".")
    packed = re.search(rf"^(\w+) {re.escape(ref)}$", _text(common / "packed-refs"), re.MULTILINE)
    return _text(common / ref).strip() or (packed[1] if packed else None)


def ranges(numbers: Iterable[int]) -> str:
    """Numbers as people write them: 0-3,8."""
    runs = groupby(enumerate(sorted(numbers)), key=lambda one: one[1] - one[0])
    ends = [[number for _, number in run] for _, run in runs]
    return ",".join(f"{run[0]}-{run[-1]}" if run[1:] else str(run[0]) for run in ends)


def quota_cores(cpu_max: str) -> float | None:
    """The cores that a quota comes to: of "150000 100000", which are µs, one and a half."""
    found = re.fullmatch(r"(\d+) (\d+)\s*", cpu_max)
    return int(found[1]) / int(found[2]) if found else None


def _affinity() -> Iterable[int]:
    if hasattr(os, "sched_getaffinity"):
        return os.sched_getaffinity(0)
    return range(os.cpu_count() or 1)


def _cpu() -> str:
    named = re.search(r"^model name\s*:\s*(.+)$", _text(Path("/proc/cpuinfo")), re.MULTILINE)
    return named[1].strip() if named else platform.processor() or platform.machine()


def _ram_bytes() -> int | None:
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError):
        return None


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", errors="replace")
    except OSError:
        return ""


# What a tuned choice holds for:

Fingerprint = Mapping[str, str]  # what is looked at, and what it is

_CUDA = re.compile(r"^cuda\b.*=\s*['\"]([\d.]+)['\"]", re.MULTILINE)


@cache  # it does not change while we run
def this_fingerprint() -> Fingerprint:
    """Of this machine, as it is now."""
    machine, card = this_machine(), nvidia()
    return {
        "CPU": machine.cpu,
        "usable cores": str(machine.usable_cores),
        "memory": f"{(machine.ram_bytes or 0) >> 20} MiB",
        "GPU": "; ".join(card.gpus) or "none",
        "driver": card.driver or "none",
        "torch": _version("torch"),
        "CUDA": _cuda(),
        "audiomill": _version("audiomill"),
    }


def changed(then: Fingerprint, now: Fingerprint) -> str:
    """What is not as it was, in words; "" if nothing."""
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
    """What PyTorch was built for; the name of its release need not say so."""
    try:
        written = str(distribution("torch").read_text("../torch/version.py"))
    except PackageNotFoundError:
        return "none"
    found = _CUDA.search(written)
    return found[1] if found else "none"
