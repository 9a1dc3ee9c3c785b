"""What a run did: the JSON object that scripts read, and the fuller report beside the audio."""

from __future__ import annotations

import json
import math
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from flows.job import Job
from flows.products import Product
from flows.spent import Spent
from flows.stages import WindowTally
from inputs.book import Skipped
from outputs.chapter import MasteredChapter, OutputFile, Recorded
from outputs.files import write_atomically
from outputs.loudness import integrated_lufs
from outputs.mastering import MasterPlan
from outputs.peaks import true_peak_dbtp


@dataclass(frozen=True, slots=True, eq=False)
class Work:
    """What a run had to do, where it had to do anything."""

    tallies: tuple[WindowTally, ...]
    chapters: tuple[MasteredChapter, ...]
    silent: tuple[Skipped, ...]  # for which the engine returned silence
    master: MasterPlan
    recorded: dict[tuple[Product, ...], Recorded]
    notes: tuple[str, ...]  # of what was found broken and mended on the way
    spent: Spent

    @property
    def files(self) -> dict[Product, OutputFile]:
        """What was made, by what it was to be."""
        return {
            product: file
            for run, recorded in self.recorded.items()
            for product, file in zip(run, recorded.files, strict=True)
        }


@dataclass(frozen=True, slots=True)
class Remarked:
    """A piece of text that the engine could not simply say, and what it did instead."""

    text: str
    done: str  # "spelled out", "left out"
    where: str


@dataclass(frozen=True, slots=True, eq=False)
class Report:
    """One book's run, finished. `work` is None where everything was there already."""

    job: Job
    title: str
    files: tuple[OutputFile, ...]
    audio_s: float  # of the book, once
    wall_s: float
    segments: int
    skipped: tuple[Skipped, ...]
    remarked: tuple[Remarked, ...]
    warnings: tuple[str, ...]
    path: Path  # where the fuller report lies
    work: Work | None

    @property
    def rendered(self) -> int:
        """Segments that the engine had to speak."""
        return sum(tally.rendered for tally in self.work.tallies) if self.work else 0

    @property
    def cached(self) -> int:
        """Segments that were there already; what a book repeats is counted once."""
        if self.work is None:
            return self.segments
        return sum(tally.cached for tally in self.work.tallies)

    def summary(self) -> dict[str, Any]:
        """The contract of `--json`."""
        return {
            "files": [
                {
                    "path": str(file.path),
                    "format": file.format,
                    "duration_s": round(file.duration_s, 3),
                    "chapters": file.chapters,
                }
                for file in self.files
            ],
            "audio_s": round(self.audio_s, 3),
            "wall_s": round(self.wall_s, 3),
            "realtime_factor": round(self.audio_s / max(self.wall_s, 1e-6), 2),
            "segments": self.segments,
            "rendered": self.rendered,
            "cached": self.cached,
            "skipped": len(self.skipped),
            "warnings": list(self.warnings),
            "report": str(self.path),
        }

    def full(self) -> dict[str, Any]:
        """Everything: the summary, the choices made, what was left out and why."""
        return (
            self.summary()
            | {
                "title": self.title,
                "source": str(self.job.source),
                "engine": self.job.engine,
                "voice": self.job.voice,
                "speed": self.job.speed,
                "skipped_by_reason": Counter(str(one.reason) for one in self.skipped),
                "remarks": [asdict(one) for one in self.remarked],
                "skipped_text": [
                    {"reason": one.reason, "where": one.where, "text": one.text}
                    for one in self.skipped
                ],
            }
            | ({"work": _told(self.work)} if self.work else {})
        )

    def save(self) -> None:
        """Write the fuller report. Raises OutputUnwritable."""
        content = json.dumps(self.full(), ensure_ascii=False, indent=1)
        # A file name need not be text; what of it is not becomes an escape that JSON knows.
        write_atomically(self.path, content.encode(errors="backslashreplace"))


def _told(work: Work) -> dict[str, Any]:
    """Where the time went, and how loud it was and is. Levels are None for silence."""
    levels = [one for recorded in work.recorded.values() for one in recorded.levels]
    return {
        "engine_busy_share": round(work.spent.busy_share, 4),
        "spent": {name: round(taken_s, 3) for name, taken_s in asdict(work.spent).items()},
        "damaged_shards": [words for tally in work.tallies for words in tally.damaged],
        "loudness_before_lufs": _level(integrated_lufs(one.loudness for one in work.chapters)),
        "gain_db": round(work.master.gain_db, 2),
        "loudness_lufs": _level(integrated_lufs(one.loudness for one in levels)),
        "true_peak_dbtp": _level(true_peak_dbtp(one.true_peak for one in levels)),
        "chapters": [
            {
                "title": chapter.title,
                "level": chapter.level,
                "duration_s": round(chapter.n_samples / chapter.sample_rate, 3),
            }
            for chapter in work.chapters
        ],
    }


def _level(level: float) -> float | None:
    return round(level, 2) if math.isfinite(level) else None
