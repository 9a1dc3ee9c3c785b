"""Room tone: the quiet noise of a room, where there would be digital silence.

    power  ▁▃▇▇▆▆▅▅▄▄▃▃▂▁▁     falls by 3 dB an octave from 60 Hz on, and faster above 4 kHz

It runs under the speech too, far below it, so that it neither begins nor ends anywhere. A loop of
half a minute is made once for each sample rate. Sample n of a file has sample n of the loop,
modulo its length: so the same place has the same noise, in whichever region it is encoded.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator

import numpy as np

from audiomill.renderers.base import Samples

LOOP_S = 30.0
LOWEST_HZ, HIGHEST_HZ = 60.0, 4000.0
SEED = 1881


def with_room_tone(
    blocks: Iterable[Samples], start: int, level_db: float, sample_rate: int
) -> Iterator[Samples]:
    """The blocks, which begin at sample `start` of their file, with noise of that RMS below."""
    for block in blocks:
        yield block + room_tone(start, block.size, level_db, sample_rate)
        start += block.size


def room_tone(start: int, n_samples: int, level_db: float, sample_rate: int) -> Samples:
    """Samples [start, start + n_samples) of the noise in a file, at an RMS level in dBFS."""
    loop = _loop(sample_rate)
    at = start % loop.size
    n_loops = -(-(at + n_samples) // loop.size)
    repeated = np.tile(loop, n_loops) if n_loops > 1 else loop
    return repeated[at : at + n_samples] * np.float32(10 ** (level_db / 20))


@functools.cache
def _loop(sample_rate: int) -> Samples:
    """Noise whose end continues at its start, with an RMS of 1.

    Each frequency that fits into the loop has the power of the spectrum and a random phase.
    """
    n_samples = round(LOOP_S * sample_rate)
    hz = np.fft.rfftfreq(n_samples, 1 / sample_rate)
    power = (1 / np.maximum(hz, LOWEST_HZ)) / (1 + (hz / HIGHEST_HZ) ** 4)
    power *= np.minimum(hz / LOWEST_HZ, 1) ** 4
    phases = np.random.default_rng(SEED).random(hz.size) * 2 * np.pi
    noise = np.fft.irfft(np.sqrt(power) * np.exp(1j * phases), n_samples)
    return (noise / np.sqrt(np.mean(noise**2))).astype(np.float32)
