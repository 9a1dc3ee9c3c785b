"""What tells a store from all others: one for good, however many runs give it at once."""

import errno
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from audiomill.renderers.engine.errors import StoreError
from audiomill.renderers.store.local import LocalBackend
from audiomill.renderers.store.notes import IDENTITY_KEY, note_key
from audiomill.renderers.store.store import N_REMOTE_READS, ShardStore, open_store
from support.store_faults import FaultyFiles, temporaries


def test_an_identity_is_given_once(tmp_path):
    store = open_store(str(tmp_path))
    assert store.identity() == ""
    identity = store.give_identity()
    assert identity
    assert store.give_identity() == store.identity() == identity
    assert open_store(str(tmp_path / "other")).give_identity() != identity
    assert temporaries(tmp_path) == []


@pytest.mark.parametrize("can_link", [True, False])
def test_a_run_that_comes_second_takes_the_identity_of_the_first(tmp_path, can_link):
    """The first one's arrives between the look of the second and its write."""
    first = open_store(str(tmp_path))

    class Overtaken(FaultyFiles):
        def link(self, source, target):
            if not can_link:
                raise OSError(errno.EPERM, "no hard links here")
            first.give_identity()
            super().link(source, target)

    second = ShardStore(LocalBackend(tmp_path, Overtaken()))
    assert second.give_identity() == first.give_identity() == second.identity()
    assert temporaries(tmp_path) == []


def test_threads_that_give_at_once_get_the_same(tmp_path):
    starts = threading.Barrier(8)

    def give(_):
        starts.wait()
        return open_store(str(tmp_path)).give_identity()

    with ThreadPoolExecutor(8) as threads:
        found = {*threads.map(give, range(8))}
    assert found == {open_store(str(tmp_path)).identity()}


def test_an_identity_that_is_read_wrong_is_read_again(cloud):
    store = open_store(cloud.url, cloud.waiter)
    identity = store.give_identity()
    (path,) = cloud.objects
    whole = cloud.objects[path]
    n_reads = [0]

    def fault(_call, _path):
        n_reads[0] += 1
        cloud.objects[path] = whole if n_reads[0] % N_REMOTE_READS == 0 else whole[:-1]

    cloud.fault = fault
    assert store.identity() == identity
    assert n_reads == [N_REMOTE_READS]


@pytest.mark.parametrize("damaged", [b"", b"half an iden", b"\xff\xfe"])
def test_a_damaged_identity_is_replaced(tmp_path, damaged):
    store = open_store(str(tmp_path))
    first = store.give_identity()
    path = tmp_path / IDENTITY_KEY[:2] / f"{IDENTITY_KEY}.shard"
    path.write_bytes(damaged)
    assert store.identity() == ""
    assert store.give_identity() not in ("", first)


def test_a_store_that_cannot_be_read_has_no_identity_to_speak_of(tmp_path):
    path = tmp_path / IDENTITY_KEY[:2] / f"{IDENTITY_KEY}.shard"
    path.mkdir(parents=True)
    with pytest.raises(StoreError, match="Cannot read"):
        open_store(str(tmp_path)).identity()


def test_a_note_is_kept_and_a_damaged_one_is_none(tmp_path):
    store, key = open_store(str(tmp_path)), note_key("a shard")
    assert store.note(key) == ""
    store.keep_note(key, "1\nWhere – is – the mill?")
    assert open_store(str(tmp_path)).note(key) == "1\nWhere – is – the mill?"
    path = tmp_path / key[:2] / f"{key}.shard"
    path.write_bytes(path.read_bytes()[:-1])
    assert store.note(key) == ""
    read_only = ShardStore(LocalBackend(tmp_path), unwritable="It is full.")
    read_only.keep_note(key, "2\nThe mill")
    assert store.note(key) == ""
