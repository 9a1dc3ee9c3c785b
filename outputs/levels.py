"""What encoders are given, measured as it passes: loudness and true peak together.

So the report tells what came out and not what was planned.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from outputs.chapter import Levels
from outputs.loudness import LoudnessMeter
from outputs.peaks import PeakMeter
from renderers.shard import Samples


class LevelMeter:
    """Measures audio as it streams by. How it is cut into blocks makes no difference."""

    def __init__(self, sample_rate: int) -> None:
        self._loudness = LoudnessMeter(sample_rate)
        self._peaks = PeakMeter()

    def add(self, samples: Samples) -> None:
        """The next samples."""
        self._loudness.add(samples)
        self._peaks.add(samples)

    def measured(self) -> Levels:
        """Everything up to now."""
        return Levels(self._loudness.measured(), self._peaks.measured())


def heard(blocks: Iterable[Samples], meters: Sequence[LevelMeter]) -> Iterator[Samples]:
    """The blocks, measured as they pass by all `meters`, if there are any."""
    for block in blocks:
        for meter in meters:
            meter.add(block)
        yield block
