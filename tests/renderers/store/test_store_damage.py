"""A damaged shard is a miss with a reason, and repaired; what a network spoils is read again."""

import os
from itertools import count
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.renderers.store.remote import PROBE
from audiomill.renderers.store.shard_format import (
    InvalidShard,
    MissReason,
    inspect,
    pack,
    unpack,
)
from audiomill.renderers.store.shard_header import SCHEMA, Codec
from audiomill.renderers.store.shard_layout import PREFIX
from audiomill.renderers.store.store import N_REMOTE_READS, Miss, open_store
from support.store_faults import SAMPLE_RATE, holds, key_of, put, rendered, temporaries, with_header

KEY = key_of(1)


@pytest.fixture
def store(tmp_path):
    return open_store(str(tmp_path))


def packed(key, audio, codec=Codec.PCM):
    return b"".join(pack(key, audio, sample_rate=SAMPLE_RATE, bits=16, codec=codec))


def root_of(store):
    return Path(store.location)


def path_of(store, number=1):
    key = key_of(number)
    return root_of(store) / key[:2] / f"{key}.shard"


# What becomes of the bytes of a shard, by the reason that is then told.
CONTENTS = {
    "cut": (MissReason.CUT_SHORT, lambda data: data[:-1]),
    "cut in the header": (MissReason.CUT_SHORT, lambda data: data[: PREFIX.size + 5]),
    "cut in the prefix": (MissReason.CUT_SHORT, lambda data: data[:20]),
    "empty": (MissReason.CUT_SHORT, lambda _data: b""),
    "longer": (MissReason.DAMAGED, lambda data: data + b"\0"),
    # As after a power cut on file systems that write sizes before data.
    "zeros at the end": (MissReason.DAMAGED, lambda data: data[:-200] + bytes(200)),
    "a text": (MissReason.DAMAGED, lambda _data: b"no shard, but longer than a prefix" * 2),
    "another shard": (MissReason.FOREIGN, lambda _data: packed(key_of(10_001), rendered(2))),
    "of a later version": (
        MissReason.UNKNOWN_SCHEMA,
        lambda data: with_header(data, {"schema": SCHEMA + 1}),
    ),
}
# What is at its path instead.
REPLACEMENTS = {
    "a folder": lambda path: (path / "inner").mkdir(parents=True),
    "a pipe": os.mkfifo,
    "a link to itself": lambda path: path.symlink_to(path),
    "a link to nothing": lambda path: path.symlink_to(path.parent / "nowhere"),
}
DAMAGES = [*CONTENTS, *REPLACEMENTS]


def damage(path, kind):
    """Damage the shard. Returns the reason that is to be told."""
    if kind in CONTENTS:
        reason, change = CONTENTS[kind]
        path.write_bytes(change(path.read_bytes()))
        return reason
    path.unlink()
    REPLACEMENTS[kind](path)
    return MissReason.UNREADABLE


@pytest.mark.parametrize("kind", DAMAGES)
def test_damage_is_a_miss_and_is_repaired(store, kind):
    put(store, 1)
    put(store, 2)
    reason = damage(path_of(store), kind)
    for read in (store.get, store.check):
        miss = read(KEY)
        assert isinstance(miss, Miss)
        assert miss.reason is reason
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


def damage_all(store, n):
    """Put `n` shards and damage each in a random way; half get one flipped bit."""
    random = np.random.default_rng(7)
    for number in range(n):
        put(store, number)
    for number in range(n):
        path = path_of(store, number)
        kind = random.integers(2 * len(DAMAGES))
        if kind < len(DAMAGES):
            damage(path, DAMAGES[kind])
        else:
            data = bytearray(path.read_bytes())
            data[random.integers(len(data))] ^= 1 << int(random.integers(8))
            path.write_bytes(data)


@pytest.mark.parametrize("n", [60, pytest.param(1000, marks=pytest.mark.prove)])
def test_many_damaged_shards_are_all_detected_and_repaired(store, n):
    damage_all(store, n)
    assert [number for number in range(n) if holds(store, number)] == []
    for number in range(n):
        put(store, number)
    assert all(holds(store, number) for number in range(n))


@pytest.fixture
def remote(cloud):
    return open_store(cloud.url, cloud.waiter)


def spoil_reads(cloud, n_spoiled):
    """Have the first reads of the only shard be cut, and then be whole."""
    (path,) = (path for path in cloud.objects if path.endswith(".shard"))
    whole = cloud.objects[path]
    numbers = count()

    def fault(_call, _path):
        cloud.objects[path] = whole[:-9] if next(numbers) < n_spoiled else whole

    cloud.fault = fault


def test_a_corrupt_read_is_read_again(cloud, remote):
    """However unlucky: to render again is dearer, and may meet another corrupt read."""
    put(remote, 1)
    spoil_reads(cloud, N_REMOTE_READS - 1)
    assert remote.check(KEY).key == KEY
    spoil_reads(cloud, N_REMOTE_READS - 1)
    assert holds(remote, 1)
    spoil_reads(cloud, N_REMOTE_READS)
    assert remote.get(KEY).reason is MissReason.CUT_SHORT


def test_a_shard_of_another_version_is_read_once(cloud, remote):
    """Its header is whole, so that no read is to blame."""
    put(remote, 1)
    (path,) = cloud.objects
    cloud.objects[path] = with_header(cloud.objects[path], {"schema": 99})
    cloud.calls.clear()
    assert remote.get(KEY).reason is MissReason.UNKNOWN_SCHEMA
    assert len(cloud.calls) == 1


def test_a_probe_that_is_read_wrong_is_read_again(cloud, remote):
    n_reads = count()

    def fault(call, path):
        if call == "get" and path.endswith("probe"):
            cloud.objects[path] = PROBE if next(n_reads) else PROBE[:-1]

    cloud.fault = fault
    with remote.session() as session:
        put(session, 1)
        assert holds(session, 1)
