"""Concurrent and killed runs on one store: leftovers are swept, and no shard is lost."""

import os
import signal
from concurrent.futures import ThreadPoolExecutor

import pytest

from audiomill.renderers.engine.errors import StoreError
from audiomill.renderers.store.local import LocalBackend
from audiomill.renderers.store.store import ShardStore, open_store
from support.killed_forks import killed_forks
from support.paths import TESTS_PATH
from support.process_data import start_python
from support.store_faults import SlowFiles, holds, put, temporaries

N_KILLS = 100


def writer(root, first, last):
    """Start a process that slowly puts the shards from `first` up to `last`, printing each."""
    words = f"put_all({str(root)!r}, range({first}, {last}))"
    return start_python(f"from support.store_faults import put_all; {words}")


def n_shards(root):
    return sum(1 for _ in root.rglob("*.shard"))


def leftover(root):
    path = root / "5f" / f".{'5f' * 32}-1-0123abcd.tmp"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"half a shard")
    return path


def test_leftovers_of_a_killed_run_are_swept_by_the_next(tmp_path):
    path = leftover(tmp_path)
    with open_store(str(tmp_path)).session():
        assert not path.exists()


@pytest.mark.parametrize("ends_first", [0, 1])
def test_only_the_last_of_two_runs_sweeps_temporary_files(tmp_path, ends_first):
    runs = [open_store(str(tmp_path)).session() for _ in range(2)]
    for run in runs:
        run.__enter__()
    path = leftover(tmp_path)
    runs.pop(ends_first).__exit__(None, None, None)
    assert path.exists()
    runs.pop().__exit__(None, None, None)
    assert not path.exists()


def test_sweeping_removes_nothing_else(tmp_path):
    store = open_store(str(tmp_path))
    put(store, 1)
    mine = ("notes.tmp", ".hidden", "5f/mine.txt", "5f/.keep", "5f/.notes.tmp", "5f/.work.tmp/a")
    named_alike = f".{'5f' * 32}-1-0123abcd.tmp"  # in folders that are not the store's
    for name in (*mine, f"my/{named_alike}", f"5F/{named_alike}", "my/.work.tmp/a"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("mine")
    before = sorted(tmp_path.rglob("*"))
    with store.session():
        pass
    assert set(tmp_path.rglob("*")) == {*before, tmp_path / "lock"}
    assert holds(store, 1)


def test_a_lock_that_is_a_link_is_refused_and_its_target_not_created(tmp_path):
    root = tmp_path / "store"
    root.mkdir()
    (root / "lock").symlink_to(tmp_path / "target")
    with pytest.raises(StoreError, match="symbolic link"), open_store(str(root)).session():
        pass
    assert not (tmp_path / "target").exists()


def test_a_put_survives_a_sweep_of_its_temporary_file(tmp_path):
    class Swept(SlowFiles):
        def rename(self, source, target):
            if "rename" not in self.calls:
                source.unlink()
            super().rename(source, target)

    store = ShardStore(LocalBackend(tmp_path, Swept()))
    put(store, 1)
    assert holds(store, 1)


def test_without_locks_nothing_is_swept_and_the_rest_works(tmp_path):
    """As on network file systems without flock."""

    class Lockless(SlowFiles):
        def flock(self, _descriptor, _operation):
            raise OSError(37, "No locks available")

    store = ShardStore(LocalBackend(tmp_path, Lockless()))
    with store.session():
        path = leftover(tmp_path)
        put(store, 1)
    assert path.exists()
    assert holds(store, 1)


def test_threads_share_a_store(tmp_path):
    store = open_store(str(tmp_path))

    def work(_):
        for number in range(20):
            put(store, number)
            assert holds(store, number)

    with store.session(), ThreadPoolExecutor(4) as threads:
        [*threads.map(work, range(4))]
    assert all(holds(store, number) for number in range(20))
    assert temporaries(tmp_path) == []


def test_two_processes_share_a_store(tmp_path):
    """Both put some of the same shards, while this process reads them."""
    store = open_store(str(tmp_path))
    with writer(tmp_path, 0, 40) as first, writer(tmp_path, 20, 60) as second:
        while first.poll() is None or second.poll() is None:
            for number in range(60):
                holds(store, number)  # fails on wrong audio
        assert (first.returncode, second.returncode) == (0, 0)
    assert all(holds(store, number) for number in range(60))
    assert n_shards(tmp_path) == 60
    assert temporaries(tmp_path) == []


# A run that goes on where the last one was, and keeps the number of each shard that is stored.
RUN = """
from support.store_faults import put_all

def work():
    with open({log!r}, "a+") as told:
        told.seek(0)
        first = len(told.readlines())
        put_all({root!r}, range(first, first + 100), told)
"""


@pytest.mark.prove
def test_kills_lose_no_stored_shard(tmp_path):
    """SIGKILL before each operation of a run and of its puts: the next run goes on from there."""
    root, log = tmp_path / "store", tmp_path / "stored"
    store, n_leftovers = open_store(str(root)), 0
    source = RUN.format(root=str(root), log=str(log))
    with killed_forks(source, os.environ | {"PYTHONPATH": TESTS_PATH}) as run_until:
        for number in range(1, N_KILLS + 1):
            assert run_until(number) == "killed"
            stored = [int(line) for line in log.read_text().split()] if log.exists() else []
            assert all(holds(store, one) for one in stored), f"after kill {number}"
            n_leftovers += len(temporaries(root))
    present = [one for one in range(max(stored) + 2) if holds(store, one)]
    assert n_shards(root) == len(present)  # every shard is whole and correct
    assert n_leftovers > 0  # some kills interrupted a put
    with store.session():
        assert temporaries(root) == []
    assert all(holds(store, one) for one in stored)


def test_a_kill_leaves_no_lock(tmp_path):
    with writer(tmp_path, 0, 10_000) as run:
        run.stdout.readline()
        os.kill(run.pid, signal.SIGKILL)
    path = leftover(tmp_path)
    with open_store(str(tmp_path)).session():
        assert not path.exists()  # so this session got the exclusive lock
