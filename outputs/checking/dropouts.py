"""Counts holes in the sound: it is cut off from one half millisecond to the next, and comes back.

    power  ▆▇▆▅▆▇            ▆▅▇▆▆      a dropout
           ▆▇▆▅▃▂▁          ▁▂▅▇▆▆      a pause, or the closure of a "p"

Where the pauses of a file have the noise of a room, a stretch of digital silence within sound is a
dropout. Where they are digital silence themselves, only such a hole counts as has loud sound at
both sides. Of speech of two engines in four languages, also heavily limited, as WAV, MP3 and AAC,
the loudest sound beside a pause was 10.3 dB below the loud sound of the file.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from audiomill.outputs.delivery.requirements import DIGITAL_SILENCE_DB
from audiomill.renderers.base import Samples

FRAME_S = 0.0005
QUIET_DB = -50.0  # what is below is a pause, or a hole
LEAST_S, MOST_S = 0.005, 1.0  # how long a dropout is
EDGE_DB = -10.0  # how loud the frames at both sides are at least, against the loud sound
OVER_QUIET_DB = 20.0  # and against the hole
LOUD_SHARE = 0.01  # of the frames that are louder than what is called loud
DIGITAL_SHARE = 0.1  # of the quiet frames that are digital silence, at most, where a room is heard
LOWEST_DB, STEP_DB, N_STEPS = -120.0, 0.5, 270
_Levels = NDArray[np.float32]


class DropoutMeter:
    """Looks for holes in a stream, of all channels together."""

    def __init__(self, sample_rate: int, n_channels: int) -> None:
        self._frame = max(1, round(FRAME_S * sample_rate))
        self._rest = np.zeros((0, n_channels), np.float32)
        self._counts = np.zeros(N_STEPS, np.int64)  # of frames, by their level
        frame_s = self._frame / sample_rate
        self._quiet = _HoleCounter(QUIET_DB, frame_s)
        self._digital = _HoleCounter(DIGITAL_SILENCE_DB, frame_s)

    def add(self, block: Samples) -> None:
        """Look at the next samples, [n, channels]."""
        samples = np.concatenate((self._rest, block)) if len(self._rest) else block
        whole = len(samples) // self._frame * self._frame
        self._rest = samples[whole:].copy()
        if whole:
            frames = samples[:whole].reshape(whole // self._frame, -1)
            powers = np.einsum("ij,ij->i", frames, frames) / np.float32(frames.shape[1])
            levels_db = 10 * np.log10(np.maximum(powers, np.float32(1e-12)))
            self._counts += _counted(levels_db)
            self._quiet.add(levels_db)
            self._digital.add(levels_db)

    @property
    def n_dropouts(self) -> int:
        """The holes so far."""
        louder = self._counts[::-1].cumsum()
        loud_db = LOWEST_DB + STEP_DB * (
            N_STEPS - 1 - int(np.argmax(louder > LOUD_SHARE * louder[-1]))
        )
        n_sharp = self._quiet.n_holes(max(loud_db + EDGE_DB, QUIET_DB + OVER_QUIET_DB))
        return max(n_sharp, self._digital.n_holes(QUIET_DB)) if self._hears_room() else n_sharp

    def _hears_room(self) -> bool:
        """Whether pauses are not digital silence."""
        digital, quiet = (
            int(self._counts[: round((level_db - LOWEST_DB) / STEP_DB)].sum())
            for level_db in (DIGITAL_SILENCE_DB, QUIET_DB)
        )
        return digital < DIGITAL_SHARE * quiet


class _HoleCounter:
    """Counts stretches below a level, by the level of the softer frame beside them."""

    def __init__(self, below_db: float, frame_s: float) -> None:
        self._below_db = below_db
        self._least, self._most = round(LEAST_S / frame_s), round(MOST_S / frame_s)
        self._open: _Levels = np.zeros(0, np.float32)  # the levels from the last loud frame on
        self._edges = np.zeros(N_STEPS, np.int64)

    def add(self, levels_db: _Levels) -> None:
        """Look at the next frames."""
        levels = np.concatenate((self._open, levels_db))
        is_quiet = levels < self._below_db
        # A hole begins at a turn and ends at the next one; a turn before the first loud frame ends
        # the quiet beginning.
        turns = np.flatnonzero(is_quiet[1:] != is_quiet[:-1])[int(is_quiet[0]) :]
        starts, ends = turns[: turns.size // 2 * 2 : 2], turns[1::2]
        is_hole = (ends - starts >= self._least) & (ends - starts <= self._most)
        sides = np.minimum(levels[starts[is_hole]], levels[ends[is_hole] + 1])
        self._edges += _counted(sides)
        loud = np.flatnonzero(~is_quiet)
        # One frame more than the longest hole is enough to know that it is none.
        self._open = levels[loud[-1] :][: self._most + 2] if loud.size else levels[:1]

    def n_holes(self, least_db: float) -> int:
        """The holes with frames of this level or more at both sides."""
        return int(self._edges[round((least_db - LOWEST_DB) / STEP_DB) :].sum())


def _counted(levels_db: _Levels) -> NDArray[np.int64]:
    steps = np.clip((levels_db - LOWEST_DB) / STEP_DB, 0, N_STEPS - 1).astype(np.int64)
    return np.bincount(steps, minlength=N_STEPS)
