"""The stages of the proof on a GPU, and what one of them is told. Loads no PyTorch.

`python -m benchmarks.gpu.stages NAME …` is the process of one stage.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

SUMMARY, LOG = "summary.json", "log.txt"
WEIGHTS_FILE, VOICE = "kokoro-v1_0.pth", "af_heart"


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage, the module that runs it, and the seconds that it may take."""

    name: str
    limit_s: float

    @property
    def module(self) -> str:
        """The module, whose function `measure` does the work."""
        return f"benchmarks.gpu.{self.name}"


# The most important come first: the last ones are left out where time runs short.
STAGES = (
    Stage("first", 75),
    Stage("sweep", 110),
    Stage("layers", 75),
    Stage("profile", 50),
    Stage("counters", 45),
    Stage("books", 80),
    Stage("exactness", 120),
    Stage("compiled", 110),
)


@dataclass(frozen=True, slots=True)
class StageRun:
    """What a stage is told, and where its results go."""

    stage: str
    device: str  # cuda or cpu
    out: Path
    work: Path  # kept between runs: weights, books
    weights: Path | None  # Kokoro's files; None: random ones
    ends_at_s: float  # by time.monotonic()

    @property
    def is_gpu(self) -> bool:
        """False on a dry run: tiny models, PyTorch in place of the kernels."""
        return self.device == "cuda"

    @property
    def left_s(self) -> float:
        """Seconds until the stage is ended."""
        return self.ends_at_s - time.monotonic()

    def keep(self, name: str, values: Mapping[str, object]) -> None:
        """Add figures to the summary at once, so that a stage that is ended loses no others."""
        path = self.out / SUMMARY
        summary = json.loads(path.read_text("utf-8")) if path.exists() else {}
        summary.setdefault(self.stage, {}).setdefault(name, {}).update(values)
        new = path.with_suffix(".new")
        new.write_text(json.dumps(summary, indent=1, default=str), "utf-8")
        new.replace(path)
        shown = {key: _short(value) for key, value in values.items()}
        print(f"{self.stage}: {name}: {shown}", flush=True)

    @contextmanager
    def step(self, name: str) -> Generator[None]:
        """A part of the stage that may fail without the others."""
        try:
            yield
        except Exception as error:  # noqa: BLE001 - whatever fails on a card is a result
            self.keep(name, {"failed": f"{type(error).__name__}: {error}"[:500]})


class StageModule(Protocol):
    """The module of a stage."""

    def measure(self, run: StageRun) -> None:
        """Do the stage's work."""
        ...


def _short(value: object) -> object:
    return f"{value:.4g}" if isinstance(value, float) else value


def main() -> None:
    """Run one stage."""
    parser = argparse.ArgumentParser()
    parser.add_argument("stage")
    parser.add_argument("--device", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--weights", type=Path)
    parser.add_argument("--limit-s", type=float, required=True)
    said = parser.parse_args()
    stage = next(one for one in STAGES if one.name == said.stage)
    ends_at_s = time.monotonic() + said.limit_s
    run = StageRun(stage.name, said.device, said.out, said.work, said.weights, ends_at_s)
    with run.step("stage"):
        cast(StageModule, import_module(stage.module)).measure(run)


if __name__ == "__main__":
    main()
