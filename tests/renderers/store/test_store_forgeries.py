"""Shards that someone forged, with right checksums: damaged, or the same audio; never an error."""

import hashlib
import io
import json
import os
import struct
from dataclasses import replace

import numpy as np
import pytest
import soundfile
from hypothesis import given
from hypothesis import strategies as st

from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.engine.protocol import Remark, Rendered, WordTiming
from audiomill.renderers.store.shard_format import (
    InvalidShard,
    MissReason,
    inspect,
    pack,
    unpack,
)
from audiomill.renderers.store.shard_header import MAX_TEXT_CHARS, Codec
from audiomill.renderers.store.shard_layout import MAGIC, MAX_BYTES, MAX_HEADER_BYTES, PREFIX
from audiomill.renderers.store.store import Miss, open_store
from support.case_files import each_row
from support.store_faults import (
    SAMPLE_RATE,
    holds,
    key_of,
    put,
    rendered,
    shard_of,
    with_header,
)

KEY = key_of(1)
AUDIO = Rendered(rendered(1).samples, rendered(1).timings, (Remark(0, 3, "spelled out"),))
SHARDS = {
    (codec, bits): b"".join(pack(KEY, AUDIO, sample_rate=SAMPLE_RATE, bits=bits, codec=codec))
    for codec in Codec
    for bits in (16, 24)
}
FIELDS = (
    *("schema", "key", "n_samples", "sample_rate", "codec", "bits", "exponent"),
    *("payload_bytes", "payload_sha256", "timings", "remarks"),
)


def outcome(data: bytes):
    """The samples of a shard, or None if it is refused. Nothing else may happen."""
    refused = []
    for read in (inspect, unpack):
        try:
            found = read(KEY, data)
        except InvalidShard as error:
            assert error.detail
            refused.append(read)
    return None if unpack in refused else found[1]


numbers = st.one_of(
    st.integers(), st.floats(), st.sampled_from([-5000, 5000, 2**63, 10**400, True, False])
)
texts = st.text("aé0\0\ud800", max_size=5)
values = st.recursive(
    st.one_of(st.none(), numbers, texts, st.sampled_from([KEY, "flac"])),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(texts, inner, max_size=3)),
    max_leaves=8,
)


@given(st.sampled_from(sorted(SHARDS)), st.sampled_from(FIELDS), values)
def test_a_header_with_a_forged_field_is_damaged_or_the_same_audio(kind, name, value):
    samples = outcome(with_header(SHARDS[kind], {name: value}))
    if samples is not None:
        header = {"exponent": 0, name: value}
        expected = np.ldexp(unpack(KEY, SHARDS[kind])[1], header["exponent"])
        assert np.array_equal(samples, expected)


@given(st.sampled_from(sorted(SHARDS)), st.dictionaries(st.sampled_from(FIELDS), values))
def test_a_header_with_several_forged_fields_is_no_traceback(kind, changes):
    samples = outcome(with_header(SHARDS[kind], changes))
    assert samples is None or np.abs(samples).max() <= 2.0**17


@given(st.one_of(st.binary(max_size=200), values.map(lambda value: json.dumps(value).encode())))
def test_a_header_that_is_anything_is_damaged(text):
    assert outcome(shard_of(text, b"audio")) is None


@given(st.data())
def test_changed_bytes_in_a_header_with_a_right_checksum_are_no_traceback(data):
    shard = SHARDS[data.draw(st.sampled_from(sorted(SHARDS)))]
    size = PREFIX.unpack_from(shard)[1]
    text = bytearray(shard[PREFIX.size : PREFIX.size + size])
    for _ in range(data.draw(st.integers(1, 3))):
        text[data.draw(st.integers(0, size - 1))] = data.draw(st.integers(0, 255))
    outcome(shard_of(bytes(text), shard[PREFIX.size + size :]))


@each_row
def test_a_field_of_another_type_or_out_of_range_is_damage(changes):
    forged = with_header(SHARDS[Codec.PCM, 16], changes)
    for read in (inspect, unpack):
        with pytest.raises(InvalidShard):
            read(KEY, forged)


