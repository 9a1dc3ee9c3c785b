"""Pictures by their bytes. Knows which kinds players show as covers, and which are whole.

Nothing is decoded: a picture's parts are counted, as PNG (W3C, 3rd edition, 5) and JPEG
(ITU-T T.81, annex B) lay them out.
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
# Start of frame: C0 to CF without the tables that share the row (C4, C8, CC).
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


class UnusableImage(Exception):
    """Bytes that are no cover; the message goes on after "the cover … is"."""


def cover_of(data: bytes) -> Cover:
    """`data` as a cover if it is a whole JPEG or PNG, whatever its name says.

    Raises UnusableImage.
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
    """From a header to IEND, each needed chunk with the right checksum; what follows is ignored."""
    names = list(_chunks(data))
    return names[:1] == [b"IHDR"] and b"IDAT" in names and names[-1:] == [b"IEND"]


def _chunks(data: bytes) -> Iterator[bytes]:
    """The names of the chunks, up to IEND or the first that is cut short or damaged."""
    at, name = len(_PNG), b""
    while name != b"IEND":
        n_bytes = int.from_bytes(data[at : at + 4])
        name, end = data[at + 4 : at + 8], at + 8 + n_bytes
        is_needed = name[:1].isupper()
        checksum = zlib.crc32(data[at + 4 : end]).to_bytes(4)
        if end + 4 > len(data) or (is_needed and data[end : end + 4] != checksum):
            return
        yield name
        at = end + 4


def _is_whole_jpeg(data: bytes) -> bool:
    """A frame, then a scan, then an end of image somewhere after it; what follows is ignored."""
    at, has_frame = 2, False
    while at + 4 <= len(data) and data[at] == 0xFF:
        kind = data[at + 1]
        if kind == 0xFF:  # fill
            at += 1
            continue
        n_bytes = int.from_bytes(data[at + 2 : at + 4])
        has_frame = has_frame or kind in _FRAMES
        if kind == _SCAN:
            return has_frame and data.find(_END, at + 2 + n_bytes) >= 0
        at += 2 + max(n_bytes, 2)
    return False
