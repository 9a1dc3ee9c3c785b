"""FLAC, lossless, with Vorbis comments, a picture and a seek table, by mutagen.

Without a table, a player that jumps to hour 20 guesses where that is, and reads until it finds it.
The header has the MD5 of the samples that the file was made of: of all samples, interleaved, each
in as many whole bytes as its bits need, lowest byte first.

Source: RFC 9639, 8.2 (digest), 8.5 (seek table) and 9.1 (frame header).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from audiomill.outputs.formats.format import Format, IntegrityChecks, TagStyle, lossless_codec
from audiomill.outputs.formats.vorbis import held_vorbis_marks, picture_block, vorbis_comments

if TYPE_CHECKING:
    import mutagen.flac

    from audiomill.outputs.metadata.tags import EmbeddedMetadata
    from audiomill.renderers.engine.protocol import Samples

LEAST_SAMPLES = 16  # of a block
SEEK_STEP_S = 10
_MARKER_BYTES = 4  # "fLaC"
_BLOCK_HEAD_BYTES = 4
_IS_LAST = 0x80  # flag in the first byte of a metadata block
_SYNC = b"\xff\xf8"  # of a frame that is as long as the others
_FIXED_BYTES = 4  # of a frame header: sync, and two of how the frame is coded
_MAX_HEADER_BYTES = 16
_CHANNELS = range(11)  # one to eight channels; left, right or middle, with the difference
# Bytes after the frame's number that a code in the header asks for.
_BLOCK_SIZE_BYTES = {6: 1, 7: 2}
_MAX_BITS = 24  # of a sample, which float32 holds exactly
_SAMPLE_RATE_BYTES = {12: 1, 13: 2, 14: 2}


def tag_flac(path: Path, metadata: EmbeddedMetadata) -> None:
    """Tag a FLAC file. Raises OSError or mutagen.MutagenError."""
    import mutagen.flac

    file: Any = mutagen.flac.FLAC(path)
    file.update(vorbis_comments(metadata))
    file.clear_pictures()
    if metadata.cover is not None:
        file.add_picture(picture_block(metadata.cover))
    table: Any = mutagen.flac.SeekTable(None)
    table.seekpoints = list(seek_points(path, file.info))
    blocks = [one for one in file.metadata_blocks if not isinstance(one, mutagen.flac.SeekTable)]
    file.metadata_blocks[:] = [*blocks[:1], table, *blocks[1:]]  # the stream's information is first
    file.save()


def seek_points(path: Path, info: Any) -> Iterator[mutagen.flac.SeekPoint]:
    """A point every SEEK_STEP_S, at the start of a frame. Stops early if a frame is not found.

    A frame's header holds its number and a checksum. So the bytes of the header that is looked for
    are known, but for how the channels are coded, and audio hardly ever looks like them. `info` is
    mutagen's StreamInfo. Raises OSError.
    """
    from mutagen.flac import SeekPoint

    n_frame = info.max_blocksize
    step = max(1, SEEK_STEP_S * info.sample_rate // n_frame)
    n_frames = -(-info.total_samples // n_frame)
    n_bytes = step * info.max_framesize + _MAX_HEADER_BYTES
    with path.open("rb") as file:
        first = position = file.seek(_first_frame(file))
        start_of_first = file.read(_MAX_HEADER_BYTES)
        for number in range(0, n_frames, step):
            file.seek(position)
            found = _header(start_of_first, number).search(file.read(n_bytes))
            if found is None:
                return
            position += found.start()
            start = number * n_frame
            n_samples = min(n_frame, info.total_samples - start)
            yield SeekPoint(start, position - first, n_samples)


def _first_frame(file: BinaryIO) -> int:
    """The position after the last metadata block."""
    position, head = _MARKER_BYTES, b"\0"
    while not head[0] & _IS_LAST:
        file.seek(position)
        head = file.read(_BLOCK_HEAD_BYTES)
        position += _BLOCK_HEAD_BYTES + int.from_bytes(head[1:])
    return position


def _header(first: bytes, number: int) -> re.Pattern[bytes]:
    """A pattern for the header of a frame, made from the start of frame 0."""
    sizes, channels = first[2], first[3]
    n_extra = _BLOCK_SIZE_BYTES.get(sizes >> 4, 0) + _SAMPLE_RATE_BYTES.get(sizes & 15, 0)
    extra = first[_FIXED_BYTES + 1 :][:n_extra]  # after the number, which is one byte for frame 0
    codings = {channels} if channels >> 4 == 0 else {one << 4 | channels & 15 for one in _CHANNELS}
    headers = (_SYNC + bytes([sizes, coding]) + _coded(number) + extra for coding in codings)
    return re.compile(b"|".join(re.escape(one + bytes([_crc8(one)])) for one in headers))


def _coded(number: int) -> bytes:
    """The number as in UTF-8, but up to 36 bits."""
    if number < 0x80:
        return bytes([number])
    n_bytes = next(n for n in range(2, 8) if number < 1 << 5 * n + 1)
    rest = [0x80 | number >> 6 * i & 0x3F for i in reversed(range(n_bytes - 1))]
    return bytes([0xFF << 8 - n_bytes & 0xFF | number >> 6 * (n_bytes - 1), *rest])


def _crc8(data: bytes) -> int:
    """CRC-8: polynomial 0x07, highest bit first, initial value 0."""
    remainder = 0
    for byte in data:
        remainder ^= byte
        for _ in range(8):
            remainder = (remainder << 1 ^ (0x107 if remainder & 0x80 else 0)) & 0xFF
    return remainder


class FlacDigest:
    """The digest of the samples as they come, and that of the header."""

    def __init__(self, promised: bytes, bits: int) -> None:
        import hashlib  # it loads OpenSSL, which `--help` would wait for

        self._promised, self._bits = promised, bits
        self._digest = hashlib.md5(usedforsecurity=False)

    def add(self, block: Samples) -> None:
        """Take in the next samples, [n, channels]."""
        import numpy as np

        whole = np.rint(block * np.float32(1 << self._bits - 1)).astype("<i4")
        n_bytes = -(-self._bits // 8)
        octets = np.ascontiguousarray(whole).view(np.uint8).reshape(-1, 4)
        self._digest.update(octets[:, :n_bytes].tobytes())

    @property
    def is_as_promised(self) -> bool:
        """Whether the samples are those of which the file was made."""
        return self._digest.digest() == self._promised


def flac_digest(path: Path) -> FlacDigest | None:
    """The digest of the samples of a FLAC file; None if its header does not have it."""
    import mutagen.flac

    try:
        info: Any = mutagen.flac.FLAC(path).info
    except (mutagen.MutagenError, ValueError, OSError):  # pyright: ignore[reportPrivateImportUsage]
        return None
    promised = int(info.md5_signature)
    if not promised or info.bits_per_sample > _MAX_BITS:
        return None
    return FlacDigest(promised.to_bytes(16), info.bits_per_sample)


FLAC = Format(
    *("flac", ".flac", "flac"),
    TagStyle("FLAC", "Vorbis comments in FLAC", tag_flac, held_vorbis_marks),
    *((("acodec", "flac"),), (("format", "flac"),), "audio/flac", lossless_codec),
    least_samples=LEAST_SAMPLES,
    container="flac",
    codec="flac",
    integrity=IntegrityChecks(sample_digest=flac_digest),
)
