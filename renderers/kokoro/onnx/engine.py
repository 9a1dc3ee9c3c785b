"""Kokoro-82M with ONNX Runtime, as an engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from audiomill.renderers.engine.declaration import Engine, Licences, Readiness
from audiomill.renderers.engine.options import EngineOptions

if TYPE_CHECKING:
    from audiomill.renderers.base import Renderer
    from audiomill.renderers.kokoro.onnx.options import KokoroOnnxOptions


def _options() -> KokoroOnnxOptions:
    from audiomill.renderers.kokoro.onnx.options import KokoroOnnxOptions

    return KokoroOnnxOptions()


def _open(options: EngineOptions) -> Renderer:
    from audiomill.renderers.kokoro.onnx.renderer import KokoroOnnxRenderer

    return KokoroOnnxRenderer(options.of(_options()))


def _check(options: EngineOptions) -> Readiness:
    from audiomill.renderers.kokoro.onnx.files import check_onnx_available

    model = check_onnx_available(options.of(_options()))
    if model is None:
        words = "its files are not here yet; the first render fetches them"
        return Readiness(words, is_here=False)
    return Readiness(str(model))


ENGINE = Engine(
    "kokoro-onnx",
    _open,
    lambda _options: Licences("MIT", "Apache-2.0"),
    options=_options,
    check=_check,
    package="onnxruntime",
    serves_auto=True,
)
