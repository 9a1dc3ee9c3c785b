"""One gain for a whole book, or a whole file: to a target level, under a true-peak ceiling.

    measured ─▶ gain ─▶ + what the limiter takes ─▶ + what the codec does ─▶ encoded, measured
                 ▲                                                                 │
                 └───────────── once, if the file is not what it has to be ────────┘

A gain per chapter would undo what the author, or the engine, meant to be quiet. So the book keeps
its dynamics, and only what would exceed the ceiling is limited.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from audiomill.outputs.audio.limiter import limit
from audiomill.outputs.audio.loudness import LoudnessMeter, integrated_lufs, of_channels, rms_db
from audiomill.outputs.audio.true_peak import PeakMeter
from audiomill.outputs.targets import Mastering
from audiomill.outputs.types import Levels, Loudness
from audiomill.renderers.engine.protocol import Samples

MAX_GAIN_DB = 30.0  # audio that needs more is noise, not a voice
MAX_MAKEUP_DB = 9.0  # a limiter that has to take more is heard
# A file of one word is mostly quiet, so that its RMS may be out of reach; more than this squashes
# it and hardly raises it: 12 dB instead of 6 were 0.1 to 0.8 dB.
MAX_RMS_MAKEUP_DB = 6.0
MAX_CORRECTION_DB = 4.0  # besides, for what is found missing in the encoded file
MAKEUP_WITHIN_LU = 0.1
MIN_SLOPE = 0.2  # in LU per dB: below it the limiter takes nearly all that is given
MAX_MEASURED = 5  # gains whose loss is measured; two are enough for speech
CLOSE_LU = 0.3  # an encoded file that is off by more is encoded again
MARGIN_DB = 0.15  # by how much more than needed a ceiling is lowered


@dataclass(frozen=True, slots=True)
class Aim:
    """The level and the ceiling that an encoded file has to have."""

    ceiling_dbtp: float
    level_db: float | None = None  # None: of silence, or of one file of several with one gain
    in_rms: bool = False  # of its samples, in dBFS; else its loudness in LUFS


@dataclass(frozen=True, slots=True)
class MasterPlan:
    """The gain and the limiter's ceiling for every sample of a file."""

    gain_db: float
    ceiling_dbtp: float
    aim: Aim | None = None  # None: what was encoded is not checked
    slope: float = 1.0  # by how many dB the level rises for a decibel of gain, after limiting
    base_db: float | None = None  # the gain before any was added for the limiter; None: `gain_db`

    @property
    def max_makeup_db(self) -> float:
        """By how much the gain may rise for what the limiter takes."""
        return MAX_RMS_MAKEUP_DB if self.aim and self.aim.in_rms else MAX_MAKEUP_DB

    @property
    def planned_highest_db(self) -> float:
        """The highest gain that is planned."""
        base_db = self.gain_db if self.base_db is None else self.base_db
        return min(base_db + self.max_makeup_db, MAX_GAIN_DB)

    @property
    def highest_db(self) -> float:
        """The highest gain after all corrections."""
        return min(self.planned_highest_db + MAX_CORRECTION_DB, MAX_GAIN_DB)

    def for_codec(self, peak_db: float, level_db: float) -> MasterPlan:
        """The same for a codec that raises peaks by `peak_db` and changes levels by `level_db`."""
        gain_db = round(self.gain_db - level_db, 3)
        base_db = None if self.base_db is None else round(self.base_db - level_db, 3)
        ceiling_dbtp = self.ceiling_dbtp - peak_db
        return replace(self, gain_db=gain_db, base_db=base_db, ceiling_dbtp=ceiling_dbtp)

    def with_lower_ceiling(self, peak_dbtp: float) -> MasterPlan:
        """The plan with as low a ceiling as an encoded part with this true peak needs.

        The gain stays: it is that of the whole file.
        """
        over_db = peak_dbtp - self.aim.ceiling_dbtp if self.aim else 0.0
        if over_db <= 0:
            return self
        return replace(self, ceiling_dbtp=round(self.ceiling_dbtp - over_db - MARGIN_DB, 3))

    def corrected_ceiling(self, peak_dbtp: float) -> MasterPlan:
        """The plan that an encoded file with this true peak needs: ceiling, and gain for it."""
        plan = self.with_lower_ceiling(peak_dbtp)
        if plan == self or self.aim is None or self.aim.level_db is None:
            return plan
        # A ceiling 1 dB lower costs the level what a gain 1 dB higher fails to give: 1 - slope.
        return plan.raised((self.ceiling_dbtp - plan.ceiling_dbtp) * (1 - self.slope))

    def raised(self, level_db: float) -> MasterPlan:
        """The plan with as much more gain as raises the level by so much, up to `highest_db`."""
        gain_db = round(min(self.gain_db + level_db / self.slope, self.highest_db), 3)
        return replace(self, gain_db=gain_db)

    def corrected_gain(self, parts: Iterable[Loudness]) -> MasterPlan:
        """The plan with the gain that brings an encoded file of these levels to its aim."""
        if self.aim is None or self.aim.level_db is None:
            return self
        missing_db = self.aim.level_db - level_db(parts, in_rms=self.aim.in_rms)
        if not CLOSE_LU < abs(missing_db) < math.inf:
            return self
        return self.raised(missing_db)


