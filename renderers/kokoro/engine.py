"""Kokoro-82M with PyTorch and with ONNX Runtime, and its students: three engines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from audiomill.renderers.engine.declaration import Engine, Licences, Readiness
from audiomill.renderers.engine.options import EngineOptions

if TYPE_CHECKING:
    from audiomill.renderers.engine.benchmarking import BenchModel
    from audiomill.renderers.engine.protocol import Renderer
    from audiomill.renderers.kokoro.options import (
        KokoroOnnxOptions,
        KokoroOptions,
        ParadeeOptions,
    )


def _options() -> KokoroOptions:
    from audiomill.renderers.kokoro.options import KokoroOptions

    return KokoroOptions()


def _open(options: EngineOptions) -> Renderer:
    from audiomill.renderers.kokoro.renderer import KokoroRenderer

    return KokoroRenderer(options.of(_options()))


def _check(options: EngineOptions) -> Readiness:
    """Weights that can be fetched are as good as here: `auto` prefers this engine."""
    from audiomill.renderers.kokoro.weights.files import check_available
    from audiomill.renderers.kokoro.weights.releases import release_named

    kokoro = options.of(_options())
    check_available(kokoro.weights, release_named(kokoro.release))
    return Readiness(str(kokoro.weights or f"Kokoro-82M {kokoro.release}"))


def _devices(options: EngineOptions) -> tuple[str, ...]:
    """Loads PyTorch if there may be several GPUs."""
    from audiomill.renderers.host.devices import devices_of

    return devices_of(options.of(_options()).device)


def _bench_model(options: EngineOptions) -> BenchModel:
    from audiomill.renderers.kokoro.bench_model import bench_model

    return bench_model(options.of(_options()))


def _onnx_options() -> KokoroOnnxOptions:
    from audiomill.renderers.kokoro.options import KokoroOnnxOptions

    return KokoroOnnxOptions()


def _onnx_open(options: EngineOptions) -> Renderer:
    from audiomill.renderers.kokoro.onnx_renderer import KokoroOnnxRenderer

    return KokoroOnnxRenderer(options.of(_onnx_options()))


def _onnx_check(options: EngineOptions) -> Readiness:
    from audiomill.renderers.kokoro.onnx_files import check_onnx_available

    model = check_onnx_available(options.of(_onnx_options()))
    if model is None:
        words = "its files are not here yet; the first render fetches them"
        return Readiness(words, is_here=False)
    return Readiness(str(model))


def _paradee_options() -> ParadeeOptions:
    from audiomill.renderers.kokoro.options import ParadeeOptions

    return ParadeeOptions()


def _paradee_open(options: EngineOptions) -> Renderer:
    from audiomill.renderers.kokoro.paradee_renderer import ParadeeRenderer

    return ParadeeRenderer(options.of(_paradee_options()))


def _paradee_check(options: EngineOptions) -> Readiness:
    from audiomill.renderers.kokoro.onnx_files import check_onnxruntime
    from audiomill.renderers.kokoro.paradee_files import ParadeeFiles

    check_onnxruntime("paradee")
    model = ParadeeFiles(options.of(_paradee_options())).here()
    if model is None:
        words = "its models are not here yet; the first render fetches the voice's"
        return Readiness(words, is_here=False)
    return Readiness(str(model))


_WITH_TORCH = Engine(
    "kokoro",
    _open,
    lambda _options: Licences("Apache-2.0", "Apache-2.0"),
    options=_options,
    check=_check,
    devices=_devices,
    package="torch",
    serves_auto=True,
    title="Kokoro",
    bench_model=_bench_model,
)
_WITH_ONNX = Engine(
    "kokoro-onnx",
    _onnx_open,
    lambda _options: Licences("MIT", "Apache-2.0"),
    options=_onnx_options,
    check=_onnx_check,
    package="onnxruntime",
    serves_auto=True,
)
_STUDENTS = Engine(
    "paradee",
    _paradee_open,
    lambda _options: Licences("Apache-2.0", "Apache-2.0"),
    options=_paradee_options,
    check=_paradee_check,
    package="onnxruntime",
)
ENGINES = (_WITH_TORCH, _WITH_ONNX, _STUDENTS)
