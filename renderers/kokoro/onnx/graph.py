"""Recognises the published graph, and rewrites it so that durations come out.

    published   tokens, style, speed ─▶ … Sigmoid ─ ReduceSum ─ Div ─ Round ─ Clip … ─▶ audio
    rewritten   tokens, style, speed ─▶ …  the same …  ─▶ audio, durations

Source: `KModelForONNX` of hexgrad/kokoro, kokoro/model.py, as torch's TorchScript exporter writes
it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

from audiomill.renderers.base import WeightsUnfit
from audiomill.renderers.kokoro.config import PACK_SHAPE
from audiomill.renderers.onnx.fields import (
    INPUT,
    TensorType,
    constant_field,
    node_field,
    vector_field,
)
from audiomill.renderers.onnx.reading import OnnxModel, OnnxNode, OnnxValue, read_node

# Inputs and outputs, by the names that exporters have given them.
TOKENS, STYLE, SPEED = ("tokens", "input_ids"), ("style",), ("speed",)
AUDIO, DURATIONS = ("audio", "waveform"), ("durations", "duration")
STYLE_SIZE = PACK_SHAPE[-1:]
CONFIG_KEY = "kokoro_config"  # metadata: the model's config.json
ADDED = "audiomill_durations"  # the output that is added
# Operators between two of the chain above, in the graphs of different exporters and precisions.
BETWEEN = frozenset({"Cast", "Identity", "Squeeze", "Unsqueeze"})


@dataclass(frozen=True, slots=True)
class KokoroGraph:
    """A graph that can be run, and what it takes and gives."""

    model: OnnxModel
    tokens: OnnxValue
    style: OnnxValue
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
    tokens, style, speed = (_input(model, names) for names in (TOKENS, STYLE, SPEED))
    if style.shape[-1:] != STYLE_SIZE:
        raise _unfit(model, f"its styles are of {style.shape}")
    speed = _any_speed(model, speed)
    known = [value.name for value in model.outputs]
    audio = next((name for name in AUDIO if name in known), known[0])
    durations = next((name for name in DURATIONS if name in known), "")
    inputs = tuple(speed if one.name == speed.name else one for one in model.inputs)
    model = replace(model, inputs=inputs)
    if not durations and (inner := _rounded_durations(model.nodes)):
        model, durations = _with_durations(model, inner), ADDED
    vocab = _vocab(model.metadata)
    return KokoroGraph(model, tokens, style, speed, audio, durations, vocab)


def _input(model: OnnxModel, names: tuple[str, ...]) -> OnnxValue:
    for value in model.inputs:
        if value.name in names:
            return value
    held = ", ".join(value.name for value in model.inputs) or "nothing"
    raise _unfit(model, f"it takes {held}, and not tokens, style and speed")


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


def _rounded_durations(nodes: tuple[OnnxNode, ...]) -> str:
    """The name of the frames of each token; "" if the chain to them is not in the graph."""
    makers = {name: node for node in nodes for name in node.outputs}
    for node in nodes:
        if node.op == "Round" and _comes_from(node, ("Div", "ReduceSum", "Sigmoid"), makers):
            # At least one frame: a clip after the rounding.
            clips = (one for one in nodes if node.outputs[0] in one.inputs)
            return next((c.outputs[0] for c in clips if c.op in ("Clip", "Max")), node.outputs[0])
    return ""


def _comes_from(node: OnnxNode, ops: tuple[str, ...], makers: Mapping[str, OnnxNode]) -> bool:
    """True if the first input of `node` was made by these operators, the last one first."""
    for op in ops:
        before = makers.get(node.inputs[0])
        while before is not None and before.op in BETWEEN:
            before = makers.get(before.inputs[0])
        if before is None or before.op != op:
            return False
        node = before
    return True


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
