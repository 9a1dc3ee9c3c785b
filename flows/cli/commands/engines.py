"""`audiomill engines`: lists all engines; installs one that has an environment of its own."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.util import find_spec

from audiomill.flows.console import put, put_json, say
from audiomill.flows.file_lock import held_alone
from audiomill.flows.job import UsageError
from audiomill.flows.settings import Settings, load_settings
from audiomill.inputs.suggestions import did_you_mean
from audiomill.outputs.types import OutputError
from audiomill.renderers.base import RenderError
from audiomill.renderers.host.installation import this_installation
from audiomill.renderers.isolated.catalogue import EngineSpec
from audiomill.renderers.isolated.environment import Environment, environment_of
from audiomill.renderers.isolated.installing import install, remove
from audiomill.renderers.isolated.models import find_model
from audiomill.renderers.isolated.specs import isolated_specs
from audiomill.renderers.options import EngineOptions, IsolatedOptions
from audiomill.renderers.registry import (
    check_kokoro,
    check_kokoro_onnx,
    check_orpheus,
    open_renderer,
    quick_engine_names,
)
from audiomill.renderers.servers.profiles import profile_named

NON_COMMERCIAL = "NOT for commercial use"
# Of the engines that run in this process: the licences of code and voices, and whether these may
# be used commercially.
LICENCES = {
    "kokoro": ("Apache-2.0", "Apache-2.0", True),
    "kokoro-onnx": ("MIT", "Apache-2.0", True),
    "espeak": ("GPL-3.0-or-later", "GPL-3.0-or-later", True),
    "orpheus": ("Apache-2.0", "Apache-2.0, made from Llama 3.2 of Meta's licence", True),
    "piper": ("GPL-3.0-or-later", "as each voice's MODEL_CARD says", True),
    "tone": ("AGPL-3.0-or-later", "none: test tones", True),
}
# What they speak with; the others have all that they need.
PACKAGES = {"kokoro": "torch", "kokoro-onnx": "onnxruntime", "orpheus": "snac", "piper": "piper"}
# Of an engine that declares none: nothing is promised.
UNKNOWN_LICENCE = ("unknown", "unknown", False)


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
    options = settings.engine_options().isolated_of(spec.name)
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
    """Every engine of the registry. Starts no process and loads no model."""
    for name in quick_engine_names():
        state, missing = _state_here(name, options)
        yield EngineState(name, "here", *LICENCES.get(name, UNKNOWN_LICENCE), state, missing)
    for name, (code_licence, weights_licence, is_commercial) in _server_licences(options).items():
        licences = code_licence, weights_licence, is_commercial
        yield EngineState(name, "server", *licences, "not asked", "")
    for spec in isolated_specs().values():
        environment = environment_of(spec, options.environments)
        state, missing = isolated_state(spec, options.isolated_of(spec.name), environment)
        yield EngineState(
            spec.name,
            "own environment",
            spec.code_licence,
            spec.weights_licence,
            spec.is_commercial,
            state,
            missing,
        )


def _server_licences(options: EngineOptions) -> dict[str, tuple[str, str, bool]]:
    """As `LICENCES`, of the engines that are servers."""
    openai = f"as {profile_named(options.openai.profile).title} says"
    # S2's research licence also covers the code of fish-speech.
    own_fish = ("Fish Audio Research", "Fish Audio Research", False)
    fish = "as Fish Audio says"
    elevenlabs = "as ElevenLabs says"  # which allows commercial use with paid plans
    return {
        "openai": (openai, openai, True),
        "fish": own_fish if options.fish.profile == "local" else (fish, fish, True),
        "cosyvoice-server": ("Apache-2.0", "Apache-2.0", True),
        "piper-server": LICENCES["piper"],
        "elevenlabs": (elevenlabs, elevenlabs, True),
    }


def isolated_state(
    spec: EngineSpec, options: IsolatedOptions, environment: Environment
) -> tuple[str, str]:
    """The state of an engine with an environment of its own, and what it lacks."""
    lack = "" if options.python else environment.lack()
    if lack:
        begun = environment.installed() is not None or environment.is_begun()
        return ("unfinished" if begun else "not installed"), lack
    try:
        find_model(spec, options, environment)
    except RenderError as error:
        return "no model", str(error)
    return "ready", ""


def _state_here(name: str, options: EngineOptions) -> tuple[str, str]:
    """The state of an engine that runs in this process, and what it lacks."""
    package = PACKAGES.get(name)
    lack = _missing_here(name, options)
    if package and find_spec(package) is None:
        return "not installed", lack or f"{name} lacks {package}. {this_installation().hint(name)}"
    if not lack:
        return "ready", ""
    return "no voice" if name == "piper" else "no model", lack


def _missing_here(name: str, options: EngineOptions) -> str:
    try:
        if name == "kokoro":
            check_kokoro(options)
        elif name == "kokoro-onnx":
            check_kokoro_onnx(options)
        elif name == "orpheus":
            check_orpheus(options)
        else:
            open_renderer(name, options)
    except RenderError as error:
        return str(error)
    return ""


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
