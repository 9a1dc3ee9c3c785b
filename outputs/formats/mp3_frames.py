"""The frames of a stream of MP3: their headers, what each makes a decoder do, and their checksums.

    frame n    │ header, side information │ ▓▓▓▓▓▓▓░░▒▒▒▒▒ │     ▓ main data of frame n - 1
    frame n+1  │ header, side information │ ▒▒▒▒░░░░░▓▓▓▓▓ │     ▒ of frame n   ░ of nobody

A frame's main data may begin in the bytes of earlier frames: the side information says how far back
(main_data_begin), and how long they are (part2_3_length). What lies between is ancillary data,
which no decoder uses: LAME writes alternating bits there, by what it has written before.

The Info header of a first frame guards itself and the frames after it with a CRC-16/ARC: polynomial
0x8005, lowest bit first, initial value 0. Long data are taken as rows of 1 KiB, all of which
advance together: a thousand times as fast as byte by byte.

Sources: ISO/IEC 11172-3, 2.4.1.3 and 2.4.1.7; ISO/IEC 13818-3, 2.4.1.7; MPEG-2.5 is custom.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

HEADER_BYTES = 4
INFO_NAMES = (b"Info", b"Xing")  # at a constant bit rate, and at others
_KBPS_1 = (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320)  # MPEG-1, layer III
_KBPS_2 = (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160)  # MPEG-2 and 2.5
_RATES = (44_100, 48_000, 32_000)
_DIVISORS = {3: 1, 2: 2, 0: 4}  # of the sample rate, by MPEG version: 1, 2, 2.5
_MODES = ("stereo", "joint stereo", "dual channel", "mono")
_FREE = 0  # index of the bit rate: any, which no frame tells
_LENGTH_BITS = 12  # of part2_3_length, the first field of each granule's channel
_MPEG_1_SAMPLES = 1152
_POLYNOMIAL = 0xA001  # 0x8005 from its lowest bit on
_ROW_BYTES = 1 << 10
_Words = NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class FrameHeader:
    """The fields of the header of a frame."""

    n_bytes: int  # of the frame
    kbps: int
    sample_rate: int
    mode: str  # "mono", "stereo", "joint stereo", "dual channel"
    samples: int
    side_bytes: int

    @property
    def info_start(self) -> int:
        """Where in a first frame the Info header starts: after the side information."""
        return HEADER_BYTES + self.side_bytes


def parse_header(data: bytes | bytearray) -> FrameHeader | None:
    """The header of a layer III frame; None if there is none, or one without a bit rate."""
    if len(data) < HEADER_BYTES or data[0] != 0xFF or data[1] & 0xE6 != 0xE2:
        return None
    version, kbps_at, rate_at = data[1] >> 3 & 3, data[2] >> 4, data[2] >> 2 & 3
    if version == 1 or kbps_at in (_FREE, 15) or rate_at == 3 or data[3] & 3 == 2:
        return None
    is_1 = version == 3
    kbps = (_KBPS_1 if is_1 else _KBPS_2)[kbps_at]
    rate = _RATES[rate_at] // _DIVISORS[version]
    mode = _MODES[data[3] >> 6]
    samples = _MPEG_1_SAMPLES if is_1 else _MPEG_1_SAMPLES // 2
    n_bytes = samples // 8 * kbps * 1000 // rate + (data[2] >> 1 & 1)
    # MPEG-1 and 2 have side information of these sizes, for one channel and for two.
    side_bytes = ((17 if is_1 else 9), (32 if is_1 else 17))[mode != "mono"]
    return FrameHeader(n_bytes, kbps, rate, mode, samples, side_bytes)


@dataclass(frozen=True, slots=True)
class FrameContent:
    """The content of a frame for a decoder: header with side information, and main data."""

    head: bytes
    main_data: int  # its bits as a number


def mp3_frames(stream: bytes) -> list[bytes]:
    """The frames of a stream that begins with one. Raises ValueError if they are not whole."""
    frames: list[bytes] = []
    at = 0
    while at < len(stream):
        header = _header(stream[at : at + HEADER_BYTES])
        if header is None or at + header.n_bytes > len(stream):
            raise ValueError(f"{len(stream)} bytes of MP3 have no whole frame at {at}")
        frames.append(stream[at : at + header.n_bytes])
        at += header.n_bytes
    return frames


def contents(frames: list[bytes], first: int, end: int) -> list[FrameContent]:
    """The contents for a decoder of frames [first, end).

    The frames before `first` must hold all main data; else there is less of it.
    """
    heads = [_head(frame) for frame in frames]
    payloads = [frame[len(head) :] for frame, (head, _, _) in zip(frames, heads, strict=True)]
    starts = list(accumulate(map(len, payloads), initial=0))
    stream = b"".join(payloads)
    found: list[FrameContent] = []
    for (head, n_back, n_bits), start in list(zip(heads, starts, strict=False))[first:end]:
        begin = max(0, start - n_back)
        n_bytes = -(-n_bits // 8)
        main_data = int.from_bytes(stream[begin : begin + n_bytes]) >> 8 * n_bytes - n_bits
        found.append(FrameContent(head, main_data))
    return found


@functools.lru_cache(maxsize=256)  # all frames of a file have one of a few headers
def _header(data: bytes) -> FrameHeader | None:
    return parse_header(data)


def _head(frame: bytes) -> tuple[bytes, int, int]:
    """(header with side information, how many bytes back main data begin, how many bits)."""
    header = _header(frame[:HEADER_BYTES])
    if header is None:
        raise ValueError("no frame of MP3")
    head = frame[: HEADER_BYTES + header.side_bytes]
    side = int.from_bytes(head[HEADER_BYTES:])
    n_side = 8 * header.side_bytes

    def field(at: int, n_bits: int) -> int:
        return side >> n_side - at - n_bits & (1 << n_bits) - 1

    n_back_bits, first, step, n_parts = _layout(header)
    lengths = (field(first + step * part, _LENGTH_BITS) for part in range(n_parts))
    return head, field(0, n_back_bits), sum(lengths)


def _layout(header: FrameHeader) -> tuple[int, int, int, int]:
    """(bits of main_data_begin, bits before the first granule's channel, bits of each, number)."""
    channels = 1 if header.mode == "mono" else 2
    if header.samples == _MPEG_1_SAMPLES:
        return 9, 18 if channels == 1 else 20, 59, 2 * channels
    return 8, 8 + channels, 63, channels


def crc16(data: bytes | bytearray | memoryview, before: int = 0) -> int:
    """The checksum of what has the checksum `before`, followed by `data`."""
    n_rows = len(data) // _ROW_BYTES
    whole = n_rows * _ROW_BYTES
    if n_rows:
        low, high = _shifts()
        rows = np.frombuffer(data[:whole], np.uint8).reshape(n_rows, _ROW_BYTES)
        for remainder in _advanced(np.zeros(n_rows, np.uint16), rows).tolist():
            before = int(low[before & 0xFF]) ^ int(high[before >> 8]) ^ remainder
    table = _table().tolist()
    for byte in data[whole:]:
        before = before >> 8 ^ table[(before ^ byte) & 0xFF]
    return before


def _advanced(remainders: _Words, rows: NDArray[np.uint8]) -> _Words:
    """The remainders [n] after the bytes [n, m] of their rows."""
    table = _table()
    eight = np.uint16(8)
    for column in np.ascontiguousarray(rows.T):
        remainders = remainders >> eight ^ table[(remainders ^ column) & np.uint16(0xFF)]
    return remainders


@functools.cache
def _table() -> _Words:
    """The remainder of each byte."""
    remainders = np.arange(256, dtype=np.uint16)
    one, polynomial = np.uint16(1), np.uint16(_POLYNOMIAL)
    for _ in range(8):
        remainders = remainders >> one ^ (remainders & one) * polynomial
    return remainders


@functools.cache
def _shifts() -> tuple[_Words, _Words]:
    """The remainders after a row of zeros, of each low byte and of each high byte."""
    low = np.arange(256, dtype=np.uint16)
    zeros = np.zeros((256, _ROW_BYTES), np.uint8)
    return _advanced(low, zeros), _advanced(low << np.uint16(8), zeros)
