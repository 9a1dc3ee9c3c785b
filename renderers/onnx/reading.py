"""An ONNX file as its nodes, inputs and outputs. The weights stay where they are, in the file.

    ModelProto   opset_import, metadata_props, graph
    GraphProto   node node … , initializer initializer … , input, output
                               └─ a tensor's bytes, at an offset of the file

ONNX can keep tensors outside the model: by the name of a file, an offset and a length. Here that
file is the model's own. So ONNX Runtime maps the weights instead of reading them: a model of 325 MB
is one of 1 MB, and loading it needs 240 MB less memory. The package `onnx` is not needed.

Source: onnx/onnx.proto3 of github.com/onnx/onnx, and docs/ExternalData.md.
"""

from __future__ import annotations

import mmap
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from audiomill.renderers.engine.errors import WeightsUnfit
from audiomill.renderers.onnx.protobuf import (
    EXTERNAL,
    FLOAT_VALUE,
    GRAPH_NAME,
    INITIALIZER,
    INPUT,
    INT_VALUE,
    INTS_VALUE,
    MODEL_GRAPH,
    MODEL_METADATA,
    NODE,
    NODE_ATTRIBUTE,
    NODE_INPUT,
    NODE_OP,
    NODE_OUTPUT,
    OUTPUT,
    SUBGRAPHS,
    TENSOR_EXTERNAL,
    TENSOR_LOCATION,
    TENSOR_NAME,
    TENSOR_RAW,
    ProtobufError,
    ProtoField,
    bytes_field,
    counts_of,
    fields_at,
    float_of,
    int_field,
    proto_fields,
    text_of,
)

KEPT_BYTES = 1024  # a tensor up to this size stays in the model


@dataclass(frozen=True, slots=True)
class OnnxNode:
    """One operation. Its `encoded` bytes begin with its key, as a field of a graph."""

    op: str
    inputs: tuple[str, ...]  # "" for one that is left out
    outputs: tuple[str, ...]
    reads: tuple[str, ...]  # its inputs, and what its subgraphs read from outside
    inner_ops: frozenset[str]  # the operators in its subgraphs
    encoded: bytes


@dataclass(frozen=True, slots=True)
class OnnxValue:
    """An input or output of a graph. Dimensions that vary are 0."""

    name: str
    dtype: int
    shape: tuple[int, ...]
    encoded: bytes


@dataclass(frozen=True, slots=True)
class OnnxModel:
    """A model in parts. `others` are its remaining fields. Types of inner tensors are left out."""

    path: Path
    name: bytes  # of the graph, as its field
    nodes: tuple[OnnxNode, ...]  # in any order: some converters append theirs
    weights: Mapping[str, bytes]  # fields of the graph, by name
    inputs: tuple[OnnxValue, ...]  # without weights, which old graphs list among them
    outputs: tuple[OnnxValue, ...]
    metadata: Mapping[str, str]
    others: bytes


def read_onnx(path: Path) -> OnnxModel:
    """Read all but the weights. Raises WeightsUnfit for what is no whole ONNX file."""
    path = path.resolve()  # tensors are looked for beside the file itself, not beside a link to it
    try:
        with path.open("rb") as file:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        return _model(path, memoryview(data))
    except OSError as error:
        raise WeightsUnfit(f"{path} cannot be read: {error.strerror or error}.") from error
    except ValueError as error:  # a ProtobufError, or the file is empty
        raise WeightsUnfit(
            f"{path} is cut short, or is no ONNX file ({error}). Copy or fetch it again."
        ) from error


def read_node(encoded: bytes) -> OnnxNode:
    """A node of a graph, from its field."""
    (field,) = proto_fields(memoryview(encoded))
    return _node(field)


def numbers_of(node: OnnxNode) -> dict[str, float | tuple[int, ...]]:
    """The node's attributes that are numbers or lists of whole numbers, by name."""
    (field,) = proto_fields(memoryview(node.encoded))
    found: dict[str, float | tuple[int, ...]] = {}
    for attribute in fields_at(field, NODE_ATTRIBUTE):
        parts = defaultdict[int, list[ProtoField]](list)
        for part in proto_fields(attribute.value):
            parts[part.number].append(part)
        name = "".join(map(text_of, parts[1]))
        if parts[FLOAT_VALUE]:
            found[name] = float_of(parts[FLOAT_VALUE][0])
        elif parts[INT_VALUE]:
            found[name] = parts[INT_VALUE][0].count
        elif parts[INTS_VALUE]:
            found[name] = tuple(count for part in parts[INTS_VALUE] for count in counts_of(part))
    return found