@pytest.mark.parametrize("text", [b"[" * 100_000, b'{"a":' * 100_000, b"9" * 10_000, b"{}", b"3"])
def test_deep_or_strange_json_is_damage(text):
    with pytest.raises(InvalidShard) as error:
        unpack(KEY, shard_of(text))
    assert error.value.reason is MissReason.DAMAGED


@each_row
def test_a_header_that_describes_other_audio_is_damage(codec, changes):
    audio = rendered(1, n_samples=400)
    data = b"".join(pack(KEY, audio, sample_rate=SAMPLE_RATE, bits=16, codec=Codec(codec)))
    with pytest.raises(InvalidShard) as error:
        unpack(KEY, with_header(data, changes))
    assert error.value.reason is MissReason.DAMAGED


def test_a_header_that_says_it_is_huge_is_damage():
    data = PREFIX.pack(MAGIC, MAX_HEADER_BYTES + 1, bytes(32))
    with pytest.raises(InvalidShard, match=str(MAX_HEADER_BYTES + 1)):
        unpack(KEY, data + bytes(MAX_HEADER_BYTES + 1))


def flac_of(samples, rate=SAMPLE_RATE):
    file = io.BytesIO()
    soundfile.write(file, samples, rate, "PCM_16", format="FLAC")
    return file.getvalue()


@pytest.mark.parametrize(
    "payload",
    [
        flac_of(np.zeros(48_000 * 60, np.int16)),  # some bytes that say they are a minute
        flac_of(np.zeros((400, 8), np.int16)),
        flac_of(np.zeros(rendered(1).samples.size, np.int16), 48_000),
        flac_of(np.zeros(rendered(1).samples.size, np.int16))[:-4],
        b"RIFF" + struct.pack("<I", 36) + b"WAVEfmt ",
    ],
    ids=["longer", "eight channels", "another rate", "cut", "another format"],
)
def test_flac_that_is_not_what_the_header_says_is_damage(payload):
    size = PREFIX.unpack_from(SHARDS[Codec.FLAC, 16])[1]
    whole = SHARDS[Codec.FLAC, 16][: PREFIX.size + size] + payload
    changes = {
        "payload_bytes": len(payload),
        "payload_sha256": hashlib.sha256(payload).hexdigest(),
    }
    with pytest.raises(InvalidShard):
        unpack(KEY, with_header(whole, changes))


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("timings", WordTiming(0, 1, float("nan"), 1.0)),
        ("remarks", Remark(0, 1, "x" * (MAX_TEXT_CHARS + 1))),
    ],
)
def test_what_could_not_be_read_again_is_not_stored(name, known):
    audio = replace(rendered(1), **{name: (known,)})
    with pytest.raises(EngineFailed, match=name):
        pack(KEY, audio, sample_rate=SAMPLE_RATE, bits=16, codec=Codec.PCM)


def link_to_zeros(path):
    path.symlink_to("/dev/zero")


def link_to_another_shard(path):
    other = path.parent.parent / "other"
    other.write_bytes(SHARDS[Codec.PCM, 16])
    path.symlink_to(other)


def huge_file(path):
    with path.open("wb") as file:
        os.truncate(file.fileno(), MAX_BYTES + 1)  # takes no room on the disk


@pytest.mark.parametrize("forge", [link_to_zeros, link_to_another_shard, huge_file])
def test_a_link_or_a_huge_file_is_not_read_and_is_replaced(tmp_path, forge):
    store = open_store(str(tmp_path))
    path = tmp_path / KEY[:2] / f"{KEY}.shard"
    path.parent.mkdir()
    forge(path)
    for read in (store.get, store.check):
        miss = read(KEY)
        assert isinstance(miss, Miss)
        assert miss.reason is MissReason.UNREADABLE
    put(store, 1)
    assert holds(store, 1)
    assert not path.is_symlink()
