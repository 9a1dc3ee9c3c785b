"""Reads and writes protobuf's wire format and the fields of ONNX, as far as ONNX files need it.

    message   field field field …
    field     key  value                     key: a varint, number << 3 | kind
    value     varint | 8 bytes | length, bytes | 4 bytes

A field's bytes are a view into the file: the weights of a model are neither read nor copied. The
package `onnx` would parse 325 MB into Python objects, and take 60 MB of disk.

Sources: protobuf.dev, "Encoding"; onnx/onnx.proto3 of github.com/onnx/onnx.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
MAX_VARINT_BYTES = 10
UINT64 = 1 << 64

MODEL_GRAPH, MODEL_METADATA = 7, 14
NODE, GRAPH_NAME, INITIALIZER, INPUT, OUTPUT = 1, 2, 5, 11, 12  # of a graph
NODE_INPUT, NODE_OUTPUT, NODE_NAME, NODE_OP, NODE_ATTRIBUTE = 1, 2, 3, 4, 5
FLOAT_VALUE, INT_VALUE, INTS_VALUE, SUBGRAPHS = 2, 3, 8, (6, 11)  # of an attribute
ATTRIBUTE_TYPE, INT_ATTRIBUTE = 20, 2
TENSOR_DIMS, TENSOR_DTYPE, TENSOR_NAME, TENSOR_RAW = 1, 2, 8, 9
TENSOR_EXTERNAL, TENSOR_LOCATION, EXTERNAL = 13, 14, 1


class ProtobufError(ValueError):
    """The bytes are no protobuf message, or only the beginning of one."""


@dataclass(frozen=True, slots=True)
class ProtoField:
    """One field of a message. `start` is the offset of the value's first byte in the file."""

    number: int
    count: int  # the value of a varint; 0 for other kinds
    value: memoryview  # of other kinds: the value's bytes
    start: int
    whole: memoryview  # the field with its key and length


def proto_fields(message: memoryview, offset: int = 0) -> Iterator[ProtoField]:
    """The fields of `message`, which begins at `offset` of its file. Raises ProtobufError."""
    at, end = 0, len(message)
    while at < end:
        first = at
        key, at = _varint(message, at)
        kind, size, value = key & 7, 0, 0
        if kind == VARINT:
            value, at = _varint(message, at)
        elif kind == BYTES:
            size, at = _varint(message, at)
        elif kind in (FIXED32, FIXED64):
            size = 8 if kind == FIXED64 else 4
        else:
            raise ProtobufError(f"field of kind {kind} at byte {offset + first}")
        if at + size > end:
            raise ProtobufError(f"a field ends {at + size - end:,} bytes after the end")
        bytes_ = message[at : at + size]
        start, at = offset + at, at + size
        yield ProtoField(key >> 3, value, bytes_, start, message[first:at])


def fields_at(field: ProtoField, *path: int) -> Iterator[ProtoField]:
    """The fields inside a message whose numbers are `path`, from the outside in."""
    if not path:
        yield field
        return
    for part in proto_fields(field.value, field.start):
        if part.number == path[0]:
            yield from fields_at(part, *path[1:])


def text_of(field: ProtoField) -> str:
    """A field's bytes as text. Raises ProtobufError."""
    try:
        return bytes(field.value).decode()
    except UnicodeDecodeError as error:
        raise ProtobufError(f"no text at byte {field.start}") from error


def float_of(field: ProtoField) -> float:
    """The number of a field of four bytes."""
    return struct.unpack("<f", field.value)[0]


def counts_of(field: ProtoField) -> Iterator[int]:
    """The whole numbers of a field that may hold several, packed or one by one, as int64."""
    if field.whole[0] & 7 == VARINT:
        yield _signed(field.count)
    at = 0
    while at < len(field.value):
        count, at = _varint(field.value, at)
        yield _signed(count)


def bytes_field(number: int, value: bytes | memoryview | str) -> bytes:
    """A field with bytes, a text or a message."""
    raw = value.encode() if isinstance(value, str) else value
    return b"".join((varint(number << 3 | BYTES), varint(len(raw)), raw))


def int_field(number: int, value: int) -> bytes:
    """A field with an integer."""
    return varint(number << 3 | VARINT) + varint(value)


def varint(value: int) -> bytes:
    """A varint; a negative number as an int64."""
    value %= UINT64
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _signed(count: int) -> int:
    return count - UINT64 if count >> 63 else count


def _varint(message: memoryview, at: int) -> tuple[int, int]:
    """The varint at `at`, and where it ends. Raises ProtobufError."""
    value = shift = 0
    for byte in message[at : at + MAX_VARINT_BYTES]:
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value % UINT64, at
        shift += 7
    raise ProtobufError("a number has no end")


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
