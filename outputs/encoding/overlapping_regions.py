"""Regions that are encoded with a pre-roll: an encoder hears what precedes, as in one stream.

    file       ──────── region 1 ────────│──────── region 2 ────────
    encoder 1  ────────────────────┃─────┤
    encoder 2                 ├────┃────────────────────────┃───────
                              pre-roll                 ┃ a join, at a frame of the codec

The joins lie on the grid of frames that one encoder of the whole file would have.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Self, TypeVar

from audiomill.outputs.audio.file_sound import FileRegion, to_pcm16
from audiomill.outputs.encoding.decoding import decode_stream
from audiomill.outputs.encoding.ffmpeg import Encoder
from audiomill.outputs.encoding.region_tasks import RegionSettings, RegionTask, measured_part
from audiomill.outputs.types import Levels
from audiomill.renderers.engine.protocol import Samples
from audiomill.renderers.host.child_process import CancellableIter


@dataclass(frozen=True, slots=True)
class Overlap:
    """The frames of a codec, in samples of the file, and how regions overlap, in frames."""

    frame: int
    n_after: int  # at least so many frames of a region follow its join with the next one
    n_pre_roll: int  # before a join
    n_aligned: int = 1  # a pre-roll starts at a multiple of so many frames


@dataclass(frozen=True, slots=True)
class OverlappingTask(RegionTask):
    """A region that is encoded from sample `start` of the file on.

    Of the file's frames, it adds [`first`, `end`) to the file; None: up to the last one.
    """

    before: tuple[FileRegion, ...]  # from that in which `start` lies
    start: int
    first: int
    end: int | None
    frame: int

    @property
    def n_pre_roll(self) -> int:
        """How many frames the encoder makes before the region's first."""
        return self.first - self.start // self.frame

    def preceding(self) -> tuple[FileRegion, ...]:
        """The regions in which its pre-roll lies."""
        return self.before

    def cuts(self) -> tuple[int | bool | None, ...]:
        """Where its encoder starts, and its frames."""
        return self.start, self.first, self.end, self.frame

    def mastered_as(self, audio: FileRegion) -> Self:
        """The same task, all of its audio mastered in that way."""
        master = audio.sound.master
        before = tuple(one.mastered_as(master) for one in self.before) if master else self.before
        return replace(self, audio=audio, before=before)

    def stream(self, cancellable: CancellableIter) -> bytes:
        """The stream of the encoder for the region, with its pre-roll and what follows."""
        made, channels = bytearray(), self.audio.sound.channels
        with Encoder(self.settings.command, self.settings.path, made) as encoder:
            for block in self.blocks(cancellable):
                encoder.write(to_pcm16(block, channels))
        return bytes(made)

    def levels(self, stream: bytes, format_name: str, rate: int, delay: int = 0) -> Levels:
        """The levels of the region in its stream, which is decoded at `rate`, `delay` too late."""
        audio, ffmpeg, path = self.audio, self.settings.command[0], self.settings.path
        n_before, n_samples = (
            n * rate // audio.sound.rates.file for n in (audio.start - self.start, audio.n_samples)
        )
        decoded = decode_stream([stream], format_name, ffmpeg, path.name)
        return measured_part(decoded, n_before + delay, n_samples, rate, audio.sound.channels)

    def blocks(self, cancellable: CancellableIter) -> Iterator[Samples]:
        """The samples that the encoder gets."""
        n_skipped = self.start - (*self.before, self.audio)[0].start
        blocks = chain.from_iterable(one.blocks() for one in (*self.before, self.audio))
        return _without_first(cancellable(blocks), n_skipped)


Task = TypeVar("Task", bound=OverlappingTask)


def overlapping_tasks(
    kind: type[Task],
    regions: Sequence[FileRegion],
    overlap: Overlap,
    settings: RegionSettings,
) -> Iterator[Task]:
    """A task for each region, in order."""
    first = 0
    for index, region in enumerate(regions):
        n_started = max(0, first - overlap.n_pre_roll)
        start = n_started // overlap.n_aligned * overlap.n_aligned * overlap.frame
        n_before = sum(one.start + one.n_samples > start for one in regions[:index])
        before = tuple(regions[index - n_before : index])
        if index == len(regions) - 1:
            end = None
        else:
            n_whole = (region.start + region.n_samples) // overlap.frame
            end = max(first, n_whole - overlap.n_after)
        yield kind(region, settings, before, start, first, end, overlap.frame)
        first = end or 0


def _without_first(blocks: Iterable[Samples], n_samples: int) -> Iterator[Samples]:
    for block in blocks:
        if n_samples < block.size:
            yield block[n_samples:]
        n_samples = max(0, n_samples - block.size)
