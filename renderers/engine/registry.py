"""The engines by name, each loaded on first use. Those of ours are found by their folders.

Importing this module loads no engine and no NumPy, so `--help` lists the engines in milliseconds.
Other packages declare theirs by an entry point:

    [project.entry-points."audiomill.engines"]
    morse = "audiomill_morse:ENGINE"

One that cannot be loaded stays in the list, and says why when it is used. A name that is ours, or
that is no name, is not taken; a warning in the log says so.
"""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import TYPE_CHECKING

from audiomill.inputs.messages import did_you_mean
from audiomill.renderers.engine.declaration import BROKEN, Engine, Readiness, Runs
from audiomill.renderers.engine.options import EngineOptions, OwnOptions

if TYPE_CHECKING:
    from audiomill.renderers.engine.benchmarking import BenchModel
    from audiomill.renderers.engine.protocol import Renderer

GROUP = "audiomill.engines"
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_log = logging.getLogger(__name__)
_LOADING = threading.Lock()
DEFAULTS = EngineOptions()


@cache
def external_engines(taken: frozenset[str]) -> Mapping[str, Engine]:
    """The engines by name, but those whose names are `taken`. Imports their modules, once."""
    return dict(_found_external(taken))


def _found_external(taken: frozenset[str]) -> Iterator[tuple[str, Engine]]:
    for point in sorted(entry_points(group=GROUP), key=lambda one: one.name):
        if point.name in taken or not _NAME.fullmatch(point.name):
            why = "is the name of another engine" if point.name in taken else "is no name"
            _log.warning("The engine of %s is not used: %s %s.", point.value, point.name, why)
        else:
            yield point.name, _load_external(point)


def _load_external(point: EntryPoint) -> Engine:
    try:
        found = point.load()
    except Exception as error:  # noqa: BLE001 - of a module of somebody else
        return _broken_external(point, f"{type(error).__name__}: {error}")
    if not isinstance(found, Engine) or found.name != point.name:
        return _broken_external(point, f"it is no Engine with the name {point.name}")
    try:
        found.options()
    except Exception as error:  # noqa: BLE001 - the same
        return _broken_external(point, f"its options: {type(error).__name__}: {error}")
    return found


def _broken_external(point: EntryPoint, reason: str) -> Engine:
    def refuse(_options: EngineOptions) -> Renderer:
        from audiomill.renderers.engine.errors import EngineMissing

        raise EngineMissing(
            f"The engine {point.name} cannot be loaded from {point.value}: {reason}. Install its"
            " package anew, or remove it."
        )

    return Engine(point.name, refuse, missing=BROKEN)


def engine_folders(renderers: Path) -> list[str]:
    """The packages in a folder that have an `engine.py`, by name; `fish.old` is none."""
    found = (path.parent for path in renderers.glob("*/engine.py"))
    return sorted(
        one.name for one in found if one.name.isidentifier() and (one / "__init__.py").is_file()
    )


def _declared() -> Iterator[Engine]:
    """What each folder of `renderers/` declares in its `engine.py`."""
    for name in engine_folders(Path(__file__).parents[1]):
        yield from import_module(f"audiomill.renderers.{name}.engine").ENGINES


def _place(engine: Engine) -> tuple[int, bool, bool, str]:
    """Servers after those of this process. First those that `auto` may be, the best one before."""
    return [*Runs].index(engine.runs), not engine.serves_auto, engine.is_built_in, engine.name


ENGINES: dict[str, Engine] = {one.name: one for one in sorted(_declared(), key=_place)}


def engines() -> Mapping[str, Engine]:
    """All engines by name: ours, then those of other packages."""
    return {**ENGINES, **external_engines(frozenset(ENGINES))}


def engine_names() -> tuple[str, ...]:
    """The values of `--engine`, except "auto"."""
    return tuple(engines())


def quick_engine_names() -> tuple[str, ...]:
    """Those whose voices are known without a process, a model or a server."""
    return tuple(name for name, engine in engines().items() if engine.runs is Runs.HERE)


def engine_named(name: str) -> Engine:
    """The engine of that name. Raises UnknownEngine."""
    from audiomill.renderers.engine.errors import UnknownEngine

    found = engines().get(name)
    if found is None:
        raise UnknownEngine(unknown_engine(name, engine_names()))
    return found


def own_options(name: str, options: EngineOptions) -> OwnOptions:
    """What the engine of that name is set to. Raises UnknownEngine."""
    return options.of(engine_named(name).options())


def bench_models(options: EngineOptions = DEFAULTS) -> Mapping[str, BenchModel]:
    """The models that a benchmark measures alone, by engine: ours first."""
    return {
        name: engine.bench_model(options)
        for name, engine in engines().items()
        if engine.bench_model is not None
    }


def check_engine(name: str, options: EngineOptions) -> Readiness:
    """What the engine would speak with here. Loads no weights.

    Raises RenderError, which says why, if it cannot speak here; UnknownEngine.
    """
    engine = engine_named(name)
    if engine.check is not None:
        return engine.check(options)
    renderer = open_renderer(name, options)
    n_voices = len(renderer.voices())
    voices = "1 voice" if n_voices == 1 else f"{n_voices} voices"
    return Readiness(f"{voices} at {renderer.sample_rate} Hz")


def open_renderer(name: str, options: EngineOptions = DEFAULTS) -> Renderer:
    """The engine with this name, loaded once per process and options that are its own.

    Raises UnknownEngine, EngineMissing, WeightsUnfit.
    """
    own = replace(options, own=(own_options(name, options),))
    with _LOADING:  # `cache` alone would let two threads load the engine twice
        return _loaded(name, own)


@cache
def _loaded(name: str, options: EngineOptions) -> Renderer:
    return engine_named(name).open(options)


def unknown_engine(name: str, known: Sequence[str]) -> str:
    """The message for an engine that does not exist."""
    if explained := next(filter(None, (one.explain(name) for one in ENGINES.values())), ""):
        return explained
    return f"Unknown engine {name}. Known: {', '.join(known)}.{did_you_mean(name, known)}"
