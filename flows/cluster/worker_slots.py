"""The worker processes of a machine: one for each GPU, and what each of them sees. Pure.

CUDA_VISIBLE_DEVICES=4,6    cuda:0   CUDA_VISIBLE_DEVICES=4   its only GPU, cuda:0
                            cuda:1   CUDA_VISIBLE_DEVICES=6   its only GPU, cuda:0
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from audiomill.renderers.engine.options import EngineOptions

CUDA = "cuda"


@dataclass(frozen=True, slots=True)
class WorkerSlot:
    """A worker process to be: its name, its device, and what is in its environment."""

    name: str
    device: str  # for people
    environment: Mapping[str, str]
    options: EngineOptions


def worker_slots(
    name: str,
    options: EngineOptions,
    devices: Sequence[str],
    n_processes: int,
    visible: str | None,
) -> tuple[WorkerSlot, ...]:
    """`n_processes` for each device, named `name` and a number if there are several.

    `visible` is what CUDA_VISIBLE_DEVICES is here; None if it is not set.
    """
    each = [device for device in devices for _ in range(n_processes)]
    names = [name] if len(each) == 1 else [f"{name}-{number}" for number in range(len(each))]
    return tuple(
        WorkerSlot(
            name=one,
            device=device,
            environment=dict(_environment(device, visible)),
            options=options.each(lambda own, device=device: own.on_device(device)),
        )
        for one, device in zip(names, each, strict=True)
    )


def _environment(device: str, visible: str | None) -> Iterator[tuple[str, str]]:
    """The variable that shows a process one GPU only."""
    kind, _, number = device.partition(":")
    if kind == CUDA:
        known = [] if visible is None else [one.strip() for one in visible.split(",")]
        index = int(number or 0)
        yield "CUDA_VISIBLE_DEVICES", known[index] if index < len(known) else str(index)
