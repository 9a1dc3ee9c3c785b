"""Counts holes in the sound: it is cut off from one half millisecond to the next, and comes back.

    power  ▆▇▆▅▆▇            ▆▅▇▆▆      a dropout
           ▆▇▆▅▃▂▁          ▁▂▅▇▆▆      a pause, or the closure of a "p"

Where the pauses of a file have the noise of a room, a stretch of digital silence within sound is a
dropout. Where they are digital silence themselves, it is a dropout if the sound is cut off at both
sides: about as loud in the last 2 ms as before. Pauses fade. espeak cuts off sounds at the closures
of its consonants, mostly at one side only: nothing is concluded from a file with many of those.

In any file a hole counts that has loud sound at both sides. Of speech of two engines in four
languages, also heavily limited, as WAV, MP3 and AAC, the loudest sound beside a pause was 10.3 dB
below the loud sound of the file.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from audiomill.outputs.checking.requirements import DIGITAL_SILENCE_DB
from audiomill.renderers.engine.protocol import Samples

FRAME_S = 0.0005
QUIET_DB = -50.0  # what is below is a pause, or a hole
LEAST_S, MOST_S = 0.005, 1.0  # how long a dropout is
EDGE_DB = -10.0  # how loud the frames at both sides are at least, against the loud sound
OVER_QUIET_DB = 20.0  # and against the hole
LOUD_SHARE = 0.01  # of the frames that are louder than what is called loud
CUT_FRAMES, BESIDE_FRAMES = 4, 20  # of a side: those that a fade makes soft, and all looked at
CUT_DB = -10.0  # how loud a cut side is at least in the first of them, against the others
CUT_LOUD_DB = -35.0  # and those against the loud sound
BOTH_PER_ONE = 3  # more stretches with two cut sides than this for each with one, or none counts
DIGITAL_SHARE = 0.1  # of the quiet frames that are digital silence, at most, where a room is heard
LOWEST_DB, STEP_DB, N_STEPS = -120.0, 0.5, 270
_Levels = NDArray[np.float32]
_Indices = NDArray[np.intp]


class DropoutMeter:
    """Looks for holes in a stream, of all channels together."""

    def __init__(self, sample_rate: int, n_channels: int) -> None:
        self._frame = max(1, round(FRAME_S * sample_rate))
        self._rest = np.zeros((0, n_channels), np.float32)
        self._counts = np.zeros(N_STEPS, np.int64)  # of frames, by their level
        frame_s = self._frame / sample_rate
        self._quiet = _HoleCounter(QUIET_DB, frame_s)
        self._digital = _HoleCounter(DIGITAL_SILENCE_DB, frame_s)
        self._cuts = _CutCounter(frame_s)

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
            self._cuts.add(levels_db)

    @property
    def n_dropouts(self) -> int:
        """The holes so far."""
        louder = self._counts[::-1].cumsum()
        loud_db = LOWEST_DB + STEP_DB * (
            N_STEPS - 1 - int(np.argmax(louder > LOUD_SHARE * louder[-1]))
        )
        n_sharp = self._quiet.n_holes(max(loud_db + EDGE_DB, QUIET_DB + OVER_QUIET_DB))
        if self._hears_room():
            return max(n_sharp, self._digital.n_holes(QUIET_DB))
        return max(n_sharp, self._cuts.n_holes(loud_db + CUT_LOUD_DB))

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


class _CutCounter:
    """Counts stretches of digital silence at whose sides the sound is cut off, by their level."""

    def __init__(self, frame_s: float) -> None:
        self._least, self._most = round(LEAST_S / frame_s), round(MOST_S / frame_s)
        self._open: _Levels = np.zeros(0, np.float32)  # the levels from which a hole may begin
        self._n_judged = 0  # frames of them before which all holes are counted
        self._both = np.zeros(N_STEPS, np.int64)
        self._any = np.zeros(N_STEPS, np.int64)

    def add(self, levels_db: _Levels) -> None:
        """Look at the next frames."""
        levels = np.concatenate((self._open, levels_db))
        starts, ends = _stretches(levels < DIGITAL_SILENCE_DB)
        is_new = starts >= max(self._n_judged, BESIDE_FRAMES)
        is_whole = ends <= levels.size - BESIDE_FRAMES
        lengths = ends - starts
        is_hole = is_new & is_whole & (lengths >= self._least) & (lengths <= self._most)
        self._count(levels, starts[is_hole], ends[is_hole])
        waiting = starts[is_new & ~is_whole & (lengths <= self._most)]
        n_judged = int(waiting[0]) if waiting.size else levels.size
        first = max(0, n_judged - BESIDE_FRAMES)
        self._open, self._n_judged = levels[first:], n_judged - first

    def n_holes(self, least_db: float) -> int:
        """The holes of this level or more; 0 where one side alone is often cut off."""
        at = max(0, round((least_db - LOWEST_DB) / STEP_DB))
        n_both = int(self._both[at:].sum())
        n_one = int(self._any[at:].sum()) - n_both
        return n_both if n_both > BOTH_PER_ONE * n_one else 0

    def _count(self, levels: _Levels, starts: _Indices, ends: _Indices) -> None:
        frames = np.arange(BESIDE_FRAMES)  # from the hole on
        powers = np.power(np.float32(10), levels / 10)
        before = _cut_levels(powers[starts[:, None] - 1 - frames])
        after = _cut_levels(powers[ends[:, None] + frames])
        self._both += _counted(np.minimum(before, after))
        self._any += _counted(np.maximum(before, after))


def _stretches(is_quiet: NDArray[np.bool_]) -> tuple[_Indices, _Indices]:
    """Where stretches begin, and where they end; one at the end of the frames ends with them."""
    turns = np.diff(is_quiet.astype(np.int8), append=np.int8(0))
    starts, ends = np.flatnonzero(turns == 1) + 1, np.flatnonzero(turns == -1) + 1
    # The first frames may be of a stretch that began before them.
    return starts, ends[ends.size - starts.size :]


def _cut_levels(powers: _Levels) -> _Levels:
    """The levels of sides, [n, BESIDE_FRAMES] from the hole on; LOWEST_DB of those that fade."""
    near = powers[:, :CUT_FRAMES].mean(axis=1)
    far = powers[:, CUT_FRAMES:].mean(axis=1)
    is_cut = near >= far * 10 ** (CUT_DB / 10)
    return np.where(is_cut, 10 * np.log10(far), np.float32(LOWEST_DB)).astype(np.float32)


def _counted(levels_db: _Levels) -> NDArray[np.int64]:
    steps = np.clip((levels_db - LOWEST_DB) / STEP_DB, 0, N_STEPS - 1).astype(np.int64)
    return np.bincount(steps, minlength=N_STEPS)
