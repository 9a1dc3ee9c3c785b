"""The frames of a stream of MP3, and what each of them makes a decoder do.

    frame n    │ header, side information │ ▓▓▓▓▓▓▓░░▒▒▒▒▒ │     ▓ main data of frame n - 1
    frame n+1  │ header, side information │ ▒▒▒▒░░░░░▓▓▓▓▓ │     ▒ of frame n   ░ of nobody

A frame's main data may begin in the bytes of earlier frames: the side information says how far back
(main_data_begin), and how long they are (part2_3_length). What lies between is ancillary data,
which no decoder uses: LAME writes alternating bits there, by what it has written before.

Source: ISO/IEC 11172-3, 2.4.1.7; ISO/IEC 13818-3, 2.4.1.7.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from itertools import accumulate

from audiomill.outputs.metadata.mp3_header import HEADER_BYTES, FrameHeader, parse_header

_LENGTH_BITS = 12  # of part2_3_length, the first field of each granule's channel
_MPEG_1_SAMPLES = 1152


@dataclass(frozen=True, slots=True)
class FrameContent:
    """What a decoder gets of a frame: its header with the side information, and its main data."""

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
    """What a decoder gets of frames [first, end).

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
