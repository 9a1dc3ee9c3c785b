"""Runs rows of the published graph in ONNX Runtime on the CPU, side by side, each on one core.

    rows ─▶ one model with the noise of each row's seed, whose calls share the weights ─▶ samples

A session with one thread for each call needs a quarter less processor time than one that divides
each operation among two. So a row is computed in the same way whatever else is, and its samples
are the same alone, in any batch, and after a resume.

The graph takes one row: its text encoder has no mask, its durations are made a vector without a
batch, and its instance norms take their means over the whole length, padding included. The graph of
a student (`paradee_renderer.py`) has one voice, and takes no style.

The graph is rewritten so that durations come out:

    published   tokens, style, speed ─▶ … Sigmoid ─ ReduceSum ─ Div ─ Round ─ Clip … ─▶ audio
    rewritten   tokens, style, speed ─▶ …  the same …  ─▶ audio, durations

Source: `KModelForONNX` of hexgrad/kokoro, kokoro/model.py, as torch's TorchScript exporter writes
it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audiomill.renderers.engine.errors import EngineFailed, WeightsUnfit
from audiomill.renderers.engine.protocol import Samples
from audiomill.renderers.host.cores import usable_cores
from audiomill.renderers.host.hardware import ram_bytes
from audiomill.renderers.kokoro.inference.rows import RowAudio
from audiomill.renderers.kokoro.model.config import PACK_SHAPE, SAMPLE_RATE
from audiomill.renderers.onnx.protobuf import (
    INPUT,
    TensorType,
    constant_field,
    node_field,
    vector_field,
)
from audiomill.renderers.onnx.reading import OnnxModel, OnnxNode, OnnxValue, read_node
from audiomill.renderers.onnx.sessions import DTYPES, RunFailed, SeededModel
from audiomill.renderers.onnx.stages import GraphUnfit

# Inputs and outputs, by the names that exporters have given them.
TOKENS, STYLE, SPEED = ("tokens", "input_ids"), ("style",), ("speed",)
AUDIO, DURATIONS = ("audio", "waveform"), ("durations", "duration")
STYLE_SIZE = PACK_SHAPE[-1:]
CONFIG_KEY = "kokoro_config"  # metadata: the model's config.json
ADDED = "audiomill_durations"  # the output that is added
# Operators between two of the chain above, in the graphs of different exporters and precisions.
BETWEEN = frozenset({"Cast", "Identity", "Reshape", "Squeeze", "Unsqueeze"})

# A row takes 22 MB for a second of its audio; the longest that is planned has some 33 s.
ROW_BYTES = 750 << 20
SHARE_OF_RAM = 0.5
NO_MEMORY = ("bad allocation", "bad_alloc", "Failed to allocate memory")


@dataclass(frozen=True, slots=True)
class KokoroGraph:
    """A graph that can be run, and what it takes and gives."""

    model: OnnxModel
    tokens: OnnxValue
    style: OnnxValue | None  # None: the graph speaks with one voice
    speed: OnnxValue
    audio: str  # the name of a tensor
    durations: str  # likewise; "" if none was recognised
    vocab: Mapping[str, int] | None  # phonemes and tokens, if the model names them


def rewritten(model: OnnxModel) -> KokoroGraph:
    """The graph with durations as an output, where it has them.

    Raises WeightsUnfit if it is not Kokoro's.
    """
    if not model.outputs:
        raise _unfit(model, "it gives nothing")
    tokens, speed = _input(model, TOKENS), _any_speed(model, _input(model, SPEED))
    style = next((value for value in model.inputs if value.name in STYLE), None)
    if style is not None and style.shape[-1:] != STYLE_SIZE:
        raise _unfit(model, f"its styles are of {style.shape}")
    known = [value.name for value in model.outputs]
    audio = next((name for name in AUDIO if name in known), known[0])
    durations = next((name for name in DURATIONS if name in known), "")
    inputs = tuple(speed if one.name == speed.name else one for one in model.inputs)
    model = replace(model, inputs=inputs)
    if not durations and (inner := _rounded_durations(model.nodes, speed.name)):
        model, durations = _with_durations(model, inner), ADDED
    vocab = _vocab(model.metadata)
    return KokoroGraph(model, tokens, style, speed, audio, durations, vocab)


def with_style(graph: KokoroGraph) -> KokoroGraph:
    """The graph itself. Raises WeightsUnfit if it takes no style, so that it has but one voice."""
    if graph.style is None:
        raise _unfit(graph.model, _takes(graph.model))
    return graph


def _input(model: OnnxModel, names: tuple[str, ...]) -> OnnxValue:
    for value in model.inputs:
        if value.name in names:
            return value
    raise _unfit(model, _takes(model))


def _takes(model: OnnxModel) -> str:
    held = ", ".join(value.name for value in model.inputs) or "nothing"
    return f"it takes {held}, and not tokens, style and speed"


def _unfit(model: OnnxModel, found: str) -> WeightsUnfit:
    return WeightsUnfit(f"{model.path} is not a Kokoro model that can be used: {found}.")


def _any_speed(model: OnnxModel, speed: OnnxValue) -> OnnxValue:
    """The input `speed` as a float, where the graph makes one of it before anything else.

    Some exports declare a whole number, by the example that they were traced with.
    """
    users = {node.op for node in model.nodes if speed.name in node.inputs}
    if speed.dtype in (TensorType.INT32, TensorType.INT64) and users == {"Cast"}:
        encoded = vector_field(INPUT, speed.name, TensorType.FLOAT)
        return replace(speed, dtype=TensorType.FLOAT, encoded=encoded)
    return speed


def _vocab(metadata: Mapping[str, str]) -> Mapping[str, int] | None:
    try:
        vocab = json.loads(metadata[CONFIG_KEY])["vocab"]
        return {str(phoneme): int(token) for phoneme, token in vocab.items()}
    except (KeyError, ValueError, TypeError, AttributeError):
        return None


def _rounded_durations(nodes: tuple[OnnxNode, ...], speed: str) -> str:
    """The name of the frames of each token; "" if the chain to them is not in the graph.

    Kokoro's are sums of sigmoids. Whatever a student's are made of, they are divided by `speed`.
    """
    makers = {name: node for node in nodes for name in node.outputs}
    for node in nodes:
        if node.op == "Round" and (
            _comes_from(node, ("Div", "ReduceSum", "Sigmoid"), makers)
            or _is_divided_by(node, speed, makers)
        ):
            # At least one frame: a clip after the rounding.
            clips = (one for one in nodes if node.outputs[0] in one.inputs)
            return next((c.outputs[0] for c in clips if c.op in ("Clip", "Max")), node.outputs[0])
    return ""


def _comes_from(node: OnnxNode, ops: tuple[str, ...], makers: Mapping[str, OnnxNode]) -> bool:
    """True if the first input of `node` was made by these operators, the last one first."""
    for op in ops:
        before = makers.get(_origin(node.inputs[0], makers))
        if before is None or before.op != op:
            return False
        node = before
    return True


def _is_divided_by(node: OnnxNode, divisor: str, makers: Mapping[str, OnnxNode]) -> bool:
    """True if the first input of `node` is a quotient by the tensor `divisor`."""
    division = makers.get(_origin(node.inputs[0], makers))
    return (
        division is not None
        and division.op == "Div"
        and _origin(division.inputs[1], makers) == divisor
    )


def _origin(name: str, makers: Mapping[str, OnnxNode]) -> str:
    """The tensor that `name` is, but for its type and shape."""
    while name in makers and makers[name].op in BETWEEN:
        name = makers[name].inputs[0]
    return name


def _with_durations(model: OnnxModel, inner: str) -> OnnxModel:
    """The model with ADDED, the tensor `inner` as a vector of int64."""
    shape, vector = f"{ADDED}_shape", f"{ADDED}_vector"
    added = (
        node_field("Reshape", (inner, shape), vector),
        node_field("Cast", (vector,), ADDED, to=TensorType.INT64),
    )
    return replace(
        model,
        nodes=(*model.nodes, *map(read_node, added)),
        weights={**model.weights, shape: constant_field(shape, -1)},
    )


@dataclass(frozen=True, slots=True)
class OnnxRow:
    """One row: tokens, the style for their number (1, 256), the speed, and the noise's seed."""

    tokens: tuple[int, ...]
    style: NDArray[np.float32] | None  # None for a graph that takes none
    speed: float
    seed: int


