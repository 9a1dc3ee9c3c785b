"""Statistics of passes: medians, spread, shares. Pure; `docs/benchmark.md` defines each figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from math import ceil
from statistics import median

# By number of passes: the factor for the range from the fastest to the slowest pass. If pass times
# are normally distributed, the medians of two runs then differ by no more in 95 of 100 cases (two
# million pairs of runs for each number). Half of the range, which seems natural, holds in 39 cases
# with two passes and in 83 with five.
FACTORS = {2: 8.96, 3: 2.02, 4: 1.08, 5: 0.825, 6: 0.626, 7: 0.556, 8: 0.463, 9: 0.432, 10: 0.377}
# The range grows with more passes while the median gets more certain, so that the last factor is
# larger than necessary for more passes than this.
MAX_FACTOR_PASSES = max(FACTORS)


class Verdict(StrEnum):
    """The outcome of a comparison of two measurements."""

    FASTER = "faster"
    SLOWER = "slower"
    WITHIN = "within the spread"
    UNKNOWN = "measured once"  # the variation between runs is unknown


@dataclass(frozen=True, slots=True)
class Pass:
    """One pass over the text. Times are in seconds since its start."""

    wall_s: float
    audio_s: float
    first_s: float  # when the first segment of the text was finished
    finished_s: tuple[float, ...]  # when each segment was finished, in order of completion
    real: int = 0  # units that were speech; see `StepStats`
    computed: int = 0
    n_batches: int = 0
    peak_ram_bytes: int | None = 0  # None: of another program
    peak_gpu_bytes: int | None = None
    cpu_s: float = 0.0  # of all threads and processes
    budget: int = 0  # most units allowed in a batch; 0: each row separately


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures over all passes of one variant. None: not applicable, or not measured."""

    audio_s: float
    wall_s: tuple[float, ...]  # of each pass
    cpu_s: tuple[float, ...]  # of each pass
    speed: float  # seconds of audio per second
    real_time_factor: float  # seconds per second of audio
    spread: float | None
    characters_per_s: float
    first_audio_s: float
    cadence_median_s: float | None
    cadence_p95_s: float | None
    batch_budget: int
    batch_rows: float | None
    batch_fill: float | None
    padding_share: float | None
    peak_ram_bytes: int | None
    peak_gpu_bytes: int | None
    cancellation_s: float | None = None


@dataclass(frozen=True, slots=True)
class Stages:
    """How the work of an end-to-end run divides. Shares are of the seconds of all four stages."""

    g2p_share: float | None = None  # None for an engine that reads text itself
    synthesis_share: float | None = None
    store_share: float | None = None
    encode_share: float | None = None
    busy_share: float | None = None  # the share of the run in which the engine worked
    cold_hit_rate: float | None = None  # of the shard cache
    warm_hit_rate: float | None = None
    warm_wall_s: float | None = None


def spread(walls: Sequence[float]) -> float | None:
    """How far the median of another run may be, as a share of this one's; None for a single pass.

    `walls` are the seconds of each pass.
    """
    if len(walls) < 2:
        return None
    factor = FACTORS[min(len(walls), MAX_FACTOR_PASSES)]
    return factor * (max(walls) - min(walls)) / max(median(walls), 1e-9)


def verdict(ratio: float, spreads: Sequence[float | None]) -> Verdict:
    """The verdict on something that is `ratio` times as fast as something else.

    They are equal unless the slower takes longer by more than the larger of both spreads.
    """
    known = [one for one in spreads if one is not None]
    if len(known) < len(spreads):
        return Verdict.UNKNOWN
    if max(ratio, 1 / ratio) - 1 <= max(known):
        return Verdict.WITHIN
    return Verdict.FASTER if ratio > 1 else Verdict.SLOWER


def figures_of(
    passes: Sequence[Pass], n_chars: int, cancellation_s: float | None = None
) -> Figures:
    """The figures of one or more passes over a text of `n_chars` characters."""
    walls = tuple(one.wall_s for one in passes)
    wall_s, audio_s = median(walls), median(one.audio_s for one in passes)
    gaps = [gap for one in passes for gap in gaps_of(one.finished_s)]
    real, computed, n_batches = (
        sum(getattr(one, name) for one in passes) for name in ("real", "computed", "n_batches")
    )
    ours = [one.peak_ram_bytes for one in passes if one.peak_ram_bytes is not None]
    on_gpu = [one.peak_gpu_bytes for one in passes if one.peak_gpu_bytes is not None]
    return Figures(
        audio_s=audio_s,
        wall_s=walls,
        cpu_s=tuple(one.cpu_s for one in passes),
        speed=audio_s / max(wall_s, 1e-9),
        real_time_factor=wall_s / max(audio_s, 1e-9),
        spread=spread(walls),
        characters_per_s=n_chars / max(wall_s, 1e-9),
        first_audio_s=median(one.first_s for one in passes),
        cadence_median_s=median(gaps) if gaps else None,
        cadence_p95_s=quantile(gaps, 0.95) if gaps else None,
        batch_budget=min(one.budget for one in passes),
        batch_rows=sum(len(one.finished_s) for one in passes) / n_batches if n_batches else None,
        batch_fill=real / computed if computed else None,
        padding_share=1 - real / computed if computed else None,
        peak_ram_bytes=max(ours, default=None),
        peak_gpu_bytes=max(on_gpu, default=None),
        cancellation_s=cancellation_s,
    )


def gaps_of(finished_s: Sequence[float]) -> list[float]:
    """The seconds between the completion of each segment and of the next."""
    return [later - earlier for earlier, later in pairwise(finished_s)]


def quantile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least a `share` of all values do not exceed (nearest rank).

    `values` must not be empty.
    """
    ordered = sorted(values)
    return ordered[max(0, ceil(len(ordered) * share) - 1)]


def shares(seconds: Mapping[str, float | None]) -> dict[str, float | None]:
    """The share of the total that each value is."""
    total_s = max(sum(one or 0.0 for one in seconds.values()), 1e-9)
    return {name: None if one is None else one / total_s for name, one in seconds.items()}
