"""Which files a job makes of a book: their names, what is in each, and what each is made from.

Pure. A product's fingerprint covers all that decides its bytes, so that a file whose fingerprint
is known need not be made again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace

from flows.job import Job
from flows.plan import ChapterPlan, Plan
from inputs.book import Cover
from outputs.formats import FORMATS
from outputs.naming import file_name, split_file_name
from outputs.tags import Tags, book_tags, track_tags

# Raise it when joining, mastering or encoding changes what the same shards sound like.
OUTPUT_VERSION = 1


@dataclass(frozen=True, slots=True)
class Recording:
    """A run of chapters that goes into a file, or into one of each format."""

    title: str
    first: int  # chapters [first, last) of the plan
    last: int
    tags: Tags
    cover: Cover | None


@dataclass(frozen=True, slots=True)
class Product:
    """One file to be made of a recording."""

    name: str
    format: str
    recording: Recording
    fingerprint: str


def products_of(plan: Plan, job: Job) -> tuple[Product, ...]:
    """Every file that `job` asks for, by recording, then by format."""
    recordings = _chapter_recordings(plan, job) if job.split else (_book_recording(plan, job),)
    return tuple(
        _product(plan, job, recording, number, len(recordings), name)
        for number, recording in enumerate(recordings, 1)
        for name in job.formats
    )


def _book_recording(plan: Plan, job: Job) -> Recording:
    tags = book_tags(plan.book, narrator(plan, job))
    if job.chapters:
        # A part of a book must not take the place of the whole one.
        title = f"{plan.book.title} (chapters {job.chapters})"
        return Recording(title, 0, len(plan.chapters), replace(tags, title=title), plan.book.cover)
    return Recording(tags.title, 0, len(plan.chapters), tags, plan.book.cover)


def _chapter_recordings(plan: Plan, job: Job) -> tuple[Recording, ...]:
    tags, n_chapters = book_tags(plan.book, narrator(plan, job)), len(plan.chapters)
    return tuple(
        Recording(
            chapter.title,
            index,
            index + 1,
            track_tags(tags, chapter.title, index + 1, n_chapters),
            plan.book.cover,
        )
        for index, chapter in enumerate(plan.chapters)
    )


def narrator(plan: Plan, job: Job) -> str:
    """Who reads: the engine, and its voices in the order in which they are first heard."""
    voices = dict.fromkeys(segment.voice for segment in plan.manuscript.segments)
    return f"{job.engine} ({', '.join(voices)})"


def _product(
    plan: Plan, job: Job, recording: Recording, number: int, n_recordings: int, format_name: str
) -> Product:
    suffix = FORMATS[format_name].suffix
    name = (
        split_file_name(number, n_recordings, recording.title, suffix)
        if job.split
        else file_name(recording.title, suffix)
    )
    return Product(name, format_name, recording, _fingerprint(plan, job, recording, format_name))


def _fingerprint(plan: Plan, job: Job, recording: Recording, format_name: str) -> str:
    cover = recording.cover
    made_from = {
        "version": OUTPUT_VERSION,
        "format": repr(FORMATS[format_name]),
        "sample_rate": plan.sample_rate,
        "tags": asdict(recording.tags),
        "cover": None if cover is None else hashlib.sha256(cover.data).hexdigest(),
        # All chapters decide the gain, also that of a file that holds only one of them.
        "mastering": asdict(job.mastering),
        "book": _sounds(plan.chapters),
        "chapters": [recording.first, recording.last],
    }
    canonical = json.dumps(made_from, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


def _sounds(chapters: Iterable[ChapterPlan]) -> list[list[object]]:
    """What is heard, chapter by chapter: its title, each segment's key, each pause."""
    return [
        [chapter.title, [[part.request.key, part.pause_after_s] for part in chapter.parts]]
        for chapter in chapters
    ]
