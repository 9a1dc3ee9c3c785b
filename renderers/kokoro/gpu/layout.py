"""Where each row of a batch lies in a packed buffer, and how it is cut into tiles. Knows lengths.

    rows of 3 and 5 frames, with a gap of 2 before, between and after them

    frames   · · a a a · · b b b b b · ·  spare         tiles of a at 120 places a frame: 0 … 128 …
    places   x 1, 2, 20, 120

Nothing is computed for padding: rows lie one after the other, whatever their lengths. A gap is
zero wherever a convolution reads, and longer than any kernel reaches, so that a tile need not ask
where its row ends before it writes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from audiomill.renderers.kokoro.model.padding import to_device

TILE = 128  # places that one program works on
TILE_COLUMNS = 4  # of the table of tiles


@dataclass(frozen=True, slots=True)
class Tiles:
    """A batch at one rate, on its device.

    `table` (n, 4) int32 has of each tile: its first place, how many places are its row's, how many
    its row's or its gap's, and the row. `rows` (B, 3) int32 has of each row its first tile, its
    first place and its length.
    """

    table: Tensor
    rows: Tensor
    n: int


@dataclass(frozen=True, slots=True)
class Margins:
    """What must lie around rows so that no filter reads what it should not."""

    gap: int  # frames between two rows
    stride: int  # the widest: a tile is read whole, and behind the last row too


class Layout:
    """Rows of so many frames."""

    def __init__(self, lengths: Sequence[int], device: torch.device, room: Margins) -> None:
        self._lengths = np.asarray(lengths, np.int64)
        self._slots = self._lengths + room.gap
        self._starts = room.gap + np.cumsum(self._slots) - self._slots
        self._gap, self._spare = room.gap, (room.stride + 2) * TILE
        self.device = device

    @property
    def n_rows(self) -> int:
        """Of the batch."""
        return len(self._lengths)

    @property
    def n_frames(self) -> int:
        """With the gaps."""
        return self._gap + int(self._slots.sum())

    def empty(self, rate: int, channels: int, dtype: torch.dtype) -> Tensor:
        """(places, channels) at `rate` places a frame, zero before the first row only."""
        places = torch.empty(
            (self.n_frames * rate + self._spare, channels), dtype=dtype, device=self.device
        )
        places[: self._gap * rate].zero_()
        return places

    def tiles(self, rate: int, extra: int = 0) -> Tiles:
        """At `rate` places a frame, each row `extra` places longer."""
        lengths, slots = self._lengths * rate + extra, self._slots * rate
        counts = -(-slots // TILE)
        first = np.cumsum(counts) - counts
        row = np.repeat(np.arange(self.n_rows), counts)
        within = (np.arange(row.size) - first[row]) * TILE
        starts = self._starts * rate
        own, whole = ((of[row] - within).clip(0, TILE) for of in (lengths, slots))
        table = np.stack((starts[row] + within, own, whole, row), 1)
        rows = np.stack((first, starts, lengths), 1)
        return Tiles(self._sent(table), self._sent(rows), row.size)

    def gather_index(self, rate: int, size: int) -> Tensor:
        """For each place the index into (B, size) padded rows, flat; -1 in the gaps."""
        index = np.full(self.n_frames * rate + self._spare, -1, np.int64)
        for row, (start, length) in enumerate(zip(self._starts, self._lengths, strict=True)):
            at = np.arange(length * rate)
            index[start * rate + at] = row * size + at
        return self._sent(index)

    def _sent(self, table: NDArray[np.int64]) -> Tensor:
        return to_device(table, torch.empty(0, dtype=torch.int32, device=self.device))


# What all kernels are compiled with, whoever starts them.

# A product and a sum in one instruction, rounded once: half the time of `activate`. Triton's own
# choice, but only up to 3.9; said here, it is the same with any release.
COMPILE_OPTIONS = {"enable_fp_fusion": True}
