"""Makes the samples of a lossless file in regions, which need nothing to be joined.

The encoders of FLAC, WAV and AIFF take a small part of the time that joining, mastering and
resampling take, and get the samples as one stream.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from audiomill.outputs.audio.file_sound import FileRegion, to_pcm16
from audiomill.outputs.audio.mastering import LevelMeter, in_channels
from audiomill.outputs.encoding.regions.tasks import RegionSettings, RegionTask, encode_tasks
from audiomill.outputs.encoding.thread_group import ThreadGroup
from audiomill.outputs.types import EncodedRegion, Levels
from audiomill.renderers.host.child_process import CancellableIter

MAX_REGION_S = 1800.0  # of a region in memory; a book without pauses has longer ones


@dataclass(frozen=True, slots=True)
class PcmRegion(RegionTask):
    """A region of a lossless file."""

    stays_here: ClassVar[bool] = True

    def cuts(self) -> tuple[int | bool | None, ...]:
        """None: it is its audio."""
        return ()

    def encoded(self, cancellable: CancellableIter) -> EncodedRegion:
        """Its samples as 16-bit PCM in all channels."""
        pcm, sound = bytearray(), self.audio.sound
        meter = LevelMeter(sound.rates.file)
        for block in cancellable(self.audio.blocks()):
            meter.add(block)
            pcm += to_pcm16(block, sound.channels)
        return EncodedRegion(bytes(pcm), in_channels(meter.measured(), sound.channels))


def joined_pcm(
    threads: ThreadGroup,
    regions: Sequence[FileRegion],
    settings: RegionSettings,
    parts: list[Levels],
) -> Iterator[bytes]:
    """The samples of the file. Appends the regions' levels to `parts`."""
    if max(region.n_samples for region in regions) > MAX_REGION_S * regions[0].sound.rates.file:
        yield from _streamed(threads, regions, parts)
        return
    for region in encode_tasks(threads, [PcmRegion(one, settings) for one in regions]):
        parts.append(region.levels)
        yield region.packets


def _streamed(
    threads: ThreadGroup, regions: Sequence[FileRegion], parts: list[Levels]
) -> Iterator[bytes]:
    """The same, never with a region in memory, and without keeping any."""
    for region in regions:
        meter, sound = LevelMeter(region.sound.rates.file), region.sound
        for block in threads.until_cancelled(region.blocks()):
            meter.add(block)
            yield to_pcm16(block, sound.channels)
        parts.append(in_channels(meter.measured(), sound.channels))
        threads.advance(region.audio.n_samples)
