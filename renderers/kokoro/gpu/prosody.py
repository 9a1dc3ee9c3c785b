"""What comes before the decoder, on a GPU: PL-BERT, the LSTMs, and the curves of F0 and energy.

`HalfBert` knows tokens only. Its weights and values are rounded to float16. That has as many bits
of mantissa as TF32, in which a GPU multiplies float32, and takes half the memory; attention has
kernels of tensor cores only for it.

`FusedBiLSTM` knows padded rows and their lengths:

    x (B, T, n_in) ─▶ one matrix product ─▶ gates (B, T, 2, 4, H) ─▶ `lstm_kernel` ─▶ (B, T, 2 H)

cuDNN starts two kernels for every step of each direction, and the host takes longer to start them
than the GPU to run them. Here both directions of all rows are one launch. No row is reversed: the
backward direction begins at the row's own end. State weights and states are rounded to float16
before they are multiplied; both stay far below the largest. Sums are float32.

`FusedCurveBlocks` works on packed rows, in float16, with the kernels of the decoder:

    (B, hidden, F) ─▶ packed ─▶ block ─▶ block, doubles ─▶ block ─▶ (B, hidden / 2, 2 F)
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any, cast

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from audiomill.renderers.kokoro.gpu.blocks import FusedStyledBlock, Stage, concatenated, packed
from audiomill.renderers.kokoro.gpu.conv import Arithmetic
from audiomill.renderers.kokoro.gpu.layout import COMPILE_OPTIONS, Layout, Margins
from audiomill.renderers.kokoro.gpu.lstm_kernel import lstm_kernel
from audiomill.renderers.kokoro.gpu.norm import StyleLayers
from audiomill.renderers.kokoro.model.bert import Bert
from audiomill.renderers.kokoro.model.layers import BiLSTM, StyledBlock
from audiomill.renderers.kokoro.model.padding import PaddingMask
from audiomill.renderers.kokoro.model.prosody import CurveBlocks

BLOCK_ROWS = 16  # of one program: the fewest that a matrix product of tensor cores has
BLOCK_K = 32  # values of the state at a time
N_WARPS, N_STAGES = 8, 2  # with three loads in flight it fits no GPU of 99 KB of shared memory
MARGINS = Margins(gap_frames=2, max_stride=1)  # filters of three taps reach one frame to each side


class HalfBert(nn.Module):
    """A `Bert` with the same weights in float16, and called like it."""

    def __init__(self, bert: Bert) -> None:
        super().__init__()
        self._bert = deepcopy(bert).to(torch.float16)

    def forward(self, tokens: Tensor, mask: PaddingMask) -> Tensor:
        """Token numbers (B, T) to vectors (B, T, hidden) in float32."""
        return self._bert(tokens, mask).float()


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


class FusedCurveBlocks(nn.Module):
    """`CurveBlocks` with the same weights, and called like them."""

    def __init__(self, blocks: CurveBlocks, arithmetic: Arithmetic) -> None:
        super().__init__()
        styles = StyleLayers()
        self._n_out = cast(StyledBlock, blocks[-1]).conv2.out_channels
        self._blocks = [
            FusedStyledBlock(cast(StyledBlock, block), styles, arithmetic.dtype) for block in blocks
        ]
        self._styles = styles.merged()
        self._arithmetic = arithmetic

    def forward(self, x: Tensor, style: Tensor, mask: PaddingMask) -> Tensor:
        """(B, hidden, F) and style (B, style_dim) to (B, hidden / 2, 2 F) in float32.

        It is zero in the padding.
        """
        layout = Layout(mask.lengths, x.device, MARGINS)
        styles = self._styles(style).float()
        stage, doubled = (
            Stage(layout, rate, layout.tiles(rate), styles, self._arithmetic) for rate in (1, 2)
        )
        values = concatenated(stage, packed(x, stage, mask.size))
        for block in self._blocks:
            values = block(values, stage, doubled)
            stage = doubled if block.doubles else stage
        return layout.unpacked(values[:, : self._n_out], 2, 2 * mask.size).float().transpose(1, 2)
