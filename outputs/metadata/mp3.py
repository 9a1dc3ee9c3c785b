"""MP3 metadata: the ID3 tag before the audio, and the Info header in its first frame."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from audiomill.outputs.metadata.embedded import EmbeddedMetadata
from audiomill.outputs.metadata.id3 import chapter_frames, with_tags

_MPEG1_HZ = (32000, 44100, 48000)
_MPEG2_HZ = (8000, 11025, 12000, 16000, 22050, 24000)
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
    """Set the Info header of a mono MP3 without an ID3 tag to `n_samples`. Raises OSError.

    The encoder may pad with more than a frame, but ffmpeg counts only the padding of the last
    frame, so the sound would end up to 46 samples late. Does nothing if there is no Info header, if
    the padding does not fit into it, or if MP3 does not have the sample rate.
    """
    if sample_rate not in _MPEG1_HZ + _MPEG2_HZ:
        return
    # The Info header follows the frame's own header and the side information of one channel.
    start, frame_samples = (21, 1152) if sample_rate in _MPEG1_HZ else (13, 576)
    with path.open("r+b") as file:
        frame = bytearray(file.read(start + _CHECKSUM.stop))
        info = memoryview(frame)[start:]
        if bytes(info[:4]) != b"Info" or len(info) < _CHECKSUM.stop:
            return
        before = int.from_bytes(info[_SILENCE]) >> 12
        after = int.from_bytes(info[_N_FRAMES]) * frame_samples - before - n_samples
        if not 0 <= after < 1 << 12:
            return
        info[_SILENCE] = (before << 12 | after).to_bytes(3)
        info[_CHECKSUM] = _crc16(frame[: start + _CHECKSUM.start]).to_bytes(2)
        file.seek(0)
        file.write(frame)


def _crc16(data: bytes | bytearray) -> int:
    """CRC-16/ARC: polynomial 0x8005, lowest bit first, initial value 0."""
    remainder = 0
    for byte in data:
        remainder ^= byte
        for _ in range(8):
            remainder = remainder >> 1 ^ (0xA001 if remainder & 1 else 0)
    return remainder
