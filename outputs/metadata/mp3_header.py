"""The header of an MP3 frame, and where the Info header of a first frame lies.

Source: ISO/IEC 11172-3, 2.4.1.3, and 13818-3; MPEG-2.5 is custom.
"""

from __future__ import annotations

from dataclasses import dataclass

HEADER_BYTES = 4
INFO_NAMES = (b"Info", b"Xing")  # at a constant bit rate, and at others
_KBPS_1 = (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320)  # MPEG-1, layer III
_KBPS_2 = (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160)  # MPEG-2 and 2.5
_RATES = (44_100, 48_000, 32_000)
_DIVISORS = {3: 1, 2: 2, 0: 4}  # of the sample rate, by MPEG version: 1, 2, 2.5
_MODES = ("stereo", "joint stereo", "dual channel", "mono")
_FREE = 0  # index of the bit rate: any, which no frame tells


@dataclass(frozen=True, slots=True)
class FrameHeader:
    """What the header of a frame tells."""

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
    samples = 1152 if is_1 else 576
    n_bytes = samples // 8 * kbps * 1000 // rate + (data[2] >> 1 & 1)
    # MPEG-1 and 2 have side information of these sizes, for one channel and for two.
    side_bytes = ((17 if is_1 else 9), (32 if is_1 else 17))[mode != "mono"]
    return FrameHeader(n_bytes, kbps, rate, mode, samples, side_bytes)