def _model(path: Path, data: memoryview) -> OnnxModel:
    others, metadata = list[bytes](), dict[str, str]()
    graph: ProtoField | None = None
    for field in proto_fields(data):
        if field.number == MODEL_GRAPH:
            graph = field
            continue
        others.append(bytes(field.whole))
        if field.number == MODEL_METADATA:
            entry = {part.number: text_of(part) for part in proto_fields(field.value)}
            metadata[entry.get(1, "")] = entry.get(2, "")
    if graph is None:
        raise ProtobufError("there is no graph in it")
    return _with_graph(path, graph, b"".join(others), metadata)


def _with_graph(
    path: Path, graph: ProtoField, others: bytes, metadata: dict[str, str]
) -> OnnxModel:
    parts = defaultdict[int, list[ProtoField]](list)
    for field in proto_fields(graph.value, graph.start):
        parts[field.number].append(field)
    weights = dict(_weight(field, path.name) for field in parts[INITIALIZER])
    return OnnxModel(
        path,
        b"".join(bytes(field.whole) for field in parts[GRAPH_NAME]),
        tuple(map(_node, parts[NODE])),
        weights,
        tuple(one for one in map(_value, parts[INPUT]) if one.name not in weights),
        tuple(map(_value, parts[OUTPUT])),
        metadata,
        others,
    )


def _node(field: ProtoField) -> OnnxNode:
    """In one pass, as a graph has thousands of nodes."""
    texts: dict[int, list[str]] = {NODE_INPUT: [], NODE_OUTPUT: [], NODE_OP: []}
    inner_reads, inner_ops = list[str](), set[str]()
    for part in proto_fields(field.value, field.start):
        if part.number in texts:
            texts[part.number].append(text_of(part))
        elif part.number == NODE_ATTRIBUTE:
            for subgraph in proto_fields(part.value, part.start):
                if subgraph.number in SUBGRAPHS:
                    inner_ops.update(_read_subgraph(subgraph, inner_reads))
    inputs = texts[NODE_INPUT]
    return OnnxNode(
        "".join(texts[NODE_OP]),
        tuple(inputs),
        tuple(texts[NODE_OUTPUT]),
        tuple(dict.fromkeys(filter(None, (*inputs, *inner_reads)))),
        frozenset(inner_ops),
        bytes(field.whole),
    )


def _read_subgraph(graph: ProtoField, reads: list[str]) -> Iterator[str]:
    """The operators of a subgraph. What it reads from outside is appended to `reads`."""
    known = {_name(one, TENSOR_NAME) for one in fields_at(graph, INITIALIZER)}
    known.update(_name(one, 1) for one in fields_at(graph, INPUT))
    for inner in map(_node, fields_at(graph, NODE)):
        reads += (name for name in inner.reads if name not in known)
        known.update(inner.outputs)
        yield inner.op
        yield from inner.inner_ops
    reads += (
        name for name in (_name(one, 1) for one in fields_at(graph, OUTPUT)) if name not in known
    )


def _name(field: ProtoField, number: int) -> str:
    return "".join(map(text_of, fields_at(field, number)))


def _value(field: ProtoField) -> OnnxValue:
    """ValueInfoProto: 1 name, 2 type; in it 1 tensor_type; of that 1 elem_type, 2 shape, 1 dim."""
    return OnnxValue(
        _name(field, 1),
        max((one.count for one in fields_at(field, 2, 1, 1)), default=0),
        tuple(
            max((size.count for size in fields_at(dim, 1)), default=0)
            for dim in fields_at(field, 2, 1, 2, 1)
        ),
        bytes(field.whole),
    )


def _weight(field: ProtoField, file: str) -> tuple[str, bytes]:
    """TensorProto: its name and field. Its bytes are left in `file`, if they are many."""
    parts = tuple(proto_fields(field.value, field.start))
    name = "".join(text_of(part) for part in parts if part.number == TENSOR_NAME)
    raw = next((part for part in parts if part.number == TENSOR_RAW), None)
    if raw is None or len(raw.value) <= KEPT_BYTES:
        return name, bytes(field.whole)
    place = {"location": file, "offset": str(raw.start), "length": str(len(raw.value))}
    return name, bytes_field(
        INITIALIZER,
        b"".join(
            (
                *(bytes(part.whole) for part in parts if part is not raw),
                *(
                    bytes_field(TENSOR_EXTERNAL, bytes_field(1, key) + bytes_field(2, value))
                    for key, value in place.items()
                ),
                int_field(TENSOR_LOCATION, EXTERNAL),
            )
        ),
    )
