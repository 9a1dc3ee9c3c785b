"""The stages of a run as plain functions, which any `Executor` can run.

    read_manuscript ─▶ (render_window …) ─▶ measure_chapter … ─▶ encode_recording … ─▶ transcripts

Each takes plain data and a `RunContext`. It returns plain data and leaves audio in the shard store
or the library. No stage knows Prefect, and none holds more audio than it is working on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby, pairwise
from pathlib import Path

from audiomill.flows.articles.digest_jobs import is_digest, job_of_article
from audiomill.flows.articles.saved_page import refresh_page
from audiomill.flows.execution.run_context import RunContext, Step
from audiomill.flows.execution.shard_source import ShardSource
from audiomill.flows.job import Job, UsageError
from audiomill.flows.pipeline.chapter_audio import (
    ChapterTask,
    EncodePlan,
    EncodeRegion,
    measure_chapter_audio,
    stream_audio,
)
from audiomill.flows.pipeline.level_requests import LevelRequests
from audiomill.flows.pipeline.lexicons import combine_lexicons, unread_phonemes
from audiomill.flows.pipeline.plan import ChapterPlan, OutputSpec, Plan, Recording
from audiomill.flows.pipeline.voices import (
    VoiceChoice,
    cast_warnings,
    check_languages,
    known_cast,
    narrator_for,
)
from audiomill.inputs.articles.digest import load as load_digest
from audiomill.inputs.articles.digest_joining import frame_of, join_articles
from audiomill.inputs.book import Book, Manuscript, Skipped, SkipReason, SourceEmpty, SourceMissing
from audiomill.inputs.choices.reading_file import WrongReadingFile, load_reading_file
from audiomill.inputs.credits.credits import named_narrators, with_credits
from audiomill.inputs.ledger import check_segments
from audiomill.inputs.lexicon.entries import LexiconError
from audiomill.inputs.lexicon.reading import lexicons_beside, read_lexicons
from audiomill.inputs.metadata.corrections import CorrectionInvalid, apply_corrections
from audiomill.inputs.reading import read_book
from audiomill.inputs.segmentation.segments import SegmentRules, segment_book
from audiomill.outputs.audio.file_ends import ends_for_rms, with_ends
from audiomill.outputs.audio.loudness import LoudnessMeter, integrated_lufs
from audiomill.outputs.audio.mastering import MasterPlan, limiter_loss_db
from audiomill.outputs.audio.music import MusicUse, music_digest
from audiomill.outputs.audio.music_file import MusicInvalid, load_music
from audiomill.outputs.audio.music_places import RecordingMusic, place_music
from audiomill.outputs.delivery.shortfalls import shortfalls
from audiomill.outputs.encoding.encoder import encode
from audiomill.outputs.encoding.pending_file import Target
from audiomill.outputs.encoding.sound import AudioRegion
from audiomill.outputs.encoding.thread_group import EncodeContext
from audiomill.outputs.metadata.cuts import cut_warnings
from audiomill.outputs.transcripts.cues import recording_cues
from audiomill.outputs.transcripts.writer import write_transcript
from audiomill.outputs.types import EncodedOutput, MeasuredChapter, OutputFile
from audiomill.renderers.base import (
    EngineFailed,
    Renderer,
    Samples,
    ShardInfo,
    UnknownVoice,
)
from audiomill.renderers.host.process_pool import TaskPool
from audiomill.renderers.registry import known_voice, open_renderer
from audiomill.renderers.store.store import ShardStore


def read_manuscript(job: Job) -> Manuscript:
    """Read the source and split it into segments for the job's engine.

    Raises SourceError, UnknownVoice, and UsageError for a speed that the engine does not have, or
    for a wrong lexicon, casting file or file of reading choices.
    """
    try:
        return _digest_manuscript(job) if is_digest(job.source) else _manuscript(job)
    except (LexiconError, WrongReadingFile, CorrectionInvalid) as error:
        raise UsageError(str(error)) from error


def _manuscript(job: Job, book: Book | None = None) -> Manuscript:
    """The manuscript of `book`; None: of the source."""
    renderer = open_renderer(job.engine, job.options)
    # Before reading, which takes long for a long book.
    _check_speed(job, renderer)
    voice = None if job.voice is None else known_voice(renderer, job.voice, job.options)
    cast = known_cast(job, renderer)
    fetched = refresh_page(job.address, job.source, job.network) if job.address else ()
    users = read_lexicons((*job.lexicons, *lexicons_beside(job.source)))
    book = book or _read_source(job)
    check_languages(cast, renderer, book.language)
    narrator = narrator_for(renderer, voice, book.language)
    choice = VoiceChoice(renderer, book.language, narrator, job.foreign)
    lexicon = combine_lexicons(book, users, renderer, choice.narrator_in)
    rules = SegmentRules(
        voice_for=choice.narrator_in,
        max_length=renderer.limits.max_length,
        pauses=job.pauses.at_speed(job.speed),
        length=renderer.limits.length,
        best_length=renderer.limits.best_length,
        cast=cast,
        cast_voice_in=choice.voice_in,
        lexicon=lexicon.lexicon,
    )
    manuscript = segment_book(book, rules)
    check_segments(manuscript, job.source.name)
    warnings = (
        *fetched,
        *book.warnings,
        *cut_warnings(book),
        *(() if job.voice else _language_warnings(book, renderer)),
        *choice.warnings(manuscript),
        *cast_warnings(cast, manuscript),
        *renderer.warnings(tuple(dict.fromkeys(one.voice for one in manuscript.segments))),
        *lexicon.warnings,
        *unread_phonemes(manuscript, renderer),
        *shortfalls(job.delivery, book.cover, named_narrators(book, job.credits)),
    )
    return replace(manuscript, book=replace(book, warnings=warnings))


def _digest_manuscript(job: Job) -> Manuscript:
    """The manuscript of a list of articles. Raises SourceEmpty if one has nothing to speak."""
    try:
        digest = load_digest(job.source)
    except OSError as error:
        reason = error.strerror or error
        raise SourceMissing(f"“{job.source}” cannot be read: {reason}.") from error
    articles = list[Manuscript]()
    for article in digest.articles:
        articles.append(_manuscript(job_of_article(job, digest, article)))
        if not articles[-1].segments:
            raise SourceEmpty(f"Nothing in “{article.path}” can be read aloud.")
    frame = apply_corrections(frame_of(digest), job.corrections, job.limits)
    joined = join_articles(digest, _manuscript(job, frame), articles)
    check_segments(joined, job.source.name)
    return joined


def _read_source(job: Job) -> Book:
    """The book as the user corrects it, with its credits and the text that is chosen to be read.

    Raises SourceError, WrongReadingFile, CorrectionInvalid.
    """
    beside = load_reading_file(job.source)
    book = read_book(job.source, job.limits, beside.rules(job.reading, job.read))
    book = replace(book, warnings=(*book.warnings, *beside.unused(book)))
    book = apply_corrections(book, job.corrections, job.limits)
    # Some chapters alone have no credits.
    return book if job.chapters else with_credits(book, job.credits)


def _check_speed(job: Job, renderer: Renderer) -> None:
    """Raise UsageError if the engine cannot speak at the job's speed."""
    slowest, fastest = renderer.limits.speeds
    if not slowest <= job.speed <= fastest:
        raise UsageError(
            f"Speed {job.speed:g}: {renderer.name} speaks at {slowest:g} to {fastest:g}."
        )


