"""Cuts an ONNX graph at the nodes that draw random numbers, so that noise comes from outside.

    graph    text ─▶ encoder ─▶ RandomNormalLike ─▶ aligner ─▶ RandomNormalLike ─▶ decoder ─▶ audio
    stages   [text ─▶ encoder]         ▒           [aligner]          ▒          [decoder ─▶ audio]

A graph without seeds draws from the state of its session, so a text sounds different each time. The
shape of the noise is known only when the nodes before it have run: audio has no length before its
durations are there. So there is one stage for each such wait, and `sessions.py` draws noise from a
seed between two stages. Nothing is computed twice, and no bound on the length is needed.

Operators: https://onnx.ai/onnx/operators/ (RandomNormalLike, RandomUniformLike and those without
"Like", whose shape is an attribute).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from graphlib import CycleError, TopologicalSorter
from typing import cast

from audiomill.renderers.onnx.protobuf import (
    INPUT,
    MODEL_GRAPH,
    OUTPUT,
    TensorType,
    bytes_field,
    node_field,
    value_field,
)
from audiomill.renderers.onnx.reading import OnnxModel, OnnxNode, numbers_of, read_node

NORMAL = ("RandomNormal", "RandomNormalLike")
UNIFORM = ("RandomUniform", "RandomUniformLike")
DRAWN = frozenset({*NORMAL, *UNIFORM})
# These draw, too, in a way that no noise from outside replaces.
OTHER_RANDOM = frozenset({"Bernoulli", "Multinomial"})
FLOATS = (TensorType.FLOAT, TensorType.FLOAT16, TensorType.DOUBLE)


class GraphUnfit(ValueError):
    """The graph cannot be cut. The message is a part of a sentence."""


@dataclass(frozen=True, slots=True)
class NoiseInput:
    """Noise that a stage takes: `offset + scale * z`, z normal (0, 1) or uniform in [0, 1)."""

    name: str  # of the input
    shape_name: str  # of an earlier stage's output, the shape of the noise; "" if it is fixed
    shape: tuple[int, ...]  # if it is fixed
    is_normal: bool
    offset: float
    scale: float
    dtype: TensorType


@dataclass(frozen=True, slots=True)
class GraphStage:
    """A part of a graph, to be run when all its inputs are there."""

    encoded: bytes  # a model without its weights
    inputs: tuple[str, ...]  # without noise: inputs of the graph and outputs of earlier stages
    outputs: tuple[str, ...]
    noises: tuple[NoiseInput, ...]


@dataclass(slots=True)
class _StagePlan:
    """The stage of each tensor, counted from 0. Constants belong to no stage: each has its own."""

    of: dict[str, int]
    constants: dict[str, OnnxNode | None]  # the node that makes it; None for a weight
    nodes: defaultdict[int, list[OnnxNode]] = field(default_factory=lambda: defaultdict(list))
    noises: defaultdict[int, list[OnnxNode]] = field(default_factory=lambda: defaultdict(list))

    def add(self, node: OnnxNode) -> None:
        """Place a node whose inputs have been placed. Raises KeyError for one that is not there."""
        index = max((self.of[name] for name in node.reads if name not in self.constants), default=0)
        if node.op in DRAWN:
            index += bool(node.reads)  # its shape must be known before the stage that takes it
            self.noises[index].append(node)
        elif all(name in self.constants for name in node.reads):
            self.constants.update(dict.fromkeys(node.outputs, node))
            return
        else:
            self.nodes[index].append(node)
        self.of.update(dict.fromkeys(node.outputs, index))


class NoiseCutter:
    """Cuts one graph. The types of inner tensors, which a file need not tell, come from outside."""

    def __init__(self, model: OnnxModel, outputs: Sequence[str]) -> None:
        """`outputs` are tensors of the graph.

        Raises GraphUnfit if there is none of this name, or the graph draws in a way that cannot be
        replaced.
        """
        self._model = replace(model, nodes=_in_order(model.nodes))
        self._wanted, self._plan = outputs, _plan_of(self._model)
        if missing := [name for name in outputs if name not in self._plan.of]:
            raise GraphUnfit(f"its graph has no {' and no '.join(missing)}")
        self.n_stages: int = max(self._plan.of.values()) + 1

    def stage(self, index: int, types: Mapping[str, TensorType]) -> GraphStage:
        """The stage of this index. `types` are those of the graph's inputs and earlier outputs.

        Raises GraphUnfit.
        """
        shapes = [*self._shape_nodes(index)]
        nodes = [*self._plan.nodes[index], *shapes]
        nodes = [*self._constants_of(nodes), *nodes]
        noises = tuple(_noise(node, types) for node in self._plan.noises[index])
        made = {name for node in nodes for name in node.outputs}
        own = {*made, *self._model.weights, *(noise.name for noise in noises)}
        reads = dict.fromkeys(name for node in nodes for name in node.reads)
        inputs = tuple(name for name in reads if name not in own)
        shape_names = (node.outputs[0] for node in shapes)
        outputs = (*self._read_later(index), *shape_names)
        typed = {name: _type(name, types) for name in inputs}
        typed |= {noise.name: noise.dtype for noise in noises}
        encoded = self._encoded(nodes, self._weights(reads), typed, outputs)
        return GraphStage(encoded, inputs, outputs, noises)

    def _shape_nodes(self, index: int) -> Iterator[OnnxNode]:
        """Nodes that tell the next stage the shapes of its noise."""
        for node in self._plan.noises[index + 1]:
            yield read_node(node_field("Shape", (node.inputs[0],), _shape_name(node)))

    def _read_later(self, index: int) -> tuple[str, ...]:
        """The tensors that this stage makes and a later one reads, or the caller wants."""
        later = (
            name
            for number, nodes in self._plan.nodes.items()
            if number > index
            for node in nodes
            for name in node.reads
        )
        typing = (node.inputs[0] for node in self._plan.noises[index + 1] if not _dtype(node))
        names = dict.fromkeys((*later, *typing, *self._wanted))
        made = {name for node in self._plan.nodes[index] for name in node.outputs}
        return tuple(name for name in names if name in made)

    def _constants_of(self, nodes: Iterable[OnnxNode]) -> list[OnnxNode]:
        """The nodes that compute constants for `nodes`, in an order in which they can run."""
        needed: set[str] = set()
        waiting = [name for node in nodes for name in node.reads]
        while waiting:
            name = waiting.pop()
            node = self._plan.constants.get(name)
            if node is not None and name not in needed:
                needed.update(node.outputs)
                waiting += node.reads
        return [node for node in self._model.nodes if not needed.isdisjoint(node.outputs)]

    def _weights(self, names: Iterable[str]) -> Iterator[bytes]:
        return (self._model.weights[name] for name in names if name in self._model.weights)

    def _encoded(
        self,
        nodes: Iterable[OnnxNode],
        weights: Iterable[bytes],
        inputs: Mapping[str, TensorType],
        outputs: Iterable[str],
    ) -> bytes:
        given = {one.name: one.encoded for one in self._model.inputs}
        graph = (
            self._model.name,
            *(node.encoded for node in nodes),
            *weights,
            *(given.get(name) or value_field(INPUT, name, kind) for name, kind in inputs.items()),
            *(value_field(OUTPUT, name, 0) for name in outputs),
        )
        return self._model.others + bytes_field(MODEL_GRAPH, b"".join(graph))


def _in_order(nodes: Sequence[OnnxNode]) -> tuple[OnnxNode, ...]:
    """The nodes in an order in which they can run. Those of converted files are in any order."""
    makers = {name: number for number, node in enumerate(nodes) for name in node.outputs}
    needs = {
        number: [makers[name] for name in node.reads if name in makers]
        for number, node in enumerate(nodes)
    }
    try:
        return tuple(nodes[number] for number in TopologicalSorter(needs).static_order())
    except CycleError as error:
        raise GraphUnfit("its nodes wait for each other") from error


def _plan_of(model: OnnxModel) -> _StagePlan:
    plan = _StagePlan(
        dict.fromkeys((one.name for one in model.inputs), 0), dict.fromkeys(model.weights)
    )
    for node in model.nodes:
        if node.op in OTHER_RANDOM:
            raise GraphUnfit(f"its graph draws random numbers by {node.op}")
        if inner := sorted(node.inner_ops & (DRAWN | OTHER_RANDOM)):
            raise GraphUnfit(f"its graph draws random numbers by {inner[0]} in a subgraph")
        try:
            plan.add(node)
        except KeyError as error:
            raise GraphUnfit(f"its graph lacks {error.args[0]}") from error
    return plan


def _noise(node: OnnxNode, types: Mapping[str, TensorType]) -> NoiseInput:
    given = numbers_of(node)

    def number(name: str, default: float) -> float:
        return cast("float", given.get(name, default))

    is_normal = node.op in NORMAL
    low = number("low", 0.0)
    return NoiseInput(
        node.outputs[0],
        _shape_name(node) if node.inputs else "",
        cast("tuple[int, ...]", given.get("shape", ())),
        is_normal,
        number("mean", 0.0) if is_normal else low,
        number("scale", 1.0) if is_normal else number("high", 1.0) - low,
        _noise_type(node, types),
    )


def _noise_type(node: OnnxNode, types: Mapping[str, TensorType]) -> TensorType:
    kind = _dtype(node) or _type(node.inputs[0], types)
    if kind not in FLOATS:
        raise GraphUnfit(f"its graph draws random numbers of type {kind}")
    return TensorType(kind)


def _dtype(node: OnnxNode) -> int:
    """The type of the noise; 0 if it is that of the node's input."""
    default = 0 if node.inputs else TensorType.FLOAT
    return cast("int", numbers_of(node).get("dtype", default))


def _type(name: str, types: Mapping[str, TensorType]) -> TensorType:
    if name not in types:
        raise GraphUnfit(f"the type of {name} in its graph is not known")
    return types[name]


def _shape_name(node: OnnxNode) -> str:
    return f"{node.outputs[0]}:shape"
