"""Layers whose weights lie as oneDNN reads them, so that they are not laid out anew at each call.

PyTorch multiplies matrices with MKL otherwise, which takes twice as long on CPUs that are not
Intel's. The operators are those that `torch.compile` emits, and no part of PyTorch's interface:
where they are missing, or take other arguments, nothing is packed.
"""

from __future__ import annotations

from functools import cache
from typing import cast

import torch
from torch import Tensor, nn

from renderers.kokoro.layers import Conv1d

Pair = tuple[int, int]
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


def add_convolved(
    out: Tensor, image: Tensor, weight: Tensor, bias: Tensor | None, stride: Pair, dilation: Pair
) -> None:
    """Add to `out` what a `packed` weight without padding makes of `image`, both channels last."""
    torch.ops.mkldnn._convolution_pointwise_.binary(
        out, image, weight, bias, (0, 0), stride, dilation, 1, "add", 1.0, None, [], None
    )


def can_pack(dtype: torch.dtype) -> bool:
    """Whether oneDNN is there, computes in this type, and does it right."""
    return dtype == torch.float32 and torch.backends.mkldnn.is_available() and _works()


@cache
@torch.inference_mode()
def _works() -> bool:
    """Whether each operator makes what it should of something small."""
    conv, linear = Conv1d(2, 2, 3, padding=1), nn.Linear(2, 2)
    x = torch.linspace(-1, 1, 16).view(1, 2, 8)
    image = x.unsqueeze(2).contiguous(memory_format=torch.channels_last)
    added = torch.zeros(1, 2, 1, 6).contiguous(memory_format=torch.channels_last)
    try:
        made = PackedConv1d(conv)(x), PackedLinear(linear)(x.mT)
        weight = packed(conv.weight, (0, 0), (1, 1), (1, 1))
        add_convolved(added, image, weight, conv.bias, (1, 1), (1, 1))
    except (AttributeError, NotImplementedError, RuntimeError, TypeError):
        return False
    wanted = conv(x), linear(x.mT), conv(x)[..., 1:-1].unsqueeze(2)
    return all(
        torch.allclose(*pair, atol=1e-5) for pair in zip((*made, added), wanted, strict=True)
    )


def packed(weight: Tensor, padding: Pair, stride: Pair, dilation: Pair) -> Tensor:
    """A convolution's weight (C_out, C_in, K) in oneDNN's own order."""
    image = weight.unsqueeze(2).contiguous(memory_format=torch.channels_last)
    length = USUAL_LENGTH * stride[1] + dilation[1] * (weight.shape[-1] - 1)
    return torch.ops.aten.mkldnn_reorder_conv2d_weight(
        image.to_mkldnn(), padding, stride, dilation, 1, (1, weight.shape[1], 1, length)
    )
