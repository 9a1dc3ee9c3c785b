"""A shard's audio as bytes: rounded to PCM levels, packed, and back. Knows no header, no store.

PCM is packed and unpacked twenty times as fast as FLAC and takes nearly twice the room: right for
a disk, which is faster than FLAC is decoded. A network is not, so what crosses it is FLAC.
"""

from __future__ import annotations

import os
import tempfile
from enum import StrEnum
from typing import BinaryIO

import numpy as np
import soundfile
from numpy.typing import NDArray

from renderers.shard import EngineFailed, Samples

LOUDEST = 1 << 16  # 96 dB over full scale: what is louder is not sound
SUBTYPES = {16: "PCM_16", 24: "PCM_24"}
Levels = NDArray[np.int16 | np.int32]


class Codec(StrEnum):
    """What a payload is: little-endian levels one after the other, or a FLAC file."""

    PCM = "pcm"
    FLAC = "flac"


class Undecodable(Exception):
    """These bytes are not audio of that kind."""


def quantised(samples: Samples, bits: int) -> tuple[Levels, int]:
    """`samples` in PCM levels of 16 or 24 bits, halved `exponent` times so that none is clipped.

    Raises EngineFailed for what is no audio.
    """
    least, most = _bounds(samples)
    full = float(1 << (bits - 1))
    exponent = 0
    while round(most * full / 2**exponent) > full - 1 or round(least * full / 2**exponent) < -full:
        exponent += 1
    scaled = samples * np.float32(full / 2**exponent)  # a power of two: nothing is rounded yet
    return np.rint(scaled, out=scaled).astype(np.int16 if bits == 16 else np.int32), exponent


def _bounds(samples: Samples) -> tuple[float, float]:
    """The least and the largest sample, if they can be audio. Raises EngineFailed."""
    if samples.ndim != 1 or samples.size == 0:
        raise EngineFailed(
            f"The engine returned audio of shape {samples.shape}: there is no sound."
        )
    least, most = float(samples.min()), float(samples.max())
    if not -LOUDEST < least <= most < LOUDEST:  # which no NaN is
        raise EngineFailed(
            "The engine returned audio with samples that are no numbers, or far off."
        )
    return least, most


def encoded(levels: Levels, sample_rate: int, bits: int, codec: Codec) -> bytes:
    """The levels as a payload. Raises EngineFailed for a rate that FLAC cannot have."""
    return _pcm(levels, bits) if codec is Codec.PCM else _flac(levels, sample_rate, bits)


def decoded(payload: memoryview, sample_rate: int, bits: int, codec: Codec) -> Samples:
    """The samples of a payload, full scale 1. Raises Undecodable."""
    return _from_pcm(payload, bits) if codec is Codec.PCM else _from_flac(payload, sample_rate)


def _pcm(levels: Levels, bits: int) -> bytes:
    if bits == 16:
        return levels.astype("<i2", copy=False).tobytes()
    return levels.astype("<i4").view(np.uint8).reshape(-1, 4)[:, :3].tobytes()


def _from_pcm(payload: memoryview, bits: int) -> Samples:
    if bits not in SUBTYPES or len(payload) % (bits // 8):
        raise Undecodable(f"its {len(payload)} bytes are not PCM of {bits} bits")
    if bits == 16:
        levels = np.frombuffer(payload, "<i2")
    else:
        three = np.frombuffer(payload, np.uint8).reshape(-1, 3)
        # Four bytes with the lowest 0: 256 times the level, and the sign is in its place.
        levels = np.pad(three, ((0, 0), (1, 0))).reshape(-1).view("<i4")
    full = 1 << (8 * levels.itemsize - 1)
    return np.multiply(levels, np.float32(1 / full), dtype=np.float32)


def _flac(levels: Levels, sample_rate: int, bits: int) -> bytes:
    # libsndfile takes the upper bits of what it is given.
    aligned = levels if bits == 16 else levels << (32 - bits)
    with _nameless_file() as packed:
        try:
            soundfile.write(
                packed.fileno(), aligned, sample_rate, SUBTYPES[bits], format="FLAC", closefd=False
            )
        except soundfile.LibsndfileError as error:
            raise EngineFailed(f"The engine's audio cannot be stored as FLAC: {error}") from error
        packed.seek(0)
        return packed.read()


def _from_flac(payload: memoryview, sample_rate: int) -> Samples:
    with _nameless_file() as packed:
        packed.write(payload)
        packed.seek(0)
        try:
            samples, rate = soundfile.read(packed.fileno(), dtype="float32", closefd=False)
        except soundfile.LibsndfileError as error:
            raise Undecodable(f"its FLAC does not decode: {error}") from error
    if rate != sample_rate:
        raise Undecodable(f"its FLAC is at {rate} Hz, not {sample_rate}")
    return np.asarray(samples, np.float32)


def _nameless_file() -> BinaryIO:
    """A file that is gone when it is closed, or its process dies; in memory where that can be.

    libsndfile is given its descriptor. With a Python object it would come back to Python for every
    few thousand samples, and wait for all other threads each time.
    """
    if hasattr(os, "memfd_create"):
        return os.fdopen(os.memfd_create("shard"), "w+b")
    return tempfile.TemporaryFile()
