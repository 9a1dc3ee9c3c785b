"""MP3 metadata: the ID3 tag before the audio, and the Info header in its first frame."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from audiomill.outputs.metadata.crc16 import crc16
from audiomill.outputs.metadata.embedded import EmbeddedMetadata
from audiomill.outputs.metadata.id3 import chapter_frames, with_tags
from audiomill.outputs.metadata.mp3_header import HEADER_BYTES, INFO_NAMES, parse_header

_MAX_SIDE_BYTES = 32
_COPY_BYTES = 1 << 20
LAME_DELAY = 576  # samples that LAME makes before the sound
# Fields of the Info header, in bytes from its start.
_N_FRAMES = slice(8, 12)
_SILENCE = slice(141, 144)  # samples before and after the sound, 12 bits each
_CHECKSUM = slice(154, 156)  # of the frame up to here


def tag_mp3(path: Path, metadata: EmbeddedMetadata) -> None:
    """Tag an MP3 file that has no ID3 tag. Raises OSError or mutagen.MutagenError."""
    # First, because it expects a file without an ID3 tag.
    write_info_frame(path, metadata.sample_rate, metadata.n_samples)
    chapters = b"".join(chapter_frames(metadata.marks, metadata.sample_rate))

    def padding(_info: Any) -> int:
        return len(chapters)

    # mutagen would sort the chapters, so it only reserves space for them as padding.
    with_tags(metadata).save(path, v1=0, v2_version=3, padding=padding)
    with path.open("r+b") as file:
        file.seek(_id3_size(file.read(10)) - len(chapters))
        file.write(chapters)


def _id3_size(header: bytes) -> int:
    """The size in bytes of a whole ID3 tag. Its header stores seven bits of the size per byte."""
    return len(header) + sum(byte << 7 * i for i, byte in enumerate(reversed(header[6:10])))


def write_info_frame(path: Path, sample_rate: int, n_samples: int) -> None:
    """Set the Info header of an MP3 without an ID3 tag to `n_samples`. Raises OSError.

    The encoder may pad with more than a frame, but ffmpeg counts only the padding of the last
    frame, so the sound would end up to 46 samples late. Does nothing if there is no Info header, if
    the padding does not fit into it, or if the file has another sample rate.
    """
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
        header = file.read(10)
        file.seek(_id3_size(header) if header.startswith(b"ID3") else 0)
        shutil.copyfileobj(file, copy, _COPY_BYTES)
