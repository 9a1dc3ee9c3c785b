"""Finds out how a book begins, in a process of its own: see `flows/speech/reader_server.py`.

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
from audiomill.flows.cli.listen import options_of_sound
from audiomill.flows.cli.listen_job import job_to_hear
from audiomill.flows.cli.parser import build_parser
from audiomill.flows.cluster.choice import chosen_server
from audiomill.flows.job import Job
from audiomill.flows.pipeline.planning.manuscript import ReadBook, read_manuscript
from audiomill.flows.pipeline.planning.plan import PlannedSegment
from audiomill.flows.settings import load_settings
from audiomill.flows.speech.awaited_book import AwaitedBook
from audiomill.flows.speech.beginning_keeper import beginning_at
from audiomill.flows.speech.book_beginning import BookBeginning, sounding_s
from audiomill.flows.speech.book_chapters import BookChapters
from audiomill.flows.speech.kept_beginning import Beginning, state_of
from audiomill.flows.speech.ready_reader import WantedBook
from audiomill.flows.speech.sound_wire import sound_bytes
from audiomill.inputs.model.book import Book, Segment
from audiomill.inputs.readers.kept_books import KeptBooks
from audiomill.inputs.readers.sources import read_book
from audiomill.renderers.engine.registry import open_renderer
from audiomill.renderers.host.child_process import CancellableIter, do_nothing
from audiomill.renderers.host.folders import cache_folder
from audiomill.renderers.store.store import open_store

MAX_MEMORY_BYTES = 2 << 30  # of addresses; what needs more is read by whoever listens
_SAMPLE = Path(__file__).parents[2] / "inputs" / "samples" / "the-lighthouse-mill.epub"


class _Enough(Exception):
    """The first segments are known."""


def prepare(_nothing: None, _through: CancellableIter) -> None:
    """Import all that reads, and digest the weights: a book is read. Raises as `listen`."""
    _bound_memory()
    arguments = _parsed(("listen", str(_SAMPLE), "--executor", "server"))
    _beginning(arguments, lambda _job: read_book)


def _bound_memory() -> None:
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    bound = MAX_MEMORY_BYTES if most == resource.RLIM_INFINITY else min(most, MAX_MEMORY_BYTES)
    resource.setrlimit(resource.RLIMIT_AS, (bound, most))


def first_segments(wanted: WantedBook, _through: CancellableIter) -> Beginning | None:
    """How a book begins; None if that is known only when all of it is. Raises as `listen`."""
    os.chdir(wanted.folder)
    arguments = _parsed(wanted.arguments)
    is_same = repr(options_of_sound(arguments)) == wanted.options
    if not is_same or state_of(Path(arguments.source)) != wanted.state:
        return None
    return _beginning(arguments, _kept_or_read)


def _parsed(words: Sequence[str]) -> argparse.Namespace:
    return build_parser().parse_command(words)


def _kept_or_read(job: Job) -> ReadBook:
    return AwaitedBook(KeptBooks(cache_folder() / "books"), None, do_nothing, job.out)


def _beginning(
    arguments: argparse.Namespace, reading: Callable[[Job], ReadBook]
) -> Beginning | None:
    """The beginning of the book of a command, by the reader of its job. Raises as `listen`."""
    settings = load_settings()
    job = job_to_hear(arguments, settings)
    place = chosen_server(settings, arguments.executor)
    renderer = open_renderer(job.engine, job.options)
    chapters = BookChapters(job, renderer)
    if not place or not chapters.come_early or is_digest(job.source):
        return None
    segments = _first_chapters(job, chapters, reading(job))
    with open_store(job.store).session() as store:
        body = sound_bytes(job.engine, store.give_identity(), segments)
    return beginning_at(place, settings.speech_key_file, renderer.sample_rate, body)


def _first_chapters(
    job: Job, chapters: BookChapters, read: ReadBook
) -> Sequence[Sequence[PlannedSegment]]:
    """The first segments, by chapter. Raises as `read_manuscript`."""
    beginning = BookBeginning(partial(sounding_s, limits=chapters.limits))

    def add(book: Book, segments: Sequence[Segment]) -> None:
        for chapter in chapters.add(book, segments):
            beginning.add(chapter)
        if beginning.is_complete:
            raise _Enough

    with suppress(_Enough):
        read_manuscript(job, add, read)
    return beginning.chapters
