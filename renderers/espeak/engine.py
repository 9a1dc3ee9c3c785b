"""espeak-ng, as an engine."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from audiomill.renderers.engine.declaration import Engine, Licences
from audiomill.renderers.engine.options import EngineOptions

if TYPE_CHECKING:
    from audiomill.renderers.engine.protocol import Renderer


def _open(_options: EngineOptions) -> Renderer:
    return _opened()


@cache  # it has no options, so those of all engines make no other one
def _opened() -> Renderer:
    from audiomill.renderers.espeak.renderer import EspeakRenderer

    return EspeakRenderer()


ENGINES = (
    Engine(
        "espeak",
        _open,
        lambda _options: Licences("GPL-3.0-or-later", "GPL-3.0-or-later"),
        is_built_in=True,
        serves_auto=True,
        title="espeak-ng",
        bench_words=2_000,
    ),
)
