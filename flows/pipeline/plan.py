"""From a manuscript to work: what to render, in which windows, and what each chapter waits for.

Pure. The plan depends on the book and the job only, never on what is already rendered.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import asdict, dataclass, replace
from itertools import groupby

from audiomill.flows.job import Job, chapters_named, parse_chapters
from audiomill.inputs.book import (
    Book,
    Chapter,
    Cover,
    Manuscript,
    Segment,
    Skipped,
    SkipReason,
    SourceEmpty,
)
from audiomill.outputs.formats import FORMATS
from audiomill.outputs.metadata.tags import Tags, book_tags, track_tags
from audiomill.outputs.text import safe_name, split_name
from audiomill.renderers.base import Renderer, Request, Window
from audiomill.renderers.planning import plan_windows, request_for


@dataclass(frozen=True, slots=True)
class PlannedSegment:
    """One segment's place in a chapter."""

    segment_id: str
    request: Request
    pause_after_s: float


@dataclass(frozen=True, slots=True)
class ChapterPlan:
    """A chapter to be put together once window `last_window` is rendered."""

    number: int  # from 1, among the book's chapters that have something to say
    title: str
    level: int
    parts: tuple[PlannedSegment, ...]
    last_window: int


@dataclass(frozen=True, slots=True)
class Plan:
    """All the work of one run, in book order."""

    book: Book
    segments: tuple[Segment, ...]  # of the chapters that were chosen
    skipped: tuple[Skipped, ...]
    windows: tuple[Window, ...]
    chapters: tuple[ChapterPlan, ...]  # those that were chosen
    n_chapters: int  # of the whole book, chosen or not
    sample_rate: int

    @property
    def estimated_s(self) -> float:
        """Seconds of audio to be rendered, repeated segments once."""
        return sum(window.estimated_s for window in self.windows)


def make_plan(manuscript: Manuscript, job: Job, renderer: Renderer) -> Plan:
    """The work that `job` asks for. Raises UsageError if it names a chapter that is not there."""
    book = manuscript.book
    spoken = tuple(dict.fromkeys(segment.chapter for segment in manuscript.segments))
    numbers = {index: number for number, index in enumerate(spoken, 1)}
    chosen = {spoken[at] for at in parse_chapters(job.chapters, len(spoken))}
    segments = tuple(one for one in manuscript.segments if one.chapter in chosen)
    requests = [request_for(segment, renderer, job.speed) for segment in segments]
    windows = plan_windows(requests, renderer.limits, window_s=job.window_s)
    rendered_in = _rendered_in(windows)
    pairs = zip(segments, requests, strict=True)
    return Plan(
        book=book,
        segments=segments,
        skipped=(*manuscript.skipped, *_left_out(book, [i for i in spoken if i not in chosen])),
        windows=windows,
        chapters=tuple(
            _chapter(book.chapters[index], numbers[index], list(group), rendered_in)
            for index, group in groupby(pairs, key=lambda pair: pair[0].chapter)
        ),
        n_chapters=len(spoken),
        sample_rate=renderer.sample_rate,
    )


def refuse_empty(plan: Plan, job: Job) -> None:
    """Raise SourceEmpty if there is nothing to say, with what was left out and why."""
    if plan.segments:
        return
    reasons = Counter(str(one.reason) for one in plan.skipped).most_common()
    left_out = "; ".join(f"{count} x {reason}" for reason, count in reasons)
    raise SourceEmpty(
        f"Nothing in “{job.source}” can be read aloud. Left out: {left_out or 'nothing'}."
    )


def _rendered_in(windows: tuple[Window, ...]) -> dict[str, int]:
    """The window that renders each key."""
    return {
        request.key: window.index
        for window in windows
        for batch in window.batches
        for request in batch.requests
    }


def _left_out(book: Book, indices: list[int]) -> tuple[Skipped, ...]:
    return tuple(
        Skipped(SkipReason.NOT_CHOSEN, book.chapters[index].title, f"chapter {index + 1}")
        for index in indices
    )


def _chapter(
    chapter: Chapter,
    number: int,
    pairs: list[tuple[Segment, Request]],
    rendered_in: dict[str, int],
) -> ChapterPlan:
    parts = tuple(
        PlannedSegment(segment.id, request, segment.pause_after_s) for segment, request in pairs
    )
    last_window = max(rendered_in[request.key] for _, request in pairs)
    return ChapterPlan(number, chapter.title, chapter.level, parts, last_window)


# Which files a job makes of a book:

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
class OutputSpec:
    """One file to be made of a recording."""

    name: str
    format: str
    recording: Recording
    fingerprint: str


def output_specs(plan: Plan, job: Job) -> tuple[OutputSpec, ...]:
    """Every file that `job` asks for, by recording, then by format."""
    recordings = _chapter_recordings(plan, job) if job.split else (_book_recording(plan, job),)
    made_from = _made_from(plan, job)
    return tuple(
        OutputSpec(
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
