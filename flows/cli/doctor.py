"""`audiomill doctor`: checks that everything a run needs is here."""

from __future__ import annotations

import argparse
import platform
import shutil
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import version
from tempfile import TemporaryFile

from audiomill.flows.cli.engines import isolated_state
from audiomill.flows.cluster.choice import require_dask, scheduler_address
from audiomill.flows.console import (
    EXIT_OUTPUT,
    EXIT_RENDER,
    EXIT_USAGE,
    put,
    put_json,
    say,
    silence_dask,
)
from audiomill.flows.engine_settings import choose_engine
from audiomill.flows.execution.executor import ExecutorError
from audiomill.flows.prefect_server.access import answers, is_open, open_server_of_earlier_version
from audiomill.flows.prefect_server.settings import prefect_api_url
from audiomill.flows.setting_sources import named_ffmpeg
from audiomill.flows.settings import Settings, load_settings
from audiomill.outputs.ffmpeg.find_ffmpeg import find_ffmpeg
from audiomill.outputs.types import NamedEncoderUnfit, OutputError
from audiomill.renderers.engine.declaration import Engine, Readiness, Runs
from audiomill.renderers.engine.errors import RenderError, StoreError
from audiomill.renderers.engine.registry import check_engine, engines, own_options
from audiomill.renderers.isolated.catalogue import isolated_specs
from audiomill.renderers.isolated.environment import environment_of
from audiomill.renderers.isolated.installing import import_lack
from audiomill.renderers.isolated.options import IsolatedOptions
from audiomill.renderers.store.shard_format import MissReason
from audiomill.renderers.store.store import Miss, open_store

