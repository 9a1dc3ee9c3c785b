"""Joins shards and pauses into one continuous waveform. Knows nothing about files or loudness.

    shard A, trimmed       pause        shard B, trimmed      shard C, trimmed   pause
    ▁▃▆█▇▅▆▇▅▃▁ ─────────────────── ▁▃▅▇█▆▅▃╲╱▂▄▆█▇▅▃▁ ───────────
      fade in   fade out          fade in   crossfade (no pause between B and C)

Joining changes a shard only within 20 ms of its ends; the rest passes through bit for bit.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from audiomill.outputs.audio.loudness import LoudnessMeter
from audiomill.outputs.audio.quality import measured_traits
from audiomill.outputs.types import Cue, MeasuredChapter, ShardTraits
from audiomill.renderers.base import Samples

FADE_S = 0.005  # next to silence: too short to be heard as a fade, too long to click
CROSSFADE_S = 0.020  # between shards without a pause: about two periods of a low voice
# Two shards nearly in antiphase cancel. Full compensation would amplify the remainder too much.
MIN_CORRELATION = -0.75

FRAME_S = 0.005  # levels are measured over frames of this length
MAX_FRAMES = 512  # converted to float64 at a time, to bound memory
# Kept before the first and after the last frame that is voiced. A word decays more slowly than it
# begins.
GUARD_BEFORE_S = 0.015
GUARD_AFTER_S = 0.030
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
SILENT_POWER = 1e-9  # a shard whose loudest frame is below -90 dBFS is silent
DC_TOLERANCE = 1e-3  # -60 dBFS; subtracting a smaller offset would do more harm than good


@dataclass(frozen=True, slots=True)
class Clip:
    """One shard as it came from the store, and the silence that follows it."""

    segment_id: str
    samples: Samples
    pause_after_s: float  # 0 where the voice continues in the next clip


@dataclass(frozen=True, slots=True)
class Joined:
    """The next samples of the chapter, and the cue of the segment that begins in them."""

    samples: Samples
    cue: Cue | None


@dataclass(frozen=True, slots=True)
class _TrimmedClip:
    segment_id: str
    samples: Samples
    n_trimmed: int  # samples cut from the start
    n_pause: int  # samples of silence after the clip


def measure_chapter(
    title: str, level: int, clips: Iterable[Clip], sample_rate: int, *, lead_s: float = 0.0
) -> MeasuredChapter:
    """Join the clips and return what is measured of the chapter and its clips, without samples."""
    meter = LoudnessMeter(sample_rate)
    cues: list[Cue] = []
    traits: list[ShardTraits | None] = []

    def observed() -> Iterator[Clip]:
        for clip in clips:
            traits.append(measured_traits(clip.samples, sample_rate))
            yield clip

    for joined in join(observed(), sample_rate, lead_s=lead_s):
        meter.add(joined.samples)
        if joined.cue is not None:
            cues.append(joined.cue)
    loudness = meter.measured()
    return MeasuredChapter(
        title, level, loudness.n_samples, sample_rate, loudness, tuple(cues), tuple(traits)
    )


def join(clips: Iterable[Clip], sample_rate: int, *, lead_s: float = 0.0) -> Iterator[Joined]:
    """The clips in order, trimmed, faded and separated by exactly their pauses, after `lead_s`.

    Total samples: lead + trimmed lengths + pauses - overlaps. Two clips without a pause overlap by
    20 ms, or by half of the shorter clip if that is less. Holds two clips at most.
    """
    position = round(lead_s * sample_rate)
    if position:
        yield Joined(_silence(position), None)
    trimmed_clips = (_trimmed(clip, sample_rate) for clip in clips)
    previous, overlap = None, 0
    for clip, following in _with_next(trimmed_clips):
        joined, overlap_after = _placed(previous, clip, following, position, overlap, sample_rate)
        yield joined
        position += joined.samples.size
        previous, overlap = clip, overlap_after


def crossfade(ending: Samples, beginning: Samples) -> Samples:
    """Fade from `ending` to `beginning`, of equal length, at constant power.

    cos/sin gains keep the power of uncorrelated signals, but would raise two equal tones by 3 dB.
    So the result is divided by the power that the two have together, computed from their
    correlation. That changes uncorrelated signals hardly at all; two equal signals pass unchanged.
    """
    angle = (np.arange(ending.size) + 0.5) * (np.pi / 2 / ending.size)
    gain_out, gain_in = np.cos(angle), np.sin(angle)
    a, b = ending.astype(np.float64), beginning.astype(np.float64)
    power_a, power_b, cross = float(a @ a), float(b @ b), float(a @ b)
    cross = max(cross, MIN_CORRELATION * float(np.sqrt(power_a * power_b)))
    wanted = gain_out**2 * power_a + gain_in**2 * power_b
    actual = wanted + 2 * gain_out * gain_in * cross
    level = np.sqrt(np.divide(wanted, actual, out=np.ones_like(wanted), where=actual > 0))
    return (level * (gain_out * a + gain_in * b)).astype(np.float32)


def without_dc(samples: Samples) -> Samples:
    """The samples without their DC offset; unchanged if it is within DC_TOLERANCE.

    An offset moves the mean and the median. A few one-sided pulses between silence move only the
    mean; subtracting that would turn the silence into a step.
    """
    # The float32 mean is fast, and exact enough to tell where the slow checks are needed.
    if not samples.size or abs(float(samples.sum())) / samples.size < DC_TOLERANCE / 2:
        return samples
    mean = float(samples.mean(dtype=np.float64))
    if abs(mean) <= DC_TOLERANCE or float(np.median(samples)) * np.sign(mean) <= DC_TOLERANCE:
        return samples
    return samples - np.float32(mean)


def voiced_bounds(samples: Samples, sample_rate: int) -> tuple[int, int]:
    """The range [start, end) without leading and trailing silence; (0, 0) if all is silent.

    The thresholds depend on the shard's own loudest frame and on its noise. So a quiet voice is
    trimmed like a loud one, and hiss before the voice counts as silence. What is within 45 dB of
    the loudest frame and within 250 ms of sure voice is never taken; nor is what raises the
    noise there by 2 dB.
    """
    frame = max(1, round(FRAME_S * sample_rate))
    powers = _frame_powers(samples, frame)
    if not powers.size or powers.max() < SILENT_POWER:
        return 0, 0
    averages = _averages(powers)
    sure, soft = _thresholds(float(powers.max()), float(averages.min()))
    n_before = _n_unvoiced(powers, averages, sure, soft)
    n_after = _n_unvoiced(powers[::-1], averages[::-1], sure, soft)
    start = n_before * frame - round(GUARD_BEFORE_S * sample_rate)
    end = (powers.size - n_after) * frame + round(GUARD_AFTER_S * sample_rate)
    return max(0, start), min(samples.size, end)


def _with_next(clips: Iterable[_TrimmedClip]) -> Iterator[tuple[_TrimmedClip, _TrimmedClip | None]]:
    """Each clip with the one that follows it."""
    clip = None
    for following in clips:
        if clip is not None:
            yield clip, following
        clip = following
    if clip is not None:
        yield clip, None


def _trimmed(clip: Clip, sample_rate: int) -> _TrimmedClip:
    samples = without_dc(clip.samples)
    start, end = voiced_bounds(samples, sample_rate)
    n_pause = round(clip.pause_after_s * sample_rate)
    return _TrimmedClip(clip.segment_id, samples[start:end], start, n_pause)


def _placed(
    previous: _TrimmedClip | None,
    clip: _TrimmedClip,
    following: _TrimmedClip | None,
    position: int,
    overlap_before: int,
    sample_rate: int,
) -> tuple[Joined, int]:
    """The samples of `clip` from `position` on, and its overlap with `following`.

    The samples of an overlap are returned with the later clip; the cues of both segments meet in
    the middle of the overlap.
    """
    overlap_after = _overlap(clip, following, sample_rate)
    n_kept = clip.samples.size - overlap_after
    samples = np.empty(n_kept + clip.n_pause, np.float32)
    samples[:n_kept], samples[n_kept:] = clip.samples[:n_kept], 0.0
    _fade(samples[:n_kept], clip, sample_rate, start=not overlap_before, end=not overlap_after)
    if previous is not None and overlap_before:
        ending = previous.samples[previous.samples.size - overlap_before :]
        samples[:overlap_before] = crossfade(ending, samples[:overlap_before])
    cue = Cue(
        clip.segment_id,
        start=position + overlap_before // 2,
        end=position + n_kept + overlap_after // 2,
        origin=position - clip.n_trimmed,
    )
    return Joined(samples, cue), overlap_after


def _overlap(clip: _TrimmedClip, following: _TrimmedClip | None, sample_rate: int) -> int:
    if following is None or clip.n_pause:
        return 0
    halves = clip.samples.size // 2, following.samples.size // 2
    return min(round(CROSSFADE_S * sample_rate), *halves)


def _fade(
    samples: Samples, clip: _TrimmedClip, sample_rate: int, *, start: bool, end: bool
) -> None:
    """Fade `samples`, the kept part of `clip`, in at the start and out at the end, in place."""
    length = min(round(FADE_S * sample_rate), (clip.samples.size + 1) // 2)
    if length and start:
        samples[:length] *= _fade_in(length)
    if length and end:
        samples[samples.size - length :] *= _fade_in(length)[::-1]


@functools.cache
def _fade_in(length: int) -> NDArray[np.float32]:
    """Raised-cosine gains from nearly 0 to nearly 1."""
    angle = (np.arange(length) + 0.5) * (np.pi / 2 / length)
    return (np.sin(angle) ** 2).astype(np.float32)


def _silence(n_samples: int) -> Samples:
    return np.zeros(n_samples, np.float32)


def _frame_powers(samples: Samples, frame: int) -> NDArray[np.float64]:
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


def _averages(powers: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean of each NOISE_FRAMES consecutive powers; of all if there are fewer."""
    n = min(NOISE_FRAMES, powers.size)
    return np.convolve(powers, np.full(n, 1 / n), "valid")


def _thresholds(loudest: float, noise: float) -> tuple[float, float]:
    """The power from which a frame is surely voiced, and the mean of what may be a soft onset."""
    over_noise = noise * _power_ratio(OVER_NOISE_DB)
    if over_noise <= loudest * _power_ratio(LOWEST_DB):  # nothing that is softer can be heard
        return loudest * _power_ratio(LOWEST_DB), inf
    if noise > loudest * _power_ratio(HIDING_DB):
        return min(over_noise, loudest * _power_ratio(NOISIEST_DB)), 0.0
    sure = min(over_noise, loudest * _power_ratio(HIGHEST_DB))
    return sure, noise * _power_ratio(SOFT_OVER_NOISE_DB)


def _power_ratio(db: float) -> float:
    return 10 ** (db / 10)


def _n_unvoiced(
    powers: NDArray[np.float64], averages: NDArray[np.float64], sure: float, soft: float
) -> int:
    """The number of frames before the first voiced one, which may be a soft onset."""
    first = int(np.argmax(powers >= sure))
    earliest = max(0, first - round(SOFT_S / FRAME_S))
    above = np.flatnonzero(averages[earliest:first] >= soft)
    return earliest + int(above[0]) if above.size else first
