"""`audiomill listen`: a book is heard while it is rendered, here or in a browser.

What was rendered is kept: `audiomill render` makes the finished files of it.
"""

from __future__ import annotations

import argparse
import secrets
import socket
import threading
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import cast
from urllib.parse import urlencode

from audiomill.flows.console import say
from audiomill.flows.execution.run_context import Interrupted, RunContext
from audiomill.flows.execution.signals import stop_on_signals
from audiomill.flows.job import Job
from audiomill.flows.local_player import STREAM_PLAYERS, find_player, play_stream
from audiomill.flows.make_job import make_job
from audiomill.flows.option_values import options_of
from audiomill.flows.options import ListenOptions
from audiomill.flows.pipeline.planning.manuscript import read_manuscript
from audiomill.flows.pipeline.planning.plan import describe_cost, make_plan, require_segments
from audiomill.flows.settings import load_settings
from audiomill.flows.speech.book_server import MAX_STREAMS, book_app
from audiomill.flows.speech.book_sound import BookPlace, BookSound, FirstSegments
from audiomill.flows.speech.scheduler import SpeechScheduler
from audiomill.flows.speech.stream_encoding import StreamEncoder
from audiomill.flows.web_address import in_url, is_this_machine, own_address
from audiomill.flows.web_server.connections import ConnectionLimits
from audiomill.flows.web_server.listening import serving
from audiomill.renderers.engine.errors import StoreError
from audiomill.renderers.engine.registry import open_renderer
from audiomill.renderers.store.store import open_store

ADDRESS = ("127.0.0.1", 8882)
STALLED_S = 24 * 3600.0  # a listener may pause; a client that is gone is seen before
KEY_BYTES = 12
_INSTEAD = "Leave --play out, and listen in a browser."
GRACE_S = 60.0  # for what is being rendered


def run(arguments: argparse.Namespace) -> int:
    """Serve the sound of a book until Ctrl-C, which is no error; or play it here to its end."""
    settings = load_settings()
    options = cast("ListenOptions", options_of(arguments, ListenOptions))
    job = replace(make_job(settings, arguments.source, **options), first_window_s=0.0)
    player = find_player(STREAM_PLAYERS, _INSTEAD) if arguments.play else None
    with ExitStack() as stack:
        context = stack.enter_context(stop_on_signals(RunContext(), GRACE_S))
        book = stack.enter_context(_sounding(job, context))
        stack.enter_context(_rest_rendered(book, job, context))
        if player:
            pcm = context.until_cancelled(book.pcm_from(BookPlace(0)))
            play_stream(player, pcm, book.plan.sample_rate, _INSTEAD)
        else:
            host, port = cast("tuple[str, int]", arguments.listen or ADDRESS)
            stack.enter_context(_served(book, host, port))
            context.stop.wait()
    return 0


@contextmanager
def _sounding(job: Job, context: RunContext) -> Generator[BookSound]:
    """The book of a job, planned, with an engine that has begun with its first segments."""
    renderer = open_renderer(job.engine, job.options)
    for warning in job.warnings:
        say(f"Warning: {warning}")
    with (
        open_store(job.store).session() as store,
        SpeechScheduler(renderer, store, context) as scheduler,
    ):
        manuscript = read_manuscript(job, FirstSegments(job, renderer, scheduler))
        plan = make_plan(manuscript, job, renderer)
        require_segments(plan, job)
        if cost := describe_cost(plan, renderer.limits):
            say(cost)
        yield BookSound(plan, renderer.limits, scheduler)


@contextmanager
def _rest_rendered(book: BookSound, job: Job, context: RunContext) -> Generator[None]:
    """Render all of the book in a thread, beside what is heard."""

    def render() -> None:
        try:
            book.render_rest(context)
        except Interrupted:
            return
        except StoreError as error:
            say(f"audiomill: {error}")
            return
        say(f"All of it is rendered: audiomill render {job.source} makes its files.")

    thread = threading.Thread(target=render, name="rest")
    thread.start()
    try:
        yield
    finally:
        context.cancel()
        thread.join()


@contextmanager
def _served(book: BookSound, host: str, port: int) -> Generator[None]:
    """Serve the book in the block, and say where. Raises UsageError."""
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
