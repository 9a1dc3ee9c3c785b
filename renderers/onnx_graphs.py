"""Cuts an ONNX graph at the nodes that draw random numbers, so that noise comes from outside.

    graph    text ─▶ encoder ─▶ RandomNormalLike ─▶ aligner ─▶ RandomNormalLike ─▶ decoder ─▶ audio
    stages   [text ─▶ encoder]         ▒           [aligner]          ▒          [decoder ─▶ audio]

A graph without seeds draws from the state of its session, so a text sounds different each time. The
shape of the noise is known only when the nodes before it have run: audio has no length before its
durations are there. So there is one stage for each such wait, and `onnx_sessions.py` draws noise
from a seed between two stages. Nothing is computed twice, and no bound on the length is needed.

Operators: https://onnx.ai/onnx/operators/ (RandomNormalLike, RandomUniformLike and those without
"Like", whose shape is an attribute).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import onnx
from onnx import GraphProto, ModelProto, NodeProto, TensorProto, helper, shape_inference

NORMAL = ("RandomNormal", "RandomNormalLike")
UNIFORM = ("RandomUniform", "RandomUniformLike")
# These draw, too, in a way that no noise from outside replaces.
OTHER_RANDOM = ("Bernoulli", "Multinomial")


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
    dtype: np.dtype[Any]


@dataclass(frozen=True, slots=True)
class GraphStage:
    """A part of a graph, to be run when all its inputs are there."""

    model: bytes  # serialised
    inputs: tuple[str, ...]  # without noise: inputs of the graph and outputs of earlier stages
    outputs: tuple[str, ...]
    noises: tuple[NoiseInput, ...]


@dataclass(slots=True)
class _StageLevels:
    """The stage of each tensor, counted from 0. Constants belong to no stage: each has its own."""

    of: dict[str, int]
    constants: dict[str, NodeProto | None]  # the node that makes it; None for an initialiser
    nodes: defaultdict[int, list[NodeProto]] = field(default_factory=lambda: defaultdict(list))
    noises: defaultdict[int, list[NodeProto]] = field(default_factory=lambda: defaultdict(list))

    def add(self, node: NodeProto) -> None:
        """Place a node whose inputs have been placed. Raises GraphUnfit."""
        reads = [*_reads(node)]
        level = max((self.of[name] for name in reads if name not in self.constants), default=0)
        if node.op_type in (*NORMAL, *UNIFORM):
            level += bool(reads)  # its shape must be known before the stage that takes it
            self.noises[level].append(node)
        elif all(name in self.constants for name in reads):
            self.constants.update(dict.fromkeys(node.output, node))
            return
        else:
            self.nodes[level].append(node)
        self.of.update(dict.fromkeys(node.output, level))


def split_at_noise(model: ModelProto, outputs: Sequence[str]) -> tuple[GraphStage, ...]:
    """The stages that compute `outputs`, tensors of the graph, in the order in which they run.

    Raises GraphUnfit if the graph has no such tensor, or draws in a way that cannot be replaced.
    """
    graph = shape_inference.infer_shapes(model).graph
    levels = _levels_of(graph)
    if missing := [name for name in outputs if name not in levels.of]:
        raise GraphUnfit(f"its graph has no {' and no '.join(missing)}")
    cutter = _Cutter(model, graph, levels, _types(graph))
    return tuple(cutter.stage(level, outputs) for level in range(max(levels.of.values()) + 1))


def tensors_made_by(model: ModelProto, operator: str) -> tuple[str, ...]:
    """The names of the tensors that nodes of this type make, for example "Ceil"."""
    return tuple(
        name for node in model.graph.node if node.op_type == operator for name in node.output
    )


def input_names(model: ModelProto) -> tuple[str, ...]:
    """The inputs that a caller gives. Old graphs list their weights among them."""
    weights = {one.name for one in model.graph.initializer}
    return tuple(one.name for one in model.graph.input if one.name not in weights)


def _levels_of(graph: GraphProto) -> _StageLevels:
    weights = dict.fromkeys(one.name for one in graph.initializer)
    given = (one.name for one in graph.input if one.name not in weights)
    levels = _StageLevels(dict.fromkeys(given, 0), {**weights})
    for node in graph.node:  # which ONNX has in an order in which they can run
        if drawing := _random_inside(node):
            raise GraphUnfit(f"its graph draws random numbers by {drawing}")
        try:
            levels.add(node)
        except KeyError as error:
            raise GraphUnfit(f"its graph lacks {error.args[0]}") from error
    return levels


@dataclass(frozen=True, slots=True)
class _Cutter:
    """Makes stages of a graph whose nodes have been placed."""

    model: ModelProto
    graph: GraphProto  # with the types of its tensors
    levels: _StageLevels
    types: Mapping[str, int]

    def stage(self, level: int, wanted: Sequence[str]) -> GraphStage:
        """The stage of the nodes of this level. `wanted` are the outputs of the whole graph."""
        shapes = [*self._shape_nodes(level)]
        nodes = [*self.levels.nodes[level], *shapes]
        constants = self._constants_of(nodes)
        made = {name for node in (*nodes, *constants) for name in node.output}
        weights = self._weights_of([*constants, *nodes])
        noises = tuple(self._noise(node) for node in self.levels.noises[level])
        reads = dict.fromkeys(name for node in (*constants, *nodes) for name in _reads(node))
        noise_names = [noise.name for noise in noises]
        inputs = tuple(
            name for name in reads if name not in made and name not in {*weights, *noise_names}
        )
        shape_names = [name for node in shapes for name in node.output]
        outputs = (*self._read_later(level, wanted), *shape_names)
        model = self._model(
            [*constants, *nodes], weights.values(), (*inputs, *noise_names), outputs
        )
        return GraphStage(model, inputs, outputs, noises)

    def _shape_nodes(self, level: int) -> Iterator[NodeProto]:
        """Nodes that tell the next stage the shapes of its noise."""
        for node in self.levels.noises[level + 1]:
            yield helper.make_node("Shape", [node.input[0]], [_shape_name(node)])

    def _read_later(self, level: int, wanted: Sequence[str]) -> tuple[str, ...]:
        """The tensors that this level makes and a later one reads, or the caller wants."""
        later = (
            name
            for number, nodes in self.levels.nodes.items()
            if number > level
            for node in nodes
            for name in _reads(node)
        )
        names = dict.fromkeys((*later, *wanted))
        made = {name for node in self.levels.nodes[level] for name in node.output}
        return tuple(name for name in names if name in made)

    def _constants_of(self, nodes: Iterable[NodeProto]) -> list[NodeProto]:
        """The nodes that compute constants for `nodes`, in an order in which they can run."""
        needed: set[str] = set()
        waiting = [name for node in nodes for name in _reads(node)]
        while waiting:
            name = waiting.pop()
            node = self.levels.constants.get(name)
            if node is not None and name not in needed:
                needed.update(node.output)
                waiting += _reads(node)
        return [node for node in self.graph.node if not needed.isdisjoint(node.output)]

    def _weights_of(self, nodes: Iterable[NodeProto]) -> dict[str, TensorProto]:
        reads = {name for node in nodes for name in _reads(node)}
        return {one.name: one for one in self.graph.initializer if one.name in reads}

    def _noise(self, node: NodeProto) -> NoiseInput:
        given = {one.name: helper.get_attribute_value(one) for one in node.attribute}
        is_normal = node.op_type in NORMAL
        low, high = given.get("low", 0.0), given.get("high", 1.0)
        return NoiseInput(
            node.output[0],
            _shape_name(node) if node.input else "",
            tuple(given.get("shape", ())),
            is_normal,
            given.get("mean", 0.0) if is_normal else low,
            given.get("scale", 1.0) if is_normal else high - low,
            np.dtype(helper.tensor_dtype_to_np_dtype(self._type(node.output[0]))),
        )

    def _model(
        self,
        nodes: Sequence[NodeProto],
        weights: Iterable[TensorProto],
        inputs: Iterable[str],
        outputs: Iterable[str],
    ) -> bytes:
        graph = helper.make_graph(
            nodes,
            self.graph.name,
            [helper.make_tensor_value_info(name, self._type(name), None) for name in inputs],
            [helper.make_empty_tensor_value_info(name) for name in outputs],
            [*weights],
        )
        model = helper.make_model(
            graph, opset_imports=self.model.opset_import, ir_version=self.model.ir_version
        )
        model.functions.extend(self.model.functions)
        return model.SerializeToString()

    def _type(self, name: str) -> int:
        """The type of a tensor's elements. Raises GraphUnfit if inference has not found it."""
        found = self.types.get(name, TensorProto.UNDEFINED)
        if found == TensorProto.UNDEFINED:
            raise GraphUnfit(f"the type of {name} in its graph is not known")
        return found


