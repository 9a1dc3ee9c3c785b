"""Rows are spoken whatever batches they end up in, and an out-of-memory costs only time."""

import numpy as np
import pytest
import torch

from audiomill.renderers.base import EngineFailed
from audiomill.renderers.kokoro.inference.batching import batches
from audiomill.renderers.kokoro.inference.runner import Row, Runner
from audiomill.renderers.kokoro.model.model import Kokoro
from support.kokoro_reference import distance, ours, random_lines, utterance
from support.kokoro_tiny import DEVICE

F32 = torch.float32


def rows_of(model, count, seed=0):
    lines = random_lines(np.random.default_rng(seed), count, 30)
    return [Row(utterance(line, model), line.seed) for line in lines]


def test_rows_come_back_in_their_order_and_as_long_as_they_last():
    model = ours("reduced", F32)
    rows = rows_of(model, 5)
    for row, spoken in zip(rows, Runner(model).run(rows), strict=True):
        assert len(spoken.durations) == len(row.utterance.tokens)
        assert spoken.samples.dtype == np.float32
        assert spoken.samples.size == sum(spoken.durations) * model.config.samples_per_frame


def test_no_rows_are_no_work():
    assert Runner(ours("reduced", F32)).run([]) == []


@pytest.mark.skipif(DEVICE.type != "cpu", reason="on a CPU only")
def test_on_a_cpu_a_row_is_the_same_to_the_last_bit_whatever_it_is_spoken_with():
    model = ours("reduced", F32)
    rows = rows_of(model, 4)
    together = Runner(model).run(rows)
    for row, spoken in zip(rows, together, strict=True):
        (alone,) = Runner(model).run([row])
        np.testing.assert_array_equal(alone.samples, spoken.samples)


def test_padded_batches_say_the_same_within_rounding():
    model = ours("reduced", torch.float64)
    rows = rows_of(model, 6)
    for one, other in zip(
        Runner(model).run(rows), Runner(model, batch_frames=400).run(rows), strict=True
    ):
        assert one.durations == other.durations
        assert distance(torch.from_numpy(other.samples), torch.from_numpy(one.samples)) < 1e-5


class Heard(Kokoro):
    """One that keeps how many frames each row of a batch lasts."""

    def speak_padded(self, readings, noise):
        self.heard.append([one.n_frames for one in readings])
        return super().speak_padded(readings, noise)


# Off a CPU, 0 is as much as there is room for.
@pytest.mark.parametrize("batch_frames", [0, 400, 100_000][DEVICE.type != "cpu" :])
def test_what_is_spoken_together_is_what_the_batches_say(batch_frames):
    """So that a benchmark may count padding without looking on."""
    model = ours("narrow", F32)
    rows = rows_of(model, 12)
    heard = model.heard = []
    model.__class__ = Heard
    try:
        spoken = Runner(model, batch_frames).run(rows)
    finally:
        model.__class__ = Kokoro
        del model.heard
    frames = [sum(one.durations) for one in spoken]
    expected = [[frames[index] for index in batch] for batch in batches(frames, batch_frames)]
    assert sorted(heard) == sorted(expected)
    assert (len(heard) == len(rows)) == (batch_frames == 0)


class Crowded(Kokoro):
    """A device that has room for so many places only, padding included."""

    tokens = frames = 10**9

    def read(self, utterances):
        if len(utterances) * max(len(one.tokens) for one in utterances) > self.tokens:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return super().encode_text(utterances)

    def speak_padded(self, readings, noise):
        if len(readings) * max(one.n_frames for one in readings) > self.frames:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return super().speak_padded(readings, noise)


@pytest.fixture
def crowded():
    model = ours("narrow", torch.float64)
    model.__class__ = Crowded
    yield model
    model.__class__ = Kokoro


@pytest.mark.parametrize("step", ["tokens", "frames"])
def test_out_of_memory_is_survived_with_smaller_batches(crowded, step):
    rows = rows_of(crowded, 8)
    expected = Runner(crowded, batch_frames=100_000).run(rows)
    lengths = {
        "tokens": [len(row.utterance.tokens) for row in rows],
        "frames": [sum(one.durations) for one in expected],
    }
    setattr(crowded, step, max(lengths[step]) + 10)
    speaker = Runner(crowded, batch_frames=100_000)
    found = speaker.run(rows)
    # The other step goes on as before.
    assert (speaker.batch_frames == 100_000) == (step == "tokens")
    assert [one.durations for one in found] == [one.durations for one in expected]
    for one, other in zip(found, expected, strict=True):
        assert distance(torch.from_numpy(one.samples), torch.from_numpy(other.samples)) < 1e-5


def test_a_row_for_which_there_is_never_room_is_told_in_words(crowded):
    crowded.frames = 1
    with pytest.raises(EngineFailed, match="no memory left for a single segment"):
        Runner(crowded, batch_frames=100_000).run(rows_of(crowded, 2))
