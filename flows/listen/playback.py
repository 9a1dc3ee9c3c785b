"""A book that is heard while it is rendered, by a player of this machine or in a browser.

job ─▶ BookSound ─┬─▶ play_book    the samples go to a player
                  └─▶ serve_book   a page asks for them
"""

from __future__ import annotations

import secrets
import socket
from collections.abc import Generator, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from functools import partial
from urllib.parse import urlencode

from audiomill.flows.cluster.choice import ServerChoice
from audiomill.flows.console import say
from audiomill.flows.execution.run_context import Interrupted, RunContext
from audiomill.flows.execution.signals import stop_on_signals
from audiomill.flows.job import Job
from audiomill.flows.listen.beginning_player import BeginningPlayer
from audiomill.flows.listen.beginning_writer import BeginningWriter
from audiomill.flows.listen.book_chapters import BookChapters
from audiomill.flows.listen.book_reader import BookReader
from audiomill.flows.listen.book_sound import (
    BeginningRenderer,
    BookPosition,
    BookSound,
    RowRenderer,
)
from audiomill.flows.listen.parallel_reading import ParallelReading
from audiomill.flows.local_player import (
    INSTEAD_OF_PLAYING,
    STREAM_PLAYERS,
    find_player,
    in_parts,
    play_stream,
)
from audiomill.flows.pipeline.planning.manuscript import ReadBook, read_manuscript
from audiomill.flows.pipeline.planning.plan import Plan, describe_cost, make_plan, require_segments
from audiomill.flows.web_address import in_url, is_this_machine, own_address
from audiomill.inputs.readers.kept_books import KeptBooks
from audiomill.renderers.engine.errors import StoreError
from audiomill.renderers.engine.registry import open_renderer
from audiomill.renderers.host.folders import cache_folder
from audiomill.renderers.store.store import ShardStore, open_store

STALLED_S = 24 * 3600.0  # a listener may pause; a client that is gone is seen before
KEY_BYTES = 12
GRACE_S = 60.0  # of a page, for what is being rendered; a player has the second of any run


def play_book(
    job: Job,
    server: ServerChoice | None,
    writer: BeginningWriter | None = None,
    beginning: BeginningPlayer | None = None,
    reader: BookReader | None = None,
) -> None:
    """Play a book to its end; its `beginning` may sound already. No server: this process renders.

    `writer` keeps what a server renders first, and `reader` may read the book. Raises NotPlayed,
    and why the book cannot be read or rendered.
    """
    player = find_player(STREAM_PLAYERS, INSTEAD_OF_PLAYING)
    with (
        stop_on_signals(RunContext()) as context,
        _opened_book(job, server, context, writer, reader) as book,
    ):
        if beginning and beginning.sample_rate != book.sample_rate:
            beginning.close()
            beginning = None
        _play(player, book, context, beginning)


def serve_book(
    job: Job,
    server: ServerChoice | None,
    address: tuple[str, int],
    writer: BeginningWriter | None = None,
    reader: BookReader | None = None,
) -> None:
    """As `play_book`, but serve the page of a book at a host and port until Ctrl-C.

    Raises UsageError, EncoderMissing, and why it cannot be read or rendered.
    """
    with (
        stop_on_signals(RunContext(), GRACE_S) as context,
        _opened_book(job, server, context, writer, reader) as book,
    ):
        book.chapters.book()
        with _served(book, *address):
            context.stop.wait()
            with suppress(Interrupted):
                book.chapters.check()


def _play(
    player: Sequence[str], book: BookSound, context: RunContext, beginning: BeginningPlayer | None
) -> None:
    """Play the book to its end. Raises NotPlayed, and why it cannot be read or rendered."""
    pcm = context.until_cancelled(in_parts(book.pcm_from(BookPosition(0))))
    try:
        if beginning:
            is_whole = beginning.play_on(pcm, context.check)
        else:
            is_whole = play_stream(player, pcm, book.sample_rate, INSTEAD_OF_PLAYING)
        if not is_whole:
            say("The player was ended. What is rendered is kept.")
    except Interrupted:
        book.chapters.check()
        raise
    except CancelledError:  # of a row that nobody waits for any more
        context.check()
        raise


