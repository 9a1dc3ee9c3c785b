"""The engines by name, each loaded on first use.

Importing this module loads no engine and no NumPy, so `--help` lists the engines in milliseconds.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from audiomill.inputs.suggestions import did_you_mean
from audiomill.renderers.isolated.catalogue import EngineSpec
from audiomill.renderers.isolated.specs import isolated_specs
from audiomill.renderers.options import EngineOptions

if TYPE_CHECKING:
    from audiomill.renderers.base import Renderer

_LOADING = threading.Lock()
# What they have is asked from a server.
SERVER_ENGINES = ("openai", "fish", "cosyvoice-server", "piper-server", "elevenlabs")
NO_OPTIONS = EngineOptions()


def _espeak(_options: EngineOptions) -> Renderer:
    from audiomill.renderers.espeak.renderer import EspeakRenderer

    return EspeakRenderer()


def _tone(_options: EngineOptions) -> Renderer:
    from audiomill.renderers.tone import ToneRenderer

    return ToneRenderer()


def _kokoro(options: EngineOptions) -> Renderer:
    from audiomill.renderers.kokoro.renderer import KokoroRenderer

    return KokoroRenderer(options.kokoro)


def _isolated(spec: EngineSpec, options: EngineOptions) -> Renderer:
    from audiomill.renderers.isolated.renderer import IsolatedRenderer

    own = options.isolated_of(spec.name)
    return IsolatedRenderer(spec, own, options.environments, options.cloned_voices, options.retakes)


def _openai(options: EngineOptions) -> Renderer:
    from audiomill.renderers.servers.renderer import ServerRenderer

    return ServerRenderer(options.openai, options.cloned_voices, options.retakes)


def _fish(options: EngineOptions) -> Renderer:
    from audiomill.renderers.fish.renderer import FishRenderer
    from audiomill.renderers.reference_voices.engines import FISH
    from audiomill.renderers.servers.references import sent_references

    sent = sent_references(options.cloned_voices, FISH, options.fish.sample_rate)
    return FishRenderer(options.fish, [*sent], n_retakes=options.retakes)


def _cosyvoice_server(options: EngineOptions) -> Renderer:
    from audiomill.renderers.cosyvoice.renderer import CosyVoiceServerRenderer
    from audiomill.renderers.reference_voices.engines import COSYVOICE_RATE, COSYVOICE_SERVER
    from audiomill.renderers.servers.references import sent_references

    sent = sent_references(options.cloned_voices, COSYVOICE_SERVER, COSYVOICE_RATE)
    return CosyVoiceServerRenderer(options.cosyvoice_server, [*sent], n_retakes=options.retakes)


def _piper_server(options: EngineOptions) -> Renderer:
    from audiomill.renderers.piper.server_renderer import PiperServerRenderer

    return PiperServerRenderer(options.piper_server)


def _elevenlabs(options: EngineOptions) -> Renderer:
    from audiomill.renderers.elevenlabs.renderer import ElevenLabsRenderer

    return ElevenLabsRenderer(options.elevenlabs, options.retakes)


def _piper(options: EngineOptions) -> Renderer:
    from audiomill.renderers.piper.renderer import PiperRenderer

    return PiperRenderer(options.piper)


def _kokoro_onnx(options: EngineOptions) -> Renderer:
    from audiomill.renderers.kokoro.onnx.renderer import KokoroOnnxRenderer

    return KokoroOnnxRenderer(options.kokoro_onnx)


def _orpheus(options: EngineOptions) -> Renderer:
    from audiomill.renderers.orpheus.renderer import OrpheusRenderer

    return OrpheusRenderer(options.orpheus, n_retakes=options.retakes)


LOADERS: Mapping[str, Callable[[EngineOptions], Renderer]] = {
    "kokoro": _kokoro,
    "kokoro-onnx": _kokoro_onnx,
    "espeak": _espeak,
    "tone": _tone,
    "piper": _piper,
    "orpheus": _orpheus,
    "openai": _openai,
    "fish": _fish,
    "cosyvoice-server": _cosyvoice_server,
    "piper-server": _piper_server,
    "elevenlabs": _elevenlabs,
    **{spec.name: partial(_isolated, spec) for spec in isolated_specs().values()},
}


def engine_names() -> tuple[str, ...]:
    """The values of `--engine`, except "auto"."""
    return tuple(LOADERS)


def quick_engine_names() -> tuple[str, ...]:
    """Those whose voices are known without a process, a model or a server."""
    return tuple(name for name in LOADERS if name not in (*isolated_specs(), *SERVER_ENGINES))


def check_kokoro(options: EngineOptions) -> None:
    """Raise RenderError, which says why, if Kokoro cannot run here. Loads no weights."""
    from audiomill.renderers.kokoro.weights.files import check_available
    from audiomill.renderers.kokoro.weights.releases import release_named

    check_available(options.kokoro.weights, release_named(options.kokoro.release))


def check_kokoro_onnx(options: EngineOptions) -> Path | None:
    """The model's file, or None if the first render would fetch it. Loads no weights.

    Raises RenderError, which says why, if kokoro-onnx cannot run here.
    """
    from audiomill.renderers.kokoro.onnx.files import check_onnx_available

    return check_onnx_available(options.kokoro_onnx)


def check_orpheus(options: EngineOptions) -> None:
    """Raise RenderError, which says why, if SNAC cannot run here. Asks no server."""
    from audiomill.renderers.orpheus.snac_files import check_snac_available

    check_snac_available(options.orpheus.snac)


def orpheus_server(options: EngineOptions) -> str:
    """What the server of Orpheus has loaded, for people. Raises EngineFailed."""
    from audiomill.renderers.orpheus.renderer import OrpheusRenderer

    return OrpheusRenderer(options.orpheus).server_words()


def kokoro_devices(options: EngineOptions) -> tuple[str, ...]:
    """The devices that Kokoro would use here. Loads PyTorch if there may be several GPUs."""
    from audiomill.renderers.kokoro.devices import devices_of

    return devices_of(options.kokoro.device)


def open_renderer(name: str, options: EngineOptions = NO_OPTIONS) -> Renderer:
    """The engine with this name, loaded once per process and options.

    Raises UnknownEngine, EngineMissing, WeightsUnfit.
    """
    with _LOADING:  # `cache` alone would let two threads load the engine twice
        return _loaded(name, options)


@cache
def _loaded(name: str, options: EngineOptions) -> Renderer:
    from audiomill.renderers.base import UnknownEngine

    if name not in LOADERS:
        raise UnknownEngine(unknown_engine(name, engine_names()))
    return LOADERS[name](options)


def unknown_engine(name: str, known: Sequence[str]) -> str:
    """The message for an engine that does not exist."""
    from audiomill.renderers.servers.profiles import PROFILES

    if name in PROFILES:
        return (
            f"{name} is not an engine but a profile of one: add --engine openai, and set"
            f' profile = "{name}" under [openai] in the settings.'
        )
    return f"Unknown engine {name}. Known: {', '.join(known)}.{did_you_mean(name, known)}"


def known_voice(renderer: Renderer, name: str, options: EngineOptions = NO_OPTIONS) -> str:
    """The canonical form of a voice's name.

    Raises UnknownVoice, which names the engine that has the voice, if another one has it.
    """
    from audiomill.renderers.base import UnknownVoice

    try:
        return renderer.known_voice(name)
    except UnknownVoice:
        if _is_cloned(name, options):
            raise UnknownVoice(_cannot_clone(renderer.name, name)) from None
        for other in quick_engine_names():
            if other != renderer.name and _has_voice(other, name, options):
                raise UnknownVoice(
                    f"{renderer.name} has no voice {name!r}, but {other} has:"
                    f" add --engine {other}. All of {renderer.name}'s:"
                    f" audiomill voices --engine {renderer.name}"
                ) from None
        raise


def _has_voice(engine: str, name: str, options: EngineOptions) -> bool:
    from audiomill.renderers.base import RenderError

    try:
        open_renderer(engine, options).known_voice(name)
    except RenderError:
        return False
    return True


def _is_cloned(name: str, options: EngineOptions) -> bool:
    """Whether a folder of cloned voices has this one, whatever engine can speak with it."""
    from audiomill.renderers.reference_voices.clones import read_voices
    from audiomill.renderers.reference_voices.engines import cloning_engines

    found = read_voices(options.cloned_voices, cloning_engines())
    return any(voice.name == name.partition("@")[0] for voice in found.voices)


def _cannot_clone(engine: str, name: str) -> str:
    from audiomill.renderers.reference_voices.engines import cloning_engines

    specs = [spec.name for spec in isolated_specs().values() if spec.clone_needs]
    servers = [one.title for one in cloning_engines() if one.engine not in specs]
    return (
        f"{engine} does not clone voices, or not with its model, or not {name}, which is a cloned"
        f" one. Choose an engine that does: {', '.join(specs)}; Qwen3-TTS does with a Base model."
        f" Of servers, these do: {', '.join(servers)}."
    )
