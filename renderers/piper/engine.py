"""Piper, as an engine: in a process here, and its HTTP server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from audiomill.renderers.engine.declaration import Engine, Licences, Runs
from audiomill.renderers.engine.options import EngineOptions

if TYPE_CHECKING:
    from audiomill.renderers.engine.protocol import Renderer
    from audiomill.renderers.piper.options import PiperOptions, PiperServerOptions


def _options() -> PiperOptions:
    from audiomill.renderers.piper.options import PiperOptions

    return PiperOptions()


def _server_options() -> PiperServerOptions:
    from audiomill.renderers.piper.options import PiperServerOptions

    return PiperServerOptions()


def _open(options: EngineOptions) -> Renderer:
    from audiomill.renderers.piper.renderer import PiperRenderer

    return PiperRenderer(options.of(_options()))


def _open_server(options: EngineOptions) -> Renderer:
    from audiomill.renderers.piper.server_renderer import PiperServerRenderer

    return PiperServerRenderer(options.of(_server_options()))


def _licences(_options: EngineOptions) -> Licences:
    return Licences("GPL-3.0-or-later", "as each voice's MODEL_CARD says")


_IN_PROCESS = Engine(
    "piper",
    _open,
    _licences,
    options=_options,
    package="piper",
    missing="no voice",
)
_SERVER = Engine(
    "piper-server",
    _open_server,
    _licences,
    options=_server_options,
    runs=Runs.SERVER,
)
ENGINES = (_IN_PROCESS, _SERVER)
