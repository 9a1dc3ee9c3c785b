"""A recording's second pass: mastered, measured and encoded. Knows nothing of shards or chapters.

What is measured here is what the encoders were given, so the report tells what came out and not
what was planned. It costs no time: the encoders are the slower by far.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from inputs.book import Cover
from outputs.chapter import Loudness, Recorded
from outputs.encoding import Target, encode
from outputs.loudness import LoudnessMeter
from outputs.marks import Mark
from outputs.mastering import MasterPlan, apply
from outputs.peaks import PeakMeter
from outputs.pieces import Stretch
from outputs.tags import Tags
from renderers.shard import Samples


@dataclass(frozen=True, slots=True)
class Sleeve:
    """All that is written into a recording's files beside its audio."""

    marks: tuple[Mark, ...]
    tags: Tags
    cover: Cover | None


class _Levels:
    """How one stretch measured, once it has passed."""

    loudness: Loudness
    true_peak: float

    def of(self, blocks: Iterable[Samples], sample_rate: int) -> Iterator[Samples]:
        """The blocks, measured as they pass."""
        loudness, peaks = LoudnessMeter(sample_rate), PeakMeter()
        for block in blocks:
            loudness.add(block)
            peaks.add(block)
            yield block
        self.loudness, self.true_peak = loudness.measured(), peaks.measured()


def record(
    stretches: Sequence[Stretch],
    sample_rate: int,
    master: MasterPlan,
    sleeve: Sleeve,
    targets: Sequence[Target],
) -> Recorded:
    """Stretches of joined audio through the mastering into every target.

    Raises EncoderMissing, EncoderFailed, OutputUnwritable.
    """
    levels = [_Levels() for _ in stretches]
    unmeasured = dict(enumerate(levels))

    def mastered(index: int) -> Iterator[Samples]:
        """Measured by whoever asks first: two formats may want the same stretch at a time."""
        blocks = apply(stretches[index].blocks(), master, sample_rate)
        mine = unmeasured.pop(index, None)
        return blocks if mine is None else mine.of(blocks, sample_rate)

    files = encode(
        [Stretch(one.n_samples, partial(mastered, index)) for index, one in enumerate(stretches)],
        sample_rate,
        targets,
        sleeve.marks,
        sleeve.tags,
        sleeve.cover,
    )
    return Recorded(
        files=tuple(files),
        loudness=tuple(one.loudness for one in levels),
        true_peak=max(one.true_peak for one in levels),
    )
