"""Books of any length for tests and benchmarks, made of random sentences, and rendered here."""

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from audiomill.flows.execution.executor import ThreadExecutor
from audiomill.flows.execution.run_context import RunContext, Step
from audiomill.flows.job import Job
from audiomill.flows.make_job import make_job
from audiomill.flows.pipeline import pipeline
from audiomill.flows.pipeline.pipeline import run_pipeline
from audiomill.flows.pipeline.report import Report
from audiomill.flows.settings import Settings
from audiomill.outputs.ffmpeg.decoding import decode
from audiomill.outputs.formats import region_ends, thread_group

WORDS = (
    *("the", "mill", "turned", "slowly", "all", "night", "and", "nobody", "in", "the", "village"),
    *("heard", "it", "but", "the", "owl"),
)


def write_book(path: Path, n_chapters: int, n_sentences: int, seed: int = 1) -> Path:
    """Write a Markdown book of random sentences, the same for the same seed."""
    generator = random.Random(seed)
    lines = ["# A Book"]
    for number in range(n_chapters):
        lines.append(f"## Chapter the {number + 1}th")
        for _ in range(n_sentences // 4):
            sentences = (
                " ".join(generator.choices(WORDS, k=generator.randint(3, 25))).capitalize() + "."
                for _ in range(4)
            )
            lines.append(" ".join(sentences))
    path.write_text("\n\n".join(lines))
    return path


def short_regions(monkeypatch: pytest.MonkeyPatch, n_cores: int, region_s: float = 20.0) -> None:
    """Every book is long enough for child processes and for several regions."""
    monkeypatch.setattr(pipeline, "PROCESSES_FROM_S", 0.0)
    monkeypatch.setattr(pipeline, "REGION_S", region_s)
    monkeypatch.setattr(pipeline, "usable_cores", lambda: n_cores)
    monkeypatch.setattr(thread_group, "usable_cores", lambda: n_cores)
    monkeypatch.setattr(region_ends, "REGION_S", region_s)


class Recorder:
    """Records the progress of a run."""

    def __init__(self) -> None:
        self.totals: dict[Step, float] = {}
        self.done: dict[Step, float] = dict.fromkeys(Step, 0.0)

    def begin(self, step: Step, total: float) -> None:
        self.totals[step] = total

    def advance(self, step: Step, done: float) -> None:
        self.done[step] += done

    def extend(self, step: Step, more: float) -> None:
        self.totals[step] += more


def rendered(job: Job, context: RunContext | None = None) -> Report:
    """The report of a run in this process."""
    with ThreadExecutor() as executor:
        return run_pipeline(job, executor, context or RunContext())


def book_job(
    folder: Path,
    text: str,
    *,
    name: str = "book.md",
    settings: dict[str, Any] | None = None,
    **choices: Any,
) -> Job:
    """A job that speaks this text with tones; its source, library and store are in `folder`."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text)
    return source_job(folder / name, settings=settings, **choices)


def source_job(
    source: Path,
    folder: Path | None = None,
    *,
    settings: dict[str, Any] | None = None,
    **choices: Any,
) -> Job:
    """As `book_job`, of a file. Its library and store are in `folder`, or beside it."""
    place = folder or source.parent
    folders: dict[str, Any] = {"library": place / "library", "store": str(place / "store")}
    chosen: dict[str, Any] = {"engine": "tone", "formats": ["flac"]} | choices
    return make_job(Settings(**folders | (settings or {})), source, **chosen)


def contents(report: Report) -> dict[str, bytes]:
    """The content of each finished file, by its name."""
    return {file.path.name: file.path.read_bytes() for file in report.files}


def files_in(folder: Path) -> dict[str, bytes]:
    """The content of each file that lies in a folder, by its name."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def samples_of(*paths: Path) -> np.ndarray:
    """The samples of finished files, one after the other."""
    return np.concatenate([block for path in paths for block in decode(path)])
