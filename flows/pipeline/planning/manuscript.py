"""Reads the source of a run, and splits it into segments for its engine.

The lexicon of a run is checked against its engine:

    the book's own (PLS of an EPUB)     weakest
    lexicon.toml of the user            in the configuration folder
    the setting `lexicons`              in its order
    BOOK.lexicon.toml, .csv, .pls       beside the book; strongest

A phoneme that the engine does not have is an error in a file of the user, and a warning elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from audiomill.flows.articles import is_digest, job_of_article, refresh_page
from audiomill.flows.job import Job, UsageError
from audiomill.flows.known_voice import known_voice
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
from audiomill.inputs.lexicons.entries import LexiconError
from audiomill.inputs.lexicons.files import lexicons_beside, read_lexicons
from audiomill.inputs.lexicons.lexicon import Lexicon
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
from audiomill.inputs.model.lexicon_entry import LexiconEntry
from audiomill.inputs.readers.sources import check_file, read_book
from audiomill.inputs.reading.reading_file import WrongReadingFile, load_reading_file
from audiomill.inputs.reading.rules import ReadingRules
from audiomill.inputs.segmentation.segments import SegmentRules, no_listener, segment_book
from audiomill.outputs.checking.cover_and_credits import shortfalls, with_delivered_cover
from audiomill.outputs.metadata.tags import cut_warnings
from audiomill.renderers.engine.errors import UnknownPhoneme, UnknownVoice
from audiomill.renderers.engine.protocol import Renderer
from audiomill.renderers.engine.registry import open_renderer

MAX_EXAMPLES = 5  # of words, in a warning
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
    rules = SegmentRules(
        voice_for=choice.narrator_in,
        max_length=renderer.limits.max_length,
        pauses=job.pauses.at_speed(job.speed),
        length=renderer.limits.length,
        best_length=renderer.limits.best_length,
        first_chunking=first_chunking,
        joins_sentences=renderer.limits.joins_sentences,
        cast=cast,
        cast_voice_in=choice.voice_in,
        lexicon=lexicon.lexicon,
    )
    listener = partial(on_chapter, book) if on_chapter else no_listener
    manuscript = segment_book(book, rules, listener)
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


@dataclass(frozen=True, slots=True)
class RunLexicon:
    """The spoken form of words in a run, and warnings for its report."""

    lexicon: Lexicon
    warnings: tuple[str, ...]


def combine_lexicons(
    book: Book,
    users: Sequence[LexiconEntry],
    renderer: Renderer,
    voice_for: Callable[[str], str],
) -> RunLexicon:
    """The book's lexicon and those of the user, which win.

    Raises LexiconError for a phoneme of the user's that the engine does not have.
    """
    for fault in _unknown(users, book.language, renderer, voice_for):
        raise LexiconError(f"{fault.entry.where}: {fault.message}")
    faults = [*_unknown(book.lexicon, book.language, renderer, voice_for)]
    unusable = {fault.entry for fault in faults}
    of_book = (entry for entry in book.lexicon if entry not in unusable)
    warnings = ()
    if faults:
        first = f"{faults[0].entry.where}: {faults[0].message}"
        warnings = (
            f"{len(faults)} entries of the book's lexicon are not used. The first: {first}",
        )
    return RunLexicon(Lexicon((*of_book, *users)), warnings)


def unread_phonemes(manuscript: Manuscript, renderer: Renderer) -> Iterator[str]:
    """Warnings of words whose phonemes the engine does not take: it says them as it sees fit."""
    given = {
        (segment.spoken[one.start : one.end], one.phonemes, segment.voice)
        for segment in manuscript.segments
        for one in segment.pronunciations
    }
    unread = sorted({word for word, *sound in given if not _is_taken(renderer, *sound)})
    if unread:
        examples = ", ".join(unread[:MAX_EXAMPLES])
        more = ", …" if len(unread) > MAX_EXAMPLES else ""
        yield (
            f"{renderer.name} does not take the phonemes that are given for {len(unread)} words,"
            f" and says them by their spelling: {examples}{more}."
        )


def _is_taken(renderer: Renderer, phonemes: str, voice: str) -> bool:
    try:
        return bool(renderer.own_phonemes(phonemes, voice))
    except UnknownPhoneme:
        return False


@dataclass(frozen=True, slots=True)
class _Fault:
    entry: LexiconEntry
    message: str


def _unknown(
    entries: Iterable[LexiconEntry],
    language: str,
    renderer: Renderer,
    voice_for: Callable[[str], str],
) -> Iterator[_Fault]:
    """The entries with phonemes that the engine does not have.

    Of a long lexicon, only those are looked at whole that have an unusual sign.
    """
    by_language: dict[str, list[LexiconEntry]] = {}
    for entry in entries:
        if entry.phonemes:
            by_language.setdefault(entry.language or language, []).append(entry)
    for tag, group in by_language.items():
        voice = voice_for(tag)
        signs = set[str]().union(*(entry.phonemes for entry in group))
        unusual = {sign for sign in signs if not _is_known(sign, voice, renderer)}
        for entry in group if unusual else ():
            if not unusual.isdisjoint(entry.phonemes):
                yield from _fault(entry, voice, renderer)


def _is_known(sign: str, voice: str, renderer: Renderer) -> bool:
    try:
        renderer.own_phonemes(sign, voice)
    except UnknownPhoneme:
        return False
    return True


def _fault(entry: LexiconEntry, voice: str, renderer: Renderer) -> Iterator[_Fault]:
    try:
        renderer.own_phonemes(entry.phonemes, voice)
    except UnknownPhoneme as error:
        yield _Fault(
            entry,
            f"{renderer.name} has no phoneme “{error}”, which is in /{entry.phonemes}/ for"
            f" “{entry.written}”.",
        )
