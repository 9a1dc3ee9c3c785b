"""Protobuf's wire format, beside the library's own, and cut or changed anywhere."""

import onnx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.renderers.onnx.protobuf import (
    ProtobufError,
    bytes_field,
    fields_at,
    int_field,
    proto_fields,
    text_of,
)

TEXTS = st.text(max_size=300)
NUMBERS = st.integers(-(2**63), 2**63 - 1)


@given(TEXTS, NUMBERS, st.lists(NUMBERS, max_size=20))
def test_fields_are_those_of_the_library(name, number, numbers):
    written = onnx.AttributeProto(name=name, i=number, ints=numbers)
    fields = list(proto_fields(memoryview(written.SerializeToString())))
    assert "".join(text_of(one) for one in fields if one.number == 1) == name
    assert [one.count % 2**64 for one in fields if one.number == 3] in ([number % 2**64], [])


@given(TEXTS, NUMBERS)
def test_the_library_reads_what_is_written(name, number):
    encoded = bytes_field(1, name) + int_field(3, number) + int_field(20, 2)
    read = onnx.AttributeProto.FromString(encoded)
    assert (read.name, read.i, read.type) == (name, number, onnx.AttributeProto.INT)


def message() -> bytes:
    node = onnx.helper.make_node("Cast", ["a"], ["b"], to=1)
    return onnx.helper.make_graph([node] * 3, "graph", [], []).SerializeToString()


def test_offsets_are_those_of_the_whole_file():
    whole = bytes_field(7, message())
    (graph,) = proto_fields(memoryview(whole))
    for op in fields_at(graph, 1, 4):
        assert whole[op.start : op.start + len(op.value)] == b"Cast"


@given(st.integers(1, len(message()) - 1))
def test_a_message_that_is_cut_is_noticed_or_ends_between_two_fields(length):
    cut = memoryview(message())[:length]
    try:
        fields = list(proto_fields(cut))
    except ProtobufError:
        return
    assert sum(len(one.whole) for one in fields) == length


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(raw):
    try:
        fields = list(proto_fields(memoryview(raw)))
    except ProtobufError:
        return
    assert b"".join(bytes(one.whole) for one in fields) == raw


def test_a_number_without_an_end_is_refused():
    with pytest.raises(ProtobufError, match="no end"):
        list(proto_fields(memoryview(b"\x08" + b"\xff" * 20)))
