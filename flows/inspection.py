"""What a render of a source would speak and skip, and for how long. Renders and writes nothing."""

from __future__ import annotations

from dataclasses import dataclass

from audiomill.flows.decisions import BlockDecision, block_decisions
from audiomill.flows.job import Job
from audiomill.flows.pipeline.plan import ChapterPlan, make_plan
from audiomill.flows.pipeline.stages import read_manuscript
from audiomill.inputs.book import Skipped
from audiomill.renderers.base import EngineLimits
from audiomill.renderers.planning import estimate_s
from audiomill.renderers.registry import open_renderer


@dataclass(frozen=True, slots=True)
class ChapterInspection:
    """One chapter that would be spoken."""

    number: int  # from 1, as --chapters counts
    title: str
    level: int  # of its heading, from 1
    words: int  # as they are spoken
    expected_s: float  # of audio, pauses included


@dataclass(frozen=True, slots=True)
class Inspection:
    """A source as a render would treat it."""

    source: str
    title: str
    authors: tuple[str, ...]
    language: str  # BCP 47
    engine: str
    segments: int
    chapters: tuple[ChapterInspection, ...]
    skipped: tuple[Skipped, ...]
    blocks: tuple[BlockDecision, ...]  # every piece of text, spoken or not
    warnings: tuple[str, ...]


def inspect_source(job: Job) -> Inspection:
    """Read and plan the source of `job`. Raises SourceError, RenderError, UsageError."""
    renderer = open_renderer(job.engine, job.options)
    plan = make_plan(read_manuscript(job), job, renderer)
    return Inspection(
        source=str(job.source),
        title=plan.book.title,
        authors=tuple(plan.book.authors),
        language=plan.book.language,
        engine=job.engine,
        segments=len(plan.segments),
        chapters=tuple(_chapter(chapter, renderer.limits) for chapter in plan.chapters),
        skipped=tuple(plan.skipped),
        blocks=tuple(block_decisions(plan)),
        warnings=(*plan.book.warnings, *job.warnings),
    )


def _chapter(chapter: ChapterPlan, limits: EngineLimits) -> ChapterInspection:
    expected_s = sum(
        estimate_s(segment.request, limits) + segment.pause_after_s for segment in chapter.segments
    )
    return ChapterInspection(
        number=chapter.number,
        title=chapter.title,
        level=chapter.level,
        words=sum(len(segment.request.spoken.split()) for segment in chapter.segments),
        expected_s=round(expected_s, 1),
    )
