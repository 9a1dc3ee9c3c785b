"""One gain for a whole book, to a loudness and under a ceiling. Knows decibels, not files.

A gain per chapter would undo what an author, or an engine, meant to be quiet; so the book keeps
its own dynamics, and only what would go over the ceiling is held down.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from audiomill.outputs.audio.limiter import limit
from audiomill.outputs.audio.loudness import LoudnessMeter, integrated_lufs
from audiomill.outputs.audio.true_peak import PeakMeter
from audiomill.outputs.types import Levels, Loudness
from audiomill.renderers.base import Samples

MAX_GAIN_DB = 30.0  # what needs more is noise, not a voice


@dataclass(frozen=True, slots=True)
class Mastering:
    """What is wanted of a finished book."""

    target_lufs: float = -19.0  # mono; sounds as loud as stereo at -16
    ceiling_dbtp: float = -1.5  # lossy coding adds 0.1 dB as AAC, up to 0.7 dB as MP3


@dataclass(frozen=True, slots=True)
class MasterPlan:
    """What is done to every sample of a book."""

    gain_db: float
    ceiling_dbtp: float


def plan_gain(parts: Iterable[Loudness], mastering: Mastering | None = None) -> MasterPlan:
    """The gain that brings all parts together to the target.

    None for silence, and never more than MAX_GAIN_DB. In whole thousandths of a decibel, so that
    processors which round the loudness differently hardly ever differ in a book's bytes.
    """
    mastering = mastering or Mastering()
    lufs = integrated_lufs(parts)
    wanted_db = mastering.target_lufs - lufs if math.isfinite(lufs) else 0.0
    return MasterPlan(round(min(wanted_db, MAX_GAIN_DB), 3), mastering.ceiling_dbtp)


def apply(blocks: Iterable[Samples], plan: MasterPlan, sample_rate: int) -> Iterator[Samples]:
    """The blocks at the planned gain and under its ceiling, sample for sample in place.

    Exactly gain times input wherever that is under the ceiling.
    """
    gain = np.float32(10 ** (plan.gain_db / 20))
    louder = (block * gain for block in blocks)
    return limit(louder, 10 ** (plan.ceiling_dbtp / 20), sample_rate)


# What encoders are given, measured as it passes:


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


def metered(blocks: Iterable[Samples], meters: Sequence[LevelMeter]) -> Iterator[Samples]:
    """The blocks, measured as they pass by all `meters`, if there are any."""
    for block in blocks:
        for meter in meters:
            meter.add(block)
        yield block
