"""How an MP3 says where its sound begins and ends. Knows its Info frame, not tags or audio.

The first frame of an MP3 holds no sound but a header of LAME's ("Info", then what encoded it, and
how): https://gabriel.mp3-tech.org/mp3infotag.html. Players that read it cut off the silence that
the encoder had to add.
"""

from __future__ import annotations

from pathlib import Path

_MPEG1_HZ = (32000, 44100, 48000)
_MPEG2_HZ = (8000, 11025, 12000, 16000, 22050, 24000)
# From the start of the header, in bytes.
_N_FRAMES = slice(8, 12)
_SILENCE = slice(141, 144)  # samples before and after the sound, 12 bits each
_CHECKSUM = slice(154, 156)  # over all of the frame before it


def tell_length(path: Path, sample_rate: int, n_samples: int) -> None:
    """Write into a mono MP3 without ID3 tag that its sound is `n_samples` long. Raises OSError.

    The encoder may fill up with more than a frame; ffmpeg then writes down only what it added to
    the last one, and the sound would end late by the rest, up to 46 samples. Left as it is where
    there is no such header or no room in it, and at a rate that MP3 does not have.
    """
    if sample_rate not in _MPEG1_HZ + _MPEG2_HZ:
        return
    # The header stands behind the frame's own and the side information of one channel.
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
    """CRC-16/ARC: polynomial 0x8005, lowest bit first, from 0."""
    remainder = 0
    for byte in data:
        remainder ^= byte
        for _ in range(8):
            remainder = remainder >> 1 ^ (0xA001 if remainder & 1 else 0)
    return remainder
