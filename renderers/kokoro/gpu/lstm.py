"""The LSTMs of text and prosody on a GPU. Knows padded rows and their lengths.

    x (B, T, n_in) ─▶ one matrix product ─▶ gates (B, T, 2, 4, H) ─▶ `lstm_kernel` ─▶ (B, T, 2 H)

cuDNN starts two kernels for every step of each direction, and the host takes longer to start them
than the GPU to run them. Here both directions of all rows are one launch. No row is reversed: the
backward direction begins at the row's own end.

State weights and states are rounded to float16 before they are multiplied. That has as many bits
of mantissa as TF32, in which cuDNN multiplies them, and both stay far below its largest value. Sums
are float32.
"""

from __future__ import annotations

from typing import Any, cast

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from audiomill.renderers.kokoro.gpu.layout import COMPILE_OPTIONS
from audiomill.renderers.kokoro.gpu.lstm_kernel import lstm_kernel
from audiomill.renderers.kokoro.model.layers import BiLSTM
from audiomill.renderers.kokoro.model.padding import PaddingMask

BLOCK_ROWS = 16  # of one program: the fewest that a matrix product of tensor cores has
BLOCK_K = 32  # values of the state at a time
N_WARPS, N_STAGES = 8, 2  # with three loads in flight it fits no GPU of 99 KB of shared memory


class FusedBiLSTM(nn.Module):
    """A `BiLSTM` with the same weights, and called like it."""

    def __init__(self, lstm: BiLSTM) -> None:
        super().__init__()
        self._hidden = lstm.hidden_size
        both = [_one_way(lstm, suffix) for suffix in ("", "_reverse")]
        self._input_weight = torch.cat([weight for weight, _, _ in both])
        self._bias = torch.cat([bias for _, bias, _ in both])
        self._state_weight = torch.stack([state for _, _, state in both])

    def forward(self, x: Tensor, mask: PaddingMask) -> Tensor:
        """(B, T, n_in) to (B, T, 2 H) in float32. The values in the padding are meaningless."""
        n_rows, size = x.shape[:2]
        gates = F.linear(x, self._input_weight, self._bias)
        out = torch.zeros((n_rows, size, 2 * self._hidden), device=x.device)
        kernel: Any = lstm_kernel
        kernel[(-(-n_rows // BLOCK_ROWS), 2)](
            gates,
            self._state_weight,
            out,
            mask.last_index(),
            n_rows,
            size,
            HIDDEN=self._hidden,
            BLOCK_ROWS=BLOCK_ROWS,
            BLOCK_K=min(BLOCK_K, self._hidden),
            num_warps=N_WARPS,
            num_stages=N_STAGES,
            **COMPILE_OPTIONS,
        )
        return out


def _one_way(lstm: BiLSTM, suffix: str) -> tuple[Tensor, Tensor, Tensor]:
    """Input weight (4 H, n_in), bias (4 H) and state weight (4, H, H) of one direction."""

    def part(name: str) -> Tensor:
        return cast(Tensor, getattr(lstm, f"{name}_l0{suffix}")).detach()

    state = part("weight_hh").unflatten(0, (4, -1)).transpose(1, 2)
    return part("weight_ih"), part("bias_ih") + part("bias_hh"), state.half().contiguous()
