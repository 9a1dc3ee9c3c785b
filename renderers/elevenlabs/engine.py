"""ElevenLabs' service, as an engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from audiomill.renderers.engine.declaration import Engine, Licences, Runs
from audiomill.renderers.engine.options import EngineOptions

if TYPE_CHECKING:
    from audiomill.renderers.elevenlabs.options import ElevenLabsOptions
    from audiomill.renderers.engine.protocol import Renderer


def _options() -> ElevenLabsOptions:
    from audiomill.renderers.elevenlabs.options import ElevenLabsOptions

    return ElevenLabsOptions()


def _open(options: EngineOptions) -> Renderer:
    from audiomill.renderers.elevenlabs.renderer import ElevenLabsRenderer

    return ElevenLabsRenderer(options.of(_options()), options.retakes)


def _licences(_options: EngineOptions) -> Licences:
    """It allows commercial use with paid plans."""
    return Licences("as ElevenLabs says", "as ElevenLabs says")


def _ask(options: EngineOptions) -> str:
    return f"{options.of(_options()).model}: {len(_open(options).voices())} voices"


ENGINES = (
    Engine(
        "elevenlabs",
        _open,
        _licences,
        options=_options,
        ask=_ask,
        runs=Runs.SERVER,
    ),
)
