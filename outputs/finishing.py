"""A chapter's first pass: joined, counted and measured. Knows nothing of gain, files or formats.

Nothing is written: the second pass joins the same pieces again, through the mastering and into
the encoder, so that no finished audio lies on disk between the two and none is held in memory.
"""

from __future__ import annotations

from collections.abc import Iterable

from outputs.chapter import Cue, MasteredChapter
from outputs.joining import Piece, join
from outputs.loudness import LoudnessMeter


def finish_chapter(
    title: str, level: int, pieces: Iterable[Piece], sample_rate: int, *, lead_s: float = 0.0
) -> MasteredChapter:
    """What the chapter will be: its length, its loudness, and where each segment sounds."""
    meter = LoudnessMeter(sample_rate)
    cues: list[Cue] = []
    for joined in join(pieces, sample_rate, lead_s=lead_s):
        meter.add(joined.samples)
        if joined.cue is not None:
            cues.append(joined.cue)
    loudness = meter.measured()
    return MasteredChapter(title, level, loudness.n_samples, sample_rate, loudness, tuple(cues))
