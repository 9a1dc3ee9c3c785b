"""Every kind of damage to a shard is a miss with a reason, and the next put repairs it."""

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.renderers.store.shard_format import (
    PREFIX,
    InvalidShard,
    MissReason,
    inspect,
    pack,
    unpack,
)
from audiomill.renderers.store.shard_header import SCHEMA, Codec
from audiomill.renderers.store.store import Miss, open_store
from support.store_faults import SAMPLE_RATE, holds, key_of, put, rendered, temporaries, with_header

KEY = key_of(1)


@pytest.fixture
def store(tmp_path):
    return open_store(str(tmp_path))


def packed(key, audio, codec=Codec.PCM):
    return pack(key, audio, sample_rate=SAMPLE_RATE, bits=16, codec=codec)


def root_of(store):
    return Path(store.location)


def path_of(store, number=1):
    key = key_of(number)
    return root_of(store) / key[:2] / f"{key}.shard"


def truncate(path):
    path.write_bytes(path.read_bytes()[:-1])


def truncate_header(path):
    path.write_bytes(path.read_bytes()[: PREFIX.size + 5])


def truncate_prefix(path):
    path.write_bytes(path.read_bytes()[:20])


def empty(path):
    path.write_bytes(b"")


def lengthen(path):
    path.write_bytes(path.read_bytes() + b"\0")


def zero_the_tail(path):
    """As after a power cut on file systems that write sizes before data."""
    data = path.read_bytes()
    path.write_bytes(data[:-200] + bytes(200))


def replace_with_text(path):
    path.write_text("this is no shard at all, but it is longer than the prefix of one")


def replace_with_another_shard(path):
    path.write_bytes(packed(key_of(10_001), rendered(2)))


def replace_with_folder(path):
    path.unlink()
    (path / "inner").mkdir(parents=True)


def replace_with_pipe(path):
    path.unlink()
    os.mkfifo(path)


def replace_with_link_to_itself(path):
    path.unlink()
    path.symlink_to(path)


def replace_with_dangling_link(path):
    path.unlink()
    path.symlink_to(path.parent / "nowhere")


def raise_schema(path):
    """As written by a later version."""
    path.write_bytes(with_header(path.read_bytes(), {"schema": SCHEMA + 1}))


DAMAGES = {
    truncate: MissReason.CUT_SHORT,
    truncate_header: MissReason.CUT_SHORT,
    truncate_prefix: MissReason.CUT_SHORT,
    empty: MissReason.CUT_SHORT,
    lengthen: MissReason.DAMAGED,
    zero_the_tail: MissReason.DAMAGED,
    replace_with_text: MissReason.DAMAGED,
    replace_with_another_shard: MissReason.FOREIGN,
    replace_with_folder: MissReason.UNREADABLE,
    replace_with_pipe: MissReason.UNREADABLE,
    replace_with_link_to_itself: MissReason.UNREADABLE,
    replace_with_dangling_link: MissReason.UNREADABLE,
    raise_schema: MissReason.UNKNOWN_SCHEMA,
}


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_damage_is_a_miss_and_is_repaired(store, damage):
    put(store, 1)
    put(store, 2)
    damage(path_of(store))
    for read in (store.get, store.check):
        miss = read(KEY)
        assert isinstance(miss, Miss)
        assert miss.reason is DAMAGES[damage]
        assert miss.key == KEY
        assert str(path_of(store)) in miss.detail
    put(store, 1)
    assert holds(store, 1)
    assert holds(store, 2)
    with store.session():
        pass
    assert temporaries(root_of(store)) == []


@pytest.mark.parametrize("codec", Codec)
def test_every_flipped_bit_is_detected(codec):
    """Flips each bit of a small shard in turn."""
    data = packed(KEY, rendered(1, n_samples=16), codec)
    for bit in range(8 * len(data)):
        flipped = bytearray(data)
        flipped[bit // 8] ^= 1 << bit % 8
        with pytest.raises(InvalidShard):
            inspect(KEY, bytes(flipped))


@pytest.mark.parametrize(
    ("codec", "changes"),
    [
        (Codec.PCM, {"codec": "flac"}),
        (Codec.PCM, {"codec": "opus"}),
        (Codec.PCM, {"codec": None}),
        (Codec.PCM, {"codec": 7}),
        (Codec.PCM, {"bits": 24}),
        (Codec.PCM, {"bits": 0}),
        (Codec.PCM, {"bits": 32}),
        (Codec.PCM, {"n_samples": 401}),
        (Codec.FLAC, {"n_samples": 401}),
        (Codec.FLAC, {"codec": "pcm"}),
        (Codec.FLAC, {"sample_rate": 22_050}),
    ],
)
def test_a_header_that_describes_other_audio_is_damage(codec, changes):
    data = with_header(packed(KEY, rendered(1, n_samples=400), codec), changes)
    with pytest.raises(InvalidShard) as error:
        unpack(KEY, data)
    assert error.value.reason is MissReason.DAMAGED


@pytest.mark.parametrize("codec", Codec)
def test_every_truncation_is_detected(codec):
    data = packed(KEY, rendered(1, n_samples=16), codec)
    for size in range(len(data)):
        with pytest.raises(InvalidShard):
            inspect(KEY, data[:size])


@given(st.binary(max_size=300))
def test_any_bytes_are_a_miss(data):
    with pytest.raises(InvalidShard):
        unpack(KEY, data)


def damage_all(store, count):
    """Put `count` shards and damage each in a random way; half get one flipped bit."""
    random = np.random.default_rng(7)
    damages = list(DAMAGES)
    for number in range(count):
        put(store, number)
    for number in range(count):
        path = path_of(store, number)
        kind = random.integers(2 * len(damages))
        if kind < len(damages):
            damages[kind](path)
        else:
            data = bytearray(path.read_bytes())
            data[random.integers(len(data))] ^= 1 << int(random.integers(8))
            path.write_bytes(data)


@pytest.mark.parametrize("count", [60, pytest.param(1000, marks=pytest.mark.prove)])
def test_many_damaged_shards_are_all_detected_and_repaired(store, count):
    damage_all(store, count)
    assert [number for number in range(count) if holds(store, number)] == []
    for number in range(count):
        put(store, number)
    assert all(holds(store, number) for number in range(count))
