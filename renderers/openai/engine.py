"""Servers that speak OpenAI's protocol, as an engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from audiomill.renderers.engine.declaration import Engine, Licences, Runs
from audiomill.renderers.engine.options import EngineOptions
from audiomill.renderers.openai.options import ServerOptions

if TYPE_CHECKING:
    from audiomill.renderers.base import Renderer


def _open(options: EngineOptions) -> Renderer:
    from audiomill.renderers.servers.renderer import ServerRenderer

    return ServerRenderer(options.of(ServerOptions()), options.cloned_voices, options.retakes)


def _licences(options: EngineOptions) -> Licences:
    from audiomill.renderers.servers.profiles import profile_named

    words = f"as {profile_named(options.of(ServerOptions()).profile).title} says"
    return Licences(words, words)


def _ask(options: EngineOptions) -> str:
    return f"{options.of(ServerOptions()).profile}: {len(_open(options).voices())} voices"


ENGINE = Engine(
    "openai",
    _open,
    _licences,
    options=ServerOptions(),
    ask=_ask,
    runs=Runs.SERVER,
)
