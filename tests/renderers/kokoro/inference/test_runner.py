"""Rows of similar length share batches. Audio does not depend on them, nor does lack of memory."""

from math import log2

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.kokoro.inference.batching import PaddedBatches, batches, computed
from audiomill.renderers.kokoro.inference.runner import BatchedStage, Row, Runner
from audiomill.renderers.kokoro.model.model import Kokoro
from support.kokoro_reference import distance, ours, random_lines, utterance
from support.kokoro_tiny import DEVICE

F32 = torch.float32


def rows_of(model, count, seed=0):
    lines = random_lines(np.random.default_rng(seed), count, 30)
    return [Row(utterance(line, model), line.seed) for line in lines]


def test_audio_comes_in_the_rows_order_and_has_the_length_of_its_durations():
    model = ours("reduced", F32)
    rows = rows_of(model, 5)
    for row, audio in zip(rows, Runner(model).run(rows), strict=True):
        assert len(audio.durations) == len(row.utterance.tokens)
        assert audio.samples.dtype == np.float32
        assert audio.samples.size == sum(audio.durations) * model.config.samples_per_frame


def test_no_rows_give_no_audio():
    assert Runner(ours("reduced", F32)).run([]) == []


@pytest.mark.skipif(DEVICE.type != "cpu", reason="on a CPU only")
def test_on_a_cpu_a_row_is_bit_identical_whatever_it_is_run_with():
    model = ours("reduced", F32)
    rows = rows_of(model, 4)
    together = Runner(model).run(rows)
    for row, audio in zip(rows, together, strict=True):
        (alone,) = Runner(model).run([row])
        np.testing.assert_array_equal(alone.samples, audio.samples)


def test_padded_batches_give_the_same_audio_within_rounding():
    model = ours("narrow", torch.float64)
    rows = rows_of(model, 6)
    for single, padded in zip(
        Runner(model).run(rows), Runner(model, batch_frames=400).run(rows), strict=True
    ):
        assert single.durations == padded.durations
        assert distance(torch.from_numpy(padded.samples), torch.from_numpy(single.samples)) < 1e-5


class RecordingModel(Kokoro):
    """A model that records the frames of each row, batch by batch."""

    def speak_padded(self, texts, noise):
        self.batches.append([text.n_frames for text in texts])
        return super().speak_padded(texts, noise)


# On a GPU, 0 is as much as there is room for.
@pytest.mark.parametrize("batch_frames", [0, 400, 100_000][DEVICE.type != "cpu" :])
def test_the_model_gets_the_batches_that_are_planned(batch_frames):
    """So a benchmark can count padding from the plan."""
    model = ours("narrow", F32)
    rows = rows_of(model, 12)
    recorded = model.batches = []
    model.__class__ = RecordingModel
    try:
        audio = Runner(model, batch_frames).run(rows)
    finally:
        model.__class__ = Kokoro
        del model.batches
    frames = [sum(row.durations) for row in audio]
    expected = [[frames[index] for index in batch] for batch in batches(frames, batch_frames)]
    assert sorted(recorded) == sorted(expected)
    assert (len(recorded) == len(rows)) == (batch_frames == 0)


class SmallMemoryModel(Kokoro):
    """A model that runs out of memory above so many places of a batch, padding included."""

    tokens = frames = 10**9

    def encode_text(self, utterances):
        if len(utterances) * max(len(one.tokens) for one in utterances) > self.tokens:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return super().encode_text(utterances)

    def speak_padded(self, texts, noise):
        if len(texts) * max(text.n_frames for text in texts) > self.frames:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return super().speak_padded(texts, noise)


@pytest.fixture
def small_memory():
    model = ours("narrow", torch.float64)
    model.__class__ = SmallMemoryModel
    yield model
    model.__class__ = Kokoro


@pytest.mark.parametrize("stage", ["tokens", "frames"])
def test_out_of_memory_is_survived_with_smaller_batches(small_memory, stage):
    rows = rows_of(small_memory, 8)
    expected = Runner(small_memory, batch_frames=100_000).run(rows)
    lengths = {
        "tokens": [len(row.utterance.tokens) for row in rows],
        "frames": [sum(one.durations) for one in expected],
    }
    setattr(small_memory, stage, max(lengths[stage]) + 10)
    runner = Runner(small_memory, batch_frames=100_000)
    audio = runner.run(rows)
    # The other stage goes on as before.
    assert (runner.batch_frames == 100_000) == (stage == "tokens")
    assert [one.durations for one in audio] == [one.durations for one in expected]
    for small, large in zip(audio, expected, strict=True):
        assert distance(torch.from_numpy(small.samples), torch.from_numpy(large.samples)) < 1e-5


def test_a_row_that_never_fits_is_an_error_with_advice(small_memory):
    small_memory.frames = 1
    with pytest.raises(EngineFailed, match="no memory left for a single segment"):
        Runner(small_memory, batch_frames=100_000).run(rows_of(small_memory, 2))


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


ROW_LENGTHS = st.lists(st.integers(1, 600), max_size=200)
BUDGETS = st.integers(0, 20_000)
OVERHEADS = st.integers(1, 2_000)


@given(ROW_LENGTHS, BUDGETS, OVERHEADS)
def test_every_row_is_in_one_batch_and_no_batch_is_over_the_budget(lengths, budget, overhead):
    planned = list(batches(lengths, budget, overhead))
    assert sorted(index for batch in planned for index in batch) == list(range(len(lengths)))
    for batch in planned:
        longest = max(lengths[index] for index in batch)
        assert len(batch) == 1 or len(batch) * longest <= budget


@given(ROW_LENGTHS, BUDGETS)
def test_batches_come_longest_first(lengths, budget):
    order = [lengths[index] for batch in batches(lengths, budget) for index in batch]
    assert order == sorted(lengths, reverse=True)


@given(ROW_LENGTHS, BUDGETS)
def test_the_computed_places_are_those_of_the_padded_batches(lengths, budget):
    total = computed(lengths, budget)
    assert total >= sum(lengths)
    if budget == 0:
        assert total == sum(lengths)  # each row by itself, without padding


def partitions(rows):
    """All ways to group `rows` into batches."""
    if not rows:
        yield []
        return
    first, *others = rows
    for ways in partitions(others):
        yield [[first], *ways]
        for place, batch in enumerate(ways):
            yield [*ways[:place], [first, *batch], *ways[place + 1 :]]


@given(st.lists(st.integers(1, 40), max_size=6), st.integers(0, 200), st.integers(1, 100))
def test_no_other_grouping_costs_less(lengths, budget, overhead):
    def cost(ways):
        return sum(len(batch) * max(batch) + overhead for batch in ways)

    def fits(ways):
        return all(len(batch) == 1 or len(batch) * max(batch) <= budget for batch in ways)

    planned = [[lengths[index] for index in batch] for batch in batches(lengths, budget, overhead)]
    assert cost(planned) == min(cost(ways) for ways in partitions(lengths) if fits(ways))


def test_the_example_of_the_docstring():
    lengths = [9, 4, 8, 3, 9]
    planned = [[lengths[index] for index in batch] for batch in batches(lengths, 30, 2)]
    assert planned == [[9, 9, 8], [4, 3]]


@pytest.mark.parametrize("budget", [4_096, 16_384, 78_000])
def test_many_rows_need_hardly_any_padding(budget):
    """A larger budget does not mean more padding."""
    lengths = np.random.default_rng(0).triangular(30, 400, 700, 256).round().astype(int).tolist()
    assert sum(lengths) / computed(lengths, budget) > 0.95
