"""Reads the format and size of a picture from its bytes, without decoding it.

Only the structure is followed, as laid out by PNG (W3C, 3rd edition, 5), JPEG (ITU-T T.81, annex
B), GIF (version 89a, 18) and WebP (RFC 9649). PNG and JPEG are also checked to be complete.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

Size = tuple[int, int]  # width, height

_HEAD_BYTES = 64
_PNG = b"\x89PNG\r\n\x1a\n"
_OTHERS = (
    (b"BM", "a BMP picture"),
    (b"II*\0", "a TIFF picture"),
    (b"MM\0*", "a TIFF picture"),
    (b"<", "an SVG drawing or a page"),
)
_PNG_CHANNELS = {0: 1, 2: 3, 4: 2, 6: 4}  # by the kind of colours; a palette is no channels
_PALETTE = 3
_SCAN, _END = 0xDA, b"\xff\xd9"
# Start of frame: C0 to CF without C4, C8 and CC, which are no frames.
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


class UnusableImage(Exception):
    """The bytes cannot be a cover. The message completes the sentence "the cover … is"."""


SUFFIXES = {"GIF": ".gif", "JPEG": ".jpg", "PNG": ".png", "WebP": ".webp"}
MEDIA_TYPES = {"GIF": "image/gif", "JPEG": "image/jpeg", "PNG": "image/png", "WebP": "image/webp"}


@dataclass(frozen=True, slots=True)
class Picture:
    """The format of a picture ("PNG", "JPEG", "GIF" or "WebP") and its size in pixels."""

    kind: str
    size: Size

    @property
    def suffix(self) -> str:
        """The end of the names of such files."""
        return SUFFIXES[self.kind]

    @property
    def media_type(self) -> str:
        """The media type of the format."""
        return MEDIA_TYPES[self.kind]


def identify(data: bytes) -> Picture:
    """Return the format and the size of a picture; the bytes alone decide, not a file name.

    Raises UnusableImage if it is none of the four formats, or damaged.
    """
    for start, kind, read_size in _FORMATS:
        if data.startswith(start):
            size = read_size(data)
            if size is None or not all(size):
                raise UnusableImage(f"a damaged {kind} picture")
            return Picture(kind, size)
    head = data[:_HEAD_BYTES].lstrip(b"\xef\xbb\xbf \t\r\n")
    kinds = (f"{kind}, " for start, kind in _OTHERS if head.startswith(start))
    raise UnusableImage(f"{next(kinds, '')}not a JPEG, PNG, WebP or GIF picture")


def colour_depth(data: bytes) -> tuple[int, int]:
    """The bits per pixel, and the colours of its palette (0: none), of a PNG or JPEG picture.

    The picture must be one that `identify` takes.
    """
    if not data.startswith(_PNG):
        frame = _jpeg_frame(data) or 0
        return data[frame + 4] * data[frame + 9], 0
    bits, kind = data[24:26]
    if kind != _PALETTE:
        return bits * _PNG_CHANNELS[kind], 0
    return 24, dict(_png_chunks(data))[b"PLTE"] // 3


def _png_size(data: bytes) -> Size | None:
    """The size of a PNG with IHDR, IDAT and IEND and the right checksum of all critical chunks.

    Bytes after IEND are ignored.
    """
    names = [name for name, _ in _png_chunks(data)]
    is_whole = names[:1] == [b"IHDR"] and b"IDAT" in names and names[-1:] == [b"IEND"]
    return struct.unpack_from(">II", data, 16) if is_whole else None


def _png_chunks(data: bytes) -> Iterator[tuple[bytes, int]]:
    """Yield the names and sizes of the chunks, up to IEND or the first cut or damaged one."""
    offset, name = len(_PNG), b""
    while name != b"IEND":
        n_bytes = int.from_bytes(data[offset : offset + 4])
        name, end = data[offset + 4 : offset + 8], offset + 8 + n_bytes
        is_critical = name[:1].isupper()
        checksum = zlib.crc32(data[offset + 4 : end]).to_bytes(4)
        if end + 4 > len(data) or (is_critical and data[end : end + 4] != checksum):
            return
        yield name, n_bytes
        offset = end + 4


def _jpeg_size(data: bytes) -> Size | None:
    """The size of a JPEG with a frame, then a scan, then an end-of-image marker.

    Bytes after that marker are ignored.
    """
    frame = _jpeg_frame(data)
    if frame is None:
        return None
    height, width = struct.unpack_from(">HH", data, frame + 5)
    return width, height


def _jpeg_frame(data: bytes) -> int | None:
    """Where the last frame before the first scan starts; None unless there are all three."""
    offset, frame = 2, None
    while offset + 4 <= len(data) and data[offset] == 0xFF:
        kind = data[offset + 1]
        if kind == 0xFF:  # a fill byte
            offset += 1
            continue
        n_bytes = int.from_bytes(data[offset + 2 : offset + 4])
        if kind in _FRAMES and offset + 9 <= len(data):
            frame = offset
        if kind == _SCAN:
            return frame if data.find(_END, offset + 2 + n_bytes) >= 0 else None
        offset += 2 + max(n_bytes, 2)
    return None


def _gif_size(data: bytes) -> Size | None:
    return struct.unpack_from("<HH", data, 6) if len(data) >= 10 else None


def _webp_size(data: bytes) -> Size | None:
    """The size that the first chunk gives: a canvas, a lossy or a lossless picture."""
    body = data[20:30]
    if len(body) < 10:
        return None
    match data[8:16]:
        case b"WEBPVP8X":
            return 1 + int.from_bytes(body[4:7], "little"), 1 + int.from_bytes(body[7:], "little")
        case b"WEBPVP8 ":
            return body[6] | (body[7] & 63) << 8, body[8] | (body[9] & 63) << 8
        case b"WEBPVP8L":
            bits = int.from_bytes(body[1:5], "little")
            return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
        case _:
            return None


_FORMATS: tuple[tuple[bytes, str, Callable[[bytes], Size | None]], ...] = (
    (_PNG, "PNG", _png_size),
    (b"\xff\xd8\xff", "JPEG", _jpeg_size),
    (b"GIF8", "GIF", _gif_size),
    (b"RIFF", "WebP", _webp_size),
)
