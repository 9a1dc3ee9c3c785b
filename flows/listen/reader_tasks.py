"""Finds out how a book begins, in the process that `reader_server.py` keeps ready.

It is what `audiomill listen` with the same arguments would ask a server for first.
"""

from __future__ import annotations

import argparse
import os
import resource
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from audiomill.flows.articles import is_digest
from audiomill.flows.cluster.choice import chosen_server
from audiomill.flows.job import Job
from audiomill.flows.listen.beginning_cache import BeginningRequest, options_of_sound, state_of
from audiomill.flows.listen.beginning_segments import BeginningSegments, duration_with_pause_s
from audiomill.flows.listen.beginning_writer import beginning_at
from audiomill.flows.listen.book_chapters import BookChapters
from audiomill.flows.listen.job import job_to_hear
from audiomill.flows.listen.parallel_reading import ParallelReading
from audiomill.flows.listen.reader_client import WantedBook
from audiomill.flows.listen.reader_server import ReadingTasks
from audiomill.flows.pipeline.planning.manuscript import ReadBook, read_manuscript
from audiomill.flows.pipeline.planning.plan import PlannedSegment
from audiomill.flows.settings import load_settings
from audiomill.flows.speech.beginning_wire import beginning_bytes
from audiomill.inputs.model.book import Book, Segment
from audiomill.inputs.readers.kept_books import KeptBooks
from audiomill.inputs.readers.sources import read_book
from audiomill.renderers.engine.registry import open_renderer
from audiomill.renderers.host.child_process import CancellableIter, do_nothing
from audiomill.renderers.host.folders import cache_folder
from audiomill.renderers.store.store import open_store

MAX_MEMORY_BYTES = 2 << 30  # of addresses; what needs more is read by whoever listens
ParseCommand = Callable[[Sequence[str]], argparse.Namespace]
_SAMPLE = Path(__file__).parents[2] / "inputs" / "samples" / "the-lighthouse-mill.epub"


class _Enough(Exception):
    """The first segments are known."""


def reading_tasks(parse: ParseCommand) -> ReadingTasks:
    """What a reader does for commands whose words are parsed by a function that can be pickled."""
    return ReadingTasks(partial(prepare, parse), partial(first_segments, parse))


def prepare(parse: ParseCommand, _nothing: None, _through: CancellableIter) -> None:
    """Import all that reads, and digest the weights: a book is read. Raises as `listen`."""
    _bound_memory()
    arguments = parse(("listen", str(_SAMPLE), "--executor", "server"))
    _beginning(arguments, lambda _job: read_book)


def _bound_memory() -> None:
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    bound = MAX_MEMORY_BYTES if most == resource.RLIM_INFINITY else min(most, MAX_MEMORY_BYTES)
    resource.setrlimit(resource.RLIMIT_AS, (bound, most))


def first_segments(
    parse: ParseCommand, wanted: WantedBook, _through: CancellableIter
) -> BeginningRequest | None:
    """How a book begins; None if that is known only when all of it is. Raises as `listen`."""
    os.chdir(wanted.folder)
    arguments = parse(wanted.arguments)
    is_same = repr(options_of_sound(arguments)) == wanted.options
    if not is_same or state_of(Path(arguments.source)) != wanted.state:
        return None
    return _beginning(arguments, _kept_or_read)


def _kept_or_read(job: Job) -> ReadBook:
    return ParallelReading(KeptBooks(cache_folder() / "books"), None, do_nothing, job.out)


def _beginning(
    arguments: argparse.Namespace, reading: Callable[[Job], ReadBook]
) -> BeginningRequest | None:
    """The beginning of the book of a command, by the reader of its job. Raises as `listen`."""
    settings = load_settings()
    job = job_to_hear(arguments, settings)
    server = chosen_server(settings, arguments.executor)
    renderer = open_renderer(job.engine, job.options)
    chapters = BookChapters(job, renderer)
    if not server or not chapters.come_early or is_digest(job.source):
        return None
    segments = _first_chapters(job, chapters, reading(job))
    with open_store(job.store).session() as store:
        body = beginning_bytes(job.engine, store.give_identity(), segments)
    return beginning_at(server, settings.speech_key_file, renderer.sample_rate, body)


def _first_chapters(
    job: Job, chapters: BookChapters, read: ReadBook
) -> Sequence[Sequence[PlannedSegment]]:
    """The first segments, by chapter. Raises as `read_manuscript`."""
    beginning = BeginningSegments(partial(duration_with_pause_s, limits=chapters.limits))

    def add(book: Book, segments: Sequence[Segment]) -> None:
        for chapter in chapters.add(book, segments):
            beginning.add(chapter)
        if beginning.is_complete:
            raise _Enough

    with suppress(_Enough):
        read_manuscript(job, add, read)
    return beginning.chapters
