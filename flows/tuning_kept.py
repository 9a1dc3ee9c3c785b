"""What tuning found, kept for the runs that follow. Knows what is worth keeping, and the file."""

from __future__ import annotations

from pathlib import Path

from flows.bench.tune_result import Found
from flows.fingerprint import this_fingerprint
from flows.tuned import Tuned, written
from outputs.files import write_atomically

OTHER_SIZE = (
    "Kept nowhere: the weights that were measured are of another size than the official ones, and"
    " cost something else."
)


def keep(found: Found, release: str, path: Path) -> str:
    """Put it in place of what was tuned before; what became of it, in words.

    `release` is what runs speak with; random weights are of none.

    Raises OSError, OutputUnwritable.
    """
    if not found.costs_as_official:
        return OTHER_SIZE
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, written(_tuned(found, release)))
    same = ", which cost what real ones do" if found.weights == "random" else ""
    measured = f" Measured with random weights{same}." if same else ""
    return f"Kept in {path}; every run here goes by it unless a setting says otherwise.{measured}"


def _tuned(found: Found, release: str) -> Tuned:
    return Tuned(
        choice=found.choice,
        device=found.device,
        release=release,
        machine=this_fingerprint(),
        date=found.date,
        speed=found.speed,
        default_speed=found.default_speed,
        weights=found.weights,
    )
