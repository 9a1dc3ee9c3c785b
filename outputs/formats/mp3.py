"""MP3, encoded by LAME, with an ID3 tag that has the chapters."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from audiomill.outputs.delivery.profile import SAMPLE_RATES, Encoding
from audiomill.outputs.formats.format import (
    CodecEffect,
    Effects,
    Format,
    Options,
    TagStyle,
    effect_at,
)

if TYPE_CHECKING:
    from audiomill.outputs.encoding.pending_file import PendingFile
    from audiomill.outputs.encoding.regions.codecs import FileStream, RegionCodec
    from audiomill.outputs.metadata.embedded import EmbeddedMetadata

# LAME scales its input by 0.95, which would leave an MP3 0.45 dB below the target; the filter
# undoes that. The Info header keeps decoding gapless. mutagen writes the ID3 tag, with chapters.
_LAME: Options = (
    *(("acodec", "libmp3lame"), ("audio_bitrate", "96k")),
    ("af", "volume=1/0.95:precision=float"),
)
_MUXING: Options = (("format", "mp3"), ("id3v2_version", 0), ("write_xing", 1))
_FRAMES: Options = (("format", "mp3"), ("id3v2_version", 0), ("write_xing", 0))
_MPEG2_HZ, _MPEG2_KBPS = 24_000, 160  # up to this sample rate there is no higher bit rate
_MPEG2_PEAK_DB = 0.3  # by how much more the highest peak of a long book is raised at these rates
# From 192 kbps on LAME scales its input by less than the options undo: by 0.97, then by 1.
_EFFECTS: Effects = (
    (256, CodecEffect(0.6, 0.45)),
    (192, CodecEffect(0.4, 0.18)),
    (160, CodecEffect(0.3)),
    (0, CodecEffect(0.8)),
)


def _effect(kbps: int, file_rate: int) -> CodecEffect:
    if file_rate > _MPEG2_HZ:
        return effect_at(_EFFECTS, kbps)
    return effect_at(_EFFECTS, min(kbps, _MPEG2_KBPS), _MPEG2_PEAK_DB)


def _mode_options(encoding: Encoding) -> dict[str, str | int]:
    """A variable rate is LAME's average bit rate, not its qualities V0 to V9.

    A quality names no rate, while a file has at most 15 % more than the average, and less where the
    sound needs less. LAME takes the nearest rate that MP3 has.
    """
    average: dict[str, str | int] = {"abr": 1} if encoding.bit_rate_mode == "vbr" else {}
    is_apart = encoding.channels > 1 and not encoding.joint_stereo
    return average | ({"joint_stereo": 0} if is_apart else {})


def _codec() -> RegionCodec:
    """Regions with pre-roll, whose joins are compared; ffmpeg copies the frames into the file."""
    from audiomill.outputs.encoding.regions.codecs import RegionCodec
    from audiomill.outputs.encoding.regions.mp3 import joined_mp3

    return RegionCodec(joined_mp3, _FRAMES, _mux)


def _mux(file: FileStream) -> list[str]:
    """The Info header has the bit rate that was asked for, and the encoder's name."""
    from audiomill.outputs.encoding.commands import joined_command

    kept = {name: value for name, value in file.encoding if name == "audio_bitrate"}
    named = {"metadata:s:a:0": "encoder=Lavc libmp3lame"}
    return joined_command(file.executable, "mp3", file.path, {**file.muxing, **kept, **named})


def _write(path: Path, metadata: EmbeddedMetadata) -> None:
    from audiomill.outputs.metadata.mp3 import tag_mp3

    tag_mp3(path, metadata)


def _copy_audio(_executable: str, source: Path, file: PendingFile) -> None:
    """Without ffmpeg, which would write another Info header."""
    from audiomill.outputs.files import unwritable_errors
    from audiomill.outputs.metadata.mp3 import copy_without_tag

    with unwritable_errors(file.final):
        copy_without_tag(source, file.path)


MP3 = Format(
    *("mp3", ".mp3", "libmp3lame"),
    TagStyle("ID3", "ID3v2.3", _write, copy_audio=_copy_audio),
    *(_LAME, _MUXING, "audio/mpeg", _codec, _effect, _mode_options),
    sample_rates=SAMPLE_RATES,
    cue_type="MP3",
)
