"""A run's report, put together from what its plan and its work know. Writes nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from flows.job import Job, chapters_named
from flows.plan import Plan
from flows.report import Remarked, Report, Work
from outputs.chapter import OutputFile

MOST_TOLD = 5  # remarks that become warnings; all are in the report


def report_of(
    job: Job,
    plan: Plan,
    work: Work | None,
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


def _remarked(plan: Plan, work: Work) -> Iterator[Remarked]:
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
