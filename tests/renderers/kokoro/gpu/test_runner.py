"""Packed rows come back in order, each the same as alone, even if memory runs out.

On a CPU the kernels are replaced by plain PyTorch (`kokoro_plain.py`); on a GPU they run, on three
streams.
"""

from contextlib import contextmanager, nullcontext
from itertools import pairwise

import numpy as np
import pytest
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st

pytest.importorskip("triton", reason="Triton is not installed")

from audiomill.renderers.kokoro.gpu.conv import Arithmetic
from audiomill.renderers.kokoro.gpu.decoder import FusedDecoder
from audiomill.renderers.kokoro.inference.batching import packed
from audiomill.renderers.kokoro.inference.runner import Row, Runner
from audiomill.renderers.kokoro.model.source import normal_noise
from support.kokoro_plain import plain_kernels
from support.kokoro_reference import distance
from support.kokoro_tiny import DEVICE, constant_curves, tiny_model, tiny_utterances

EXACT = Arithmetic(torch.float32, "ieee")


class Decoder(FusedDecoder):
    """Records the lengths of its batches and runs out of memory above `room` frames."""

    room = 10**9

    def noise(self, seeds, n_samples, device):
        return normal_noise(seeds, n_samples, device, torch.float32)

    def forward(self, aligned, f0, energy, style, noise, mask):
        self.given.append(mask.lengths)
        if sum(mask.lengths) > self.room:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return super().forward(aligned, f0, energy, style, noise, mask)


@contextmanager
def packing():
    """Within the context, the tiny model has a decoder that packs."""
    model = tiny_model(torch.float32)
    plain = model.decoder
    kernels = plain_kernels() if DEVICE.type == "cpu" else nullcontext()
    with kernels, torch.inference_mode(), constant_curves(model.predictor):
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
    """True if two rows agree, but for the rounding of styles, which depends on the other rows.

    F0 is constant here, so it is the same to the last bit. A rounded F0 would make a phase of the
    source jump in one row of fifty (see `test_independence.py`).
    """
    samples = [torch.from_numpy(row.samples) for row in (one, other)]
    return one.durations == other.durations and distance(*samples) < 1e-3


@settings(max_examples=10)
@given(st.lists(st.integers(1, 9), min_size=1, max_size=6), st.integers(1, 200))
def test_each_row_is_the_same_as_alone(lengths, budget):
    rows = rows_of(lengths)
    with constant_curves(tiny_model(torch.float32).predictor):
        runner = Runner(tiny_model(torch.float32))
        alone = [audio for row in rows for audio in runner.run([row])]
    with packing() as model:
        together = Runner(model, budget).run(rows)
        frames = [sum(one.durations) for one in together]
        batches = [tuple(frames[n] for n in batch) for batch in packed(frames, budget)]
        # In any order: a CPU decodes several batches at a time.
        assert sorted(model.decoder.given) == sorted(batches)
    # A GPU's kernel and the plain source differ in their last digits, so a phase may be pi or -pi.
    agreeing = [same(*pair) for pair in zip(together, alone, strict=True)]
    assert sum(agreeing) >= len(agreeing) - (DEVICE.type != "cpu")
    assert [one.samples.size for one in together] == [one.samples.size for one in alone]


@given(st.lists(st.integers(1, 300), max_size=40), st.integers(1, 1000))
@example([5, 5], 10)
@example([6, 5], 10)
@example([41, 1], 43)
def test_batches_hold_every_row_once_and_no_more_than_the_budget(lengths, budget):
    batches = list(packed(lengths, budget))
    assert sorted(index for batch in batches for index in batch) == list(range(len(lengths)))
    taken = [[lengths[index] for index in batch] for batch in batches]
    for batch in taken:
        assert len(batch) == 1 or room_for(batch) <= budget
    # No row starts a batch that would have fitted into the one before.
    for one, after in pairwise(taken):
        assert room_for([*one, after[0]]) > budget


def room_for(lengths):
    """Packed frames, and a twentieth of the padding, which both ends of the decoder still have."""
    return sum(lengths) + (len(lengths) * max(lengths) - sum(lengths)) // 20


def test_running_out_of_memory_lowers_the_budget_and_loses_no_row():
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