# The shards and files of a ten-hour book take about this much.
BOOK_BYTES = 4 << 30
GIB = 1 << 30
NO_KEY = 64 * "0"  # no shard has it


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of one check. `exit_code` is that of a run that fails for this reason, else 0."""

    name: str
    words: str
    exit_code: int = 0
    is_optional: bool = False  # something is missing that no run needs

    @property
    def state(self) -> str:
        """One word for the result."""
        if self.exit_code:
            return "MISSING"
        return "optional" if self.is_optional else "ok"


def run(arguments: argparse.Namespace) -> int:
    """Print the result of every check. Returns the exit code of the first that failed, else 0."""
    settings = load_settings()
    if arguments.cluster:
        results = _cluster(settings, arguments.store or settings.store)
    elif arguments.store:
        results = [_store_at(arguments.store)]
    else:
        results = [check(settings) for check in CHECKS]
        results += _facts(settings)
        results += _engines(settings)
        results += _isolated(settings)
    if arguments.json:
        put_json({"findings": [asdict(result) for result in results]})
    else:
        for result in results:
            put(f"{result.state:8} {result.name:11} {result.words}")
    return next((result.exit_code for result in results if result.exit_code), 0)


def _python(_settings: Settings) -> CheckResult:
    return CheckResult("python", f"{platform.python_version()} on {platform.platform()}")


def _ffmpeg(_settings: Settings) -> CheckResult:
    try:
        path = find_ffmpeg(named_ffmpeg())
    except NamedEncoderUnfit as error:
        return CheckResult("ffmpeg", str(error), EXIT_USAGE)
    except OutputError as error:
        return CheckResult("ffmpeg", str(error), EXIT_OUTPUT)
    return CheckResult("ffmpeg", str(path))


def _store(settings: Settings) -> CheckResult:
    return _store_at(settings.store)


def _store_at(url: str) -> CheckResult:
    """Writes to the store and reads from it. Does not wait for a store that does not answer."""
    try:
        with open_store(url).session() as store:
            if not store.unwritable:
                return CheckResult("store", f"{url}: reachable, readable, writable")
            nothing = store.check(NO_KEY)
    except StoreError as error:
        return CheckResult("store", str(error), EXIT_OUTPUT)
    is_readable = isinstance(nothing, Miss) and nothing.reason is MissReason.ABSENT
    use = " It can be read: a book that is complete in it needs no more." if is_readable else ""
    return CheckResult("store", store.unwritable + use, EXIT_OUTPUT)


def _cluster(settings: Settings, store: str) -> list[CheckResult]:
    """The scheduler and each worker. Fails if no worker could render what a run here asks for."""
    require_dask()
    address = scheduler_address(settings.dask_scheduler)
    engine, _ = choose_engine(settings.engine, settings.engine_options())
    # Imported here: it takes half a second, and needs the extra.
    from audiomill.flows.cluster.connection import SchedulerConnection
    from audiomill.flows.cluster.usable_workers import survey

    try:
        silence_dask()
        with SchedulerConnection(address, say) as connection:
            workers = survey(connection, engine, store)
    except (ExecutorError, StoreError) as error:
        return [CheckResult("scheduler", str(error), EXIT_RENDER)]
    n_fit = sum(not worker.unfit for worker in workers)
    words = f"{address}: {n_fit} of {len(workers)} workers can render {engine} for this machine"
    return [
        CheckResult("scheduler", words, 0 if n_fit else EXIT_RENDER),
        *(
            CheckResult(one.name, f"{one.words}{_but(one.unfit)}", is_optional=bool(one.unfit))
            for one in workers
        ),
    ]


def _but(unfit: str) -> str:
    return f"; cannot be used: {unfit}" if unfit else ""


def _library(settings: Settings) -> CheckResult:
    folder = settings.library.resolve()
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    try:
        TemporaryFile(dir=existing).close()
    except OSError as error:
        words = (
            f"{existing} cannot be written: {error.strerror}. Choose another with --out, or library"
        )
        return CheckResult("library", words, EXIT_OUTPUT)
    free_bytes = shutil.disk_usage(existing).free
    room = "" if free_bytes > BOOK_BYTES else ": a long book may not fit"
    return CheckResult("library", f"{folder}, {free_bytes / GIB:.0f} GiB free{room}")


OPEN = (
    "is open to any web page that you open here, which may run what it likes: give it a password"
    " (docs/schedules.md)"
)


def _prefect(_settings: Settings) -> CheckResult:
    url = prefect_api_url()
    if url is None:
        words = f"{version('prefect')}; no API configured, runs are direct"
        opened = open_server_of_earlier_version()
        return CheckResult("prefect", f"{words}. {opened} {OPEN}" if opened else words)
    if not answers(url):
        return CheckResult("prefect", f"{url} does not answer", EXIT_RENDER)
    words = f"{version('prefect')}; {url} answers"
    return CheckResult("prefect", f"{words}, and {OPEN}" if is_open(url) else words)


def _facts(settings: Settings) -> Iterator[CheckResult]:
    """Facts that engines tell of their options. Never fails: a run works without them."""
    options = settings.engine_options()
    for engine in engines():
        for name, words in own_options(engine, options).facts().items():
            yield CheckResult(name, words)


def _engines(settings: Settings) -> Iterator[CheckResult]:
    """Those of this process, and the server that the settings name. Downloads nothing."""
    others = (one for one in engines().values() if one.name not in isolated_specs())
    for engine in others:
        is_wanted = settings.engine == engine.name
        if is_wanted or engine.runs is not Runs.SERVER:
            yield _engine(engine, settings, is_wanted=is_wanted)


def _engine(engine: Engine, settings: Settings, *, is_wanted: bool) -> CheckResult:
    """One that comes with audiomill must be ready; another one only if the settings name it."""
    options = settings.engine_options()
    try:
        ready = check_engine(engine.name, options)
        if is_wanted and engine.ask:
            ready = Readiness(engine.ask(options))
    except RenderError as error:
        is_needed = is_wanted or engine.is_built_in
        code = EXIT_RENDER if is_needed else 0
        state = "not ready." if is_needed else "not ready, but you can add it:"
        return CheckResult(engine.name, f"{state} {error}", code, is_optional=not is_needed)
    devices = f", device {', '.join(engine.devices(options))}" if engine.devices else ""
    return CheckResult(engine.name, f"{ready.words}{devices}", is_optional=not ready.is_here)


def _isolated(settings: Settings) -> Iterator[CheckResult]:
    """The engines that are installed in environments of their own. Loads no model."""
    options = settings.engine_options()
    for name, spec in isolated_specs().items():
        own = options.of(IsolatedOptions(name))
        environment = environment_of(spec, options.environments)
        state, missing = isolated_state(spec, own, environment)
        is_wanted = settings.engine == name
        if state == "not installed" and not is_wanted:
            continue
        lack = missing or ("" if own.python else import_lack(environment))
        if lack:
            yield CheckResult(name, lack, EXIT_RENDER if is_wanted else 0, not is_wanted)
        else:
            use = "" if spec.is_commercial else "; NOT for commercial use"
            yield CheckResult(name, f"installed, weights {spec.weights_licence}{use}")


CHECKS: tuple[Callable[[Settings], CheckResult], ...] = (
    _python,
    _ffmpeg,
    _store,
    _library,
    _prefect,
)
