"""Measures of the sound of a file, in one pass and in the same memory for any length.

    blocks [n, channels] ─┬─ each channel ─▶ loudness, true peak, clipping, DC
                          ├─ all channels ─▶ flat tops, dropouts, what is lost in mono
                          └─ frames of 10 ms, all channels ─▶ RMS, noise floor, silence, head, tail

Levels of all channels together are of the mean of their squares, as in Audacity's ACX Check.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from audiomill.outputs.audio.loudness import (
    LoudnessMeter,
    integrated_lufs,
    loudness_range,
    of_channels,
)
from audiomill.outputs.audio.true_peak import PeakMeter, highest
from audiomill.outputs.checking.dropouts import DropoutMeter
from audiomill.outputs.checking.requirements import DIGITAL_SILENCE_DB
from audiomill.outputs.checking.sound_faults import ClippingCounter, FlatTopMeter, MonoMeter
from audiomill.outputs.types import Loudness
from audiomill.renderers.engine.protocol import Samples

Powers = NDArray[np.float64]

FRAME_S = 0.010
# The noise floor is the level of the quietest 500 ms, as in the first ACX Check (McCown, 2015).
FLOOR_FRAMES = 50
# The voice begins where it is louder than the noise floor by this, for three frames; fewer are a
# click. Whatever the floor, that lies between these levels.
OVER_FLOOR_DB = 10.0
LOWEST_VOICE_DB, HIGHEST_VOICE_DB = -60.0, -40.0
SURE_FRAMES = 3
MAX_END_S = 60.0  # of the file's ends, in which the voice is looked for
LEAST_DB = -120.0  # what is below counts as this: 24 bits end at -144


@dataclass(frozen=True, slots=True)
class Signal:
    """Levels are in dB relative to full scale, LEAST_DB for silence."""

    n_samples: int  # of each channel
    sample_rate: int  # Hz
    n_channels: int
    lufs: float  # integrated, BS.1770-4
    range_lu: float  # EBU Tech 3342
    rms_db: float  # of the whole file with its pauses
    peak_db: float  # the highest sample
    true_peak_dbtp: float
    noise_floor_db: float
    silence_s: float  # the longest stretch of digital silence
    pause_s: float  # the longest stretch in which no voice can be
    head_s: float  # before the voice; at most MAX_END_S
    tail_s: float  # after it
    clipped: int  # samples in flat tops at full scale, of all channels
    flat_tops: float  # how many times as many samples are at a level as below it: `sound_faults.py`
    dropouts: int  # holes within the sound
    silent_channels: int  # of several, of which another one sounds
    mono_loss_s: float  # sound that is lost when both channels are added
    dc_offset: float  # of the channel that has the most; full scale 1

    @property
    def length_s(self) -> float:
        """The duration."""
        return self.n_samples / self.sample_rate


class SignalMeter:
    """Measures a stream of samples; how it is cut makes no difference.

    `weights` are those of BS.1770 for each channel.
    """

    def __init__(self, sample_rate: int, weights: Sequence[float]) -> None:
        self._sample_rate = sample_rate
        self._weights = weights
        self._loudness = [LoudnessMeter(sample_rate) for _ in weights]
        self._peaks = [PeakMeter() for _ in weights]
        self._clipping = [ClippingCounter() for _ in weights]
        self._flat_tops = FlatTopMeter(sample_rate)
        self._dropouts = DropoutMeter(sample_rate, len(weights))
        self._mono = MonoMeter(sample_rate, len(weights))
        self._sums = np.zeros(len(weights))
        self._highest = 0.0
        self._frames = FrameMeter(sample_rate, len(weights))

    def add(self, block: Samples) -> None:
        """Measure the next samples, [n, channels]."""
        for meter in (self._frames, self._flat_tops, self._dropouts, self._mono):
            meter.add(block)
        for at in range(len(self._weights)):
            channel = np.ascontiguousarray(block[:, at])
            self._loudness[at].add(channel)
            self._peaks[at].add(channel)
            self._sums[at] += channel.sum(dtype=np.float64)
            peak = highest(channel)
            self._highest = max(self._highest, peak)
            self._clipping[at].add(channel, peak)

    def loudness(self) -> Loudness:
        """The loudness of all channels together so far."""
        return of_channels([meter.measured() for meter in self._loudness], self._weights)

    def measured(self) -> Signal:
        """The measures of all samples so far."""
        frames = self._frames
        n = max(1, frames.n_samples)
        short_term = [
            weight * meter.short_term_powers()
            for meter, weight in zip(self._loudness, self._weights, strict=True)
        ]
        floor_db = frames.noise_floor_db()
        head_s, tail_s = frames.ends_s(floor_db)
        return Signal(
            n_samples=frames.n_samples,
            sample_rate=self._sample_rate,
            n_channels=len(self._weights),
            lufs=max(LEAST_DB, integrated_lufs([self.loudness()])),
            range_lu=loudness_range(np.sum(short_term, axis=0)),
            rms_db=frames.rms_db(),
            peak_db=db(self._highest**2),
            true_peak_dbtp=db(max(meter.measured() for meter in self._peaks) ** 2),
            noise_floor_db=floor_db,
            silence_s=frames.silence_s,
            pause_s=frames.pause_s,
            head_s=head_s,
            tail_s=tail_s,
            clipped=sum(counter.n_clipped for counter in self._clipping),
            flat_tops=self._flat_tops.measured(),
            dropouts=self._dropouts.n_dropouts,
            silent_channels=self._silent_channels(),
            mono_loss_s=self._mono.measured(),
            dc_offset=float(np.abs(self._sums).max() / n),
        )

    def _silent_channels(self) -> int:
        levels = [integrated_lufs([meter.measured()]) for meter in self._loudness]
        n_silent = sum(level <= LEAST_DB for level in levels)
        return n_silent if n_silent < len(levels) else 0


class FrameMeter:
    """Mean squares of frames of 10 ms over all channels, and what they tell."""

    def __init__(self, sample_rate: int, n_channels: int) -> None:
        self.n_samples = 0
        self._energy = 0.0
        self._frame = max(1, round(FRAME_S * sample_rate))
        self._frame_s = self._frame / sample_rate
        self._sample_rate = sample_rate
        self._rest = np.zeros((0, n_channels), np.float32)
        n_kept = round(MAX_END_S / FRAME_S)
        self._first: list[float] = []
        self._last: deque[float] = deque(maxlen=n_kept)
        self._n_kept = n_kept
        self._window = np.zeros(0)  # the frames that the next window of the noise floor needs
        self._floor = np.inf  # the lowest power of a window
        self._silence = _LongestRun(DIGITAL_SILENCE_DB)
        self._pause = _LongestRun(LOWEST_VOICE_DB)

    def add(self, block: Samples) -> None:
        """Measure the next samples, [n, channels]."""
        self.n_samples += len(block)
        samples = np.concatenate((self._rest, block)) if len(self._rest) else block
        n_frames = len(samples) // self._frame
        whole = n_frames * self._frame
        self._rest = samples[whole:].copy()
        if n_frames:
            self._add_frames(self._powers(samples[:whole]))

    def rms_db(self) -> float:
        """The level of all samples, with their pauses."""
        rest = sum(self._rest_power()) * len(self._rest)
        return db((self._energy + rest) / max(1, self.n_samples))

    def noise_floor_db(self) -> float:
        """The level of the quietest window; of all samples if there are fewer."""
        if np.isfinite(self._floor):
            return db(self._floor)
        powers = np.array([*self._first, *self._rest_power()])
        return db(float(powers.mean())) if powers.size else LEAST_DB

    @property
    def silence_s(self) -> float:
        """The longest stretch of whole frames below DIGITAL_SILENCE_DB."""
        return self._silence.longest * self._frame_s

    @property
    def pause_s(self) -> float:
        """The longest stretch of whole frames below LOWEST_VOICE_DB."""
        return self._pause.longest * self._frame_s

    def ends_s(self, floor_db: float) -> tuple[float, float]:
        """The quiet before the voice and after it; each the whole file if there is none."""
        level_db = min(max(floor_db + OVER_FLOOR_DB, LOWEST_VOICE_DB), HIGHEST_VOICE_DB)
        rest_s = len(self._rest) / self._sample_rate
        head = self._quiet_s(self._first, level_db)
        tail = self._quiet_s([*reversed(self._last)], level_db)
        whole_s = self.n_samples / self._sample_rate
        return (
            min(MAX_END_S, whole_s) if head is None else head,
            min(MAX_END_S, whole_s) if tail is None else tail + rest_s,
        )

    def _quiet_s(self, powers: Sequence[float], level_db: float) -> float | None:
        """How long it is quiet from the beginning of `powers`; None for all of it."""
        is_voice = np.array(powers) >= 10 ** (level_db / 10)
        if is_voice.size < SURE_FRAMES:
            return None
        runs = np.convolve(is_voice.astype(np.int64), np.ones(SURE_FRAMES, np.int64), "valid")
        sure = np.flatnonzero(runs == SURE_FRAMES)
        return int(sure[0]) * self._frame_s if sure.size else None

    def _add_frames(self, powers: Powers) -> None:
        self._energy += float(powers.sum()) * self._frame
        if len(self._first) < self._n_kept:
            self._first += powers[: self._n_kept - len(self._first)].tolist()
        self._last.extend(powers[-self._n_kept :].tolist())
        window = np.concatenate((self._window, powers))
        if window.size >= FLOOR_FRAMES:
            means = np.convolve(window, np.ones(FLOOR_FRAMES) / FLOOR_FRAMES, "valid")
            self._floor = min(self._floor, max(0.0, float(means.min())))
        self._window = window[max(0, window.size - FLOOR_FRAMES + 1) :]
        self._silence.add(powers)
        self._pause.add(powers)

    def _powers(self, samples: Samples) -> Powers:
        """The mean squares of whole frames."""
        frames = samples.reshape(len(samples) // self._frame, -1).astype(np.float64)
        return np.einsum("ij,ij->i", frames, frames) / frames.shape[1]

    def _rest_power(self) -> list[float]:
        if not len(self._rest):
            return []
        return [float(np.mean(np.square(self._rest, dtype=np.float64)))]


class _LongestRun:
    """The most frames in a row below a level."""

    def __init__(self, below_db: float) -> None:
        self._below = 10 ** (below_db / 10)
        self._open = 0  # frames of the run that reaches the end so far
        self.longest = 0

    def add(self, powers: Powers) -> None:
        """Look at the next frames."""
        for is_below in (powers < self._below).tolist():
            self._open = self._open + 1 if is_below else 0
            self.longest = max(self.longest, self._open)


def db(power: float) -> float:
    """A power in decibels; LEAST_DB at least."""
    return max(LEAST_DB, float(10 * np.log10(power))) if power > 0 else LEAST_DB
