"""Runs ONNX graphs in ONNX Runtime on the CPU, with noise that depends on a seed and nothing else.

    inputs, seed ─▶ stage 0 ─▶ shapes ─▶ noise of the seed ─▶ stage 1 ─▶ …  ─▶ outputs

A session has one thread, and any number of threads may run it at the same time. So N texts that are
spoken side by side keep N cores busy, which is faster than one text on N cores: LOG.md has figures.
It also leaves nothing to chance, as how many threads share a sum decides its rounding.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from onnx import ModelProto

from audiomill.renderers.onnx_graphs import GraphStage, GraphUnfit, NoiseInput, split_at_noise

_errors: Any = import_module("onnxruntime.capi.onnxruntime_pybind11_state")
# ONNX Runtime's errors have no base of their own; these are its codes of what a model can cause.
RUNTIME_ERRORS: tuple[type[Exception], ...] = (
    _errors.Fail,
    _errors.InvalidArgument,
    _errors.InvalidGraph,
    _errors.InvalidProtobuf,
    _errors.NotImplemented,
    _errors.RuntimeException,
)
ERRORS_ONLY = 3  # of ONNX Runtime's levels of logging


class RunFailed(Exception):
    """ONNX Runtime refused the inputs, or failed. The message is its own, in one line."""


@dataclass(frozen=True, slots=True)
class _Stage:
    graph: GraphStage
    session: Any  # an InferenceSession


class SeededModel:
    """A model whose random numbers come from a seed. Any thread may use it."""

    def __init__(self, model: ModelProto, outputs: Sequence[str]) -> None:
        """`outputs` are tensors of the graph. Raises GraphUnfit."""
        self._outputs = tuple(outputs)
        self._stages = [_Stage(one, _session(one.model)) for one in split_at_noise(model, outputs)]

    def run(self, inputs: Mapping[str, NDArray[Any]], seed: int) -> list[NDArray[Any]]:
        """The outputs, in order. Raises RunFailed.

        The noise of one place in the graph is independent of that of others, and of their sizes.
        """
        tensors = dict(inputs)
        number = 0
        for stage in self._stages:
            for noise in stage.graph.noises:
                tensors[noise.name] = _drawn(noise, tensors, np.random.default_rng([seed, number]))
                number += 1
            names = (*stage.graph.inputs, *(noise.name for noise in stage.graph.noises))
            try:
                values = stage.session.run(
                    stage.graph.outputs, {name: tensors[name] for name in names}
                )
            except RUNTIME_ERRORS as error:
                raise RunFailed(" ".join(str(error).split())) from error
            tensors.update(zip(stage.graph.outputs, values, strict=True))
        return [tensors[name] for name in self._outputs]


def _session(model: bytes) -> Any:
    """Raises GraphUnfit."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = ERRORS_ONLY
    try:
        return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    except RUNTIME_ERRORS as error:
        raise GraphUnfit(" ".join(str(error).split())) from error


def _drawn(
    noise: NoiseInput, tensors: Mapping[str, NDArray[Any]], generator: np.random.Generator
) -> NDArray[Any]:
    shape = tuple(tensors[noise.shape_name]) if noise.shape_name else noise.shape
    draw = generator.standard_normal if noise.is_normal else generator.random
    values = draw(shape, np.float32)
    return (noise.offset + noise.scale * values).astype(noise.dtype, copy=False)
