"""Whether a FLAC file decodes to the samples that it was made of: their MD5 is in its header.

Source: RFC 9639, 8.2. The digest is of all samples, interleaved, each in as many whole bytes as its
bits need, lowest byte first.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import mutagen
import numpy as np
from mutagen.flac import FLAC

from audiomill.renderers.base import Samples

MAX_BITS = 24  # that float32 holds exactly


class FlacDigest:
    """The digest of the samples as they come, and that of the header."""

    def __init__(self, promised: bytes, bits: int) -> None:
        self._promised, self._bits = promised, bits
        self._digest = hashlib.md5(usedforsecurity=False)

    def add(self, block: Samples) -> None:
        """Take in the next samples, [n, channels]."""
        whole = np.rint(block * np.float32(1 << self._bits - 1)).astype("<i4")
        n_bytes = -(-self._bits // 8)
        octets = np.ascontiguousarray(whole).view(np.uint8).reshape(-1, 4)
        self._digest.update(octets[:, :n_bytes].tobytes())

    @property
    def is_as_promised(self) -> bool:
        """Whether the samples are those of which the file was made."""
        return self._digest.digest() == self._promised


def flac_digest(path: Path) -> FlacDigest | None:
    """What compares the samples of a FLAC file; None if its header does not tell their digest."""
    try:
        info = FLAC(path).info
    except (mutagen.MutagenError, ValueError, OSError):  # pyright: ignore[reportPrivateImportUsage]
        return None
    promised = int(info.md5_signature)
    if not promised or info.bits_per_sample > MAX_BITS:
        return None
    return FlacDigest(promised.to_bytes(16), info.bits_per_sample)
