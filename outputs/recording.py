"""A recording's second pass: mastered, measured and encoded. Knows no shards or chapters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from inputs.book import Cover
from outputs.chapter import Recorded
from outputs.encoding import Target, encode
from outputs.hands import Commission
from outputs.marks import Mark
from outputs.mastering import MasterPlan, apply
from outputs.pieces import Stretch
from outputs.tags import Tags
from renderers.shard import Samples


@dataclass(frozen=True, slots=True)
class Sleeve:
    """All that is written into a recording's files beside its audio."""

    marks: tuple[Mark, ...]
    tags: Tags
    cover: Cover | None


def record(
    stretches: Sequence[Stretch],
    sample_rate: int,
    master: MasterPlan,
    sleeve: Sleeve,
    targets: Sequence[Target],
    commission: Commission | None = None,
) -> Recorded:
    """Stretches of joined audio through the mastering into every target.

    Raises EncoderMissing, EncoderFailed, OutputUnwritable.
    """
    mastered = [
        Stretch(one.n_samples, partial(_mastered, one.blocks, master, sample_rate))
        for one in stretches
    ]
    marks, tags, cover = sleeve.marks, sleeve.tags, sleeve.cover
    return encode(mastered, sample_rate, targets, marks, tags, cover, commission=commission)


def _mastered(
    blocks: Callable[[], Iterable[Samples]], master: MasterPlan, sample_rate: int
) -> Iterator[Samples]:
    return apply(blocks(), master, sample_rate)
