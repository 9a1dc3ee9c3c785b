"""The seed of a segment's randomness. It follows from the shard's key, never from chance."""

from __future__ import annotations

import hashlib


def seed_of(key: str, take: int = 0, part: int = 0) -> int:
    """The seed of 31 bits for one take of the segment with this shard key.

    Every engine and server takes one of 31 bits. The first take is 0, and so is the first part,
    where an engine speaks a segment in several.
    """
    later = f" part {part}" if part else ""
    digest = hashlib.sha256(f"{key} take {take}{later}".encode()).digest()
    return int.from_bytes(digest[:4], "little") >> 1
