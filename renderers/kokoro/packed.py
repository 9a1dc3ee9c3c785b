"""Layers whose weights lie as oneDNN reads them, so that they are not laid out anew at each call.

PyTorch multiplies matrices with MKL otherwise, which takes twice as long on CPUs that are not
Intel's. The operators are those that `torch.compile` emits.
"""

from __future__ import annotations

from typing import cast

import torch
from torch import Tensor, nn

from renderers.kokoro.layers import Conv1d

USUAL_LENGTH = 512  # frames for which the order is chosen; it serves for any number


class PackedConv1d(nn.Module):
    """A `Conv1d`."""

    def __init__(self, conv: Conv1d) -> None:
        super().__init__()
        self._bias = conv.bias
        self._padding = (0, cast(int, conv.padding[0]))
        self._stride, self._dilation = (1, conv.stride[0]), (1, conv.dilation[0])
        self._weight = packed(conv.weight, self._padding, self._stride, self._dilation)

    def forward(self, x: Tensor) -> Tensor:
        """(B, C_in, T) to (B, C_out, T')."""
        image = x.unsqueeze(2).contiguous(memory_format=torch.channels_last)
        out: Tensor = torch.ops.mkldnn._convolution_pointwise(
            image, self._weight, self._bias,
            self._padding, self._stride, self._dilation, 1, "none", [], "",
        )  # fmt: skip
        return out.squeeze(2)


class PackedLinear(nn.Module):
    """An `nn.Linear`."""

    def __init__(self, linear: nn.Linear) -> None:
        super().__init__()
        self._bias = linear.bias
        self._weight = torch.ops.mkldnn._reorder_linear_weight(linear.weight, USUAL_LENGTH)

    def forward(self, x: Tensor) -> Tensor:
        """(…, C_in) to (…, C_out)."""
        return torch.ops.mkldnn._linear_pointwise(x, self._weight, self._bias, "none", [], "")


def can_pack(dtype: torch.dtype) -> bool:
    """Whether oneDNN is there and computes in this type."""
    return dtype == torch.float32 and torch.backends.mkldnn.is_available()


def packed(
    weight: Tensor, padding: tuple[int, int], stride: tuple[int, int], dilation: tuple[int, int]
) -> Tensor:
    """A convolution's weight (C_out, C_in, K) in oneDNN's own order."""
    image = weight.unsqueeze(2).contiguous(memory_format=torch.channels_last)
    length = USUAL_LENGTH * stride[1] + dilation[1] * (weight.shape[-1] - 1)
    return torch.ops.aten.mkldnn_reorder_conv2d_weight(
        image.to_mkldnn(), padding, stride, dilation, 1, (1, weight.shape[1], 1, length)
    )
