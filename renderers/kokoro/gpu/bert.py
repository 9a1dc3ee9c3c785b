"""PL-BERT on a GPU. Knows tokens only.

Weights and values are rounded to float16. That has as many bits of mantissa as TF32, in which a GPU
multiplies float32, and takes half the memory; attention has kernels of tensor cores only for it.
"""

from __future__ import annotations

from copy import deepcopy

import torch
from torch import Tensor, nn

from audiomill.renderers.kokoro.model.bert import Bert
from audiomill.renderers.kokoro.model.padding import PaddingMask


class HalfBert(nn.Module):
    """A `Bert` with the same weights in float16, and called like it."""

    def __init__(self, bert: Bert) -> None:
        super().__init__()
        self._bert = deepcopy(bert).to(torch.float16)

    def forward(self, tokens: Tensor, mask: PaddingMask) -> Tensor:
        """Token numbers (B, T) to vectors (B, T, hidden) in float32."""
        return self._bert(tokens, mask).float()
