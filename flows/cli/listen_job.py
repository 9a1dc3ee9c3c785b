"""The job of `audiomill listen`, and who renders it."""

from __future__ import annotations

import argparse
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import cast

from audiomill.flows.cluster.choice import ServerChoice, chosen_server
from audiomill.flows.cluster.row_wire import ROWS_PATH
from audiomill.flows.job import Job
from audiomill.flows.make_job import make_job
from audiomill.flows.option_values import options_of
from audiomill.flows.options import ListenOptions
from audiomill.flows.settings import Settings, load_settings
from audiomill.flows.speech.kept_beginning import KeepRow, KeptBeginning, ServerPlace
from audiomill.inputs.languages.detection import DEFAULT
from audiomill.renderers.engine.registry import open_renderer

ADDRESS = ("127.0.0.1", 8882)


def listen(arguments: argparse.Namespace, beginning: KeptBeginning | None) -> None:
    """Serve the sound of a book until Ctrl-C, or play it here to its end.

    Keeps its beginning where a server renders it.
    """
    settings = load_settings()
    options = cast("ListenOptions", options_of(arguments, ListenOptions))
    job = replace(make_job(settings, arguments.source, **options), first_window_s=0.0)
    place = chosen_server(settings, arguments.executor)
    with ThreadPoolExecutor(1, "digest") as digesting:
        digesting.submit(_digest_weights, job)
        # Imported here, while the weights are digested.
        from audiomill.flows.speech.book_listening import play_book, serve_book

        keep = _keeping(beginning, place, settings)
        if arguments.play:
            play_book(job, place, keep)
        else:
            serve_book(job, place, arguments.listen or ADDRESS, keep)


def _keeping(
    beginning: KeptBeginning | None, place: ServerChoice | None, settings: Settings
) -> KeepRow | None:
    """What keeps the first row of a book; None where no server renders it."""
    if beginning is None or place is None:
        return None
    return partial(beginning.keep, ServerPlace(f"{place.url}{ROWS_PATH}", settings.speech_key_file))


def _digest_weights(job: Job) -> None:
    """Have the weights digested, for the keys, while the book is read: they need no interpreter.

    Raises RenderError, which reading raises, too.
    """
    renderer = open_renderer(job.engine, job.options)
    renderer.fingerprint(renderer.default_voice(DEFAULT) if job.voice is None else job.voice)
