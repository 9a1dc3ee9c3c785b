"""A recording's second pass: mastered, measured and encoded. Knows nothing of shards or chapters.

What is measured here is what the encoders were given, so the report tells what came out and not
what was planned. It costs no time: the encoders are the slower by far.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from inputs.book import Cover
from outputs.chapter import Recorded
from outputs.encoding import Target, encode
from outputs.loudness import LoudnessMeter
from outputs.marks import Mark
from outputs.mastering import MasterPlan, apply
from outputs.peaks import PeakMeter
from outputs.tags import Tags
from renderers.shard import Samples


@dataclass(frozen=True, slots=True)
class Sleeve:
    """All that is written into a recording's files beside its audio."""

    marks: tuple[Mark, ...]
    tags: Tags
    cover: Cover | None


def record(
    blocks: Iterable[Samples],
    sample_rate: int,
    master: MasterPlan,
    sleeve: Sleeve,
    targets: Sequence[Target],
) -> Recorded:
    """Stream joined audio through the mastering into every target at once.

    Raises EncoderMissing, EncoderFailed, OutputUnwritable.
    """
    loudness, peaks = LoudnessMeter(sample_rate), PeakMeter()

    def measured() -> Iterator[Samples]:
        for block in apply(blocks, master, sample_rate):
            loudness.add(block)
            peaks.add(block)
            yield block

    files = encode(measured(), sample_rate, targets, sleeve.marks, sleeve.tags, sleeve.cover)
    return Recorded(tuple(files), loudness.measured(), peaks.measured())
