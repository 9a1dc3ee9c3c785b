"""The variants that a benchmark measures, one per row of the table, and the reference of each mode.

Pure. Knows engines only by name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import product

from audiomill.flows.bench.options import BenchOptions
from audiomill.renderers.kokoro.options import PRECISIONS, PYTORCH_PRECISIONS

# The upstream model is given one sentence at a time, and as much as its own pipeline would give it.
UPSTREAM_CHUNKINGS = ("sentence", "adaptive")


class Mode(StrEnum):
    """How much of a render is measured."""

    SYNTHESIS = "synthesis only"
    END_TO_END = "end to end"


@dataclass(frozen=True, slots=True)
class Device:
    """A device that engines run on."""

    name: str
    unsupported: Mapping[str, str]  # precisions that the device lacks, with the reason
    # Measured upper limits: FLOP/s by precision, and bytes per second of a copy.
    ceilings: Mapping[str, float] = field(default_factory=dict[str, float])


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to synthesize the text."""

    mode: Mode
    engine: str  # "kokoro", "upstream", "onnx", …
    device: str
    precision: str
    chunking: str
    batch_frames: int = 0  # 0: the engine's own choice
    in_flight: int = 1  # requests at a time

    @property
    def name(self) -> str:
        """The name in tables. It has the precision wherever there is more than one."""
        is_only_one = (self.device, self.precision) == ("cpu", "float32") and self.engine != "onnx"
        precision = "" if is_only_one or not self.precision else f" {self.precision}"
        budget = f", {self.batch_frames} frames" if self.batch_frames else ""
        several = f", {self.in_flight} in flight" if self.in_flight > 1 else ""
        return f"{self.engine}{precision}, {self.device}, {self.chunking}{budget}{several}"

    @property
    def is_rival(self) -> bool:
        """True for engines of other projects."""
        return self.engine in ("upstream", "onnx")

    @property
    def process_key(self) -> tuple[str, ...]:
        """Variants with the same key can run in one process, one after another."""
        return (self.mode, self.engine, self.device, self.precision)


def variants_of(options: BenchOptions, devices: Sequence[Device]) -> tuple[Variant, ...]:
    """All rows of Kokoro's table, in order. `devices` are those that the options name."""
    placements = [
        (device.name, precision) for device in devices for precision in _precisions(options, device)
    ]
    synthesis = tuple(_synthesis(options, placements))
    return synthesis + (tuple(_end_to_end(options, placements)) if options.end_to_end else ())


def text_variants(
    options: BenchOptions, devices: Mapping[str, str], in_flight: Mapping[str, Sequence[int]]
) -> tuple[Variant, ...]:
    """The rows of engines that are measured from the text, by engine.

    `devices` and `in_flight` have what each engine runs on, and the requests at a time.
    """
    rows = [
        text_variant(engine, device, chunking, n)
        for engine, device in devices.items()
        for chunking in options.chunkings
        for n in in_flight[engine]
    ]
    if options.end_to_end:
        rows += [
            replace(text_variant(engine, device), mode=Mode.END_TO_END)
            for engine, device in devices.items()
        ]
    return tuple(rows)


def text_variant(
    engine: str, device: str, chunking: str = "planned", in_flight: int = 1
) -> Variant:
    """A row of an engine that is measured from the text, whose precision is its own affair."""
    precision = "float32" if device == "cpu" else ""
    return Variant(Mode.SYNTHESIS, engine, device, precision, chunking, in_flight=in_flight)


def reference(median_s: dict[Variant, float], mode: Mode) -> Variant | None:
    """The variant that others of a mode are compared with: the fastest upstream one, or the first.

    `median_s` is the time in seconds of each variant for the same text.
    """
    rows = [variant for variant in median_s if variant.mode is mode]
    upstream = [variant for variant in rows if variant.engine == "upstream"]
    return min(upstream, key=median_s.__getitem__) if upstream else next(iter(rows), None)


def _precisions(options: BenchOptions, device: Device) -> tuple[str, ...]:
    """The requested precisions, supported or not; by default all that the device supports."""
    return options.precisions or tuple(one for one in PRECISIONS if one not in device.unsupported)


def _synthesis(options: BenchOptions, placements: Sequence[tuple[str, str]]) -> Iterator[Variant]:
    for placement, chunking, frames in product(placements, options.chunkings, options.batch_frames):
        yield Variant(Mode.SYNTHESIS, "kokoro", *placement, chunking, frames)
    if "upstream" in options.rivals:
        for placement, chunking in product(_of_pytorch(placements), UPSTREAM_CHUNKINGS):
            yield Variant(Mode.SYNTHESIS, "upstream", *placement, chunking)
    if "onnx" in options.rivals and any(device == "cpu" for device, _ in placements):
        for precision in ("float32", "int8"):
            yield Variant(Mode.SYNTHESIS, "onnx", "cpu", precision, options.chunkings[0])


def _end_to_end(options: BenchOptions, placements: Sequence[tuple[str, str]]) -> Iterator[Variant]:
    for placement, frames in product(placements, options.batch_frames):
        yield Variant(Mode.END_TO_END, "kokoro", *placement, "planned", frames)
    if "upstream" in options.rivals:
        for placement, chunking in product(_of_pytorch(placements), UPSTREAM_CHUNKINGS):
            yield Variant(Mode.END_TO_END, "upstream", *placement, chunking)


def _of_pytorch(placements: Sequence[tuple[str, str]]) -> Sequence[tuple[str, str]]:
    """Placements in precisions that are switches of PyTorch, so that upstream has them too."""
    return [placement for placement in placements if placement[1] in PYTORCH_PRECISIONS]
