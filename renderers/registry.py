"""The engines by name, each loaded on first use.

Importing this module loads no engine and no NumPy, so `--help` lists the engines in milliseconds.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING

from audiomill.renderers.options import EngineOptions

if TYPE_CHECKING:
    from audiomill.renderers.base import Renderer

_LOADING = threading.Lock()
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


LOADERS: Mapping[str, Callable[[EngineOptions], Renderer]] = {
    "kokoro": _kokoro,
    "espeak": _espeak,
    "tone": _tone,
}


def engine_names() -> tuple[str, ...]:
    """The values of `--engine`, except "auto"."""
    return tuple(LOADERS)


def check_kokoro(options: EngineOptions) -> None:
    """Raise RenderError, which says why, if Kokoro cannot run here. Loads no weights."""
    from audiomill.renderers.kokoro.weights.files import check_available
    from audiomill.renderers.kokoro.weights.releases import release_named

    check_available(options.kokoro.weights, release_named(options.kokoro.release))


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
        raise UnknownEngine(
            f"There is no engine {name!r}. Choose one of: {', '.join(engine_names())}."
        )
    return LOADERS[name](options)
