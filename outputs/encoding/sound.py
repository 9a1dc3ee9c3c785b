"""What an encoder gets: joined audio, mastered, at the rate of its file, with room tone.

    joined ─▶ gain, limiter ─▶ sample rate ─▶ room tone ─▶ 16 bits, one or two channels

All of it is done for each region by itself, in whichever process encodes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

import numpy as np

from audiomill.outputs.audio.mastering import MasterPlan, apply
from audiomill.outputs.audio.resampling import FileRates, RegionPlace, resampled
from audiomill.outputs.audio.room_tone import room_tone, with_room_tone
from audiomill.renderers.base import Samples


@dataclass(frozen=True, slots=True)
class AudioRegion:
    """Consecutive joined audio of an output, which can be read repeatedly.

    Every region but the first follows silence, as `is_cut` requires. Picklable: children encode.
    """

    n_samples: int
    blocks: Callable[[], Iterable[Samples]]
    key: str = ""  # a digest of what decides its samples; "" if that is not known


@dataclass(frozen=True, slots=True)
class FileSound:
    """What is done to joined audio for a file. Files with equal sounds can share a pass."""

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
        blocks: Iterator[Samples] = checked(self.audio)
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


def file_regions(regions: Sequence[AudioRegion], sound: FileSound) -> list[FileRegion]:
    """All regions of a recording as a file has them."""
    starts = accumulate((region.n_samples for region in regions), initial=0)
    last = len(regions) - 1
    return [
        FileRegion(region, RegionPlace(start, region.n_samples, index == 0, index == last), sound)
        for index, (region, start) in enumerate(zip(regions, starts, strict=False))
    ]


def checked(region: AudioRegion) -> Iterator[Samples]:
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
