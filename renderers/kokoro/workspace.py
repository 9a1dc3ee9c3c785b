"""Arrays that are used again and again. Knows nothing of what is in them.

PyTorch asks the C library for room for each result, and what is large comes fresh from the kernel,
page by page: 2 µs for each 4 KiB in a virtual machine, up to as long as the convolution that is
then written there. Where glibc is told to give large arrays back (`outputs/heaps.py`) that is so
for every stretch.
"""

from __future__ import annotations

import threading

import torch
from torch import Tensor

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
