"""Adds music to streamed audio. Knows positions and samples, not chapters or levels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from audiomill.outputs.audio.music import MusicUse
from audiomill.renderers.base import Samples


@dataclass(frozen=True, slots=True, eq=False)
class PlacedMusic:
    """A piece as it sounds, float32 [n_samples] from sample `start` of a recording on."""

    use: MusicUse
    start: int
    samples: Samples

    @property
    def end(self) -> int:
        """The sample after its last one."""
        return self.start + self.samples.size


def mix(blocks: Iterable[Samples], pieces: Sequence[PlacedMusic]) -> Iterator[Samples]:
    """The blocks with the pieces added; where no piece sounds, they pass unchanged."""
    at = 0
    for block in blocks:
        yield _mixed(block, at, pieces)
        at += block.size


def between(pieces: Iterable[PlacedMusic], start: int, end: int) -> tuple[PlacedMusic, ...]:
    """What sounds of the pieces in samples [start, end), placed relative to `start`."""
    return tuple(
        replace(
            piece,
            start=max(piece.start - start, 0),
            samples=piece.samples[max(start - piece.start, 0) : end - piece.start],
        )
        for piece in pieces
        if piece.start < end and start < piece.end
    )


def _mixed(block: Samples, at: int, pieces: Sequence[PlacedMusic]) -> Samples:
    parts = between(pieces, at, at + block.size)
    if not parts:
        return block
    mixed = block.copy()
    for part in parts:
        mixed[part.start : part.end] += part.samples
    return mixed
