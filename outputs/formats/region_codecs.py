"""Codecs of regions: what encodes each, how they are joined, and what makes the file.

Each format says it of its own (`outputs/formats`). Of lossless ones the regions stay samples, which
need nothing to be joined: the encoders of FLAC, WAV and AIFF take a small part of the time that
joining, mastering and resampling take, and get the samples as one stream.

Regions that are encoded with a pre-roll: an encoder hears what precedes, as in one stream.

    file       ──────── region 1 ────────│──────── region 2 ────────
    encoder 1  ────────────────────┃─────┤
    encoder 2                 ├────┃────────────────────────┃───────
                              pre-roll                 ┃ a join, at a frame of the codec

The joins lie on the grid of frames that one encoder of the whole file would have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import ClassVar, Self, TypeVar

from audiomill.outputs.audio.file_sound import FileRegion, FileSound, to_pcm16
from audiomill.outputs.audio.mastering import LevelMeter, in_channels
from audiomill.outputs.ffmpeg.commands import encode_command
from audiomill.outputs.ffmpeg.decoding import decode_stream
from audiomill.outputs.ffmpeg.ffmpeg import Encoder
from audiomill.outputs.formats.format import Options, kbps_of
from audiomill.outputs.formats.region_tasks import (
    RegionSettings,
    RegionTask,
    encode_tasks,
    measured_part,
)
from audiomill.outputs.formats.thread_group import ThreadGroup
from audiomill.outputs.types import EncodedRegion, Levels
from audiomill.renderers.engine.protocol import Samples
from audiomill.renderers.host.child_process import CancellableIter

LEAST_REGION_KBPS = 32  # below it, a file's level and its peaks are corrected together

# Yields the stream that is made into files, and appends the levels of the regions to the list.
Join = Callable[[ThreadGroup, Sequence[FileRegion], RegionSettings, list[Levels]], Iterator[bytes]]
# Cuts and extends the regions of a file, each as soon as it is there, as they are encoded.
PlanTasks = Callable[[Iterable[FileRegion], RegionSettings], Iterator[RegionTask]]
MAX_REGION_S = 1800.0  # of a region in memory; a book without pauses has longer ones


@dataclass(frozen=True, slots=True)
class FileStream:
    """A file to be made of a joined stream."""

    executable: str
    path: Path
    sound: FileSound
    n_samples: int
    encoding: Options
    muxing: Mapping[str, str | int]
    chapters: Path | None  # in ffmpeg's format


@dataclass(frozen=True, slots=True)
class RegionCodec:
    """How regions of an encoder become a file.

    `region_format` are ffmpeg's options for a region's stream; None: nothing encodes the regions.
    `file_command` is the ffmpeg that makes the file of the joined stream; None: the stream is it.
    """

    join: Join
    tasks: PlanTasks  # that `join` has done
    region_format: Options | None
    file_command: Callable[[FileStream], list[str]] | None
    corrects: bool = False  # a region whose peaks are over the ceiling is encoded again at once
    measured_hz: int | None = None  # the rate at which levels are measured; None: the file's

    def pass_options(self, options: Options) -> Options:
        """The options that decide the joined stream: files with equal ones share a pass."""
        return () if self.region_format is None else options

    def settings(
        self, executable: str, sound: FileSound, options: Options, path: Path
    ) -> RegionSettings:
        """How to encode regions with these options of an encoder. `path` is named in errors."""
        if self.region_format is None:
            return RegionSettings([executable], path, corrects=False)
        # Not flushed per packet: each packet would wake the reading thread, which then waits for
        # the GIL.
        all_options = {**dict(options), **dict(self.region_format), "flush_packets": 0}
        command = encode_command(
            executable, sound.rates.file, "pipe:1", all_options, channels=sound.channels
        )
        return RegionSettings(command, path, self.corrects_regions(options))

    def corrects_regions(self, options: Options) -> bool:
        """Whether a region whose peaks are over the ceiling is encoded again at once.

        At a low bit rate most regions would be, and then the whole file once more for its level.
        """
        return self.corrects and kbps_of(options) >= LEAST_REGION_KBPS


def _encode(file: FileStream) -> list[str]:
    options, sound = {**file.muxing, **dict(file.encoding)}, file.sound
    return encode_command(
        file.executable, sound.rates.file, file.path, options, None, channels=sound.channels
    )


@dataclass(frozen=True, slots=True)
class PcmRegion(RegionTask):
    """A region of a lossless file."""

    stays_here: ClassVar[bool] = True

    def cuts(self) -> tuple[int | bool | None, ...]:
        """No head: the file is its audio alone."""
        return ()

    def encoded(self, cancellable: CancellableIter) -> EncodedRegion:
        """Its samples as 16-bit PCM in all channels."""
        pcm, sound = bytearray(), self.audio.sound
        meter = LevelMeter(sound.rates.file)
        for block in cancellable(self.audio.blocks()):
            meter.add(block)
            pcm += to_pcm16(block, sound.channels)
        return EncodedRegion(bytes(pcm), in_channels(meter.measured(), sound.channels))


def pcm_tasks(regions: Iterable[FileRegion], settings: RegionSettings) -> Iterator[PcmRegion]:
    """A task for each region."""
    return (PcmRegion(one, settings) for one in regions)


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
    for region in encode_tasks(threads, list(pcm_tasks(regions, settings))):
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


LOSSLESS = RegionCodec(joined_pcm, pcm_tasks, None, _encode)


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
    regions: Iterable[FileRegion],
    overlap_at: Callable[[int], Overlap],
    settings: RegionSettings,
) -> Iterator[Task]:
    """A task for each region, in order. `overlap_at` tells the overlap at a file's rate."""
    first, earlier = 0, tuple[FileRegion, ...]()
    for region in regions:
        overlap = overlap_at(region.sound.rates.file)
        n_started = max(0, first - overlap.n_pre_roll)
        start = n_started // overlap.n_aligned * overlap.n_aligned * overlap.frame
        before = tuple(one for one in earlier if one.start + one.n_samples > start)
        if region.place.is_last:
            end = None
        else:
            n_whole = (region.start + region.n_samples) // overlap.frame
            end = max(first, n_whole - overlap.n_after)
        yield kind(region, settings, before, start, first, end, overlap.frame)
        first, earlier = end or 0, (*before, region)


def _without_first(blocks: Iterable[Samples], n_samples: int) -> Iterator[Samples]:
    for block in blocks:
        if n_samples < block.size:
            yield block[n_samples:]
        n_samples = max(0, n_samples - block.size)
