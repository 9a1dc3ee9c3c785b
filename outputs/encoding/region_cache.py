"""Caches encoded regions of a file that is not finished, so that an interrupted run goes on.

    region ─▶ key ─▶ KEY.region there and whole? ─▶ its packets, else encoded and cached

A key covers all that decides the bytes, with the build of ffmpeg. What is cached is only a saving:
a file that is damaged, or that cannot be written, counts as none. Whoever makes the folder removes
it once the files are finished.
"""

from __future__ import annotations

import hashlib
import io
import shutil
import zipfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from audiomill.outputs.files import read_file, temporary_file
from audiomill.outputs.types import EncodedRegion, Levels, Loudness, OutputUnwritable

# Regions need as much space as the file itself: they are cached only where that is no matter.
LEAST_FREE_BYTES = 4 << 30
MAX_BYTES = 1 << 28  # of a region; five minutes of PCM have 14 to 58 MB
SHA256_BYTES, LENGTH_BYTES = 32, 8


@dataclass(frozen=True, slots=True)
class RegionCache:
    """Encoded regions in a folder, which need not be there, by their keys."""

    folder: Path

    def get(self, key: str) -> EncodedRegion | None:
        """The region of that key, if it is whole."""
        try:
            content = read_file(self._path(key), MAX_BYTES)
        except OSError:
            return None
        digest, packed = content[:SHA256_BYTES], content[SHA256_BYTES:]
        if hashlib.sha256(packed).digest() != digest:
            return None
        with suppress(ValueError, KeyError, OSError, zipfile.BadZipFile):
            return _unpacked(packed)
        return None

    def put(self, key: str, region: EncodedRegion) -> None:
        """Cache a region, if there is much room for it."""
        with suppress(OSError, OutputUnwritable):
            self.folder.mkdir(parents=True, exist_ok=True)
            if shutil.disk_usage(self.folder).free < LEAST_FREE_BYTES:
                return
            packed, path = _packed(region), self._path(key)
            with temporary_file(path) as temporary:
                temporary.write_bytes(hashlib.sha256(packed).digest() + packed)
                temporary.replace(path)

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}.region"


def _packed(region: EncodedRegion) -> bytes:
    loudness = region.levels.loudness
    numbers = [loudness.sum_squares, loudness.sample_peak, region.levels.true_peak]
    buffer = io.BytesIO()
    np.savez(
        buffer,
        block_powers=loudness.block_powers,
        n_samples=np.int64(loudness.n_samples),
        numbers=np.array(numbers, np.float64),
    )
    levels = buffer.getvalue()
    return b"".join((len(levels).to_bytes(LENGTH_BYTES), levels, region.packets))


def _unpacked(packed: bytes) -> EncodedRegion:
    """Raises ValueError, KeyError, OSError, BadZipFile if it is not what `_packed` makes."""
    end = LENGTH_BYTES + int.from_bytes(packed[:LENGTH_BYTES])
    with np.load(io.BytesIO(packed[LENGTH_BYTES:end]), allow_pickle=False) as arrays:
        sum_squares, sample_peak, true_peak = arrays["numbers"].tolist()
        loudness = Loudness(
            arrays["block_powers"], int(arrays["n_samples"]), sum_squares, sample_peak
        )
    return EncodedRegion(packed[end:], Levels(loudness, true_peak))
