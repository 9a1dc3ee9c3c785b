"""Pictures by their first bytes. Knows which kinds players show as covers, not where they lie."""

from __future__ import annotations

from inputs.book import Cover

_STARTS = ((b"\xff\xd8\xff", "image/jpeg"), (b"\x89PNG\r\n\x1a\n", "image/png"))


def cover_of(data: bytes) -> Cover | None:
    """`data` as a cover if it is JPEG or PNG, whatever its name says; else None."""
    for start, media_type in _STARTS:
        if data.startswith(start):
            return Cover(media_type, data)
    return None
