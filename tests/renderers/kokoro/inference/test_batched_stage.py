"""Batches that do not fit are made smaller; an error that is no lack of memory is raised."""

from math import log2

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.kokoro.inference.batching import PaddedBatches
from audiomill.renderers.kokoro.inference.runner import BatchedStage

CPU, GPU = torch.device("cpu"), torch.device("cuda")
LENGTHS = st.lists(st.integers(1, 300), max_size=40)


class LimitedMemory:
    """A stage that fails when a batch has more than `n_places`, padding included."""

    def __init__(self, lengths, n_places, error):
        self.lengths, self.n_places, self.error = lengths, n_places, error
        self.n_failed = 0

    def compute(self, batch):
        if len(batch) * max(self.lengths[index] for index in batch) > self.n_places:
            self.n_failed += 1
            raise self.error
        return [(index, self.lengths[index]) for index in batch]


OUT_OF_MEMORY = [
    torch.OutOfMemoryError("CUDA out of memory"),
    RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes"),
    RuntimeError("CUDA error: out of memory\nCUDA kernel errors might be reported later"),
    RuntimeError("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`"),
    RuntimeError("Triton Error [CUDA]: out of memory"),
    MemoryError(),
]


@given(LENGTHS, st.integers(300, 20_000), st.integers(0, 30_000), st.sampled_from(OUT_OF_MEMORY))
def test_every_row_is_computed_and_each_failure_halves_batches(lengths, n_places, budget, error):
    memory = LimitedMemory(lengths, n_places, error)
    results = BatchedStage(GPU, budget, PaddedBatches(160), map).run(lengths, memory.compute)
    assert results == list(enumerate(lengths))
    assert memory.n_failed <= log2(1 + sum(lengths))


def test_a_stage_keeps_its_smaller_batches():
    lengths = [100] * 16
    memory = LimitedMemory(lengths, 800, OUT_OF_MEMORY[0])
    stage = BatchedStage(GPU, 10_000, PaddedBatches(10_000), map)
    stage.run(lengths, memory.compute)
    assert memory.n_failed == 1
    stage.run(lengths, memory.compute)
    assert memory.n_failed == 1


@pytest.mark.parametrize(("device", "way_out"), [(GPU, "kokoro.device"), (CPU, "OMP_NUM_THREADS")])
def test_no_room_for_a_single_row_is_an_error_at_once(device, way_out):
    memory = LimitedMemory([7, 5, 9], 1, OUT_OF_MEMORY[0])
    with pytest.raises(EngineFailed, match=way_out):
        BatchedStage(device, 0, PaddedBatches(160), map).run([7, 5, 9], memory.compute)
    assert memory.n_failed == 1


def test_other_errors_are_raised():
    memory = LimitedMemory([7, 5], 1, RuntimeError("a shape is wrong"))
    with pytest.raises(RuntimeError, match="a shape"):
        BatchedStage(GPU, 100, PaddedBatches(160), map).run([7, 5], memory.compute)
