"""How regions become a file: what encodes each, how they are joined, and what makes the file.

Each format says it of its own (`outputs/formats`). Of lossless ones the regions stay samples.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from audiomill.outputs.audio.file_sound import FileRegion, FileSound
from audiomill.outputs.encoding.commands import encode_command
from audiomill.outputs.encoding.regions.pcm import joined_pcm
from audiomill.outputs.encoding.regions.tasks import RegionSettings
from audiomill.outputs.encoding.thread_group import ThreadGroup
from audiomill.outputs.formats.format import Options, kbps_of
from audiomill.outputs.types import Levels

LEAST_REGION_KBPS = 32  # below it, a file's level and its peaks are corrected together

# Yields the stream that is made into files, and appends the levels of the regions to the list.
Join = Callable[[ThreadGroup, Sequence[FileRegion], RegionSettings, list[Levels]], Iterator[bytes]]


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


LOSSLESS = RegionCodec(joined_pcm, None, _encode)
