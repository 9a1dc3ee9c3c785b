"""Which engines there are, and how each is loaded when it is first asked for.

Importing this loads none of them, nor NumPy: `--help` lists the engines in milliseconds.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING

from audiomill.renderers.options import EngineOptions

if TYPE_CHECKING:
    from audiomill.renderers.base import Renderer

_ONE_AT_A_TIME = threading.Lock()
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
    """What `--engine` may say, apart from "auto"."""
    return tuple(LOADERS)


def check_kokoro(options: EngineOptions) -> None:
    """Raise RenderError, which says why, unless Kokoro could speak here. Loads no weights."""
    from audiomill.renderers.kokoro.weights.files import check_available
    from audiomill.renderers.kokoro.weights.releases import release_named

    check_available(options.kokoro.weights, release_named(options.kokoro.release))


def kokoro_devices(options: EngineOptions) -> tuple[str, ...]:
    """Where Kokoro would speak here. Loads PyTorch where there may be several GPUs."""
    from audiomill.renderers.kokoro.devices import devices_of

    return devices_of(options.kokoro.device)


def open_renderer(name: str, options: EngineOptions = NO_OPTIONS) -> Renderer:
    """The engine of that name, loaded once per process.

    Raises UnknownEngine, EngineMissing, WeightsUnfit.
    """
    with _ONE_AT_A_TIME:  # two threads that ask at once get one engine, not two
        return _loaded(name, options)


@cache
def _loaded(name: str, options: EngineOptions) -> Renderer:
    from audiomill.renderers.base import UnknownEngine

    if name not in LOADERS:
        raise UnknownEngine(
            f"There is no engine {name!r}. Choose one of: {', '.join(engine_names())}."
        )
    return LOADERS[name](options)
