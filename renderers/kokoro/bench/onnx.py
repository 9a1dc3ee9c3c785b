"""Upstream's model in ONNX Runtime on the CPU, which is what the kokoro-onnx package runs.

The model is exported here from the very weights that the others speak with: `KModelForONNX` of
kokoro/model.py, by torch's TorchScript exporter at opset 17, the number of phonemes left open.
"""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import torch

from audiomill.renderers.base import EngineMissing, Samples
from audiomill.renderers.benchmarking import BenchLine, BenchStep, StepStats
from audiomill.renderers.kokoro.config import SAMPLE_RATE, read_config
from audiomill.renderers.kokoro.weights.checkpoint import load_voice
from audiomill.renderers.kokoro.weights.files import find_files
from audiomill.renderers.kokoro.weights.releases import release_named
from audiomill.renderers.kokoro.weights.voices import KokoroVoices
from audiomill.renderers.options import KokoroOptions

OPSET = 17
NEEDED = ("onnx", "onnxruntime")


class OnnxEngine:
    """One exported model, all of ONNX Runtime's optimisations on. A line is a row of phonemes."""

    sample_rate = SAMPLE_RATE

    def __init__(self, options: KokoroOptions, voice: str, model: Path) -> None:
        """Raises EngineMissing."""
        require_onnx()
        onnxruntime: Any = import_module("onnxruntime")
        release = release_named(options.release)
        self._vocab = read_config(find_files(options.weights, release).config).vocab
        self._styles = load_voice(KokoroVoices(options.weights, release), voice).numpy()
        settings = onnxruntime.SessionOptions()
        # As many as PyTorch takes, and we with it: what is compared is not how each counts cores.
        self._threads = settings.intra_op_num_threads = torch.get_num_threads()
        settings.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(
            str(model), settings, providers=["CPUExecutionProvider"]
        )

    def facts(self) -> Mapping[str, object]:
        """See `BenchEngine`."""
        return {"device": "cpu", "onnxruntime_threads": self._threads}

    def steps(self, lines: Sequence[BenchLine], batch_frames: int) -> Sequence[BenchStep]:  # noqa: ARG002
        """See `BenchEngine`: the exported model takes one row."""
        return [BenchStep((n,), partial(self._speak, line.said)) for n, line in enumerate(lines)]

    def _speak(self, phonemes: str) -> StepStats:
        return StepStats(self.samples(phonemes).size)

    def samples(self, phonemes: str) -> Samples:
        """What the model makes of one row, (n)."""
        given = {
            "tokens": np.array([[0, *(self._vocab[one] for one in phonemes), 0]]),
            "style": self._styles[len(phonemes) - 1],
            "speed": np.ones(1, np.float32),
        }
        audio, _ = self._session.run(None, given)
        return audio.astype(np.float32, copy=False)

    def rest(self) -> None:
        """See `BenchEngine`: it keeps none."""

    def forget_gpu_peak(self) -> None:
        """See `BenchEngine`."""

    def gpu_peak_bytes(self) -> None:
        """See `BenchEngine`: on the CPU."""
        return


def require_onnx() -> None:
    """Raise EngineMissing unless ONNX Runtime and what exports to it are here."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise EngineMissing(f"not installed: {', '.join(missing)}")


def export(options: KokoroOptions, path: Path) -> None:
    """Write the float32 model. Raises EngineMissing, WeightsUnfit."""
    require_onnx()
    from audiomill.renderers.kokoro.bench.upstream import load_kmodel, upstream_module

    files = find_files(options.weights, release_named(options.release))
    whole = load_kmodel(files.config, files.weights, disable_complex=True)
    example = (torch.randint(1, 170, (1, 48)), torch.zeros(1, 256), torch.ones(1))
    with _in_silence():
        torch.onnx.export(
            upstream_module("kokoro.model").KModelForONNX(whole).eval(),
            example,
            str(path),
            input_names=["tokens", "style", "speed"],
            output_names=["audio", "durations"],
            dynamic_axes={"tokens": {1: "n"}, "audio": {0: "samples"}, "durations": {0: "n"}},
            opset_version=OPSET,
            dynamo=False,
        )


def quantise(path: Path, int8: Path) -> None:
    """Write `path` with weights in eight bits, activations quantised as they come."""
    quantization: Any = import_module("onnxruntime.quantization")
    with _in_silence():
        quantization.quantize_dynamic(path, int8, weight_type=quantization.QuantType.QUInt8)


@contextmanager
def _in_silence() -> Generator[None]:
    """Nothing of what exporters have to say, in Python or below it: it is no news of ours.

    What goes wrong is raised. For a process that does nothing else meanwhile.
    """
    logging.disable()
    kept = [os.dup(stream) for stream in (1, 2)]
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        for stream in (1, 2):
            os.dup2(nowhere, stream)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for stream, own in zip((1, 2), kept, strict=True):
            os.dup2(own, stream)
        for descriptor in (*kept, nowhere):
            os.close(descriptor)
