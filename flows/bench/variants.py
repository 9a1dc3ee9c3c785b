"""The variants that a benchmark measures, one for each row of the table. Pure; knows no engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from audiomill.flows.bench.options import BenchOptions


class Mode(StrEnum):
    """How much of a render is measured."""

    SYNTHESIS = "synthesis only"
    END_TO_END = "end to end"


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to synthesize the text."""

    mode: Mode
    engine: str
    device: str
    precision: str
    chunking: str
    batch_frames: int = 0  # 0: the engine's own choice
    in_flight: int = 1  # requests at a time

    @property
    def name(self) -> str:
        """The name in tables. It has the precision wherever there is more than one."""
        is_only_one = (self.device, self.precision) == ("cpu", "float32")
        precision = "" if is_only_one or not self.precision else f" {self.precision}"
        budget = f", {self.batch_frames} frames" if self.batch_frames else ""
        several = f", {self.in_flight} in flight" if self.in_flight > 1 else ""
        return f"{self.engine}{precision}, {self.device}, {self.chunking}{budget}{several}"

    @property
    def process_key(self) -> tuple[str, ...]:
        """Variants with the same key can run in one process, one after another."""
        return (self.mode, self.engine, self.device, self.precision)


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