class OnnxRunner:
    """Runs one model. Several threads may use it."""

    def __init__(self, graph: KokoroGraph, file: Path, settings: str) -> None:
        """`file` is the model's, `settings` the table of its engine. Raises WeightsUnfit."""
        self._graph, self._file, self._settings = graph, file, settings
        outputs = [name for name in (graph.audio, graph.durations) if name]
        try:
            self._model = SeededModel(graph.model, outputs)
        except GraphUnfit as error:
            raise WeightsUnfit(f"{file} cannot be used by ONNX Runtime: {error}") from error

    def run(self, row: OnnxRow) -> RowAudio:
        """The audio of a row. Raises EngineFailed."""
        try:
            outputs = self._model.run(self._inputs(row), row.seed)
        except RunFailed as error:
            raise self._failed(error) from error
        samples = outputs[0].reshape(-1).astype(np.float32, copy=False)
        if not np.isfinite(samples).all():
            raise EngineFailed(
                f"{self._file} speaks samples that are not numbers. Models of low precision do so"
                f" for some texts: set {self._settings}.precision to float32."
            )
        durations = outputs[1].reshape(-1) if self._graph.durations else None
        return _row_audio(samples, durations, len(row.tokens))

    def _inputs(self, row: OnnxRow) -> Mapping[str, NDArray[Any]]:
        graph = self._graph
        speed = np.array([row.speed]).astype(_dtype(graph.speed.dtype))
        if speed[0] != row.speed and speed.dtype.kind == "i":
            raise EngineFailed(f"{self._file} speaks at whole speeds only, not at {row.speed}.")
        inputs: dict[str, NDArray[Any]] = {
            graph.tokens.name: np.array([row.tokens], _dtype(graph.tokens.dtype)),
            graph.speed.name: speed,
        }
        if graph.style is not None and row.style is not None:
            inputs[graph.style.name] = row.style.astype(_dtype(graph.style.dtype), copy=False)
        return inputs

    def _failed(self, error: RunFailed) -> EngineFailed:
        message = str(error)
        if any(words in message for words in NO_MEMORY):
            return EngineFailed(
                f"There is no memory left for a segment. Set {self._settings}.threads to a lower"
                " number."
            )
        return EngineFailed(f"ONNX Runtime failed with {self._file}: {message}")


