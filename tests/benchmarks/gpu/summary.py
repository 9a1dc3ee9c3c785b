"""The table at the end: each figure of the summary that a reader compares. Loads no PyTorch."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import cast

HIDDEN = ("kernels_us_per_audio_s",)  # of long tables, which are in the JSON


def summary_lines(path: Path) -> Iterator[str]:
    """A line for each part of each stage; numbers with four digits."""
    if not path.exists():
        yield "Nothing was measured."
        return
    summary = cast(Mapping[str, Mapping[str, object]], json.loads(path.read_text("utf-8")))
    for stage, parts in summary.items():
        for name, values in parts.items():
            yield f"{stage:10} {name}: {_shown(values)}"


def _shown(value: object) -> str:
    if isinstance(value, dict):
        parts = cast(Mapping[str, object], value).items()
        return ", ".join(f"{key} {_shown(part)}" for key, part in parts if key not in HIDDEN)
    return f"{value:.4g}" if isinstance(value, float) else str(value)
