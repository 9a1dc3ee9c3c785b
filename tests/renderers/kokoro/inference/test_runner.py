"""Audio does not depend on the batches, and a lack of memory costs only time."""

import numpy as np
import pytest
import torch

from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.kokoro.inference.batching import batches
from audiomill.renderers.kokoro.inference.runner import Row, Runner
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
