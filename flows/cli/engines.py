"""`audiomill engines`: lists all engines; installs one that has an environment of its own."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.util import find_spec

from audiomill.flows.console import put, put_json, say
from audiomill.flows.errors import UsageError
from audiomill.flows.file_lock import held_alone
from audiomill.flows.settings import Settings, load_settings
from audiomill.inputs.messages import did_you_mean
from audiomill.outputs.types import OutputError
from audiomill.renderers.engine.declaration import Engine, Runs
from audiomill.renderers.engine.errors import RenderError
from audiomill.renderers.engine.options import EngineOptions
from audiomill.renderers.engine.registry import check_engine, engines, quick_engine_names
from audiomill.renderers.host.installation import this_installation
from audiomill.renderers.isolated.catalogue import EngineSpec, isolated_specs
from audiomill.renderers.isolated.environment import Environment, environment_of
from audiomill.renderers.isolated.installing import install, remove
from audiomill.renderers.isolated.models import find_model
from audiomill.renderers.isolated.options import IsolatedOptions

NON_COMMERCIAL = "NOT for commercial use"


@dataclass(frozen=True, slots=True)
class EngineState:
    """An engine as it is listed. Scripts rely on the names."""

    name: str
    runs: str  # "here", "server", or "own environment"
    code_licence: str
    weights_licence: str
    is_commercial: bool
    state: str  # ready, not installed, unfinished, no model, no voice
    missing: str  # what is missing and what to do; "" if nothing is


def run(arguments: argparse.Namespace) -> int:
    """List the engines, or install or remove one."""
    settings = load_settings()
    if arguments.action is None:
        if arguments.remove:
            raise UsageError("Name what to remove: audiomill engines install ENGINE --remove")
        if arguments.accept_models:
            raise UsageError("Name the engine: audiomill engines install ENGINE --accept-models")
        _put_list([*engine_states(settings.engine_options())], as_json=arguments.json)
        return 0
    spec = _spec(arguments.engine)
    environment = environment_of(spec, settings.environments)
    busy = f"{spec.name} is being installed by another process. Wait for it."
    with held_alone(environment.folder.with_name(f"{spec.name}.lock"), busy):
        if arguments.remove:
            result = _removed(environment)
        else:
            result = _installed(spec, environment, settings, accept_models=arguments.accept_models)
    if arguments.json:
        put_json(result)
    else:
        put(" ".join(str(value) for value in result.values()))
    return 0


def _spec(name: str | None) -> EngineSpec:
    """The engine to install. Raises UsageError."""
    specs = isolated_specs()
    if name is None:
        raise UsageError(f"Name an engine: {', '.join(specs)}")
    if name in quick_engine_names():
        raise UsageError(f"{name} needs no environment of its own: audiomill doctor")
    if name not in specs:
        raise UsageError(
            f"There is no engine {name} to install.{did_you_mean(name, specs)}"
            f" Known: {', '.join(specs)}"
        )
    return specs[name]


def _removed(environment: Environment) -> dict[str, object]:
    try:
        was_there = remove(environment)
    except OSError as error:
        raise OutputError(f"{environment.folder} could not be deleted: {error}.") from error
    state = "removed" if was_there else "was not installed"
    return {"engine": environment.spec.name, "state": state}


def _installed(
    spec: EngineSpec, environment: Environment, settings: Settings, *, accept_models: bool
) -> dict[str, object]:
    if spec.licence_warning:
        say(f"Warning: {spec.licence_warning}")
    options = settings.engine_options().of(IsolatedOptions(spec.name))
    try:
        done = install(
            environment,
            options,
            lambda line: say(f"{spec.name}: {line}"),
            accept_models=accept_models,
        )
    except OSError as error:
        raise OutputError(f"{environment.folder} cannot be written: {error}.") from error
    return {"engine": spec.name, "state": "installed", "python": done.python}


def engine_states(options: EngineOptions) -> Iterator[EngineState]:
    """Every engine, the servers after those of this process. Starts no process, loads no model."""
    order = [*Runs]
    for engine in sorted(engines().values(), key=lambda one: order.index(one.runs)):
        licences = engine.licences(options)
        yield EngineState(
            engine.name,
            engine.runs.value,
            licences.code,
            licences.weights,
            licences.is_commercial,
            *_state(engine, options),
        )


def _state(engine: Engine, options: EngineOptions) -> tuple[str, str]:
    """The state of an engine, and what it lacks."""
    if engine.runs is Runs.SERVER:
        return "not asked", ""
    spec = isolated_specs().get(engine.name)
    if spec is None:
        return _state_here(engine, options)
    environment = environment_of(spec, options.environments)
    return isolated_state(spec, options.of(IsolatedOptions(spec.name)), environment)


def isolated_state(
    spec: EngineSpec, options: IsolatedOptions, environment: Environment
) -> tuple[str, str]:
    """The state of an engine with an environment of its own, and what it lacks."""
    problem = "" if options.python else environment.problem()
    if problem:
        begun = environment.installed() is not None or environment.is_begun()
        return ("unfinished" if begun else "not installed"), problem
    try:
        find_model(spec, options, environment)
    except RenderError as error:
        return "no model", str(error)
    return "ready", ""


def _state_here(engine: Engine, options: EngineOptions) -> tuple[str, str]:
    """The state of an engine that runs in this process, and what it lacks."""
    problem = ""
    try:
        check_engine(engine.name, options)
    except RenderError as error:
        problem = str(error)
    if engine.package and find_spec(engine.package) is None:
        hint = this_installation().hint(engine.name)
        return "not installed", problem or f"{engine.name} lacks {engine.package}. {hint}"
    return (engine.missing, problem) if problem else ("ready", "")


def _put_list(states: list[EngineState], *, as_json: bool) -> None:
    if as_json:
        put_json({"engines": [asdict(state) for state in states]})
        return
    width = max(len(state.name) for state in states)
    for state in states:
        use = "" if state.is_commercial else f"; {NON_COMMERCIAL}"
        licence = f"code {state.code_licence}, weights {state.weights_licence}{use}"
        put(f"{state.name:{width}}  {state.state:13}  {state.runs:15}  {licence}")
    missing = [state.missing for state in states if state.missing and state.runs == "here"]
    for line in missing:
        say(line)
    say("To add one: audiomill engines install ENGINE")
