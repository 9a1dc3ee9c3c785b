"""What passes come to: medians, spread, shares. Pure; `docs/benchmark.md` says what each means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from math import ceil
from statistics import median

from audiomill.flows.bench.variants import Variant

# How far the median of another run may be from this one's, and what that makes of a ratio.

# By the number of passes, what the way from the fastest to the slowest is multiplied by. Where
# passes are drawn from a normal distribution, the medians of two runs then differ by no more in 95
# of 100 cases (two million pairs of runs for each number). Half of the way, which seems natural,
# holds in 39 cases with two passes and in 83 with five.
FACTORS = {2: 8.96, 3: 2.02, 4: 1.08, 5: 0.825, 6: 0.626, 7: 0.556, 8: 0.463, 9: 0.432, 10: 0.377}
# More passes lie further apart while their median is surer, so the last factor is then too large.
MOST = max(FACTORS)


class Verdict(StrEnum):
    """What two measurements say of each other."""

    FASTER = "faster"
    SLOWER = "slower"
    WITHIN = "within the spread"
    UNKNOWN = "measured once"  # so nobody knows how far a rerun would be from it


def spread(walls: Sequence[float]) -> float | None:
    """How far another run's median may be, as a part of this one's; None of a single pass.

    `walls` are the seconds of each pass.
    """
    if len(walls) < 2:
        return None
    factor = FACTORS[min(len(walls), MOST)]
    return factor * (max(walls) - min(walls)) / max(median(walls), 1e-9)


def verdict(ratio: float, spreads: Sequence[float | None]) -> Verdict:
    """What to call something that is `ratio` times as fast as something else.

    It is the same unless the slower takes longer by more than the larger of both spreads.
    """
    known = [one for one in spreads if one is not None]
    if len(known) < len(spreads):
        return Verdict.UNKNOWN
    if max(ratio, 1 / ratio) - 1 <= max(known):
        return Verdict.WITHIN
    return Verdict.FASTER if ratio > 1 else Verdict.SLOWER


@dataclass(frozen=True, slots=True)
class Pass:
    """One time through the text. Times are in seconds since it began."""

    wall_s: float
    audio_s: float
    first_s: float  # when what the text begins with was finished
    finished_s: tuple[float, ...]  # when each segment was, in the order in which they were
    real: int = 0  # places that were speech; see `StepStats`
    computed: int = 0
    n_batches: int = 0
    peak_ram_bytes: int = 0
    peak_gpu_bytes: int | None = None
    cpu_s: float = 0.0  # of all threads and processes
    budget: int = 0  # places that a batch may have had at most; 0: each row by itself


@dataclass(frozen=True, slots=True)
class Figures:
    """All passes of one variant. None where a figure makes no sense, or was not measured."""

    audio_s: float
    wall_s: tuple[float, ...]  # of each pass
    cpu_s: tuple[float, ...]  # likewise
    speed: float  # seconds of audio a second
    real_time_factor: float  # seconds for a second of audio
    spread: float | None
    characters_per_s: float
    first_audio_s: float
    cadence_median_s: float | None
    cadence_p95_s: float | None
    batch_budget: int
    batch_rows: float | None
    batch_fill: float | None
    padding_share: float | None
    peak_ram_bytes: int
    peak_gpu_bytes: int | None
    cancellation_s: float | None = None

    @property
    def median_s(self) -> float:
        """Of a pass."""
        return median(self.wall_s)


def figures_of(
    passes: Sequence[Pass], n_chars: int, cancellation_s: float | None = None
) -> Figures:
    """The figures of one pass or more over a text of `n_chars` characters."""
    walls = tuple(one.wall_s for one in passes)
    wall_s, audio_s = median(walls), median(one.audio_s for one in passes)
    gaps = [gap for one in passes for gap in gaps_of(one.finished_s)]
    real, computed, n_batches = (
        sum(getattr(one, name) for one in passes) for name in ("real", "computed", "n_batches")
    )
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
        peak_ram_bytes=max(one.peak_ram_bytes for one in passes),
        peak_gpu_bytes=max(on_gpu, default=None),
        cancellation_s=cancellation_s,
    )


def gaps_of(finished_s: Sequence[float]) -> list[float]:
    """How long after each segment the next one was finished."""
    return [later - earlier for earlier, later in pairwise(finished_s)]


def quantile(values: Sequence[float], part: float) -> float:
    """The least value that `part` of all are not above (nearest rank). There must be one."""
    ordered = sorted(values)
    return ordered[max(0, ceil(len(ordered) * part) - 1)]


@dataclass(frozen=True, slots=True)
class Stages:
    """Where the work of an end-to-end run goes. Shares are of the seconds of all four stages."""

    g2p_share: float | None = None  # None for an engine that reads text itself
    synthesis_share: float | None = None
    store_share: float | None = None
    encode_share: float | None = None
    busy_share: float | None = None  # the part of the run's own time in which the engine worked
    cold_hit_rate: float | None = None  # of the shard cache
    warm_hit_rate: float | None = None
    warm_wall_s: float | None = None


def shares(seconds: Mapping[str, float | None]) -> dict[str, float | None]:
    """What part of the whole each is."""
    total_s = max(sum(one or 0.0 for one in seconds.values()), 1e-9)
    return {name: None if one is None else one / total_s for name, one in seconds.items()}


# What part of a device's ceiling speech comes to.


@dataclass(frozen=True, slots=True)
class Share:
    """Of what the audio costs that was made in a second, by definition. None: not known."""

    flop_per_s: float | None = None
    ceiling_share: float | None = None  # of what matrix products do there, in that precision
    bytes_per_s: float | None = None  # that the decoder has to move, with all fused that can be
    copy_share: float | None = None  # of what a copy moves there


BYTES = {"bf16": 2, "tf32": 4, "float32": 4}  # of a value that waits in memory


def share_of(
    speed: float,
    variant: Variant,
    facts: Mapping[str, object],
    ceilings: Mapping[str, float],
) -> Share:
    """For `speed` seconds of audio a second on a device of which `facts` tell what they cost."""
    flop, values = facts.get("flop_per_audio_s"), facts.get("values_per_audio_s")
    if not isinstance(flop, float) or not isinstance(values, float):
        return Share()
    computed, moved = speed * flop, speed * values * BYTES.get(variant.precision, 0)
    ceiling, copied = ceilings.get(f"{variant.precision}_flops"), ceilings.get("copy_bytes_per_s")
    return Share(
        flop_per_s=computed,
        ceiling_share=computed / ceiling if ceiling else None,
        bytes_per_s=moved or None,
        copy_share=moved / copied if moved and copied else None,
    )