def _language_warnings(book: Book, renderer: Renderer) -> Iterator[str]:
    """A warning if the engine does not speak the book's language."""
    try:
        renderer.default_voice(book.language)
    except UnknownVoice:
        yield (
            f"{renderer.name} has no voice for “{book.language}”; the English one reads it."
            " Choose another with --voice."
        )


def _source(job: Job, store: ShardStore, context: RunContext) -> ShardSource:
    """The job's engine and its store."""
    return ShardSource(open_renderer(job.engine, job.options), store, context, job.outage_s)


def measure_voices(
    job: Job, store: ShardStore, level_requests: LevelRequests, context: RunContext
) -> dict[str, float]:
    """The loudness of each voice in LUFS; -inf of one that is silent.

    Raises RenderError, StoreError, Interrupted.
    """
    source = _source(job, store, context)
    reader, levels = source.reader(), dict[str, float]()
    for voice, requests in level_requests:
        meter = LoudnessMeter(source.renderer.sample_rate)
        for request in context.until_cancelled(requests):
            meter.add(reader.shard(request).samples)
        levels[voice] = integrated_lufs([meter.measured()])
    return levels


def measure_chapter(
    job: Job, store: ShardStore, chapter: ChapterPlan, context: RunContext, pool: TaskPool
) -> MeasuredChapter:
    """Join and measure a chapter whose segments are all in the store.

    Writes nothing: once the loudness of the whole book is known, the encoder streams the same joins
    again. Raises RenderError, StoreError, Interrupted.
    """
    source = _source(job, store, context)
    task = ChapterTask(
        chapter.title,
        chapter.level,
        chapter.segments,
        source.reader(),
        source.renderer.sample_rate,
    )
    return pool.do(measure_chapter_audio, task, context.check)


def silent_segments(plan: Plan, chapters: Iterable[MeasuredChapter]) -> tuple[Skipped, ...]:
    """The segments for which the engine returned silence, which joining trims to nothing."""
    audible = {cue.segment_id for one in chapters for cue in one.cues if cue.end > cue.start}
    return tuple(
        Skipped(
            SkipReason.NOT_SPEAKABLE,
            segment.text,
            plan.book.chapters[segment.span.chapter].blocks[segment.span.block].where,
        )
        for segment in plan.segments
        if segment.id not in audible
    )


def require_speech(plan: Plan, silent: Sequence[Skipped]) -> None:
    """Raise EngineFailed if every segment of the book is silent."""
    if len(silent) == len(plan.segments):
        voices = ", ".join(dict.fromkeys(segment.voice for segment in plan.segments))
        raise EngineFailed(
            f"The voice {voices} says nothing of this book."
            " Choose one that knows its script with --voice (audiomill voices lists them)."
        )