class LevelMeter:
    """Measures loudness and true peak of a stream; how it is cut makes no difference.

    `weights` are those of BS.1770 for each channel; None: all are equal.
    """

    def __init__(
        self, sample_rate: int, channels: int = 1, weights: Sequence[float] | None = None
    ) -> None:
        self._weights = weights or (1.0,) * channels
        self._loudness = [LoudnessMeter(sample_rate) for _ in range(channels)]
        self._peaks = [PeakMeter() for _ in range(channels)]

    def add(self, samples: Samples) -> None:
        """Measure the next samples, [n], or [n, channels]."""
        for channel, (loudness, peaks) in enumerate(zip(self._loudness, self._peaks, strict=True)):
            one = samples if samples.ndim == 1 else np.ascontiguousarray(samples[:, channel])
            loudness.add(one)
            peaks.add(one)

    def measured(self) -> Levels:
        """The levels of all samples so far. The powers of channels add up, as in BS.1770."""
        loudness = of_channels([meter.measured() for meter in self._loudness], self._weights)
        return Levels(loudness, max(meter.measured() for meter in self._peaks))


def in_channels(levels: Levels, channels: int) -> Levels:
    """The levels of mono audio that sounds from so many channels."""
    powers = levels.loudness.block_powers * channels
    return replace(levels, loudness=replace(levels.loudness, block_powers=powers))


def level_db(parts: Iterable[Loudness], *, in_rms: bool) -> float:
    """The level of all parts together: RMS in dBFS, or loudness in LUFS; -inf for silence."""
    return rms_db(parts) if in_rms else integrated_lufs(parts)


def plan_gain(
    parts: Iterable[Loudness], mastering: Mastering | None = None, channels: int = 1
) -> MasterPlan:
    """The gain that brings all parts of mono audio together to the target, in so many channels.

    0 dB for silence, which has no level to aim at, and MAX_GAIN_DB at most. Rounded to a thousandth
    of a decibel, so that processors that round the loudness differently hardly ever produce
    different files.
    """
    mastering = mastering or Mastering()
    in_rms = mastering.target_rms_db is not None
    target_db = (
        mastering.target_lufs if mastering.target_rms_db is None else mastering.target_rms_db
    )
    # The same in two channels is as much louder as their powers add up; RMS is of each channel.
    own_db = level_db(parts, in_rms=in_rms) + (0 if in_rms else 10 * math.log10(channels))
    has_sound = math.isfinite(own_db)
    gain_db = target_db - own_db if has_sound else 0.0
    aim = Aim(mastering.ceiling_dbtp, target_db if has_sound else None, in_rms)
    gain_db = round(min(gain_db, MAX_GAIN_DB), 3)
    return MasterPlan(gain_db, mastering.ceiling_dbtp, aim, base_db=gain_db)


def limiter_loss_db(
    blocks: Iterable[Samples], plan: MasterPlan, sample_rate: int, *, in_rms: bool
) -> float:
    """How much the limiter takes of the level of the audio of `blocks`."""
    whole, limited = LoudnessMeter(sample_rate), LoudnessMeter(sample_rate)

    def observed() -> Iterator[Samples]:
        for block in blocks:
            whole.add(block)
            yield block

    for block in apply(observed(), plan, sample_rate):
        limited.add(block)
    before, after = (level_db([meter.measured()], in_rms=in_rms) for meter in (whole, limited))
    return before + plan.gain_db - after if math.isfinite(after) else 0.0


def with_limiter_loss(plan: MasterPlan, loss_db: Callable[[MasterPlan], float]) -> MasterPlan:
    """The plan with as much more gain as its limiter takes, but for `max_makeup_db` at most.

    `loss_db` gives what the limiter of a plan takes; each call reads audio once. More gain meets a
    limiter that takes more, so the next gain is where a line through the last two meets the target
    (the secant method).
    """
    wanted_db = plan.gain_db  # by which the level has to rise
    last_db, last_rise_db, slope = wanted_db, wanted_db - loss_db(plan), 1.0
    for _ in range(MAX_MEASURED - 1):
        missing_db = wanted_db - last_rise_db
        gain_db = min(round(last_db + missing_db / slope, 3), plan.planned_highest_db)
        if abs(missing_db) <= MAKEUP_WITHIN_LU or gain_db == last_db:
            break
        plan = replace(plan, gain_db=gain_db)
        rise_db = gain_db - loss_db(plan)
        slope = max((rise_db - last_rise_db) / (gain_db - last_db), MIN_SLOPE)
        last_db, last_rise_db = gain_db, rise_db
    return replace(plan, slope=round(min(slope, 1.0), 3))


def apply(blocks: Iterable[Samples], plan: MasterPlan, sample_rate: int) -> Iterator[Samples]:
    """The audio of `blocks` with the plan's gain, limited to its ceiling.

    Every sample keeps its position, and is exactly gain times input wherever no limiting is needed.
    """
    gain = np.float32(10 ** (plan.gain_db / 20))
    amplified = (block * gain for block in blocks)
    return limit(amplified, 10 ** (plan.ceiling_dbtp / 20), sample_rate)
