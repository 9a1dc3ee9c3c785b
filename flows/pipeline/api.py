"""The Python interface: `audiomill.render` and `audiomill.inspect`.

Both do what the commands of the same names do, without Prefect. They return data instead of
printing, and raise errors instead of ending the program.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Unpack

from audiomill.flows.cluster.choice import chosen_place, place_of_windows
from audiomill.flows.execution.executor import ThreadExecutor
from audiomill.flows.execution.run_context import Progress, RunContext
from audiomill.flows.job import Job, name_of_source
from audiomill.flows.make_job import job_options, make_job
from audiomill.flows.options import InspectOptions, RenderOptions, require_declared
from audiomill.flows.pipeline.further_formats import FinishedBook
from audiomill.flows.pipeline.inspected_edition import edition_of_source
from audiomill.flows.pipeline.pipeline import run_pipeline
from audiomill.flows.pipeline.planning.manuscript import read_manuscript
from audiomill.flows.pipeline.planning.plan import (
    ChapterPlan,
    Plan,
    count_characters,
    expected_cost,
    make_plan,
)
from audiomill.flows.pipeline.planning.voices import VoiceShare, count_speakers, voice_shares
from audiomill.flows.pipeline.report import Report
from audiomill.flows.settings import load_settings
from audiomill.inputs.metadata.corrections import metadata_of
from audiomill.inputs.model.book import LanguageSource, Skipped, SkipReason
from audiomill.renderers.engine.planning import estimate_s
from audiomill.renderers.engine.protocol import EngineLimits
from audiomill.renderers.engine.registry import open_renderer


def render(
    source: str | Path, *, progress: Progress | None = None, **options: Unpack[RenderOptions]
) -> Report:
    """Render `source`, or as much of it as is not there yet, and return the report of the run.

    The options are those of `audiomill render`; docs/python.md has the table. One that is None or
    left out is as the settings say, or else the profile.
    `progress` is called from any thread. Ctrl-C raises KeyboardInterrupt after the batches in
    flight have ended; finished segments are kept.

    Raises UsageError, SourceError, RenderError, StoreError, OutputError; ExecutorError if the
    cluster cannot be used; TypeError for a name that is no option.
    """
    settings = load_settings()
    job = make_job(settings, source, **job_options(options))
    choice = chosen_place(settings, options)
    with place_of_windows(choice) as place, ThreadExecutor() as threads:
        return run_pipeline(job, place.executor(threads), RunContext(progress))


def inspect(source: str | Path, **options: Unpack[InspectOptions]) -> Inspection:
    """Tell what `render` would speak and skip, with the expected length of each chapter.

    The options are those of `audiomill inspect`. Renders and writes nothing. Raises UsageError,
    SourceError, RenderError; TypeError for a name that is no option.
    """
    require_declared(options, InspectOptions)
    return inspect_source(make_job(load_settings(), source, **options), options)


@dataclass(frozen=True, slots=True)
class ChapterInspection:
    """One chapter that would be spoken."""

    number: int  # from 1, as --chapters counts; 0 for credits
    title: str
    level: int  # of its heading, from 1
    words: int  # as they are spoken
    expected_s: float  # of audio, pauses included


@dataclass(frozen=True, slots=True)
class CharacterInspection:
    """Somebody who says something for sure."""

    name: str  # as the text first names him; a casting file takes it
    speeches: int
    voice: str | None  # of the casting file; None: that of all dialogue, or the narrator's


@dataclass(frozen=True, slots=True)
class BlockDecision:
    """A piece of text, and whether it is spoken. `kind` is what the file beside the book names."""

    chapter: str  # its title; "": none, as for a page that is not read
    spoken: bool
    kind: str  # of the block, or the reason why the text is listed
    where: str
    text: str


@dataclass(frozen=True, slots=True)
class Inspection:
    """A source as a render would treat it."""

    source: str
    title: str
    authors: tuple[str, ...]
    language: str  # BCP 47
    language_source: LanguageSource
    metadata: Mapping[str, tuple[str, ...]]  # by the keys of --set; only what is known
    engine: str
    segments: int
    text_length: int  # characters of all distinct segments, as the engine gets them
    expected_cost: float  # of all of them, in the currency of the engine's price; 0: free, unknown
    voices: tuple[VoiceShare, ...]  # most words first
    cast: str | None  # the casting file
    characters: tuple[CharacterInspection, ...]  # of the whole book, most speeches first
    chapters: tuple[ChapterInspection, ...]
    skipped: tuple[Skipped, ...]
    blocks: tuple[BlockDecision, ...]  # every piece of text, spoken or not
    finished: FinishedBook | None  # in the library, with what it could get without rendering
    warnings: tuple[str, ...]


def inspect_source(job: Job, options: InspectOptions | None = None) -> Inspection:
    """Read and plan the source of `job`, which is that of the options.

    Raises SourceError, RenderError, UsageError.
    """
    renderer = open_renderer(job.engine, job.options)
    plan = make_plan(read_manuscript(job), job, renderer)
    return Inspection(
        source=name_of_source(job),
        title=plan.book.title,
        authors=tuple(plan.book.authors),
        language=plan.book.language,
        language_source=plan.book.language_source,
        metadata=metadata_of(plan.book),
        engine=job.engine,
        segments=len(plan.segments),
        text_length=count_characters(plan),
        expected_cost=round(expected_cost(plan, renderer.limits), 2),
        voices=voice_shares(job, plan.book, plan.segments),
        cast=job.cast.where or None,
        characters=tuple(
            CharacterInspection(name, n_speeches, job.cast.voice_of_character(name))
            for name, n_speeches in count_speakers(plan.book).items()
        ),
        chapters=tuple(_chapter(chapter, renderer.limits) for chapter in plan.chapters),
        skipped=tuple(plan.skipped),
        blocks=tuple(block_decisions(plan)),
        finished=edition_of_source(job, plan, renderer, options or {}),
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


def block_decisions(plan: Plan) -> Iterator[BlockDecision]:
    """Each block of the book in its order; what is listed follows the blocks of its document."""
    spoken = {(segment.span.chapter, segment.span.block) for segment in plan.segments}
    chosen = {chapter for chapter, _ in spoken}
    listed: dict[str, list[Skipped]] = {}
    for skipped in plan.book.skipped:
        listed.setdefault(_document(skipped.where), []).append(skipped)
    places = [
        (index, at, chapter.title, block)
        for index, chapter in enumerate(plan.book.chapters)
        for at, block in enumerate(chapter.blocks)
    ]
    last_at = {_document(block.where): number for number, (*_, block) in enumerate(places)}
    for number, (index, at, title, block) in enumerate(places):
        is_spoken = (index, at) in spoken
        not_said = SkipReason.NOT_SPEAKABLE if index in chosen else SkipReason.NOT_CHOSEN
        if block.text:
            kind = str(block.kind if is_spoken else not_said)
            yield BlockDecision(title, is_spoken, kind, block.where, block.text)
        document = _document(block.where)
        if last_at[document] == number:
            yield from _listed(listed.pop(document, ()), title)
    for rest in listed.values():
        yield from _listed(rest, "")


def _listed(skipped: Sequence[Skipped], chapter: str) -> Iterator[BlockDecision]:
    return (
        BlockDecision(chapter, spoken=False, kind=str(one.reason), where=one.where, text=one.text)
        for one in skipped
    )


def _document(where: str) -> str:
    return where.partition("#")[0]
