"""Runs ONNX graphs in ONNX Runtime on the CPU, with noise that depends on a seed and nothing else.

    inputs, seed ─▶ stage 0 ─▶ shapes ─▶ noise of the seed ─▶ stage 1 ─▶ …  ─▶ outputs

A session has one thread, and any number of threads may run it at the same time. So N texts that are
spoken side by side keep N cores busy, which is faster than one text on N cores:
docs/design/engines.md. It also leaves nothing to chance, as how many threads share a sum decides
its rounding.

ONNX Runtime is imported when the first model is made.

The noise needs no PyTorch:

    seed ─▶ PCG64-DXSM ─▶ 16 random bits ─▶ table of 65,536 quantiles ─▶ float32
                       └▶ 24 random bits ─────────────────────────────▶ float32 in [0, 1)

NumPy promises that a bit generator's stream stays as it is, but not its normal distribution's. The
table has no value beyond 4.3 standard deviations; Kokoro's noise lies 30 dB below its voice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from math import prod
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audiomill.renderers.engine.errors import first_line
from audiomill.renderers.engine.protocol import Samples
from audiomill.renderers.onnx.protobuf import TensorType
from audiomill.renderers.onnx.reading import OnnxModel
from audiomill.renderers.onnx.stages import GraphStage, GraphUnfit, NoiseCutter, NoiseInput

N_QUANTILES = 1 << 16
BLOCK = 1 << 16  # values at a time: they stay in the cache
PER_WORD = 4  # normal values from 64 random bits
Seed = int | Sequence[int]  # numbers of up to 64 bits

ERRORS_ONLY = 3  # of ONNX Runtime's levels of logging
PROVIDERS = ("CPUExecutionProvider",)
# Session options: where the weights of a model in memory are, and run options: memory that a run
# has used is given back after it. Source: onnxruntime_session_options_config_keys.h and
# onnxruntime_run_options_config_keys.h.
WEIGHTS_FOLDER = "session.model_external_initializers_file_folder_path"
ARENA_SHRINKAGE = "memory.enable_memory_arena_shrinkage"
DTYPES: Mapping[TensorType, type[np.generic]] = {
    TensorType.FLOAT: np.float32,
    TensorType.FLOAT16: np.float16,
    TensorType.DOUBLE: np.float64,
    TensorType.INT32: np.int32,
    TensorType.INT64: np.int64,
}
KNOWN = frozenset(map(int, TensorType))


def seeded_noise(seed: Seed, n_values: int) -> Samples:
    """Standard normal noise, float32 of (n_values). Less noise is the beginning of more."""
    quantiles, places = _quantiles(), _random_bits(seed, -(-n_values // PER_WORD)).view("<u2")
    noise = np.empty(places.size, np.float32)
    for first in range(0, noise.size, BLOCK):
        block = slice(first, first + BLOCK)
        # Every place is in the table; without `mode`, NumPy copies the output to check them.
        np.take(quantiles, places[block], out=noise[block], mode="clip")
    return noise[:n_values]


def seeded_uniform(seed: Seed, n_values: int) -> Samples:
    """Evenly distributed noise in [0, 1), float32 of (n_values)."""
    bits = _random_bits(seed, -(-n_values // 2)).view("<u4")[:n_values]
    return (bits >> 8).astype(np.float32) * np.float32(2.0**-24)


def _random_bits(seed: Seed, n_words: int) -> NDArray[np.uint64]:
    """Words of 64 random bits, with the low byte first on every machine."""
    return np.random.PCG64DXSM(seed).random_raw(n_words).astype("<u8", copy=False)


@cache
def _quantiles() -> Samples:
    """The middle of each of N_QUANTILES parts that are equally likely."""
    quantile = NormalDist().inv_cdf
    lower = [quantile((n + 0.5) / N_QUANTILES) for n in range(N_QUANTILES // 2)]
    half = np.array(lower, np.float32)
    return np.concatenate((half, -half[::-1]))


class RunFailed(Exception):
    """ONNX Runtime refused the inputs, or failed. The message is its own, in one line."""


@dataclass(frozen=True, slots=True)
class _Stage:
    graph: GraphStage
    session: Any  # an InferenceSession
    last_uses: tuple[str, ...] = ()  # tensors that no later stage and no caller takes


class SeededModel:
    """A model whose random numbers come from a seed. Any thread may use it."""

    def __init__(self, model: OnnxModel, outputs: Sequence[str]) -> None:
        """`outputs` are tensors of the graph. The model's file must stay there.

        Raises GraphUnfit; ImportError if ONNX Runtime is not installed.
        """
        self._runtime: Any = import_module("onnxruntime")
        self._errors = _errors_of(self._runtime)
        self._outputs = tuple(outputs)
        self._run_options = self._runtime.RunOptions()
        self._run_options.add_run_config_entry(ARENA_SHRINKAGE, "cpu:0")
        self._stages = [*_with_last_uses(self._opened(model), self._outputs)]

    def run(self, inputs: Mapping[str, NDArray[Any]], seed: int) -> list[NDArray[Any]]:
        """The outputs, in order. `seed` has up to 64 bits. Raises RunFailed.

        The noise of one place in the graph is independent of that of others, and of their sizes.
        """
        tensors = dict(inputs)
        number = 0
        for stage in self._stages:
            for noise in stage.graph.noises:
                tensors[noise.name] = _drawn(noise, tensors, (seed, number))
                number += 1
            names = (*stage.graph.inputs, *(noise.name for noise in stage.graph.noises))
            given = {name: tensors[name] for name in names}
            for name in stage.last_uses:
                del tensors[name]
            try:
                values = stage.session.run(stage.graph.outputs, given, self._run_options)
            except self._errors as error:
                raise RunFailed(first_line(error)) from error
            given.clear()  # what is not needed any more is not kept beside the next stage's memory
            tensors.update(zip(stage.graph.outputs, values, strict=True))
            del values
        return [tensors[name] for name in self._outputs]

    def _opened(self, model: OnnxModel) -> list[_Stage]:
        """The stages, one after the other: each tells the types of tensors that later ones take."""
        cutter = NoiseCutter(model, self._outputs)
        types = {one.name: TensorType(one.dtype) for one in model.inputs if one.dtype in KNOWN}
        stages: list[_Stage] = []
        for index in range(cutter.n_stages):
            graph = cutter.stage(index, types)
            session = self._session(graph.encoded, model.path.parent)
            types |= {one.name: _type_of(one.name, one.type) for one in session.get_outputs()}
            stages.append(_Stage(graph, session))
        return stages

    def _session(self, encoded: bytes, weights: Path) -> Any:
        options = self._runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.enable_mem_pattern = False  # it plans memory for one length; texts have many
        options.log_severity_level = ERRORS_ONLY
        options.add_session_config_entry(WEIGHTS_FOLDER, str(weights))
        try:
            return self._runtime.InferenceSession(encoded, options, providers=list(PROVIDERS))
        except self._errors as error:
            raise GraphUnfit(first_line(error)) from error


def _with_last_uses(stages: Sequence[_Stage], outputs: Sequence[str]) -> Iterator[_Stage]:
    """The stages, each with the tensors that may be forgotten when it has begun."""
    for number, stage in enumerate(stages):
        later = {name for one in stages[number + 1 :] for name in _taken(one.graph)}
        names = {name for name in _taken(stage.graph) if name not in (*later, *outputs)}
        yield replace(stage, last_uses=tuple(names))


def _taken(graph: GraphStage) -> Iterator[str]:
    yield from graph.inputs
    for noise in graph.noises:
        yield noise.name
        if noise.shape_name:
            yield noise.shape_name


def _errors_of(runtime: Any) -> tuple[type[Exception], ...]:
    """The errors that ONNX Runtime raises; they have no class of their own in common."""
    state = import_module(f"{runtime.__name__}.capi.onnxruntime_pybind11_state")
    found = (one for one in vars(state).values() if isinstance(one, type))
    return (RuntimeError, ValueError, *(one for one in found if issubclass(one, Exception)))


def _type_of(name: str, type_name: str) -> TensorType:
    """The type that ONNX Runtime tells of a tensor, as "tensor(float)". Raises GraphUnfit."""
    kind = type_name.removeprefix("tensor(").removesuffix(")").upper()
    if kind not in TensorType.__members__:
        raise GraphUnfit(f"{name} in its graph is a {type_name}")
    return TensorType[kind]


def _drawn(
    noise: NoiseInput, tensors: Mapping[str, NDArray[Any]], seed: tuple[int, int]
) -> NDArray[Any]:
    sizes = tensors[noise.shape_name].tolist() if noise.shape_name else noise.shape
    shape = tuple(map(int, sizes))
    draw = seeded_noise if noise.is_normal else seeded_uniform
    values = draw(seed, prod(shape)).reshape(shape)
    if (noise.offset, noise.scale) != (0.0, 1.0):
        values = noise.offset + noise.scale * values
    return values.astype(DTYPES[noise.dtype], copy=False)
