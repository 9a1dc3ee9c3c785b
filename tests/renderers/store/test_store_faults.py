"""Each system call of the store fails in turn: no bad shard is stored, no good one is lost."""

import errno
import os
from itertools import count

import pytest

from audiomill.renderers.engine.errors import StoreError
from audiomill.renderers.store.local import LocalBackend, OsFileSystem
from audiomill.renderers.store.shard_format import MissReason
from audiomill.renderers.store.store import Miss, ShardStore, open_store
from support.store_faults import FaultyFiles, holds, key_of, put, temporaries

ERRORS = [errno.EIO, errno.ENOSPC, errno.EACCES]


class VolatileFiles(OsFileSystem):
    """Knows what a power cut leaves at the least: of a file what was synced, of a folder the names
    that it had when it was synced.
    """

    def __init__(self, root):
        """What `root` has now is on the disk."""
        self._paths = {}  # by descriptor
        self._bytes = {}  # by inode
        self._names = {}  # the inodes of a folder, by name
        for path in (root, *root.rglob("*")):
            self._sync(path)
        self._root = root

    def open(self, path, flags):
        descriptor = super().open(path, flags)
        self._paths[descriptor] = path
        return descriptor

    def fsync(self, descriptor):
        self._sync(self._paths[descriptor])

    def _sync(self, path):
        if path.is_dir():
            inodes = {one.name: one.stat().st_ino for one in path.iterdir()}
            self._names[path.stat().st_ino] = inodes
        else:
            self._bytes[path.stat().st_ino] = path.read_bytes()

    def write_kept(self, target):
        """Write to the new folder `target` what is left of the root."""
        self._write(self._root.stat().st_ino, target)

    def _write(self, inode, target):
        if inode not in self._names:
            target.write_bytes(self._bytes.get(inode, b""))
            return
        target.mkdir()
        for name, inner in self._names[inode].items():
            self._write(inner, target / name)


def nothing(root):
    """The store does not exist yet."""


def a_folder(root):
    """The folder of the shard exists, but not the shard."""
    (root / key_of(1)[:2]).mkdir(parents=True)


def a_good_shard(root):
    put(open_store(str(root)), 1)


def a_torn_shard(root):
    put(open_store(str(root)), 1)
    path = LocalBackend(root)._path(key_of(1))
    path.write_bytes(path.read_bytes()[:100])


def a_directory(root):
    (LocalBackend(root)._path(key_of(1)) / "inner").mkdir(parents=True)


BEFORE = [nothing, a_folder, a_good_shard, a_torn_shard, a_directory]


def stores(tmp_path, before, error, permanent):
    """Stores in which call 0, 1, 2 … fails, each in its own folder, until no call fails."""
    for at in count():
        root = tmp_path / str(at)
        before(root)
        files = FaultyFiles(at=at, error=error, permanent=permanent)
        yield root, files, ShardStore(LocalBackend(root, files))
        assert not files.descriptors, f"call {at}, {files.calls}: a descriptor was left open"
        if len(files.calls) <= at:
            return


@pytest.mark.parametrize("permanent", [False, True], ids=["once", "permanent"])
@pytest.mark.parametrize("error", ERRORS, ids=errno.errorcode.get)
@pytest.mark.parametrize("before", BEFORE, ids=lambda before: before.__name__)
def test_put(tmp_path, before, error, permanent):
    n_failed = 0
    for root, files, store in stores(tmp_path, before, error, permanent):
        failed = _fails(store, root)
        n_failed += failed
        clean = open_store(str(root))
        is_stored = holds(clean, 1)
        assert is_stored or failed, files.calls
        assert is_stored or before is not a_good_shard, f"a good shard was lost: {files.calls}"
        if "unlink" not in files.calls[files.at :] or not permanent:
            assert [path for path in temporaries(root) if path.is_file()] == [], files.calls
        with clean.session():
            assert temporaries(root) == []
        put(clean, 1)
        assert holds(clean, 1)
    assert n_failed >= 5


def _fails(store, root):
    try:
        put(store, 1)
    except StoreError as error:
        assert str(root) in str(error)
        assert "--store" in str(error)
        assert ("disk is full" in str(error)) == (store._backend._files.error == errno.ENOSPC)
        return True
    return False


@pytest.mark.parametrize("error", ERRORS, ids=errno.errorcode.get)
@pytest.mark.parametrize("method", ["get", "check"])
def test_read(tmp_path, method, error):
    n_missed = 0
    for _, files, store in stores(tmp_path, a_good_shard, error, permanent=False):
        result = getattr(store, method)(key_of(1))
        if isinstance(result, Miss):
            assert result.reason is MissReason.UNREADABLE
            n_missed += 1
        else:
            assert len(files.calls) <= files.at
    assert n_missed >= 4  # open, two reads, close


@pytest.mark.parametrize("permanent", [False, True], ids=["once", "permanent"])
@pytest.mark.parametrize("error", ERRORS, ids=errno.errorcode.get)
@pytest.mark.parametrize("before", [nothing, a_good_shard], ids=lambda before: before.__name__)
def test_session(tmp_path, before, error, permanent):
    """A session starts or raises an error with the path, and never sweeps a shard."""
    for root, files, store in stores(tmp_path, before, error, permanent):
        started = False
        try:
            with store.session():
                started = True
        except StoreError as refusal:
            assert str(root) in str(refusal)
            assert not started
        except OSError:
            assert files.calls[-1] == "close"
        assert before is nothing or holds(open_store(str(root)), 1)


def test_a_disk_that_takes_no_bytes_is_reported(tmp_path):
    class Stuck(FaultyFiles):
        def write(self, _descriptor, _data):
            self._call("write")
            assert self.calls.count("write") == 1, "it would be tried for ever"
            return 0

    with pytest.raises(StoreError, match="nothing was written"):
        put(ShardStore(LocalBackend(tmp_path, Stuck())), 1)


def test_a_folder_that_may_not_be_written_is_not_taken_for_a_read_only_disk(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda _path, _mode: False)  # root may write everywhere
    with pytest.raises(PermissionError):
        OsFileSystem().require_writable(tmp_path)


@pytest.mark.parametrize("before", [nothing, a_folder], ids=lambda before: before.__name__)
def test_what_was_put_is_there_after_a_power_cut(tmp_path, before):
    root = tmp_path / "store"
    root.mkdir()
    before(root)
    files = VolatileFiles(root)
    put(ShardStore(LocalBackend(root, files)), 1)
    files.write_kept(tmp_path / "after")
    assert holds(open_store(str(tmp_path / "after")), 1)


def test_a_put_works_after_a_failed_one(tmp_path):
    files = FaultyFiles(at=3, error=errno.EIO)
    store = ShardStore(LocalBackend(tmp_path, files))
    with pytest.raises(StoreError):
        put(store, 1)
    put(store, 1)
    assert holds(store, 1)
