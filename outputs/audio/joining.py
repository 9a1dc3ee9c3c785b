"""Shards and pauses to one continuous waveform. Knows samples, not files, books or loudness.

    shard A, trimmed       pause        shard B, trimmed      shard C, trimmed   pause
    ▁▃▆█▇▅▆▇▅▃▁ ─────────────────── ▁▃▅▇█▆▅▃╲╱▂▄▆█▇▅▃▁ ───────────
      fade in   fade out          fade in   crossfade (no pause asked for)

What a join does to a shard stays within 20 ms of its ends: the rest passes through bit for bit.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from audiomill.outputs.audio.loudness import LoudnessMeter
from audiomill.outputs.types import Cue, MasteredChapter
from audiomill.renderers.base import Samples

# Where the voice starts and stops inside one shard.

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


FADE_S = 0.005  # next to silence: too short to be heard as a fade, too slow to click
CROSSFADE_S = 0.020  # where the voice runs on: some two periods of a low voice
# Two shards nearly in antiphase cancel; to make up for all of it would blow up what is left.
MIN_CORRELATION = -0.75


@dataclass(frozen=True, slots=True)
class Clip:
    """One shard as it came from the store, and the silence that follows it."""

    segment_id: str
    samples: Samples
    pause_after_s: float  # 0 where the voice runs on into the next piece


@dataclass(frozen=True, slots=True)
class Joined:
    """The next samples of the chapter; `cue` is that of the segment that begins in them."""

    samples: Samples
    cue: Cue | None


@dataclass(frozen=True, slots=True)
class _TrimmedClip:
    """A piece, trimmed."""

    segment_id: str
    samples: Samples
    trimmed: int  # samples cut from its start
    pause: int  # samples of silence after it


def join(pieces: Iterable[Clip], sample_rate: int, *, lead_s: float = 0.0) -> Iterator[Joined]:
    """The pieces in order, trimmed, faded, and apart by exactly their pauses, after `lead_s`.

    Samples in all: lead + trimmed lengths + pauses - overlaps, where two pieces without a pause
    overlap by 20 ms or by half of the shorter one. Never holds more than two pieces.
    """
    position = round(lead_s * sample_rate)
    if position:
        yield Joined(_silence(position), None)
    takes = (_take(piece, sample_rate) for piece in pieces)
    before, overlap = None, 0
    for take, after in _with_next(takes):
        joined, overlap_after = _placed(before, take, after, position, overlap, sample_rate)
        yield joined
        position += joined.samples.size
        before, overlap = take, overlap_after


def _with_next(takes: Iterable[_TrimmedClip]) -> Iterator[tuple[_TrimmedClip, _TrimmedClip | None]]:
    take = None
    for after in takes:
        if take is not None:
            yield take, after
        take = after
    if take is not None:
        yield take, None


def _take(piece: Clip, sample_rate: int) -> _TrimmedClip:
    samples = without_dc(piece.samples)
    start, end = voiced_bounds(samples, sample_rate)
    pause = round(piece.pause_after_s * sample_rate)
    return _TrimmedClip(piece.segment_id, samples[start:end], start, pause)


def _placed(
    before: _TrimmedClip | None,
    take: _TrimmedClip,
    after: _TrimmedClip | None,
    position: int,
    overlap_before: int,
    sample_rate: int,
) -> tuple[Joined, int]:
    """`take` as it sounds from `position` on, and by how much `after` will overlap it.

    The samples of an overlap are written with the later of the two; their segments' cues meet
    in its middle.
    """
    overlap_after = _overlap(take, after, sample_rate)
    kept = take.samples.size - overlap_after
    samples = np.empty(kept + take.pause, np.float32)
    samples[:kept], samples[kept:] = take.samples[:kept], 0.0
    _fade(samples[:kept], take, sample_rate, start=not overlap_before, end=not overlap_after)
    if before is not None and overlap_before:
        ending = before.samples[before.samples.size - overlap_before :]
        samples[:overlap_before] = crossfade(ending, samples[:overlap_before])
    cue = Cue(
        take.segment_id,
        start=position + overlap_before // 2,
        end=position + kept + overlap_after // 2,
        origin=position - take.trimmed,
    )
    return Joined(samples, cue), overlap_after


def _overlap(take: _TrimmedClip, after: _TrimmedClip | None, sample_rate: int) -> int:
    if after is None or take.pause:
        return 0
    halves = take.samples.size // 2, after.samples.size // 2
    return min(round(CROSSFADE_S * sample_rate), *halves)


def crossfade(ending: Samples, beginning: Samples) -> Samples:
    """`ending` into `beginning`, of equal length, with the power level all the way through.

    cos/sin gains keep the power of unrelated signals, but two equal tones would rise by 3 dB.
    So the power that the two really have together, by their correlation, is divided out: for
    unrelated signals that is nearly nothing, and two equal ones pass unchanged.
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


def _fade(
    samples: Samples, take: _TrimmedClip, sample_rate: int, *, start: bool, end: bool
) -> None:
    """Have what is kept of `take` rise from silence, and fall to it, in place, where asked."""
    length = min(round(FADE_S * sample_rate), (take.samples.size + 1) // 2)
    if length and start:
        samples[:length] *= _rise(length)
    if length and end:
        samples[samples.size - length :] *= _rise(length)[::-1]


@functools.cache
def _rise(length: int) -> NDArray[np.float32]:
    """A raised cosine from nearly 0 to nearly 1."""
    angle = (np.arange(length) + 0.5) * (np.pi / 2 / length)
    return (np.sin(angle) ** 2).astype(np.float32)


def _silence(n_samples: int) -> Samples:
    return np.zeros(n_samples, np.float32)


# A chapter's first pass:


def measure_chapter(
    title: str, level: int, pieces: Iterable[Clip], sample_rate: int, *, lead_s: float = 0.0
) -> MasteredChapter:
    """What the chapter will be: its length, its loudness, and where each segment sounds."""
    meter = LoudnessMeter(sample_rate)
    cues: list[Cue] = []
    for joined in join(pieces, sample_rate, lead_s=lead_s):
        meter.add(joined.samples)
        if joined.cue is not None:
            cues.append(joined.cue)
    loudness = meter.measured()
    return MasteredChapter(title, level, loudness.n_samples, sample_rate, loudness, tuple(cues))
