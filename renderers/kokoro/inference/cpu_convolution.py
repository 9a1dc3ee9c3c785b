"""Convolutions over time on a CPU that add to their output. Knows no model, no rows, no padding.

Frames are (T, C), contiguous in memory. `HalvedTaps` needs fewer multiplications than `Taps`: it
splits input, output and kernel into their even and odd parts.

    frames   x0 z0 x1 z1 x2 z2 …        x: even frames,  z: odd frames
    kernel   h0 g0 h1 g1 …              H: even taps,    G: odd taps

    y even = H x + G z                           three convolutions of half the taps
    y odd  = (H + G)(x + z) - H x - G z          over half the frames, instead of four

Each of the three can be halved again: 11 taps cost as much as 7, and 7 as much as 5½. The only
additional rounding comes from the sums of two values. Source: the fast FIR algorithm of Mou and
Duhamel, "Short-length FIR filters and their use in fast nonrecursive filtering", 1991.

Where PyTorch has oneDNN, weights are stored in the order that oneDNN reads ("packed"), so that they
are not reordered at each call. `RoundedTaps` is for processors that multiply bfloat16 faster, and
`TiledTaps` in `cpu_tiles.py` for those without AVX-512.
"""

from __future__ import annotations

import threading
from functools import cache
from typing import Protocol, cast

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from audiomill.renderers.kokoro.model.layers import Conv1d

USUAL_LENGTH = 512  # frames for which oneDNN's weight order is chosen; it works for any number
N_VIEWS = 512  # cached views; creating one takes as long as adding a thousand numbers
# With fewer taps, the additions and copies take longer than the multiplications that are saved.
WORTH_HALVING = 6

Pair = tuple[int, int]  # (height, width) of a two-dimensional convolution; height is always 1 here


class PackedConv1d(nn.Module):
    """A `Conv1d` with packed weights."""

    def __init__(self, conv: Conv1d) -> None:
        super().__init__()
        self._bias = conv.bias
        self._padding = (0, cast(int, conv.padding[0]))
        self._stride, self._dilation = (1, conv.stride[0]), (1, conv.dilation[0])
        self._weight = pack_weight(conv.weight, self._padding, self._stride, self._dilation)

    def forward(self, x: Tensor) -> Tensor:
        """(B, C_in, T) to (B, C_out, T')."""
        image = x.unsqueeze(2).contiguous(memory_format=torch.channels_last)
        out: Tensor = torch.ops.mkldnn._convolution_pointwise(
            image, self._weight, self._bias,
            self._padding, self._stride, self._dilation, 1, "none", [], "",
        )  # fmt: skip
        return out.squeeze(2)


class PackedLinear(nn.Module):
    """An `nn.Linear` with packed weights."""

    def __init__(self, linear: nn.Linear) -> None:
        super().__init__()
        self._bias = linear.bias
        self._weight = torch.ops.mkldnn._reorder_linear_weight(linear.weight, USUAL_LENGTH)

    def forward(self, x: Tensor) -> Tensor:
        """(…, C_in) to (…, C_out)."""
        return torch.ops.mkldnn._linear_pointwise(x, self._weight, self._bias, "none", [], "")


def pack_weight(
    weight: Tensor, padding: Pair, stride: Pair, dilation: Pair, groups: int = 1
) -> Tensor:
    """A convolution's weight (C_out, C_in / groups, K) in oneDNN's own order."""
    image = weight.unsqueeze(2).contiguous(memory_format=torch.channels_last)
    length = USUAL_LENGTH * stride[1] + dilation[1] * (weight.shape[-1] - 1)
    size = (1, groups * weight.shape[1], 1, length)
    return torch.ops.aten.mkldnn_reorder_conv2d_weight(
        image.to_mkldnn(), padding, stride, dilation, groups, size
    )


def add_convolved(
    out: Tensor,
    image: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: Pair,
    dilation: Pair,
) -> None:
    """Add the convolution of `image` (1, C_in, 1, T) to `out` (1, C_out, 1, T'), in place.

    `weight` comes from `pack_weight`, without padding. Both tensors are channels-last in memory.
    """
    torch.ops.mkldnn._convolution_pointwise_.binary(
        out, image, weight, bias, (0, 0), stride, dilation, 1, "add", 1.0, None, [], None
    )


def as_image(frames: Tensor) -> Tensor:
    """(n, C) as (1, C, 1, n) channels-last: the layout that is convolved without a copy."""
    n_frames, channels = frames.shape
    size = n_frames * channels
    return frames.as_strided((1, channels, 1, n_frames), (size, 1, size, channels))


def can_pack(dtype: torch.dtype) -> bool:
    """True if oneDNN is available, supports `dtype`, and computes correctly here."""
    return dtype == torch.float32 and torch.backends.mkldnn.is_available() and _works()


