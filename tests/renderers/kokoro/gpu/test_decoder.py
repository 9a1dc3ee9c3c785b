"""The decoder of GPUs makes what the plain one makes, and is as far from it as its arithmetic is.

On a CPU its kernels are interpreted for a tiny model, and computed plainly (`kokoro_plain.py`) for
the full size; on a GPU (`make prove-device`) they run. `pytest -rP` shows the figures.
"""

import weakref
from contextlib import contextmanager, nullcontext
from functools import cache
from unittest import mock

import numpy as np
import pytest
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

pytest.importorskip("triton", reason="Triton is not here")

from audiomill.renderers.kokoro.gpu import self_test as likeness
from audiomill.renderers.kokoro.gpu.conv import Arithmetic
from audiomill.renderers.kokoro.gpu.decoder import FusedDecoder, bytes_per_frame
from audiomill.renderers.kokoro.inference.batching import room_packed
from audiomill.renderers.kokoro.model.padding import PaddingMask
from audiomill.renderers.kokoro.model.source import normal_noise
from support.gpu_kernels_data import replaced
from support.kokoro_plain import plain_kernels
from support.kokoro_reference import distance, ours, random_lines, utterance
from support.kokoro_tiny import DEVICE, tiny_model, tiny_utterances

EXACT = Arithmetic(torch.float32, "ieee")
TF32, BF16 = Arithmetic(torch.float32, "tf32"), Arithmetic(torch.bfloat16, "tf32")
# A GPU runs what a CPU can only stand in for.
stand_in = plain_kernels if DEVICE.type == "cpu" else nullcontext
pytestmark = [
    pytest.mark.longest,
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
]


@contextmanager
def decoding(model, arithmetic):
    """The model with the decoder of GPUs."""
    before = model.decoder
    model.decoder = FusedDecoder(before, arithmetic)
    try:
        with torch.inference_mode():
            yield model
    finally:
        model.decoder = before


def heard(model, readings, seeds):
    n_samples = max(one.n_frames for one in readings) * model.config.samples_per_frame
    noise = normal_noise(seeds, n_samples, model.device, torch.float32)
    return [row.cpu() for row in model.speak(readings, noise)]


@settings(max_examples=1)
@example([3, 1], 0)
@given(st.lists(st.integers(1, 4), min_size=1, max_size=2), st.integers(0, 1000))
def test_interpreted_it_makes_what_the_plain_one_makes(lengths, seed):
    model = tiny_model(torch.float32)
    readings = model.encode_text(tiny_utterances(lengths, seed))
    wanted = heard(model, readings, range(len(lengths)))
    with decoding(model, EXACT) as fused:
        found = heard(fused, readings, range(len(lengths)))
    assert all(distance(*pair) < 1e-3 for pair in zip(found, wanted, strict=True))


def test_company_changes_nothing_but_how_styles_are_rounded():
    model = tiny_model(torch.float32)
    readings = model.encode_text(tiny_utterances([1, 3]))
    with decoding(model, EXACT) as fused, even_tones(fused.predictor):
        together = heard(fused, readings, [1, 2])
        alone = [heard(fused, [one], [seed])[0] for one, seed in zip(readings, [1, 2], strict=True)]
    assert all(distance(*pair) < 1e-5 for pair in zip(together, alone, strict=True))


@contextmanager
def even_tones(predictor):
    """While this lasts, F0 and energy are even: whose LSTM depends on the company is not asked."""

    def curves(aligned, style, rows):
        even = aligned.new_full((aligned.shape[0], 2 * rows.size), 120.0)
        return even, even / 100

    with mock.patch.object(predictor, "curves", curves):
        yield


def full_size(seed=3, n_rows=3, longest=20):
    model = ours("full", torch.float32).to(DEVICE)
    lines = random_lines(np.random.default_rng(seed), n_rows, longest)
    return model, model.encode_text([utterance(line, model) for line in lines])


def test_at_full_size_it_is_the_same_decoder():
    model, readings = full_size()
    wanted = heard(model, readings, [1, 2, 3])
    with stand_in(), decoding(model, EXACT) as fused:
        found = heard(fused, readings, [1, 2, 3])
    assert all(distance(*pair) < 1e-4 for pair in zip(found, wanted, strict=True))


