"""The job of `audiomill listen`, and who renders it."""

from __future__ import annotations

import argparse
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import cast

from audiomill.flows.cluster.choice import chosen_server
from audiomill.flows.job import Job
from audiomill.flows.listen.beginning_cache import CachedBeginning
from audiomill.flows.listen.beginning_player import BeginningPlayer
from audiomill.flows.listen.book_reader import BookReader
from audiomill.flows.make_job import make_job
from audiomill.flows.option_values import options_of
from audiomill.flows.options import ListenOptions
from audiomill.flows.settings import Settings, load_settings
from audiomill.inputs.languages.detection import DEFAULT
from audiomill.renderers.engine.registry import open_renderer

ADDRESS = ("127.0.0.1", 8882)


def listen(
    arguments: argparse.Namespace,
    cache: CachedBeginning,
    beginning: BeginningPlayer | None,
    reader: BookReader | None,
) -> None:
    """Serve the sound of a book until Ctrl-C, or play it here to its end.

    Its `beginning` may sound already, and `reader` may read it. What a server renders first is kept
    in the cache.
    """
    settings = load_settings()
    job = job_to_hear(arguments, settings)
    server = chosen_server(settings, arguments.executor)
    with ThreadPoolExecutor(1, "digest") as digesting:
        digesting.submit(_digest_weights, job)
        # Imported here, while the weights are digested.
        from audiomill.flows.listen.beginning_writer import BeginningWriter
        from audiomill.flows.listen.playback import play_book, serve_book

        key_file = settings.speech_key_file
        is_kept = not job.address  # a page of the web may be another one
        writer = BeginningWriter(cache, job, server, key_file) if server and is_kept else None
        if arguments.play:
            play_book(job, server, writer, beginning, reader)
        else:
            serve_book(job, server, arguments.listen or ADDRESS, writer, reader)


def job_to_hear(arguments: argparse.Namespace, settings: Settings) -> Job:
    """The job of the book that the arguments name. Raises UsageError."""
    options = cast("ListenOptions", options_of(arguments, ListenOptions))
    return replace(make_job(settings, arguments.source, **options), first_window_s=0.0)


def _digest_weights(job: Job) -> None:
    """Have the weights digested, for the keys, while the book is read: they need no interpreter.

    Raises RenderError, which reading raises, too.
    """
    renderer = open_renderer(job.engine, job.options)
    renderer.fingerprint(renderer.default_voice(DEFAULT) if job.voice is None else job.voice)
