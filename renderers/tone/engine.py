"""Test tones, as an engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from audiomill.renderers.engine.declaration import Engine, Licences
from audiomill.renderers.engine.options import EngineOptions

if TYPE_CHECKING:
    from audiomill.renderers.engine.protocol import Renderer


def _open(_options: EngineOptions) -> Renderer:
    from audiomill.renderers.tone.renderer import ToneRenderer

    return ToneRenderer()


ENGINES = (
    Engine(
        "tone",
        _open,
        lambda _options: Licences("AGPL-3.0-or-later", "none: test tones"),
        is_built_in=True,
        speaks=False,
        bench_words=10_000,
    ),
)