def digest_music(job: Job) -> str:
    """A digest of the job's music, for fingerprints; "" without. Raises UsageError."""
    try:
        return music_digest(job.music)
    except OSError as error:
        raise UsageError(f"music: {error.filename} cannot be read ({error.strerror}).") from error


def load_pieces(job: Job, sample_rate: int) -> dict[MusicUse, Samples]:
    """The job's pieces of music. Raises UsageError if one cannot be played, EncoderMissing."""
    try:
        return load_music(job.music, sample_rate)
    except MusicInvalid as error:
        raise UsageError(f"music: {error}") from error


def add_music(
    job: Job,
    plan: Plan,
    pieces: Mapping[MusicUse, Samples],
    specs: Iterable[OutputSpec],
    chapters: Sequence[MeasuredChapter],
) -> dict[Recording, RecordingMusic]:
    """The music of each recording of `specs`, in order. A sting stands between two chapters."""
    voice_lufs = integrated_lufs(chapter.loudness for chapter in chapters)
    return {
        recording: place_music(
            job.music,
            pieces,
            _with_ends(job, chapters[recording.chapters]),
            _stings(plan.chapters[recording.chapters]),
            voice_lufs,
        )
        for recording in dict.fromkeys(spec.recording for spec in specs)
    }


def _with_ends(job: Job, chapters: Sequence[MeasuredChapter]) -> Sequence[MeasuredChapter]:
    """The chapters of a recording with the quiet at its ends."""
    ends = job.delivery.ends
    in_rms = job.mastering.target_rms_db is not None
    return with_ends(chapters, ends_for_rms(chapters, ends) if in_rms else ends)


def _stings(chapters: Sequence[ChapterPlan]) -> list[int]:
    """The chapters that a sting precedes: those after another. Credits are announced by none."""
    return [
        index
        for index, (before, chapter) in enumerate(pairwise(chapters), 1)
        if not (before.is_credits or chapter.is_credits)
    ]


def measure_limiter_loss(
    job: Job,
    store: ShardStore,
    sample: Sequence[EncodeRegion],
    sample_s: float,
    master: MasterPlan,
    context: RunContext,
) -> float:
    """How many decibels the plan's limiter takes of the first `sample_s` of each region's audio.

    Raises RenderError, StoreError, Interrupted.
    """
    source = _source(job, store, context)
    reader, sample_rate = source.reader(), source.renderer.sample_rate

    def blocks() -> Iterator[Samples]:
        for region in sample:
            n_left = round(sample_s * sample_rate)
            for block in context.until_cancelled(stream_audio(reader, region, sample_rate)):
                yield block
                n_left -= block.size
                if n_left <= 0:
                    break

    in_rms = job.mastering.target_rms_db is not None
    return limiter_loss_db(blocks(), master, sample_rate, in_rms=in_rms)


def encode_recording(
    job: Job,
    store: ShardStore,
    encode_plan: EncodePlan,
    targets: tuple[Target, ...],
    context: RunContext,
    pool: TaskPool,
) -> EncodedOutput:
    """Stream a recording's audio into all its files at once.

    Raises OutputError, RenderError, StoreError, Interrupted.
    """
    source = _source(job, store, context)
    reader, sample_rate = source.reader(), source.renderer.sample_rate
    regions = [
        AudioRegion(region.n_samples, partial(stream_audio, reader, region, sample_rate))
        for region in encode_plan.regions
    ]

    def advance(n_samples: int) -> None:
        context.progress.advance(Step.ENCODE, n_samples / sample_rate)

    encode_context = EncodeContext(pool, context.check, advance)
    metadata = encode_plan.metadata
    marks, tags, cover = metadata.marks, metadata.tags, metadata.cover
    return encode(regions, sample_rate, targets, marks, tags, cover, context=encode_context)


def write_transcripts(
    plan: Plan,
    specs: Sequence[OutputSpec],
    folder: Path,
    shards: Mapping[str, ShardInfo],
    chapters: Sequence[MeasuredChapter],
    context: RunContext,
) -> dict[OutputSpec, OutputFile]:
    """Write transcripts into `folder`, of what rendering and measuring have found; read no audio.

    `shards` are found by the key of a request. Raises OutputUnwritable, Interrupted.
    """
    written: dict[OutputSpec, OutputFile] = {}
    segments = {segment.id: segment for segment in plan.segments}
    for recording, alike in groupby(context.until_cancelled(specs), lambda spec: spec.recording):
        planned = (one for chapter in plan.chapters[recording.chapters] for one in chapter.segments)
        by_id = {one.segment_id: shards[one.request.key] for one in planned}
        recorded = chapters[recording.chapters]
        cues = recording_cues(recorded, segments, by_id)
        title, language = recording.tags.title, plan.book.language
        for spec in alike:
            path = folder / spec.name
            written[spec] = write_transcript(path, spec.format, cues, recorded, title, language)
    return written
