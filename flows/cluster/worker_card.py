"""The card of a worker: what it renders with, and by which code. Knows no Dask.

It travels to the scheduler when the worker joins, and every flow reads it there. A window goes
only to workers of the same code: their resource is named after it, so the scheduler sees to that.
"""

from __future__ import annotations

import platform
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from audiomill.inputs.own_code import code_digest
from audiomill.outputs.ffmpeg.find_ffmpeg import ffmpeg_build, find_ffmpeg
from audiomill.outputs.types import EncoderMissing

CARD = "audiomill"  # the name of the card in what the scheduler knows of a worker


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
