"""The levels of a shard by frame, and from which level on a frame is voiced.

The thresholds depend on the shard's own loudest frame and on its noise. So a quiet voice counts as
a loud one does, and hiss before the voice counts as silence. What is within 45 dB of the loudest
frame and within 250 ms of sure voice is voiced, and so is what raises the noise there by 2 dB.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from audiomill.renderers.engine.protocol import Samples

FRAME_S = 0.005  # levels are measured over frames of this length
MAX_FRAMES = 512  # converted to float64 at a time, to bound memory
# A frame is surely voiced this far above the shard's noise, but from these two distances from its
# loudest frame: an "f" or "th" is some 30 to 40 dB below a stressed vowel.
OVER_NOISE_DB = 10.0
LOWEST_DB = -60.0
HIGHEST_DB = -45.0
# A soft onset or ending stands out of the noise by less. It is looked for within 250 ms, as by
# Rabiner and Sambur, "An algorithm for determining the endpoints of isolated utterances", 1975.
# Noise above HIDING_DB could hide one of HIGHEST_DB; there all 250 ms are kept.
SOFT_S = 0.250
SOFT_OVER_NOISE_DB = 2.0
HIDING_DB = HIGHEST_DB - SOFT_OVER_NOISE_DB
NOISIEST_DB = -20.0  # what is louder than this is voiced, however noisy the shard is
NOISE_FRAMES = 5  # averaged: single frames of noise vary by several decibels
EDGE_FRAMES = 2


@dataclass(frozen=True, slots=True)
class VoiceLevels:
    """The levels of a shard by frame, and the frames in which it is voiced for sure."""

    powers: NDArray[np.float64]
    sure: NDArray[np.bool_]  # the frames that are voiced without doubt
    averages: NDArray[np.float64]  # of NOISE_FRAMES powers from a frame on
    word_power: float  # of a frame that is no pause between two words
    soft_power: float  # the average from which there may be a soft sound

    def start_of_words(self, first: int) -> int:
        """Where the pause ends before a voice that is kept from frame `first` on.

        What is fainter is heard as a part of the pause, unless noise might hide a soft sound.
        """
        if self.soft_power < inf:
            return first
        return int(np.flatnonzero(self.powers >= self.word_power)[0])

    def end_of_words(self, last: int) -> int:
        """Where the pause begins after a voice that is kept up to frame `last`.

        What it fades to is heard as a part of the pause, unless noise might hide a soft sound.
        """
        if self.soft_power < inf:
            return last
        return int(np.flatnonzero(self.powers >= self.word_power)[-1]) + 1

    def start_of_voice(self, quiet: int, sure: int) -> int:
        """Where the voice begins that is sure from frame `sure` on, not before frame `quiet`."""
        earliest = max(quiet, sure - round(SOFT_S / FRAME_S))
        above = np.flatnonzero(self.averages[earliest:sure] >= self.soft_power)
        return earliest + int(above[0]) if above.size else sure

    def without_soft_sounds(self, start: int, end: int) -> tuple[int, int] | None:
        """The quiet frames [start, end) without soft sounds at both ends; None if none are left."""
        start = self.end_of_voice(start, end)
        end = self.start_of_voice(start, end)
        return (start, end) if start < end else None

    def end_of_voice(self, sure: int, quiet: int) -> int:
        """Where the voice ends that is sure up to frame `sure`, not after frame `quiet`."""
        n_before = (
            self.powers.size - self.averages.size
        )  # frames without an average that ends there
        latest = min(quiet, sure + round(SOFT_S / FRAME_S))
        first = max(0, sure - n_before)
        above = np.flatnonzero(
            self.averages[first : max(first, latest - n_before)] >= self.soft_power
        )
        return first + int(above[-1]) + n_before + 1 if above.size else sure


def voice_levels(powers: NDArray[np.float64]) -> VoiceLevels:
    """The levels of a shard whose frames have these powers, [n_frames]."""
    n = min(NOISE_FRAMES, powers.size)
    averages = np.convolve(powers, np.full(n, 1 / n), "valid")
    # An edge may be silent for less than NOISE_FRAMES.
    quietest = min(averages.min(), powers[:EDGE_FRAMES].mean(), powers[-EDGE_FRAMES:].mean())
    loudest = float(powers.max())
    sure, soft = _thresholds(loudest, float(quietest))
    word = max(sure, loudest * power_ratio(HIGHEST_DB))
    return VoiceLevels(powers, powers >= sure, averages, word, soft)


def frame_powers(samples: Samples, frame: int) -> NDArray[np.float64]:
    """Mean squares of consecutive frames of `frame` samples; the last may be shorter."""
    n_whole = samples.size // frame
    frames, rest = samples[: n_whole * frame].reshape(n_whole, frame), samples[n_whole * frame :]
    groups = [frames[at : at + MAX_FRAMES] for at in range(0, n_whole, MAX_FRAMES)]
    if rest.size:
        groups.append(rest.reshape(1, -1))
    return np.concatenate([np.empty(0), *map(_mean_squares, groups)])


def _mean_squares(frames: Samples) -> NDArray[np.float64]:
    exact = frames.astype(np.float64)
    return np.einsum("ij,ij->i", exact, exact) / frames.shape[1]


def _thresholds(loudest: float, noise: float) -> tuple[float, float]:
    """The power from which a frame is surely voiced, and the mean of what may be a soft onset."""
    over_noise = noise * power_ratio(OVER_NOISE_DB)
    if over_noise <= loudest * power_ratio(LOWEST_DB):  # nothing that is softer can be heard
        return loudest * power_ratio(LOWEST_DB), inf
    if noise > loudest * power_ratio(HIDING_DB):
        return min(over_noise, loudest * power_ratio(NOISIEST_DB)), 0.0
    sure = min(over_noise, loudest * power_ratio(HIGHEST_DB))
    return sure, noise * power_ratio(SOFT_OVER_NOISE_DB)


def power_ratio(db: float) -> float:
    """The ratio of powers that so many decibels are."""
    return 10 ** (db / 10)
