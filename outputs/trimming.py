"""Where the voice starts and stops inside one shard. Knows levels, not words."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from renderers.shard import Samples

FRAMES_AT_A_TIME = 512  # that are held in float64 together
FRAME_S = 0.005  # levels are measured over frames of this length
# What is kept beyond the first and last frame over the threshold. A word dies away more slowly
# than it begins.
GUARD_BEFORE_S = 0.015
GUARD_AFTER_S = 0.030
# The threshold lies this far over the shard's own floor, but never outside these two distances
# from its loudest frame: an "f" or "th" is some 30 to 40 dB below a stressed vowel.
OVER_FLOOR_DB = 10.0
LOWEST_DB = -60.0
HIGHEST_DB = -45.0
SILENT_POWER = 1e-9  # a shard whose loudest frame is under -90 dBFS holds nothing to hear
DC_TOLERANCE = 1e-3  # -60 dBFS; below it, subtracting would disturb more than it mends


def without_dc(samples: Samples) -> Samples:
    """The samples around zero: unchanged, unless they are off by more than DC_TOLERANCE.

    An offset moves mean and median alike. A few odd pulses between silence move only the mean,
    and to subtract that would make the silence a step.
    """
    # What float32 makes of the mean says where a closer look is needed.
    if not samples.size or abs(float(samples.sum())) / samples.size < DC_TOLERANCE / 2:
        return samples
    mean = float(samples.mean(dtype=np.float64))
    if abs(mean) <= DC_TOLERANCE or float(np.median(samples)) * np.sign(mean) <= DC_TOLERANCE:
        return samples
    return samples - np.float32(mean)


def voiced_bounds(samples: Samples, sample_rate: int) -> tuple[int, int]:
    """The range [start, end) of samples that is not leading or trailing silence; (0, 0) if all is.

    Silence is judged against the shard's own loudest and quietest frames, so that a quiet voice
    is trimmed like a loud one and hiss before the voice counts as silence.
    """
    frame = max(1, round(FRAME_S * sample_rate))
    powers = _frame_powers(samples, frame)
    if not powers.size or powers.max() < SILENT_POWER:
        return 0, 0
    voiced = np.flatnonzero(powers >= _threshold(powers))
    start = int(voiced[0]) * frame - round(GUARD_BEFORE_S * sample_rate)
    end = (int(voiced[-1]) + 1) * frame + round(GUARD_AFTER_S * sample_rate)
    return max(0, start), min(samples.size, end)


def _frame_powers(samples: Samples, frame: int) -> NDArray[np.float64]:
    """Mean squares of consecutive frames; the last may be shorter."""
    n_whole = samples.size // frame
    frames, rest = samples[: n_whole * frame].reshape(n_whole, frame), samples[n_whole * frame :]
    parts = [frames[at : at + FRAMES_AT_A_TIME] for at in range(0, n_whole, FRAMES_AT_A_TIME)]
    if rest.size:
        parts.append(rest.reshape(1, -1))
    return np.concatenate([np.empty(0), *map(_mean_squares, parts)])


def _mean_squares(frames: Samples) -> NDArray[np.float64]:
    exact = frames.astype(np.float64)
    return np.einsum("ij,ij->i", exact, exact) / frames.shape[1]


def _threshold(powers: NDArray[np.float64]) -> float:
    loudest = float(powers.max())
    over_floor = float(powers.min()) * 10 ** (OVER_FLOOR_DB / 10)
    lowest, highest = loudest * 10 ** (LOWEST_DB / 10), loudest * 10 ** (HIGHEST_DB / 10)
    return min(max(over_floor, lowest), highest)
