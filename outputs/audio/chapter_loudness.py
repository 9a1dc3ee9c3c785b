"""The loudness of chapters in a file, from the gating blocks of which its whole loudness is made.

    gating blocks of the file   ▁▂▅▇▅▂▁▁▂▃▂▁▂▆█▆▃▁▁▂▃▃▂▁
    chapters                    │ 1        │ 2           │

Reads no audio.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import accumulate

import numpy as np

from audiomill.outputs.audio.loudness import (
    HOP_S,
    HOPS_PER_GATING_BLOCK,
    Array,
    integrated_lufs,
)
from audiomill.outputs.ffmpeg.decoding import FileChapter
from audiomill.outputs.types import Loudness

LEAST_S = 20.0  # a shorter chapter is a heading, credits or a jingle, which may be of any loudness


def stretches_lufs(
    parts: Sequence[Loudness], sample_rate: int, edges_s: Iterable[tuple[float, float]]
) -> tuple[float, ...]:
    """The gated loudness of each stretch [start, end) in seconds; -inf for silence.

    `parts` are consecutive, of that rate. As in a file of the stretch alone, its gating blocks are
    those that lie inside; of a stretch that is shorter than one, the nearest.
    """
    starts, ends = _blocks(parts, sample_rate)
    powers = np.concatenate([np.empty(0), *(part.block_powers for part in parts)])
    return tuple(
        integrated_lufs([Loudness(powers[_inside(starts, ends, start_s, end_s)], 0)])
        for start_s, end_s in edges_s
    )


def _blocks(parts: Sequence[Loudness], sample_rate: int) -> tuple[Array, Array]:
    """Where each gating block begins and ends, in seconds, both ascending."""
    hop_s = round(HOP_S * sample_rate) / sample_rate
    lengths_s = [part.n_samples / sample_rate for part in parts]
    firsts_s = accumulate(lengths_s, initial=0.0)
    starts: list[Array] = [np.empty(0)]
    ends: list[Array] = [np.empty(0)]
    for part, first_s, length_s in zip(parts, firsts_s, lengths_s, strict=False):
        starts.append(first_s + hop_s * np.arange(part.block_powers.size, dtype=np.float64))
        ends.append(starts[-1] + min(HOPS_PER_GATING_BLOCK * hop_s, length_s))
    return np.concatenate(starts), np.concatenate(ends)


def _inside(starts: Array, ends: Array, start_s: float, end_s: float) -> slice:
    """The blocks inside a stretch, whose edges may be off by half a hop."""
    first = int(np.searchsorted(starts, start_s - HOP_S / 2))
    last = int(np.searchsorted(ends, end_s + HOP_S / 2, side="right"))
    if first < last or not starts.size:
        return slice(first, last)
    nearest = int(np.abs((starts + ends) / 2 - (start_s + end_s) / 2).argmin())
    return slice(nearest, nearest + 1)


def chapter_lufs(loudness: Loudness, chapters: Sequence[FileChapter]) -> tuple[float, ...]:
    """The loudness in LUFS of each chapter of LEAST_S or more; -inf for one without sound."""
    return tuple(
        integrated_lufs([_part(loudness, chapter)])
        for chapter in chapters
        if chapter.end_s - chapter.start_s >= LEAST_S
    )


def _part(loudness: Loudness, chapter: FileChapter) -> Loudness:
    """The blocks that lie within a chapter."""
    start, end = (round(at_s / HOP_S) for at_s in (chapter.start_s, chapter.end_s))
    last = max(start, end - HOPS_PER_GATING_BLOCK + 1)
    return replace(loudness, block_powers=loudness.block_powers[max(0, start) : max(0, last)])
