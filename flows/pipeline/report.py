"""What a run did: the JSON object that scripts read, and the fuller report beside the audio."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from audiomill.flows.job import Job, chapters_named
from audiomill.flows.pipeline.plan import OutputSpec, Plan
from audiomill.flows.pipeline.stages import WindowResult
from audiomill.flows.pipeline.timings import Timings
from audiomill.inputs.book import Skipped, SkipReason
from audiomill.outputs.audio.loudness import integrated_lufs
from audiomill.outputs.audio.mastering import MasterPlan
from audiomill.outputs.audio.true_peak import true_peak_dbtp
from audiomill.outputs.files import write_atomically
from audiomill.outputs.types import MasteredChapter, OutputFile, Recorded
from audiomill.renderers.base import EngineFailed


@dataclass(frozen=True, slots=True, eq=False)
class RunResult:
    """What a run had to do, where it had to do anything."""

    tallies: tuple[WindowResult, ...]
    chapters: tuple[MasteredChapter, ...]
    silent: tuple[Skipped, ...]  # for which the engine returned silence
    master: MasterPlan
    recorded: dict[tuple[OutputSpec, ...], Recorded]
    notes: tuple[str, ...]  # of what was found broken and mended on the way
    spent: Timings

    @property
    def files(self) -> dict[OutputSpec, OutputFile]:
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
    work: RunResult | None

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


def _told(work: RunResult) -> dict[str, Any]:
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


# A run's report, put together from what its plan and its work know.

MOST_TOLD = 5  # remarks that become warnings; all are in the report


def report_of(
    job: Job,
    plan: Plan,
    work: RunResult | None,
    files: Sequence[OutputFile],
    folder: Path,
    wall_s: float,
) -> Report:
    """The report of a run that has made, or found, `files` in `folder`."""
    durations_s = [file.duration_s for file in files if file.format == files[0].format]
    damaged = [words for tally in (work.tallies if work else ()) for words in tally.damaged]
    silent = work.silent if work else ()
    remarked = tuple(_remarked(plan, work)) if work else ()
    return Report(
        job=job,
        title=plan.book.title,
        files=tuple(files),
        audio_s=sum(durations_s),
        wall_s=wall_s,
        segments=len(plan.segments),
        skipped=(*plan.skipped, *silent),
        remarked=remarked,
        warnings=(
            *job.warnings,
            *plan.book.warnings,
            *(f"{words}; rendered anew." for words in damaged),
            *(work.notes if work else ()),
            *(f"The voice says nothing for “{one.text}”." for one in silent),
            *(f"“{one.text}” ({one.where}) was {one.done}." for one in remarked[:MOST_TOLD]),
            *(
                [f"{len(remarked) - MOST_TOLD} more: see “remarks” in the report."]
                if len(remarked) > MOST_TOLD
                else []
            ),
        ),
        path=folder / _report_name(job, plan),
        work=work,
    )


def _remarked(plan: Plan, work: RunResult) -> Iterator[Remarked]:
    """What the engine has remarked, wherever in the book it is."""
    remarks = {key: own for tally in work.tallies for key, own in tally.remarks.items()}
    for chapter in plan.chapters:
        for part in chapter.parts:
            for one in remarks.get(part.request.key, ()):
                text = part.request.spoken[one.start : one.end]
                yield Remarked(text, one.words, chapter.title)


def _report_name(job: Job, plan: Plan) -> str:
    """A run over some chapters leaves the whole book's report alone."""
    if not job.chapters:
        return "report.json"
    return f"report ({chapters_named(one.number for one in plan.chapters)}).json"


# What a voice was given and said nothing of.


def refuse_silence(plan: Plan, silent: Sequence[Skipped]) -> None:
    """Raise EngineFailed if a voice has said nothing of all it was given."""
    if len(silent) == len(plan.segments):
        voices = ", ".join(dict.fromkeys(segment.voice for segment in plan.segments))
        raise EngineFailed(
            f"The voice {voices} says nothing of this book."
            " Choose one that knows its script with --voice (audiomill voices lists them)."
        )


def silent_segments(plan: Plan, chapters: Sequence[MasteredChapter]) -> tuple[Skipped, ...]:
    """The segments for which the engine returned silence, which joining trims to nothing."""
    heard = {cue.segment_id for one in chapters for cue in one.cues if cue.end > cue.start}
    return tuple(
        Skipped(
            SkipReason.NOT_SPEAKABLE,
            segment.text,
            plan.book.chapters[segment.span.chapter].blocks[segment.span.block].where,
        )
        for segment in plan.segments
        if segment.id not in heard
    )
