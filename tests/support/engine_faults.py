"""The faults of each engine, or of what stands behind it: how each begins, and what is then told.

    fault            what is wrong
    voice            the voice that the user names is not there
    key, quota       the key is missing or refused; what was paid for is used up
    down             nothing answers, or the engine's process dies
    page             a web page comes instead of audio
    truncated        less comes than should
    wrong rate       audio of another rate than the engine's
    default voice    another voice speaks than the one that was asked for

Where a fault cannot be, its place has the reason.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

FAULTS = (*("voice", "key", "quota", "down", "page", "truncated", "wrong rate", "default voice"),)


@dataclass(frozen=True)
class Fault:
    """A fault, and what the last line of stderr then says."""

    words: str
    # How what stands behind the engine then behaves. {}: the fault is the user's own.
    behaviour: Mapping[str, Any] = field(default_factory=dict)
    arguments: tuple[str, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)


def _fault(told: str | dict[str, Any]) -> Fault | str:
    """As the file tells it: a fault, or why there is none."""
    if isinstance(told, str):
        return told
    return Fault(**told | {"arguments": tuple(told.get("arguments", ()))})


MATRIX: Mapping[str, Mapping[str, Fault | str]] = {
    engine: {name: _fault(told) for name, told in faults.items()}
    for engine, faults in tomllib.loads(
        Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
    ).items()
}
CELLS = tuple(
    chain.from_iterable(
        ((engine, name) for name, fault in faults.items() if isinstance(fault, Fault))
        for engine, faults in MATRIX.items()
    )
)
SLOW_STARTS = ("piper-server", "kokoro-onnx")  # a process that imports much, an export of a model
# One engine with all of its faults, and one fault of each other engine: enough for `make prove`.
QUICK = frozenset(
    cell
    for cell in CELLS
    if cell[0] == "openai" or (cell[1] == "page" and cell[0] not in SLOW_STARTS)
)
