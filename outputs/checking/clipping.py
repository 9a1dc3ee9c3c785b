"""Counts clipped samples of a stream: flat tops at full scale."""

from __future__ import annotations

import numpy as np

from audiomill.renderers.base import Samples

# Three samples in a row at full scale are an overload (Bob Katz, "Mastering Audio", 2002).
CLIPPED_RUN = 3
FULL_SCALE = 1 - 2 / (1 << 15)  # two steps of 16 bits below: rounding may take one


class ClippingCounter:
    """Counts the samples in runs of CLIPPED_RUN or more at full scale, of one channel."""

    def __init__(self) -> None:
        self._finished = 0
        self._open = 0  # the run that reaches the end of the stream so far

    def add(self, channel: Samples, peak: float) -> None:
        """Count in the next samples, whose largest absolute value is `peak`."""
        if peak < FULL_SCALE:
            if channel.size:
                self._close()
            return
        is_full = np.abs(channel) >= FULL_SCALE
        edges = np.flatnonzero(np.diff(is_full.astype(np.int8), prepend=0, append=0))
        starts, ends = edges[::2], edges[1::2]
        if starts[0] != 0:
            self._close()
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
            self._open += end - start
            if end < channel.size:
                self._close()

    @property
    def n_clipped(self) -> int:
        """The clipped samples so far."""
        return self._finished + (self._open if self._open >= CLIPPED_RUN else 0)

    def _close(self) -> None:
        self._finished = self.n_clipped
        self._open = 0
