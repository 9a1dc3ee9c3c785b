"""Which devices a setting names. Knows what can be seen of a GPU; knows no model.

cpu, cuda, cuda:1     that one; "cuda" is PyTorch's own choice among several
cuda:0,cuda:2         these two, each with a process of its own
auto                  every GPU that PyTorch may use, else the CPU
"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

AUTO = "auto"
DEV = Path("/dev")
# Of NVIDIA's driver one for each GPU; of Windows' to Linux guests, and of AMD's, one for all.
ONE_EACH, ONE_FOR_ALL = "nvidia[0-9]*", ("dxg", "kfd")


def device_names(setting: str) -> tuple[str, ...]:
    """The names between the commas of a setting; one twice is two processes on one device."""
    return tuple(name.strip() for name in setting.split(",") if name.strip()) or (setting,)


def devices_of(setting: str) -> tuple[str, ...]:
    """The devices to speak on. Loads PyTorch for "auto", unless it is built for CPUs only.

    PyTorch asks the driver, so that CUDA_VISIBLE_DEVICES and its like hold; no GPU is used. It
    counts GPUs that CUDA cannot use, too: there are none where the driver is too old.
    """
    if setting.strip() != AUTO:
        return device_names(setting)
    if is_cpu_build():
        return ("cpu",)
    import torch

    n_gpus = torch.cuda.device_count() if torch.cuda.is_available() else 0
    return tuple(f"cuda:{number}" for number in range(n_gpus)) or ("cpu",)


def n_devices(setting: str) -> int:
    """About as many as `devices_of` names, without PyTorch: what is hidden is counted too."""
    return max(1, n_gpus()) if setting.strip() == AUTO else len(device_names(setting))


def has_gpu(setting: str) -> bool:
    """Whether any of the devices is a GPU, without PyTorch being loaded."""
    return any(
        name.startswith("cuda") or (name == AUTO and n_gpus() > 0) for name in device_names(setting)
    )


def n_gpus(folder: Path = DEV) -> int:
    """About how many there are, if PyTorch is built for any; without loading that."""
    if is_cpu_build():
        return 0
    return len(list(folder.glob(ONE_EACH))) or sum((folder / name).exists() for name in ONE_FOR_ALL)


def is_cpu_build() -> bool:
    """Whether PyTorch is one without any GPU's libraries, or none is installed."""
    try:
        return version("torch").endswith("+cpu")
    except PackageNotFoundError:
        return True


def hides_all(visible: str | None) -> bool:
    """Whether CUDA_VISIBLE_DEVICES, None if it is not set, leaves no GPU to be seen.

    The list ends at the first that is none. Source: CUDA C++ Programming Guide, "CUDA Environment
    Variables".
    """
    return visible is not None and visible.split(",")[0].strip() in ("", "-1", "NoDevFiles")
