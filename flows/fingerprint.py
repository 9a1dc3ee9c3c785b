"""What a tuned choice holds for: this hardware, with these versions. Starts and loads nothing.

PyTorch takes seconds to import, and is not: what is asked of it stands in its own files.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution, version

from flows.bench.machine import this_machine
from flows.bench.nvml import nvidia

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
