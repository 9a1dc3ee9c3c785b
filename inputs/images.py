"""Checks that the bytes of a cover are a complete JPEG or PNG, the formats that players show.

Nothing is decoded. Only the structure is followed, as laid out by PNG (W3C, 3rd edition, 5) and
JPEG (ITU-T T.81, annex B).
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator

from audiomill.inputs.book import Cover

_HEAD_BYTES = 64
_PNG, _JPEG = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff"
_OTHERS = (
    (b"GIF8", "a GIF picture"),
    (b"RIFF", "a WebP picture"),
    (b"BM", "a BMP picture"),
    (b"II*\0", "a TIFF picture"),
    (b"MM\0*", "a TIFF picture"),
    (b"<", "an SVG drawing or a page"),
)
_SCAN, _END = 0xDA, b"\xff\xd9"
# Start of frame: C0 to CF without C4, C8 and CC, which are no frames.
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


class UnusableImage(Exception):
    """The bytes cannot be a cover. The message completes the sentence "the cover … is"."""


def cover_of(data: bytes) -> Cover:
    """Return `data` as a cover; the bytes alone decide the format, not a file name.

    Raises UnusableImage unless `data` is a complete JPEG or PNG.
    """
    if data.startswith(_PNG):
        if not _is_whole_png(data):
            raise UnusableImage("a damaged PNG picture")
        return Cover("image/png", data)
    if data.startswith(_JPEG):
        if not _is_whole_jpeg(data):
            raise UnusableImage("a damaged JPEG picture")
        return Cover("image/jpeg", data)
    head = data[:_HEAD_BYTES].lstrip(b"\xef\xbb\xbf \t\r\n")
    kinds = (f"{kind}, " for start, kind in _OTHERS if head.startswith(start))
    raise UnusableImage(f"{next(kinds, '')}neither JPEG nor PNG")


def _is_whole_png(data: bytes) -> bool:
    """True if there are IHDR, IDAT and IEND and all critical chunks have the right checksum.

    Bytes after IEND are ignored.
    """
    names = list(_png_chunks(data))
    return names[:1] == [b"IHDR"] and b"IDAT" in names and names[-1:] == [b"IEND"]


def _png_chunks(data: bytes) -> Iterator[bytes]:
    """Yield the names of the chunks, up to IEND or the first truncated or damaged chunk."""
    offset, name = len(_PNG), b""
    while name != b"IEND":
        n_bytes = int.from_bytes(data[offset : offset + 4])
        name, end = data[offset + 4 : offset + 8], offset + 8 + n_bytes
        is_critical = name[:1].isupper()
        checksum = zlib.crc32(data[offset + 4 : end]).to_bytes(4)
        if end + 4 > len(data) or (is_critical and data[end : end + 4] != checksum):
            return
        yield name
        offset = end + 4


def _is_whole_jpeg(data: bytes) -> bool:
    """True if there are a frame, then a scan, then an end-of-image marker.

    Bytes after that marker are ignored.
    """
    offset, has_frame = 2, False
    while offset + 4 <= len(data) and data[offset] == 0xFF:
        kind = data[offset + 1]
        if kind == 0xFF:  # a fill byte
            offset += 1
            continue
        n_bytes = int.from_bytes(data[offset + 2 : offset + 4])
        has_frame = has_frame or kind in _FRAMES
        if kind == _SCAN:
            return has_frame and data.find(_END, offset + 2 + n_bytes) >= 0
        offset += 2 + max(n_bytes, 2)
    return False
