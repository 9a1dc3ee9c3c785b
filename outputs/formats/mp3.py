"""MP3, encoded by LAME: an ID3 tag with the chapters, and an Info header in the first frame."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from audiomill.outputs.formats.format import (
    SAMPLE_RATES,
    CodecEffect,
    Effects,
    Encoding,
    Format,
    IntegrityChecks,
    Options,
    TagStyle,
    effect_at,
)

if TYPE_CHECKING:
    from audiomill.outputs.formats.mp3_walk import Mp3Frames
    from audiomill.outputs.formats.pending_file import PendingFile
    from audiomill.outputs.formats.region_codecs import FileStream, RegionCodec
    from audiomill.outputs.metadata.tags import EmbeddedMetadata

# LAME scales its input by 0.95, which would leave an MP3 0.45 dB below the target; the filter
# undoes that. The Info header keeps decoding gapless. mutagen writes the ID3 tag, with chapters.
LAME: Options = (
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
_MAX_SIDE_BYTES = 32
_COPY_BYTES = 1 << 20
ID3_HEADER_BYTES = 10
_HAS_FOOTER = 0x10  # in the flags of an ID3 tag
LAME_DELAY = 576  # samples that LAME makes before the sound
# Fields of the Info header, in bytes from its start.
_N_FRAMES = slice(8, 12)
_SILENCE = slice(141, 144)  # samples before and after the sound, 12 bits each
_CHECKSUM = slice(154, 156)  # of the frame up to here


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
    from audiomill.outputs.formats.mp3_regions import joined_mp3, mp3_tasks
    from audiomill.outputs.formats.region_codecs import RegionCodec

    return RegionCodec(joined_mp3, mp3_tasks, _FRAMES, _mux)


def _mux(file: FileStream) -> list[str]:
    """The Info header has the bit rate that was asked for, and the encoder's name."""
    from audiomill.outputs.ffmpeg.commands import joined_command

    kept = {name: value for name, value in file.encoding if name == "audio_bitrate"}
    named = {"metadata:s:a:0": "encoder=Lavc libmp3lame"}
    return joined_command(file.executable, "mp3", file.path, {**file.muxing, **kept, **named})


def _copy_audio(_executable: str, source: Path, file: PendingFile) -> None:
    """Without ffmpeg, which would write another Info header."""
    from audiomill.outputs.files import unwritable_errors

    with unwritable_errors(file.final):
        copy_without_tag(source, file.path)


def tag_mp3(path: Path, metadata: EmbeddedMetadata) -> None:
    """Tag an MP3 file that has no ID3 tag. Raises OSError or mutagen.MutagenError."""
    from audiomill.outputs.formats.id3 import chapter_frames, with_tags

    # First, because it expects a file without an ID3 tag.
    write_info_frame(path, metadata.sample_rate, metadata.n_samples)
    chapters = b"".join(chapter_frames(metadata.marks, metadata.sample_rate))

    def padding(_info: Any) -> int:
        return len(chapters)

    # mutagen would sort the chapters, so it only reserves space for them as padding.
    with_tags(metadata).save(path, v1=0, v2_version=3, padding=padding)
    with path.open("r+b") as file:
        file.seek(id3_bytes(file.read(ID3_HEADER_BYTES)) - len(chapters))
        file.write(chapters)


def id3_bytes(header: bytes) -> int:
    """The size of a whole ID3v2 tag that begins with `header`; 0 if none does.

    The header stores seven bits of the size in each byte.
    """
    if len(header) < ID3_HEADER_BYTES or not header.startswith(b"ID3"):
        return 0
    n_body = sum((byte & 0x7F) << 7 * i for i, byte in enumerate(reversed(header[6:10])))
    n_footer = ID3_HEADER_BYTES if header[5] & _HAS_FOOTER else 0
    return ID3_HEADER_BYTES + n_body + n_footer


def write_info_frame(path: Path, sample_rate: int, n_samples: int) -> None:
    """Set the Info header of an MP3 without an ID3 tag to `n_samples`. Raises OSError.

    The encoder may pad with more than a frame, but ffmpeg counts only the padding of the last
    frame, so the sound would end up to 46 samples late. Does nothing if there is no Info header, if
    the padding does not fit into it, or if the file has another sample rate.
    """
    from audiomill.outputs.formats.mp3_frames import HEADER_BYTES, INFO_NAMES, crc16, parse_header

    with path.open("r+b") as file:
        frame = bytearray(file.read(HEADER_BYTES + _MAX_SIDE_BYTES + _CHECKSUM.stop))
        header = parse_header(frame)
        if header is None or header.sample_rate != sample_rate:
            return
        start = header.info_start
        info = memoryview(frame)[start : start + _CHECKSUM.stop]
        if bytes(info[:4]) not in INFO_NAMES:
            return
        before = LAME_DELAY  # which ffmpeg does not know of frames that it copies
        after = int.from_bytes(info[_N_FRAMES]) * header.samples - before - n_samples
        if len(info) < _CHECKSUM.stop or not 0 <= after < 1 << 12:
            return
        info[_SILENCE] = (before << 12 | after).to_bytes(3)
        info[_CHECKSUM] = crc16(frame[: start + _CHECKSUM.start]).to_bytes(2)
        file.seek(0)
        file.write(frame)


def copy_without_tag(source: Path, target: Path) -> None:
    """Copy an MP3 file, but not the ID3 tag at its start. Raises OSError."""
    with source.open("rb") as file, target.open("wb") as copy:
        file.seek(id3_bytes(file.read(ID3_HEADER_BYTES)))
        shutil.copyfileobj(file, copy, _COPY_BYTES)


def _walk_frames(path: Path) -> Mp3Frames | None:
    from audiomill.outputs.formats.mp3_walk import walk_frames

    return walk_frames(path)


MP3 = Format(
    *("mp3", ".mp3", "libmp3lame"),
    TagStyle("ID3", "ID3v2.3", tag_mp3, copy_audio=_copy_audio),
    *(LAME, _MUXING, "audio/mpeg", _codec, _effect, _mode_options),
    sample_rates=SAMPLE_RATES,
    container="mp3",
    codec="mp3",
    integrity=IntegrityChecks(walk_frames=_walk_frames),
    cue_type="MP3",
)
