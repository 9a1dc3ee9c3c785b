"""Convolutions over time on a CPU, added to what is there. Knows no model, no rows, no padding.

Frames are (T, C), one after the other in memory. `HalvedTaps` needs fewer multiplications than
`Taps`: it takes even and odd frames apart. With even and odd frames x and z, even and odd taps H
and G,

    y even = H x + G z                           three convolutions of half the taps
    y odd  = (H + G)(x + z) - H x - G z          over half the frames, instead of four

and each of the three can be halved again: 11 taps cost what 7 do, 7 what 5½ do. All it adds to
rounding comes of sums of two. Source: the fast FIR algorithm of Mou and Duhamel, "Short-length FIR
filters and their use in fast nonrecursive filtering", 1991.
"""

from __future__ import annotations

import threading
from functools import cache
from typing import cast

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from audiomill.renderers.kokoro.model.layers import Conv1d

# Layers whose weights lie as oneDNN reads them, so that they are not laid out anew at each call.

FilterPair = tuple[int, int]
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
    out: Tensor,
    image: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: FilterPair,
    dilation: FilterPair,
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


def packed(weight: Tensor, padding: FilterPair, stride: FilterPair, dilation: FilterPair) -> Tensor:
    """A convolution's weight (C_out, C_in, K) in oneDNN's own order."""
    image = weight.unsqueeze(2).contiguous(memory_format=torch.channels_last)
    length = USUAL_LENGTH * stride[1] + dilation[1] * (weight.shape[-1] - 1)
    return torch.ops.aten.mkldnn_reorder_conv2d_weight(
        image.to_mkldnn(), padding, stride, dilation, 1, (1, weight.shape[1], 1, length)
    )


# Arrays that are used again and again.

N_VIEWS = 512  # that are kept: making one takes as long as adding up a thousand numbers


class Workspace(threading.local):
    """Arrays by name, each thread's its own. What is in one lasts until its name is asked again."""

    def __init__(self, dtype: torch.dtype) -> None:
        self._dtype = dtype
        self._arrays: dict[str, Tensor] = {}
        self._views: dict[tuple[str, int, int], Tensor] = {}

    def frames(self, name: str, n_frames: int, channels: int) -> Tensor:
        """(n_frames, channels), holding anything."""
        view = self._views.get((name, n_frames, channels))
        if view is None:
            view = self._array(name, n_frames * channels)[: n_frames * channels]
            view = view.view(n_frames, channels)
            self._views[name, n_frames, channels] = view
        return view

    def _array(self, name: str, size: int) -> Tensor:
        array = self._arrays.get(name)
        if array is None or array.numel() < size or len(self._views) == N_VIEWS:
            self._views.clear()
        if array is None or array.numel() < size:
            array = self._arrays[name] = torch.empty(size, dtype=self._dtype)
        return array


# With fewer taps, what is added and copied takes longer than what is not multiplied.
WORTH_HALVING = 6


class Taps:
    """A convolution without padding."""

    depth = 0  # how often it is halved

    def __init__(
        self, weight: Tensor, bias: Tensor | None, dilation: int = 1, stride: int = 1
    ) -> None:
        """`weight` is (C_out, C_in, K)."""
        self.c_out, self.c_in, n_taps = weight.shape
        self._span = dilation * (n_taps - 1)
        self._bias = bias
        self._stride, self._dilation = (1, stride), (1, dilation)
        self._weight = weight.unsqueeze(2)
        self._add = self._add_plain
        if can_pack(weight.dtype):
            self._weight = packed(weight, (0, 0), self._stride, self._dilation)
            self._add = self._add_packed

    def frames_for(self, n_frames: int) -> int:
        """How many frames it takes to make `n_frames`."""
        return (n_frames - 1) * self._stride[1] + self._span + 1

    def add(self, frames: Tensor, out: Tensor, space: Workspace) -> None:
        """Adds to `out` (n, C_out) what comes of `frames` (at least `frames_for(n)`, C_in)."""
        frames = frames[: self.frames_for(len(out))]
        if not frames.is_contiguous():
            frames = space.frames("dense", len(frames), self.c_in).copy_(frames)
        if len(out):
            self._add(_image(frames), _image(out))

    def _add_packed(self, image: Tensor, out: Tensor) -> None:
        add_convolved(out, image, self._weight, self._bias, self._stride, self._dilation)

    def _add_plain(self, image: Tensor, out: Tensor) -> None:
        out += F.conv2d(image, self._weight, self._bias, self._stride, 0, self._dilation)


class HalvedTaps:
    """The same of stride 1 and odd dilation, with even and odd frames apart."""

    def __init__(self, weight: Tensor, bias: Tensor | None, dilation: int) -> None:
        self.c_out, self.c_in, _ = weight.shape
        even, odd = weight[..., 0::2], weight[..., 1::2]
        both = even.clone()
        both[..., : odd.shape[-1]] += odd
        self._even, self._odd = taps(even, bias, dilation), taps(odd, None, dilation)
        # Twice, as what is subtracted from it holds the bias too.
        self._both = taps(both, None if bias is None else 2 * bias, dilation)
        self.depth = 1 + self._even.depth
        # Frames of a half between an even tap and the odd one after it.
        self._skip = (dilation - 1) // 2

    def frames_for(self, n_frames: int) -> int:
        """How many frames it takes to make `n_frames`; the last are multiplied by zero."""
        half = -(-n_frames // 2)
        return 2 * max(
            self._even.frames_for(half + self._skip + 1),
            self._odd.frames_for(half + self._skip),
            self._both.frames_for(half) + self._skip + 1,
        )

    def add(self, frames: Tensor, out: Tensor, space: Workspace) -> None:
        """Adds to `out` (n, C_out) what comes of `frames` (at least `frames_for(n)`, C_in)."""
        x, z = frames[0::2], frames[1::2]
        n_even, n_odd, skip = -(-len(out) // 2), len(out) // 2, self._skip
        even = self._room("even", n_even + skip + 1, space).zero_()
        odd = self._room("odd", n_even + skip, space).zero_()
        both = self._room("both", n_odd, space).copy_(out[1::2])
        self._even.add(x, even, space)
        self._odd.add(z, odd, space)
        self._both.add(self._summed(x[skip + 1 :], z, n_odd, space), both, space)
        out[0::2].add_(even[:n_even]).add_(odd[skip:])
        both.sub_(even[skip + 1 : skip + 1 + n_odd])
        torch.sub(both, odd[:n_odd], out=out[1::2])

    def _summed(self, x: Tensor, z: Tensor, n_frames: int, space: Workspace) -> Tensor:
        needed = self._both.frames_for(n_frames)
        out = space.frames(f"summed {self.depth}", needed, self.c_in)
        return torch.add(x[:needed], z[:needed], out=out)

    def _room(self, name: str, n_frames: int, space: Workspace) -> Tensor:
        return space.frames(f"{name} {self.depth}", n_frames, self.c_out)


def taps(weight: Tensor, bias: Tensor | None, dilation: int) -> Taps | HalvedTaps:
    """What is faster for this kernel, of stride 1."""
    if weight.shape[-1] < WORTH_HALVING or dilation % 2 == 0:
        return Taps(weight, bias, dilation)
    return HalvedTaps(weight, bias, dilation)


def _image(frames: Tensor) -> Tensor:
    """(n, C) as (1, C, 1, n), channels last in memory: only such are convolved without a copy."""
    n_frames, channels = frames.shape
    size = n_frames * channels
    return frames.as_strided((1, channels, 1, n_frames), (size, 1, size, channels))
