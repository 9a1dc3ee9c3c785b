"""Measures of a shard that show whether its audio is whole. One pass; knows no text and no book.

    samples   ▁▁▃▆█▇▅▆▇▅▃▁▁▁▁▁▁▁▁▁▁▃▅▇█▆▅▃▁▁
                ├──────────hole──────┤          voiced: within 45 dB of the loudest frame
              start                    end

`own_faults` finds what is a fault in any shard. Whether a shard is too short, too quiet or cut off
can be told only beside the others of its book: see `flows/pipeline/suspects.py`.

It takes 22 to 31 microseconds per second of audio (docs/design/quality.md).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from audiomill.renderers.engine.faults import Fault, Finding
from audiomill.renderers.engine.protocol import Samples

FRAME_S = 0.010
ONSET_S = 0.001
ENDING_S = 0.005
NOISE_FRAMES = 5
SPEECH_FRAMES = 5  # in a row, of speech and not of a click
SILENT_POWER = 1e-9  # a shard whose loudest frame is below -90 dBFS is silent
VOICED_DB = -45.0  # relative to the loudest frame: a weak consonant is 30 to 40 dB below a vowel
# Speech is asymmetric, so that its mean is up to 0.004 although its pauses are zero.
SMALLEST_OFFSET = 0.01
SPEECH_DB = -30.0  # vowels and strong consonants, which make the level

# Three samples in a row at full scale is how mastering tools count an overload (Bob Katz,
# "Mastering Audio", 2002). An engine may clip below full scale, so it is the shard's own peak here.
CLIPPED_RUN = 3
HALF_STEP = 1 / (1 << 16)  # of 16 bits
QUIETEST_CLIPPED = 0.1  # below, a few steps of 16 bits are as flat as a clipped top

# Clean speech of espeak-ng, 12,000 segments in 140 languages at speeds from 0.5 to 2.5, has at most
# two samples in a row at its peak, and pauses up to 1.1 s, at speed 0.5.
MAX_CLIPPED = 9  # samples, in three flat tops
MAX_HOLE_S = 2.0  # at speed 1 and above; a slower voice makes longer pauses


@dataclass(frozen=True, slots=True)
class ShardTraits:
    """What the samples of a shard tell of their quality. Positions are samples of the shard.

    A frame of 10 ms is voiced if it is within 45 dB of the loudest one.
    """

    start: int  # of the first voiced frame
    end: int  # of the last voiced frame
    level_dbfs: float  # of the voiced frames within 30 dB of the loudest one
    offset: float  # DC, full scale 1
    n_clipped: int  # samples in flat tops at the highest level
    first_clipped: int
    hole_start: int  # the longest silence between voiced frames
    hole_end: int
    onset_db: float  # the level of the first millisecond, relative to the loudest frame
    first_step: float  # the first sample's size, relative to the highest
    ending: int  # the first sample of the last 5 ms
    ending_db: float  # their level
    noise_dbfs: float = -120.0  # of the quietest 50 ms; -120 where they are digital silence
    # Of the last 50 ms or more of voiced frames: a click or a breath after a word is shorter. 0
    # where all are shorter.
    speech_end: int = 0


def measured_traits(samples: Samples, sample_rate: int) -> ShardTraits | None:
    """The traits of a shard; None if it is silent."""
    offset = float(samples.mean()) if samples.size else 0.0
    if abs(offset) > SMALLEST_OFFSET:  # silence would seem to be sound
        samples = samples - np.float32(offset)
    frame = round(FRAME_S * sample_rate)
    powers = _frame_powers(samples, frame)
    loudest = float(powers.max(initial=0.0))
    if loudest < SILENT_POWER:
        return None
    voiced = np.flatnonzero(powers >= loudest * 10 ** (VOICED_DB / 10))
    hole_start, hole_end = _longest_hole(voiced)
    peak = max(float(samples.max()), -float(samples.min()))
    first_clipped, n_clipped = _flat_tops(samples, peak)
    ending = max(0, samples.size - round(ENDING_S * sample_rate))
    return ShardTraits(
        start=int(voiced[0]) * frame,
        end=(int(voiced[-1]) + 1) * frame,
        level_dbfs=_db(powers[powers >= loudest * 10 ** (SPEECH_DB / 10)].mean()),
        offset=offset,
        n_clipped=n_clipped,
        first_clipped=first_clipped,
        hole_start=hole_start * frame,
        hole_end=hole_end * frame,
        onset_db=_db(_power(samples[: round(ONSET_S * sample_rate)]) / loudest),
        first_step=abs(float(samples[0])) / peak,
        ending=ending,
        ending_db=_db(_power(samples[ending:]) / loudest),
        noise_dbfs=_db(_quietest(powers)),
        speech_end=_end_of_last_run(voiced) * frame,
    )


def own_faults(traits: ShardTraits, sample_rate: int, speed: float) -> Iterator[Finding]:
    """The faults that need no comparison with other shards."""
    hole_s = (traits.hole_end - traits.hole_start) / sample_rate
    if hole_s > MAX_HOLE_S / min(1.0, speed):
        yield Finding(Fault.HOLE, traits.hole_start, f"{hole_s:.1f} s")
    if traits.n_clipped > MAX_CLIPPED:
        yield Finding(Fault.CLIPPED, traits.first_clipped, f"{traits.n_clipped} samples")


def _frame_powers(samples: Samples, frame: int) -> NDArray[np.float32]:
    """Mean squares of the whole frames, or of all samples if there are fewer than one frame has.

    float32 is exact enough for levels, and four times as fast.
    """
    n_whole = samples.size // frame
    frames = samples[: n_whole * frame].reshape(n_whole, frame) if n_whole else samples[None, :]
    return np.einsum("ij,ij->i", frames, frames) / np.float32(max(1, frames.shape[1]))


def _quietest(powers: NDArray[np.float32]) -> float:
    """The lowest power of NOISE_FRAMES frames in a row."""
    n = min(NOISE_FRAMES, powers.size)
    return float(np.convolve(powers, np.full(n, 1 / n, np.float32), "valid").min())


def _end_of_last_run(voiced: NDArray[np.intp]) -> int:
    """The end of the last run of SPEECH_FRAMES or more voiced frames; 0 if there is none."""
    ends = np.append(np.flatnonzero(np.diff(voiced) > 1), voiced.size - 1)
    lengths = np.diff(ends, prepend=-1)
    long_runs = ends[lengths >= SPEECH_FRAMES]
    return int(voiced[long_runs[-1]]) + 1 if long_runs.size else 0


def _longest_hole(voiced: NDArray[np.intp]) -> tuple[int, int]:
    """The frames [start, end) of the longest silence between voiced frames."""
    gaps = np.diff(voiced)
    if not gaps.size:
        return 0, 0
    longest = int(gaps.argmax())
    return int(voiced[longest]) + 1, int(voiced[longest + 1])


def _flat_tops(samples: Samples, peak: float) -> tuple[int, int]:
    """The first sample in a flat top at the peak, and how many are in any; (0, 0) if none.

    A flat top is CLIPPED_RUN samples in a row that equal the highest or the lowest sample.
    """
    if peak < QUIETEST_CLIPPED:
        return 0, 0
    found = [
        run
        for is_flat in (samples >= peak - HALF_STEP, samples <= HALF_STEP - peak)
        if np.count_nonzero(is_flat) >= CLIPPED_RUN
        for run in _long_runs(np.flatnonzero(is_flat))
    ]
    return min((first for first, _ in found), default=0), sum(length for _, length in found)


def _long_runs(at: NDArray[np.intp]) -> Iterator[tuple[int, int]]:
    """The first and the length of each run of consecutive numbers that has CLIPPED_RUN or more."""
    edges = np.concatenate(([0], np.flatnonzero(np.diff(at) > 1) + 1, [at.size]))
    lengths = np.diff(edges)
    for run in np.flatnonzero(lengths >= CLIPPED_RUN):
        yield int(at[edges[run]]), int(lengths[run])


def _power(samples: Samples) -> float:
    return float(samples @ samples) / max(1, samples.size)


def _db(power: float) -> float:
    """A power in decibels; -120 dB at least."""
    return float(10 * np.log10(max(power, 1e-12)))