@contextmanager
def _opened_book(
    job: Job,
    server: ServerChoice | None,
    context: RunContext,
    writer: BeginningWriter | None,
    reader: BookReader | None,
) -> Generator[BookSound]:
    """The book of a job, which a thread reads and renders: first its beginning, then the rest."""
    renderer = open_renderer(job.engine, job.options)
    for warning in job.warnings:
        say(f"Warning: {warning}")
    with (
        ThreadPoolExecutor(1, "book") as threads,
        open_store(job.store).session() as store,
        _row_renderer(job, store, server, context) as rows,
    ):
        book = BookSound(BookChapters(job, renderer), renderer, rows)
        kept = KeptBooks(cache_folder() / "books")
        read = ParallelReading(kept, None if server else renderer, context.check, job.out, reader)
        rate = renderer.sample_rate
        keep = partial(writer.keep, store=store, sample_rate=rate) if writer else None
        first = BeginningRenderer(book, context, keep)
        reading = threads.submit(_read_and_render, book, job, read, first, context)
        reading.add_done_callback(partial(_tell_failure, book, context))
        try:
            yield book
        finally:
            context.cancel()
            wait([reading])


@contextmanager
def _row_renderer(
    job: Job, store: ShardStore, server: ServerChoice | None, context: RunContext
) -> Generator[RowRenderer]:
    """What renders the segments: the engine here, or a server's."""
    if server is None:
        from audiomill.flows.execution.shard_source import shard_source_of
        from audiomill.flows.speech.scheduler import SpeechScheduler

        with SpeechScheduler(shard_source_of(job, store, context)) as scheduler:
            yield scheduler
        return
    from audiomill.flows.cluster.server_executor import RenderingServer
    from audiomill.flows.listen.server_rows import ServerRows

    rendering = RenderingServer(server.url, server.key)
    with ServerRows(job, store, rendering, context) as rows:
        yield rows


def _read_and_render(
    book: BookSound, job: Job, read: ReadBook, first: BeginningRenderer, context: RunContext
) -> None:
    """Read the book, and render all of it. Raises as `read_manuscript`, Interrupted."""
    plan = _planned(book, job, read, first)
    first.complete()
    try:
        book.render_rest(plan.windows, context)
    except StoreError as error:  # what is stored can still be heard
        say(f"audiomill: {error}")
        return
    if not book.problem:
        say(f"All of it is rendered: audiomill render {job.source} makes its files.")


def _tell_failure(book: BookSound, context: RunContext, reading: Future[None]) -> None:
    """Have the command end by the error of its thread."""
    error = reading.exception()
    if isinstance(error, Exception):
        book.chapters.fail(error)
        context.stop.set()


def _planned(book: BookSound, job: Job, read: ReadBook, first: BeginningRenderer) -> Plan:
    """The plan of the book, whose chapters are heard as they are cut."""
    renderer = open_renderer(job.engine, job.options)
    plan = make_plan(read_manuscript(job, first, read), job, renderer)
    require_segments(plan, job)
    if cost := describe_cost(plan, renderer.limits):
        say(cost)
    book.chapters.complete(plan)
    return plan


@contextmanager
def _served(book: BookSound, host: str, port: int) -> Generator[None]:
    """Serve the book in the block, and say where. Raises UsageError, EncoderMissing."""
    # Imported here: a player of this machine needs no web server, and would begin later.
    from audiomill.flows.listen.book_server import MAX_STREAMS, book_app
    from audiomill.flows.speech.stream_encoding import StreamEncoder
    from audiomill.flows.web_server.connections import ConnectionLimits
    from audiomill.flows.web_server.listening import serving

    key = "" if is_this_machine(host) else secrets.token_urlsafe(KEY_BYTES)
    encoder = StreamEncoder(MAX_STREAMS)
    app = book_app(book, encoder, key)
    with serving(app, host, port, ConnectionLimits(stalled_s=STALLED_S)) as found:
        query = f"?{urlencode({'key': key})}" if key else ""
        say(f"Listen at http://{in_url(_reached_as(host))}:{found}/{query}")
        say("Ctrl-C ends it. What is rendered is kept.")
        try:
            yield
        finally:
            encoder.close()


def _reached_as(host: str) -> str:
    """An address at which other machines reach this one, where it listens on all of its own."""
    if host not in ("0.0.0.0", "::"):  # noqa: S104  only compared
        return host
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return own_address(family) or socket.gethostname()