@cache
def spoken_exactly():
    """Four rows at full size; what the plain decoder makes of them with two sets of seeds."""
    model, readings = full_size(n_rows=4, longest=40)
    exact, other = (heard(model, readings, seeds) for seeds in ([1, 2, 3, 4], [5, 6, 7, 8]))
    return model, readings, exact, other


@pytest.mark.parametrize("arithmetic", [TF32, BF16], ids=["tf32", "bf16"])
def test_what_is_rounded_is_far_nearer_than_another_noise(arithmetic):
    """The gate: a precision is a default only if it passes here."""
    model, readings, exact, other = spoken_exactly()
    with stand_in(), decoding(model, arithmetic) as fused:
        rounded = heard(fused, readings, [1, 2, 3, 4])
    found, floor = (apart(exact, those) for those in (rounded, other))
    print(f"{arithmetic}: {found}; floor {floor}")  # noqa: T201 - what `pytest -rP` is asked for
    for name in ("log_mel_db", "convergence", "log_stft_db"):
        assert getattr(found, name) < getattr(floor, name) / 10


def apart(some, others) -> likeness.Distance:
    return likeness.mean_distance(
        [likeness.distance(a.numpy(), b.numpy(), 24_000) for a, b in zip(some, others, strict=True)]
    )


class Held(TorchDispatchMode):
    """How many bytes of new tensors are alive, and the most there ever were."""

    def __init__(self):
        super().__init__()
        self.peak = self.now = 0
        self._seen = set()

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        given = {leaf.untyped_storage()._cdata for leaf in tree_leaves((args, kwargs)) if _is(leaf)}
        made = func(*args, **(kwargs or {}))
        for leaf in filter(_is, tree_leaves(made)):
            storage = leaf.untyped_storage()
            if storage._cdata not in given | self._seen:
                self._hold(storage)
        return made

    def _hold(self, storage):
        size, name = storage.nbytes(), storage._cdata
        self._seen.add(name)
        self.now += size
        self.peak = max(self.peak, self.now)
        weakref.finalize(storage, self._let_go, size, name)

    def _let_go(self, size, name):
        self.now -= size
        self._seen.discard(name)


def _is(leaf) -> bool:
    return isinstance(leaf, torch.Tensor)


# The bound below: of rows of like length it is what is taken, of others more than that.
@pytest.mark.parametrize(
    ("frames", "least"), [([390, 450, 360], 0.9), ([600] + 30 * [20], 0.6)], ids=["alike", "skewed"]
)
@pytest.mark.parametrize("arithmetic", [TF32, BF16], ids=["tf32", "bf16"])
def test_memory_follows_the_budget_within_a_tenth(arithmetic, frames, least):
    model = ours("full", torch.float32).to(DEVICE)
    n_rows, longest = len(frames), max(frames)
    f0 = torch.full((n_rows, 2 * longest), 120.0, device=DEVICE)
    rows = PaddingMask(frames, DEVICE)
    style = torch.zeros(n_rows, model.config.style_dim, device=DEVICE)

    def decode(decoder):
        aligned = torch.randn(n_rows, model.config.hidden_dim, longest, device=DEVICE)
        noise = torch.randn(n_rows, longest * 600, device=DEVICE)
        decoder(aligned, f0, f0, style, noise, rows)

    with idle_kernels(), decoding(model, arithmetic) as fused:
        held = most_held(lambda: decode(fused.decoder))
    places = room_packed(n_rows, longest, sum(frames))
    budget = places * bytes_per_frame(model.config.vocoder, arithmetic.dtype)
    print(f"{arithmetic}: {held / budget:.3f} of the budget")  # noqa: T201
    assert least < held / budget < 1.1


@contextmanager
def idle_kernels():
    """On a CPU kernels do nothing while this lasts: what they are given is what counts."""
    with nullcontext() if DEVICE.type == "cuda" else replaced(lambda _kernel: Idle()):
        yield


class Idle:
    """A kernel that does nothing, and keeps nothing of what it is given."""

    def __getitem__(self, _grid):
        return lambda *_, **__: None


def most_held(work) -> int:
    """Bytes that tensors took at the most, beyond what was there before."""
    if DEVICE.type == "cuda":
        before = torch.cuda.memory_allocated(DEVICE)
        torch.cuda.reset_peak_memory_stats(DEVICE)
        work()
        return torch.cuda.max_memory_allocated(DEVICE) - before
    with Held() as held:
        work()
    return held.peak
