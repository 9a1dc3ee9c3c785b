"""Remote stores, over fsspec, behave like local ones."""

import pytest

from audiomill.renderers.engine.errors import StoreError
from audiomill.renderers.store.remote import FsspecBackend
from audiomill.renderers.store.shard_format import MissReason
from audiomill.renderers.store.store import ShardStore, open_store
from support.store_faults import holds, key_of, put

KEY = key_of(1)


@pytest.fixture
def bucket(request):
    return open_store(f"memory://{request.node.name}")


def test_a_bucket_holds_shards(bucket):
    with bucket.session():
        assert bucket.get(KEY).reason is MissReason.ABSENT
        shard = put(bucket, 1)
        assert bucket.check(KEY) == shard
        assert holds(bucket, 1)
        put(bucket, 1)
        assert holds(open_store(bucket.location), 1)


def test_a_damaged_object_is_a_miss_and_is_repaired(bucket):
    put(bucket, 1)
    path = f"{bucket._backend._files._root}/{KEY[:2]}/{KEY}.shard"
    bucket._backend._files._files.pipe_file(path, bucket._backend.read(KEY)[:-3])
    assert bucket.get(KEY).reason is MissReason.CUT_SHORT
    put(bucket, 1)
    assert holds(bucket, 1)


def test_an_fsspec_file_system_with_real_folders(tmp_path):
    store = ShardStore(FsspecBackend(f"local://{tmp_path}/deep"))
    assert store.get(KEY).reason is MissReason.ABSENT
    put(store, 1)
    assert holds(store, 1)


class Broken:
    """A file system whose every call raises an error of a client, which is no OSError."""

    def __init__(self, error):
        self._error = error

    def cat_file(self, _path, **_range):
        raise self._error

    def pipe_file(self, _path, _data):
        raise self._error


def test_an_error_of_the_client_is_a_miss_or_a_store_error(bucket):
    class ClientError(Exception):
        pass

    bucket._backend._files._files = Broken(ClientError("a bad day"))
    miss = bucket.get(KEY)
    assert miss.reason is MissReason.UNREADABLE
    assert "a bad day" in miss.detail
    with pytest.raises(StoreError, match="a bad day"):
        put(bucket, 1)
