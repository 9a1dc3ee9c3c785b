"""The devices that a setting names. Finds GPUs without loading PyTorch; knows no model.

cpu, cuda, cuda:1     this device; "cuda" is PyTorch's own choice among several
cuda:0,cuda:2         these two, each with its own process
auto                  every GPU that PyTorch can use, else the CPU
"""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

AUTO = "auto"
DEV = Path("/dev")
# Device files. NVIDIA's driver has one for each GPU. Windows' driver for Linux guests (dxg) and
# AMD's (kfd) have one for all GPUs.
NVIDIA_FILES, SHARED_FILES = "nvidia[0-9]*", ("dxg", "kfd")
_NAME = re.compile(r"auto|cpu|(?:cuda|mps|xpu)(?::\d{1,3})?")


def device_names(setting: str) -> tuple[str, ...]:
    """Split a setting at its commas. A name that occurs twice means two processes on one device."""
    return tuple(name.strip() for name in setting.split(",") if name.strip()) or (setting,)


def check_device_names(setting: str) -> None:
    """Raise ValueError for a name that no device has. PyTorch is not loaded."""
    unknown = next((one for one in device_names(setting) if not _NAME.fullmatch(one)), None)
    if unknown is not None:
        raise ValueError(
            f"{unknown or 'nothing'} is no device; choose auto, cpu, cuda, or some GPUs by number,"
            " for example cuda:0,cuda:1"
        )


def devices_of(setting: str) -> tuple[str, ...]:
    """The devices to render on. For "auto" loads PyTorch, unless that is a build for CPUs only.

    PyTorch asks the driver, so it respects CUDA_VISIBLE_DEVICES and the like; no GPU is used.
    `device_count` also counts GPUs that CUDA cannot use, for example because the driver is too old,
    so `is_available` is checked first.
    """
    if setting.strip() != AUTO:
        return device_names(setting)
    if is_cpu_build():
        return ("cpu",)
    import torch

    n_gpus = torch.cuda.device_count() if torch.cuda.is_available() else 0
    return tuple(f"cuda:{number}" for number in range(n_gpus)) or ("cpu",)


def n_devices(setting: str) -> int:
    """An estimate of the number of `devices_of`, without PyTorch. It counts hidden GPUs too."""
    return max(1, n_gpus()) if setting.strip() == AUTO else len(device_names(setting))


def has_gpu(setting: str) -> bool:
    """True if any of the devices is a GPU. Does not load PyTorch."""
    return any(
        name.startswith("cuda") or (name == AUTO and n_gpus() > 0) for name in device_names(setting)
    )


def is_one_gpu(setting: str, folder: Path = DEV) -> bool:
    """True if it is "auto" and no GPU but one of NVIDIA's is here. Does not load PyTorch.

    Whether PyTorch can use it is found by the process that loads the model: for "auto" it takes the
    CPU if not.
    """
    is_one = setting.strip() == AUTO and not is_cpu_build()
    return is_one and len(list(folder.glob(NVIDIA_FILES))) == 1


def n_gpus(folder: Path = DEV) -> int:
    """An estimate of the number of GPUs, by their files in `folder`. Does not load PyTorch.

    It is 0 if PyTorch is a build for CPUs only.
    """
    if is_cpu_build():
        return 0
    return len(list(folder.glob(NVIDIA_FILES))) or sum(
        (folder / name).exists() for name in SHARED_FILES
    )


def is_cpu_build() -> bool:
    """True if the installed PyTorch is a build without GPU libraries, or there is none."""
    try:
        return version("torch").endswith("+cpu")
    except PackageNotFoundError:
        return True


def hides_every_gpu(visible: str | None) -> bool:
    """True if CUDA_VISIBLE_DEVICES hides every GPU; None means that it is not set.

    CUDA stops at the first invalid entry of the list. Source: CUDA C++ Programming Guide, "CUDA
    Environment Variables".
    """
    return visible is not None and visible.split(",")[0].strip() in ("", "-1", "NoDevFiles")
