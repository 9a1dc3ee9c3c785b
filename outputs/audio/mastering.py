"""One gain for a whole book: to a target loudness, under a true-peak ceiling.

A gain per chapter would undo what the author, or the engine, meant to be quiet. So the book keeps
its dynamics, and only what would exceed the ceiling is limited.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from audiomill.outputs.audio.limiter import limit
from audiomill.outputs.audio.loudness import LoudnessMeter, integrated_lufs
from audiomill.outputs.audio.true_peak import PeakMeter
from audiomill.outputs.delivery.levels import Mastering
from audiomill.outputs.types import Levels, Loudness
from audiomill.renderers.base import Samples

MAX_GAIN_DB = 30.0  # audio that needs more is noise, not a voice
MAX_MAKEUP_DB = 6.0  # a limiter that has to take more is heard
MAKEUP_WITHIN_LU = 0.1
MIN_SLOPE = 0.2  # in LU per dB: below it the limiter takes nearly all that is given
MAX_MEASURED = 5  # gains whose loudness is measured; three are enough for speech


@dataclass(frozen=True, slots=True)
class MasterPlan:
    """The gain and ceiling applied to every sample of a book."""

    gain_db: float
    ceiling_dbtp: float


class LevelMeter:
    """Measures loudness and true peak of a stream; how it is cut makes no difference."""

    def __init__(self, sample_rate: int) -> None:
        self._loudness = LoudnessMeter(sample_rate)
        self._peaks = PeakMeter()

    def add(self, samples: Samples) -> None:
        """Measure the next samples."""
        self._loudness.add(samples)
        self._peaks.add(samples)

    def measured(self) -> Levels:
        """The levels of all samples so far."""
        return Levels(self._loudness.measured(), self._peaks.measured())


def plan_gain(parts: Iterable[Loudness], mastering: Mastering | None = None) -> MasterPlan:
    """The gain that brings all parts together to the target.

    0 dB for silence, and MAX_GAIN_DB at most. Rounded to a thousandth of a decibel, so that
    processors that round the loudness differently hardly ever produce different files.
    """
    mastering = mastering or Mastering()
    lufs = integrated_lufs(parts)
    gain_db = mastering.target_lufs - lufs if math.isfinite(lufs) else 0.0
    return MasterPlan(round(min(gain_db, MAX_GAIN_DB), 3), mastering.ceiling_dbtp)


def mastered_lufs(blocks: Iterable[Samples], plan: MasterPlan, sample_rate: int) -> float:
    """The loudness of the audio of `blocks` with the plan's gain, limited to its ceiling."""
    meter = LoudnessMeter(sample_rate)
    for block in apply(blocks, plan, sample_rate):
        meter.add(block)
    return integrated_lufs([meter.measured()])


def with_makeup(
    plan: MasterPlan, mastering: Mastering, measured_lufs: Callable[[MasterPlan], float]
) -> MasterPlan:
    """The plan with as much more gain as its limiter takes, but for MAX_MAKEUP_DB at most.

    `measured_lufs` gives the loudness that a plan leads to; each call reads all audio once. More
    gain meets a limiter that takes more, so the next gain is where a line through the last two
    meets the target (the secant method).
    """
    highest_db = min(plan.gain_db + MAX_MAKEUP_DB, MAX_GAIN_DB)
    last_db, last_lufs, slope = plan.gain_db, measured_lufs(plan), 1.0
    for _ in range(MAX_MEASURED - 1):
        missing_lu = mastering.target_lufs - last_lufs
        gain_db = min(round(last_db + missing_lu / slope, 3), highest_db)
        if not MAKEUP_WITHIN_LU < abs(missing_lu) < math.inf or gain_db == last_db:
            break
        plan = replace(plan, gain_db=gain_db)
        lufs = measured_lufs(plan)
        slope = max((lufs - last_lufs) / (gain_db - last_db), MIN_SLOPE)
        last_db, last_lufs = gain_db, lufs
    return plan


def apply(blocks: Iterable[Samples], plan: MasterPlan, sample_rate: int) -> Iterator[Samples]:
    """The audio of `blocks` with the plan's gain, limited to its ceiling.

    Every sample keeps its position, and is exactly gain times input wherever no limiting is needed.
    """
    gain = np.float32(10 ** (plan.gain_db / 20))
    amplified = (block * gain for block in blocks)
    return limit(amplified, 10 ** (plan.ceiling_dbtp / 20), sample_rate)


def metered(blocks: Iterable[Samples], meters: Sequence[LevelMeter]) -> Iterator[Samples]:
    """The blocks unchanged, each measured by all `meters` before it is yielded."""
    for block in blocks:
        for meter in meters:
            meter.add(block)
        yield block
