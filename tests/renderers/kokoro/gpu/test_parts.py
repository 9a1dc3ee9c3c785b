"""The fused curves and the half-precision BERT agree with the plain ones, whatever the batch.

On a CPU the kernels are interpreted (`test_kernels.py` compares each); on a GPU they run.
"""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("triton", reason="Triton is not installed")

from audiomill.renderers.kokoro.gpu.conv import Arithmetic
from audiomill.renderers.kokoro.gpu.prosody import FusedCurveBlocks, HalfBert
from audiomill.renderers.kokoro.model.padding import PaddingMask
from support.kokoro_tiny import CONFIG, DEVICE, tiny_model

EXACT, HALF = Arithmetic(torch.float32, "ieee"), Arithmetic(torch.float16, "tf32")
LENGTHS = st.lists(st.integers(1, 9), min_size=1, max_size=3)
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def drawn(seed, *shape):
    values = np.random.default_rng(seed).standard_normal(shape)
    return torch.from_numpy(values).to(DEVICE, torch.float32)


@pytest.mark.prove
@pytest.mark.parametrize(("arithmetic", "limit"), [(EXACT, 1e-3), (HALF, 0.01)])
@settings(max_examples=4)
@given(LENGTHS, st.integers(0, 99))
def test_curves_are_those_of_the_plain_blocks_and_zero_in_the_padding(
    arithmetic, limit, lengths, seed
):
    plain = tiny_model(torch.float32).predictor.F0
    mask = PaddingMask(lengths, DEVICE)
    # Values in the padding show if anything reads them.
    x = drawn(seed, len(lengths), CONFIG.hidden_dim, mask.size)
    style = drawn(seed + 1, len(lengths), CONFIG.style_dim)
    with torch.inference_mode():
        found = FusedCurveBlocks(plain, arithmetic)(x, style, mask)
        wanted = mask.scaled(2).apply(plain(x, style, mask))
    assert found.dtype == torch.float32
    assert found.shape == wanted.shape
    assert (found - wanted).abs().max() < limit * wanted.abs().max()
    assert torch.equal(mask.scaled(2).apply(found), found)


@settings(max_examples=5)
@given(LENGTHS, st.integers(0, 99))
def test_bert_in_half_precision_is_near_the_plain_one(lengths, seed):
    plain, mask = tiny_model(torch.float32).bert, PaddingMask(lengths, DEVICE)
    tokens = np.random.default_rng(seed).integers(0, CONFIG.n_token, (len(lengths), mask.size))
    given_tokens = torch.from_numpy(tokens).to(DEVICE)
    with torch.inference_mode():
        found, wanted = (
            mask.apply(bert(given_tokens, mask).transpose(1, 2))
            for bert in (HalfBert(plain), plain)
        )
    assert found.dtype == torch.float32
    assert (found - wanted).abs().max() < 0.01 * wanted.abs().max()
    assert next(plain.parameters()).dtype == torch.float32  # the plain one is left as it was
