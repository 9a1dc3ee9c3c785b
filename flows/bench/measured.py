"""A result of the benchmark, read back from its JSON. Knows the file, not what is made of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from flows.bench.result import BENCHMARK, SCHEMA

Key = tuple[str, str]  # mode and name of a variant

# What must be the same, and what to say of two that differ.
SAME = {
    "text": "They spoke different texts",
    "voice": "They spoke with different voices",
    "weights": "One has random weights and the other real ones, or they are of different releases",
}


class NotComparable(Exception):
    """What two files hold cannot be set side by side, or one is no result. Says why."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One variant."""

    speed: float  # seconds of audio a second
    median_s: float  # of a pass
    spread: float | None
    peak_ram_bytes: int
    peak_gpu_bytes: int | None
    batch_fill: float | None
    ceiling_share: float | None


@dataclass(frozen=True, slots=True)
class Told:
    """One run."""

    path: Path
    same: Mapping[str, str]  # what both must have in common: see `SAME`
    facts: Mapping[str, object]  # what it ran on, by dotted names
    ceilings: Mapping[str, float]  # likewise
    variants: Mapping[Key, Measured]
    warnings: Sequence[str]


def read_told(path: Path) -> Told:
    """Raises NotComparable for what cannot be read or is no result of this schema."""
    try:
        written = json.loads(path.read_bytes())
        if written["benchmark"] != BENCHMARK:
            raise NotComparable(f"{path} is no result of {BENCHMARK}.")
        if written["schema"] != SCHEMA:
            raise NotComparable(
                f"{path} is of schema {written['schema']}, in which figures mean something else;"
                f" this version reads schema {SCHEMA}. Measure again with it."
            )
        return _told(path, written)
    except OSError as error:
        raise NotComparable(f"{path} cannot be read: {error.strerror}.") from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise NotComparable(f"{path} is no result of {BENCHMARK}, or is damaged.") from error


def _told(path: Path, written: Mapping[str, Any]) -> Told:
    text = written["text"]
    facts = dict(_flat("", {name: written[name] for name in ("machine", "devices", "versions")}))
    ceilings = {name: float(facts.pop(name)) for name in [*facts] if ".ceilings." in name}
    return Told(
        path=path,
        same={
            "text": f"“{text['title']}”, {text['words']} words ({text['sha256'][:12]})",
            "voice": str(text["voice"]),
            "weights": str(written["weights"]),
        },
        facts=facts | {name: written[name] for name in ("commit", "repeat")},
        ceilings=ceilings,
        variants={(one["mode"], one["name"]): _measured(one) for one in written["variants"]},
        warnings=tuple(map(str, written["warnings"])),
    )


def _measured(one: Mapping[str, Any]) -> Measured:
    """Raises KeyError, TypeError, ValueError for what is not there or is no number."""
    spread = one["spread"]
    return Measured(
        speed=_positive(one["speed"]),
        median_s=_positive(median(map(float, one["wall_s"]))),
        spread=None if spread is None else float(spread),
        peak_ram_bytes=int(one["peak_ram_bytes"]),
        peak_gpu_bytes=one["peak_gpu_bytes"],
        batch_fill=one["batch_fill"],
        ceiling_share=one["ceiling_share"],
    )


def _positive(value: Any) -> float:
    if not float(value) > 0:
        raise ValueError(value)
    return float(value)


def _flat(name: str, value: Any) -> list[tuple[str, Any]]:
    """Leaves by their dotted names; load is left out, which is never the same."""
    if not isinstance(value, dict):
        return [] if ".load_" in name else [(name, value)]
    return [
        leaf
        for key, one in value.items()  # type: ignore[reportUnknownVariableType]
        for leaf in _flat(f"{name}.{key}".lstrip("."), one)
    ]
