"""Samples as PCM: what the store keeps of them, and a digest of it. Knows no file.

An engine whose model runs in a process of its own may have this done there: `Rendered.pcm`.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.engine.protocol import Samples
from audiomill.renderers.host.shared_memory import SharedPiece

MAX_SAMPLE = 1 << 16  # 96 dB over full scale: louder samples are not audio

PcmLevels = NDArray[np.int16 | np.int32]


@dataclass(frozen=True, slots=True)
class PcmAudio:
    """Samples as PCM. They are its levels, of full scale 1, times two to the `exponent`."""

    octets: NDArray[np.uint8]  # (n_samples * 2,) or, of 24 bits, * 3; little end first
    exponent: int
    sha256: str  # of `octets`, in hexadecimal
    shared: SharedPiece | None = None  # `octets`, where a child process can read them


def pcm_of(samples: Samples, bits: int) -> PcmAudio:
    """`samples` as PCM of 16 or 24 bits. Raises EngineFailed for samples that are not audio."""
    levels, exponent = quantised(samples, bits)
    octets = _little_end_first(levels, bits)
    return PcmAudio(octets, exponent, hashlib.sha256(octets.data).hexdigest())


def quantised(samples: Samples, bits: int) -> tuple[PcmLevels, int]:
    """`samples` as PCM levels of 16 or 24 bits, and the exponent that undoes their scaling.

    The samples are halved `exponent` times so that none is clipped. Raises EngineFailed for
    samples that are not audio.
    """
    lowest, highest = _range(samples)
    full = float(1 << (bits - 1))
    exponent = 0
    while (
        round(highest * full / 2**exponent) > full - 1 or round(lowest * full / 2**exponent) < -full
    ):
        exponent += 1
    scaled = samples * np.float32(full / 2**exponent)  # by a power of two, so nothing is rounded
    return np.rint(scaled, out=scaled).astype(np.int16 if bits == 16 else np.int32), exponent


def _range(samples: Samples) -> tuple[float, float]:
    """The lowest and the highest sample. Raises EngineFailed for samples that are not audio."""
    if samples.ndim != 1 or samples.size == 0:
        raise EngineFailed(
            f"The engine returned audio of shape {samples.shape}: there is no sound."
        )
    lowest, highest = float(samples.min()), float(samples.max())
    # NaN fails this test, too.
    if not -MAX_SAMPLE < lowest <= highest < MAX_SAMPLE:
        raise EngineFailed(
            "The engine returned audio with samples that are not numbers, or far off."
        )
    return lowest, highest


def _little_end_first(levels: PcmLevels, bits: int) -> NDArray[np.uint8]:
    if bits == 16:
        return levels.astype("<i2", copy=False).view(np.uint8)
    return levels.astype("<i4").view(np.uint8).reshape(-1, 4)[:, :3].reshape(-1)
