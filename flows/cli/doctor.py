"""`audiomill doctor`: whether everything is here that a run needs."""

from __future__ import annotations

import argparse
import platform
import shutil
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib.metadata import version

from audiomill.flows.console import EXIT_OUTPUT, EXIT_RENDER, put, put_json
from audiomill.flows.prefect_server import answers
from audiomill.flows.settings import TUNED, Settings, load_settings, prefect_api_url
from audiomill.flows.tuning import tuning
from audiomill.outputs.encoding.ffmpeg import find_ffmpeg
from audiomill.outputs.types import OutputError
from audiomill.renderers.base import RenderError, StoreError
from audiomill.renderers.options import EngineOptions
from audiomill.renderers.registry import check_kokoro, engine_names, kokoro_devices, open_renderer
from audiomill.renderers.store.store import open_store

# A ten-hour book takes about this much: its shards and its files.
ROOM_FOR_A_BOOK_BYTES = 4 << 30
GIB = 1 << 30


@dataclass(frozen=True, slots=True)
class Finding:
    """What one look found. `exit_code` is what a run would end with, 0 where it would not."""

    name: str
    words: str
    exit_code: int = 0


def run(arguments: argparse.Namespace) -> int:
    """Print what is here and what is missing; the exit code is that of the first thing missing."""
    settings = load_settings()
    findings = [look(settings) for look in LOOKS]
    findings += [_engine(name) for name in engine_names() if name != "kokoro"]
    if arguments.json:
        put_json({"findings": [asdict(one) for one in findings]})
    else:
        for one in findings:
            put(f"{'MISSING' if one.exit_code else 'ok':8} {one.name:10} {one.words}")
    return next((one.exit_code for one in findings if one.exit_code), 0)


def _python(_settings: Settings) -> Finding:
    return Finding("python", f"{platform.python_version()} on {platform.platform()}")


def _ffmpeg(_settings: Settings) -> Finding:
    try:
        found = find_ffmpeg()
    except OutputError as error:
        return Finding("ffmpeg", str(error), EXIT_OUTPUT)
    return Finding("ffmpeg", str(found))


def _store(settings: Settings) -> Finding:
    try:
        with open_store(settings.store).session():
            return Finding("store", settings.store)
    except StoreError as error:
        return Finding("store", str(error), EXIT_OUTPUT)


def _library(settings: Settings) -> Finding:
    folder = settings.library.resolve()
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    free_bytes = shutil.disk_usage(existing).free
    room = "" if free_bytes > ROOM_FOR_A_BOOK_BYTES else ": a long book may not fit"
    return Finding("library", f"{folder}, {free_bytes / GIB:.0f} GiB free{room}")


def _prefect(_settings: Settings) -> Finding:
    url = prefect_api_url()
    if url is None:
        return Finding("prefect", f"{version('prefect')}; no API configured, runs are direct")
    if answers(url):
        return Finding("prefect", f"{version('prefect')}; {url} answers")
    return Finding("prefect", f"{url} does not answer", EXIT_RENDER)


def _kokoro(settings: Settings) -> Finding:
    """Opened only where nothing has to be fetched for it; not an error where there is none."""
    options = EngineOptions(kokoro=settings.kokoro)
    try:
        check_kokoro(options)
    except RenderError as error:
        code = EXIT_RENDER if settings.engine == "kokoro" else 0
        return Finding("kokoro", f"not here: {error}", code)
    model = settings.kokoro.weights or f"Kokoro-82M {options.kokoro.release}"
    return Finding("kokoro", f"{model}, device {', '.join(kokoro_devices(options))}")


def _tuned(settings: Settings) -> Finding:
    """What is ignored is no reason to stop."""
    return Finding("tuned", tuning(TUNED, settings.kokoro).words(settings.kokoro))


def _engine(name: str) -> Finding:
    try:
        renderer = open_renderer(name)
    except RenderError as error:
        return Finding(name, str(error), EXIT_RENDER)
    return Finding(name, f"{len(renderer.voices())} voices at {renderer.sample_rate} Hz")


LOOKS: tuple[Callable[[Settings], Finding], ...] = (
    _python,
    _ffmpeg,
    _store,
    _library,
    _prefect,
    _kokoro,
    _tuned,
)