class RowPool:
    """Threads that run rows side by side, of one model or of several. Any thread may use it."""

    def __init__(self, n_threads: int) -> None:
        self._pool = ThreadPoolExecutor(n_threads, "onnx-row")

    def run(self, rows: Sequence[tuple[OnnxRunner, OnnxRow]]) -> list[RowAudio]:
        """Audio of all `rows`, in their order. Raises EngineFailed."""
        started = [self._pool.submit(runner.run, row) for runner, row in rows]
        try:
            return [one.result() for one in started]
        finally:
            for one in started:
                one.cancel()


def default_threads() -> int:
    """Rows side by side: one for each core, if they fit into half of the memory."""
    n_fit = int(SHARE_OF_RAM * (ram_bytes() or 0)) // ROW_BYTES
    return max(1, min(usable_cores(), n_fit))


def _dtype(number: int) -> type[np.generic]:
    return DTYPES.get(TensorType(number), np.float32)


def _row_audio(samples: Samples, durations: NDArray[np.int64] | None, n_tokens: int) -> RowAudio:
    """A row's audio. Durations that do not fit it are none: they were recognised wrongly."""
    n_frames = 0 if durations is None else int(durations.sum())
    if durations is None or durations.size != n_tokens or n_frames < 1 or samples.size % n_frames:
        return RowAudio(samples, (), 0.0)
    frame_s = samples.size // n_frames / SAMPLE_RATE
    return RowAudio(samples, tuple(map(int, durations)), frame_s)
