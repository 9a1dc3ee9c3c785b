"""Rows that are packed come back in their order, each as it would alone, whatever memory there is.

On a CPU the kernels are computed plainly (`kokoro_plain.py`); on a GPU they run, on three streams.
"""

from contextlib import contextmanager, nullcontext
from itertools import pairwise

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("triton", reason="Triton is not here")

from audiomill.renderers.base import EngineFailed
from audiomill.renderers.kokoro.gpu.conv import Arithmetic
from audiomill.renderers.kokoro.gpu.decoder import FusedDecoder
from audiomill.renderers.kokoro.inference.batching import packed
from audiomill.renderers.kokoro.inference.runner import Row, Runner
from audiomill.renderers.kokoro.model.source import normal_noise
from support.kokoro_plain import plain_kernels
from support.kokoro_reference import distance
from support.kokoro_tiny import DEVICE, even_tones, tiny_model, tiny_utterances

EXACT = Arithmetic(torch.float32, "ieee")


class Decoder(FusedDecoder):
    """One that has room for so many frames only, and keeps what it was given."""

    room = 10**9

    def noise(self, seeds, n_samples, device):
        return normal_noise(seeds, n_samples, device, torch.float32)

    def forward(self, aligned, f0, energy, style, noise, rows):
        self.given.append(rows.lengths)
        if sum(rows.lengths) > self.room:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return super().forward(aligned, f0, energy, style, noise, rows)


@contextmanager
def packing():
    """A model that packs, while this lasts."""
    model = tiny_model(torch.float32)
    plain = model.decoder
    kernels = plain_kernels() if DEVICE.type == "cpu" else nullcontext()
    with kernels, torch.inference_mode(), even_tones(model.predictor):
        fused = Decoder(plain, EXACT)
        fused.given = []
        model.set_submodule("decoder", fused)
        try:
            yield model
        finally:
            model.set_submodule("decoder", plain)


def rows_of(lengths, seed=0):
    return [Row(one, seed + n) for n, one in enumerate(tiny_utterances(lengths, seed))]


def same(one, other) -> bool:
    """Whether two rows say the same, but for how styles are rounded in company.

    F0 is the same to the last bit, being even: what hangs on it may tear a source's phases, which
    happens to one row in fifty (see `test_kokoro_independence.py`).
    """
    samples = [torch.from_numpy(row.samples) for row in (one, other)]
    return one.durations == other.durations and distance(*samples) < 1e-3


@settings(max_examples=10)
@given(st.lists(st.integers(1, 9), min_size=1, max_size=6), st.integers(1, 200))
def test_each_row_is_what_it_would_be_alone(lengths, budget):
    rows = rows_of(lengths)
    with even_tones(tiny_model(torch.float32).predictor):
        runner = Runner(tiny_model(torch.float32))
        alone = [audio for row in rows for audio in runner.run([row])]
    with packing() as model:
        together = Runner(model, budget).run(rows)
        frames = [sum(one.durations) for one in together]
        batches = [tuple(frames[n] for n in batch) for batch in packed(frames, budget)]
        # In any order: a CPU decodes several side by side.
        assert sorted(model.decoder.given) == sorted(batches)
    # A GPU's kernel and the plain source differ in last digits, and so may a phase of pi and -pi.
    agreeing = [same(*pair) for pair in zip(together, alone, strict=True)]
    assert sum(agreeing) >= len(agreeing) - (DEVICE.type != "cpu")
    assert [one.samples.size for one in together] == [one.samples.size for one in alone]


@given(st.lists(st.integers(1, 300), max_size=40), st.integers(1, 1000))
def test_batches_hold_every_row_once_and_no_more_than_the_budget(lengths, budget):
    batches = list(packed(lengths, budget))
    assert sorted(index for batch in batches for index in batch) == list(range(len(lengths)))
    taken = [[lengths[index] for index in batch] for batch in batches]
    for batch in taken:
        assert len(batch) == 1 or room_for(batch) <= budget
    # Nothing that would have fitted into the batch before stands alone.
    for one, after in pairwise(taken):
        assert room_for([*one, after[0]]) > budget


def room_for(lengths):
    """What is packed, and a twentieth of the padding, which is left at both ends of the decoder."""
    return sum(lengths) + (len(lengths) * max(lengths) - sum(lengths)) // 20


def test_out_of_memory_in_the_middle_is_survived_and_remembered():
    rows = rows_of([9, 3, 7, 5, 8, 2])
    with packing() as model:
        wanted = Runner(model, 10_000).run(rows)
        longest = max(sum(one.durations) for one in wanted)
        model.decoder.room = 2 * longest
        model.decoder.given.clear()
        speaker = Runner(model, 10_000)
        found = speaker.run(rows)
        n_failed = sum(sum(given) > model.decoder.room for given in model.decoder.given)
        assert n_failed >= 1
        assert speaker.batch_frames <= 2 * model.decoder.room
        model.decoder.given.clear()
        again = speaker.run(rows)
        assert all(sum(given) <= model.decoder.room for given in model.decoder.given)
    for one, first, second in zip(wanted, found, again, strict=True):
        assert one.durations == first.durations == second.durations
        np.testing.assert_array_equal(first.samples.shape, one.samples.shape)
        assert same(one, first)
        assert same(one, second)


def test_no_room_for_a_single_row_is_told_in_words():
    with packing() as model:
        model.decoder.room = 1
        with pytest.raises(EngineFailed, match="no memory left for a single segment"):
            Runner(model, 10_000).run(rows_of([3, 4]))
