"""How far the median of another run may be from this one's, and what that makes of a ratio. Pure.

passes   ·  · ·    ·        the way from fastest to slowest, times a factor for their number:
median      |               in 95 of 100 cases the next run's median is within that
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from statistics import median

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
