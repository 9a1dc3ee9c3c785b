"""Several runs on one store, and runs that are killed: nothing bad stays, nothing good is swept."""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from audiomill.renderers.store.local import LocalBackend
from audiomill.renderers.store.store import ShardStore, open_store
from support.home import TESTS_PATH
from support.store_faults import SlowFiles, holds, put, temporaries

HERE = Path(__file__).parent


def writer(root, first, last):
    """Another process that puts shards `first` to `last`, slowly, and prints each when it is in."""
    code = f"from test_store_runs import put_all; put_all({str(root)!r}, range({first}, {last}))"
    return subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=HERE,
        env=os.environ | {"PYTHONPATH": TESTS_PATH},
        stdout=subprocess.PIPE,
        text=True,
    )


def put_all(root, numbers):
    store = ShardStore(LocalBackend(Path(root), SlowFiles()))
    with store.session():
        for number in numbers:
            put(store, number)
            sys.stdout.write(f"{number}\n")
            sys.stdout.flush()


def shards(root):
    return sum(1 for _ in root.rglob("*.shard"))


# Sweeping.


def leftover(root):
    path = root / "5f" / ".5f00-1-abc.tmp"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"half a shard")
    return path


def test_what_a_killed_run_left_is_swept_by_the_next(tmp_path):
    path = leftover(tmp_path)
    with open_store(str(tmp_path)).session():
        assert not path.exists()


def test_what_another_run_is_writing_is_left_alone(tmp_path):
    first, second = open_store(str(tmp_path)), open_store(str(tmp_path))
    with first.session():
        path = leftover(tmp_path)
        with second.session():
            assert path.exists()
        assert path.exists()
    assert not path.exists()  # the last one out has swept


def test_the_first_of_two_runs_may_leave_first(tmp_path):
    first, second = open_store(str(tmp_path)).session(), open_store(str(tmp_path)).session()
    first.__enter__()
    second.__enter__()
    path = leftover(tmp_path)
    first.__exit__(None, None, None)
    assert path.exists()
    second.__exit__(None, None, None)
    assert not path.exists()


def test_sweeping_takes_nothing_else(tmp_path):
    store = open_store(str(tmp_path))
    put(store, 1)
    for name in ("notes.tmp", ".hidden", "5f/mine.txt", "5f/.keep"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("mine")
    before = sorted(tmp_path.rglob("*"))
    with store.session():
        pass
    assert set(tmp_path.rglob("*")) == {*before, tmp_path / "lock"}
    assert holds(store, 1)


def test_a_put_survives_a_sweep_of_its_temporary_file(tmp_path):
    class Swept(SlowFiles):
        def rename(self, source, target):
            if "rename" not in self.calls:
                source.unlink()
            super().rename(source, target)

    store = ShardStore(LocalBackend(tmp_path, Swept()))
    put(store, 1)
    assert holds(store, 1)


def test_without_locks_nothing_is_swept_and_all_else_works(tmp_path):
    """As on network file systems that know no flock."""

    class Lockless(SlowFiles):
        def flock(self, _descriptor, _operation):
            raise OSError(37, "No locks available")

    store = ShardStore(LocalBackend(tmp_path, Lockless()))
    with store.session():
        path = leftover(tmp_path)
        put(store, 1)
    assert path.exists()
    assert holds(store, 1)


# Several at once.


def test_threads_share_a_store(tmp_path):
    store = open_store(str(tmp_path))

    def work():
        for number in range(20):
            put(store, number)
            assert holds(store, number)

    with store.session():
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert all(holds(store, number) for number in range(20))
    assert temporaries(tmp_path) == []


def test_two_processes_share_a_store(tmp_path):
    """Overlapping shards: every one is right at any time, for either and for a reader."""
    store = open_store(str(tmp_path))
    with writer(tmp_path, 0, 60) as one, writer(tmp_path, 30, 90) as other:
        while one.poll() is None or other.poll() is None:
            for number in range(90):
                holds(store, number)  # fails on a wrong sound
        assert (one.returncode, other.returncode) == (0, 0)
    assert all(holds(store, number) for number in range(90))
    assert shards(tmp_path) == 90
    assert temporaries(tmp_path) == []


# Killed.


@pytest.mark.parametrize("n_kills", [6, pytest.param(100, marks=pytest.mark.prove)])
def test_kills_lose_nothing_that_was_stored(tmp_path, n_kills):
    """SIGKILL at random moments; each run goes on where the last was killed."""
    moments = random.Random(5)
    store = open_store(str(tmp_path))
    done, left_over = set(), 0
    for kill in range(n_kills):
        with writer(tmp_path, len(done), 10_000) as run:
            done.add(int(run.stdout.readline()))
            time.sleep(moments.uniform(0, 0.05))
            if kill == 0:
                stop_in_a_put(run, tmp_path)
            os.kill(run.pid, signal.SIGKILL)
            done.update(int(line) for line in run.stdout.read().split())
        assert all(holds(store, number) for number in done), f"after kill {kill}"
        left_over += len(temporaries(tmp_path))
    present = [number for number in range(max(done) + 2) if holds(store, number)]
    assert shards(tmp_path) == len(present)  # no shard that is not whole, and right
    assert left_over > 0  # some kills did land in the middle of a put
    with store.session():
        assert temporaries(tmp_path) == []
    assert all(holds(store, number) for number in done)


def stop_in_a_put(run, root):
    """Halt the process while it has a temporary file, so that a kill lands there."""
    while run.poll() is None:
        os.kill(run.pid, signal.SIGSTOP)
        os.waitpid(run.pid, os.WUNTRACED)
        if temporaries(root):
            return
        os.kill(run.pid, signal.SIGCONT)
        time.sleep(0.001)


def test_a_kill_leaves_no_lock(tmp_path):
    with writer(tmp_path, 0, 10_000) as run:
        run.stdout.readline()
        os.kill(run.pid, signal.SIGKILL)
    path = leftover(tmp_path)
    with open_store(str(tmp_path)).session():
        assert not path.exists()  # so the lock was had exclusively
