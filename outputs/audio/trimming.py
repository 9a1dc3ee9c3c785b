"""Finds the parts of a shard that are voiced: from its first to its last sound, and its sentences.

    shard     ▁▁▁▁▂▅█▆▇▅▂▁▁▁▁▁▁▁▂▆█▇▅▃▁▁▁▁
    pieces       └─────────┘   └────────┘      each with a guard of some ms of quiet
                           └─┬─┘
                        a break: a sentence ends here, and another begins

A pause begins where the voice falls below -45 dB, and ends where it rises above it. What the voice
fades to, and what it rises from within 50 ms, is kept and counts as a part of the pause; so does a
faint breath between two sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from audiomill.outputs.audio.voice_levels import (
    FRAME_S,
    VoiceLevels,
    frame_powers,
    power_ratio,
    voice_levels,
)
from audiomill.renderers.engine.protocol import Samples
from audiomill.renderers.takes.traits import SILENT_POWER

# Kept before the first and after the last frame that is voiced. A word decays more slowly than it
# begins.
GUARD_BEFORE_S = 0.015
GUARD_AFTER_S = 0.030
DC_TOLERANCE = 1e-3  # -60 dBFS; subtracting a smaller offset would do more harm than good
# A break is made in no shorter quiet. A voice that runs on is not cut: that would be heard.
SHORTEST_QUIET_S = 0.040
# The quiet between two sentences is looked for this far beyond the next word's start, which an
# engine knows to within a frame or two of its own (25 ms for Kokoro).
TIMING_TOLERANCE_S = 0.050
# A sound that is no louder than a breath is a part of the pause, this far from both words: the "t"
# that ends a word is as faint, but nearer, and one that begins a word has no quiet after it.
BREATH_DB = -38.0
BREATH_AFTER_WORD_S = 0.120
BREATH_BEFORE_WORD_S = 0.060
# What a voice fades to below HIGHEST_DB is kept for so long after the word, and before the next.
FADE_AFTER_S = 0.100
FADE_BEFORE_S = 0.050


@dataclass(frozen=True, slots=True)
class Break:
    """The place in a shard where a sentence ends and another begins, by the engine's word times.

    Engines count a pause to the word before it, or to the one after it.
    """

    start_s: float  # the middle of the last word
    end_s: float  # the next word begins
    pause_s: float  # the pause that is wanted there, instead of the engine's


@dataclass(frozen=True, slots=True)
class VoicedPiece:
    """Samples [start, end) of a shard. Empty if the shard is silent.

    The first `n_quiet_before` and the last `n_quiet_after` are guards, below the threshold.
    """

    start: int
    end: int
    n_quiet_before: int = 0
    n_quiet_after: int = 0
    pause_s: float | None = None  # that follows in the same shard; None: it is the last piece


def without_dc(samples: Samples) -> Samples:
    """The samples without their DC offset; unchanged if it is within DC_TOLERANCE.

    An offset moves the mean and the median. A few one-sided pulses between silence move only the
    mean; subtracting that would turn the silence into a step.
    """
    # The float32 mean is fast, and exact enough to tell where the slow checks are needed.
    if not samples.size or abs(float(samples.sum())) / samples.size < DC_TOLERANCE / 2:
        return samples
    mean = float(samples.mean(dtype=np.float64))
    if abs(mean) <= DC_TOLERANCE or not _median_exceeds(samples * np.sign(mean), DC_TOLERANCE):
        return samples
    return samples - np.float32(mean)


def _median_exceeds(samples: Samples, level: float) -> bool:
    """True if the median of `samples` is above `level`. Counting is much faster than sorting."""
    n_above = 2 * int(np.count_nonzero(samples > level))
    return float(np.median(samples)) > level if n_above == samples.size else n_above > samples.size


def voiced_pieces(
    samples: Samples, sample_rate: int, breaks: Sequence[Break] = ()
) -> tuple[VoicedPiece, ...]:
    """The voiced parts of a shard, in order: one more than the breaks that were found in it.

    A break is cut out at the longest quiet near it. Where the voice runs on, it stays as the engine
    speaks it.
    """
    frame = max(1, round(FRAME_S * sample_rate))
    powers = frame_powers(samples, frame)
    if not powers.size or powers.max() < SILENT_POWER:
        return (VoicedPiece(0, 0),)
    levels = voice_levels(powers)
    loud = np.flatnonzero(levels.sure)
    cuts = _cuts(levels, breaks, sample_rate / frame)
    first = levels.start_of_voice(0, int(loud[0]))
    last = levels.end_of_voice(int(loud[-1]) + 1, powers.size)
    heard = levels.start_of_words(first)
    gaps = [_Gap(0, heard), *cuts, _Gap(levels.end_of_words(last), powers.size)]
    before, after = (round(guard_s * sample_rate) for guard_s in (GUARD_BEFORE_S, GUARD_AFTER_S))
    # Where the piece before each gap ends and the one after it starts. Before the first gap and
    # after the last there is no piece, so a guard has all of it.
    shared = [_shared(levels, gap, frame, before, after) for gap in cuts]
    n_fade = min(heard - first, round(FADE_BEFORE_S / FRAME_S)) * frame
    edges = [
        max(0, heard * frame - n_fade - before),
        *(edge for both in shared for edge in both),
        min(samples.size, last * frame + after),
    ]
    return tuple(
        VoicedPiece(
            start,
            end,
            left.end * frame - start,
            max(0, end - right.start * frame),
            right.pause_s,
        )
        for start, end, (left, right) in zip(edges[::2], edges[1::2], pairwise(gaps), strict=True)
    )


@dataclass(frozen=True, slots=True)
class _Gap:
    """The quiet frames [start, end) between two pieces, and the pause that replaces them."""

    start: int
    end: int
    pause_s: float | None = None


def _shared(levels: VoiceLevels, gap: _Gap, frame: int, before: int, after: int) -> tuple[int, int]:
    """Where the piece before the gap ends, and where the one after it starts, in samples.

    Each keeps its guard, and what the voice fades to. A gap that is too short for both is
    shared between them.
    """
    start, end = gap.start * frame, gap.end * frame
    within = levels.sure[gap.start : gap.end]
    after = max(after, _n_first(within, FADE_AFTER_S) * frame)
    before = max(before, _n_first(within[::-1], FADE_BEFORE_S) * frame)
    middle = start + (end - start) * after // (before + after)
    return min(start + after, middle), max(end - before, middle)


def _cuts(levels: VoiceLevels, breaks: Sequence[Break], frames_per_s: float) -> list[_Gap]:
    """A gap for each break that is found, in order."""
    if not breaks:
        return []
    quiet = _pauses(levels)
    gaps: list[_Gap] = []
    for one in breaks:
        lowest = gaps[-1].end + 1 if gaps else 0
        first, last = one.start_s * frames_per_s, (one.end_s + TIMING_TOLERANCE_S) * frames_per_s
        run = _longest_run(quiet, max(lowest, first), last)
        found = levels.without_soft_sounds(*run) if run else None
        if found and lowest <= found[0]:
            gaps.append(_Gap(*found, one.pause_s))
    return gaps


def _pauses(levels: VoiceLevels) -> list[tuple[int, int]]:
    """The quiet runs of frames between words that are long enough; a breath does not end one."""
    runs = [
        (start, end)
        for start, end in _runs_between(levels.powers >= levels.word_power)
        if end - start >= SHORTEST_QUIET_S / FRAME_S
    ]
    breath = max(levels.word_power, float(levels.powers.max()) * power_ratio(BREATH_DB))
    pauses = runs[:1]
    for run in runs[1:]:
        start, end = pauses[-1]
        is_breath = (
            levels.powers[end : run[0]].max() < breath
            and end - start >= BREATH_AFTER_WORD_S / FRAME_S
            and run[1] - run[0] >= BREATH_BEFORE_WORD_S / FRAME_S
        )
        pauses[-1:] = [(start, run[1])] if is_breath else [pauses[-1], run]
    return pauses


def _runs_between(holds: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """The runs [start, end) of frames between two in which it holds."""
    at = np.flatnonzero(holds)
    before = np.flatnonzero(np.diff(at) > 1)
    return [(int(at[one]) + 1, int(at[one + 1])) for one in before]


def _n_first(holds: NDArray[np.bool_], longest_s: float) -> int:
    """The number of frames in which it holds from the first on, `longest_s` at most."""
    fails = np.flatnonzero(~holds[: round(longest_s / FRAME_S)])
    return int(fails[0]) if fails.size else min(holds.size, round(longest_s / FRAME_S))


def _longest_run(
    quiet: Sequence[tuple[int, int]], first: float, last: float
) -> tuple[int, int] | None:
    """The longest of the runs that have a frame in [first, last); None if none has."""
    near = [run for run in quiet if run[1] > first and run[0] < last]
    return max(near, key=lambda run: run[1] - run[0], default=None)
