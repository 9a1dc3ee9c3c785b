"""Parts a stream into windows of one length, wherever its blocks end."""

from __future__ import annotations

from collections.abc import Iterator

from audiomill.renderers.base import Samples


class Windows:
    """Windows of `size` samples."""

    def __init__(self, size: int) -> None:
        self._size = size
        self.n_open = 0  # samples of the window that is not whole yet

    def pieces(self, block: Samples) -> Iterator[tuple[Samples, bool]]:
        """The next samples in pieces, and whether each is the last of its window."""
        while len(block):
            piece, block = block[: self._size - self.n_open], block[self._size - self.n_open :]
            self.n_open = (self.n_open + len(piece)) % self._size
            yield piece, not self.n_open
