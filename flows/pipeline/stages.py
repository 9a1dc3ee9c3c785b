"""The stages of the mill, as plain functions that any crew can carry out, here or elsewhere.

    read_manuscript ─▶ render_window … ─▶ finish_chapter … ─▶ encode_reel …

Each takes plain data and a `RunContext`, and leaves what it made in the shard store or the library.
None knows Prefect, and none holds more audio than it takes to pass it on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial

from audiomill.flows.job import Job, UsageError
from audiomill.flows.pipeline.chapter_audio import (
    ChapterAudio,
    EncodePlan,
    measure_chapter_audio,
    stream_audio,
)
from audiomill.flows.pipeline.plan import ChapterPlan
from audiomill.flows.pipeline.run_context import RunContext, Step
from audiomill.flows.pipeline.shard_source import BatchResult, CacheLookup, ShardSource
from audiomill.flows.pipeline.timings import Interval
from audiomill.inputs.book import Manuscript
from audiomill.inputs.reading import read_book
from audiomill.inputs.segmentation.segments import SegmentRules, segment_book
from audiomill.outputs.encoding.encoder import Target, encode_stream
from audiomill.outputs.encoding.parallel_aac import AudioChunk
from audiomill.outputs.types import MasteredChapter, Recorded
from audiomill.renderers.base import Batch, Remark, Renderer, UnknownVoice, Window
from audiomill.renderers.host.process_pool import ProcessPool
from audiomill.renderers.host.threads import EncodeContext, map_in_order
from audiomill.renderers.planning import estimate_s
from audiomill.renderers.registry import open_renderer

# Threads of a window that store shards while the engine renders the next batch. They mostly wait
# for the disk: a shard takes 2 ms with one writer, 0.4 ms with eight. One more thread packs for all
# of them, far faster than one listens: eight at that would wait for each other's lock.
N_WRITERS = 8


@dataclass(frozen=True, slots=True)
class WindowResult:
    """What came of one window."""

    index: int
    rendered: int  # segments that the engine had to speak
    cached: int  # segments that were in the store already
    damaged: tuple[str, ...]  # what was found broken in the store, in words
    spoken: tuple[Interval, ...]  # when the engine was asked for a batch
    remarks: Mapping[str, tuple[Remark, ...]]  # what the engine could not simply say, by key


def read_manuscript(job: Job) -> Manuscript:
    """Read the source and cut it for the job's engine.

    Raises SourceError, UnknownVoice, and UsageError for a speed that the engine does not have.
    """
    renderer = open_renderer(job.engine, job.options)
    voice = _accepted(job, renderer)
    book = read_book(job.source, job.limits)
    rules = SegmentRules(
        voice_for=lambda language: voice_for(renderer, voice, language),
        max_length=renderer.limits.max_length,
        pauses=job.pauses,
        length=renderer.limits.length,
        best_length=renderer.limits.best_length,
    )
    manuscript = segment_book(book, rules)
    foreign = () if job.voice else _foreign(manuscript, renderer)
    voices = tuple(dict.fromkeys(segment.voice for segment in manuscript.segments))
    warnings = (*book.warnings, *foreign, *renderer.warnings(voices))
    return replace(manuscript, book=replace(book, warnings=warnings))


def _accepted(job: Job, renderer: Renderer) -> str | None:
    """The voice asked for, as the engine writes it; None if none was.

    What the engine cannot do is told before a long book is read.
    """
    slowest, fastest = renderer.limits.speeds
    if not slowest <= job.speed <= fastest:
        raise UsageError(
            f"Speed {job.speed:g}: {renderer.name} speaks at {slowest:g} to {fastest:g}."
        )
    return None if job.voice is None else renderer.known_voice(job.voice)


def voice_for(renderer: Renderer, voice: str | None, language: str) -> str:
    """The voice to speak `language` with: the one asked for, else the engine's own for it.

    A language that the engine does not know is spoken by its English voice.
    """
    if voice is not None:
        return voice
    try:
        return renderer.default_voice(language)
    except UnknownVoice:
        return renderer.default_voice("en")


def _foreign(manuscript: Manuscript, renderer: Renderer) -> Iterator[str]:
    """A warning for each language of the book that the engine does not speak."""
    for language in dict.fromkeys(segment.language for segment in manuscript.segments):
        try:
            renderer.default_voice(language)
        except UnknownVoice:
            yield (
                f"{renderer.name} has no voice for “{language}”; the English one reads it."
                " Choose another with --voice."
            )


def render_window(job: Job, window: Window, watch: RunContext) -> WindowResult:
    """Bring every segment of `window` into the store. Raises RenderError, StoreError."""
    shards = ShardSource(job, watch)
    limits = shards.renderer.limits
    fills: list[BatchResult] = []
    with (
        ThreadPoolExecutor(1) as packers,
        ThreadPoolExecutor(N_WRITERS) as writers,
        ThreadPoolExecutor(limits.n_at_once) as speakers,
    ):
        looked_up = _looked_up(shards, watch.until_cancelled(window.batches), writers)
        spoken = map_in_order(
            lambda pair: speakers.submit(shards.fill, pair[1], packers, writers),
            looked_up,
            limits.n_at_once,
        )
        for batch, fill in zip(window.batches, spoken, strict=True):
            fills.append(fill)
            # The batch before is stored by now: memory holds two, and what is being spoken.
            for before in fills[-2:-1]:
                before.stored()
            watch.progress.advance(
                Step.RENDER, sum(estimate_s(request, limits) for request in batch.requests)
            )
        stored = [shard for fill in fills for shard in fill.stored()]
    return WindowResult(
        index=window.index,
        rendered=sum(len(fill.found.missing) for fill in fills),
        cached=sum(len(fill.found.shards) for fill in fills),
        damaged=tuple(words for fill in fills for words in fill.found.damaged),
        spoken=tuple(interval for fill in fills for interval in fill.spoken),
        remarks={shard.key: shard.remarks for shard in stored if shard.remarks},
    )


def _looked_up(
    shards: ShardSource, batches: Iterable[Batch], readers: ThreadPoolExecutor
) -> Iterator[tuple[Batch, CacheLookup]]:
    """Each batch with what is there of it, looked up while the engine speaks the one before."""
    waiting: tuple[Batch, CacheLookup] | None = None
    for batch in batches:
        found = shards.look_up(batch, readers)
        if waiting:
            yield waiting
        waiting = batch, found
    if waiting:
        yield waiting


def finish_chapter(
    job: Job, chapter: ChapterPlan, watch: RunContext, annex: ProcessPool
) -> MasteredChapter:
    """Join and measure a chapter whose segments are all in the store.

    Nothing is written: the encoder will stream the same joins again, once the whole book's
    loudness is known. Raises RenderError, StoreError.
    """
    shards = ShardSource(job, watch)
    rate = shards.renderer.sample_rate
    track = ChapterAudio(chapter.title, chapter.level, chapter.parts, shards, rate)
    return annex.do(measure_chapter_audio, track, watch.check)


def encode_recording(
    job: Job, reel: EncodePlan, targets: tuple[Target, ...], watch: RunContext, annex: ProcessPool
) -> Recorded:
    """Stream a reel into every target at once. Raises OutputError, RenderError, StoreError."""
    shards = ShardSource(job, watch)
    rate = shards.renderer.sample_rate
    stretches = [
        AudioChunk(one.n_samples, partial(stream_audio, shards, one.runs, rate))
        for one in reel.stretches
    ]

    def passed(n_samples: int) -> None:
        watch.progress.advance(Step.ENCODE, n_samples / rate)

    commission = EncodeContext(annex, watch.check, passed)
    return encode_stream(stretches, rate, reel.master, reel.sleeve, targets, commission)
