"""Cuts an MP4 file of AAC into pieces as ffmpeg's segment muxer does, to the byte.

    recording     moov [sizes, places of 360,000 packets]   mdat [p0 p1 p2 p3 …]
    ffmpeg's cut of its first second ─▶ what a piece looks like
    each piece    ftyp moov free mdat [packets, copied in one stretch]

ffmpeg takes a packet at a time through two threads, 11 µs each. Here the tables are cut by numpy.
The boxes are those that ffmpeg itself writes of the first second, with other numbers in them. If
that second, made here, is not the same to the byte, or the recording has anything that is not
known here, ffmpeg cuts it: another build may write other boxes.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import BinaryIO, TypeAlias

import numpy as np
from numpy.typing import NDArray

TEMPLATE_S = 1.0
MAX_MOOV_BYTES = 1 << 28
MAX_PIECE_BYTES = 1 << 31
CHUNK_BYTES = 1 << 20  # a chunk of ffmpeg's is smaller
COPY_BYTES = 1 << 20
_FOLDERS = frozenset((b"moov", b"trak", b"mdia", b"minf", b"stbl"))
_HEAD = struct.Struct(">I4s")

Numbers: TypeAlias = NDArray[np.int64]


class NotKnown(Exception):
    """Something in a file that only ffmpeg knows how to cut."""


@dataclass(frozen=True, slots=True)
class Box:
    """A box of MP4: its content, or the boxes that it holds."""

    name: bytes
    content: bytes
    inner: tuple[Box, ...] = ()

    def __bytes__(self) -> bytes:
        content = b"".join(map(bytes, self.inner)) if self.inner else self.content
        return _HEAD.pack(_HEAD.size + len(content), self.name) + content

    def find(self, *path: bytes) -> Box:
        """The one box at a path. Raises NotKnown if there are none or several."""
        if not path:
            return self
        found = [one for one in self.inner if one.name == path[0]]
        if len(found) != 1:
            raise NotKnown(path[0])
        return found[0].find(*path[1:])


@dataclass(frozen=True, slots=True)
class Packets:
    """Consecutive packets of a file: where each lies, how long it is and how long it lasts."""

    places: Numbers
    sizes: Numbers
    durations: Numbers

    def between(self, first: int, last: int) -> Packets:
        """Those from `first` to before `last`."""
        own = slice(first, last)
        return Packets(self.places[own], self.sizes[own], self.durations[own])


@dataclass(frozen=True, slots=True)
class Recording:
    """The packets of a recording, their sample rate, and the bit rate that it says it has."""

    packets: Packets
    rate: int
    bit_rate: int

    def is_priming(self, packets: Packets) -> bool:
        """Whether these are the first packet alone, of which nothing is heard."""
        return packets.sizes.size == 1 and packets.places[0] == self.packets.places[0]


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece that was written, in seconds from the first packet of its recording on."""

    path: Path
    start_s: float
    end_s: float


def cut_as(template: Path, recording: Path, cuts_s: Sequence[float]) -> tuple[Piece, ...]:
    """Write the pieces into the template's folder, as "00000" and so on with its suffix.

    `template` is ffmpeg's cut of the first TEMPLATE_S of the recording, and is replaced. Raises
    NotKnown before anything is written; OSError.
    """
    shown = template.read_bytes()
    with recording.open("rb") as file:
        source = _recording(file)
        boxes = tuple(_boxes(shown))
        n_shown = _count(_moov(boxes).find(b"trak", b"mdia", b"minf", b"stbl", b"stsz"))
        first = source.packets.between(0, n_shown)
        if b"".join((_head(boxes, source, first), *_copied(file, first))) != shown:
            raise NotKnown("the first second differs")
        ends = [*_cuts(source, cuts_s), source.packets.sizes.size]
        parts = [
            source.packets.between(start, end) for start, end in zip([0, *ends], ends, strict=False)
        ]
        heads = [_head(boxes, source, part) for part in parts]
        names = (
            template.with_name(f"{number:05}{template.suffix}") for number in range(len(parts))
        )
        return tuple(_written(names, file, source, parts, heads))


def _written(
    names: Iterator[Path],
    file: BinaryIO,
    source: Recording,
    parts: Sequence[Packets],
    heads: Sequence[bytes],
) -> Iterator[Piece]:
    at = 0
    for name, part, head in zip(names, parts, heads, strict=False):
        with name.open("wb") as piece:
            piece.write(head)
            for block in _copied(file, part):
                piece.write(block)
        end = at + int(part.durations.sum())
        yield Piece(name, round(at / source.rate, 6), round(end / source.rate, 6))
        at = end


