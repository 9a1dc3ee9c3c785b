"""Shards whose audio lies in shared memory: a child process writes them as `put` would."""

import signal
import sys
from contextlib import suppress

import psutil
import pytest

from audiomill.renderers.host.child_process import RunLocally
from audiomill.renderers.store.store import open_store
from support.process_data import children
from support.shared_audio import in_shared_memory
from support.store_faults import SAMPLE_RATE, key_of, rendered, temporaries

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
KNOWN = {"sample_rate": SAMPLE_RATE, "bits": 16}
NUMBERS = range(20)


def packed(store, numbers):
    return [
        store.packed(key_of(number), audio, **KNOWN)
        for number, audio in zip(numbers, in_shared_memory(map(rendered, numbers)), strict=True)
    ]


def files(folder):
    return {path.name: path.read_bytes() for path in folder.rglob("*.shard")}


def test_a_child_writes_the_same_files(tmp_path):
    for number in NUMBERS:
        open_store(str(tmp_path / "put")).put(key_of(number), rendered(number), **KNOWN)
    with open_store(str(tmp_path / "shared")).session() as store:
        assert store.write_shared(packed(store, NUMBERS)) == [None] * len(NUMBERS)
    assert files(tmp_path / "shared") == files(tmp_path / "put")
    assert temporaries(tmp_path / "shared") == []


def test_an_error_is_told_of_the_shard_that_has_it(tmp_path):
    """A file is where the folder of a shard belongs."""
    (tmp_path / key_of(3)[:2]).write_bytes(b"")
    with open_store(str(tmp_path)).session() as store:
        errors = store.write_shared(packed(store, NUMBERS))
    failed = [number for number, error in zip(NUMBERS, errors, strict=True) if error]
    assert failed == [number for number in NUMBERS if key_of(number)[:2] == key_of(3)[:2]]
    assert key_of(3) in str(errors[3])
    assert len(files(tmp_path)) == len(NUMBERS) - len(failed)


def test_memory_that_a_child_cannot_open_is_left_to_this_process(tmp_path):
    with open_store(str(tmp_path)).session() as store:
        shards = packed(store, NUMBERS)
        shards[0].shared.memory.path = "/proc/self/fd/none"
        with pytest.raises(RunLocally):
            store.write_shared(shards)


def test_a_killed_child_is_replaced(tmp_path):
    with open_store(str(tmp_path)).session() as store:
        store.write_shared(packed(store, NUMBERS[:10]))
        for child in children():  # without what runs the forks of other tests
            with suppress(psutil.NoSuchProcess):  # a child of one that was killed
                child.send_signal(signal.SIGKILL)
                child.wait()
        with pytest.raises(RunLocally):
            store.write_shared(packed(store, NUMBERS[10:]))
        assert store.write_shared(packed(store, NUMBERS[10:])) == [None] * 10
    assert len(files(tmp_path)) == len(NUMBERS)


def test_a_store_that_no_run_has_opened_starts_no_process(tmp_path):
    store = open_store(str(tmp_path))
    with pytest.raises(RunLocally):
        store.write_shared(packed(store, NUMBERS))