@cache
@torch.inference_mode()
def can_round() -> bool:
    """True if oneDNN multiplies in bfloat16 here, and computes correctly."""
    if not can_pack(torch.float32):
        return False
    conv = Conv1d(2, 2, 3)
    x, out = torch.linspace(-1, 1, 16).view(8, 2), torch.zeros(6, 2)
    try:
        RoundedTaps(conv.weight, conv.bias).add(x, out, Workspace(torch.float32))
    except (NotImplementedError, RuntimeError):
        return False
    return torch.allclose(out, conv(x.t().unsqueeze(0))[0].t(), atol=0.05)


@cache
@torch.inference_mode()
def _works() -> bool:
    """True if each packed operator computes the right result for a small input.

    The operators are private to PyTorch and may change with any release.
    """
    conv, linear = Conv1d(2, 2, 3, padding=1), nn.Linear(2, 2)
    x = torch.linspace(-1, 1, 16).view(1, 2, 8)
    image = x.unsqueeze(2).contiguous(memory_format=torch.channels_last)
    added = torch.zeros(1, 2, 1, 6).contiguous(memory_format=torch.channels_last)
    try:
        results = PackedConv1d(conv)(x), PackedLinear(linear)(x.mT)
        weight = pack_weight(conv.weight, (0, 0), (1, 1), (1, 1))
        add_convolved(added, image, weight, conv.bias, (1, 1), (1, 1))
    except (AttributeError, NotImplementedError, RuntimeError, TypeError):
        return False
    expected = conv(x), linear(x.mT), conv(x)[..., 1:-1].unsqueeze(2)
    return all(
        torch.allclose(*pair, atol=1e-5) for pair in zip((*results, added), expected, strict=True)
    )


class Workspace(threading.local):
    """Named scratch arrays, separate for each thread.

    The contents of an array last until its name is requested again.
    """

    def __init__(self, dtype: torch.dtype) -> None:
        self._dtype = dtype
        self._arrays: dict[str, Tensor] = {}
        self._views: dict[tuple[str, int, int], Tensor] = {}
        self._rounded: Workspace | None = None

    def rounded(self, frames: Tensor) -> Tensor:
        """A copy of `frames` (n, C) in bfloat16, an array of its own."""
        if self._rounded is None:
            self._rounded = Workspace(torch.bfloat16)
        return self._rounded.frames("rounded", *frames.shape).copy_(frames)

    def frames(self, name: str, n_frames: int, channels: int) -> Tensor:
        """A view (n_frames, channels) of the array `name`. Its contents are undefined."""
        view = self._views.get((name, n_frames, channels))
        if view is None:
            view = self._array(name, n_frames * channels)[: n_frames * channels]
            view = view.view(n_frames, channels)
            self._views[name, n_frames, channels] = view
        return view

    def _array(self, name: str, size: int) -> Tensor:
        """The array `name` with `size` values or more. Views are dropped if it has to grow."""
        array = self._arrays.get(name)
        if array is None or array.numel() < size or len(self._views) == N_VIEWS:
            self._views.clear()
        if array is None or array.numel() < size:
            array = self._arrays[name] = torch.empty(size, dtype=self._dtype)
        return array


class BlockTaps(Protocol):
    """A convolution of stride 1 without padding that adds to its output."""

    def frames_for(self, n_frames: int, /) -> int:
        """The number of input frames that `n_frames` output frames need."""
        ...

    def add(self, frames: Tensor, out: Tensor, workspace: Workspace, /) -> None:
        """Add the convolution of `frames` to `out` (n, C_out), in place.

        `frames` is (at least `frames_for(n)`, C_in).
        """
        ...

    def put(self, frames: Tensor, out: Tensor, workspace: Workspace, /) -> None:
        """Overwrite `out` with what `add` adds."""
        self.add(frames, out.zero_(), workspace)


class Taps(BlockTaps):
    """A convolution without padding that adds to its output."""

    depth = 0  # how often the kernel is halved

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
            self._weight = pack_weight(weight, (0, 0), self._stride, self._dilation)
            self._add = self._add_packed

    def frames_for(self, n_frames: int) -> int:
        """The number of input frames that `n_frames` output frames need."""
        return (n_frames - 1) * self._stride[1] + self._span + 1

    def add(self, frames: Tensor, out: Tensor, workspace: Workspace) -> None:
        """Add the convolution of `frames` to `out` (n, C_out), in place.

        `frames` is (at least `frames_for(n)`, C_in).
        """
        frames = frames[: self.frames_for(len(out))]
        if not frames.is_contiguous():
            frames = workspace.frames("dense", len(frames), self.c_in).copy_(frames)
        if len(out):
            self._add(as_image(frames), as_image(out))

    def _add_packed(self, image: Tensor, out: Tensor) -> None:
        add_convolved(out, image, self._weight, self._bias, self._stride, self._dilation)

    def _add_plain(self, image: Tensor, out: Tensor) -> None:
        out += F.conv2d(image, self._weight, self._bias, self._stride, 0, self._dilation)


