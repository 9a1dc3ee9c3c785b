"""Rewrites the published graph, so that noise comes in and durations come out.

    published   tokens, style, speed ─▶ … Sigmoid ─ ReduceSum ─ Div ─ Round ─ Clip … ─▶ audio
                                        … RandomNormalLike, RandomUniformLike …
    rewritten   tokens, style, speed, noise ─▶ …  the same …  ─▶ audio, durations

The published graph draws its noise itself, another one each time it runs. RandomNormalLike becomes
the beginning of the input `noise`, repeated where that is too short. RandomUniformLike becomes
zeros: the initial phases of the harmonics, which upstream draws, and drops when it resamples them.

Sources: `KModelForONNX` of hexgrad/kokoro, kokoro/model.py, as torch's TorchScript exporter writes
it; the operators of github.com/onnx/onnx, docs/Operators.md.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from audiomill.renderers.base import WeightsUnfit
from audiomill.renderers.kokoro.config import PACK_SHAPE
from audiomill.renderers.kokoro.onnx.onnx_file import (
    INITIALIZER,
    INPUT,
    MODEL_GRAPH,
    NODE,
    OUTPUT,
    OnnxModel,
    OnnxNode,
    OnnxValue,
    TensorType,
)
from audiomill.renderers.kokoro.onnx.protobuf import bytes_field, int_field

# Inputs and outputs, by the names that exporters have given them.
TOKENS, STYLE, SPEED = ("tokens", "input_ids"), ("style",), ("speed",)
AUDIO, DURATIONS = ("audio", "waveform"), ("durations", "duration")
STYLE_SIZE = PACK_SHAPE[-1:]
CONFIG_KEY = "kokoro_config"  # metadata: the model's config.json
OURS = "audiomill"  # the prefix of what is added
NOISE = f"{OURS}_noise"
ONE = f"{OURS}_one"
NORMAL, UNIFORM = "RandomNormalLike", "RandomUniformLike"
# Operators that draw something and are not rewritten. No published graph has one.
UNSEEDED = frozenset({"RandomNormal", "RandomUniform", "Multinomial", "Bernoulli"})
INT_ATTRIBUTE = 2
# What takes the place of an operator: steps with their inputs and output, of which the last is
# "values". `like` is the operator's own input, whose shape the values have.
REPLACED = {
    UNIFORM: (("Shape", "like", "shape"), ("ConstantOfShape", "shape", "values")),
    # The noise as often as is needed, noise x (wanted / present + 1), and of that the beginning.
    NORMAL: (
        ("Shape", "like", "shape"),
        ("Size", "like", "size"),
        ("Reshape", "size one", "wanted"),
        ("Shape", "noise", "present"),
        ("Div", "wanted present", "more"),
        ("Add", "more one", "times"),
        ("Tile", "noise times", "tiled"),
        ("Sub", "one one", "start"),
        ("Slice", "tiled start wanted", "cut"),
        ("Reshape", "cut shape", "values"),
    ),
}
# Operators between two of the chain above, in the graphs of different exporters and precisions.
BETWEEN = frozenset({"Cast", "Identity", "Squeeze", "Unsqueeze"})


@dataclass(frozen=True, slots=True)
class KokoroGraph:
    """A graph that can be run, and what it takes and gives. `encoded` lacks the weights."""

    encoded: bytes
    tokens: OnnxValue
    style: OnnxValue
    speed: OnnxValue
    audio: str  # the name of an output
    durations: str  # likewise; "" if none was recognised
    takes_noise: bool
    unseeded: tuple[str, ...]  # operators that draw something anew each time
    vocab: Mapping[str, int] | None  # phonemes and tokens, if the model names them


def rewritten(model: OnnxModel) -> KokoroGraph:
    """The graph with noise as an input and durations as an output, where it has them.

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
    added = list[bytes]()
    if not durations and (inner := _rounded_durations(model.nodes)):
        durations = f"{OURS}_durations"
        added += _durations_output(inner, durations)
    takes_noise = any(node.op == NORMAL for node in model.nodes)
    if takes_noise:
        added += [bytes_field(INPUT, _value_info(NOISE, TensorType.FLOAT)), _constant(ONE, 1)]
    inputs = (speed if one.name == speed.name else one for one in model.inputs)
    graph = (
        model.graph_others,
        *(one.encoded for one in (*inputs, *model.outputs)),
        *(part for node in model.nodes for part in _seeded(node)),
        *added,
    )
    return KokoroGraph(
        model.others + bytes_field(MODEL_GRAPH, b"".join(graph)),
        *(tokens, style, speed, audio, durations, takes_noise),
        tuple(sorted({node.op for node in model.nodes} & UNSEEDED)),
        _vocab(model.metadata),
    )


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
        encoded = bytes_field(INPUT, _value_info(speed.name, TensorType.FLOAT))
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


def _durations_output(inner: str, name: str) -> Iterator[bytes]:
    """Fields of a graph that make the value `inner` an output, as a vector of int64."""
    minus_one = f"{name}_shape"
    yield _constant(minus_one, -1)
    yield _node("Reshape", (inner, minus_one), f"{name}_vector")
    yield _node("Cast", (f"{name}_vector",), name, to=TensorType.INT64)
    yield bytes_field(OUTPUT, _value_info(name, TensorType.INT64))


def _seeded(node: OnnxNode) -> Iterator[bytes]:
    """The node, or what takes the place of one that draws something."""
    if node.op not in REPLACED:
        yield node.encoded
        return
    like, out = node.inputs[0], node.outputs[0]
    given = {"like": like, "noise": NOISE, "one": ONE}
    for op, inputs, output in REPLACED[node.op]:
        names = (given.get(name, f"{OURS}/{out}/{name}") for name in inputs.split())
        yield _node(op, tuple(names), f"{OURS}/{out}/{output}")
    values = f"{OURS}/{out}/values"
    if node.dtype:
        yield _node("Cast", (values,), out, to=node.dtype)
    else:
        yield _node("CastLike", (values, like), out)


def _node(op: str, inputs: tuple[str, ...], output: str, *, to: int = 0) -> bytes:
    """A field of a graph: an operation, with the attribute `to` unless it is 0."""
    attribute = bytes_field(1, "to") + int_field(3, to) + int_field(20, INT_ATTRIBUTE)
    parts = (
        *(bytes_field(1, name) for name in inputs),
        *(bytes_field(2, output), bytes_field(3, output), bytes_field(4, op)),
        bytes_field(5, attribute) if to else b"",
    )
    return bytes_field(NODE, b"".join(parts))


def _constant(name: str, value: int) -> bytes:
    """A field of a graph: a constant, int64 of (1)."""
    raw = value.to_bytes(8, "little", signed=True)
    parts = (int_field(1, 1), int_field(2, TensorType.INT64), bytes_field(8, name))
    return bytes_field(INITIALIZER, b"".join((*parts, bytes_field(9, raw))))


def _value_info(name: str, dtype: TensorType) -> bytes:
    """A vector whose length varies, as an input or an output."""
    shape = bytes_field(2, bytes_field(1, bytes_field(2, f"{name}_length")))
    tensor = bytes_field(1, int_field(1, dtype) + shape)
    return bytes_field(1, name) + bytes_field(2, tensor)
