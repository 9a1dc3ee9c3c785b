"""The sound of a file: joined audio, mastered, at the sample rate of its file, with room tone.

    joined ─▶ gain, limiter ─▶ sample rate ─▶ room tone ─▶ 16 bits, one or two channels

All of it is done for each region by itself, in whichever process encodes it, so that regions meet
without a seam.

    joined   |──── region 1, ends in silence ────|─ region 2 ──
    output   |── 1 ────────────────────────|── 2 ──────────────    a region ends LEAD before its end

Sample k of a file lies at k * M / L samples of the recording, for rates of M : L. So n samples
become ceil(n * L / M). libsoxr's filter reaches some 130 samples to each side: what sounds before a
region has died away in the silence at its end, and what precedes a region's first sound is a part
of that region, which therefore begins a little earlier. Whole and in regions, samples differ only
by how the filter rounds them (below 1e-6).

Room tone is the quiet noise of a room, where there would be digital silence.

    power  ▁▃▇▇▆▆▅▅▄▄▃▃▂▁▁     falls by 3 dB an octave from 60 Hz on, and faster above 4 kHz

It runs under the speech too, far below it, so that it neither begins nor ends anywhere. A loop of
half a minute is made once for each sample rate. Sample n of a file has sample n of the loop,
modulo its length: so the same place has the same noise, in whichever region it is encoded.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import soxr

from audiomill.outputs.audio.mastering import MasterPlan, apply
from audiomill.renderers.engine.protocol import Samples

RESAMPLING_QUALITY = "VHQ"
LEAD = 256  # samples at the lower of both rates, in which the filter dies away: it reaches 130
TONE_LOOP_S = 30.0
TONE_LOWEST_HZ, TONE_HIGHEST_HZ = 60.0, 4000.0
TONE_SEED = 1881


@dataclass(frozen=True, slots=True)
class AudioRegion:
    """Consecutive joined audio of an output, which can be read repeatedly.

    Every region but the first follows silence, as `is_region_end` requires. Picklable: children
    encode.
    """

    n_samples: int
    blocks: Callable[[], Iterable[Samples]]
    key: str = ""  # a digest of what decides its samples; "" if that is not known


@dataclass(frozen=True, slots=True)
class FileSound:
    """The steps from joined audio to a file. Files with equal sounds can share a pass."""

    rates: FileRates
    channels: int = 1  # 2: the same in both
    master: MasterPlan | None = None  # None: as it is
    tone_db: float | None = None  # RMS of room tone; None: digital silence


@dataclass(frozen=True, slots=True)
class FileRegion:
    """A region as its file has it: mono, at the file's rate."""

    audio: AudioRegion
    place: RegionPlace
    sound: FileSound

    @property
    def start(self) -> int:
        """Its first sample in the file."""
        return self.place.in_file(self.sound.rates)[0]

    @property
    def n_samples(self) -> int:
        """Its length in the file."""
        start, end = self.place.in_file(self.sound.rates)
        return end - start

    def blocks(self) -> Iterator[Samples]:
        """Its samples."""
        rates, master, tone_db = self.sound.rates, self.sound.master, self.sound.tone_db
        blocks: Iterator[Samples] = checked_blocks(self.audio)
        if master is not None:
            blocks = apply(blocks, master, rates.joined)
        blocks = resampled(blocks, self.place, rates)
        if tone_db is None:
            return blocks
        return with_room_tone(blocks, self.start, tone_db, rates.file)

    def before(self, n_samples: int) -> Samples:
        """So many samples of the file before it, where no voice is."""
        if self.sound.tone_db is None:
            return np.zeros(n_samples, np.float32)
        rate = self.sound.rates.file
        return room_tone(self.start - n_samples, n_samples, self.sound.tone_db, rate)

    def mastered_as(self, master: MasterPlan) -> FileRegion:
        """The same with another gain or ceiling."""
        return replace(self, sound=replace(self.sound, master=master))


def file_regions(regions: Iterable[AudioRegion], sound: FileSound) -> Iterator[FileRegion]:
    """All regions of a recording as a file has them, each once it is known whether one follows."""
    rest = iter(regions)
    region, start, is_first = next(rest, None), 0, True
    while region is not None:
        following = next(rest, None)
        place = RegionPlace(start, region.n_samples, is_first, is_last=following is None)
        yield FileRegion(region, place, sound)
        start += region.n_samples
        region, is_first = following, False


def checked_blocks(region: AudioRegion) -> Iterator[Samples]:
    """The region's blocks. Raises ValueError if they do not add up to `n_samples`."""
    n_samples = 0
    for block in region.blocks():
        n_samples += block.size
        yield block
    if n_samples != region.n_samples:
        raise ValueError(f"a region of {region.n_samples} samples has {n_samples}")


