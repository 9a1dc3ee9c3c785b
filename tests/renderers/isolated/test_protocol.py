"""Messages of a worker: however they are cut, and whatever else comes instead."""

import json
import struct
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.renderers.isolated.protocol import (
    Message,
    MessageParser,
    Rubbish,
    hello_of,
    samples_of,
)
from support.case_files import each_row

HELLO = {
    "op": "hello",
    "protocol": 1,
    "sample_rate": 24000,
    "voices": [{"name": "b"}, {"name": "a", "language": "en", "gender": "female"}],
    "languages": ["en"],
    "clones": True,
    "rows_per_call": 4,
}
MESSAGES = st.lists(
    st.tuples(
        st.dictionaries(st.text(max_size=8), st.integers() | st.text(max_size=30), max_size=4),
        st.binary(max_size=200),
    ),
    max_size=6,
)


def encoded(content, payload=b""):
    told = {**content, "n_bytes": len(payload)} if payload else dict(content)
    return json.dumps(told).encode() + b"\n" + payload


def audio(samples, rate=24000, form="f32le", **more):
    payload = struct.pack(f"<{len(samples)}f", *samples) if form == "f32le" else samples
    return Message({"op": "row", "sample_rate": rate, "format": form, **more}, payload)


@given(MESSAGES, st.lists(st.integers(0, 2000), max_size=8))
def test_messages_are_the_same_however_they_are_cut(messages, cuts):
    messages = [
        ({key: value for key, value in content.items() if key != "n_bytes"}, payload)
        for content, payload in messages
    ]
    data = b"".join(encoded(*message) for message in messages)
    edges = [0, *sorted(cut % (len(data) + 1) for cut in cuts), len(data)]
    parser = MessageParser()
    found = [message for first, end in pairwise(edges) for message in parser.feed(data[first:end])]
    assert [message.payload for message in found] == [payload for _, payload in messages]
    for message, (content, _) in zip(found, messages, strict=True):
        assert content.items() <= message.content.items()


@given(st.binary(max_size=400))
def test_any_bytes_are_messages_or_rubbish(data):
    try:
        for message in MessageParser().feed(data):
            assert isinstance(message.content, dict)
    except Rubbish as error:
        assert str(error)


@each_row
def test_what_is_no_message_is_rubbish(data):
    with pytest.raises(Rubbish):
        list(MessageParser().feed(data))


def test_a_hello_is_read_with_its_voices_by_name():
    hello = hello_of(Message(HELLO))
    assert [(voice.name, voice.language) for voice in hello.voices] == [("a", "en"), ("b", "mul")]
    assert (hello.sample_rate, hello.clones, hello.rows_per_call) == (24000, True, 4)


@each_row
def test_a_hello_that_does_not_keep_to_the_protocol_is_rubbish(change):
    with pytest.raises(Rubbish):
        hello_of(Message({**HELLO, **change}))


def test_samples_come_through_unchanged():
    given_ = [0.0, 0.5, -1.0, 1e-7]
    assert samples_of(audio(given_), 24000).tolist() == np.float32(given_).tolist()
    shorts = struct.pack("<3h", 0, 16384, -32768)
    assert samples_of(audio(shorts, form="s16le"), 24000).tolist() == [0.0, 0.5, -1.0]


@each_row
def test_what_is_no_audio_is_rubbish(samples, told, words):
    given_ = samples if isinstance(samples, bytes) else [*map(float, samples)]
    with pytest.raises(Rubbish, match=words):
        samples_of(audio(given_, **told), 24000)