def _types(graph: GraphProto) -> dict[str, int]:
    return {
        one.name: one.type.tensor_type.elem_type
        for one in (*graph.input, *graph.value_info, *graph.output)
    }


def _shape_name(node: NodeProto) -> str:
    return f"{node.output[0]}:shape"


def _reads(node: NodeProto) -> Iterator[str]:
    """The tensors that a node reads, also from within its subgraphs. "" is an input left out."""
    yield from filter(None, node.input)
    for subgraph in _subgraphs(node):
        own = {one.name for one in (*subgraph.input, *subgraph.initializer)}
        for inner in subgraph.node:
            yield from (name for name in _reads(inner) if name not in own)
            own.update(inner.output)
        yield from (one.name for one in subgraph.output if one.name not in own)


def _subgraphs(node: NodeProto) -> Iterator[GraphProto]:
    for attribute in node.attribute:
        if attribute.type == onnx.AttributeProto.GRAPH:
            yield attribute.g
        yield from attribute.graphs


def _random_inside(node: NodeProto) -> str:
    """The operator of a node that draws and cannot be replaced; "" if there is none."""
    if node.op_type in OTHER_RANDOM:
        return node.op_type
    inner = [one for subgraph in _subgraphs(node) for one in subgraph.node]
    for one in inner:
        if one.op_type in (*NORMAL, *UNIFORM) or _random_inside(one):
            return f"{one.op_type} in a subgraph"
    return ""
