"""Reads the source of a run, and splits it into segments for its engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from audiomill.flows.articles import is_digest, job_of_article, refresh_page
from audiomill.flows.errors import UsageError
from audiomill.flows.job import Job
from audiomill.flows.known_voice import known_voice
from audiomill.flows.pipeline.planning.run_lexicon import (
    RunLexicon,
    combine_lexicons,
    unread_phonemes,
)
from audiomill.flows.pipeline.planning.voices import (
    VoiceChoice,
    cast_warnings,
    check_languages,
    check_speed,
    known_cast,
    narrator_for,
)
from audiomill.inputs.articles.digest import frame_of, join_articles
from audiomill.inputs.articles.digest import load as load_digest
from audiomill.inputs.casting.cast import Cast
from audiomill.inputs.lexicons.entries import LexiconError
from audiomill.inputs.lexicons.files import lexicons_beside, read_lexicons
from audiomill.inputs.metadata.checked_values import CorrectionInvalid
from audiomill.inputs.metadata.corrections import apply_corrections
from audiomill.inputs.metadata.credits import named_narrators, with_credits
from audiomill.inputs.model.book import (
    Book,
    Limits,
    Manuscript,
    Segment,
    SourceEmpty,
    SourceMissing,
)
from audiomill.inputs.model.ledger import check_segments
from audiomill.inputs.readers.sources import check_file, read_book
from audiomill.inputs.reading.reading_file import WrongReadingFile, load_reading_file
from audiomill.inputs.reading.rules import ReadingRules
from audiomill.inputs.segmentation.segments import SegmentRules, no_listener, segment_book
from audiomill.outputs.checking.cover_and_credits import shortfalls, with_delivered_cover
from audiomill.outputs.metadata.tags import cut_warnings
from audiomill.renderers.engine.errors import UnknownVoice
from audiomill.renderers.engine.protocol import Renderer
from audiomill.renderers.engine.registry import open_renderer

# Gets the segments of each chapter, with the book, before the next chapter is cut.
OnChapter = Callable[[Book, Sequence[Segment]], None]
ReadBook = Callable[[Path, Limits, ReadingRules], Book]  # as `read_book`


def read_manuscript(
    job: Job, on_chapter: OnChapter | None = None, read: ReadBook = read_book
) -> Manuscript:
    """Read the source and split it into segments for the job's engine.

    `on_chapter` is told of chapters while others are being cut; not of those of a list of articles.
    Nor are articles read by `read`, which is another way to read the same book. Raises SourceError,
    UnknownVoice, and UsageError for a speed that the engine does not have, or
    for a wrong lexicon, casting file or file of reading choices.
    """
    try:
        if is_digest(job.source):
            return _digest_manuscript(job)
        return manuscript_of(job, on_chapter=on_chapter, read=read)
    except (LexiconError, WrongReadingFile, CorrectionInvalid) as error:
        raise UsageError(str(error)) from error


def manuscript_of(
    job: Job,
    book: Book | None = None,
    on_chapter: OnChapter | None = None,
    first_chunking: str = "",
    read: ReadBook = read_book,
) -> Manuscript:
    """The manuscript of `book`; None: of the source. Raises as `read_manuscript`, LexiconError.

    `first_chunking` is that of `SegmentRules`.
    """
    if book is None and not job.address:
        check_file(job.source, job.limits)
    renderer = open_renderer(job.engine, job.options)
    # Before reading, which takes long for a long book.
    check_speed(job.speed, renderer)
    voice = None if job.voice is None else known_voice(renderer, job.voice, job.options)
    cast = known_cast(job, renderer)
    fetched = refresh_page(job.address, job.source, job.network) if job.address else ()
    users = read_lexicons((*job.lexicons, *lexicons_beside(job.source)))
    book = with_delivered_cover(book or _read_source(job, read), job.delivery)
    check_languages(cast, renderer, book.language)
    narrator = narrator_for(renderer, voice, book.language)
    choice = VoiceChoice(renderer, book.language, narrator, job.foreign)
    lexicon = combine_lexicons(book, users, renderer, choice.narrator_in)
    rules = replace(
        _segment_rules(job, renderer, choice),
        first_chunking=first_chunking,
        cast=cast,
        lexicon=lexicon.lexicon,
    )
    listener = partial(on_chapter, book) if on_chapter else no_listener
    manuscript = segment_book(book, rules, listener)
    check_segments(manuscript, job.source.name)
    warnings = (*fetched, *_warnings(job, manuscript, choice, cast, lexicon))
    return replace(manuscript, book=replace(book, warnings=warnings))


def _segment_rules(job: Job, renderer: Renderer, choice: VoiceChoice) -> SegmentRules:
    """How the engine's limits, the job's pauses and the voices cut a book, without a cast."""
    return SegmentRules(
        voice_for=choice.narrator_in,
        max_length=renderer.limits.max_length,
        pauses=job.pauses.at_speed(job.speed),
        length=renderer.limits.length,
        best_length=renderer.limits.best_length,
        joins_sentences=renderer.limits.joins_sentences,
        cast_voice_in=choice.voice_in,
    )


def _warnings(
    job: Job, manuscript: Manuscript, choice: VoiceChoice, cast: Cast, lexicon: RunLexicon
) -> Iterator[str]:
    """What the person should know of the book, its voices and its words before they are heard."""
    book, renderer = manuscript.book, choice.renderer
    yield from book.warnings
    yield from cut_warnings(book)
    if not job.voice:
        yield from _language_warnings(book, renderer)
    yield from choice.warnings(manuscript)
    yield from cast_warnings(cast, manuscript)
    yield from renderer.warnings(tuple(dict.fromkeys(one.voice for one in manuscript.segments)))
    yield from lexicon.warnings
    yield from unread_phonemes(manuscript, renderer)
    yield from shortfalls(job.delivery, book.cover, named_narrators(book, job.credits))


def _digest_manuscript(job: Job) -> Manuscript:
    """The manuscript of a list of articles. Raises SourceEmpty if one has nothing to speak."""
    try:
        digest = load_digest(job.source)
    except OSError as error:
        reason = error.strerror or error
        raise SourceMissing(f"“{job.source}” cannot be read: {reason}.") from error
    articles = list[Manuscript]()
    for article in digest.articles:
        articles.append(manuscript_of(job_of_article(job, digest, article)))
        if not articles[-1].segments:
            raise SourceEmpty(f"Nothing in “{article.path}” can be read aloud.")
    frame = apply_corrections(frame_of(digest), job.corrections, job.limits)
    joined = join_articles(digest, manuscript_of(job, frame), articles)
    check_segments(joined, job.source.name)
    return joined


def _read_source(job: Job, read: ReadBook) -> Book:
    """The book as the user corrects it, with its credits and the text that is chosen to be read.

    Raises SourceError, WrongReadingFile, CorrectionInvalid.
    """
    beside = load_reading_file(job.source)
    book = read(job.source, job.limits, beside.rules(job.reading, job.read))
    book = replace(book, warnings=(*book.warnings, *beside.unused(book)))
    book = apply_corrections(book, job.corrections, job.limits)
    # Some chapters alone have no credits.
    return book if job.chapters else with_credits(book, job.credits)


def _language_warnings(book: Book, renderer: Renderer) -> Iterator[str]:
    """A warning if the engine does not speak the book's language."""
    try:
        renderer.default_voice(book.language)
    except UnknownVoice:
        yield (
            f"{renderer.name} has no voice for “{book.language}”; the English one reads it."
            " Choose another with --voice."
        )
