"""Which files a job makes of a book: their names, what is in each, and what each is made from.

Pure. A product's fingerprint covers all that decides its bytes, so that a file whose fingerprint
is known need not be made again.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, replace

from flows.job import Job, chapters_named
from flows.plan import Plan
from inputs.book import Cover
from outputs.formats import FORMATS
from outputs.naming import safe_name, split_name
from outputs.tags import Tags, book_tags, track_tags

# Raise it when joining, mastering or encoding changes what the same shards sound like.
OUTPUT_VERSION = 1


@dataclass(frozen=True, slots=True)
class Recording:
    """A run of chapters that goes into a file, or into one of each format."""

    name: str  # of its files, without suffix
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
    made_from = _made_from(plan, job)
    return tuple(
        Product(
            name=recording.name + FORMATS[name].suffix,
            format=name,
            recording=recording,
            fingerprint=_fingerprint(made_from, recording, name),
        )
        for recording in recordings
        for name in job.formats
    )


def narrator(plan: Plan, job: Job) -> str:
    """Who reads: the engine, and its voices in the order in which they are first heard."""
    voices = dict.fromkeys(segment.voice for segment in plan.segments)
    return f"{job.engine} ({', '.join(voices)})"


def _book_recording(plan: Plan, job: Job) -> Recording:
    tags = book_tags(plan.book, narrator(plan, job))
    if job.chapters:
        # A part of a book must not take the place of the whole one.
        chosen = chapters_named(chapter.number for chapter in plan.chapters)
        tags = replace(tags, title=f"{tags.title} ({chosen})")
    return Recording(safe_name(tags.title), 0, len(plan.chapters), tags, plan.book.cover)


def _chapter_recordings(plan: Plan, job: Job) -> tuple[Recording, ...]:
    """One a chapter, numbered as in the whole book even if only some chapters are chosen."""
    tags = book_tags(plan.book, narrator(plan, job))
    return tuple(
        Recording(
            name=split_name(chapter.number, plan.n_chapters, chapter.title),
            first=index,
            last=index + 1,
            tags=track_tags(tags, chapter.title, chapter.number, plan.n_chapters),
            cover=plan.book.cover,
        )
        for index, chapter in enumerate(plan.chapters)
    )


def _made_from(plan: Plan, job: Job) -> str:
    """A digest of what all files of a run have in common.

    All chapters are in it, because together they decide the gain of each.
    """
    cover = plan.book.cover
    return _digest(
        {
            "version": OUTPUT_VERSION,
            "sample_rate": plan.sample_rate,
            "cover": None if cover is None else hashlib.sha256(cover.data).hexdigest(),
            "mastering": asdict(job.mastering),
            "chapters": [
                [chapter.title, [[part.request.key, part.pause_after_s] for part in chapter.parts]]
                for chapter in plan.chapters
            ],
        }
    )


def _fingerprint(made_from: str, recording: Recording, format_name: str) -> str:
    return _digest(
        {
            "made_from": made_from,
            "format": repr(FORMATS[format_name]),
            "tags": asdict(recording.tags),
            "chapters": [recording.first, recording.last],
        }
    )


def _digest(content: dict[str, object]) -> str:
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()
