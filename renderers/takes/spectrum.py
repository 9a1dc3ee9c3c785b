"""The spectrum of a take over time, as coarse as is needed to find repetition and hiss.

`levels_db` has the levels of up to N_BANDS bands, which are spaced as hearing spaces them. Two
moments that sound alike have nearly equal ones, however their phases lie. `flatness` is the
geometric mean of a frame's power spectrum divided by its arithmetic mean: 0.56 for white noise,
whose powers are distributed exponentially, and near 0 for a tone (Johnston, "Transform coding of
audio signals using perceptual noise criteria", 1988).

A stretch of sound that comes twice, as when a model falls into a loop, is like itself some lag
later:

    spectrum, time ─▶      …the mill by the sea by the sea by the sea
    windows of 0.6 s                └──────┘                             correlated with
    the same, some lag later               └──────┘                      at each lag

Only what changes inside a window is correlated, so that a long vowel, a tone or silence, which are
like themselves at every lag, are no repetition.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from audiomill.renderers.engine.protocol import Samples

HOP_S, FRAME_S = 0.020, 0.060  # so much overlap that a repetition may begin between two frames
N_BANDS = 24
LOWEST_HZ, HIGHEST_HZ = 100.0, 7000.0  # most engines have little above
FLOOR_DB = -50.0  # relative to the loudest band: what is softer is silence
WINDOW = 30  # frames: 0.6 s, some three syllables
SHORTEST_LAG = 12  # frames: 0.24 s, a syllable
# Different sentences of one voice correlate up to 0.87, the same word said twice by up to 1.
ALIKE = 0.92
LEAST_CHANGE_DB = 3.0  # what bands change by inside a window, on average; speech: 8 and more


@dataclass(frozen=True, slots=True, eq=False)
class Spectrum:
    """Frames of 60 ms, one every 20 ms; frame t begins at sample t * hop."""

    hop: int  # samples
    levels_db: NDArray[np.float32]  # [n_frames, n_bands], from FLOOR_DB to 0
    powers: NDArray[np.float32]  # [n_frames]
    flatness: NDArray[np.float32]  # [n_frames], 0 to 1


def spectrum_of(samples: Samples, sample_rate: int) -> Spectrum:
    """The spectrum of a take. One that is shorter than a frame has none."""
    size, hop = round(FRAME_S * sample_rate), round(HOP_S * sample_rate)
    if samples.size < size:
        nothing = np.zeros(0, np.float32)
        return Spectrum(hop, np.zeros((0, N_BANDS), np.float32), nothing, nothing)
    frames = np.lib.stride_tricks.sliding_window_view(samples, size)[::hop]
    spectra = np.abs(np.fft.rfft(frames * np.hanning(size).astype(np.float32))) ** 2
    first, last = (round(hz * size / sample_rate) for hz in (LOWEST_HZ, HIGHEST_HZ))
    powers = spectra[:, first : last + 1].astype(np.float32) + np.float32(1e-12)
    bands = powers @ _bands(powers.shape[1])
    levels_db = np.maximum(10 * np.log10(bands / bands.max()), FLOOR_DB)
    flatness = np.exp(np.log(powers).mean(axis=1)) / powers.mean(axis=1)
    return Spectrum(hop, levels_db, powers.mean(axis=1), flatness)


@cache
def _bands(n_bins: int) -> NDArray[np.float32]:
    """[n_bins, n_bands]: which bins each band adds; each band is wider than the one below."""
    edges = np.unique(np.geomspace(1, n_bins + 1, N_BANDS + 1).round().astype(int)) - 1
    bands = np.zeros((n_bins, edges.size - 1), np.float32)
    for number, (first, end) in enumerate(pairwise(edges)):
        bands[first:end, number] = 1 / (end - first)
    return bands


@dataclass(frozen=True, slots=True)
class Repeat:
    """The longest stretch that comes again later. In frames of the spectrum."""

    start: int  # where it comes again
    n_frames: int

    @property
    def duration_s(self) -> float:
        """How long it is."""
        return self.n_frames * HOP_S


NO_REPEAT = Repeat(0, 0)


def longest_repeat(spectrum: Spectrum) -> Repeat:
    """The longest stretch of at least a window that comes again; NO_REPEAT if none does."""
    levels = spectrum.levels_db.astype(np.float64)
    n_lags = len(levels) - WINDOW + 1
    if n_lags <= SHORTEST_LAG:
        return NO_REPEAT
    sums = _window_sums(levels)
    change = _window_sums(np.square(levels).sum(axis=1)) - np.square(sums).sum(axis=1) / WINDOW
    moves = change > WINDOW * levels.shape[1] * LEAST_CHANGE_DB**2
    products, means = levels @ levels.T, sums @ sums.T / WINDOW
    found = NO_REPEAT
    for lag in range(SHORTEST_LAG, n_lags):
        n = n_lags - lag
        both = _window_sums(np.diagonal(products, lag)) - np.diagonal(means, lag)
        limit = ALIKE * np.sqrt(np.maximum(change[:n] * change[lag:], 0))
        start, n_windows = longest_run((both > limit) & moves[:n] & moves[lag:])
        if n_windows and n_windows + WINDOW - 1 > found.n_frames:
            found = Repeat(start + lag, n_windows + WINDOW - 1)
    return found


def repeated_text(spoken: str) -> str:
    """The longest part of a text that comes again in it, of letters and digits only."""
    text = "".join(filter(str.isalnum, spoken.casefold()))
    shortest, longest = 0, len(text) - 1
    while shortest < longest:  # a part of a part that comes again comes again
        middle = (shortest + longest + 1) // 2
        if _part_that_comes_again(text, middle):
            shortest = middle
        else:
            longest = middle - 1
    return _part_that_comes_again(text, shortest) if shortest > 0 else ""


def _part_that_comes_again(text: str, length: int) -> str:
    seen: set[str] = set()
    for start in range(len(text) - length + 1):
        part = text[start : start + length]
        if part in seen:
            return part
        seen.add(part)
    return ""


def _window_sums(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sum of each window of WINDOW values, along the first axis."""
    summed = np.cumsum(values, axis=0)
    sums = summed[WINDOW - 1 :].copy()
    sums[1:] -= summed[:-WINDOW]
    return sums


def longest_run(flags: NDArray[np.bool_]) -> tuple[int, int]:
    """(start, length) of the longest run of true values; (0, 0) if there is none."""
    if not flags.any():
        return 0, 0
    steps = np.diff(np.concatenate(([0], flags.astype(np.int8), [0])))
    starts, ends = np.flatnonzero(steps == 1), np.flatnonzero(steps == -1)
    longest = int((ends - starts).argmax())
    return int(starts[longest]), int(ends[longest] - starts[longest])
