"""MP3 metadata: the ID3 tag before the audio, and the Info header in its first frame."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from audiomill.outputs.metadata.embedded import EmbeddedMetadata
from audiomill.outputs.metadata.id3 import chapter_frames, with_tags

# Of the version in a frame's header: what divides the sample rate, and the samples of a frame.
_VERSIONS = {3: (1, 1152), 2: (2, 576), 0: (4, 576)}  # MPEG-1, MPEG-2, and 2.5, by custom
_MPEG1_HZ = (44100, 48000, 32000)
_MONO = 3
_HEADER_BYTES = 4
# Side information of a frame, by whether it is MPEG-1 and whether it is mono.
_SIDE_BYTES = {(True, True): 17, (True, False): 32, (False, True): 9, (False, False): 17}
_MAX_SIDE_BYTES = 32
_COPY_BYTES = 1 << 20
_INFO_NAMES = (b"Info", b"Xing")  # at a constant bit rate, and at others
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
        frame = bytearray(file.read(_HEADER_BYTES + _MAX_SIDE_BYTES + _CHECKSUM.stop))
        start, frame_samples, its_rate = _frame_layout(frame)
        info = memoryview(frame)[start : start + _CHECKSUM.stop]
        if bytes(info[:4]) not in _INFO_NAMES or its_rate != sample_rate:
            return
        before = int.from_bytes(info[_SILENCE]) >> 12
        after = int.from_bytes(info[_N_FRAMES]) * frame_samples - before - n_samples
        if len(info) < _CHECKSUM.stop or not 0 <= after < 1 << 12:
            return
        info[_SILENCE] = (before << 12 | after).to_bytes(3)
        info[_CHECKSUM] = _crc16(frame[: start + _CHECKSUM.start]).to_bytes(2)
        file.seek(0)
        file.write(frame)


def _frame_layout(frame: bytearray) -> tuple[int, int, int]:
    """Of a first frame: where its Info header starts, its samples, and the sample rate.

    The Info header follows the frame's own header and the side information of its channels. All are
    0 if it is no frame. Source: ISO/IEC 11172-3, 2.4.1.3, and 13818-3.
    """
    if len(frame) < _HEADER_BYTES:
        return 0, 0, 0
    version, rate_index = frame[1] >> 3 & 3, frame[2] >> 2 & 3
    if version not in _VERSIONS or rate_index >= len(_MPEG1_HZ):
        return 0, 0, 0
    divisor, n_samples = _VERSIONS[version]
    side_bytes = _SIDE_BYTES[divisor == 1, frame[3] >> 6 == _MONO]
    return _HEADER_BYTES + side_bytes, n_samples, _MPEG1_HZ[rate_index] // divisor


def copy_without_tag(source: Path, target: Path) -> None:
    """Copy an MP3 file, but not the ID3 tag at its start. Raises OSError."""
    with source.open("rb") as file, target.open("wb") as copy:
        header = file.read(10)
        file.seek(_id3_size(header) if header.startswith(b"ID3") else 0)
        shutil.copyfileobj(file, copy, _COPY_BYTES)


def _crc16(data: bytes | bytearray) -> int:
    """CRC-16/ARC: polynomial 0x8005, lowest bit first, initial value 0."""
    remainder = 0
    for byte in data:
        remainder ^= byte
        for _ in range(8):
            remainder = remainder >> 1 ^ (0xA001 if remainder & 1 else 0)
    return remainder