def to_pcm16(samples: Samples, channels: int = 1) -> bytes:
    """Little-endian 16-bit samples, rounded to the nearest level, in each of the channels.

    Without dither: it would fill the pauses with noise, where an encoder spends nothing on digital
    silence, and rounding adds far less noise than a lossy encoder.
    """
    scaled = samples * np.float32(32768)
    rounded = np.rint(scaled, out=scaled).clip(-32768, 32767, out=scaled).astype("<i2")
    return (rounded if channels == 1 else np.repeat(rounded, channels)).tobytes()


@dataclass(frozen=True, slots=True)
class FileRates:
    """From the sample rate of joined audio to that of a file, in Hz."""

    joined: int
    file: int

    @property
    def lead(self) -> int:
        """How many joined samples before its start a region but the first begins in the file."""
        if self.joined == self.file:
            return 0
        return LEAD * math.ceil(self.joined / min(self.joined, self.file))

    def at_file(self, n_joined: int) -> int:
        """The first sample of the file that is not before this one of the joined audio."""
        return -(-n_joined * self.file // self.joined)


@dataclass(frozen=True, slots=True)
class RegionPlace:
    """Where a region lies in its recording: joined samples [start, start + n_samples)."""

    start: int
    n_samples: int
    is_first: bool = True
    is_last: bool = True

    def in_file(self, rates: FileRates) -> tuple[int, int]:
        """The region's samples [start, end) of the file."""
        start = 0 if self.is_first else self.start - rates.lead
        end = self.start + self.n_samples - (0 if self.is_last else rates.lead)
        return rates.at_file(start), rates.at_file(end)


def resampled(blocks: Iterable[Samples], place: RegionPlace, rates: FileRates) -> Iterator[Samples]:
    """The region's audio at the rate of the file: exactly the samples `place.in_file(rates)`.

    All regions but the first follow silence, and all but the last end in it.
    """
    if rates.joined == rates.file:
        yield from blocks
        return
    start, end = place.in_file(rates)
    # From a joined sample that falls on a sample of the file, and lies in the silence before.
    period = rates.joined // math.gcd(rates.joined, rates.file)
    lead = 0 if place.is_first else rates.lead
    n_before = (place.start - lead) % period + lead
    n_skipped = start - rates.at_file(place.start - n_before)
    wanted = end - start
    for block in _streamed(blocks, n_before, rates):
        kept = block[n_skipped : n_skipped + wanted]
        n_skipped, wanted = max(0, n_skipped - block.size), wanted - kept.size
        if kept.size:
            yield kept
    if wanted:  # the filter may end a sample early
        yield np.zeros(wanted, np.float32)


def _streamed(blocks: Iterable[Samples], n_before: int, rates: FileRates) -> Iterator[Samples]:
    """The blocks after `n_before` silent samples, at the rate of the file."""
    resampler: Any = soxr.ResampleStream(rates.joined, rates.file, 1, "float32", RESAMPLING_QUALITY)
    yield resampler.resample_chunk(np.zeros(n_before, np.float32))
    for block in blocks:
        yield resampler.resample_chunk(np.ascontiguousarray(block))
    yield resampler.resample_chunk(np.zeros(0, np.float32), last=True)


def with_room_tone(
    blocks: Iterable[Samples], start: int, level_db: float, sample_rate: int
) -> Iterator[Samples]:
    """The blocks, which begin at sample `start` of their file, with noise of that RMS below."""
    for block in blocks:
        yield block + room_tone(start, block.size, level_db, sample_rate)
        start += block.size


def room_tone(start: int, n_samples: int, level_db: float, sample_rate: int) -> Samples:
    """Samples [start, start + n_samples) of the noise in a file, at an RMS level in dBFS."""
    loop = _loop(sample_rate)
    at = start % loop.size
    n_loops = -(-(at + n_samples) // loop.size)
    repeated = np.tile(loop, n_loops) if n_loops > 1 else loop
    return repeated[at : at + n_samples] * np.float32(10 ** (level_db / 20))


@functools.cache
def _loop(sample_rate: int) -> Samples:
    """Noise whose end continues at its start, with an RMS of 1.

    Each frequency that fits into the loop has the power of the spectrum and a random phase.
    """
    n_samples = round(TONE_LOOP_S * sample_rate)
    hz = np.fft.rfftfreq(n_samples, 1 / sample_rate)
    power = (1 / np.maximum(hz, TONE_LOWEST_HZ)) / (1 + (hz / TONE_HIGHEST_HZ) ** 4)
    power *= np.minimum(hz / TONE_LOWEST_HZ, 1) ** 4
    phases = np.random.default_rng(TONE_SEED).random(hz.size) * 2 * np.pi
    noise = np.fft.irfft(np.sqrt(power) * np.exp(1j * phases), n_samples)
    return (noise / np.sqrt(np.mean(noise**2))).astype(np.float32)
