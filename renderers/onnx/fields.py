"""The numbers of ONNX's fields and types, and the fields that are written here.

Source: onnx/onnx.proto3 of github.com/onnx/onnx.
"""

from __future__ import annotations

from enum import IntEnum

from audiomill.renderers.onnx.protobuf import bytes_field, int_field

MODEL_GRAPH, MODEL_METADATA = 7, 14
NODE, GRAPH_NAME, INITIALIZER, INPUT, OUTPUT = 1, 2, 5, 11, 12  # of a graph
NODE_INPUT, NODE_OUTPUT, NODE_NAME, NODE_OP, NODE_ATTRIBUTE = 1, 2, 3, 4, 5
FLOAT_VALUE, INT_VALUE, INTS_VALUE, SUBGRAPHS = 2, 3, 8, (6, 11)  # of an attribute
ATTRIBUTE_TYPE, INT_ATTRIBUTE = 20, 2
TENSOR_DIMS, TENSOR_DTYPE, TENSOR_NAME, TENSOR_RAW = 1, 2, 8, 9
TENSOR_EXTERNAL, TENSOR_LOCATION, EXTERNAL = 13, 14, 1


class TensorType(IntEnum):
    """Types of elements, as ONNX numbers them. Its names for them are those of ONNX Runtime."""

    FLOAT = 1
    UINT8 = 2
    INT8 = 3
    UINT16 = 4
    INT16 = 5
    INT32 = 6
    INT64 = 7
    STRING = 8
    BOOL = 9
    FLOAT16 = 10
    DOUBLE = 11
    UINT32 = 12
    UINT64 = 13


def node_field(op: str, inputs: tuple[str, ...], output: str, *, to: int = 0) -> bytes:
    """An operation, as a field of a graph, with the attribute `to` unless it is 0."""
    attribute = (
        bytes_field(1, "to") + int_field(INT_VALUE, to) + int_field(ATTRIBUTE_TYPE, INT_ATTRIBUTE)
    )
    parts = (
        *(bytes_field(NODE_INPUT, name) for name in inputs),
        *(bytes_field(NODE_OUTPUT, output), bytes_field(NODE_NAME, output)),
        bytes_field(NODE_OP, op),
        bytes_field(NODE_ATTRIBUTE, attribute) if to else b"",
    )
    return bytes_field(NODE, b"".join(parts))


def constant_field(name: str, value: int) -> bytes:
    """A constant, int64 of (1), as a field of a graph."""
    raw = value.to_bytes(8, "little", signed=True)
    parts = (
        *(int_field(TENSOR_DIMS, 1), int_field(TENSOR_DTYPE, TensorType.INT64)),
        *(bytes_field(TENSOR_NAME, name), bytes_field(TENSOR_RAW, raw)),
    )
    return bytes_field(INITIALIZER, b"".join(parts))


def value_field(number: int, name: str, dtype: int) -> bytes:
    """An input or output of any shape; `number` is INPUT or OUTPUT. Type 0 is not told."""
    kind = bytes_field(2, bytes_field(1, int_field(1, dtype))) if dtype else b""
    return bytes_field(number, bytes_field(1, name) + kind)


def vector_field(number: int, name: str, dtype: int) -> bytes:
    """The same, of a vector whose length varies."""
    shape = bytes_field(2, bytes_field(1, bytes_field(2, f"{name}_length")))
    kind = bytes_field(2, bytes_field(1, int_field(1, dtype) + shape))
    return bytes_field(number, bytes_field(1, name) + kind)
