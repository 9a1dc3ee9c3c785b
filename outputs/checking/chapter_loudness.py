"""The loudness of each chapter of a file, from the powers that its whole loudness is made of. Pure.

block powers, one each 100 ms   ▃▅▆▅▃▅ ▁▂▃▂▁▂▂ ▅▆▅▃▅▆
chapters                        │One   │Two    │Three
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from audiomill.outputs.audio.loudness import HOP_S, HOPS_PER_GATING_BLOCK, integrated_lufs
from audiomill.outputs.encoding.reading import FileChapter
from audiomill.outputs.types import Loudness

LEAST_S = 20.0  # a shorter chapter is a heading, credits or a jingle, which may be of any loudness


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
