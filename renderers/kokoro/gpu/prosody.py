"""The curves of F0 and energy on packed rows, in the kernels of the decoder. Knows no text.

    (B, hidden, F) ─▶ packed ─▶ block ─▶ block, doubles ─▶ block ─▶ (B, hidden / 2, 2 F)

In float16 its values have as many bits of mantissa as TF32, in which the plain blocks multiply.
"""

from __future__ import annotations

from typing import cast

from torch import Tensor, nn

from audiomill.renderers.kokoro.gpu.blocks import FusedStyledBlock, Stage, concatenated, packed
from audiomill.renderers.kokoro.gpu.conv import Arithmetic
from audiomill.renderers.kokoro.gpu.layout import Layout, Margins
from audiomill.renderers.kokoro.gpu.norm import StyleLayers
from audiomill.renderers.kokoro.model.layers import StyledBlock
from audiomill.renderers.kokoro.model.padding import PaddingMask
from audiomill.renderers.kokoro.model.prosody import CurveBlocks

MARGINS = Margins(gap_frames=2, max_stride=1)  # filters of three taps reach one frame to each side


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
