"""Measures a region as AAC has it, of which only what matters is decoded again.

    input    ▁▂▅▇▅▂▁▁▂▃▂▁▂▆█▆▃▁▁▂▃▃▂▁
    decoded      ▅▇▅     ├──────┤  ▆█▆      frames that may peak, and one stretch of the sound

Decoding all of a region takes a sixth of the time of encoding it. The codec adds a few tenths of a
decibel to a peak, so what is over the ceiling then was near it before; of others only the loudest
are decoded, to tell how high they are. And it changes the loudness by some hundredths, alike
everywhere. So that is measured where it matters, on what was encoded. A short region is decoded as
a whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from audiomill.outputs.audio.loudness import LoudnessMeter
from audiomill.outputs.audio.mastering import LevelMeter, in_channels
from audiomill.outputs.audio.true_peak import highest, inner_peak
from audiomill.outputs.ffmpeg.decoding import decode_stream
from audiomill.outputs.ffmpeg.flv import AAC_FRAME, FlvPackets
from audiomill.outputs.types import Levels, Loudness
from audiomill.renderers.engine.protocol import Samples

WHOLE_S = 30.0  # a region that is shorter is decoded as a whole
STRETCH_S = 4.0  # in the middle of a longer one
REACH_DB = 0.5  # more than a codec is expected to add
N_FADE = 64  # samples at the ends of what is decoded, where no peak is looked for
N_LOUDEST = 20  # frames that are decoded in any case


@dataclass(frozen=True, slots=True)
class AacStream:
    """How a region was encoded: its rate and channels, and the silence before it."""

    sample_rate: int
    channels: int
    n_before: int
    n_samples: int
    executable: str
    name: str  # of the file, in errors


class RegionLog:
    """Takes note of what an encoder gets of one region."""

    def __init__(self, stream: AacStream) -> None:
        self._stream = stream
        self._meter = LoudnessMeter(stream.sample_rate)
        self._peaks: list[Samples] = []
        self._rest = np.zeros(0, np.float32)
        self._n_added = 0
        n_stretch = round(STRETCH_S * stream.sample_rate)
        self._stretch_start = max(0, (stream.n_samples - n_stretch) // 2)
        self._stretch = np.zeros(min(n_stretch, stream.n_samples), np.float32)

    @property
    def is_short(self) -> bool:
        """Whether all of the region is decoded, so that nothing needs to be noted."""
        return self._stream.n_samples <= WHOLE_S * self._stream.sample_rate

    def add_before(self, samples: Samples) -> None:
        """Take note of what precedes the region."""
        if not self.is_short:
            self._add_peaks(samples)

    def add(self, samples: Samples) -> None:
        """Take note of the region's next samples."""
        if self.is_short:
            return
        self._meter.add(samples)
        self._add_peaks(samples)
        start = self._n_added - self._stretch_start
        first, end = max(0, start), min(self._stretch.size, start + samples.size)
        if first < end:
            self._stretch[first:end] = samples[first - start : end - start]
        self._n_added += samples.size

    def measured(self, flv: FlvPackets, lowest: float) -> Levels:
        """The levels of the region as it is encoded in `flv`.

        Frames with a sample of `lowest` (linear) or more are decoded. Raises EncoderFailed.
        """
        if self.is_short:
            return self._measured_whole(flv.whole)
        wanted = self._wanted_frames(lowest)
        edges = np.flatnonzero(np.diff(np.concatenate(([False], wanted, [False]))))
        runs: list[tuple[int, int]] = [(start, end) for start, end in edges.reshape(-1, 2).tolist()]
        # Frame n is decoded from packets n and n + 1, of which the first one overlaps it.
        numbers = [number for start, end in runs for number in range(start, end + 1)]
        decoded = self._decoded(flv.only(numbers), len(numbers))
        changed = self._change(self._stretch_of(decoded, runs))
        _fade_ends(decoded, runs)
        peak = max(inner_peak(decoded[:, channel]) for channel in range(self._stream.channels))
        return Levels(self._loudness(changed), peak)

    def _measured_whole(self, flv: bytes) -> Levels:
        stream, meter = self._stream, LevelMeter(self._stream.sample_rate, self._stream.channels)
        blocks = decode_stream([flv], "flv", stream.executable, stream.name)
        decoded = np.concatenate([np.zeros(0, np.float32), *blocks]).reshape(-1, stream.channels)
        start = AAC_FRAME + stream.n_before
        meter.add(decoded[start : start + stream.n_samples])
        return meter.measured()

    def _decoded(self, flv: bytes, n_packets: int) -> Samples:
        """All packets' samples, [n_packets * AAC_FRAME, channels]."""
        stream = self._stream
        blocks = decode_stream([flv], "flv", stream.executable, stream.name)
        decoded = np.concatenate([np.zeros(0, np.float32), *blocks]).reshape(-1, stream.channels)
        if len(decoded) != n_packets * AAC_FRAME:
            raise ValueError(f"{n_packets} packets were decoded to {len(decoded)} samples")
        return decoded

    def _add_peaks(self, samples: Samples) -> None:
        """Note the peak of each frame that the encoder gets."""
        samples = np.concatenate((self._rest, samples))
        n_whole = samples.size - samples.size % AAC_FRAME
        self._rest = samples[n_whole:]
        if n_whole:
            starts = np.arange(0, n_whole, AAC_FRAME)
            self._peaks.append(np.maximum.reduceat(np.abs(samples[:n_whole]), starts))

    def _stretch_of(self, decoded: Samples, runs: Sequence[tuple[int, int]]) -> Samples:
        """The stretch, as decoded."""
        at = self._stream.n_before + self._stretch_start
        n_packets = 0  # before the run; each run has one more than it has frames
        for start, end in runs:
            if start * AAC_FRAME <= at < end * AAC_FRAME:
                first = (n_packets + 1 - start) * AAC_FRAME + at
                return decoded[first : first + self._stretch.size]
            n_packets += end + 1 - start
        raise ValueError("the stretch is not among the decoded frames")

    def _wanted_frames(self, lowest: float) -> NDArray[np.bool_]:
        """The frames to be decoded: what may peak, with both neighbours, and the stretch."""
        last = [np.float32(highest(self._rest))] if self._rest.size else []
        peaks = np.array([*np.concatenate(self._peaks), *last])
        n_loudest = min(N_LOUDEST, peaks.size)
        loud = peaks >= min(lowest, np.partition(peaks, -n_loudest)[-n_loudest])
        wanted = loud.copy()
        wanted[1:] |= loud[:-1]
        wanted[:-1] |= loud[1:]
        start = self._stream.n_before + self._stretch_start
        wanted[start // AAC_FRAME : -(-(start + self._stretch.size) // AAC_FRAME)] = True
        return wanted

    def _change(self, decoded: Samples) -> tuple[float, float]:
        """By what factors encoding has changed K-weighted and plain power in the stretch."""
        before = LevelMeter(self._stream.sample_rate)
        before.add(self._stretch)
        after = LevelMeter(self._stream.sample_rate, self._stream.channels)
        after.add(decoded)
        own = in_channels(before.measured(), self._stream.channels).loudness
        other = after.measured().loudness
        if not own.sum_squares or not own.block_powers.sum():
            return 1.0, 1.0
        weighted = float(other.block_powers.sum() / own.block_powers.sum())
        return weighted, other.sum_squares / own.sum_squares

    def _loudness(self, changed: tuple[float, float]) -> Loudness:
        own = self._meter.measured()
        powers = own.block_powers * changed[0] * self._stream.channels
        return replace(own, block_powers=powers, sum_squares=own.sum_squares * changed[1])


def _fade_ends(decoded: Samples, runs: Sequence[tuple[int, int]]) -> None:
    """Silence the first frame of each run, which lacks what it overlaps; fade the others' ends.

    In place. So there is no step where two runs meet, which would seem to be a peak.
    """
    lengths = np.array([end + 1 - start for start, end in runs]) * AAC_FRAME
    ends = np.cumsum(lengths)
    starts = ends - lengths
    decoded[starts[:, None] + np.arange(AAC_FRAME)] = 0
    angle = (np.arange(N_FADE, dtype=np.float32) + 0.5) * np.float32(np.pi / 2 / N_FADE)
    ramp = np.sin(angle)[:, None] ** 2
    decoded[starts[:, None] + AAC_FRAME + np.arange(N_FADE)] *= ramp
    decoded[ends[:, None] - 1 - np.arange(N_FADE)] *= ramp
