"""An ONNX file as its nodes, inputs and outputs. The weights stay where they are, in the file.

    ModelProto   opset_import, metadata_props, graph
    GraphProto   node node … , initializer initializer … , input, output
                               └─ a tensor's bytes, at an offset of the file

ONNX can keep tensors outside the model: by the name of a file, an offset and a length. Here that
file is the model's own. So ONNX Runtime maps the weights instead of reading them: a model of 325 MB
is one of 1 MB, and loading it needs 240 MB less memory.

Source: onnx/onnx.proto3 of github.com/onnx/onnx, and docs/ExternalData.md.
"""

from __future__ import annotations

import mmap
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

from audiomill.renderers.base import WeightsUnfit
from audiomill.renderers.kokoro.onnx.protobuf import (
    ProtobufError,
    ProtoField,
    bytes_field,
    fields_at,
    int_field,
    proto_fields,
    text_of,
)

MODEL_GRAPH, MODEL_METADATA = 7, 14
NODE, INITIALIZER, INPUT, OUTPUT = 1, 5, 11, 12  # of a graph
TENSOR_RAW, TENSOR_EXTERNAL, TENSOR_LOCATION = 9, 13, 14
EXTERNAL = 1
DTYPES = frozenset({"dtype", "to"})  # attributes that name a type of elements
KEPT_BYTES = 1024  # a tensor up to this size stays in the model


class TensorType(IntEnum):
    """Types of elements, as ONNX numbers them."""

    FLOAT = 1
    INT32 = 6
    INT64 = 7
    FLOAT16 = 10


@dataclass(frozen=True, slots=True)
class OnnxNode:
    """One operation. `dtype` is its attribute of that name or `to`; 0 if it has none."""

    op: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    dtype: int
    encoded: bytes  # with its key, as a field of a graph


@dataclass(frozen=True, slots=True)
class OnnxValue:
    """An input or output of a graph. Dimensions that vary are 0."""

    name: str
    dtype: int
    shape: tuple[int, ...]
    encoded: bytes


@dataclass(frozen=True, slots=True)
class OnnxModel:
    """A model in parts. `others` are its remaining fields, `graph_others` those of its graph."""

    path: Path
    nodes: tuple[OnnxNode, ...]
    inputs: tuple[OnnxValue, ...]
    outputs: tuple[OnnxValue, ...]
    metadata: dict[str, str]
    others: bytes
    graph_others: bytes


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
    nodes, graph_others = list[OnnxNode](), list[bytes]()
    inputs, outputs = list[OnnxValue](), list[OnnxValue]()
    for field in proto_fields(graph.value, graph.start):
        if field.number == NODE:
            nodes.append(_node(field))
        elif field.number == INPUT:
            inputs.append(_value(field))
        elif field.number == OUTPUT:
            outputs.append(_value(field))
        elif field.number == INITIALIZER:
            graph_others.append(_initializer(field, path.name))
        else:
            graph_others.append(bytes(field.whole))
    return OnnxModel(
        path,
        tuple(nodes),
        tuple(inputs),
        tuple(outputs),
        metadata,
        others,
        b"".join(graph_others),
    )


def _node(field: ProtoField) -> OnnxNode:
    """NodeProto: 1 input, 2 output, 4 op_type, 5 attribute. In one pass, as there are thousands."""
    texts: dict[int, list[str]] = {1: [], 2: [], 4: []}
    dtype = 0
    for part in proto_fields(field.value, field.start):
        if part.number in texts:
            texts[part.number].append(text_of(part))
        elif part.number == 5:
            dtype = max(dtype, _dtype_attribute(part))
    return OnnxNode("".join(texts[4]), tuple(texts[1]), tuple(texts[2]), dtype, bytes(field.whole))


def _dtype_attribute(field: ProtoField) -> int:
    """AttributeProto: 1 name, 3 i. The number, if it is a type of elements, else 0."""
    if len(field.value) > KEPT_BYTES:  # a tensor or a graph
        return 0
    names = {text_of(name) for name in fields_at(field, 1)}
    return max((one.count for one in fields_at(field, 3)), default=0) if names & DTYPES else 0


def _value(field: ProtoField) -> OnnxValue:
    """ValueInfoProto: 1 name, 2 type; in it 1 tensor_type; of that 1 elem_type, 2 shape, 1 dim."""
    return OnnxValue(
        "".join(map(text_of, fields_at(field, 1))),
        max((one.count for one in fields_at(field, 2, 1, 1)), default=0),
        tuple(
            max((size.count for size in fields_at(dim, 1)), default=0)
            for dim in fields_at(field, 2, 1, 2, 1)
        ),
        bytes(field.whole),
    )


def _initializer(field: ProtoField, file: str) -> bytes:
    """TensorProto, as a field of a graph; its bytes are left in `file`, if they are many."""
    parts = tuple(proto_fields(field.value, field.start))
    raw = next((part for part in parts if part.number == TENSOR_RAW), None)
    if raw is None or len(raw.value) <= KEPT_BYTES:
        return bytes(field.whole)
    place = {"location": file, "offset": str(raw.start), "length": str(len(raw.value))}
    return bytes_field(
        INITIALIZER,
        b"".join(
            (
                *(bytes(part.whole) for part in parts if part is not raw),
                *(
                    bytes_field(TENSOR_EXTERNAL, bytes_field(1, name) + bytes_field(2, value))
                    for name, value in place.items()
                ),
                int_field(TENSOR_LOCATION, EXTERNAL),
            )
        ),
    )
