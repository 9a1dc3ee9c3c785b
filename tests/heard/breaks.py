"""Where a segment is cut between its sentences: in what sound, and how long the pause is heard.

asked 0.40 s    ▅▇▆▃▁▁▁▁▁▁▁▁▂▆█▅
                    └─heard─┘       what is below -45 dB of the segment's loudest 5 ms
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from audiomill.outputs.audio.joining import Clip, join
from audiomill.outputs.audio.trimming import voiced_pieces, without_dc

FRAME_S = 0.005
QUIET_DB = -45.0  # re the loudest frame of the segment


@dataclass(frozen=True)
class HeardBreak:
    """A sentence end inside a segment. `cut_db` and `heard_s` are None where the voice runs on."""

    segment_id: str
    at_s: float  # in the segment as the engine spoke it
    asked_s: float
    heard_s: float | None
    cut_db: float | None  # the loudest frame that was cut out, or of the cut itself


def heard_breaks(clip: Clip, sample_rate: int) -> Iterator[HeardBreak]:
    """The breaks of a segment, in order."""
    pieces = voiced_pieces(without_dc(clip.samples), sample_rate, clip.breaks)
    joined = [*join([clip], sample_rate)]
    sound = np.concatenate([one.samples for one in joined])
    cues = [one.cue for one in joined if one.cue is not None]
    cuts = {
        before.end: (before, after, *gap)
        for (before, after), gap in zip(pairwise(pieces), pairwise(cues), strict=True)
    }
    levels, joined_levels = _levels_db(clip.samples, sample_rate), _levels_db(sound, sample_rate)
    for one in clip.breaks:
        made = [cut for at, cut in cuts.items() if _is_at(cut, one.start_s, one.end_s, sample_rate)]
        if not made:
            yield HeardBreak(clip.segment_id, one.start_s, one.pause_s, None, None)
            continue
        before, after, cue, next_cue = made[0]
        cut_db = _loudest(levels, before.end, after.start, sample_rate)
        heard_s = _quiet_s(joined_levels, (cue.end + next_cue.start) // 2, sample_rate)
        at_s = before.end / sample_rate
        yield HeardBreak(clip.segment_id, at_s, one.pause_s, heard_s, cut_db)


def _is_at(cut: tuple, start_s: float, end_s: float, sample_rate: int) -> bool:
    before, after, *_ = cut
    return before.end / sample_rate < end_s + 0.5 and after.start / sample_rate > start_s


def _levels_db(samples: NDArray[np.float32], sample_rate: int) -> NDArray[np.float64]:
    """The level of each frame, re the loudest."""
    frame = round(FRAME_S * sample_rate)
    frames = samples[: samples.size // frame * frame].reshape(-1, frame).astype(np.float64)
    powers = np.maximum((frames**2).mean(axis=1), 1e-14)
    return 10 * np.log10(powers / powers.max())


def _loudest(levels: NDArray[np.float64], start: int, end: int, sample_rate: int) -> float:
    frame = round(FRAME_S * sample_rate)
    first = min(start // frame, len(levels) - 1)
    return float(levels[first : max(first + 1, end // frame)].max())


def _quiet_s(levels: NDArray[np.float64], at: int, sample_rate: int) -> float:
    """The length of the quiet around sample `at`."""
    loud: Sequence[int] = np.flatnonzero(levels >= QUIET_DB).tolist()
    place = at // round(FRAME_S * sample_rate)
    before = max((one for one in loud if one <= place), default=-1)
    after = min((one for one in loud if one > place), default=len(levels))
    return (after - before - 1) * FRAME_S
