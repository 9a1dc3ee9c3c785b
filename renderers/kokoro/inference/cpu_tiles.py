"""Convolutions over time on a CPU by Winograd's tiles. Knows no model, no rows, no padding.

    frames (T, C)     d0 d1 d2 d3 d4 d5 d6          a tile, and the next one four frames later
                          │  weighted sums
                          ▼
    points (7, C)     v1 v-1 v2 v-2 v½ v-½ v∞       each has its own convolution, of C to C_out
                          │  weighted sums
                          ▼
    out (T, C_out)    y0 y1 y2 y3                   four outputs of four taps: 7 products, not 16

A product is that of the input's polynomial and the kernel's, each evaluated at one of seven
points. Longer kernels are several parts of four taps: their products are summed by point, before
the weighted sums of the output. So 7 taps cost as much as 3½, and 11 as 5¼; 3 taps, with five
points and infinity, cost as much as 1½. A dilated convolution has tiles of every `dilation`-th
frame.

The products of all points and parts are one convolution over tiles: a group of channels for each
point, and a tap for each part. oneDNN keeps its sums in registers and its weights packed.

The weighted sums are bags of embeddings, a row for a frame: PyTorch has no other operation that
reads rows once, whatever their number, and writes their sum. In float32 the results are nearly as
close to float64 as those of plain taps. Sources: Winograd, "Arithmetic Complexity of Computations",
1980; Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks", 2015.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt
import torch
import torch.nn.functional as F
from torch import Tensor

from audiomill.renderers.kokoro.inference.cpu_convolution import (
    BlockTaps,
    Workspace,
    as_image,
    can_pack,
    pack_weight,
)

RUN_FRAMES = 2048  # frames that are computed at a time, about: 1.75 MiB of points for 128 channels
# Frames that are computed at least. For a few tiles oneDNN wants the weights in other orders, and
# to reorder them takes ten times as long as the tiles.
LEAST_FRAMES = 512

Matrix = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class TileShape:
    """Tiles of `n_out` frames of output and kernels, or their parts, of `n_taps`."""

    n_out: int
    n_taps: int
    finite: tuple[float, ...]  # n_out + n_taps - 2 points; infinity is the last one

    @property
    def n_points(self) -> int:
        """The points, which are as many as the frames that a tile reads."""
        return len(self.finite) + 1

    def of_input(self) -> Matrix:
        """(points, frames of a tile): the products of all (x - point) but one, by power of x."""
        others = [self.finite[:n] + self.finite[n + 1 :] for n in range(len(self.finite))]
        rows = [np.append(np.poly(one)[::-1], 0.0) for one in others]
        return np.stack([*rows, np.poly(self.finite)[::-1]])

    def of_kernel(self) -> Matrix:
        """(points, taps): powers of each point, divided by its distance to the others."""
        distances = np.subtract.outer(self.finite, self.finite) + np.eye(len(self.finite))
        return _powers(self.finite, self.n_taps) / np.append(distances.prod(1), 1.0)[:, None]

    def of_output(self) -> Matrix:
        """(frames of output, points)."""
        return _powers(self.finite, self.n_out).T

    def of_bias(self) -> Matrix:
        """(points): what each has of a bias. The powers of point 1 bring it to every output."""
        return np.equal([*self.finite, np.inf], 1.0).astype(np.float64)


THREE_TAPS = TileShape(4, 3, (0.0, 1.0, -1.0, 2.0, -2.0))
FOUR_TAPS = TileShape(4, 4, (1.0, -1.0, 2.0, -2.0, 0.5, -0.5))


def _powers(finite: tuple[float, ...], count: int) -> Matrix:
    """(points, count): the powers of each point from 0. Infinity has only the highest one."""
    return np.stack([*np.vander(finite, count, increasing=True), np.eye(count)[-1]])


class WeightedSums:
    """Sums of an array's rows, times weights: the first of many, or all."""

    def __init__(self, rows: Indices, weights: Matrix, dtype: torch.dtype) -> None:
        """`rows` and `weights` are (sums, terms). Terms of weight zero are left out."""
        counts = (weights != 0).sum(1)
        self._ends = [0, *counts.cumsum().tolist()]
        self._starts = torch.tensor(self._ends[:-1], dtype=torch.int32)
        self._rows = torch.from_numpy(rows[weights != 0]).int()
        self._weights = torch.from_numpy(weights[weights != 0]).to(dtype)

    def of(self, frames: Tensor, n_sums: int) -> Tensor:
        """The first `n_sums` sums of `frames` (n, C), as (n_sums, C)."""
        end = self._ends[n_sums]
        return F.embedding_bag(
            self._rows[:end],
            frames,
            self._starts[:n_sums],
            mode="sum",
            per_sample_weights=self._weights[:end],
        )