class RoundedTaps(BlockTaps):
    """The same as `Taps` for frames and weights that are rounded to bfloat16.

    Products are summed in float32. oneDNN returns what it is given, so each sum is rounded once
    more before it is added to the output. `can_round` tells whether it works here.
    """

    def __init__(self, weight: Tensor, bias: Tensor | None, dilation: int = 1) -> None:
        """`weight` is (C_out, C_in, K)."""
        self._span = dilation * (weight.shape[-1] - 1)
        self._bias, self._dilation = bias, (1, dilation)
        self._weight = pack_weight(weight.bfloat16(), (0, 0), (1, 1), self._dilation)

    def frames_for(self, n_frames: int) -> int:
        """The number of input frames that `n_frames` output frames need."""
        return n_frames + self._span

    def add(self, frames: Tensor, out: Tensor, workspace: Workspace) -> None:
        """Add the convolution of `frames` to `out` (n, C_out), in place.

        `frames` is (at least `frames_for(n)`, C_in).
        """
        if not len(out):
            return
        sums: Tensor = torch.ops.mkldnn._convolution_pointwise(
            as_image(workspace.rounded(frames[: self.frames_for(len(out))])), self._weight, None,
            (0, 0), (1, 1), self._dilation, 1, "none", [], "",
        )  # fmt: skip
        out += sums[0, :, 0].t()
        if self._bias is not None:
            out += self._bias


class HalvedTaps(BlockTaps):
    """The same as `Taps`, for stride 1 and an odd dilation, split into even and odd parts."""

    def __init__(self, weight: Tensor, bias: Tensor | None, dilation: int) -> None:
        """`weight` is (C_out, C_in, K)."""
        self.c_out, self.c_in, _ = weight.shape
        even, odd = weight[..., 0::2], weight[..., 1::2]
        both = even.clone()
        both[..., : odd.shape[-1]] += odd
        self._even, self._odd = (
            fastest_taps(even, bias, dilation),
            fastest_taps(odd, None, dilation),
        )
        # The bias counts twice: the even part, which is subtracted, also contains it.
        self._both = fastest_taps(both, None if bias is None else 2 * bias, dilation)
        self.depth = 1 + self._even.depth
        # An odd tap lies `dilation` frames after the even one: (dilation - 1) / 2 frames of a half
        # later, in the other half.
        self._skip = (dilation - 1) // 2

    def frames_for(self, n_frames: int) -> int:
        """The number of input frames that `n_frames` need; the last ones have no effect."""
        half = -(-n_frames // 2)
        return 2 * max(
            self._even.frames_for(half + self._skip + 1),
            self._odd.frames_for(half + self._skip),
            self._both.frames_for(half) + self._skip + 1,
        )

    def add(self, frames: Tensor, out: Tensor, workspace: Workspace) -> None:
        """Add the convolution of `frames` to `out` (n, C_out), in place.

        `frames` is (at least `frames_for(n)`, C_in).
        """
        x, z = frames[0::2], frames[1::2]
        n_even, n_odd, skip = -(-len(out) // 2), len(out) // 2, self._skip
        even = self._scratch("even", n_even + skip + 1, workspace).zero_()
        odd = self._scratch("odd", n_even + skip, workspace).zero_()
        both = self._scratch("both", n_odd, workspace).copy_(out[1::2])
        self._even.add(x, even, workspace)
        self._odd.add(z, odd, workspace)
        self._both.add(self._summed(x[skip + 1 :], z, n_odd, workspace), both, workspace)
        out[0::2].add_(even[:n_even]).add_(odd[skip:])
        both.sub_(even[skip + 1 : skip + 1 + n_odd])
        torch.sub(both, odd[:n_odd], out=out[1::2])

    def _summed(self, x: Tensor, z: Tensor, n_frames: int, workspace: Workspace) -> Tensor:
        """The sum x + z, as far as `n_frames` of their convolution need it."""
        needed = self._both.frames_for(n_frames)
        out = workspace.frames(f"summed {self.depth}", needed, self.c_in)
        return torch.add(x[:needed], z[:needed], out=out)

    def _scratch(self, name: str, n_frames: int, workspace: Workspace) -> Tensor:
        """An array (n_frames, C_out) that the parts, which have another depth, do not use."""
        return workspace.frames(f"{name} {self.depth}", n_frames, self.c_out)


def fastest_taps(weight: Tensor, bias: Tensor | None, dilation: int) -> Taps | HalvedTaps:
    """The faster of the two for this kernel (C_out, C_in, K), with stride 1."""
    if weight.shape[-1] < WORTH_HALVING or dilation % 2 == 0:
        return Taps(weight, bias, dilation)
    return HalvedTaps(weight, bias, dilation)
