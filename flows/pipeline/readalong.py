"""Writes books with their sound, of what rendering and measuring have found and of finished files.

Nothing is rendered or encoded: the text is that of the source, the sound is cut from recordings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory

from audiomill.flows.console import say
from audiomill.flows.execution.windows import shards_by_key
from audiomill.flows.pipeline.planning.output_specs import OutputSpec, sound_format
from audiomill.flows.pipeline.run_state import Run, RunResult
from audiomill.inputs.files import file_sha256
from audiomill.inputs.model.book import SourceError, SourceUnsupported
from audiomill.outputs.files import publish, temporary_file, unwritable_errors
from audiomill.outputs.formats.pending_file import file_rate
from audiomill.outputs.formats.registry import EPISODE_TEXT, FORMATS, READALONG_PAGE
from audiomill.outputs.readalong.document_audio import RecordingFile, cut_for_documents
from audiomill.outputs.readalong.documents.source_reader import NotWellFormed
from audiomill.outputs.readalong.epub import NarratedBook, write_epub
from audiomill.outputs.readalong.narration import (
    NarratedDocument,
    SpokenRecording,
    narrated_documents,
)
from audiomill.outputs.readalong.source_books import SourceBook, open_source_book
from audiomill.outputs.readalong.timed_sentences import timed_sentences
from audiomill.outputs.readalong.web.assets import remove_unused, write_assets
from audiomill.outputs.readalong.web.book_page import book_page
from audiomill.outputs.readalong.web.recorded_text import RecordedText, dumped, recorded_text
from audiomill.outputs.types import MeasuredChapter, OutputFile


def write_readalongs(
    run: Run,
    missing: Iterable[OutputSpec],
    specs: Sequence[OutputSpec],
    files: Mapping[OutputSpec, OutputFile],
    result: RunResult,
) -> dict[OutputSpec, OutputFile]:
    """Write the missing books, and enter them in the library; `files` are those of `specs`.

    Raises SourceError, OutputError, Interrupted.
    """
    sound = [one for one in specs if one.format == sound_format(run.job)]
    written: dict[OutputSpec, OutputFile] = {}
    texts, books = _split(missing)
    wanted = sorted(books, key=lambda spec: _is_by_word(run, spec))
    for by_word, alike in groupby(wanted, key=lambda spec: _is_by_word(run, spec)):
        group = tuple(alike)
        title = f"write {', '.join(spec.name for spec in group)}"
        made = run.executor.submit(
            title, _write_group, run, group, sound, files, result, by_word=by_word
        ).result()
        run.library_entry.record_finished(group)
        written |= made
    for spec in texts:
        title = f"write {spec.name}"
        written[spec] = run.executor.submit(
            title, _write_text, run, spec, sound, files, result
        ).result()
        run.library_entry.record_finished((spec,))
    return written


def _split(missing: Iterable[OutputSpec]) -> tuple[list[OutputSpec], list[OutputSpec]]:
    """The texts of episodes, and the books."""
    texts, books = list[OutputSpec](), list[OutputSpec]()
    for spec in missing:
        (texts if spec.format == EPISODE_TEXT.name else books).append(spec)
    return texts, books


def _is_by_word(run: Run, spec: OutputSpec) -> bool:
    """Whether each word has a clip. A page marks words in any case, in clips of sentences."""
    return run.job.follow == "word" and spec.format != READALONG_PAGE


def _write_group(
    run: Run,
    group: Iterable[OutputSpec],
    sound: Sequence[OutputSpec],
    files: Mapping[OutputSpec, OutputFile],
    result: RunResult,
    *,
    by_word: bool,
) -> dict[OutputSpec, OutputFile]:
    """Write books that have the same clips."""
    job, written = run.job, dict[OutputSpec, OutputFile]()
    duration_s = sum(files[one].duration_s for one in sound)
    with (
        open_source_book(run.plan.book, job.source, job.limits) as source,
        TemporaryDirectory(dir=run.library_entry.folder, prefix=".") as folder,
    ):
        recordings = tuple(_spoken_recordings(run, source, sound, result))
        narration = _narration(run, source, recordings, sound, files, Path(folder), by_word=by_word)
        # What a page shows is unpacked for it, so an EPUB after it copies that unseen.
        in_order = sorted(group, key=lambda spec: spec.format != READALONG_PAGE)
        for spec in run.context.until_cancelled(in_order):
            _tell_of_unplaced(spec, narration.documents)
            write = _write_page if spec.format == READALONG_PAGE else _write_epub
            written[spec] = write(run, spec, source, narration, duration_s)
    return written


def _write_epub(
    run: Run, spec: OutputSpec, source: SourceBook, narration: NarratedBook, duration_s: float
) -> OutputFile:
    path = run.library_entry.folder / spec.name
    if not any(document.clips for document in narration.documents):
        raise SourceUnsupported(
            f"{spec.name} is not written: the documents of the book have nothing of what is spoken."
        )
    with temporary_file(path) as temporary:
        write_epub(temporary, source, narration)
        return _published(run, spec, temporary, duration_s)


def _write_page(
    run: Run, spec: OutputSpec, source: SourceBook, narration: NarratedBook, duration_s: float
) -> OutputFile:
    """Write the files beside a page, then the page, then remove those that it needs no more."""
    path = run.library_entry.folder / spec.name
    page = book_page(run.plan.book, source, narration, run.plan.sample_rate)
    write_assets(path.parent, page.assets)
    with temporary_file(path) as temporary:
        with unwritable_errors(path):
            temporary.write_bytes(page.html)
        file = _published(run, spec, temporary, duration_s)
    remove_unused(path.parent, {one.name for one in page.assets})
    return file


def _write_text(
    run: Run,
    spec: OutputSpec,
    sound: Sequence[OutputSpec],
    files: Mapping[OutputSpec, OutputFile],
    result: RunResult,
) -> OutputFile:
    """Write the text of an episode, which is in one file of sound, whole."""
    path = run.library_entry.folder / spec.name
    content = dumped(_recorded_text(run, sound, result))
    with temporary_file(path) as temporary:
        with unwritable_errors(path):
            temporary.write_bytes(content)
        return _published(run, spec, temporary, sum(files[one].duration_s for one in sound))


def _recorded_text(run: Run, sound: Sequence[OutputSpec], result: RunResult) -> RecordedText | None:
    """The text; None if the source has nothing of it any more. An episode needs none."""
    job, rate = run.job, run.plan.sample_rate
    whole = (0, sum(chapter.n_samples for chapter in result.chapters))
    try:
        with open_source_book(run.plan.book, job.source, job.limits) as source:
            # The music and the credits around the text belong to its first and last clip.
            recordings = [
                replace(one, stretches=(whole,))
                for one in _spoken_recordings(run, source, sound, result)
            ]
            documents = narrated_documents(run.plan.book, recordings, rate, source)
            return recorded_text(run.plan.book, source, documents, rate)
    except (SourceError, NotWellFormed, OSError):
        return None


def _published(run: Run, spec: OutputSpec, temporary: Path, duration_s: float) -> OutputFile:
    path, n_chapters = run.library_entry.folder / spec.name, len(run.plan.chapters)
    file = OutputFile(path, spec.format, duration_s, n_chapters, file_sha256(temporary))
    publish({temporary: path}, {path: run.library_entry.announcer(spec)(file)})
    return file


def _tell_of_unplaced(spec: OutputSpec, documents: Iterable[NarratedDocument]) -> None:
    n_unplaced = sum(document.n_unplaced for document in documents)
    if n_unplaced:
        say(
            f"{spec.name}: for {n_unplaced} sentences or words nothing is marked while they sound:"
            " the pages do not have their letters, as for pictures, formulas and numbers of lists."
        )


def _narration(
    run: Run,
    source: SourceBook,
    recordings: Sequence[SpokenRecording],
    sound: Sequence[OutputSpec],
    files: Mapping[OutputSpec, OutputFile],
    folder: Path,
    *,
    by_word: bool,
) -> NarratedBook:
    rate = run.plan.sample_rate
    documents = narrated_documents(run.plan.book, recordings, rate, source, by_word=by_word)
    found = [
        RecordingFile(
            files[one].path,
            file_rate(FORMATS[one.format], one.encoding, rate),
            files[one].duration_s,
        )
        for one in sound
    ]
    audio = cut_for_documents(documents, found, rate, run.ffmpeg.path, folder)
    return NarratedBook(documents, audio, run.plan.narrators)


def _spoken_recordings(
    run: Run, source: SourceBook, sound: Iterable[OutputSpec], result: RunResult
) -> Iterator[SpokenRecording]:
    """The sentences of the recordings, and where those are that a document has."""
    plan = run.plan
    shards = shards_by_key(result.windows)
    segments = {segment.id: segment for segment in plan.segments}
    for spec in sound:
        own = spec.recording.chapters
        by_id = {
            one.segment_id: shards[one.request.key]
            for chapter in plan.chapters[own]
            for one in chapter.segments
        }
        is_printed = [
            any(any(source.paths[segments[one.segment_id].chapter]) for one in chapter.segments)
            for chapter in plan.chapters[own]
        ]
        sentences = timed_sentences(result.chapters[own], segments, by_id)
        stretches = tuple(_stretches(result.chapters[own], is_printed))
        yield SpokenRecording(sentences, stretches)


def _stretches(
    chapters: Sequence[MeasuredChapter], is_printed: Sequence[bool]
) -> Iterator[tuple[int, int]]:
    """The ranges of samples of consecutive chapters that a document has."""
    at, start = 0, None
    for chapter, wanted in zip(chapters, is_printed, strict=True):
        if start is not None and not wanted:
            yield start, at
            start = None
        elif start is None and wanted:
            start = at
        at += chapter.n_samples
    if start is not None:
        yield start, at
