"""Samples cross from process to process whole, and their memory is gone with the last of them."""

import gc
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.renderers.kokoro.inference.gpu_worker import from_shared_memory, to_shared_memory

DESCRIPTORS, MAPS = Path("/proc/self/fd"), Path("/proc/self/maps")


def noise(size, seed=0):
    return np.random.default_rng(seed).standard_normal(size).astype(np.float32)


@given(st.lists(st.integers(0, 3_000), max_size=6))
def test_what_was_written_is_read_to_the_last_bit(sizes):
    pieces = [noise(size, seed) for seed, size in enumerate(sizes)]
    for piece, found in zip(
        pieces, from_shared_memory(to_shared_memory(pieces), sizes), strict=True
    ):
        np.testing.assert_array_equal(piece, found)
        assert found.dtype == np.float32


def test_a_reader_may_change_what_is_its_own():
    descriptor = to_shared_memory([noise(2_000)])
    (one,), (other,) = (
        from_shared_memory(os.dup(descriptor), [2_000]),
        from_shared_memory(descriptor, [2_000]),
    )
    one *= 0
    np.testing.assert_array_equal(other, noise(2_000))


@pytest.mark.skipif(not DESCRIPTORS.exists(), reason="only Linux tells")
def test_nothing_is_left_when_the_last_piece_is_gone():
    """A piece holds the memory of all, and no file anywhere does."""
    before, shared = len(list(DESCRIPTORS.iterdir())), set(Path("/dev/shm").iterdir())
    pieces = from_shared_memory(to_shared_memory([noise(5_000), noise(7_000)]), [5_000, 7_000])
    assert set(Path("/dev/shm").iterdir()) == shared
    last = pieces.pop()
    del pieces
    np.testing.assert_array_equal(last, noise(7_000))
    assert "memfd:audiomill" in MAPS.read_text()
    del last
    gc.collect()
    assert "memfd:audiomill" not in MAPS.read_text()
    assert len(list(DESCRIPTORS.iterdir())) == before


@pytest.mark.skipif(not DESCRIPTORS.exists(), reason="only Linux tells")
def test_memory_that_runs_out_leaves_no_descriptor(monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "ftruncate", full)
    before = len(list(DESCRIPTORS.iterdir()))
    with pytest.raises(OSError, match="No space"):
        to_shared_memory([noise(10)])
    assert len(list(DESCRIPTORS.iterdir())) == before
