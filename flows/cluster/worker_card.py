"""The worker processes of a machine, and the card of each. Knows no Dask.

A card travels to the scheduler when the worker joins, and every flow reads it there. A window goes
only to workers of the same code: their resource is named after it, so the scheduler sees to that.

The worker processes of a machine: one for each GPU, and what each of them sees. Pure.

CUDA_VISIBLE_DEVICES=4,6    cuda:0   CUDA_VISIBLE_DEVICES=4   its only GPU, cuda:0
                            cuda:1   CUDA_VISIBLE_DEVICES=6   its only GPU, cuda:0
"""

from __future__ import annotations

import hashlib
import platform
import socket
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from audiomill.outputs.ffmpeg.find_ffmpeg import ffmpeg_build, find_ffmpeg
from audiomill.outputs.types import EncoderMissing
from audiomill.renderers.engine.options import EngineOptions

PACKAGE = Path(__file__).parents[2]
ROOMS = ("inputs", "renderers", "outputs", "flows")
CARD = "audiomill"  # the name of the card in what the scheduler knows of a worker
CUDA = "cuda"


@dataclass(frozen=True, slots=True)
class WorkerCard:
    """A worker process: where it runs, and what it renders with."""

    machine: str  # its host name
    engine: str
    device: str  # for people: "cuda:0", "cpu"
    code: str  # the digest of its audiomill
    version: str  # of its audiomill
    python: str
    ffmpeg: str = ""  # the digest of its build; "" without one
    n_encoders: int = 0  # tasks that it does at a time, beside its windows
    n_rows: int = 1  # of a batch for which somebody waits, at most

    @property
    def resource(self) -> str:
        """The name of the resource that a window needs of a worker."""
        return resource_name(self.engine, self.code)


def own_card(engine: str, device: str, n_encoders: int = 0) -> WorkerCard:
    """The card of a worker on this machine. One without ffmpeg has no encoders."""
    ffmpeg = own_ffmpeg()
    return WorkerCard(
        machine=socket.gethostname(),
        engine=engine,
        device=device,
        code=code_digest(),
        version=version("audiomill"),
        python=platform.python_version(),
        ffmpeg=ffmpeg,
        n_encoders=n_encoders if ffmpeg else 0,
    )


def own_ffmpeg() -> str:
    """The digest of this machine's build of ffmpeg; "" without one."""
    try:
        return ffmpeg_build(find_ffmpeg())
    except EncoderMissing:
        return ""


def read_card(announced: object) -> WorkerCard | None:
    """The card that a worker has told the scheduler; None if it is no worker of ours.

    What a worker of another version does not tell is "".
    """
    if not isinstance(announced, Mapping) or not isinstance(announced.get("code"), str):
        return None
    known: Mapping[str, Any] = announced
    names = ("machine", "engine", "device", "code", "version", "python", "ffmpeg")
    texts = {name: str(known.get(name, "")) for name in names}
    n_encoders, n_rows = int(known.get("n_encoders", 0)), int(known.get("n_rows", 1))
    return WorkerCard(**texts, n_encoders=n_encoders, n_rows=n_rows)


def resource_name(engine: str, code: str) -> str:
    """The resource of Dask that workers with this engine and this code have."""
    return f"audiomill {engine} {code[:12]}"


def unfit_reason(card: WorkerCard | None, engine: str) -> str:
    """Why a worker cannot render for this process, for people; "" if it can."""
    if card is None:
        return "it is no worker of audiomill"
    if card.code != code_digest():
        ours = f"{version('audiomill')}, {code_digest()[:12]}"
        return f"its audiomill is another one ({card.version}, {card.code[:12]}; here {ours})"
    if card.engine != engine:
        return f"it renders with {card.engine}, not {engine}"
    return ""


@cache
def code_digest() -> str:
    """A SHA-256, in hexadecimal, of all source code of this audiomill."""
    digest = hashlib.sha256()
    for path in sorted(path for room in ROOMS for path in (PACKAGE / room).rglob("*.py")):
        digest.update(f"{path.relative_to(PACKAGE).as_posix()}\0".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


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
