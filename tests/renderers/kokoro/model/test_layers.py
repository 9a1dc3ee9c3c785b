"""Layers that are computed otherwise on a GPU than on a CPU."""

import torch

from audiomill.renderers.kokoro.model.layers import Doubling


def test_doubling_by_its_formula_is_the_transposed_convolution():
    torch.manual_seed(0)
    pool = Doubling(5).double()
    for size in (1, 2, 7):
        x = torch.randn(3, 5, size, dtype=torch.float64)
        assert torch.allclose(pool.by_formula(x), pool(x), atol=1e-12)
