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
from audiomill.outputs.types import Levels, Loudness
from audiomill.renderers.base import Samples

MAX_GAIN_DB = 30.0  # audio that needs more is noise, not a voice
SETTLED_LU = 0.2  # a gain that is nearer to its target stays
MAX_PASSES = 5


@dataclass(frozen=True, slots=True)
class Mastering:
    """The loudness and peak targets of a finished book. Field names are part of a fingerprint."""

    target_lufs: float = -19.0  # mono; sounds as loud as stereo at -16
    ceiling_dbtp: float = -1.5  # lossy coding adds 0.1 dB as AAC, up to 0.7 dB as MP3


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


def settle_gain(
    blocks: Callable[[], Iterable[Samples]],
    plan: MasterPlan,
    target_lufs: float,
    sample_rate: int,
) -> MasterPlan:
    """The plan with the gain that brings the limited audio to the target.

    Limiting takes loudness away: from percussive music, and from voices with high peaks, more than
    1 LU. Each pass masters the audio of `blocks` and corrects the gain by what is missing.
    """
    for _ in range(MAX_PASSES):
        meter = LoudnessMeter(sample_rate)
        for block in apply(blocks(), plan, sample_rate):
            meter.add(block)
        missing_lu = target_lufs - integrated_lufs([meter.measured()])
        if abs(missing_lu) <= SETTLED_LU or not math.isfinite(missing_lu):
            break
        gain_db = round(min(plan.gain_db + missing_lu, MAX_GAIN_DB), 3)
        plan = replace(plan, gain_db=gain_db)
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
