"""Convolutions over time on a CPU by Winograd's tiles. Knows no model, no rows, no padding.

    frames (T, C)     d0 d1 d2 d3 d4 d5 d6          a tile, and the next one four frames later
                          │  weighted sums
                          ▼
    points (7, C)     v1 v-1 v2 v-2 v½ v-½ v∞       each times its own matrix (C, C_out)
                          │  weighted sums
                          ▼
    out (T, C_out)    y0 y1 y2 y3                   four outputs of four taps: 7 products, not 16

A product is that of the input's polynomial and the kernel's, each evaluated at one of seven
points. Longer kernels are several parts of four taps: their products are summed by point, before
the weighted sums of the output. So 7 taps cost as much as 3½, and 11 as 5¼; 3 taps, with five
points and infinity, cost as much as 1½. A dilated convolution has tiles of every `dilation`-th
frame.

The weighted sums are bags of embeddings, a row for a frame: PyTorch has no other operation that
reads rows once, whatever their number, and writes their sum. In float32 the results are nearly as
close to float64 as those of plain taps. Sources: Winograd, "Arithmetic Complexity of Computations",
1980; Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks", 2015.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt
import torch
import torch.nn.functional as F
from torch import Tensor

from audiomill.renderers.kokoro.inference.cpu_convolution import Workspace

RUN_FRAMES = 2048  # frames that are computed at a time, about: 1.75 MiB of points for 128 channels

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
        """The tiles that make `n_frames`; the last ones may make more."""
        return -(-n_frames // self.stride) * self.dilation

    def points(self, n_tiles: int, dtype: torch.dtype) -> WeightedSums:
        """From frames: the points of tile 0, then of tile 1, and so on."""
        tiles, places = np.arange(n_tiles), np.arange(self.shape.n_points)
        firsts = tiles // self.dilation * self.stride + tiles % self.dilation
        rows = np.repeat(firsts, len(places))[:, None] + self.dilation * places
        return WeightedSums(rows, np.tile(self.shape.of_input(), (n_tiles, 1)), dtype)

    def outputs(self, n_frames: int, dtype: torch.dtype) -> WeightedSums:
        """From a row of bias, then products in the order of points: frames of output."""
        frames, n_points = np.arange(n_frames), self.shape.n_points
        tiles = frames // self.stride * self.dilation + frames % self.dilation
        products = 1 + n_points * tiles[:, None] + np.arange(n_points)
        weights = self.shape.of_output()[frames % self.stride // self.dilation]
        bias = np.zeros((n_frames, 1), np.int64), np.ones((n_frames, 1))
        return WeightedSums(np.hstack([bias[0], products]), np.hstack([bias[1], weights]), dtype)


@cache
def _sums(
    order: TileOrder, n_parts: int, n_frames: int, dtype: torch.dtype
) -> tuple[WeightedSums, WeightedSums]:
    """Those of input and output for `n_frames` of output; all convolutions of a kind share them."""
    n_tiles = order.tiles_for(n_frames) + (n_parts - 1) * order.dilation
    return order.points(n_tiles, dtype), order.outputs(n_frames, dtype)


def _matrices(weight: Tensor, shape: TileShape) -> Sequence[Tensor]:
    """Of each part of the kernel (C_out, C_in, K): the matrices (points, C_in, C_out)."""
    padded = F.pad(weight, (0, -weight.shape[2] % shape.n_taps))
    taps = padded.unflatten(2, (-1, shape.n_taps)).permute(3, 2, 1, 0)  # and parts, C_in, C_out
    points = torch.from_numpy(shape.of_kernel()) @ taps.flatten(1).double()
    return points.to(weight.dtype).view(-1, *taps.shape[1:]).unbind(1)


def tiles_are_faster() -> bool:
    """True on a processor with AVX2 and no AVX-512: others were not measured."""
    return torch.backends.cpu.get_cpu_capability() == "AVX2"


class TiledTaps:
    """The same as `Taps`, for stride 1, by tiles. With fewer than three taps it saves nothing."""

    def __init__(self, weight: Tensor, bias: Tensor | None, dilation: int) -> None:
        """`weight` is (C_out, C_in, K)."""
        self._c_out, self._c_in, n_taps = weight.shape
        shape = THREE_TAPS if n_taps <= THREE_TAPS.n_taps else FOUR_TAPS
        self._order = TileOrder(shape, dilation)
        self._bias = weight.new_zeros(self._c_out) if bias is None else bias
        self._matrices = _matrices(weight, shape)
        self._run = -(-RUN_FRAMES // self._order.stride) * self._order.stride
        n_parts = len(self._matrices)
        self._points, self._outputs = _sums(self._order, n_parts, self._run, weight.dtype)

    def frames_for(self, n_frames: int) -> int:
        """The number of input frames that `n_frames` need; the last ones have no effect."""
        order = self._order
        n_last = order.shape.n_points - order.shape.n_out
        n_groups = -(-n_frames // order.stride) + len(self._matrices) - 1
        return n_groups * order.stride + n_last * order.dilation

    def add(self, frames: Tensor, out: Tensor, workspace: Workspace) -> None:
        """Add the convolution of `frames` to `out` (n, C_out), in place.

        `frames` is (at least `frames_for(n)`, C_in).
        """
        for start in range(0, len(out), self._run):
            run = out[start : start + self._run]
            run += self._convolved(frames[start:], len(run), workspace)

    def _convolved(self, frames: Tensor, n_frames: int, workspace: Workspace) -> Tensor:
        """(n_frames, C_out), of a run at most."""
        order, n_points = self._order, self._order.shape.n_points
        n_tiles = order.tiles_for(n_frames)
        n_read = n_tiles + (len(self._matrices) - 1) * order.dilation
        points = self._points.of(frames, n_read * n_points)
        points = points.view(n_read, n_points, self._c_in).transpose(0, 1)
        table = workspace.frames("products", 1 + n_tiles * n_points, self._c_out)
        table[0] = self._bias
        products = table[1:].view(n_tiles, n_points, self._c_out).transpose(0, 1)
        torch.bmm(points[:, :n_tiles], self._matrices[0], out=products)
        for part, matrix in enumerate(self._matrices[1:], 1):
            later = points[:, part * order.dilation :][:, :n_tiles]
            torch.baddbmm(products, later, matrix, out=products)
        return self._outputs.of(table, n_frames)
