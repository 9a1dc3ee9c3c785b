"""What is measured: a variant for each row of the table, and which of them others are held to.

Pure. Knows no engine but by name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import product

from audiomill.flows.bench.options import BenchOptions
from audiomill.renderers.options import PRECISIONS


class Mode(StrEnum):
    """How much of the way is measured."""

    SYNTHESIS = "synthesis only"
    END_TO_END = "end to end"


# Upstream is fed with a sentence at a time, and with as much as its own pipeline would give it.
UPSTREAM_CHUNKINGS = ("sentence", "adaptive")


@dataclass(frozen=True, slots=True)
class Device:
    """Where engines run."""

    name: str
    lacks: Mapping[str, str]  # precisions that it has not, and why
    # What it could do at most, measured: FLOP/s by precision, bytes of a copy a second.
    ceilings: Mapping[str, float] = field(default_factory=dict[str, float])


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
        """For people: with the precision wherever there is more than one."""
        is_only_one = (self.device, self.precision) == ("cpu", "float32") and self.engine != "onnx"
        precision = "" if is_only_one else f" {self.precision}"
        budget = f", {self.batch_frames} frames" if self.batch_frames else ""
        return f"{self.engine}{precision}, {self.device}, {self.chunking}{budget}"

    @property
    def is_rival(self) -> bool:
        """Whether it is somebody else's engine."""
        return self.engine in ("upstream", "onnx")

    @property
    def stand(self) -> tuple[str, ...]:
        """Variants that one process can speak, one after the other, have this in common."""
        return (self.mode, self.engine, self.device, self.precision)


def variants_of(order: BenchOptions, devices: Sequence[Device]) -> tuple[Variant, ...]:
    """All rows of the table, in their order; `devices` are those of the order."""
    places = [(one.name, precision) for one in devices for precision in _precisions(order, one)]
    return tuple(_synthesis(order, places)) + (
        tuple(_end_to_end(order, places)) if order.end_to_end else ()
    )


def _precisions(order: BenchOptions, device: Device) -> tuple[str, ...]:
    """Those asked for, whether they are there or not, or all that are."""
    return order.precisions or tuple(one for one in PRECISIONS if one not in device.lacks)


def _synthesis(order: BenchOptions, places: Sequence[tuple[str, str]]) -> Iterator[Variant]:
    for place, chunking, frames in product(places, order.chunkings, order.batch_frames):
        yield Variant(Mode.SYNTHESIS, order.engine, *place, chunking, frames)
    if "upstream" in order.rivals:
        for place, chunking in product(_of_pytorch(places), UPSTREAM_CHUNKINGS):
            yield Variant(Mode.SYNTHESIS, "upstream", *place, chunking)
    if "onnx" in order.rivals and any(device == "cpu" for device, _ in places):
        for precision in ("float32", "int8"):
            yield Variant(Mode.SYNTHESIS, "onnx", "cpu", precision, order.chunkings[0])


def _end_to_end(order: BenchOptions, places: Sequence[tuple[str, str]]) -> Iterator[Variant]:
    for place, frames in product(places, order.batch_frames):
        yield Variant(Mode.END_TO_END, order.engine, *place, "planned", frames)
    if "upstream" in order.rivals:
        for place, chunking in product(_of_pytorch(places), UPSTREAM_CHUNKINGS):
            yield Variant(Mode.END_TO_END, "upstream", *place, chunking)


def _of_pytorch(places: Sequence[tuple[str, str]]) -> Sequence[tuple[str, str]]:
    """Those in a precision that is a switch of PyTorch's, and so upstream's too."""
    return [place for place in places if place[1] != "bf16"]


def reference(median_s: dict[Variant, float], mode: Mode) -> Variant | None:
    """What the others of a mode are held to: upstream at its best, else the first row there is.

    `median_s` are the seconds that each took for the same text.
    """
    rows = [variant for variant in median_s if variant.mode is mode]
    upstream = [variant for variant in rows if variant.engine == "upstream"]
    return min(upstream, key=median_s.__getitem__) if upstream else next(iter(rows), None)
