"""What is measured: a variant for each row of the table, and which of them others are held to.

Pure. Knows no engine but by name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import product

from flows.bench.options import Order


class Mode(StrEnum):
    """How much of the way is measured."""

    SYNTHESIS = "synthesis only"
    END_TO_END = "end to end"


# Upstream is fed with a sentence at a time, and with as much as its own pipeline would give it.
UPSTREAM_CHUNKINGS = ("sentence", "adaptive")


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to have the text spoken."""

    mode: Mode
    engine: str  # "kokoro", "upstream", "onnx", …
    device: str
    precision: str
    chunking: str
    batch_frames: int = 0  # 0: the engine's own choice

    @property
    def name(self) -> str:
        """For people."""
        budget = f", {self.batch_frames} frames" if self.batch_frames else ""
        precision = f" {self.precision}" if self.engine == "onnx" else ""
        return f"{self.engine}{precision}, {self.device}, {self.chunking}{budget}"

    @property
    def is_rival(self) -> bool:
        """Whether it is somebody else's engine."""
        return self.engine in ("upstream", "onnx")

    @property
    def stand(self) -> tuple[str, ...]:
        """Variants that one process can speak, one after the other, have this in common."""
        return (self.mode, self.engine, self.device, self.precision)


def variants_of(order: Order, devices: Sequence[str]) -> tuple[Variant, ...]:
    """All rows of the table, in their order; `devices` are those of the order, by name."""
    return tuple(_synthesis(order, devices)) + (
        tuple(_end_to_end(order, devices)) if order.end_to_end else ()
    )


def _synthesis(order: Order, devices: Sequence[str]) -> Iterator[Variant]:
    for device, chunking, frames in product(devices, order.chunkings, order.batch_frames):
        yield Variant(Mode.SYNTHESIS, order.engine, device, "float32", chunking, frames)
    if "upstream" in order.rivals:
        for device, chunking in product(devices, UPSTREAM_CHUNKINGS):
            yield Variant(Mode.SYNTHESIS, "upstream", device, "float32", chunking)
    if "onnx" in order.rivals and "cpu" in devices:
        for precision in ("float32", "int8"):
            yield Variant(Mode.SYNTHESIS, "onnx", "cpu", precision, order.chunkings[0])


def _end_to_end(order: Order, devices: Sequence[str]) -> Iterator[Variant]:
    for device, frames in product(devices, order.batch_frames):
        yield Variant(Mode.END_TO_END, order.engine, device, "float32", "planned", frames)
    if "upstream" in order.rivals:
        for device, chunking in product(devices, UPSTREAM_CHUNKINGS):
            yield Variant(Mode.END_TO_END, "upstream", device, "float32", chunking)


def reference(median_s: dict[Variant, float], mode: Mode) -> Variant | None:
    """What the others of a mode are held to: upstream at its best, else the first row there is.

    `median_s` are the seconds that each took for the same text.
    """
    rows = [variant for variant in median_s if variant.mode is mode]
    upstream = [variant for variant in rows if variant.engine == "upstream"]
    return min(upstream, key=median_s.__getitem__) if upstream else next(iter(rows), None)
