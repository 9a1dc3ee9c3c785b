"""Where each row of a batch lies in a packed buffer, and how it is cut into tiles. Knows lengths.

    rows a of 3 and b of 5 frames, gaps of 2 frames before, between and after them

    frames       · · a a a · · b b b b b · · │ spare
    positions    frame x rate; rate is 1, 2, 20 or 120

    row a at rate 120: 360 positions and a gap of 240, in tiles of 128

    tile         0          1          2          3          4
    positions    │■■■■■■■■■■│■■■■■■■■■■│■■■■■■■■··│··········│·······│
    own          128        128        104        0          0          positions of the row
    slot         128        128        128        128        88         of the row or its gap

Rows lie one after the other, whatever their lengths, so nothing is computed for padding. A gap is
zero wherever a convolution reads, and longer than any kernel reaches to one side. So a kernel reads
without a mask, and masks only what it writes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from audiomill.renderers.kokoro.model.padding import to_device

TILE = 128  # positions that one program of a kernel works on
TILE_COLUMNS = 4  # of `Tiles.table`
# Every kernel is compiled with these. A product and a sum become one instruction that rounds once,
# which halves the time of `activate`. It is Triton's default only up to 3.9; set here, the result
# is the same with any release.
COMPILE_OPTIONS = {"enable_fp_fusion": True}


@dataclass(frozen=True, slots=True)
class Tiles:
    """The tiles of a batch at one rate, on its device.

    `table` (n, 4) int32 has for each tile: its first position, how many of its positions belong to
    the row, how many to the row or the gap after it, and the row. `rows` (B, 3) int32 has for each
    row: its first tile, its first position and its length. `n` is the number of tiles.
    """

    table: Tensor
    rows: Tensor
    n: int


@dataclass(frozen=True, slots=True)
class Margins:
    """The space around rows, so that no filter reads another row or past the buffer."""

    gap_frames: int  # between two rows
    max_stride: int  # of all filters: the last tile is read whole, even behind the last row


class Layout:
    """The rows of a batch in one packed buffer, which has the same layout at every rate."""

    def __init__(self, lengths: Sequence[int], device: torch.device, margins: Margins) -> None:
        """`lengths` are in frames."""
        self._lengths = np.asarray(lengths, np.int64)
        self._slots = self._lengths + margins.gap_frames  # each row with the gap after it
        self._starts = margins.gap_frames + np.cumsum(self._slots) - self._slots
        self._gap = margins.gap_frames
        self._n_spare = (margins.max_stride + 2) * TILE  # positions behind the last gap
        self.device = device

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self._lengths)

    @property
    def n_frames(self) -> int:
        """Frames of all rows and gaps."""
        return self._gap + int(self._slots.sum())

    def empty(self, rate: int, channels: int, dtype: torch.dtype) -> Tensor:
        """A buffer (positions, channels) at `rate` positions a frame, on the device.

        Only the gap before the first row is set to zero; kernels write the other gaps.
        """
        buffer = torch.empty(
            (self.n_frames * rate + self._n_spare, channels), dtype=dtype, device=self.device
        )
        buffer[: self._gap * rate].zero_()
        return buffer

    def tiles(self, rate: int, extra: int = 0) -> Tiles:
        """The tiles at `rate` positions a frame, each row `extra` positions longer."""
        lengths, slots = self._lengths * rate + extra, self._slots * rate
        counts = -(-slots // TILE)
        first = np.cumsum(counts) - counts
        row = np.repeat(np.arange(self.n_rows), counts)
        within = (np.arange(row.size) - first[row]) * TILE
        starts = self._starts * rate
        n_own, n_slot = ((size[row] - within).clip(0, TILE) for size in (lengths, slots))
        table = np.stack((starts[row] + within, n_own, n_slot, row), 1)
        rows = np.stack((first, starts, lengths), 1)
        return Tiles(self._int32(table), self._int32(rows), row.size)

    def gather_index(self, rate: int, size: int) -> Tensor:
        """For each position its index in padded rows (B, size), flattened; -1 in gaps. int32."""
        index = np.full(self.n_frames * rate + self._n_spare, -1, np.int64)
        for row, (start, length) in enumerate(zip(self._starts, self._lengths, strict=True)):
            positions = np.arange(length * rate)
            index[start * rate + positions] = row * size + positions
        return self._int32(index)

    def unpacked(self, x: Tensor, rate: int, size: int) -> Tensor:
        """Positions (positions, C) at `rate` to padded rows (B, size, C), zero in the padding."""
        starts, lengths = (self._int32(values * rate) for values in (self._starts, self._lengths))
        steps = torch.arange(size, dtype=torch.int32, device=self.device)
        is_real = (steps < lengths.unsqueeze(1)).unsqueeze(-1)
        at = (starts.unsqueeze(1) + steps).clamp(max=x.shape[0] - 1)
        return torch.where(is_real, x[at], 0.0)

    def _int32(self, table: NDArray[np.int64]) -> Tensor:
        return to_device(table, torch.empty(0, dtype=torch.int32, device=self.device))
