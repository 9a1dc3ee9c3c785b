"""Walks the frames of an MP3 file, which tell whether its rate is constant and it is whole.

    ID3v2 │ junk │ Info frame │ frame │ frame │ … │ cut frame │ ID3v1, APE

The average of a file says nothing of that: one of variable rate may have an average of 192 kbps.
Layout of frames: ISO/IEC 11172-3 and 13818-3; of the Info frame: the LAME Tag's revision 1. LAME
and ffmpeg write into it how long all frames are together, and their checksum.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from audiomill.outputs.formats.mp3 import ID3_HEADER_BYTES, id3_bytes
from audiomill.outputs.formats.mp3_frames import (
    HEADER_BYTES,
    INFO_NAMES,
    FrameHeader,
    crc16,
    parse_header,
)

_ID3V1, _APE = b"TAG", b"APETAGEX"
_ID3V1_BYTES = 128
_BLOCK_BYTES = 1 << 20
MAX_JUNK_BYTES = 1 << 20  # before the first frame
_CHECKED_BYTES = 1 << 20  # whose checksum is made at a time
# Of the Info header, from its start: the bytes of all frames with this one, and the checksum of the
# others.
_MUSIC_BYTES, _MUSIC_CHECKSUM = slice(148, 152), slice(152, 154)
# In the tags of a file whose frames a programme has made louder or softer, and not their checksum.
_ADJUSTED = b"MP3GAIN_"


@dataclass(frozen=True, slots=True)
class Mp3Frames:
    """The facts that all frames of a file tell. Frames of sound only, without the Info frame."""

    n_frames: int
    n_promised: int | None  # frames, as the Info frame says; None without one
    least_kbps: int
    most_kbps: int
    average_kbps: float
    sample_rates: frozenset[int]
    modes: frozenset[str]  # "mono", "stereo", "joint stereo", "dual channel"
    junk_bytes: int  # before the first frame, and between frames
    cut_bytes: int  # that the last frame lacks
    is_altered: bool  # whether the frames' checksum is not that of the encoder
    samples_per_frame: int

    @property
    def is_constant(self) -> bool:
        """Whether all frames have one bit rate."""
        return self.least_kbps == self.most_kbps

    @property
    def missing_s(self) -> float:
        """How much of the sound that the file promises is not there."""
        lacking = max(0, (self.n_promised or 0) - self.n_frames)
        return max(lacking, self.cut_bytes > 0) * self.samples_per_frame / min(self.sample_rates)


def walk_frames(path: Path) -> Mp3Frames | None:
    """The facts that the frames of an MP3 file tell; None if there are none. Raises OSError."""
    with path.open("rb") as file:
        start, end = _after_id3v2(file), _before_tags(file)
        counts = _Counts()
        for data, header, n_before in _frames(file, start, end):
            counts.add(data, header, n_before)
        is_adjusted = _is_adjusted(file, start, end)
        return counts.result(is_adjusted=is_adjusted)


class _Counts:
    """Counts frames as they come."""

    def __init__(self) -> None:
        self._by_kbps: dict[int, int] = {}
        self._rates: set[int] = set()
        self._modes: set[str] = set()
        self._junk = 0
        self._cut = 0
        self._bytes = 0
        self._samples = 0
        self._n_info_bytes = 0
        self._checksum = _Checksum()
        self._promised_checksum: tuple[int, int] | None = None
        self._promised: int | None = None
        self._is_first = True

    def add(self, data: bytes, header: FrameHeader, n_before: int) -> None:
        """Count a frame, which may be cut, after so many bytes of junk."""
        self._junk += n_before
        is_first, self._is_first = self._is_first, False
        if is_first and _is_info(data, header):
            self._promised = _promised_frames(data, header)
            self._promised_checksum = _promised_checksum(data, header)
            self._n_info_bytes = len(data)
            return
        self._cut = header.n_bytes - len(data)
        if self._cut:
            return
        self._by_kbps[header.kbps] = self._by_kbps.get(header.kbps, 0) + 1
        self._rates.add(header.sample_rate)
        self._modes.add(header.mode)
        self._samples = header.samples
        if self._promised_checksum:
            self._checksum.add(data)

    def result(self, *, is_adjusted: bool) -> Mp3Frames | None:
        """The facts that have been counted; None if there were no whole frames.

        The checksum of frames that were adjusted since they were encoded tells nothing.
        """
        if not self._by_kbps:
            return None
        n = sum(self._by_kbps.values())
        return Mp3Frames(
            n_frames=n,
            n_promised=self._promised,
            least_kbps=min(self._by_kbps),
            most_kbps=max(self._by_kbps),
            average_kbps=sum(kbps * count for kbps, count in self._by_kbps.items()) / n,
            sample_rates=frozenset(self._rates),
            modes=frozenset(self._modes),
            junk_bytes=self._junk,
            cut_bytes=self._cut,
            is_altered=not is_adjusted and self._is_altered(),
            samples_per_frame=self._samples,
        )

    def _is_altered(self) -> bool:
        """Whether the file is as long as the encoder made it, and its frames are others."""
        if self._promised_checksum is None:
            return False
        n_bytes, checksum = self._promised_checksum
        is_whole = n_bytes == self._n_info_bytes + self._checksum.n_bytes
        return is_whole and checksum != self._checksum.result()


class _Checksum:
    """The checksum of frames as they come."""

    def __init__(self) -> None:
        self.n_bytes = 0
        self._remainder = 0
        self._waiting = bytearray()

    def add(self, data: bytes) -> None:
        """Take in the bytes of the next frame."""
        self.n_bytes += len(data)
        self._waiting += data
        if len(self._waiting) >= _CHECKED_BYTES:
            self.result()

    def result(self) -> int:
        """The checksum so far."""
        self._remainder = crc16(bytes(self._waiting), self._remainder)
        self._waiting.clear()
        return self._remainder


def _frames(file: BinaryIO, start: int, end: int) -> Iterator[tuple[bytes, FrameHeader, int]]:
    """(its bytes, its header, the bytes of junk before it) of each frame in [start, end)."""
    window = _ByteWindow(file, end)
    at, junk, is_sure = start, 0, False
    while at + HEADER_BYTES <= end:
        header = parse_header(window.at(at, HEADER_BYTES))
        # By chance noise looks like a frame, but not like two. Once frames follow each other, the
        # next one needs no proof.
        if header is None or not (is_sure or _is_followed(window, at + header.n_bytes, end)):
            at, junk, is_sure = at + 1, junk + 1, False
            if junk > MAX_JUNK_BYTES:
                return
            continue
        yield window.at(at, header.n_bytes), header, junk
        at, junk, is_sure = at + header.n_bytes, 0, True


def _is_followed(window: _ByteWindow, at: int, end: int) -> bool:
    """Whether the file ends at `at`, or a frame begins there."""
    return at == end or parse_header(window.at(at, HEADER_BYTES)) is not None


class _ByteWindow:
    """Bytes of a file, read in large blocks."""

    def __init__(self, file: BinaryIO, end: int) -> None:
        self._file = file
        self._end = end
        self._start = 0
        self._bytes = b""

    def at(self, at: int, n: int) -> bytes:
        """The `n` bytes from `at`; fewer at the end."""
        n = max(0, min(n, self._end - at))
        if not self._start <= at <= at + n <= self._start + len(self._bytes):
            self._file.seek(at)
            self._start, self._bytes = at, self._file.read(_BLOCK_BYTES)
        return self._bytes[at - self._start : at - self._start + n]


def _is_info(data: bytes, header: FrameHeader) -> bool:
    at = header.info_start
    return data[at : at + 4] in INFO_NAMES or data[36:40] == b"VBRI"


def _promised_frames(data: bytes, header: FrameHeader) -> int | None:
    at = header.info_start
    if data[at : at + 4] in INFO_NAMES and data[at + 7 : at + 8] and data[at + 7] & 1:
        return int.from_bytes(data[at + 8 : at + 12])
    return int.from_bytes(data[50:54]) if data[36:40] == b"VBRI" else None


def _promised_checksum(data: bytes, header: FrameHeader) -> tuple[int, int] | None:
    """(bytes of all frames, checksum) of an Info frame; None if its encoder has written none."""
    info = data[header.info_start :]
    if info[:4] not in INFO_NAMES or len(info) < _MUSIC_CHECKSUM.stop:
        return None
    n_bytes, checksum = (int.from_bytes(info[at]) for at in (_MUSIC_BYTES, _MUSIC_CHECKSUM))
    return (n_bytes, checksum) if checksum else None


def _is_adjusted(file: BinaryIO, start: int, end: int) -> bool:
    """Whether the tags, outside of [start, end), are of a programme that adjusts frames."""
    file.seek(0)
    if _ADJUSTED in file.read(start):
        return True
    file.seek(end)
    return _ADJUSTED in file.read()


def _after_id3v2(file: BinaryIO) -> int:
    """Where the file goes on after its ID3v2 tags."""
    at = 0
    while True:
        file.seek(at)
        n_bytes = id3_bytes(file.read(ID3_HEADER_BYTES))
        if not n_bytes:
            return at
        at += n_bytes


def _before_tags(file: BinaryIO) -> int:
    """Where the tags at the end begin: ID3v1 and APE."""
    end = file.seek(0, 2)
    if end >= _ID3V1_BYTES:
        file.seek(end - _ID3V1_BYTES)
        end -= _ID3V1_BYTES * (file.read(3) == _ID3V1)
    if end >= 32:
        file.seek(end - 32)
        footer = file.read(32)
        if footer[:8] == _APE:
            size = int.from_bytes(footer[12:16], "little") + 32 * bool(footer[23] & 0x80)
            end = max(0, end - size)
    return end