def _cuts(source: Recording, cuts_s: Sequence[float]) -> Iterator[int]:
    """The packet with which each piece but the first begins: the first one not before the cut.

    ffmpeg looks for one cut at a time, so a piece has one packet at least.
    """
    begins = np.cumsum(source.packets.durations) - source.packets.durations
    first = 0
    for cut_s in cuts_s:
        # ffmpeg reads times in microseconds.
        at = -(-Fraction(f"{cut_s:.6f}") * source.rate // 1)
        first = max(first + 1, int(np.searchsorted(begins, int(at))))
        if first >= begins.size:
            return
        yield first


def _boxes(data: bytes) -> Iterator[Box]:
    """The boxes in these bytes. Raises NotKnown."""
    at = 0
    while at < len(data):
        if len(data) - at < _HEAD.size:
            raise NotKnown("bytes after a box")
        size, name = _HEAD.unpack_from(data, at)
        if not _HEAD.size <= size <= len(data) - at:
            raise NotKnown(name)
        content = data[at + _HEAD.size : at + size]
        yield Box(name, content, tuple(_boxes(content)) if name in _FOLDERS else ())
        at += size


def _moov(boxes: Sequence[Box]) -> Box:
    return Box(b"", b"", tuple(boxes)).find(b"moov")


def _recording(file: BinaryIO) -> Recording:
    """The tables of a file of ours. Raises NotKnown for any that is not."""
    moov = tuple(_boxes(_moov_of(file)))
    tracks = [one for one in moov if one.name == b"trak" and _is_sound(one)]
    if len(tracks) != 1:
        raise NotKnown("not one track of sound")
    table = tracks[0].find(b"mdia", b"minf", b"stbl")
    sizes = _numbers(table.find(b"stsz").content, 12)
    if not sizes.size or _word(table.find(b"stsz").content, 4):
        raise NotKnown("sizes")
    stts = _numbers(table.find(b"stts").content, 8).reshape(-1, 2)
    durations = np.repeat(stts[:, 1], stts[:, 0])
    packets = Packets(_places(table, sizes), sizes, durations)
    _, bit_rate = _bit_rates(table.find(b"stsd").content)
    if durations.size != sizes.size or packets.places[-1] + sizes[-1] > _n_bytes(file):
        raise NotKnown("tables")
    return Recording(packets, _word(tracks[0].find(b"mdia", b"mdhd").content, 12), bit_rate)


def _moov_of(file: BinaryIO) -> bytes:
    """The content of the box with the tables, which comes before the sound."""
    file.seek(0)
    while len(head := file.read(_HEAD.size)) == _HEAD.size:
        size, name = _HEAD.unpack(head)
        if not _HEAD.size <= size <= MAX_MOOV_BYTES or name == b"mdat":
            break
        if name == b"moov":
            return file.read(size - _HEAD.size)
        file.seek(size - _HEAD.size, 1)
    raise NotKnown("no tables")


def _n_bytes(file: BinaryIO) -> int:
    return file.seek(0, 2)


def _is_sound(track: Box) -> bool:
    return track.find(b"mdia", b"hdlr").content[8:12] == b"soun"


def _places(table: Box, sizes: Numbers) -> Numbers:
    """Where the packets lie: after each other in chunks, whose places are listed."""
    chunks = _numbers(table.find(b"stco").content, 8)
    runs = _numbers(table.find(b"stsc").content, 8).reshape(-1, 3)
    n_each = np.repeat(runs[:, 1], np.diff(runs[:, 0] - 1, append=chunks.size))
    if n_each.size != chunks.size or n_each.sum() != sizes.size or (n_each < 1).any():
        raise NotKnown("chunks")
    before = np.cumsum(sizes) - sizes
    firsts = np.cumsum(n_each) - n_each
    return before + np.repeat(chunks - before[firsts], n_each)


def _numbers(content: bytes, start: int) -> Numbers:
    return np.frombuffer(content[start : start + (len(content) - start) // 4 * 4], ">u4").astype(
        np.int64
    )


def _word(content: bytes, at: int) -> int:
    if len(content) < at + 4:
        raise NotKnown("too short")
    return int.from_bytes(content[at : at + 4], "big")


def _count(stsz: Box) -> int:
    return _word(stsz.content, 8)


def _rates_at(stsd: bytes) -> int:
    """Where the highest and the mean bit rate stand in the description of AAC."""
    at = stsd.find(b"esds")
    if at < 0 or stsd[at + 21 : at + 23] != b"\x40\x15":
        raise NotKnown("esds")
    return at + 26


def _bit_rates(stsd: bytes) -> tuple[int, int]:
    at = _rates_at(stsd)
    return _word(stsd, at), _word(stsd, at + 4)


def _head(boxes: Sequence[Box], source: Recording, packets: Packets) -> bytes:
    """All of a piece that comes before its packets. Raises NotKnown."""
    n_bytes, duration = int(packets.sizes.sum()), int(packets.durations.sum())
    if not packets.sizes.size or n_bytes > MAX_PIECE_BYTES or duration >= 1 << 32:
        raise NotKnown("length")
    mean = 8 * n_bytes * source.rate // duration
    highest = max(source.bit_rate, mean)
    said = _Numbers(packets, source.rate, duration, highest, mean, source.is_priming(packets))
    before = b"".join(bytes(_with_numbers(one, said, 0)) for one in boxes if one.name != b"mdat")
    start = len(before) + _HEAD.size
    return b"".join(
        (
            *(bytes(_with_numbers(one, said, start)) for one in boxes if one.name != b"mdat"),
            _HEAD.pack(_HEAD.size + n_bytes, b"mdat"),
        )
    )


@dataclass(frozen=True, slots=True)
class _Numbers:
    """What the boxes of a piece say of it."""

    packets: Packets
    rate: int
    duration: int
    highest_bit_rate: int
    bit_rate: int
    is_priming: bool


def _with_numbers(box: Box, numbers: _Numbers, start: int) -> Box:
    """A box of the template with the numbers of a piece, whose first packet is at `start`."""
    if box.inner:
        movie = [_word(one.content, 12) for one in box.inner if one.name == b"mvhd"]
        inner = tuple(_with_numbers(one, numbers, start) for one in box.inner)
        if movie:
            length = -(-numbers.duration * movie[0] // numbers.rate)
            heard = 0 if numbers.is_priming else length
            inner = tuple(_of_length(one, length, heard) for one in inner)
        return Box(box.name, b"", inner)
    packets, content = numbers.packets, box.content
    if box.name == b"mdhd":
        content = _with_word(content, 16, numbers.duration)
    elif box.name == b"stsd":
        at = _rates_at(content)
        content = _with_word(content, at, numbers.highest_bit_rate)
        content = _with_word(content, at + 4, numbers.bit_rate)
    elif box.name == b"stts":
        content = _listed(content[:4], _runs(packets.durations))
    elif box.name == b"stsc":
        counts = np.diff(_chunks(packets.sizes))
        begun = np.flatnonzero(np.diff(counts, prepend=-1))
        content = _listed(
            content[:4], np.stack([begun + 1, counts[begun], np.ones_like(begun)], axis=1)
        )
    elif box.name == b"stsz":
        n, size = packets.sizes.size, int(packets.sizes[0])
        is_one_size = bool((packets.sizes == size).all())  # which is said once
        content = content[:4] + _packed(
            np.array([size, n]) if is_one_size else np.concatenate([[0, n], packets.sizes])
        )
    elif box.name == b"stco":
        before = np.append(0, np.cumsum(packets.sizes))
        content = _listed(content[:4], start + before[_chunks(packets.sizes)[:-1]][:, None])
    elif box.name == b"sbgp":
        content = _with_word(content, 12, packets.sizes.size)
    elif box.name == b"co64":
        raise NotKnown(box.name)
    return Box(box.name, content)


def _of_length(box: Box, length: int, heard: int) -> Box:
    """The header of the movie or of its track of another length, its edit list of what is heard."""
    if box.name == b"mvhd":
        return Box(box.name, _with_word(box.content, 16, length))
    if box.name == b"tkhd":
        return Box(box.name, _with_word(box.content, 20, length))
    if box.name == b"edts":
        return Box(box.name, _with_word(box.content, 16, heard))
    return Box(box.name, box.content, tuple(_of_length(one, length, heard) for one in box.inner))


def _chunks(sizes: Numbers) -> Numbers:
    """Where chunks of less than CHUNK_BYTES begin, and the end."""
    ends, begins = np.append(0, np.cumsum(sizes)), [0]
    while begins[-1] < sizes.size:
        over = int(np.searchsorted(ends, ends[begins[-1]] + CHUNK_BYTES))
        begins.append(max(begins[-1] + 1, over - 1))
    return np.array(begins, np.int64)


def _runs(durations: Numbers) -> Numbers:
    """How many packets in a row last as long, and how long."""
    begun = np.flatnonzero(np.diff(durations, prepend=-1))
    return np.stack([np.diff(begun, append=durations.size), durations[begun]], axis=1)


def _listed(flags: bytes, rows: Numbers) -> bytes:
    return flags + _packed(np.append(len(rows), rows))


def _packed(numbers: Numbers) -> bytes:
    return numbers.astype(">u4").tobytes()


def _with_word(content: bytes, at: int, value: int) -> bytes:
    if len(content) < at + 4 or not 0 <= value < 1 << 32:
        raise NotKnown("a number")
    return b"".join((content[:at], value.to_bytes(4, "big"), content[at + 4 :]))


def _copied(file: BinaryIO, packets: Packets) -> Iterator[bytes]:
    """The bytes of the packets; those that lie one after the other are read at once."""
    ends = packets.places + packets.sizes
    begun = np.flatnonzero(np.append(True, packets.places[1:] != ends[:-1]))
    for first, last in zip(begun, np.append(begun[1:], ends.size) - 1, strict=True):
        file.seek(int(packets.places[first]))
        n_left = int(ends[last] - packets.places[first])
        while n_left:
            block = file.read(min(n_left, COPY_BYTES))
            if not block:
                raise OSError("the recording ends early")
            yield block
            n_left -= len(block)
