"""Upstream's model in ONNX Runtime on the CPU, which the kokoro-onnx package runs.

The model is exported here, from the same weights as the other engines use: `KModelForONNX` of
kokoro/model.py, by torch's TorchScript exporter at opset 17, with a dynamic number of phonemes.
"""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import torch

from audiomill.flows.bench.corpus import BenchText
from audiomill.flows.bench.measure import ReportProgress, SynthesisRun
from audiomill.renderers.engine.benchmarking import StepStats
from audiomill.renderers.engine.errors import EngineMissing
from audiomill.renderers.kokoro.model.config import read_config
from audiomill.renderers.kokoro.options import KokoroOptions
from audiomill.renderers.kokoro.weights.checkpoint import load_voice
from audiomill.renderers.kokoro.weights.files import find_files
from audiomill.renderers.kokoro.weights.releases import release_named
from audiomill.renderers.kokoro.weights.voices import KokoroVoices
from benchmarks.rivals.upstream import RivalEngine, load_kmodel, upstream_module

OPSET = 17
REQUIRED_PACKAGES = ("onnx", "onnxruntime")


class OnnxEngine(RivalEngine):
    """Implement `BenchEngine` with one exported model and all optimisations of ONNX Runtime.

    A line is the phonemes of one row.
    """

    def __init__(self, options: KokoroOptions, voice: str, model: Path) -> None:
        """`model` is a file that `export` or `quantise` wrote.

        Raises EngineMissing, WeightsUnfit, UnknownVoice.
        """
        require_onnx()
        super().__init__(torch.device("cpu"))
        onnxruntime: Any = import_module("onnxruntime")
        release = release_named(options.release)
        self._vocab = read_config(find_files(options.weights, release).config).vocab
        self._styles = load_voice(KokoroVoices(options.weights, release), voice).numpy()
        settings = onnxruntime.SessionOptions()
        # The number that PyTorch uses, so that all engines run with the same number of threads.
        self._threads = settings.intra_op_num_threads = torch.get_num_threads()
        settings.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(
            str(model), settings, providers=["CPUExecutionProvider"]
        )

    def facts(self) -> Mapping[str, object]:
        """Implement `BenchEngine.facts`."""
        return {"device": "cpu", "onnxruntime_threads": self._threads}

    def _speak(self, text: str) -> StepStats:
        inputs = {
            "tokens": np.array([[0, *(self._vocab[phoneme] for phoneme in text), 0]]),
            "style": self._styles[len(text) - 1],
            "speed": np.ones(1, np.float32),
        }
        audio, _ = self._session.run(None, inputs)
        return StepStats(audio.size)


class OnnxModels:
    """Exports upstream's model, in a child process that ends before anything is measured."""

    def __init__(self, folder: Path, _report: ReportProgress) -> None:
        self._folder = folder

    def export(self, options: KokoroOptions) -> dict[str, Path]:
        """The models, by precision. Raises EngineMissing, WeightsUnfit."""
        models = {name: self._folder / f"{name}.onnx" for name in ("float32", "int8")}
        export(options, models["float32"])
        quantise(models["float32"], models["int8"])
        return models


def onnx_run(
    options: KokoroOptions, text: BenchText, model: Path, report: ReportProgress
) -> SynthesisRun:
    """ONNX Runtime, in a child process. Raises EngineMissing."""
    return SynthesisRun(OnnxEngine(options, text.voice, model), text, report)


def require_onnx() -> None:
    """Raise EngineMissing unless ONNX Runtime and the exporter are installed."""
    missing = [name for name in REQUIRED_PACKAGES if find_spec(name) is None]
    if missing:
        raise EngineMissing(f"not installed: {', '.join(missing)}")


def export(options: KokoroOptions, path: Path) -> None:
    """Write the float32 model to `path`. Raises EngineMissing, WeightsUnfit."""
    require_onnx()
    files = find_files(options.weights, release_named(options.release))
    export_kmodel(load_kmodel(files.config, files.weights, disable_complex=True), path)


def export_kmodel(
    model: Any,
    path: Path,
    *,
    names: Sequence[str] = ("tokens", "style", "speed", "audio", "durations"),
    speed: torch.Tensor | None = None,
) -> None:
    """Write upstream's `KModel` to `path`. Raises EngineMissing.

    `names` are those of three inputs and two outputs; `speed` is an example, (1), whose type the
    model then takes.
    """
    tokens, _, _, audio, durations = names
    speed = torch.ones(1) if speed is None else speed
    with _output_suppressed():
        torch.onnx.export(
            upstream_module("kokoro.model").KModelForONNX(model).eval(),
            (torch.randint(1, 170, (1, 48)), torch.zeros(1, 256), speed),
            str(path),
            input_names=list(names[:3]),
            output_names=list(names[3:]),
            dynamic_axes={tokens: {1: "n"}, audio: {0: "samples"}, durations: {0: "n"}},
            opset_version=OPSET,
            dynamo=False,
        )


def halve(path: Path, float16: Path) -> None:
    """Write the model in `path` to `float16`: weights and activations of 16 bits.

    Inputs and outputs stay float32. Operators that the converter knows to need float32, such as
    CumSum and Range, keep it.
    """
    onnx: Any = import_module("onnx")
    converter: Any = import_module("onnxruntime.transformers.float16")
    with _output_suppressed():
        model = onnx.load(path)
        _scales_as_weights(onnx, model.graph)
        onnx.save(converter.convert_float_to_float16(model, keep_io_types=True), float16)


def _scales_as_weights(onnx: Any, graph: Any) -> None:
    """Make the scales of Resize initialisers, as PyTorch writes them as nodes.

    The converter leaves such an initialiser in float32, but rounds a node's constant. The scale
    1/300 in 16 bits is 0.02 % too large, which gives a long row some samples too many.
    """
    scales = {name for node in graph.node if node.op_type == "Resize" for name in node.input[1:]}
    for node in [node for node in graph.node if node.op_type == "Constant"]:
        if node.output[0] in scales:
            value = onnx.numpy_helper.to_array(node.attribute[0].t)
            graph.initializer.append(onnx.numpy_helper.from_array(value, node.output[0]))
            graph.node.remove(node)


def quantise(path: Path, int8: Path) -> None:
    """Write the model in `path` to `int8`: weights of 8 bits, activations quantised dynamically."""
    quantization: Any = import_module("onnxruntime.quantization")
    with _output_suppressed():
        quantization.quantize_dynamic(path, int8, weight_type=quantization.QuantType.QUInt8)


def write_voices(options: KokoroOptions, path: Path) -> None:
    """Write the packs of all voices to `path`, as `voices-v1.0.bin` holds them.

    Raises EngineMissing, WeightsUnfit.
    """
    voices = KokoroVoices(options.weights, release_named(options.release))
    packs = {voice.name: load_voice(voices, voice.name).numpy() for voice in voices.table.voices}
    with path.open("wb") as file:
        np.savez(file, allow_pickle=False, **packs)


@contextmanager
def _output_suppressed() -> Generator[None]:
    """Suppress the output of exporters, from Python and native code. Errors are still raised.

    It redirects the streams of the whole process, which must do nothing else meanwhile.
    """
    logging.disable()
    saved = [os.dup(stream) for stream in (1, 2)]
    devnull = os.open(os.devnull, os.O_WRONLY)
    try:
        for stream in (1, 2):
            os.dup2(devnull, stream)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for stream, original in zip((1, 2), saved, strict=True):
            os.dup2(original, stream)
        for descriptor in (*saved, devnull):
            os.close(descriptor)
