"""What is done when a GPU has no memory left, or another fault."""

import gc
import os
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.renderers.engine.errors import EngineFailed, EngineMissing
from audiomill.renderers.kokoro.inference.gpu_process import from_shared_memory, to_shared_memory
from audiomill.renderers.kokoro.model.config import read_config
from audiomill.renderers.kokoro.multi_gpu import load_on_gpu, open_devices
from audiomill.renderers.kokoro.options import KokoroOptions
from audiomill.renderers.kokoro.single_device import SingleDevice
from support.fake_gpus import row_of
from support.kokoro_reference import folder

DESCRIPTORS, MAPS = Path("/proc/self/fd"), Path("/proc/self/maps")


def noise(size, seed=0):
    return np.random.default_rng(seed).standard_normal(size).astype(np.float32)


@given(st.lists(st.integers(0, 3_000), max_size=6))
def test_samples_are_read_as_they_were_written(sizes):
    pieces = [noise(size, seed) for seed, size in enumerate(sizes)]
    received = from_shared_memory(to_shared_memory(pieces), [piece.nbytes for piece in pieces])
    for piece, received_piece in zip(pieces, received, strict=True):
        np.testing.assert_array_equal(piece, received_piece.view(np.float32))


def test_a_reader_that_changes_samples_changes_only_its_own():
    descriptor = to_shared_memory([noise(2_000)])
    (changed,), (unchanged,) = (
        from_shared_memory(os.dup(descriptor), [8_000]),
        from_shared_memory(descriptor, [8_000]),
    )
    changed *= 0
    np.testing.assert_array_equal(unchanged.view(np.float32), noise(2_000))


@pytest.mark.skipif(not DESCRIPTORS.exists(), reason="needs /proc")
def test_the_memory_is_freed_with_the_last_piece():
    """Each piece keeps the memory of all pieces; no file does."""
    before, shared = len(list(DESCRIPTORS.iterdir())), set(Path("/dev/shm").iterdir())
    pieces = from_shared_memory(to_shared_memory([noise(5_000), noise(7_000)]), [20_000, 28_000])
    assert set(Path("/dev/shm").iterdir()) == shared
    last = pieces.pop()
    del pieces
    np.testing.assert_array_equal(last.view(np.float32), noise(7_000))
    assert "memfd:audiomill" in MAPS.read_text()
    del last
    gc.collect()
    assert "memfd:audiomill" not in MAPS.read_text()
    assert len(list(DESCRIPTORS.iterdir())) == before


@pytest.mark.skipif(not DESCRIPTORS.exists(), reason="needs /proc")
def test_a_lack_of_memory_leaves_no_descriptor(monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "ftruncate", full)
    before = len(list(DESCRIPTORS.iterdir()))
    with pytest.raises(OSError, match="No space"):
        to_shared_memory([noise(10)])
    assert len(list(DESCRIPTORS.iterdir())) == before


CUDA_ERROR = RuntimeError("CUDA error: an illegal memory access was encountered.\nCompile with")
NO_SUCH_GPU = "cuda:77"


def fail(*_):
    raise CUDA_ERROR


@pytest.mark.parametrize(
    "runner",
    [
        SimpleNamespace(start=fail),
        SimpleNamespace(start=lambda _: [SimpleNamespace(finished=fail)]),
    ],
    ids=["started", "waited for"],
)
def test_a_gpu_error_is_raised_with_a_way_out(runner):
    with pytest.raises(EngineFailed) as raised:
        SingleDevice(runner, None, "cuda:0").run([])
    message = str(raised.value)
    assert message.startswith(
        "Kokoro has failed on cuda:0: CUDA error: an illegal memory access was"
    )
    assert "Compile" not in message
    assert "kokoro.device to cpu" in message
    with pytest.raises(RuntimeError, match="illegal"):
        SingleDevice(runner, None, "cpu").run([])


def model_on(device):
    weights = folder("narrow")
    options = KokoroOptions(weights=weights, device=device)
    return weights / "kokoro-v1_0.pth", read_config(weights / "config.json"), options


def test_a_single_device_that_does_not_exist_is_missing():
    with pytest.raises(EngineMissing, match=NO_SUCH_GPU):
        open_devices(*model_on(NO_SUCH_GPU)).run([row_of(1)])


def test_one_of_several_devices_that_does_not_exist_has_failed():
    """EngineMissing would end the run, as an error that every GPU would meet."""
    with pytest.raises(EngineFailed, match=NO_SUCH_GPU):
        load_on_gpu(*model_on(NO_SUCH_GPU))