@dataclass(frozen=True, slots=True)
class TileOrder:
    """Where tiles lie, numbered by their first frame.

    With dilation d, the first d tiles begin at frames 0 to d - 1, the next ones `stride` later.
    """

    shape: TileShape
    dilation: int

    @property
    def stride(self) -> int:
        """The frames that d tiles in sequence make."""
        return self.shape.n_out * self.dilation

    def tiles_for(self, n_frames: int) -> int:
        """The tiles that make `n_frames`, or LEAST_FRAMES; the last ones may make more."""
        return -(-max(n_frames, LEAST_FRAMES) // self.stride) * self.dilation

    def points(self, n_tiles: int, dtype: torch.dtype) -> WeightedSums:
        """From frames: the points of tile 0, then of tile 1, and so on."""
        tiles, places = np.arange(n_tiles), np.arange(self.shape.n_points)
        firsts = tiles // self.dilation * self.stride + tiles % self.dilation
        rows = np.repeat(firsts, len(places))[:, None] + self.dilation * places
        return WeightedSums(rows, np.tile(self.shape.of_input(), (n_tiles, 1)), dtype)

    def outputs(self, n_frames: int, dtype: torch.dtype) -> WeightedSums:
        """From products in the order of points: frames of output."""
        frames, n_points = np.arange(n_frames), self.shape.n_points
        tiles = frames // self.stride * self.dilation + frames % self.dilation
        products = n_points * tiles[:, None] + np.arange(n_points)
        weights = self.shape.of_output()[frames % self.stride // self.dilation]
        return WeightedSums(products, weights, dtype)


@cache
def _sums(
    order: TileOrder, n_parts: int, n_frames: int, dtype: torch.dtype
) -> tuple[WeightedSums, WeightedSums]:
    """Those of input and output for `n_frames` of output; all convolutions of a kind share them."""
    n_tiles = order.tiles_for(n_frames) + (n_parts - 1) * order.dilation
    return order.points(n_tiles, dtype), order.outputs(n_frames, dtype)


def _at_points(weight: Tensor, shape: TileShape) -> Tensor:
    """A kernel (C_out, C_in, K) at the points: (points * C_out, C_in, parts)."""
    padded = F.pad(weight, (0, -weight.shape[2] % shape.n_taps))
    taps = padded.unflatten(2, (-1, shape.n_taps)).permute(3, 0, 2, 1)  # and C_out, parts, C_in
    points = torch.from_numpy(shape.of_kernel()) @ taps.flatten(1).double()
    # Channels last in memory, so that packing copies it once less.
    return points.to(weight.dtype).view(-1, *taps.shape[2:]).transpose(1, 2)


def _bias_at_points(bias: Tensor, shape: TileShape) -> Tensor:
    """A bias (C_out) at the points, (points * C_out)."""
    return torch.outer(torch.from_numpy(shape.of_bias()).to(bias.dtype), bias).flatten()


def tiles_are_faster() -> bool:
    """True on a processor with AVX2 and no AVX-512: others were not measured."""
    return torch.backends.cpu.get_cpu_capability() == "AVX2"


class GroupedConvolution:
    """A convolution without padding whose channels are convolved in groups, each by itself."""

    def __init__(self, weight: Tensor, bias: Tensor | None, dilation: int, groups: int) -> None:
        """`weight` is (C_out, C_in / groups, K)."""
        self._bias, self._dilation, self._groups = bias, (1, dilation), groups
        self._weight = weight.unsqueeze(2)
        self._convolve = self._plain
        if can_pack(weight.dtype):
            self._weight = pack_weight(weight, (0, 0), (1, 1), self._dilation, groups)
            self._convolve = self._packed

    def of(self, frames: Tensor) -> Tensor:
        """Frames (n, C_in) to (n - dilation * (K - 1), C_out)."""
        return self._convolve(as_image(frames))[0, :, 0].t()

    def _packed(self, image: Tensor) -> Tensor:
        out: Tensor = torch.ops.mkldnn._convolution_pointwise(
            image, self._weight, self._bias,
            (0, 0), (1, 1), self._dilation, self._groups, "none", [], "",
        )  # fmt: skip
        return out

    def _plain(self, image: Tensor) -> Tensor:
        return F.conv2d(image, self._weight, self._bias, 1, 0, self._dilation, self._groups)


class TiledTaps(BlockTaps):
    """The same as `Taps`, for stride 1, by tiles. With fewer than three taps it saves nothing."""

    def __init__(self, weight: Tensor, bias: Tensor | None, dilation: int) -> None:
        """`weight` is (C_out, C_in, K)."""
        shape = THREE_TAPS if weight.shape[2] <= THREE_TAPS.n_taps else FOUR_TAPS
        self._order = TileOrder(shape, dilation)
        kernel = _at_points(weight, shape)
        self._n_parts = kernel.shape[2]
        at_points = None if bias is None else _bias_at_points(bias, shape)
        self._products = GroupedConvolution(kernel, at_points, dilation, shape.n_points)
        self._run = -(-RUN_FRAMES // self._order.stride) * self._order.stride
        self._points, self._outputs = _sums(self._order, self._n_parts, self._run, weight.dtype)

    def frames_for(self, n_frames: int) -> int:
        """The number of input frames that `n_frames` need; the last ones have no effect."""
        n_before = max(0, n_frames - 1) // self._run * self._run  # those of whole runs
        order = self._order
        n_last = order.shape.n_points - order.shape.n_out
        n_groups = self._tiles_read(n_frames - n_before) // order.dilation
        return n_before + n_groups * order.stride + n_last * order.dilation

    def _tiles_read(self, n_frames: int) -> int:
        """The tiles of input of a run; a part of the kernel begins a tile after the one before."""
        return self._order.tiles_for(n_frames) + (self._n_parts - 1) * self._order.dilation

    def add(self, frames: Tensor, out: Tensor, workspace: Workspace) -> None:  # noqa: ARG002
        """Add the convolution of `frames` to `out` (n, C_out), in place.

        `frames` is (at least `frames_for(n)`, C_in).
        """
        for run, convolved in self._runs(frames, out):
            run += convolved

    def put(self, frames: Tensor, out: Tensor, workspace: Workspace) -> None:  # noqa: ARG002
        """Overwrite `out` with what `add` adds."""
        for run, convolved in self._runs(frames, out):
            run.copy_(convolved)

    def _runs(self, frames: Tensor, out: Tensor) -> Iterator[tuple[Tensor, Tensor]]:
        """Parts of `out` and their convolutions, one after the other."""
        for start in range(0, len(out), self._run):
            run = out[start : start + self._run]
            yield run, self._convolved(frames[start:], len(run))

    def _convolved(self, frames: Tensor, n_frames: int) -> Tensor:
        """(n_frames, C_out), of a run at most."""
        n_points, n_read = self._order.shape.n_points, self._tiles_read(n_frames)
        points = self._points.of(frames, n_read * n_points)
        products = self._products.of(points.view(n_read, -1))
        return self._outputs.of(products.reshape(-1, products.shape[1] // n_points), n_frames)
