"""AAC in MP4: what M4B and M4A have in common.

Levels are measured with 11 minutes of espeak speech in five voices at -19, -16 and -14 LUFS, at 24
and 44.1 kHz, and with hours of it at 22.05 kHz, as those of the other codecs (LOG.md, "Levels of
encoded files").
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from audiomill.outputs.formats.format import CodecEffect, Effects, Options, TagStyle, effect_at

if TYPE_CHECKING:
    from audiomill.outputs.audio.file_sound import FileRegion
    from audiomill.outputs.encoding.pending_file import PendingFile
    from audiomill.outputs.encoding.regions.codecs import FileStream, RegionCodec
    from audiomill.outputs.encoding.regions.tasks import RegionSettings
    from audiomill.outputs.encoding.thread_group import ThreadGroup
    from audiomill.outputs.metadata.embedded import EmbeddedMetadata
    from audiomill.outputs.types import Levels

# Measured with speech (LOG.md): at the same bit rate the fast coder leaves 3 to 7 dB less error
# below 8 kHz than the default coder, in under a third of the time. Without temporal noise shaping
# the error is lower still, and encoding faster. AAC has one mode, an average; ffmpeg's qualities of
# AAC are experimental.
AAC: Options = (
    *(("acodec", "aac"), ("audio_bitrate", "64k")),
    *(("aac_coder", "fast"), ("aac_tns", 0)),
)
MP4: Options = (("format", "ipod"), ("movflags", "+faststart"))
MEDIA_TYPE = "audio/mp4"
MAX_NERO_MARKS = 255  # the Nero list of an MP4 counts its chapters in one byte
_EFFECTS: Effects = (
    (96, CodecEffect(0.1)),
    (56, CodecEffect(0.3)),
    (40, CodecEffect(0.8)),
    (24, CodecEffect(0.8, -0.15)),
    (0, CodecEffect(1.4, -0.35)),
)


def aac_effect(kbps: int, _file_rate: int) -> CodecEffect:
    """What ffmpeg's encoder of AAC does to levels."""
    return effect_at(_EFFECTS, kbps)


def aac_codec() -> RegionCodec:
    """Regions are encoded into FLV and cut in silence; ffmpeg copies the packets into the file."""
    from audiomill.outputs.encoding.regions.codecs import RegionCodec

    return RegionCodec(_joined, (("format", "flv"),), _mux, corrects=True)


def _joined(
    threads: ThreadGroup,
    regions: Sequence[FileRegion],
    settings: RegionSettings,
    parts: list[Levels],
) -> Iterator[bytes]:
    from audiomill.outputs.encoding.parallel_aac import aac_tasks
    from audiomill.outputs.encoding.regions.tasks import encode_tasks

    for region in encode_tasks(threads, list(aac_tasks(regions, settings))):
        parts.append(region.levels)
        yield region.packets


def _mux(file: FileStream) -> list[str]:
    from audiomill.outputs.encoding.commands import mux_command

    rate = file.sound.rates.file
    return mux_command(file.executable, rate, file.n_samples, file.path, file.muxing, file.chapters)


def _write(path: Path, metadata: EmbeddedMetadata) -> None:
    from audiomill.outputs.metadata.mp4 import tag_mp4

    tag_mp4(path, metadata)


def _copy_audio(executable: str, source: Path, file: PendingFile) -> None:
    """The bit rate that was asked for is stored, too.

    MP4 is read as it is stored: its edit list would take packets away at both ends.
    """
    from audiomill.outputs.encoding.commands import copy_command
    from audiomill.outputs.encoding.ffmpeg import output_of
    from audiomill.outputs.encoding.pending_file import write_stream

    bit_rate = {key: value for key, value in file.encoding if key == "audio_bitrate"}
    options = {"format": "flv", **bit_rate}
    command = copy_command(executable, source, "pipe:1", options, {"ignore_editlist": 1})
    write_stream(output_of(command, source), [file])


def _muxing(muxing: Options, metadata: EmbeddedMetadata) -> Mapping[str, str | int]:
    """The options that depend on the book: its language, and whether there is a Nero list.

    A list that cannot hold all chapters is left out: VLC, and others that find one, do not read the
    QuickTime track, which holds all.
    """
    from audiomill.inputs.languages.codes import three_letter_code

    language = {"metadata:s:a:0": f"language={three_letter_code(metadata.tags.language)}"}
    if len(metadata.marks) <= MAX_NERO_MARKS:
        return language
    return language | {"movflags": f"{dict(muxing)['movflags']}+disable_chpl"}


# mutagen cannot write chapters.
MP4_TAGS = TagStyle(
    *("MP4", "MP4 atoms", _write),
    copy_audio=_copy_audio,
    muxing=_muxing,
    has_ffmpeg_chapters=True,
)
