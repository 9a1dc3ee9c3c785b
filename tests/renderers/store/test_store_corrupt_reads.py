"""Bytes of a store on the network that change on the way are read again."""

from itertools import count

import pytest

from audiomill.renderers.store.remote import PROBE
from audiomill.renderers.store.shard_format import MissReason
from audiomill.renderers.store.store import N_REMOTE_READS, open_store
from support.store_faults import holds, key_of, put, with_header


@pytest.fixture
def store(cloud):
    return open_store(cloud.url, cloud.waiter)


def spoil_reads(cloud, n_spoiled):
    """Have the first reads of the only shard be cut, and then be whole."""
    (path,) = (path for path in cloud.objects if path.endswith(".shard"))
    whole = cloud.objects[path]
    numbers = count()

    def fault(_call, _path):
        cloud.objects[path] = whole[:-9] if next(numbers) < n_spoiled else whole

    cloud.fault = fault


def test_a_corrupt_read_is_read_again(cloud, store):
    """However unlucky: to render again is dearer, and may meet another corrupt read."""
    put(store, 1)
    spoil_reads(cloud, N_REMOTE_READS - 1)
    assert store.check(key_of(1)).key == key_of(1)
    spoil_reads(cloud, N_REMOTE_READS - 1)
    assert holds(store, 1)
    spoil_reads(cloud, N_REMOTE_READS)
    assert store.get(key_of(1)).reason is MissReason.CUT_SHORT


def test_a_shard_of_another_version_is_read_once(cloud, store):
    """Its header is whole, so that no read is to blame."""
    put(store, 1)
    (path,) = cloud.objects
    cloud.objects[path] = with_header(cloud.objects[path], {"schema": 99})
    cloud.calls.clear()
    assert store.get(key_of(1)).reason is MissReason.UNKNOWN_SCHEMA
    assert len(cloud.calls) == 1


def test_a_probe_that_is_read_wrong_is_read_again(cloud, store):
    n_reads = count()

    def fault(call, path):
        if call == "get" and path.endswith("probe"):
            cloud.objects[path] = PROBE if next(n_reads) else PROBE[:-1]

    cloud.fault = fault
    with store.session() as session:
        put(session, 1)
        assert holds(session, 1)
