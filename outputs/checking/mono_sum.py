"""Measures how much of a stereo file is lost on one loudspeaker, where both channels are added.

Channels that are the same keep their power, different ones lose 3 dB. If one is the other upside
down, nothing is left: one plug of the recording was wired the wrong way round.
"""

from __future__ import annotations

import numpy as np

from audiomill.outputs.checking.windows import Windows
from audiomill.renderers.base import Samples

WINDOW_S = 3.0
LOST_DB = -15.0  # of the power of the mean, against the mean power; wide stereo has -6
QUIET_POWER = 10**-5.0  # noise is different in both channels, and may be wired in any way


class MonoMeter:
    """Measures a stream of two channels; one of another number loses nothing."""

    def __init__(self, sample_rate: int, n_channels: int) -> None:
        self._sample_rate = sample_rate
        self._is_stereo = n_channels == 2
        self._windows = Windows(round(WINDOW_S * sample_rate))
        self._both = self._mono = 0.0
        self._n_lost = 0

    def add(self, block: Samples) -> None:
        """Measure the next samples, [n, channels]."""
        if not self._is_stereo:
            return
        for piece, is_last in self._windows.pieces(block):
            wide = piece.astype(np.float64)
            self._both += float(np.einsum("ij,ij->", wide, wide)) / 2
            mono = wide.mean(axis=1)
            self._mono += float(mono @ mono)
            if is_last:
                self._n_lost += self._lost(round(WINDOW_S * self._sample_rate))
                self._both = self._mono = 0.0

    def measured(self) -> float:
        """The seconds of sound that are lost, in windows of WINDOW_S."""
        n_open = self._windows.n_open
        return (self._n_lost + (self._lost(n_open) if n_open else 0)) / self._sample_rate

    def _lost(self, n_samples: int) -> int:
        is_loud = self._both > QUIET_POWER * n_samples
        return n_samples if is_loud and self._mono < self._both * 10 ** (LOST_DB / 10) else 0
